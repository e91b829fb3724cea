"""Upkeep of a journal that goes on: its newest rows are packed, and its oldest dropped.

Nobody who writes or reads waits for more than one step of it. Postings are there before their
segment is and longer than it: readers pass over those that lead nowhere, and a kill between two
steps leaves at most some of those behind.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from typing import Final

from kb_server.core.delta import Delta
from kb_server.journal.codec import encode
from kb_server.journal.database import Database
from kb_server.journal.protocol import JournalSettings
from kb_server.journal.rows import SegmentRow, SnapshotRow, TailRow, put
from kb_server.journal.snapshots import Snapshots
from kb_server.journal.spelling import Fingerprints, Spelling

__all__ = ["Packer", "Retention", "keys_of", "put_segment"]

_MOST_BYTES: Final = 2_000_000
"""A segment is closed early at this size, so that reading from one stays quick."""
_PAGES: Final = 1_000
_POSTINGS: Final = 5_000
"""So many at once, lest a large delta that is packed keep the next one waiting."""
_POST: Final = "INSERT OR IGNORE INTO posting VALUES (?, ?)"
_UNPOST: Final = "DELETE FROM posting WHERE key = ? AND first = ?"


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
            for part in _postings(segment, keys_of(deltas, self._spelling.fingerprints)):
                with self._db.write() as connection:
                    connection.executemany(_POST, part)
            with self._db.write() as connection:
                put(connection, "segment", [segment])
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
            connection.execute("DELETE FROM segment WHERE first = ?", (segment.first,))
        for part in _postings(segment, keys_of(deltas, self._spelling.fingerprints)):
            with self._db.write() as connection:
                connection.executemany(_UNPOST, part)
        return True


def put_segment(connection: sqlite3.Connection, segment: SegmentRow, keys: set[int]) -> None:
    """Keeps a segment and what it mentions, at once."""
    put(connection, "segment", [segment])
    for part in _postings(segment, keys):
        connection.executemany(_POST, part)


def keys_of(deltas: Iterable[Delta], fingerprints: Fingerprints) -> set[int]:
    """What is mentioned: each model, and each term of what became true or ceased in it."""
    keys: set[int] = set()
    mentions: set[tuple[str, int, str]] = set()
    for delta in deltas:
        keys.add(fingerprints.of_model(delta.model))
        mentions.update(_mentions(delta))
    return keys | {fingerprints.of(*mention) for mention in mentions}


def _postings(segment: SegmentRow, keys: set[int]) -> Iterator[list[tuple[int, int]]]:
    rows = [(key, segment.first) for key in sorted(keys)]
    for start in range(0, len(rows), _POSTINGS):
        yield rows[start : start + _POSTINGS]


def _mentions(delta: Delta) -> Iterator[tuple[str, int, str]]:
    for fact in (*delta.became_true, *delta.ceased):
        for place, term in enumerate(fact):
            yield (delta.model, place, term)
