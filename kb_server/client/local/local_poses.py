"""Poses published to a board in-process: as they are, and as they were a little while ago."""

from collections.abc import Mapping
from typing import Any, Final

from kb_server.answering.pictures import Pictures
from kb_server.answering.telling import poses_in
from kb_server.client.calls.frames import command_of
from kb_server.host import Host
from kb_server.wire.answers import JSON
from kb_server.wire.commands import Publish

__all__ = ["LocalPoses"]

_MOST: Final = 10_000


class LocalPoses:
    """The newest poses of each model, and those that the last ten thousand took the place of."""

    def __init__(self, host: Host) -> None:
        self._host: Final = host
        self._pictures: Final = Pictures(host.board, host.begun)

    def publish(self, says: Mapping[str, Any]) -> dict[str, Any]:
        """Takes what is published, and gives it as listeners are told of it."""
        asks = command_of(says)
        assert isinstance(asks, Publish)
        picture, poses = self._pictures.of(asks.model), poses_in(asks, self._host.names)
        now = self._host.now()
        t = now if asks.t is None else asks.t
        self._pictures.add(picture, now, t, poses)
        if len(picture.recent) > _MOST:
            self._pictures.forget_oldest(picture)
        return {"event": "poses", "model": asks.model, "t": t, "poses": poses}

    def at(self, model: str, moment: str | None) -> JSON:
        """The poses of a model, now or then."""
        picture = self._pictures.of(model)
        return picture.at(self._host.now() if moment is None else self._host.time_of(moment))
