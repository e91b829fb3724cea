"""Boards made from the journal: the live board at the start, and boards of the past."""

import logging
import threading
from collections import OrderedDict
from typing import Final

from kb_server.core.models.board import Board, BoardSettings
from kb_server.core.models.delta import ModelDelta
from kb_server.core.reasoning.commonsense import CommonSense
from kb_server.journal.protocol import Journal, JournalPosition, PointInTime
from kb_server.journal.state import BEGINNING, ModelState, State, models_of

__all__ = ["PastBoards", "board_at", "restore"]

_log: Final = logging.getLogger(__name__)
_Key = tuple[JournalPosition, tuple[str, ...] | None]


def restore(board: Board, journal: Journal, now: float) -> list[ModelDelta]:
    """Fill a new board with the state of the journal; call it before anything follows the board.

    Assertions that have expired meanwhile are still there: call `board.expire(now)` next. If the
    ontology has changed since, the differences in entailment are appended to the journal as deltas
    and returned. A new journal gets a first snapshot with the models of the board.
    """
    loaded = journal.load()
    if loaded is None:
        models = {model.id: ModelState() for model in board.models()}
        journal.save_snapshot(State(board.seq, BEGINNING, 0, models))
        return []
    state, entries = loaded
    state.fold(entries)
    drift = board.restore(state.seq, models_of(state), now)
    if drift:
        journal.append(drift)
        _log.warning("the ontology has changed: the entailments of %d models differ", len(drift))
    return drift


def board_at(
    journal: Journal,
    common: CommonSense,
    moment: PointInTime,
    models: tuple[str, ...] | None = None,
    settings: BoardSettings | None = None,
) -> Board:
    """Return a read-only board as it was after a moment; `models` limits the facts.

    Inferences are read from the journal. The road not taken is to infer them anew: another
    ontology would entail other facts, and it takes ten times as long. Therefore no fact of such a
    board can be explained.
    """
    return _recalled(journal.state_at(journal.place_at(moment), models), common, settings)


class PastBoards:
    """Boards of the past, in a cache that drops the least recently used.

    Making one takes from milliseconds to a second, so call `at` from a thread. Only one is made at
    a time; other threads wait.
    """

    def __init__(
        self,
        journal: Journal,
        common: CommonSense,
        settings: BoardSettings | None = None,
        most: int = 4,
    ) -> None:
        self._journal: Final = journal
        self._common: Final = common
        self._settings: Final = settings
        self._most: Final = most
        self._boards: Final[OrderedDict[_Key, Board]] = OrderedDict()
        self._lock: Final = threading.Lock()

    def at(self, moment: PointInTime, models: tuple[str, ...] | None = None) -> Board:
        """Return the board after a moment, with the facts of some models, or of all."""
        place = self._journal.place_at(moment)
        key = (place, None if models is None else tuple(sorted(set(models))))
        with self._lock:
            board = self._boards.pop(key, None) or self._made(*key)
            self._boards[key] = board
            while len(self._boards) > self._most:
                self._boards.popitem(last=False)
        return board

    def _made(self, place: JournalPosition, models: tuple[str, ...] | None) -> Board:
        return _recalled(self._journal.state_at(place, models), self._common, self._settings)


def _recalled(state: State, common: CommonSense, settings: BoardSettings | None) -> Board:
    board = Board(common, settings)
    board.recall(state.seq, models_of(state))
    return board
