"""Pictures: where the things of each model were published to be, now and a little while ago.

They are not facts: no journal has them, and they end with their board. A publication adds to what
was published before, and `None` takes a thing away. What is forgotten, and when, their keeper says.
"""

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from kb_server.core.models.blackboard import Blackboard
from kb_server.core.models.model import Model
from kb_server.journal.errors import TooOld
from kb_server.wire.answers import JSON

__all__ = ["Picture", "Pictures", "Placed"]

Placed = Mapping[str, Any]


class _Published(NamedTuple):
    when: float
    t: object
    poses: Placed


@dataclass(slots=True)
class Picture:
    """What is published of one model, now and back to `since`."""

    of: Model
    since: float
    now: dict[str, Any] = field(default_factory=dict)
    t: object = None
    old: dict[str, Any] = field(default_factory=dict)
    old_t: object = None
    recent: deque[_Published] = field(default_factory=deque)

    def at(self, when: float) -> JSON:
        """What was published up to a time; TooOld when that is forgotten."""
        if when < self.since:
            raise TooOld("poses of that time are not known any more", oldest=self.since)
        poses, t = dict(self.old), self.old_t
        for published in self.recent:
            if published.when > when:
                break
            _put(poses, published.poses)
            t = published.t
        return {"t": t, "poses": poses}


class Pictures:
    """The pictures of the models of a board; `held` counts what all of them remember."""

    def __init__(self, board: Blackboard, begun: float) -> None:
        self.held = 0
        self._board: Final = board
        self._begun: Final = begun
        self._pictures: Final[dict[str, Picture]] = {}

    def of(self, model: str) -> Picture:
        """The picture of a model as it is now; one made again has a new one."""
        known = self._board.model(model)
        picture = self._pictures.get(model)
        if picture is None or picture.of is not known:
            self._drop([model])
            picture = self._pictures[model] = Picture(known, self._begun)
        return picture

    def add(self, picture: Picture, when: float, t: object, poses: Placed) -> None:
        """Takes what is published at a time, which nothing that is known comes after."""
        _put(picture.now, poses)
        picture.t = t
        picture.recent.append(_Published(when, t, poses))
        self.held += 1 + len(poses)

    def forget_oldest(self, picture: Picture) -> None:
        """Forgets how it was before the oldest publication that a picture remembers."""
        published = picture.recent.popleft()
        _put(picture.old, published.poses)
        picture.old_t, picture.since = published.t, published.when
        self.held -= 1 + len(published.poses)

    def forget_to(self, most: int) -> None:
        """Forgets the oldest of all until so much is held; the pictures of no model before."""
        if self.held <= most:
            return
        there = {model.id for model in self._board.models()}
        self._drop([model for model in self._pictures if model not in there])
        while self.held > most:
            remembering = (p for p in self._pictures.values() if p.recent)
            self.forget_oldest(min(remembering, key=lambda picture: picture.recent[0].when))

    def _drop(self, models: Iterable[str]) -> None:
        for model in models:
            picture = self._pictures.pop(model, None)
            if picture is not None:
                self.held -= sum(1 + len(published.poses) for published in picture.recent)


def _put(poses: dict[str, Any], published: Placed) -> None:
    for name, pose in published.items():
        if pose is None:
            poses.pop(name, None)
        else:
            poses[name] = pose
