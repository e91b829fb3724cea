"""What one tick changes of what is believed: what goes to the board."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from spatial_reasoner.frames import Frame
from spatial_reasoner.poses import Pose

__all__ = ["Delta", "Look", "Placed", "Reasons"]

Look = Mapping[str, Any]
"""How a thing or an agent looks, as JSON; see `appearance`."""


@dataclass(frozen=True, slots=True)
class Delta:
    """The facts of one model that begin and cease; `memory` says how long they are kept."""

    model: str
    add: tuple[str, ...] = ()
    retract: tuple[str, ...] = ()
    memory: Literal["long_term", "short_term"] = "long_term"


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """Where a mind believes a thing to be (None: it does not know), and last perceived it."""

    pose: Pose | None
    perceived: Pose | None = None
    seen: float | None = None


class Reasons(Protocol):
    """Turns frames into deltas, one after the other; nothing in it looks at a clock."""

    @property
    def now(self) -> float:
        """The newest time of a percept."""

    @property
    def models(self) -> tuple[str, ...]:
        """The minds that there are, parents before what lies in them."""

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
