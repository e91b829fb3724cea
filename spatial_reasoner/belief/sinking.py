"""What a hand has unseen is not sunk in what it is on: it is believed to be on that.

Who lost a hand as it took hold does not know how the thing lies in it, and may believe it some
centimetres too low; let go there, it would fall through the table.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from spatial_reasoner.belief.world import World
from spatial_reasoner.dynamics.physics import Physics
from spatial_reasoner.dynamics.runs import Loose
from spatial_reasoner.geometry.arrays import Flags
from spatial_reasoner.geometry.shape_tables import GROUND, NO_FORM, ShapeTables
from spatial_reasoner.relations.hands import NO_HAND
from spatial_reasoner.relations.neighbours import BoundingBoxes, boxes, near
from spatial_reasoner.values.roster import Roster

__all__ = ["lift_out"]

_SUNK: Final = 0.008
"""Metres: what is no deeper in something is about there, with all that percepts are off."""
_CLEAR: Final = 0.001
_MOST: Final = 0.06
"""Metres: nothing is believed to be farther up than that; it may be beside what it is in."""
_TRIES: Final = 3
"""Out of the floor of a bin, and of the table below that, it takes more than one."""


def lift_out(
    physics: Physics, roster: Roster, world: World, bodies: ShapeTables, rows: Sequence[int]
) -> None:
    """Takes some rows up that are believed to be within what stands there, as far as need be."""
    if not len(rows):
        return
    solid = world.placed & roster.is_thing & (bodies.form != NO_FORM)
    solid &= world.holding.holder == NO_HAND
    here = boxes(world.pose, bodies.half, bodies.centre)
    for row in rows:
        if bodies.form[row] in (GROUND, NO_FORM):
            continue
        around = _around(world, bodies, here, row, solid)
        if around.any():
            world.pose[row, 2] += _rise(physics, world, row, around)


def _around(
    world: World, bodies: ShapeTables, here: BoundingBoxes, row: int, solid: Flags
) -> Flags:
    """What a row may be within, by the boxes of all."""
    one = np.zeros(len(solid), dtype=bool)
    one[row] = True
    found = near(here, one, here, solid, np.zeros_like(here.low))
    below = (bodies.form == GROUND) & (world.pose[:, 2] > here.low[row, 2])
    around: Flags = found & (bodies.form != GROUND) | solid & below
    return around


def _rise(physics: Physics, world: World, row: int, around: Flags) -> float:
    """How much higher a row is in nothing; 0 if it is in nothing, or that is too far."""
    pose, shapes = world.pose, world.shapes
    solids, fixed = physics.matter.fixed(
        np.flatnonzero(around).tolist(), pose, pose, shapes, shapes
    )
    rise = 0.0
    for _ in range(_TRIES + 1):
        there = pose[[row]].copy()
        there[0, 2] += rise
        depth = physics.depth(Loose.still(np.array([row]), there), fixed, solids, shapes)
        if depth <= (_CLEAR if rise else _SUNK):
            return rise
        rise += depth
        if rise > _MOST:
            break
    return 0.0
