"""The rows of the journal's tables, each with a checksum of all its other columns.

The column `t` of a row is the latest time of all rows so far. It never runs backwards, unlike a
machine's clock, so a time can be found by binary search. The delta in the row keeps its own time.
"""

import json
import sqlite3
import zlib
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from kb_server.errors import Damaged

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
"""The level of zlib for segments, which are written once and stay."""


class NamesRow(NamedTuple):
    """A table of prefixes as a line of JSON, and its checksum in a second line.

    The tables of the first versions have no checksum.
    """

    id: int
    prefixes: str

    @staticmethod
    def of(number: int, table: Mapping[str, str]) -> "NamesRow":
        text = json.dumps(table)
        return NamesRow(number, f"{text}\n{crc_of(text.encode(), number)}")

    def table(self) -> Mapping[str, str]:
        """Return the table; Damaged if its checksum is wrong."""
        try:
            text, _, crc = self.prefixes.partition("\n")
            table: Mapping[str, str] = json.loads(text)
        except (AttributeError, ValueError):
            text, crc, table = "", "none", {}
        is_right = not crc or crc == str(crc_of(text.encode(), self.id))
        _check(is_right, f"table of prefixes {self.id}", 0)
        return table


class TailRow(NamedTuple):
    """One delta that is not packed yet."""

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
    """Packed deltas; `t` is the time of the first one, `end` that of the last."""

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
    """The creation or deletion of a model after delta `seq`; records are numbered without gaps."""

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
    """The head of a snapshot; its checksum covers the parts too."""

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
        """Return the head of parts with checksum `crc`; `said` are the columns before `parts`."""
        return SnapshotRow(*said, parts, facts, crc ^ crc_of(b"", *said, parts, facts))


def put(connection: sqlite3.Connection, table: str, rows: Iterable[tuple[object, ...]]) -> None:
    """Insert whole rows into one table."""
    for row in rows:
        places = ", ".join("?" * len(row))
        connection.execute(f"INSERT INTO {table} VALUES ({places})", row)


def crc_of(body: bytes, *said: float | str) -> int:
    """Return the checksum of a body and of the other columns."""
    return zlib.crc32(repr(said).encode(), zlib.crc32(body))


def pack(lines: Iterable[bytes]) -> bytes:
    return zlib.compress(b"\n".join(lines), _LEVEL)


def unpack(body: bytes) -> list[bytes]:
    return zlib.decompress(body).split(b"\n")


def _check(right: bool, what: str, seq: int) -> None:
    if not right:
        raise Damaged(f"the journal's {what} can't be trusted: wrong checksum", seq=seq)
