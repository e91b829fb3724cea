"""What lay still in its hand when it was perceived last, and may lie there yet.

A tracker may lose what an arm is before, or a rim half hides. So a thing at rest is taken for
carried off only when it does not count as perceived any more; in a container not even then, while
that hides it: there the hand that has gone away has left it. Nor is it while its hand is not
farther away than it was when the thing was lost: so far a hand that only covers it does so.
"""

import math
from typing import Final

import numpy as np

from spatial_reasoner.belief.covering import Covering
from spatial_reasoner.belief.missing import Looked
from spatial_reasoner.belief.world import World
from spatial_reasoner.geometry.arrays import Flags
from spatial_reasoner.geometry.poses import compose, inverse
from spatial_reasoner.geometry.surface_distances import distance
from spatial_reasoner.relations.hands import NO_HAND
from spatial_reasoner.relations.motion import Trail
from spatial_reasoner.relations.relations import Relations
from spatial_reasoner.tolerances.tolerances import Tolerances

__all__ = ["leave", "lingering", "regrip"]

_STILL: Final = 0.1
"""Metres a second: what goes no faster with its hand is soon caught up with."""
_THERE: Final = 0.03
"""Metres: what is believed nearer to where it was perceived last lies there."""


def lingering(
    world: World, relations: Relations, looked: Looked | None, trail: Trail,
    covering: Covering | None, now: float, tolerances: Tolerances,
) -> Flags:  # fmt: skip
    """What is in a hand, is not perceived at this moment, and lies where it lay."""
    lies: Flags = (world.holding.holder != NO_HAND) & ~world.fresh & world.plausible
    if not lies.any():
        return lies
    lies &= np.logical_or.reduce(relations.on | relations.inside, axis=1)
    lately = now - world.seen < tolerances.perceived
    stays = lately | _is_behind_rim(world, relations.inside, looked)
    for row in np.flatnonzero(lies & ~stays).tolist():
        lies[row] = covering is not None and covering.may(world, row)
    if lies.any():
        quick = trail.velocities(now, tolerances).quick
        moves = np.linalg.norm(quick, axis=1) >= _STILL
        for row in np.flatnonzero(lies & moves).tolist():
            lies[row] = trail.pauses(row, tolerances)
    return lies


def leave(
    world: World, lies: Flags, inside: Flags, looked: Looked | None, tolerances: Tolerances
) -> None:
    """Hands let go of what lies behind the rim of its container when they have gone away."""
    holder = world.holding.holder
    for row in np.flatnonzero(lies & _is_behind_rim(world, inside, looked)).tolist():
        shape, hand = world.shapes[row], world.pose[holder[row], :3]
        if shape and distance(shape, world.pose[row], hand) > tolerances.put_down:
            holder[row] = NO_HAND


def regrip(world: World, lies: Flags) -> None:
    """A hand that has come nearer to what lies there takes it as it lies now, and not as far away
    as the hand was when that was perceived last."""
    for row in np.flatnonzero(lies).tolist():
        hand = int(world.holding.holder[row])
        grip = compose(inverse(world.pose[hand]), world.pose[row])
        far, before = (math.hypot(*each[:3]) for each in (grip, world.holding.grip[row]))
        if far < before and world.fresh[hand]:
            world.holding.grip[row] = grip


def _is_behind_rim(world: World, inside: Flags, looked: Looked | None) -> Flags:
    """What was perceived in a container and need not show there, as its owner looked last."""
    there = np.linalg.norm(world.pose[:, :3] - world.perceived[:, :3], axis=1) < _THERE
    hidden: Flags = np.logical_or.reduce(inside, axis=1) & there
    count = 0 if looked is None else len(looked.shows)
    if looked is not None:
        hidden[:count] &= ~(looked.in_view & looked.shows)
    hidden[count:] = False
    return hidden
