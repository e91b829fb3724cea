"""Rows of the journal, sealed: each with a checksum of all that it says, so that none can lie.

The times in them never run backwards, though the clock of a machine may: each is the latest so
far. So a time is found by them as a number is, and what a delta itself says stays as it was told.
"""

import json
import sqlite3
import zlib
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from kb_server.journal.errors import JournalDamaged

__all__ = [
    "NamesRow",
    "RecordRow",
    "SegmentRow",
    "SnapshotRow",
    "TailRow",
    "crc_of",
    "pack",
    "put",
    "unpack",
]

_LEVEL = 3


class NamesRow(NamedTuple):
    """A table of prefixes as a line of JSON, and in a second line its checksum.

    The tables of the first journals had none.
    """

    id: int
    prefixes: str

    @staticmethod
    def of(number: int, table: Mapping[str, str]) -> "NamesRow":
        text = json.dumps(table)
        return NamesRow(number, f"{text}\n{crc_of(text.encode(), number)}")

    def table(self) -> Mapping[str, str]:
        """What is said; JournalDamaged when it is not as it was written."""
        try:
            text, _, crc = self.prefixes.partition("\n")
            table: Mapping[str, str] = json.loads(text)
        except (AttributeError, ValueError):
            text, crc, table = "", "none", {}
        is_right = not crc or crc == str(crc_of(text.encode(), self.id))
        _check(is_right, f"table of prefixes {self.id}", 0)
        return table


class TailRow(NamedTuple):
    """One delta, not yet packed."""

    seq: int
    t: float
    names: int
    body: bytes
    crc: int

    @staticmethod
    def of(seq: int, t: float, names: int, body: bytes) -> "TailRow":
        return TailRow(seq, t, names, body, crc_of(body, seq, t, names))

    def checked(self) -> "TailRow":
        _check(self.crc == crc_of(self.body, *self[:3]), f"delta {self.seq}", self.seq)
        return self


class SegmentRow(NamedTuple):
    """Deltas packed; `t` is when the first one was, `end` when the last."""

    first: int
    last: int
    t: float
    end: float
    names: int
    crc: int
    body: bytes

    @staticmethod
    def of(first: TailRow, last: TailRow, names: int, lines: Iterable[bytes]) -> "SegmentRow":
        said, body = (first.seq, last.seq, first.t, last.t, names), pack(lines)
        return SegmentRow(*said, crc_of(body, *said), body)

    def checked(self) -> "SegmentRow":
        said = f"deltas {self.first} to {self.last}"
        _check(self.crc == crc_of(self.body, *self[:5]), said, self.first)
        return self

    def lines(self) -> list[bytes]:
        return unpack(self.checked().body)


class RecordRow(NamedTuple):
    """That a model came to be or went, after delta `seq`; they are counted without gaps."""

    id: int
    seq: int
    t: float
    name: str
    made: int
    crc: int

    @staticmethod
    def of(number: int, seq: int, t: float, name: str, made: bool) -> "RecordRow":
        said = (number, seq, t, name, int(made))
        return RecordRow(*said, crc_of(b"", *said))

    def checked(self) -> "RecordRow":
        _check(self.crc == crc_of(b"", *self[:5]), f"record {self.id} of a model", self.seq)
        return self


class SnapshotRow(NamedTuple):
    """The head of a snapshot; its crc is that of its parts as well."""

    id: int
    seq: int
    t: float
    records: int
    names: int
    parts: int
    facts: int
    crc: int

    @staticmethod
    def of(
        said: tuple[int, int, float, int, int], parts: int, facts: int, crc: int
    ) -> "SnapshotRow":
        """The head of parts whose checksum is `crc`; `said` is what stands before their number."""
        return SnapshotRow(*said, parts, facts, crc ^ crc_of(b"", *said, parts, facts))


def put(connection: sqlite3.Connection, table: str, rows: Iterable[tuple[object, ...]]) -> None:
    """Keeps whole rows of one table."""
    for row in rows:
        places = ", ".join("?" * len(row))
        connection.execute(f"INSERT INTO {table} VALUES ({places})", row)


def crc_of(body: bytes, *said: float | str) -> int:
    """The checksum of a body and of what stands beside it."""
    return zlib.crc32(repr(said).encode(), zlib.crc32(body))


def pack(lines: Iterable[bytes]) -> bytes:
    return zlib.compress(b"\n".join(lines), _LEVEL)


def unpack(body: bytes) -> list[bytes]:
    return zlib.decompress(body).split(b"\n")


def _check(right: bool, what: str, seq: int) -> None:
    if not right:
        raise JournalDamaged(f"the journal's {what} can't be trusted: wrong checksum", seq=seq)
