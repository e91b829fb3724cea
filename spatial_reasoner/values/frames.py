"""Frames of percepts as values: what one source perceived at one time."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from spatial_reasoner.geometry.poses import Floats, Pose
from spatial_reasoner.geometry.shapes import Shape

__all__ = ["Frame", "Percept", "Unnamed"]


@dataclass(frozen=True, slots=True, eq=False)
class Percept:
    """Where a thing was perceived, how its joints stood, and how sure that is."""

    pose: Pose
    joints: Mapping[str, float] = field(default_factory=dict)
    cov: Floats | None = None
    """Six by six: of x, y, z and of the rotation about them."""


@dataclass(frozen=True, slots=True, eq=False)
class Unnamed:
    """Something perceived that nobody could name."""

    shape: Shape
    pose: Pose


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """All that one source perceived at one time; what it leaves out it did not perceive."""

    t: float
    source: str
    objects: Mapping[str, Percept] = field(default_factory=dict)
    unnamed: tuple[Unnamed, ...] = ()
    agents: Mapping[str, Mapping[str, Pose]] = field(default_factory=dict)
    """By agent, by part."""
    empty: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Hands that are known to hold nothing, by agent."""
