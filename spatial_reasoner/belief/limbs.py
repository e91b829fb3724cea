"""Arms, as what they hide: from shoulder to elbow, and from there to the tips of the fingers.

Nobody draws them, for trackers tell no more of them than where hands are, and elbows at best. So it
is asked only of what is missing though it should show, whether an arm is before it.
"""

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from spatial_reasoner.belief.company import HANDS
from spatial_reasoner.belief.shoulders import heading, shoulders_of
from spatial_reasoner.belief.world import World
from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.geometry.poses import compose
from spatial_reasoner.geometry.shapes import cylinder
from spatial_reasoner.sight.lines_of_sight import Obstacles

__all__ = ["with_arms"]

_THICK: Final = 0.06
_FINGERS: Final = 0.12
"""Metres from the wrist."""
_NECK: Final = np.array([0.0, 0, -0.3])
"""From the head to where the arms of those begin of whom nothing is known."""
_SHORT: Final = 0.05


def with_arms(there: Obstacles, world: World) -> Obstacles:
    """Some obstacles and all arms: a forearm has the row of its hand, the rest the elbow's."""
    shapes, poses, radii = list(there.shapes), there.poses.copy(), there.radii.copy()
    rows = there.rows.tolist()
    for row, begin, end in _arms(world):
        length = math.dist(begin, end)
        if length > _SHORT:
            shapes[row], poses[row] = cylinder(_THICK, length), _along(begin, end)
            radii[row] = length / 2 + _THICK
            rows.append(row)
    return replace(there, shapes=shapes, poses=poses, radii=radii, rows=np.array(rows, np.intp))


def _arms(world: World) -> Iterator[tuple[int, Floats, Floats]]:
    """The parts of the arms that are known: a row, and from where to where it goes."""
    for number, agent in enumerate(world.roster.agents):
        head = world.roster.heads[number]
        for hand, bend in HANDS:
            wrist, elbow = (world.roster.part(agent.name, part) for part in (hand, bend))
            if not (world.placed[wrist] and world.placed[head]):
                continue
            last = world.pose[head, :3] + _NECK
            upright, shoulders = heading(world.pose[head]), shoulders_of(agent)
            own = [shoulders[side] for side in shoulders if hand.startswith(side)]
            if upright is not None and own:
                last = compose(upright, own[0])[:3]
            if world.placed[elbow]:
                yield elbow, last, world.pose[elbow, :3]
                last = world.pose[elbow, :3]
            tips = world.pose[wrist, :3] - last
            tips = tips * (1.0 + _FINGERS / max(float(np.linalg.norm(tips)), _SHORT))
            yield wrist, last, last + tips


def _along(begin: Floats, end: Floats) -> Floats:
    """A pose in the middle, whose z axis goes from the one to the other."""
    x, y, z = ((end - begin) / np.linalg.norm(end - begin)).tolist()
    turn = np.array([-y, x, 0.0, 1.0 + z]) if z > -1.0 + 1e-9 else np.array([1.0, 0, 0, 0])
    return np.array([*((begin + end) / 2), *(turn / np.linalg.norm(turn))])
