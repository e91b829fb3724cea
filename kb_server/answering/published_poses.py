"""The published poses of each model's things, now and for a short time back.

They are not facts: no journal stores them, and they end with the board's process. A publication
updates the poses published before; `None` removes a thing. The owner decides when old publications
are forgotten.
"""

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from kb_server.core.models.board import Board
from kb_server.core.models.model import BeliefModel
from kb_server.errors import TooOld
from kb_server.wire.answers import JSON

__all__ = ["ModelPoses", "PosesByName", "PublishedPoses"]

PosesByName = Mapping[str, Any]


class _Published(NamedTuple):
    when: float
    t: object
    poses: PosesByName


@dataclass(slots=True)
class ModelPoses:
    """The published poses of one model, now and back to `since`."""

    of: BeliefModel
    since: float
    now: dict[str, Any] = field(default_factory=dict)
    t: object = None
    old: dict[str, Any] = field(default_factory=dict)
    old_t: object = None
    recent: deque[_Published] = field(default_factory=deque)

    def at(self, when: float) -> JSON:
        """Return the poses published up to a time; TooOld if they are forgotten."""
        if when < self.since:
            raise TooOld("the poses of that time are forgotten", oldest=self.since)
        poses, t = dict(self.old), self.old_t
        for published in self.recent:
            if published.when > when:
                break
            _put(poses, published.poses)
            t = published.t
        return {"t": t, "poses": poses}


class PublishedPoses:
    """The pictures of all models of a board; `held` counts their publications and poses."""

    def __init__(self, board: Board, begun: float) -> None:
        self.held = 0
        self._board: Final = board
        self._begun: Final = begun
        self._pictures: Final[dict[str, ModelPoses]] = {}

    def of(self, model: str) -> ModelPoses:
        """Return the picture of a model; a model created again after its deletion has a new one."""
        known = self._board.model(model)
        picture = self._pictures.get(model)
        if picture is None or picture.of is not known:
            self._drop([model])
            picture = self._pictures[model] = ModelPoses(known, self._begun)
        return picture

    def add(self, picture: ModelPoses, when: float, t: object, poses: PosesByName) -> None:
        """Add a publication; its time must not lie before that of an earlier one."""
        _put(picture.now, poses)
        picture.t = t
        picture.recent.append(_Published(when, t, poses))
        self.held += 1 + len(poses)

    def forget_oldest(self, picture: ModelPoses) -> None:
        """Merge the oldest remembered publication of a picture into its oldest known poses."""
        published = picture.recent.popleft()
        _put(picture.old, published.poses)
        picture.old_t, picture.since = published.t, published.when
        self.held -= 1 + len(published.poses)

    def forget_to(self, most: int) -> None:
        """Forget until at most `most` is held: pictures of deleted models, then the oldest ones."""
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


def _put(poses: dict[str, Any], published: PosesByName) -> None:
    for name, pose in published.items():
        if pose is None:
            poses.pop(name, None)
        else:
            poses[name] = pose
