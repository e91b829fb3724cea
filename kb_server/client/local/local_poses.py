"""Poses published to a board in this process: the present ones and a bounded past."""

from collections.abc import Mapping
from typing import Any, Final

from kb_server.answering.publications import poses_in
from kb_server.answering.published_poses import PublishedPoses
from kb_server.client.calls.frames import command_of
from kb_server.host import Host
from kb_server.wire.answers import JSON
from kb_server.wire.commands import Publish

__all__ = ["LocalPoses"]

_MOST: Final = 10_000


class LocalPoses:
    """The newest poses of each model, and the last 10 000 poses that were replaced."""

    def __init__(self, host: Host) -> None:
        self._host: Final = host
        self._pictures: Final = PublishedPoses(host.board, host.begun)

    def publish(self, says: Mapping[str, Any]) -> dict[str, Any]:
        """Stores published poses and returns the frame for the listeners."""
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
        """The poses of a model, now or at a moment of the past."""
        picture = self._pictures.of(model)
        return picture.at(self._host.now() if moment is None else self._host.time_of(moment))
