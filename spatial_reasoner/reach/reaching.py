"""Computes whether an arm can reach one object, past all obstacles.

Arms and objects are solid, transparent objects included. Other agents do not block. The seat of an
agent and the objects that the agent holds do not block either.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from spatial_reasoner.dynamics.bullet import Bullet
from spatial_reasoner.dynamics.bullet_arms import Arm
from spatial_reasoner.geometry.arrays import Flags, Floats, Rows
from spatial_reasoner.geometry.poses import Pose
from spatial_reasoner.geometry.shapes import Shape
from spatial_reasoner.geometry.surface_distances import distance
from spatial_reasoner.kernels.compiled import compiled
from spatial_reasoner.reach.grasps import grasp, nearest_point
from spatial_reasoner.reach.postures import APPROACHES, Approach, Postures
from spatial_reasoner.tolerances.reach import ReachTolerances
from spatial_reasoner.tolerances.units import Measure, Numeric
from spatial_reasoner.values.rendering import NOTHING

__all__ = ["Limb", "Reached", "Reaching", "Room", "passed_through"]

_DOWN: Final = np.array([0.0, 0, -1])
_BODY: Final[tuple[Measure, ...]] = (0.0, 0.2, 0.4, 0.6)
"""Metres below the shoulders: points of a trunk, from the shoulders to the hips."""
_STEEP: Final[Numeric] = 0.99
"""The height of a steep unit vector: then x and z determine a perpendicular more exactly."""
_STEPS: Final = 20
"""Iterations of inverse kinematics, from the posture of a cell to the exact place."""
_NOBODY: Final[Rows] = np.zeros(0, dtype=np.intp)


@dataclass(frozen=True, slots=True, eq=False)
class Limb:
    """One arm of an agent: its length, and the pose and rotation of its shoulder in the world."""

    postures: Postures
    length: float
    shoulder: Pose
    turn: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Room:
    """The geometry of all rows: a shape at a pose, and its bounding sphere, (n, 3) and (n).

    `turns` (n, 3, 3) are the rotation matrices of the poses; `solid` marks the rows with a body.
    """

    shapes: Sequence[Shape | None]
    poses: Floats
    turns: Floats
    middles: Floats
    radii: Floats
    solid: Flags


@dataclass(frozen=True, slots=True, eq=False)
class Reached:
    """Whether an object is within reach, at which effort, and what the answer depends on.

    The answer becomes invalid if something enters the box between `low` and `high`, or if one of
    the rows in `blockers` moves.
    """

    can: bool
    effort: float = 0.0
    low: Floats = field(default_factory=lambda: np.full(3, np.inf))
    high: Floats = field(default_factory=lambda: np.full(3, -np.inf))
    blockers: Rows = field(default_factory=lambda: _NOBODY)


class Reaching:
    """Answers questions about one room, which is already arranged in `bullet`."""

    def __init__(
        self, bullet: Bullet, room: Room, tolerances: ReachTolerances, passing: Flags
    ) -> None:
        self._bullet: Final = bullet
        self._room: Final = room
        self._tolerances: Final = tolerances
        self._around: Final = room.solid & ~passing
        self.tried = 0
        """How many postures were tried so far."""

    def reach(
        self, limbs: Sequence[Limb], row: int, rests: Collection[int], stays: bool
    ) -> Reached:
        """Returns whether one of the limbs reaches a row; `rests` are its supports and containers.

        `stays` says that it was within reach before, so that the wider tolerances apply.
        """
        blockers: set[int] = set()
        nearest = self._nearest(limbs, row, stays)
        box = self._box(row)
        for limb, near in nearest:
            for approach in APPROACHES:
                origin, tolerances = limb.shoulder[:3], self._tolerances
                place = grasp(self._bullet, row, box, near, origin, approach, tolerances)
                if place is None or self._too_far(limb, place, stays):
                    continue
                found = self._by(limb, row, place, approach, rests, stays, blockers)
                if found is not None:
                    return found
        return Reached(False, blockers=np.array(sorted(blockers), dtype=np.intp))

    def _nearest(self, limbs: Sequence[Limb], row: int, stays: bool) -> list[tuple[Limb, Floats]]:
        """The limbs that are long enough, nearest first, each with the nearest point of the
        object."""
        room, shape = self._room, self._room.shapes[row]
        assert shape is not None
        place, turn, near = room.poses[row, :3], room.turns[row], room.middles[row]
        most = self._tolerances.arm_beyond[stays] + room.radii[row]
        limbs = [limb for limb in limbs if _apart(near, limb.shoulder[:3]) <= limb.length + most]
        pairs = [(limb, nearest_point(shape, place, turn, limb.shoulder[:3])) for limb in limbs]
        pairs = [(limb, near) for limb, near in pairs if not self._too_far(limb, near, stays)]
        return sorted(pairs, key=lambda pair: _apart(pair[1], pair[0].shoulder[:3]))

    def _too_far(self, limb: Limb, place: Floats, stays: bool) -> bool:
        return _apart(place, limb.shoulder[:3]) > limb.length + self._tolerances.arm_beyond[stays]

    def _box(self, row: int) -> tuple[Floats, Floats]:
        room, shape = self._room, self._room.shapes[row]
        assert shape is not None
        extent = np.abs(room.turns[row]) @ shape.half
        return room.middles[row] - extent, room.middles[row] + extent

    def _by(
        self,
        limb: Limb,
        row: int,
        place: Floats,
        approach: Approach,
        rests: Collection[int],
        stays: bool,
        blockers: set[int],
    ) -> Reached | None:
        """Returns the first collision-free posture of a limb for a place, by effort.

        The obstacles of the other postures are added to `blockers`.
        """
        arm = limb.postures.arm
        at = (place - limb.shoulder[:3]) @ limb.turn
        for seed in limb.postures.near(at, approach, -limb.turn[2]):
            self.tried += 1
            arm.stand(limb.shoulder)
            joints, miss = arm.solve(place, seed, _STEPS)
            if miss > self._tolerances.grasp_miss[stays]:
                continue
            begin, box = self._room_taken(arm, place)
            met = self._met(arm, row, box, rests, stays)
            met = met or self._on_the_way(row, begin, place, box, stays)
            if not met:
                effort = limb.postures.effort(joints)
                return Reached(True, effort, *box, np.array(sorted(blockers), dtype=np.intp))
            blockers |= met
        return None

    def _room_taken(self, arm: Arm, place: Floats) -> tuple[Floats, tuple[Floats, Floats]]:
        """The point at which the hand starts its approach, and the bounding box of arm and
        approach."""
        _, way = arm.pointing()
        begin = place - way * (arm.form.hand_length + self._tolerances.approach)
        low, high = arm.box()
        return begin, (np.minimum(low, begin), np.maximum(high, begin))

    def _met(
        self,
        arm: Arm,
        row: int,
        box: tuple[Floats, Floats],
        rests: Collection[int],
        stays: bool,
    ) -> set[int]:
        """The rows that the arm, in its present posture, penetrates beyond the tolerance."""
        clear = self._tolerances.arm_bump[stays]
        met = set()
        for bump in arm.bumps(self._within(box)):
            hand = clear
            if bump.row == row:
                hand = np.inf
            elif bump.row in rests:
                hand = max(clear, self._tolerances.hand_bump)
            if bump.arm > clear or bump.hand > hand:
                met.add(bump.row)
        return met

    def _on_the_way(
        self, row: int, begin: Floats, end: Floats, box: tuple[Floats, Floats], stays: bool
    ) -> set[int]:
        """The rows that block the straight approach; if the object was in reach, only its
        central ray."""
        others = [other for other in self._within(box) if other != row]
        if not others:
            return set()
        tolerances = self._tolerances
        way = end - begin
        way /= np.sqrt(way @ way)
        starts, ends = [begin], [end - tolerances.approach_short * way]
        if not stays:
            for side in _sides(way):
                starts.append(begin + tolerances.approach_breadth * side)
                ends.append(end + tolerances.approach_breadth * side - tolerances.fingers * way)
        met, _ = self._bullet.rays(np.array(starts), np.array(ends), rows=others)
        return set(met[met != NOTHING].tolist())

    def _within(self, box: tuple[Floats, Floats]) -> list[int]:
        """The obstacles near a box, by their bounding spheres."""
        room, grown, close = self._room, self._tolerances.approach_breadth, self._around.copy()
        low, high = box
        _leave_close(room.middles, room.radii, low - grown, high + grown, close)
        return np.flatnonzero(close).tolist()


@compiled("void(f8[:,:], f8[:], f8[:], f8[:], b1[:])")
def _leave_close(middles: Floats, radii: Floats, low: Floats, high: Floats, close: Flags) -> None:
    """Clears the flags of the bounding spheres that do not touch a box."""
    for row in range(len(middles)):
        # Squared distance from the sphere's centre to the box; it touches if d² ≤ r².
        square = 0.0
        for k in range(3):
            at = middles[row, k]
            square += (min(max(at, low[k]), high[k]) - at) ** 2
        close[row] &= square <= radii[row] ** 2


def passed_through(room: Room, limbs: Sequence[Limb], tolerances: ReachTolerances) -> Flags:
    """The rows that an agent with these limbs sits in, leans against or is mounted on.

    A seat that is modelled as a solid box contains its user.
    """
    found = np.zeros(len(room.solid), dtype=bool)
    places = np.array([limb.shoulder[:3] for limb in limbs])
    body = places.mean(axis=0) + np.outer(_BODY, _DOWN)
    points = np.concatenate([places, body])
    near = np.concatenate([np.full(len(places), tolerances.arm_mount), np.zeros(len(body))])
    away = room.middles - points[:, None]
    close = np.sqrt(np.einsum("prk,prk->pr", away, away)) <= room.radii + near[:, None]
    for row in np.flatnonzero(close.any(axis=0) & room.solid).tolist():
        shape = room.shapes[row]
        found[row] = shape is not None and any(
            distance(shape, room.poses[row], points[k]) <= near[k]
            for k in np.flatnonzero(close[:, row]).tolist()
        )
    return found


def _sides(way: Floats) -> list[Floats]:
    """Four unit vectors perpendicular to a direction."""
    x, y, z = way.tolist()
    if abs(z) > _STEEP:
        one = np.array([z, 0.0, -x]) / np.hypot(x, z)
    else:
        one = np.array([-y, x, 0.0]) / np.hypot(x, y)
    a, b, c = one.tolist()
    two = np.array([y * c - z * b, z * a - x * c, x * b - y * a])
    return [one, -one, two, -two]


def _apart(one: Floats, other: Floats) -> float:
    away = one - other
    return float(np.sqrt(away @ away))
