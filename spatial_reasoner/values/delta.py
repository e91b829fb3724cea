"""Deltas: what one tick changes in the beliefs of minds, as sent to the board."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np

from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.geometry.poses import Pose, turn_between
from spatial_reasoner.values.action_recognition import ActionKind
from spatial_reasoner.values.frames import Frame
from spatial_reasoner.values.likelihood import Likelihood, Meant, Said

__all__ = ["BeliefDelta", "BelievedPose", "Look", "Memory", "Reasons"]

Memory = Literal["long_term", "episodic", "short_term"]
Look = Mapping[str, Any]
"""The appearance of an object or an agent, as JSON; see `appearance`."""


@dataclass(frozen=True, slots=True)
class BeliefDelta:
    """The facts to assert in one model and those to retract; `memory` is their lifespan.

    Facts in long-term memory are refreshed while they hold; others expire by themselves.
    """

    model: str
    add: tuple[str, ...] = ()
    retract: tuple[str, ...] = ()
    memory: Memory = "long_term"


@dataclass(frozen=True, slots=True, eq=False)
class BelievedPose:
    """The pose at which a mind believes an object to be (None if unknown), and its last percept."""

    pose: Pose | None
    perceived: Pose | None = None
    seen: float | None = None
    cov: Floats | None = None
    """The covariance of the pose, 6 × 6; None if no percept had a covariance."""

    @property
    def difference(self) -> tuple[float, float] | None:
        """The distance (m) and the angle (rad) of the believed pose from the last percept."""
        if self.pose is None or self.perceived is None:
            return None
        shift = float(np.linalg.norm(self.pose[:3] - self.perceived[:3]))
        return shift, float(turn_between(self.pose, self.perceived))


class Reasons(Protocol):
    """Turns frames into deltas, one after the other; it reads no clock."""

    @property
    def now(self) -> float:
        """The time of the newest percept."""

    @property
    def models(self) -> tuple[str, ...]:
        """The models of all minds, each before those nested in it."""

    def name_actions(self, prefix: str, after: Mapping[ActionKind, int]) -> None:
        """Sets a prefix for the names of new actions, and the last used number of each kind.

        By default they are `pick_1`, `put_1` and so on.
        """

    def tick(self, frame: Frame) -> list[BeliefDelta]:
        """The deltas of a frame, parents first; empty for most frames."""

    def finish(self) -> list[BeliefDelta]:
        """The deltas of what is still open, when no more frames come."""

    def placed(self, model: str) -> Mapping[str, BelievedPose]:
        """All objects that a mind knows, by name."""

    def moved(self, model: str) -> Mapping[str, BelievedPose]:
        """Those of `placed` that changed in the last tick."""

    def looks(self) -> Mapping[str, Look]:
        """The appearance of everything that minds may know, by name."""

    def changed_looks(self) -> Mapping[str, Look | None]:
        """The looks that changed in the last tick; None for things that no longer exist."""

    def computed(
        self, model: str, predicate: str, subject: str | None, value: str | None
    ) -> list[str]:
        """The facts of a relation that is computed on demand; None stands for any value."""

    async def weighed(
        self,
        model: str,
        predicate: str,
        subject: str | None,
        value: str | None,
        about: Meant | None = None,
    ) -> list[str]:
        """The same for uncertain statements, or for those of them that match the pattern `about`.

        TimeoutError if it takes too long.
        """

    async def likely(self, model: str, said: Said) -> Likelihood | None:
        """The likelihood of a statement, without a time limit; None if its terms have no pose."""
