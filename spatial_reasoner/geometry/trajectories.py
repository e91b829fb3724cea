"""Trajectories: motions from one pose to another at constant velocity, in steps of 1/240 s."""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.geometry.poses import Pose, compose, inverse

__all__ = ["STEP", "Trajectory", "trajectory"]

STEP: Final = 1 / 240
"""Seconds: the simulation step. At 4 m/s an object moves 17 mm in one step."""


@dataclass(frozen=True, slots=True, eq=False)
class Trajectory:
    """The poses of a body's centre of mass before each step, and its twist in the world."""

    places: list[list[float]]
    velocity: list[float]


def trajectory(begin: Pose, end: Pose, middle: Pose, steps: int) -> Trajectory:
    """The trajectory of a body with its centre of mass at `middle` (a pose) in its frame.

    >>> here, there = np.array([[0.0, 0, 0, 0, 0, 0, 1], [0.1, 0, 0, 0, 0, 0, 1]])
    >>> round(trajectory(here, there, here, 24).velocity[0], 6)
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
    return Trajectory(found.tolist(), velocity.tolist())


def _turn(begin: Pose, end: Pose) -> Floats:
    """The rotation vector, in the world, from one pose to another."""
    still = np.zeros(3)
    between = compose(np.concatenate([still, end[3:]]), inverse(np.concatenate([still, begin[3:]])))
    vector = between[3:6] * (1.0 if between[6] >= 0 else -1.0)
    length = float(np.linalg.norm(vector))
    return vector * (2 * math.atan2(length, abs(between[6])) / length) if length > 0 else vector
