"""The stage as a server has it: who attends is told what is shown, and which models there are.

A name that changes faster than somebody reads is told at its newest: what waits for each attender
are names, whose values are looked up when their turn comes, so many slow readers cost little. Much
at once goes out in several frames, for no frame is to hold up all others while it is written.
"""

from collections.abc import Callable, Mapping
from typing import Final

from kb_server.answering.staging import Staged
from kb_server.core.models.blackboard import Blackboard
from kb_server.errors import TooLarge
from kb_server.service.access import Access
from kb_server.service.delivery.outbox import Outbox
from kb_server.wire.events import models_frame, stage_frame

__all__ = ["Attender", "Stage"]

_FRAME: Final = 2**18
"""So many characters of values go out in one frame, and the one that goes beyond."""


class Attender:
    """One who attends: what it was not told yet it is told soon, at its newest."""

    def __init__(
        self, staged: Staged, models: Callable[[], list[str]], outbox: Outbox, access: Access
    ) -> None:
        self._staged: Final = staged
        self._models: Final = models
        self._outbox: Final = outbox
        self._access: Final = access
        self._untold: Final[dict[str, dict[str, None]]] = {}
        self._known: list[str] | None = None
        self._is_told_models = False

    def hear(self, source: str, names: Mapping[str, object] | tuple[str, ...]) -> None:
        """Something changes under some names of a source."""
        is_waiting = bool(self._untold)
        if names:
            self._untold.setdefault(source, {}).update(dict.fromkeys(names))
        if self._untold and not is_waiting:
            self._outbox.put_late(self._told)

    def hear_models(self) -> None:
        """There may be other models than it knows of."""
        models = self._reached()
        if models != self._known and not self._is_told_models:
            self._is_told_models = True
            self._outbox.put_late(self._told_models)

    def _reached(self) -> list[str]:
        return [model for model in self._models() if self._access.reaches(model)]

    def _told(self) -> str:
        source, untold = next(iter(self._untold.items()))
        now, size = [], 0
        while untold and size < _FRAME:
            name = next(iter(untold))
            del untold[name]
            now.append(name)
            size += len(self._staged.text(source, name) or "")
        if not untold:
            del self._untold[source]
        if self._untold:
            self._outbox.put_late(self._told)
        return stage_frame(source, self._staged.told(source, now))

    def _told_models(self) -> str:
        self._is_told_models = False
        self._known = self._reached()
        return models_frame(self._known)


class Stage:
    """All that is staged, and who attends; bounded in bytes and in names."""

    def __init__(self, board: Blackboard, most_bytes: int, most_names: int) -> None:
        self._board: Final = board
        self._most_bytes: Final = most_bytes
        self._most_names: Final = most_names
        self._staged: Final = Staged()
        self._models: list[str] = []
        self._attenders: Final[dict[Attender, None]] = {}

    def attend(self, outbox: Outbox, access: Access) -> Attender:
        """Begins to tell an outbox: which models there are, what is shown, and what changes."""
        self._models = list(self._board.minds)
        attender = Attender(self._staged, lambda: self._models, outbox, access)
        self._attenders[attender] = None
        attender.hear_models()
        for source in self._staged.sources:
            attender.hear(source, self._staged.names_of(source))
        return attender

    def leave(self, attender: Attender) -> None:
        self._attenders.pop(attender, None)

    def show(self, source: str, shows: Mapping[str, str | None]) -> None:
        """Takes what a source shows and passes it on; TooLarge when it finds no room."""
        size, names = measured = self._staged.measured(source, shows)
        if size > self._most_bytes and size > self._staged.bytes:
            raise TooLarge(
                f"the stage holds at most {self._most_bytes} bytes", allowed=self._most_bytes
            )
        if names > self._most_names and names > self._staged.names:
            raise self._too_many()
        self._staged.put(source, shows, measured)
        for attender in self._attenders:
            attender.hear(source, shows)

    def weigh(self, shows: Mapping[str, object]) -> None:
        """TooLarge when something has more names than ever fit, before it is written."""
        if sum(value is not None for value in shows.values()) > self._most_names:
            raise self._too_many()

    def _too_many(self) -> TooLarge:
        return TooLarge(
            f"the stage holds at most {self._most_names} names", allowed=self._most_names
        )

    def withdraw(self, source: str) -> None:
        """Takes away all that a source shows."""
        self.show(source, dict.fromkeys(self._staged.names_of(source)))

    def written(self, source: str | None) -> str:
        """What is shown, as JSON."""
        return self._staged.written(source)

    def look_at_models(self) -> None:
        """Tells who attends of models that were made or deleted; between two changes."""
        if self._attenders and (models := list(self._board.minds)) != self._models:
            self._models = models
            for attender in self._attenders:
                attender.hear_models()
