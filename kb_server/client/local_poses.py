"""Poses published to a board in-process: as they are, and as they were a little while ago."""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Any, Final, NamedTuple

from kb_server.core.errors import BadRequest
from kb_server.core.model import Model
from kb_server.host import Host
from kb_server.journal.errors import TooOld
from kb_server.journal.protocol import AtSeq

__all__ = ["LocalPoses"]

_MOST: Final = 10_000
_LENGTHS: Final = (3, 7)
_FIELDS: Final = frozenset(("pose", "perceived_pose", "seen"))


class _Published(NamedTuple):
    when: float
    t: object
    poses: Mapping[str, Any]


@dataclass
class _Picture:
    """What is published of one model; `old` is what of it is older than what is kept."""

    of: Model
    since: float
    old: dict[str, Any] = field(default_factory=dict)
    old_t: object = None
    recent: deque[_Published] = field(default_factory=deque)


class LocalPoses:
    """The newest poses of each model, and those that the last ten thousand took the place of."""

    def __init__(self, host: Host) -> None:
        self._host: Final = host
        self._begun: Final = host.now()
        self._pictures: Final[dict[str, _Picture]] = {}

    def publish(self, says: Mapping[str, Any]) -> dict[str, Any]:
        """Takes what is published, and gives it as listeners are told of it."""
        picture, poses = self._picture(says["model"]), says["poses"]
        for name, pose in poses.items():
            _check(name, pose)
        now = self._host.now()
        t = now if says["t"] is None else says["t"]
        picture.recent.append(_Published(now, t, poses))
        if len(picture.recent) > _MOST:
            oldest = picture.recent.popleft()
            _put(picture.old, oldest.poses)
            picture.old_t, picture.since = oldest.t, oldest.when
        return {"event": "poses", "model": says["model"], "t": t, "poses": poses}

    def at(self, model: str, moment: str | None) -> dict[str, Any]:
        """The poses of a model, now or then."""
        picture = self._picture(model)
        when = self._host.now() if moment is None else self._when(moment)
        if when < picture.since:
            raise TooOld("poses of that time are not known any more", oldest=picture.since)
        poses, t = dict(picture.old), picture.old_t
        for published in picture.recent:
            if published.when > when:
                break
            _put(poses, published.poses)
            t = published.t
        return {"t": t, "poses": poses}

    def _when(self, text: str) -> float:
        moment = self._host.moment(text)
        if not isinstance(moment, AtSeq):
            return moment.t
        delta = next(iter(self._host.journal.deltas(moment.seq - 1, moment.seq)), None)
        return self._begun if delta is None else delta.t

    def _picture(self, model: str) -> _Picture:
        """The picture of a model as it is now; one made again has a new one."""
        known = self._host.board.model(model)
        picture = self._pictures.get(model)
        if picture is None or picture.of is not known:
            picture = self._pictures[model] = _Picture(known, self._begun)
        return picture


def _put(poses: dict[str, Any], published: Mapping[str, Any]) -> None:
    for name, pose in published.items():
        if pose is None:
            poses.pop(name, None)
        else:
            poses[name] = pose


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
