"""Poses: the geometry behind the facts, as it was published, and as it was a little while ago.

They are not facts: no journal has them, and they end with the server. What is known of the past is
bounded by number; before that, it is `too_old`. A publication adds to what was published before,
and `null` takes a thing away.
"""

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from kb_server.core.model import Model
from kb_server.host import Host
from kb_server.journal.errors import TooOld
from kb_server.service.errors import TooLarge
from kb_server.service.outbox import Outbox
from kb_server.wire.answers import JSON
from kb_server.wire.events import poses_frame

__all__ = ["Ear", "Poses"]

_Placed = Mapping[str, Any]


class _Published(NamedTuple):
    when: float
    t: object
    poses: _Placed


@dataclass(slots=True)
class _Picture:
    """What is published of one model, now and back to `since`."""

    of: Model
    since: float
    now: dict[str, Any] = field(default_factory=dict)
    t: object = None
    old: dict[str, Any] = field(default_factory=dict)
    old_t: object = None
    recent: deque[_Published] = field(default_factory=deque)


class Ear:
    """One who listens to one model: what it has not heard yet is told at once, at its newest."""

    def __init__(self, model: str, outbox: Outbox) -> None:
        self._model: Final = model
        self._outbox: Final = outbox
        self._untold: dict[str, Any] = {}
        self._t: object = None

    def hear(self, t: object, poses: _Placed) -> None:
        is_waiting = bool(self._untold)
        self._untold.update(poses)
        self._t = t
        if self._untold and not is_waiting:
            self._outbox.put_late(self._told)

    def _told(self) -> str:
        untold, self._untold = self._untold, {}
        return poses_frame(self._model, self._t, untold)


class Poses:
    """The poses of all models; `each` bounds the things of one model, `kept` all of the past."""

    def __init__(self, host: Host, each: int, kept: int) -> None:
        self._host: Final = host
        self._each: Final = each
        self._kept: Final = kept
        self._begun: Final = host.now()
        self._held = 0
        self._pictures: Final[dict[str, _Picture]] = {}
        self._ears: Final[dict[str, dict[Ear, None]]] = {}

    def listen(self, model: str, outbox: Outbox) -> Ear:
        """Begins to tell an outbox what is published of a model."""
        self._host.board.model(model)
        ear = Ear(model, outbox)
        self._ears.setdefault(model, {})[ear] = None
        return ear

    def unlisten(self, model: str, ear: Ear) -> None:
        ears = self._ears[model]
        del ears[ear]
        if not ears:
            del self._ears[model]

    def publish(self, model: str, t: object, poses: _Placed) -> None:
        """Takes what is published, and passes it on."""
        picture = self._picture(model)
        now = self._host.now()
        if len(picture.now.keys() | poses.keys()) > self._each:
            raise TooLarge(f"more than {self._each} things in one model", allowed=self._each)
        told = now if t is None else t
        _put(picture.now, poses)
        picture.t = told
        picture.recent.append(_Published(now, told, poses))
        self._held += 1 + len(poses)
        self._forget_oldest()
        for ear in self._ears.get(model, ()):
            ear.hear(told, poses)

    def now(self, model: str) -> JSON:
        """What is published of a model."""
        picture = self._picture(model)
        return {"t": picture.t, "poses": picture.now}

    def at(self, model: str, when: float) -> JSON:
        """What was published of a model up to a time; TooOld when that is forgotten."""
        picture = self._picture(model)
        if when < picture.since:
            raise TooOld("poses of that time are not known any more", oldest=picture.since)
        poses, t = dict(picture.old), picture.old_t
        for published in picture.recent:
            if published.when > when:
                break
            _put(poses, published.poses)
            t = published.t
        return {"t": t, "poses": poses}

    def _picture(self, model: str) -> _Picture:
        """The picture of a model as it is now; one made again has a new one."""
        known = self._host.board.model(model)
        picture = self._pictures.get(model)
        if picture is None or picture.of is not known:
            self._drop([model])
            picture = self._pictures[model] = _Picture(known, self._begun)
        return picture

    def _forget_oldest(self) -> None:
        """Forgets what is more than is kept, the oldest first; pictures of no model before."""
        if self._held <= self._kept:
            return
        there = {model.id for model in self._host.board.models()}
        self._drop([model for model in self._pictures if model not in there])
        while self._held > self._kept:
            oldest = min(
                (p for p in self._pictures.values() if p.recent), key=lambda p: p.recent[0].when
            )
            published = oldest.recent.popleft()
            _put(oldest.old, published.poses)
            oldest.old_t, oldest.since = published.t, published.when
            self._held -= 1 + len(published.poses)

    def _drop(self, models: Iterable[str]) -> None:
        for model in models:
            picture = self._pictures.pop(model, None)
            if picture is not None:
                self._held -= sum(1 + len(p.poses) for p in picture.recent)


def _put(poses: dict[str, Any], published: _Placed) -> None:
    for name, pose in published.items():
        if pose is None:
            poses.pop(name, None)
        else:
            poses[name] = pose
