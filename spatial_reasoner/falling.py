"""Where a thing went that is not where it was: down, on the floor of what it was over.

This is what can be said without physics: a container that stands, and a thing over its mouth. The
rest of what falls, slides and tips over is for a simulation.
"""

from typing import Final

import numpy as np

from spatial_reasoner.poses import Pose, apply, inverse, rotations
from spatial_reasoner.shapes import Cavity, Shape
from spatial_reasoner.world import World

__all__ = ["fallen"]

_UPRIGHT: Final = 0.9
"""The cosine of the tilt up to which things in a container lie on its floor."""
_OVER: Final = 0.1
"""How far above the rim a thing may have been seen last: what is thrown goes so far in a frame."""
_LYING: Final = 0.05
"""What is so near to the floor lies on it: percepts are not more exact."""


def fallen(world: World, row: int, pose: Pose) -> Pose | None:
    """Where a thing is when it has fallen from a pose into what is below; None if nothing is."""
    shape = world.shapes[row]
    for other in np.flatnonzero(world.roster.is_container & world.placed).tolist():
        around = world.shapes[other]
        if shape is not None and around is not None and around.cavity and other != row:
            depth = _depth(shape, pose, around.cavity, world.pose[other])
            if depth > _LYING:
                return np.array([*pose[:2], pose[2] - depth, *pose[3:]])
    return None


def _depth(shape: Shape, pose: Pose, cavity: Cavity, where: Pose) -> float:
    """How far a thing falls to the floor of an upright cavity; nothing if it is not over it."""
    at = apply(inverse(where), pose[:3])
    extent = float(np.abs(rotations(pose)[2]) @ shape.half)
    is_over = bool((at[:2] >= cavity.low[:2]).all() and (at[:2] <= cavity.high[:2]).all())
    if not is_over or rotations(where)[2, 2] < _UPRIGHT:
        return 0.0
    return float(at[2] - extent - cavity.low[2]) if at[2] - extent < cavity.high[2] + _OVER else 0.0
