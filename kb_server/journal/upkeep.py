"""The upkeep of a journal in use: rows of the tail are packed, and the oldest history is dropped.

The work is done in short steps, a transaction each, so writers and readers wait for one step at
most. A kill between two steps leaves behind at most some postings without a segment.
"""

from typing import Final

from kb_server.core.models.delta import ModelDelta
from kb_server.journal.codec import encode
from kb_server.journal.database import Database
from kb_server.journal.postings import keys_of, post, put_segment, rows_of, take_segment, unpost
from kb_server.journal.protocol import JournalSettings
from kb_server.journal.rows import SegmentRow, SnapshotRow, TailRow
from kb_server.journal.snapshots import Snapshots
from kb_server.journal.spelling import Spelling

__all__ = ["Packer", "Retention"]

_MOST_BYTES: Final = 2_000_000
"""A segment is closed early at this size, so that unpacking one stays quick."""
_PAGES: Final = 1_000
"""Free pages returned to the disk in one step."""


class Packer:
    """Keeps the tail short: packs its oldest rows into segments, and writes their postings."""

    def __init__(self, db: Database, spelling: Spelling, size: int) -> None:
        self._db: Final = db
        self._spelling: Final = spelling
        self._size: Final = size

    def pack(self, everything: bool = False) -> None:
        """Pack all full segments; with `everything`, the remaining rows as well."""
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
        """Return the rows of the next segment; none if there are too few yet."""
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

    def _line(self, row: TailRow, delta: ModelDelta) -> bytes:
        return row.body if row.names == self._spelling.now else encode(delta).encode()


class Retention:
    """Drops the oldest history; the newest snapshot and the deltas after it always stay.

    Snapshots are dropped first. Deltas that remain before the oldest snapshot can still be read,
    but the state at that time is no longer known.
    """

    def __init__(
        self, db: Database, spelling: Spelling, snapshots: Snapshots, settings: JournalSettings
    ) -> None:
        self._db: Final = db
        self._spelling: Final = spelling
        self._snapshots: Final = snapshots
        self._settings: Final = settings

    def drop(self, now: float) -> None:
        """Drop the history that is older or larger than the settings allow."""
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
        """Make one snapshot the oldest, and drop the segments that end before it."""
        older = [(h.id,) for h in self._snapshots.heads() if h[1:4:2] < head[1:4:2]]
        with self._db.write() as connection:
            connection.executemany("DELETE FROM snapshot_part WHERE snapshot = ?", older)
            connection.executemany("DELETE FROM snapshot WHERE id = ?", older)
            connection.execute("DELETE FROM model WHERE id <= ?", (head.records,))
        while self._drop_oldest(head.seq):
            continue

    def _drop_oldest(self, seq: int) -> bool:
        """Drop the oldest segment if it ends by delta `seq`; return False if none does."""
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
