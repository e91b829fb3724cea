"""Whether what is missed would be perceived, for what is known by points and not by its looks.

These are the parts of agents, and things with groups of points on them: a tag is read when all of
its corners are seen, so a thing with tags is hidden when something is before a point of each.
"""

from typing import Final

import numpy as np

from spatial_reasoner.belief.missing import Looked, may_be_missed
from spatial_reasoner.belief.parts import Onlookers
from spatial_reasoner.belief.world import World
from spatial_reasoner.geometry.poses import Pose, apply
from spatial_reasoner.relations.viewpoint import in_field
from spatial_reasoner.sight.lines_of_sight import Obstacles, are_clear

__all__ = ["TAG", "look_for_points", "obstacles_of"]

TAG: Final = 0.01
"""A tag may lie so deep in its thing's own body: bodies are simplified."""


def look_for_points(world: World, looked: Looked, onlookers: Onlookers, owner: int) -> None:
    """Writes down what the owner of a world, who is there, would see of the points he misses."""
    roster, absent = world.roster, may_be_missed(world)
    eye, fov = world.pose[roster.heads[owner]], roster.agents[owner].fov
    parts = absent & roster.is_part & (roster.owner != owner)
    if parts.any():
        parts[parts] = in_field(eye, fov, world.pose[parts, :3])
        shown = onlookers.shown(world, owner, parts)
        looked.in_view[parts], looked.shows[parts] = True, shown[parts]
    for row in np.flatnonzero(absent & roster.has_points).tolist():
        looked.in_view[row], looked.shows[row] = _tags(world, owner, row, eye, fov)


def _tags(
    world: World, owner: int, row: int, eye: Pose, fov: tuple[float, float]
) -> tuple[bool, bool]:
    """Whether a group of points of a thing is in view, and whether one is with none hidden."""
    entity = world.roster.entities[row]
    groups = [] if entity is None else list(entity.points.values())
    placed = [apply(world.pose[row], points) for points in groups]
    inside = [points for points in placed if in_field(eye, fov, points).all()]
    there = obstacles_of(world, owner)
    clear = (are_clear(eye[:3], each, np.full(len(each), TAG), there).all() for each in inside)
    return bool(inside), any(clear)


def obstacles_of(world: World, owner: int) -> Obstacles:
    """All that hides something from somebody: his own body does not."""
    roster = world.roster
    solid = world.placed & roster.is_opaque
    if owner in roster.bodies:
        solid[roster.bodies[owner]] = False
    return Obstacles(world.shapes, world.pose, roster.radii, np.flatnonzero(solid))
