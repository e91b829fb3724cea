"""Appending to the journal: one transaction a call, one row a delta."""

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from kb_server.core.models.delta import ModelDelta
from kb_server.errors import JournalError, JournalFailed
from kb_server.journal.codec import encode
from kb_server.journal.database import Database
from kb_server.journal.reading import bounds_of, latest_of, records_of
from kb_server.journal.rows import RecordRow, TailRow, put
from kb_server.journal.state import Entry, ModelRecord

__all__ = ["JournalAppender"]


@dataclass(frozen=True, slots=True)
class _End:
    """The last delta, the last model record, and the latest time of both."""

    seq: int
    records: int
    t: float


class JournalAppender:
    """Appends entries to the end of the journal.

    A disk may report an error although it has stored the data. Therefore, after a failure, the end
    is read anew, and entries that are appended again are not stored twice.
    """

    def __init__(self, db: Database, names: int) -> None:
        self._db: Final = db
        self._names: Final = names
        self._doubted: list[Entry] = []
        self._end = self._found()

    @property
    def seq(self) -> int:
        return self._end.seq

    @property
    def t(self) -> float:
        return self._end.t

    def append(self, entries: Sequence[Entry]) -> None:
        """Store some entries in one transaction, with the safety of `Database.quick_write`."""
        rest = self._without_kept(entries)
        if not rest:
            return
        try:
            with self._db.quick_write() as connection:
                end = self._write(connection, rest)
        except JournalError:
            self._doubted = list(rest)
            if self._without_kept(rest):
                raise
            return
        self._end = end

    def _without_kept(self, entries: Sequence[Entry]) -> Sequence[Entry]:
        """Return the entries that are not stored yet; a failed write may have stored some."""
        doubted, before = self._doubted, self._end
        if not doubted:
            return entries
        self._end = self._found()
        self._doubted = []
        is_again = list(entries[: len(doubted)]) == doubted
        return entries[len(doubted) :] if is_again and self._end != before else entries

    def _found(self) -> _End:
        with self._db.read() as connection:
            return _End(bounds_of(connection).last, records_of(connection), latest_of(connection))

    def _write(self, connection: sqlite3.Connection, entries: Iterable[Entry]) -> _End:
        seq, records, t = self._end.seq, self._end.records, self._end.t
        tail: list[TailRow] = []
        made: list[RecordRow] = []
        for entry in entries:
            t = max(t, float(entry.t))
            if isinstance(entry, ModelRecord):
                _must_follow(entry.seq, seq, "a model's record after")
                records += 1
                made.append(RecordRow.of(records, seq, t, entry.model, entry.exists))
            else:
                _must_follow(entry.seq, seq + 1, "delta")
                seq += 1
                tail.append(self._row(entry, t))
        put(connection, "tail", tail)
        put(connection, "model", made)
        return _End(seq, records, t)

    def _row(self, delta: ModelDelta, t: float) -> TailRow:
        return TailRow.of(delta.seq, t, self._names, encode(delta).encode())


def _must_follow(seq: int, expected: int, what: str) -> None:
    if seq != expected:
        raise JournalFailed(f"{what} {seq} is out of order: {expected} must come next", seq=seq)
