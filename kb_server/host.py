"""One board with its journal, its clock and its past, shared by the server and the local board.

Entries that the journal does not have yet are in `unkept`. The owner of the host decides when they
are written: the service writes them in a thread and answers afterwards, the in-process board
writes them at once. Only `past` and `journal` may be used from several threads.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

from kb_server.core.models.board import Board, BoardSettings
from kb_server.core.models.delta import ModelDelta
from kb_server.core.models.revision import Revision
from kb_server.core.reasoning.commonsense import CommonSense
from kb_server.core.terms.terms import shown
from kb_server.errors import BadRequest
from kb_server.journal.boards import PastBoards, restore
from kb_server.journal.identity import identity_of
from kb_server.journal.protocol import (
    AtSeq,
    AtTime,
    Happened,
    Journal,
    JournalSettings,
    PointInTime,
)
from kb_server.journal.sqlite import memory_journal, open_journal
from kb_server.journal.state import BEGINNING, Entry, ModelRecord
from kb_server.wire.times import read_time

__all__ = ["Host"]

_DIGITS: Final = 18
"""Digits of a `seq`, so that it fits into 64 bits; longer numbers are no `seq`."""


class Host:
    """A board that continues from the end of its journal; without a folder nothing is stored."""

    def __init__(
        self,
        common: CommonSense,
        folder: Path | None = None,
        settings: BoardSettings | None = None,
        journal_settings: JournalSettings | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.common: Final = common
        self.names: Final = common.names
        self.folder: Final = folder
        self.journal: Final[Journal] = (
            open_journal(folder, common.names, journal_settings)
            if folder is not None
            else memory_journal(common.names)
        )
        self.identity: Final = identity_of(folder)
        """The identity of the board, so that a returning client recognises the same board."""
        self._clock: Final = clock
        self._latest = max(0.0, self.journal.last_t)
        self.board: Final = Board(common, settings)
        self.past: Final = PastBoards(self.journal, common, settings)
        self.unkept: list[Entry] = []
        self._together: list[Entry] | None = None
        self.begun: Final = BEGINNING if self.journal.last_t == BEGINNING else self.now()
        """Since when this process knows what the journal does not store; always, on a new board."""
        try:
            restore(self.board, self.journal, self.now())
        except BaseException:
            self.journal.close()
            raise
        self.board.on_delta.append(self.unkept_by)

    def now(self) -> float:
        """The board's time: that of the clock, rounded to microseconds; it never runs backwards."""
        self._latest = max(self._latest, round(self._clock(), 6))
        return self._latest

    def unkept_by(self, delta: ModelDelta) -> None:
        """Queue a delta of the board for the journal."""
        (self.unkept if self._together is None else self._together).append(delta)

    def keep(self) -> None:
        """Write `unkept` to the journal; after JournalFailed it is unchanged, for another try."""
        if self.unkept:
            self.journal.append(self.unkept)
            self.unkept = []
        self.journal.secure()

    def revise(self, model: str, revision: Revision) -> ModelDelta | None:
        return self.board.revise(model, revision, self.now())

    def revise_all(self, revisions: Mapping[str, Revision]) -> list[ModelDelta]:
        """Change several models, all of them or none, even if the server is killed.

        The deltas are queued in one step because the journal may be writing `unkept` meanwhile.
        """
        together: list[Entry] = []
        self._together = together
        try:
            return self.board.revise_all(revisions, self.now())
        finally:
            self._together = None
            self.unkept += together

    def create(self, model: str) -> bool:
        """Create a model; return False if it exists already."""
        made = self.board.create(model)
        if made:
            self.unkept.append(ModelRecord(self.board.seq, model, True, self.now()))
        return made

    def delete(self, model: str) -> list[ModelDelta]:
        """Delete a model and the models nested in it."""
        now = self.now()
        deltas = self.board.delete(model, now)
        self.unkept.append(ModelRecord(self.board.seq, model, False, now))
        return deltas

    def expire(self) -> list[ModelDelta]:
        """Withdraw the assertions whose lifespan has ended."""
        return self.board.expire(self.now())

    def at(self, text: str | int | None, models: tuple[str, ...] | None = None) -> Board:
        """Return the board at a moment of the past, or the present board for None.

        `models` limits the facts to those of some models. Call `keep` before: the past is read
        from the journal, which takes from milliseconds to a second.
        """
        if text is None:
            return self.board
        return self.past.at(self.moment(text), models)

    def moment(self, text: str | int) -> PointInTime:
        """Read a moment, a `seq` or an ISO time; BadRequest if it lies in the future."""
        moment = self._read_moment(text, "at")
        if self._is_to_come(moment):
            raise BadRequest(f"at must not lie in the future: {shown(str(text))}", field="at")
        return moment

    def time_of(self, text: str | int) -> float:
        """Return the time of a moment; that of a `seq` is read from its delta in the journal."""
        moment = self.moment(text)
        if isinstance(moment, AtTime):
            return moment.t
        if moment.seq == 0:
            return BEGINNING
        delta = next(iter(self.journal.deltas(max(0, moment.seq - 1), moment.seq)), None)
        if delta is None:
            raise BadRequest(f"there is no delta {moment.seq}", field="at")
        return delta.t

    def history(
        self,
        model: str,
        s: str | None,
        p: str | None,
        o: str | None,
        since: str | None,
        until: str | None,
    ) -> Iterator[Happened]:
        """Yield the history of a model, oldest first, reading the journal page by page."""
        begin = None if since is None else self._read_moment(since, "since")
        end = None if until is None else self._read_moment(until, "until")
        if begin is not None and self._is_to_come(begin):
            return iter(())
        end = None if end is None or self._is_to_come(end) else end
        return self.journal.history(model, s, p, o, since=begin, until=end)

    def has_all(self, since: str | None) -> bool:
        """Return whether a history read from `since` is complete.

        Call it after reading, because retention may drop deltas meanwhile.
        """
        return since is not None or self.journal.oldest_seq <= 1

    def close(self) -> None:
        self.keep()
        self.journal.close()

    def _is_to_come(self, moment: PointInTime) -> bool:
        if isinstance(moment, AtSeq):
            return moment.seq > self.board.seq
        return moment.t > self.now()

    def _read_moment(self, text: str | int, field: str) -> PointInTime:
        digits = str(text)
        if digits.isascii() and digits.isdigit() and len(digits) <= _DIGITS:
            return AtSeq(int(digits))
        return AtTime(read_time(digits, field))
