"""What actions are told from, and what is told of them: a thing at a moment, and what was done."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from spatial_reasoner.geometry.poses import Floats
from spatial_reasoner.values.tolerances import Tolerances

__all__ = ["Action", "Glimpse", "Kind", "Step"]

Kind = Literal["Pick", "Place", "Put", "Release", "Handover"]


@dataclass(frozen=True, slots=True)
class Action:
    """Something that was done to a thing: rows and agents by their numbers, None if not known."""

    kind: Kind
    thing: int
    start: float
    end: float
    performer: int | None = None
    receiver: int | None = None
    source: int | None = None
    """Where it was taken from."""
    goal: int | None = None
    """Where it was brought to."""


@dataclass(frozen=True, slots=True, eq=False)
class Glimpse:
    """One thing at one moment; `spot` is where it is in its place, `grip` where in its hand."""

    now: float
    last: float
    """When it was perceived last."""
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
    """Whether it was seen to fall out of a hand a moment ago."""
    is_brought: bool = False
    """Whether a hand left it that was out of sight with it: nobody saw how."""
    hand_last: float = math.inf
    """When its hand was perceived last."""
    passed: float = -math.inf
    """When it went over to its hand, if that is known from this moment on."""


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """What all steps of a course need; `candidate` is the only agent who was near since a time."""

    thing: int
    tolerances: Tolerances
    candidate: Callable[[float], int | None]
