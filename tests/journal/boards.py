"""Boards whose every change is kept in a journal, and what to compare two boards by."""

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final

from kb_server.core.models.board import Board
from kb_server.core.models.delta import ModelDelta
from kb_server.core.models.model import is_visible
from kb_server.core.models.revision import Revision, read_revision
from kb_server.core.reasoning.commonsense import CommonSense
from kb_server.core.terms.statements import write
from kb_server.journal.boards import restore
from kb_server.journal.protocol import JournalSettings
from kb_server.journal.sqlite import SqliteJournal, memory_journal, open_journal
from kb_server.journal.state import Entry, ModelRecord
from tests.events.boards import HOUSE

__all__ = ["SMALL", "Kept", "common_of", "everything", "house", "in_folder", "in_memory"]

SMALL: Final = JournalSettings(durability="off", segment=3, snapshot=5)
"""Packs and snapshots after a few deltas, so that short tests see all of it."""


@cache
def common_of(turtle: str) -> CommonSense:
    return CommonSense([turtle])


def house() -> CommonSense:
    """The small ontology of cats and dogs."""
    return common_of(HOUSE)


def in_folder(folder: Path, settings: JournalSettings = SMALL) -> SqliteJournal:
    return open_journal(folder, house().names, settings)


def in_memory(settings: JournalSettings = SMALL) -> SqliteJournal:
    return memory_journal(house().names, settings)


class Kept:
    """A board, restored from a journal and followed by it; `deltas` are those made here."""

    def __init__(
        self, journal: SqliteJournal, common: CommonSense | None = None, now: float = 0.0
    ) -> None:
        self.journal: Final = journal
        self.board: Final = Board(common or house())
        self.drift: Final = restore(self.board, journal, now)
        self.deltas: Final[list[ModelDelta]] = []

    def revise(
        self,
        *add: str,
        retract: Iterable[str] = (),
        model: str = "myself",
        now: float | None = None,
        ttl: float | None = None,
        source: str | None = None,
        t: float | None = None,
    ) -> ModelDelta:
        """A change that is one, kept; by default at the time of its own number."""
        asked = self.asked(add, retract, ttl, source, t)
        delta = self.board.revise(model, asked, self.board.seq + 1.0 if now is None else now)
        assert delta is not None
        self.keep([delta])
        return delta

    def asked(
        self,
        add: Iterable[str],
        retract: Iterable[str] = (),
        ttl: float | None = None,
        source: str | None = None,
        t: float | None = None,
    ) -> Revision:
        return read_revision(
            self.board.names, add=add, retract=retract, ttl=ttl, source=source, t=t
        )

    def keep(self, entries: Iterable[Entry]) -> None:
        told = list(entries)
        self.journal.append(told)
        self.deltas.extend(entry for entry in told if isinstance(entry, ModelDelta))

    def create(self, name: str, now: float = 0.0) -> None:
        if self.board.create(name):
            self.keep([ModelRecord(self.board.seq, name, True, now)])

    def delete(self, name: str, now: float = 0.0) -> None:
        gone = self.board.delete(name, now)
        self.keep([*gone, ModelRecord(self.board.seq, name, False, now)])

    def expire(self, now: float) -> None:
        self.keep(self.board.expire(now))

    def move(self, times: int) -> None:
        """So many deltas: a cat goes from room to room."""
        for _ in range(times):
            here = f"room{self.board.seq % 4}"
            self.revise(f"tom isIn {here}", retract=["tom isIn *"], source="eyes", t=0.5)


def everything(board: Board) -> object:
    """All answers of a board: numbers, facts, their kinds, lifespans and dates."""
    models = [
        (info, dict(board.model(info.id).assertions), _facts(board, info.id))
        for info in board.models()
    ]
    return board.seq, board.next_due(), models


def _facts(board: Board, name: str) -> object:
    model = board.model(name)
    held = {*model.reasoner.everything(), *model.assertions}
    return {write(f): (model.kind(f), model.since(f)) for f in held if is_visible(f)}
