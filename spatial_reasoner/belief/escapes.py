"""What would leave a container that stands by itself: it is in there still.

What is put in beside it is perceived to go where the other one is believed to lie, and pushes that
out through the wall, as nothing on earth does: the other one has rolled aside.
"""

from typing import Final

import numpy as np

from spatial_reasoner.belief.world import World
from spatial_reasoner.geometry.arrays import Flags, Floats
from spatial_reasoner.geometry.poses import apply, inverse, rotations, turn_between
from spatial_reasoner.relations.relations import NOWHERE, innermost

__all__ = ["standing", "take_back"]

_STANDS: Final = (0.005, 0.05)
"""Metres and radians: what moves or turns less in a moment stands."""
_UPRIGHT: Final = 0.87
"""Out of what is tilted farther (30°) things roll."""
_SUNK: Final = 0.5
"""What is so deep in a wall or the floor, as a share of half of its least extent, goes through."""


def standing(poses: Floats, begin: Floats) -> Flags:
    """What stands upright, and moved hardly at all since a moment began."""
    still = np.linalg.norm(poses[:, :3] - begin[:, :3], axis=1) < _STANDS[0]
    stands: Flags = still & (turn_between(poses, begin) < _STANDS[1])
    return stands & (rotations(poses)[:, 2, 2] > _UPRIGHT)


def take_back(world: World, was: Floats, stands: Flags, inside: Flags, awake: Flags) -> Flags:
    """Puts what left a container that stands back to where it was; these rows. `inside` is what
    was in what then."""
    back = np.zeros(len(awake), dtype=bool)
    container = innermost(inside)
    for row in np.flatnonzero(awake & (container != NOWHERE)).tolist():
        if stands[container[row]] and not _is_in(world, row, int(container[row])):
            world.pose[row], back[row] = was[row], True
    return back


def _is_in(world: World, row: int, vessel: int) -> bool:
    """Whether a row is between the walls, and on the floor, or comes down to it again."""
    shape, own = world.shapes[vessel], world.shapes[row]
    if shape is None or shape.cavity is None or own is None:
        return True
    at = apply(inverse(world.pose[vessel]), world.pose[row, :3])
    sunk = _SUNK * float(own.half.min())
    low, high = shape.cavity.low + sunk, shape.cavity.high - sunk
    high[2] = np.inf
    return bool((low <= at).all() and (at <= high).all())
