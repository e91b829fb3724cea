"""The survey of a journal's files: every row is read, and every checksum compared.

The write-ahead log is read before SQLite opens it. SQLite applies the log up to the first wrong
frame and silently ignores the rest. After a kill the rest is one write that was not acknowledged.
If complete writes follow the wrong frame, acknowledged changes are lost, and that must be reported.
"""

import sqlite3
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Generic, TypeVar

from kb_server.errors import Damaged
from kb_server.journal.database import UNREADABLE
from kb_server.journal.postings import fits
from kb_server.journal.rows import RecordRow, SegmentRow, SnapshotRow, TailRow
from kb_server.journal.snapshots import bodies_of, heads_of, is_whole
from kb_server.journal.spelling import tables_of

__all__ = [
    "SEGMENTS",
    "TAIL",
    "IntactPart",
    "Leftover",
    "Survey",
    "Table",
    "each",
    "leftover",
    "records_within",
    "survey",
]

_HEADER: Final = 32
_FRAME_HEADER: Final = 24
_MAGIC: Final = (0x377F0682, 0x377F0683)

_Row = TypeVar("_Row", SegmentRow, TailRow)


@dataclass(frozen=True, slots=True)
class Table(Generic[_Row]):
    """A table with rows of deltas, and the column by which it is ordered."""

    name: str
    key: str
    row: type[_Row]


SEGMENTS: Final = Table("segment", "first", SegmentRow)
TAIL: Final = Table("tail", "seq", TailRow)
_Span = tuple[int, int]
_ALL: Final = 2**62


@dataclass(frozen=True, slots=True)
class Survey:
    """The intact spans of deltas, in order, and the damage found.

    - Model records are intact up to delta `records_until`, and from number `records_from` on. If
      the first of them is dropped, only a snapshot has the models that it created.
    - The index of the history can be rebuilt from the deltas.
    - Without the tables of prefixes (`has_names`) the deltas can be exported, but the meaning of
      their terms is unknown.
    """

    spans: tuple[_Span, ...]
    wrong: tuple[str, ...]
    snapshots: tuple[SnapshotRow, ...]
    records_until: int
    records_from: int
    has_first_record: bool
    is_indexed: bool
    has_names: bool

    @property
    def is_sound(self) -> bool:
        return not self.wrong and len(self.spans) <= 1

    @property
    def count(self) -> int:
        """The number of readable deltas."""
        return sum(last + 1 - first for first, last in self.spans)

    @property
    def is_cut_short(self) -> bool:
        """Whether only the end is missing: the readable deltas are one span that has a state."""
        before = self.before_damage
        if len(self.spans) != 1 or before is None or not before.heads or self.records_from:
            return False
        first, end = self.spans[0][0], before.end
        return all(first - 1 <= head.seq <= end for head in self.snapshots)

    @property
    def before_damage(self) -> "IntactPart | None":
        """The intact part from the beginning on, or the last snapshot before that part.

        Without any snapshot the state is folded from the first delta, if that is intact.
        """
        if not self.has_names:
            return None
        first, end = self.spans[0] if self.spans else (1, 0)
        end = min(end, self.records_until)
        older = tuple(head for head in self.snapshots if head.seq <= end)
        if older:
            heads = tuple(head for head in older if head.seq >= first - 1)
            return IntactPart(first, end, heads) if heads else IntactPart.only(older)
        is_all = first == 1 and bool(self.spans) and not self.snapshots and self.has_first_record
        return IntactPart(first, end, ()) if is_all else None

    @property
    def behind_damage(self) -> "IntactPart | None":
        """The intact part up to the end, or the newest snapshot."""
        if not self.has_names:
            return None
        first, end = self.spans[-1] if self.spans else (1, 0)
        newest = self.snapshots[-1].seq if self.snapshots else 0
        if newest > end:
            first, end = newest + 1, newest
        known = tuple(head for head in self.snapshots if head.records >= self.records_from)
        heads = tuple(head for head in known if head.seq >= first - 1)
        if heads:
            return IntactPart(first, end, heads)
        return IntactPart.only(known) if known else None


@dataclass(frozen=True, slots=True)
class IntactPart:
    """Deltas without a gap, and the snapshots among them; folding starts at the first of these."""

    first: int
    end: int
    heads: tuple[SnapshotRow, ...]

    @staticmethod
    def only(heads: tuple[SnapshotRow, ...]) -> "IntactPart":
        """Return the newest of some snapshots, without any delta."""
        newest = heads[-1].seq
        return IntactPart(newest + 1, newest, tuple(head for head in heads if head.seq == newest))


@dataclass(frozen=True, slots=True)
class Leftover:
    """The number of frames that SQLite will ignore, and of the commits among them.

    After a kill the last frame may be cut short.
    """

    frames: int
    commits: int
    is_short: bool = False

    @property
    def is_doubtful(self) -> bool:
        """Whether a write reached its commit, so that it may have been acknowledged."""
        return self.commits > 1 or (self.commits == 1 and not self.is_short)


def survey(connection: sqlite3.Connection, thorough: bool = False) -> Survey:
    """Check all deltas, and snapshots until one is intact; all snapshots if `thorough`."""
    wrong: list[str] = []
    spans: list[_Span] = []
    for row in each(connection, SEGMENTS, wrong):
        _extend(spans, row.first, row.last)
    for tail in each(connection, TAIL, wrong):
        _extend(spans, tail.seq, tail.seq)
    if len(spans) > 1:
        wrong.append(f"no deltas from {spans[0][1] + 1} to {spans[1][0] - 1}")
    until, since = _records(connection, wrong)
    heads = tuple(_whole(connection, wrong, thorough))
    if spans and not heads:
        wrong.append("no snapshot can be read")
    newest = max((head.seq for head in heads), default=0)
    first = spans[0][0] if spans else newest + 1
    if heads and heads[0].seq < first - 1:  # retention drops snapshots before their deltas
        wrong.append(f"no deltas from {heads[0].seq + 1} to {first - 1}")
    if spans and newest > spans[-1][1]:
        wrong.append(f"no deltas from {spans[-1][1] + 1} to {newest}")
    has_names, has_first, is_indexed = (
        _has_names(connection, wrong),
        _has_first(connection),
        fits(connection),
    )
    found = (tuple(spans), tuple(wrong), heads, until, since)
    return Survey(*found, has_first, is_indexed, has_names)


def _has_names(connection: sqlite3.Connection, wrong: list[str]) -> bool:
    """Whether the tables of prefixes are intact, which give terms their meaning."""
    try:
        tables_of(connection)
    except (Damaged, *UNREADABLE) as reason:
        wrong.append(str(reason))
        return False
    return True


def _has_first(connection: sqlite3.Connection) -> bool:
    """Whether the first model record is there, or there are none at all."""
    try:
        (first,) = connection.execute("SELECT coalesce(min(id), 1) FROM model").fetchone()
    except UNREADABLE:
        return False
    return bool(first == 1)


def each(connection: sqlite3.Connection, table: Table[_Row], wrong: list[str]) -> Iterator[_Row]:
    """Yield the intact rows in order; if a page between is damaged, read from both ends."""
    done = -1
    try:
        for raw in connection.execute(f"SELECT * FROM {table.name} ORDER BY {table.key}"):
            row = table.row(*raw)
            done = row[0]
            if _is_right(row, wrong):
                yield row
    except UNREADABLE as reason:
        wrong.append(f"{table.name} behind {done}: {reason}")
        yield from reversed(_from_the_end(connection, table, done, wrong))


def _from_the_end(
    connection: sqlite3.Connection, table: Table[_Row], after: int, wrong: list[str]
) -> list[_Row]:
    """Return the intact rows after a damaged page, last one first."""
    asked = f"SELECT * FROM {table.name} WHERE {table.key} > ? ORDER BY {table.key} DESC"
    found: list[_Row] = []
    try:
        for raw in connection.execute(asked, (after,)):
            row = table.row(*raw)
            if _is_right(row, wrong):
                found.append(row)
    except UNREADABLE:
        return found
    return found


def _is_right(row: SegmentRow | TailRow | RecordRow, wrong: list[str]) -> bool:
    try:
        row.checked()
    except (Damaged, TypeError) as reason:
        wrong.append(str(reason))
        return False
    return True


def _extend(spans: list[_Span], first: int, last: int) -> None:
    if spans and spans[-1][1] + 1 == first:
        spans[-1] = (spans[-1][0], last)
    else:
        spans.append((first, last))


def _records(connection: sqlite3.Connection, wrong: list[str]) -> _Span:
    """Return up to which delta, and from which number on, model records are intact."""
    until, since, seq, before = _ALL, 0, 0, None
    try:
        for raw in connection.execute("SELECT * FROM model ORDER BY id"):
            row = RecordRow(*raw)
            is_right = _is_right(row, wrong)
            if before not in (None, row.id - 1) or not is_right:
                wrong.append(f"no record of a model {row.id}, or none before it")
                until, since = min(until, seq), row.id
            seq, before = row.seq if is_right else seq, row.id
    except UNREADABLE as reason:
        wrong.append(f"records of models: {reason}")
        return min(until, seq), _ALL
    return until, since


def records_within(connection: sqlite3.Connection, after: int, until: int) -> Iterator[RecordRow]:
    """Yield the model records after number `after`, up to delta `until` or the first wrong one."""
    done = after
    try:
        for raw in connection.execute("SELECT * FROM model WHERE id > ? ORDER BY id", (after,)):
            row = RecordRow(*raw)
            if row.id != done + 1 or not _is_right(row, []) or row.seq > until:
                return
            done = row.id
            yield row
    except UNREADABLE:
        return


def _whole(
    connection: sqlite3.Connection, wrong: list[str], thorough: bool
) -> Sequence[SnapshotRow]:
    """Return all snapshots, or none if none is intact; only the intact ones if `thorough`."""
    try:
        heads = heads_of(connection)
    except UNREADABLE as reason:
        wrong.append(f"snapshots: {reason}")
        return ()
    if thorough:
        return [head for head in heads if _is_whole(connection, head)]
    is_any = any(_is_whole(connection, head) for head in reversed(heads))
    return heads if is_any else ()


def _is_whole(connection: sqlite3.Connection, head: SnapshotRow) -> bool:
    try:
        return is_whole(head, bodies_of(connection, head))
    except UNREADABLE:
        return False


def leftover(path: Path) -> Leftover:
    """Count the frames of a write-ahead log that SQLite will ignore.

    A log with a damaged header is ignored whole, and counts as two commits.
    """
    data = path.read_bytes() if path.exists() else b""
    if len(data) < _HEADER:
        return Leftover(0, 0)
    magic, _, size, _, salt1, salt2 = struct.unpack_from(">6I", data)
    if magic not in _MAGIC or not 512 <= size <= 65_536:
        return Leftover(len(data) // (4096 + _FRAME_HEADER), 2)
    order = ">" if magic & 1 else "<"
    sums = _sums(order, data[:24], (0, 0))
    if sums != struct.unpack_from(">2I", data, 24):
        return Leftover(len(data) // (size + _FRAME_HEADER), 2)
    return _walk(data, size, order, (salt1, salt2), sums)


def _walk(
    data: bytes, size: int, order: str, salts: tuple[int, int], sums: tuple[int, int]
) -> Leftover:
    """Walk the frames; SQLite ignores the first wrong one and all after it."""
    right, frames, commits = True, 0, 0
    for start in range(_HEADER, len(data), _FRAME_HEADER + size):
        frame = data[start : start + _FRAME_HEADER + size]
        if len(frame) < _FRAME_HEADER:
            break
        _, commit, salt1, salt2, sum1, sum2 = struct.unpack_from(">6I", frame)
        if (salt1, salt2) != salts:
            if right:
                break
            continue
        if right and len(frame) == _FRAME_HEADER + size:
            sums = _sums(order, frame[24:], _sums(order, frame[:8], sums))
            right = sums == (sum1, sum2)
        else:
            right = False
        frames, commits = _count(right, frames, commits, bool(commit))
    is_short = (len(data) - _HEADER) % (_FRAME_HEADER + size) > 0
    return Leftover(frames, commits, is_short)


def _count(right: bool, frames: int, commits: int, commit: bool) -> tuple[int, int]:
    """Count the ignored frames: wrong ones, and right ones of a write without a commit."""
    if right and commit:
        return 0, 0
    return frames + 1, commits + commit


def _sums(order: str, data: bytes, sums: tuple[int, int]) -> tuple[int, int]:
    """Continue SQLite's running checksum (file format, section 4.2) over some words."""
    one, two = sums
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for a, b in zip(words[::2], words[1::2], strict=True):
        one = (one + a + two) & 0xFFFFFFFF
        two = (two + b + one) & 0xFFFFFFFF
    return one, two
