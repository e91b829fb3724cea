"""What one tick changes of what is believed: what goes to the board."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np

from spatial_reasoner.geometry.poses import Floats, Pose, turn_between
from spatial_reasoner.values.frames import Frame
from spatial_reasoner.values.glimpses import Kind
from spatial_reasoner.values.shares import Likelihood, Meant, Said

__all__ = ["Delta", "Look", "Memory", "Placed", "Reasons"]

Memory = Literal["long_term", "episodic", "short_term"]
Look = Mapping[str, Any]
"""How a thing or an agent looks, as JSON; see `appearance`."""


@dataclass(frozen=True, slots=True)
class Delta:
    """The facts of one model that begin and cease; `memory` says how long they are kept.

    Those of the long-term memory are kept up; the others end by themselves.
    """

    model: str
    add: tuple[str, ...] = ()
    retract: tuple[str, ...] = ()
    memory: Memory = "long_term"


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """Where a mind believes a thing to be (None: it does not know), and last perceived it."""

    pose: Pose | None
    perceived: Pose | None = None
    seen: float | None = None
    cov: Floats | None = None
    """How sure the pose is, six by six; None where no percept ever told that."""

    @property
    def difference(self) -> tuple[float, float] | None:
        """How far it is believed from where it was perceived last, and how far turned; in metres
        and radians."""
        if self.pose is None or self.perceived is None:
            return None
        shift = float(np.linalg.norm(self.pose[:3] - self.perceived[:3]))
        return shift, float(turn_between(self.pose, self.perceived))


class Reasons(Protocol):
    """Turns frames into deltas, one after the other; nothing in it looks at a clock."""

    @property
    def now(self) -> float:
        """The newest time of a percept."""

    @property
    def models(self) -> tuple[str, ...]:
        """The minds that there are, parents before what lies in them."""

    def name_actions(self, prefix: str, after: Mapping[Kind, int]) -> None:
        """How actions are named from now on: with a prefix, and after these numbers of each kind.

        Without it they are `pick_1`, `put_1` and so on.
        """

    def tick(self, frame: Frame) -> list[Delta]:
        """What a frame changes, parents first; empty for most."""

    def finish(self) -> list[Delta]:
        """What is still open when no more frames come."""

    def placed(self, model: str) -> Mapping[str, Placed]:
        """Everything that a mind knows of, by name."""

    def moved(self, model: str) -> Mapping[str, Placed]:
        """That part of it which changed in the last tick."""

    def looks(self) -> Mapping[str, Look]:
        """How everything looks that minds may know of, by name."""

    def changed_looks(self) -> Mapping[str, Look | None]:
        """What of it is another one since the last tick; None for what is no more."""

    def told(self, model: str, predicate: str, subject: str | None, value: str | None) -> list[str]:
        """The facts of a relation that is computed on demand; None stands for whatever there is."""

    async def weighed(
        self,
        model: str,
        predicate: str,
        subject: str | None,
        value: str | None,
        about: Meant | None = None,
    ) -> list[str]:
        """The same about statements that are uncertain, or those of them that are meant.

        TimeoutError when that takes too long.
        """

    async def likely(self, model: str, said: Said) -> Likelihood | None:
        """How likely a statement is, however long that takes; None of what is nowhere."""
