"""Ways: from one pose to another at one speed, in steps of a 240th of a second."""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from spatial_reasoner.geometry.poses import Floats, Pose, compose, inverse

__all__ = ["STEP", "Way", "way"]

STEP: Final = 1 / 240
"""Seconds: at 4 m/s a thing goes 17 mm in one, less than the walls of what it may fall into."""


@dataclass(frozen=True, slots=True, eq=False)
class Way:
    """Where the middle of a body is before each step, as poses, and how fast it goes and turns."""

    places: list[list[float]]
    velocity: list[float]


def way(begin: Pose, end: Pose, middle: Pose, steps: int) -> Way:
    """The way of a body whose middle is there in its frame.

    >>> here, there = np.array([[0.0, 0, 0, 0, 0, 0, 1], [0.1, 0, 0, 0, 0, 0, 1]])
    >>> round(way(here, there, here, 24).velocity[0], 6)
    1.0
    """
    share = (np.arange(steps) / steps)[:, None]
    near = 1.0 if begin[3:] @ end[3:] >= 0 else -1.0
    places = begin[:3] + share * (end[:3] - begin[:3])
    turns = begin[3:] + share * (near * end[3:] - begin[3:])
    turns /= np.linalg.norm(turns, axis=1, keepdims=True)
    found = compose(np.column_stack([places, turns]), middle)
    along = compose(end, middle)[:3] - found[0, :3]
    velocity = np.concatenate([along, _turn(begin, end)]) / (steps * STEP)
    return Way(found.tolist(), velocity.tolist())


def _turn(begin: Pose, end: Pose) -> Floats:
    """The vector, in the world, about which and how far a pose is turned from another."""
    still = np.zeros(3)
    between = compose(np.concatenate([still, end[3:]]), inverse(np.concatenate([still, begin[3:]])))
    vector = between[3:6] * (1.0 if between[6] >= 0 else -1.0)
    length = float(np.linalg.norm(vector))
    return vector * (2 * math.atan2(length, abs(between[6])) / length) if length > 0 else vector
