"""The stage of a board in-process: what its program shows, for who asks."""

import json
from collections.abc import Mapping
from typing import Any, Final

from kb_server.answering.staging import Staged, written_value
from kb_server.client.calls.frames import command_of
from kb_server.wire.answers import JSON
from kb_server.wire.commands import Stage

__all__ = ["LocalStage"]


class LocalStage:
    """What is staged, as long as the board is open; unbounded, for nobody else shares it."""

    def __init__(self) -> None:
        self._staged: Final = Staged()

    def show(self, says: Mapping[str, Any]) -> None:
        asks = command_of(says)
        assert isinstance(asks, Stage)
        shows = {name: written_value(name, value) for name, value in asks.shows.items()}
        self._staged.put(asks.source, shows, self._staged.measured(asks.source, shows))

    def shown(self, source: str | None) -> JSON:
        found: JSON = json.loads(self._staged.written(source))
        return found
