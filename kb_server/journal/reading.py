"""Reading deltas in order, from segments and the tail, while other threads write and drop."""

import sqlite3
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from kb_server.core.models.delta import ModelDelta
from kb_server.errors import BadRequest, Damaged, TooOld
from kb_server.journal.database import Database
from kb_server.journal.protocol import AtSeq, JournalPosition, PointInTime
from kb_server.journal.rows import RecordRow, SegmentRow, TailRow
from kb_server.journal.spelling import Spelling
from kb_server.journal.state import BEGINNING, ModelRecord

__all__ = ["Bounds", "Reader", "bounds_of", "latest_of", "reach", "records_of"]

_PAGE: Final = 500
"""Rows of the tail that are read in one transaction."""
_NO_END: Final = 2**62
"""A number greater than any `seq`."""

_SEGMENT_AFTER: Final = """
SELECT * FROM segment WHERE last > ?1 AND first <= ?2
  AND first >= (SELECT coalesce(max(first), 0) FROM segment WHERE first <= ?1 + 1)
ORDER BY first LIMIT 1"""
_TAIL_AFTER: Final = "SELECT * FROM tail WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?"
_SIZE_AFTER: Final = """
SELECT (SELECT coalesce(sum(length(body)), 0) FROM segment WHERE last > ?1)
+ (SELECT coalesce(sum(length(body)), 0) FROM tail WHERE seq > ?1)"""
_OLDEST: Final = "SELECT seq, records, t FROM snapshot ORDER BY seq, records, id LIMIT 1"


class Bounds(NamedTuple):
    """The oldest stored delta, the newest, and the newest before the tail (packed or dropped)."""

    oldest: int
    last: int
    packed: int


class Reader:
    """Reads deltas and model records by position."""

    def __init__(self, db: Database, spelling: Spelling) -> None:
        self._db: Final = db
        self._spelling: Final = spelling

    def bounds(self) -> Bounds:
        with self._db.read() as connection:
            return bounds_of(connection)

    def reach(self, seq: int) -> Bounds:
        """Return the bounds; TooOld if delta `seq` is dropped."""
        with self._db.read() as connection:
            return reach(connection, seq)

    def size_after(self, seq: int) -> int:
        """Return the bytes of the rows that hold the deltas after one; segments count whole."""
        with self._db.read() as connection:
            (size,) = connection.execute(_SIZE_AFTER, (seq,)).fetchone()
        return int(size)

    def end(self) -> JournalPosition:
        """Return the position of the journal's end."""
        with self._db.read() as connection:
            return JournalPosition(bounds_of(connection).last, records_of(connection))

    def deltas(
        self, after: int, until: int | None = None, needles: Sequence[bytes] = ()
    ) -> Iterator[ModelDelta]:
        """Yield the deltas after one; with needles, at least those whose line contains them all."""
        position, end = after, _NO_END if until is None else until
        while position < end:
            found = self._page(position, end)
            if not found:
                return
            if isinstance(found, SegmentRow):
                yield from self._spelling.segment(found, position, end, *needles)
                position = found.last
            else:
                yield from map(self._spelling.tail, found)
                position = found[-1].seq

    def records(self, after: int, until: int | None = None) -> list[ModelRecord]:
        """Return the model records after number `after`, up to number `until`."""
        with self._db.read() as connection:
            if after < _oldest(connection).records:
                raise TooOld("the journal has dropped what is being read")
            rows = connection.execute(
                "SELECT * FROM model WHERE id > ? AND id <= ? ORDER BY id",
                (after, _NO_END if until is None else until),
            ).fetchall()
        return [_record(RecordRow(*row).checked()) for row in rows]

    def place_at(self, moment: PointInTime) -> JournalPosition:
        """Return the position of a moment; BadRequest for a future delta, TooOld if dropped."""
        with self._db.read() as connection:
            bounds, oldest = bounds_of(connection), _oldest(connection)
            if isinstance(moment, AtSeq):
                if not 0 <= moment.seq <= bounds.last:
                    raise BadRequest(
                        f"there is no delta {moment.seq}; the last one is {bounds.last}", field="at"
                    )
                place = JournalPosition(moment.seq, records_of(connection, "seq <= ?", moment.seq))
                is_kept = moment.seq >= oldest.seq
            else:
                place = JournalPosition(
                    self.last_until(moment.t), records_of(connection, "t <= ?", moment.t)
                )
                is_kept = moment.t >= oldest.t
        if not is_kept:
            raise TooOld(
                f"the journal knows the state from delta {oldest.seq} on; before is dropped",
                oldest=oldest.seq,
            )
        return place

    def last_at(self, moment: PointInTime) -> int:
        """Return the last delta up to a moment; TooOld if that delta may have been dropped.

        Unlike `place_at` it needs no state: deltas before the oldest snapshot count as stored.
        """
        with self._db.read() as connection:
            bounds, oldest = bounds_of(connection), _oldest(connection)
            if isinstance(moment, AtSeq):
                last, is_kept = min(moment.seq, bounds.last), moment.seq >= bounds.oldest
            else:
                last = self.last_until(moment.t)
                is_kept = last >= bounds.oldest or moment.t >= oldest.t
        if bounds.oldest > 1 and not is_kept:
            raise _dropped(bounds.oldest)
        return last

    def first_since(self, moment: PointInTime) -> int:
        """Return the first delta from a moment on; TooOld if it may have been dropped."""
        with self._db.read() as connection:
            bounds, oldest = bounds_of(connection), _oldest(connection)
            if isinstance(moment, AtSeq):
                first, is_kept = max(1, moment.seq), moment.seq >= bounds.oldest
            else:
                first = self.last_until(moment.t, before=True) + 1
                is_kept = first > bounds.oldest or moment.t > oldest.t
        if bounds.oldest > 1 and not is_kept:
            raise _dropped(bounds.oldest)
        return first

    def last_until(self, t: float, before: bool = False) -> int:
        """Return the last delta up to a time, or `before` it; oldest − 1 if there is none."""
        than = "<" if before else "<="
        with self._db.read() as connection:
            asked = f"SELECT max(seq) FROM tail WHERE t {than} ?"
            (newest,) = connection.execute(asked, (t,)).fetchone()
            if newest is not None:
                return int(newest)
            asked = f"SELECT * FROM segment WHERE t {than} ? ORDER BY first DESC LIMIT 1"
            row = connection.execute(asked, (t,)).fetchone()
            if row is None:
                return bounds_of(connection).oldest - 1
        return self._within(SegmentRow(*row), t, before)

    def _within(self, segment: SegmentRow, t: float, before: bool) -> int:
        """Do the same within one segment, whose first delta is early enough."""
        if segment.end < t or (segment.end == t and not before):
            return segment.last
        latest = segment.t
        for delta in self._spelling.segment(segment, segment.first - 1, segment.last):
            latest = max(latest, delta.t)
            if latest > t or (latest == t and before):
                return delta.seq - 1
        return segment.last

    def _page(self, position: int, end: int) -> SegmentRow | list[TailRow] | None:
        """Return what follows a position without a gap: a segment, or some rows of the tail."""
        with self._db.read() as connection:
            reach(connection, position + 1)
            row = connection.execute(_SEGMENT_AFTER, (position, end)).fetchone()
            tail = [] if row else connection.execute(_TAIL_AFTER, (position, end, _PAGE)).fetchall()
        segment = SegmentRow(*row) if row else None
        rows = [TailRow(*each) for each in tail]
        first = segment.first if segment else rows[0].seq if rows else position + 1
        if first > position + 1:
            raise Damaged(f"the journal's deltas before {first} are missing", seq=first)
        return segment or rows


class _Oldest(NamedTuple):
    """The oldest snapshot, which is the oldest known state."""

    seq: int
    records: int
    t: float


def bounds_of(connection: sqlite3.Connection) -> Bounds:
    """Return the oldest and the newest delta, read from the tables."""
    packed = connection.execute("SELECT last FROM segment ORDER BY first DESC LIMIT 1").fetchone()
    first = connection.execute("SELECT first FROM segment ORDER BY first LIMIT 1").fetchone()
    start, end = connection.execute("SELECT min(seq), max(seq) FROM tail").fetchone()
    (kept,) = connection.execute("SELECT coalesce(max(seq), 0) FROM snapshot").fetchone()
    newest = packed[0] if packed else start - 1 if start else kept  # a snapshot may lie in the tail
    oldest = first[0] if first else newest + 1
    return Bounds(int(oldest), int(end or newest), int(newest))


def reach(connection: sqlite3.Connection, seq: int) -> Bounds:
    """Return the bounds; TooOld if delta `seq` is dropped."""
    bounds = bounds_of(connection)
    if seq < bounds.oldest:
        raise _dropped(bounds.oldest)
    return bounds


def _dropped(oldest: int) -> TooOld:
    return TooOld(f"the journal goes back to delta {oldest}; before is dropped", oldest=oldest)


def records_of(connection: sqlite3.Connection, where: str = "?", value: float = 1) -> int:
    """Return the number of the last model record that meets a condition."""
    asked = f"SELECT id FROM model WHERE {where} ORDER BY id DESC LIMIT 1"
    row = connection.execute(asked, (value,)).fetchone()
    return int(row[0]) if row else _oldest(connection).records


def latest_of(connection: sqlite3.Connection) -> float:
    """Return the latest stored time."""
    asked = """SELECT max(t) FROM (
        SELECT max(t) AS t FROM tail UNION ALL SELECT max(t) FROM snapshot
        UNION ALL SELECT max(t) FROM model
        UNION ALL SELECT end FROM segment WHERE first = (SELECT max(first) FROM segment))"""
    (latest,) = connection.execute(asked).fetchone()
    return BEGINNING if latest is None else float(latest)


def _oldest(connection: sqlite3.Connection) -> _Oldest:
    row = connection.execute(_OLDEST).fetchone()
    return _Oldest(*row) if row else _Oldest(0, 0, BEGINNING)


def _record(row: RecordRow) -> ModelRecord:
    return ModelRecord(row.seq, row.name, bool(row.made), row.t)
