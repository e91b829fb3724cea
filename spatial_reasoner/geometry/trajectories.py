"""Trajectories: motions from one pose to another at constant velocity, in steps of 1/240 s."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from spatial_reasoner.geometry.pose_errors import box_minus
from spatial_reasoner.geometry.poses import Pose, compose
from spatial_reasoner.tolerances.units import Numeric

__all__ = ["STEP", "Trajectory", "trajectory"]

STEP: Final[Numeric] = 1 / 240
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
    error = np.empty(6)
    box_minus(begin, end, error)
    error[:3] = compose(end, middle)[:3] - found[0, :3]
    velocity = error / (steps * STEP)
    return Trajectory(found.tolist(), velocity.tolist())

