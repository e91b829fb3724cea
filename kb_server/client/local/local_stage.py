"""The stage of a board in this process: the values that its program shows."""

import json
from collections.abc import Mapping
from typing import Any, Final

from kb_server.answering.staging import Staged, written_value
from kb_server.client.calls.frames import command_of
from kb_server.wire.answers import JSON
from kb_server.wire.commands import StageCommand

__all__ = ["LocalStage"]


class LocalStage:
    """The staged values while the board is open; unbounded, since only this program uses it."""

    def __init__(self) -> None:
        self._staged: Final = Staged()

    def show(self, says: Mapping[str, Any]) -> None:
        asks = command_of(says)
        assert isinstance(asks, StageCommand)
        shows = {name: written_value(name, value) for name, value in asks.shows.items()}
        self._staged.put(asks.source, shows, self._staged.measured(asks.source, shows))

    def shown(self, source: str | None) -> JSON:
        found: JSON = json.loads(self._staged.written(source))
        return found
