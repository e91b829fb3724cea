"""Where a thing may lie and not show: in its container, or near to where a hand took it.

What was seen to go into a box bounces, rolls and tips over in it as nobody can foretell. When it
should show there and does not, it lies somewhere else in there, if some place is hidden: by a wall,
in a corner, on its side. That is tried once, and again when the container was moved, in which it
rolls about: who doesn't find it there either knows no more where it is.

What a hand took out of sight, and came back without, was left a little farther than where it was
seen last: at the nearest place of the same support that something hides, if one is near. Where it
would be only just hidden, and does not show either, it is deeper behind that.
"""

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Final

import numpy as np

from spatial_reasoner.belief.occluders import points_of
from spatial_reasoner.belief.pointwise import obstacles_of
from spatial_reasoner.belief.world import World
from spatial_reasoner.geometry.arrays import Flags, Floats
from spatial_reasoner.geometry.poses import Pose, apply, compose, inverse, rotations
from spatial_reasoner.geometry.shapes import Shape
from spatial_reasoner.relations.relations import NOWHERE, Relations, innermost
from spatial_reasoner.sight.lines_of_sight import NO_ROW, first_met

__all__ = ["Nooks"]

_GAP: Final = 0.002
"""Metres: so far from walls and floor it is laid down; then it comes to rest by itself."""
_ROOMS: Final = (1.25, 1.75, 2.5)
"""So much larger it must still be hidden: it rolls a little, and its edges show first."""
_MOVED: Final = 0.02
"""Metres: what went so far is another place for what lies in it."""
_UPRIGHT: Final = 0.7
"""Out of what is tilted farther (45°) things fall."""
_RINGS: Final = np.arange(0.03, 0.46, 0.03)
"""Metres: so far around it something is looked for that a hand took farther than was seen."""
_WAYS: Final = 16
_NEVER: Final[Pose] = np.full(7, np.inf)
_H: Final = math.sqrt(0.5)
_UP: Final = ((0.0, 0.0, 0.0, 1.0), (0.0, -_H, 0.0, _H), (_H, 0.0, 0.0, _H))
"""Turns that have the z, x or y axis of a thing point up."""
_ROUND: Final = ((0.0, 0.0, 0.0, 1.0), (0.0, 0.0, _H, _H))
"""Turns about that: along a wall, and across."""


class Nooks:
    """The nooks of one world, where what is missing is believed to lie."""

    def __init__(self) -> None:
        self._sought: Final[dict[int, tuple[Pose, int]]] = {}
        """For which things one was sought unperceived, where the container was then, and how often
        it has been."""
        self._brought: Final[dict[int, Floats]] = {}
        """Where all was when a hand brought each thing out of sight."""

    def seek(
        self, world: World, owner: int, rows: Flags, relations: Relations, brought: Flags
    ) -> Flags:
        """Lays rows that don't show where they are where they would not; which ones.

        They are looked for in what they are in, and, if a hand `brought` them out of sight, on what
        they are on.
        """
        for row in [row for row in self._sought if world.fresh[row]]:
            del self._sought[row]
        for row in [row for row in self._brought if not brought[row]]:
            del self._brought[row]
        for row in np.flatnonzero(brought).tolist():
            self._brought.setdefault(row, world.pose[:, :3].copy())
        found, container = np.zeros(len(rows), dtype=bool), innermost(relations.inside)
        base = np.where(relations.on.any(axis=1), relations.on.argmax(axis=1), NOWHERE)
        base = np.where(container != NOWHERE, container, np.where(brought, base, NOWHERE))
        for row in np.flatnonzero(rows & (base != NOWHERE)).tolist():
            at = world.pose[base[row]]
            is_in = container[row] != NOWHERE
            before, times = self._sought.get(row, (_NEVER, 0))
            if math.dist(before[:3], at[:3]) >= _MOVED:
                times = 0
            if times >= (1 if is_in else len(_ROOMS)):
                continue
            self._sought[row] = at.copy(), times + 1
            places = (_within if is_in else _beside)(world, row, int(base[row]))
            hiders = self._hiders(world, row)
            nook = _hidden(world, owner, row, places, _ROOMS[times], hiders)
            if nook is not None:
                world.pose[row], found[row] = nook, True
        return found

    def _hiders(self, world: World, row: int) -> Flags:
        """What may hide a thing: where something stands only now a hand did not bring it behind."""
        hides = np.ones(len(world.pose), dtype=bool)
        hides[row] = False
        then = self._brought.get(row)
        if then is not None:
            ways = world.pose[: len(then), :3] - then
            hides[: len(then)] &= np.sqrt((ways * ways).sum(axis=1)) < _MOVED
        return hides


def _hidden(
    world: World, owner: int, row: int, places: Floats, room: float, hiders: Flags
) -> Pose | None:
    """The nearest of some places where a thing would not show at all, were it so much larger."""
    away = np.linalg.norm(places[:, :3] - world.pose[row, :3], axis=1)
    eye, there = world.pose[world.roster.heads[owner], :3], obstacles_of(world, owner)
    others = replace(there, rows=there.rows[hiders[there.rows]])
    for k in np.argsort(away, kind="stable").tolist():
        points = places[k, :3] + room * (points_of(world, row, places[k]) - places[k, :3])
        met = first_met(eye, points, np.zeros(len(points)), NO_ROW, others)
        if (met != NO_ROW).all():
            nook: Pose = places[k]
            return nook
    return None


def _within(world: World, row: int, container: int) -> Floats:
    """Where a thing may lie in a container: in the middle and at the walls, on every side."""
    shape, vessel, at = world.shapes[row], world.shapes[container], world.pose[container]
    if shape is None or vessel is None or rotations(at)[2, 2] < _UPRIGHT:
        return np.empty((0, 7))
    as_now = compose(inverse(at), world.pose[row])
    sides = [compose(_turn(about), _turn(up)) for up in _UP for about in _ROUND]
    turns = [as_now] if shape.kind == "sphere" else [as_now, *sides]
    found = [place for turn in turns for place in _laid(shape, vessel, turn)]
    return compose(at, np.array(found).reshape(-1, 7))


def _laid(shape: Shape, vessel: Shape, turn: Pose) -> Iterator[Floats]:
    """Places on the floor of a container for a thing turned so, in the frame of the container."""
    assert vessel.cavity is not None
    turned = rotations(turn)
    ball = np.full(3, shape.half[0])
    half = _GAP + (ball if shape.kind == "sphere" else np.abs(turned) @ shape.half)
    middle = (vessel.cavity.low + vessel.cavity.high) / 2
    room = (vessel.cavity.high - vessel.cavity.low)[:2] / 2 - half[:2]
    if (room < 0).any():
        return
    for shares in product((-1, 0, 1), repeat=2):
        place = room * shares
        floor = vessel.cavity.floor_at(place)
        if not math.isnan(floor):
            centre = np.array([*(middle[:2] + place), floor + half[2]])
            yield np.array([*(centre - turned @ shape.centre), *turn[3:]])


def _beside(world: World, row: int, support: int) -> Floats:
    """Where a thing may stand around where it is, on the same support, and touch nothing else."""
    shape = world.shapes[row]
    if shape is None:
        return np.empty((0, 7))
    far, around = np.meshgrid(_RINGS, np.arange(_WAYS) * 2 * math.pi / _WAYS)
    places = np.tile(world.pose[row], (far.size, 1))
    places[:, 0] += (far * np.cos(around)).ravel()
    places[:, 1] += (far * np.sin(around)).ravel()
    solid = world.placed & ~world.roster.is_part
    others = [k for k in np.flatnonzero(solid).tolist() if k not in (row, support)]
    free = [_is_over(world, support, places)]
    free += [_is_clear(world, other, places, shape) for other in others]
    found: Floats = places[np.logical_and.reduce(free)]
    return found


def _is_over(world: World, support: int, places: Floats) -> Flags:
    """Which places are over a support, and not beyond its edges; the ground has none."""
    shape = world.shapes[support]
    if shape is None or shape.kind == "plane":
        return np.ones(len(places), dtype=bool)
    at = apply(inverse(world.pose[support]), places[:, :3]) - shape.centre
    over: Flags = np.logical_and.reduce(np.abs(at[:, :2]) <= shape.half[:2], axis=1)
    return over


def _is_clear(world: World, other: int, places: Floats, shape: Shape) -> Flags:
    """Which places are beside, above or below another thing's box, by a ball's width at least."""
    its = world.shapes[other]
    if its is None or its.kind == "plane":
        return np.ones(len(places), dtype=bool)
    at = apply(inverse(world.pose[other]), places[:, :3]) - its.centre
    wide = float(shape.half[:2].max())
    beside: Flags = np.logical_or.reduce(np.abs(at) > its.half + wide, axis=1)
    return beside


def _turn(quaternion: tuple[float, ...]) -> Pose:
    return np.array([0, 0, 0, *quaternion])
