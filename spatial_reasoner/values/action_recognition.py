"""Values of action recognition: an object at one time, and a recognised action."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.tolerances.tolerances import Tolerances

__all__ = ["Action", "ActionKind", "ObjectSample", "Step"]

ActionKind = Literal["Pick", "Place", "Put", "Release", "Handover"]


@dataclass(frozen=True, slots=True)
class Action:
    """An action on an object; rows and agents are numbers, None if unknown."""

    kind: ActionKind
    thing: int
    start: float
    end: float
    performer: int | None = None
    receiver: int | None = None
    source: int | None = None
    """The row from which it was taken."""
    goal: int | None = None
    """The row to which it was brought."""


@dataclass(frozen=True, slots=True, eq=False)
class ObjectSample:
    """One object at one time; `spot` is its position in its place, `grip` that in its hand."""

    now: float
    last: float
    """The time of its last percept."""
    centre: Floats
    bottom: float
    is_perceived: bool
    place: int
    is_in: bool
    spot: Floats
    hand: int
    owner: int
    grip: Floats
    is_dropped: bool = False
    """Whether it was just observed to fall out of a hand."""
    is_brought: bool = False
    """Whether a hand left it while both were out of view, so the release was not observed."""
    hand_last: float = math.inf
    """The time of the last percept of its hand."""
    passed: float = -math.inf
    """When it passed to its hand, if that became known now."""


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """The input of all steps of a course; `candidate` is the only agent near since a given time."""

    thing: int
    tolerances: Tolerances
    candidate: Callable[[float], int | None]
