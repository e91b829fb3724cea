"""Poses published to a board in-process: as they are, and as they were a little while ago."""

from collections.abc import Mapping
from math import isfinite
from typing import Any, Final

from kb_server.answering.pictures import Pictures
from kb_server.core.errors import BadRequest
from kb_server.host import Host
from kb_server.wire.answers import JSON

__all__ = ["LocalPoses"]

_MOST: Final = 10_000
_LENGTHS: Final = (3, 7)
_FIELDS: Final = frozenset(("pose", "perceived_pose", "seen"))


class LocalPoses:
    """The newest poses of each model, and those that the last ten thousand took the place of."""

    def __init__(self, host: Host) -> None:
        self._host: Final = host
        self._pictures: Final = Pictures(host.board, host.begun)

    def publish(self, says: Mapping[str, Any]) -> dict[str, Any]:
        """Takes what is published, and gives it as listeners are told of it."""
        picture, poses = self._pictures.of(says["model"]), says["poses"]
        for name, pose in poses.items():
            _check(name, pose)
        now = self._host.now()
        t = now if says["t"] is None else says["t"]
        self._pictures.add(picture, now, t, poses)
        if len(picture.recent) > _MOST:
            self._pictures.forget_oldest(picture)
        return {"event": "poses", "model": says["model"], "t": t, "poses": poses}

    def at(self, model: str, moment: str | None) -> JSON:
        """The poses of a model, now or then."""
        picture = self._pictures.of(model)
        return picture.at(self._host.now() if moment is None else self._host.time_of(moment))


def _check(name: str, said: Any) -> None:
    if said is None:
        return
    if not isinstance(said, Mapping) or not said.keys() <= _FIELDS:
        raise BadRequest(f"poses.{name}: pose, perceived_pose and seen are its fields")
    for key in ("pose", "perceived_pose"):
        if said.get(key) is not None and not _is_pose(said[key]):
            raise BadRequest(f"poses.{name}.{key}: [x,y,z] or [x,y,z,qx,qy,qz,qw] is a pose")


def _is_pose(said: Any) -> bool:
    return (
        isinstance(said, list | tuple)
        and len(said) in _LENGTHS
        and all(isinstance(n, int | float) and isfinite(n) for n in said)
    )
