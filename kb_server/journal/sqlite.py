"""The journal in SQLite: in a folder, or in memory until the process ends."""

import logging
import threading
from collections.abc import Iterator, Sequence
from heapq import merge
from pathlib import Path
from typing import Final

from kb_server.core.models.delta import ModelDelta
from kb_server.core.terms.terms import Names
from kb_server.errors import Damaged, JournalFailed, TooOld
from kb_server.journal.appender import JournalAppender
from kb_server.journal.database import Database
from kb_server.journal.folder import FILE, FolderLock
from kb_server.journal.history import Historian
from kb_server.journal.protocol import (
    Happened,
    Health,
    JournalPosition,
    JournalSettings,
    PointInTime,
)
from kb_server.journal.reading import Reader
from kb_server.journal.recovery import mend
from kb_server.journal.rows import SnapshotRow
from kb_server.journal.snapshots import Snapshots
from kb_server.journal.spelling import Spelling
from kb_server.journal.state import Entry, State
from kb_server.journal.upkeep import Packer, Retention

__all__ = ["SqliteJournal", "memory_journal", "open_journal"]

_log: Final = logging.getLogger(__name__)
_PER_FACT: Final = 4
"""Facts written to a snapshot in the time of one delta; bounds the cost of snapshots by that of
the deltas between them."""
_AGES: Final = 4
"""Snapshots within the age that retention keeps, as long as deltas come."""
_SIZES: Final = 4
"""Snapshots within the size that retention keeps, so that dropping up to one leaves history."""
_IN_MEMORY: Final = JournalSettings(durability="off", size=2**26)


class SqliteJournal:
    """A journal of one SQLite file; its methods are documented in `protocol.Journal`."""

    def __init__(
        self, db: Database, names: Names, settings: JournalSettings, lock: FolderLock | None = None
    ) -> None:
        self.db: Final = db
        self.settings: Final = settings
        self._lock: Final = lock
        self._maintaining: Final = threading.Lock()
        self._spelling: Final = Spelling(db, names)
        self._reader: Final = Reader(db, self._spelling)
        self._historian: Final = Historian(db, self._spelling, self._reader)
        self._snapshots: Final = Snapshots(db, self._spelling)
        self._packer: Final = Packer(db, self._spelling, settings.segment)
        self._retention: Final = Retention(db, self._spelling, self._snapshots, settings)
        self._writer: Final = JournalAppender(db, self._spelling.now)
        self._maintained = self._writer.seq

    @property
    def last_seq(self) -> int:
        return self._writer.seq

    @property
    def last_t(self) -> float:
        return self._writer.t

    @property
    def oldest_seq(self) -> int:
        return self._reader.bounds().oldest

    @property
    def is_free(self) -> bool:
        return self.db.is_free()

    @property
    def is_due(self) -> bool:
        return self.last_seq - self._maintained >= self.settings.segment

    def append(self, entries: Sequence[Entry]) -> None:
        self._writer.append(entries)

    def secure(self) -> None:
        self.db.secure()

    def deltas(
        self, after_seq: int, until_seq: int | None = None, model: str | None = None
    ) -> Iterator[ModelDelta]:
        if model is None:
            return self._reader.deltas(after_seq, until_seq)
        last = self._reader.reach(after_seq + 1).last
        end = last if until_seq is None else min(until_seq, last)
        return self._historian.deltas(model, after_seq, end)

    def history(
        self,
        model: str,
        s: str | None = None,
        p: str | None = None,
        o: str | None = None,
        *,
        since: PointInTime | None = None,
        until: PointInTime | None = None,
    ) -> Iterator[Happened]:
        return self._historian.history(model, (s, p, o), since, until)

    def place_at(self, moment: PointInTime) -> JournalPosition:
        return self._reader.place_at(moment)

    def save_snapshot(self, state: State) -> None:
        self._snapshots.save(state)

    def load(self) -> tuple[State, Iterator[Entry]] | None:
        state = self._newest_state(self._snapshots.heads())
        if state is not None:
            return state, self._entries(state)
        if self._snapshots.heads() or self.last_seq:
            raise Damaged(
                "the journal has no readable snapshot, so its deltas can't be folded; start again "
                "to see what can be done",
                last=self.last_seq,
            )
        return None

    def state_at(self, place: JournalPosition, models: Sequence[str] | None = None) -> State:
        only = None if models is None else frozenset(models)
        heads = self._snapshots.heads()
        before = [h for h in heads if h.seq <= place.seq and h.records <= place.records]
        if not before:
            raise TooOld(f"the state after delta {place.seq} is dropped", seq=place.seq)
        state = self._newest_state(before, only)
        if state is None:
            raise Damaged(f"no snapshot before delta {place.seq} can be read")
        return state.fold(self._entries(state, place))

    def maintain(self, now: float) -> None:
        with self._maintaining:
            self._maintained = self.last_seq
            heads = self._snapshots.heads()
            newest = heads[-1] if heads else None
            is_aged = newest is not None and self._is_aged(newest, now)
            self._packer.pack(everything=is_aged)
            is_large = newest is not None and self._is_large(newest)
            if is_aged or is_large or self._has_grown(newest, self.settings.snapshot):
                self._snapshot()
            self._retention.drop(now)

    def snapshot(self) -> None:
        """Save a snapshot of the present state, so that the next start need not fold deltas."""
        with self._maintaining:
            self._snapshot()

    def health(self) -> Health:
        bounds = self._reader.bounds()
        heads = tuple(head.seq for head in self._snapshots.heads())
        return Health(bounds.oldest, bounds.last, heads, self.db.used())

    def close(self) -> None:
        self.db.close()
        if self._lock is not None:
            self._lock.release()

    def _is_aged(self, newest: SnapshotRow, now: float) -> bool:
        age = self.settings.age
        return age is not None and newest.t <= now - age / _AGES and self.last_seq > newest.seq

    def _is_large(self, newest: SnapshotRow) -> bool:
        """Whether the deltas since a snapshot fill a quarter of the size limit, and enough came."""
        size = self.settings.size
        return (
            size is not None
            and self._has_grown(newest, self.settings.segment)
            and self._reader.size_after(newest.seq) >= size / _SIZES
        )

    def _has_grown(self, newest: SnapshotRow | None, least: int) -> bool:
        seq, facts = (newest.seq, newest.facts) if newest else (0, 0)
        return self.last_seq - seq >= max(least, facts // _PER_FACT)

    def _snapshot(self) -> None:
        loaded = self.load()
        if loaded is not None:
            state, entries = loaded
            self.save_snapshot(state.fold(entries))

    def _newest_state(
        self, heads: Sequence[SnapshotRow], only: frozenset[str] | None = None
    ) -> State | None:
        """Return the state of the newest snapshot that can be read; None if none can."""
        for head in reversed(heads):
            try:
                return self._snapshots.read(head, only)
            except Damaged as reason:
                _log.warning("%s; trying the snapshot before", reason.message)
        return None

    def _entries(self, state: State, until: JournalPosition | None = None) -> Iterator[Entry]:
        """Yield the entries after a state; each model record stands after the delta it follows."""
        end = until or self._reader.end()
        records = self._reader.records(state.records, end.records)
        deltas = self._reader.deltas(state.seq, end.seq)
        return merge(deltas, records, key=lambda entry: entry.seq)


def open_journal(
    folder: Path, names: Names, settings: JournalSettings | None = None
) -> SqliteJournal:
    """Open the journal of a folder, or begin one.

    Locked if another server uses the folder. A damaged end is cut off and a warning logged.
    Other damage raises Damaged, whose message lists the ways out.
    """
    chosen = settings or JournalSettings()
    lock = FolderLock(folder)
    try:
        mend(lock.folder, chosen.durability)
        return _opened(lock, names, chosen)
    except OSError as reason:
        lock.release()
        raise JournalFailed(f"the folder {folder} can't be used: {reason}") from reason
    except BaseException:
        lock.release()
        raise


def _opened(lock: FolderLock, names: Names, settings: JournalSettings) -> SqliteJournal:
    db = Database(lock.folder / FILE, settings.durability)
    try:
        return SqliteJournal(db, names, settings, lock)
    except BaseException:
        db.close()
        raise


def memory_journal(names: Names, settings: JournalSettings = _IN_MEMORY) -> SqliteJournal:
    """Return a journal in memory, which ends with the process; by default it keeps 64 MB."""
    return SqliteJournal(Database(None, "off"), names, settings)
