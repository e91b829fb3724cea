"""Doubts: how a mind gets less sure of where things are that it does not perceive."""

from typing import Final

import numpy as np

from spatial_reasoner.belief.world import NEVER, World
from spatial_reasoner.geometry.arrays import Flags, Floats
from spatial_reasoner.geometry.poses import compose, inverse
from spatial_reasoner.geometry.shape_tables import ShapeTables
from spatial_reasoner.relations.filtering import add_process_noise
from spatial_reasoner.relations.relations import NOWHERE, innermost
from spatial_reasoner.tolerances.tolerances import Tolerances
from spatial_reasoner.values.uncertainty import sigmas, went

__all__ = ["doubt"]

_ROOM: Final = 1 / 3
"""What may be anywhere in a container is three deviations from its walls."""


def doubt(
    world: World,
    bodies: ShapeTables,
    inside: Flags,
    last: tuple[Floats, Flags],
    seconds: float,
    tolerances: Tolerances,
) -> None:
    """Is less sure of what isn't perceived after some seconds, and less still of what was moved
    from where it was `last`."""
    roster = world.roster
    unseen = world.placed & ~world.fresh & (roster.is_thing | roster.is_part)
    was, had_place = world.as_large(last)
    moved, turned = went(was, world.pose)
    container, here = innermost(inside), unseen & had_place
    within = here & (container != NOWHERE) & ((moved > 0.0) | (moved[container] > 0.0))
    for row in np.flatnonzero(within).tolist():
        moved[row], turned[row] = _went_within(world, bodies, row, int(container[row]), was)
    waited = unseen & (world.seen != NEVER) & ~roster.is_static
    add_process_noise(world.cov, moved * here, turned * here, waited * seconds, tolerances)


def _went_within(
    world: World, bodies: ShapeTables, row: int, container: int, was: Floats
) -> tuple[float, float]:
    """How far a thing went in what it is in, whose walls keep it in there: then it is no less sure
    where it is."""
    room = bodies.cavity_fits[container, 0] - bodies.half[row].min()
    if sigmas(world.cov[row])[:3].max() > _ROOM * room:
        return 0.0, 0.0
    then, now = (
        compose(inverse(poses[container]), poses[row])[None] for poses in (was, world.pose)
    )
    moved, turned = went(then, now)
    return float(moved[0]), float(turned[0])
