"""Frames of percepts as values: what one source perceived at one time."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.geometry.poses import Pose
from spatial_reasoner.geometry.shapes import Shape

__all__ = ["Frame", "Percept", "Unnamed"]


@dataclass(frozen=True, slots=True, eq=False)
class Percept:
    """The pose of a perceived object, its joint positions, and the covariance of the pose."""

    pose: Pose
    joints: Mapping[str, float] = field(default_factory=dict)
    cov: Floats | None = None
    """6 × 6: of x, y, z (m²) and of the rotation about these axes (rad²)."""


@dataclass(frozen=True, slots=True, eq=False)
class Unnamed:
    """A perceived object that the source could not identify."""

    shape: Shape
    pose: Pose


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """All that one source perceived at one time; objects that are missing were not perceived."""

    t: float
    source: str
    objects: Mapping[str, Percept] = field(default_factory=dict)
    unnamed: tuple[Unnamed, ...] = ()
    agents: Mapping[str, Mapping[str, Pose]] = field(default_factory=dict)
    """The poses of parts, by agent and part."""
    empty: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The hands that are known to be empty, by agent."""
