"""Upkeep of a journal that goes on: its newest rows are packed, and its oldest dropped.

Nobody who writes or reads waits for more than one step of it. A kill between two steps leaves at
most some postings behind that lead nowhere.
"""

from typing import Final

from kb_server.core.models.delta import Delta
from kb_server.journal.codec import encode
from kb_server.journal.database import Database
from kb_server.journal.postings import keys_of, post, put_segment, rows_of, take_segment, unpost
from kb_server.journal.protocol import JournalSettings
from kb_server.journal.rows import SegmentRow, SnapshotRow, TailRow
from kb_server.journal.snapshots import Snapshots
from kb_server.journal.spelling import Spelling

__all__ = ["Packer", "Retention"]

_MOST_BYTES: Final = 2_000_000
"""A segment is closed early at this size, so that reading from one stays quick."""
_PAGES: Final = 1_000


class Packer:
    """Keeps the tail short: its oldest rows become a segment, with what is mentioned where."""

    def __init__(self, db: Database, spelling: Spelling, size: int) -> None:
        self._db: Final = db
        self._spelling: Final = spelling
        self._size: Final = size

    def pack(self, everything: bool = False) -> None:
        """Packs all full segments' worth of deltas; with `everything`, the rest as well."""
        while rows := self._oldest(everything):
            deltas = [self._spelling.tail(row) for row in rows]
            lines = [self._line(row, delta) for row, delta in zip(rows, deltas, strict=True)]
            segment = SegmentRow.of(rows[0], rows[-1], self._spelling.now, lines)
            keys = keys_of(deltas, self._spelling.fingerprints)
            for part in rows_of(segment, keys):
                with self._db.write() as connection:
                    post(connection, part)
            with self._db.write() as connection:
                put_segment(connection, segment, keys)
                connection.execute("DELETE FROM tail WHERE seq <= ?", (segment.last,))

    def _oldest(self, everything: bool) -> list[TailRow]:
        """The rows of the next segment; none when there are too few yet."""
        asked = "SELECT * FROM tail ORDER BY seq LIMIT ?"
        rows: list[TailRow] = []
        size = 0
        with self._db.read() as connection:
            for raw in connection.execute(asked, (self._size,)):
                rows.append(TailRow(*raw))
                size += len(rows[-1].body)
                if size >= _MOST_BYTES:
                    return rows
        return rows if everything or len(rows) == self._size else []

    def _line(self, row: TailRow, delta: Delta) -> bytes:
        return row.body if row.names == self._spelling.now else encode(delta).encode()


class Retention:
    """Drops from the old end; the newest snapshot and what came after it always stay.

    Snapshots go first: what is left of the deltas before the oldest one can still be read, but is
    no state any more.
    """

    def __init__(
        self, db: Database, spelling: Spelling, snapshots: Snapshots, settings: JournalSettings
    ) -> None:
        self._db: Final = db
        self._spelling: Final = spelling
        self._snapshots: Final = snapshots
        self._settings: Final = settings

    def drop(self, now: float) -> None:
        """Drops what the settings do not keep."""
        age, size = self._settings.age, self._settings.size
        heads = self._snapshots.heads()
        old = [] if age is None else [head for head in heads if head.t <= now - age]
        if old:
            self._drop_before(old[-1])
        for head in heads[1:]:
            if size is None or self._db.used() <= size:
                break
            self._drop_before(head)
        self._db.shrink(_PAGES)

    def _drop_before(self, head: SnapshotRow) -> None:
        """Makes one snapshot the oldest, and drops the segments that end before it."""
        older = [(h.id,) for h in self._snapshots.heads() if h[1:4:2] < head[1:4:2]]
        with self._db.write() as connection:
            connection.executemany("DELETE FROM snapshot_part WHERE snapshot = ?", older)
            connection.executemany("DELETE FROM snapshot WHERE id = ?", older)
            connection.execute("DELETE FROM model WHERE id <= ?", (head.records,))
        while self._drop_oldest(head.seq):
            continue

    def _drop_oldest(self, seq: int) -> bool:
        """Drops the oldest segment if it ends by then; False when none is left to drop."""
        with self._db.read() as connection:
            asked = "SELECT * FROM segment WHERE last <= ? ORDER BY first LIMIT 1"
            row = connection.execute(asked, (seq,)).fetchone()
        if row is None:
            return False
        segment = SegmentRow(*row)
        deltas = self._spelling.segment(segment, segment.first - 1, segment.last)
        with self._db.write() as connection:
            take_segment(connection, segment)
        for part in rows_of(segment, keys_of(deltas, self._spelling.fingerprints)):
            with self._db.write() as connection:
                unpost(connection, part)
        return True
