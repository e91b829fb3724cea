"""The stage of a server: the values that clients show, sent to those who attend.

Only the names of changed values wait for each attender. A value is looked up when its turn comes,
so a slow reader receives the newest one and costs little memory. Many values are split into
several frames, so that writing one frame does not delay other clients. Attenders also receive
the list of models.
"""

from collections.abc import Callable, Mapping
from typing import Final

from kb_server.answering.staging import Staged
from kb_server.core.models.board import Board
from kb_server.errors import TooLarge
from kb_server.service.access import Access
from kb_server.service.delivery.outbox import Outbox
from kb_server.wire.events import models_frame, stage_frame

__all__ = ["Attender", "LiveStage"]

_FRAME: Final = 2**18
"""Characters of values in one frame; the value that exceeds it still belongs to the frame."""


class Attender:
    """A client that attends: it receives changed values and models, each at its newest."""

    def __init__(
        self, staged: Staged, models: Callable[[], list[str]], outbox: Outbox, access: Access
    ) -> None:
        self._staged: Final = staged
        self._models: Final = models
        self._outbox: Final = outbox
        self._access: Final = access
        self._untold: Final[dict[str, dict[str, None]]] = {}
        self._known: list[str] | None = None
        self._has_queued_models = False

    def hear(self, source: str, names: Mapping[str, object] | tuple[str, ...]) -> None:
        """Queues the names of a source whose values have changed."""
        is_waiting = bool(self._untold)
        if names:
            self._untold.setdefault(source, {}).update(dict.fromkeys(names))
        if self._untold and not is_waiting:
            self._outbox.put_late(self._next_frame)

    def hear_models(self) -> None:
        """Queues the list of models if it has changed."""
        models = self._reached()
        if models != self._known and not self._has_queued_models:
            self._has_queued_models = True
            self._outbox.put_late(self._models_frame)

    def _reached(self) -> list[str]:
        return [model for model in self._models() if self._access.reaches(model)]

    def _next_frame(self) -> str:
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
            self._outbox.put_late(self._next_frame)
        return stage_frame(source, self._staged.chosen(source, now))

    def _models_frame(self) -> str:
        self._has_queued_models = False
        self._known = self._reached()
        return models_frame(self._known)


class LiveStage:
    """All stage values and their attenders; bounded in bytes and names."""

    def __init__(self, board: Board, most_bytes: int, most_names: int) -> None:
        self._board: Final = board
        self._most_bytes: Final = most_bytes
        self._most_names: Final = most_names
        self._staged: Final = Staged()
        self._models: list[str] = []
        self._attenders: Final[dict[Attender, None]] = {}

    def attend(self, outbox: Outbox, access: Access) -> Attender:
        """Begins to send the list of models and the values, present and changed, to an outbox."""
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
        """Stores the values of a source and queues them for attenders; TooLarge without room."""
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
        """Raises TooLarge before encoding if there are more names than the stage holds."""
        if sum(value is not None for value in shows.values()) > self._most_names:
            raise self._too_many()

    def _too_many(self) -> TooLarge:
        return TooLarge(
            f"the stage holds at most {self._most_names} names", allowed=self._most_names
        )

    def withdraw(self, source: str) -> None:
        """Removes all values of a source."""
        self.show(source, dict.fromkeys(self._staged.names_of(source)))

    def written(self, source: str | None) -> str:
        """The values of one source or of all, as JSON."""
        return self._staged.written(source)

    def look_at_models(self) -> None:
        """Informs attenders of created and deleted models; called between two changes."""
        if self._attenders and (models := list(self._board.minds)) != self._models:
            self._models = models
            for attender in self._attenders:
                attender.hear_models()
