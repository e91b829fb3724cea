"""Hands: what they hold, how what they hold lies in them, and what they move toward.

A hand holds the thing whose surface is within 8 cm of it, and the nearest if there are several,
until that is perceived 30 cm away, or 10 cm where it lies, or another hand has it: between the two
nothing is known, since trackers say where a wrist is rather than where fingers are. But while the
thing still rests where it was, another one that is clearly nearer is what the hand is about: who
reaches into a basket for a ball comes past its rim, and does not take the basket from within. And
another hand that is clearly nearer than this one has been takes it: this one only rested beside it.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from spatial_reasoner.geometry.polygons import Rows
from spatial_reasoner.geometry.poses import Floats, Pose, apply, compose, inverse
from spatial_reasoner.geometry.shapes import Shape
from spatial_reasoner.geometry.surfaces import distance
from spatial_reasoner.kernels.compiled import compiled
from spatial_reasoner.values.tolerances import Tolerances

__all__ = ["NO_HAND", "TOGETHER", "Holding", "at_hand", "hold", "moving_toward"]

Flags = NDArray[np.bool_]

NO_HAND: Final = -1
_HERE: Final[Pose] = np.array([0.0, 0, 0, 0, 0, 0, 1])
_AHEAD: Final = 0.5
"""The cosine of 60°: what is farther aside a hand comes past."""
TOGETHER: Final = 0.25
"""Seconds: what is lost no longer before its hand went out of sight with it."""


@dataclass(frozen=True, slots=True, eq=False)
class Holding:
    """Which row holds each row, NO_HAND if none, and the pose of each thing in its hand, X_HA."""

    holder: Rows
    grip: Floats

    @classmethod
    def none(cls, count: int) -> "Holding":
        """Nobody holds anything."""
        still = np.tile([0.0, 0, 0, 0, 0, 0, 1], (count, 1))
        return cls(np.full(count, NO_HAND, dtype=np.intp), still)

    @property
    def is_empty(self) -> bool:
        """Whether nobody holds anything."""
        return not np.count_nonzero(self.holder != NO_HAND)

    def carried(self, poses: Floats, unseen: Flags) -> tuple[Rows, Floats]:
        """The held rows that are not perceived, and where their hands have taken them."""
        rows = np.flatnonzero((self.holder != NO_HAND) & unseen)
        return rows, compose(poses[self.holder[rows]], self.grip[rows])


def hold(
    shapes: Sequence[Shape | None],
    poses: Floats,
    hands: Rows,
    placed: Flags,
    perceived: Flags,
    covered: Flags,
    graspable: Flags,
    resting: Flags,
    lying: Flags,
    before: Holding,
    tolerances: Tolerances,
) -> Holding:
    """Who holds what now: `hands` are rows, `perceived` those that percepts reached just now.

    Only a thing that is perceived is released, handed over or taken, and what lies `covered` is
    taken; what is held unseen stays held. A hand that is not placed takes nothing. Nearest pairs
    come first; what is `resting` gives way to what is nearer, and a hand has let go of what is
    `lying` a little away from it.
    """
    things = np.flatnonzero((perceived | covered) & placed & graspable)
    if not hands.size or not things.size:
        return before
    far = _distances(shapes, poses, hands, things, tolerances.released)
    holder = before.holder.copy()
    at = {hand: index for index, hand in enumerate(hands.tolist())}
    for index, thing in enumerate(things.tolist()):
        hand = int(holder[thing])
        limit = tolerances.put_down if lying[thing] else tolerances.released
        if hand == NO_HAND:
            continue
        if not perceived[thing]:
            far[at[hand], index] = _was_apart(shapes[thing], before.grip[thing])
        elif far[at[hand], index] > limit:
            holder[thing] = NO_HAND

    def gives(now: int, i: int, k: int) -> bool:
        """Whether the hand that has a thing now has it no more when another one is there."""
        apart = far[at[now], k]
        nearer = lying[things[k]] and far[i, k] + tolerances.nearer < apart
        return bool(apart > tolerances.held or nearer)

    close = np.argwhere((far <= tolerances.held) & placed[hands][:, None])
    for i, k in close[np.argsort(far[close[:, 0], close[:, 1]], kind="stable")].tolist():
        now = int(holder[things[k]])
        if now == hands[i] or (now != NO_HAND and not gives(now, i, k)):
            continue
        if resting[things[k]] and _reaches_into(
            shapes[things[k]], poses[things[k]], poses[hands[i], :3]
        ):
            continue
        mine = holder[things] == hands[i]
        gives_way = mine & resting[things] & (far[i] > far[i, k] + tolerances.nearer)
        if (holder == hands[i]).sum() == gives_way.sum():
            holder[things[gives_way]] = NO_HAND
            holder[things[k]] = hands[i]
    return _gripped(poses, holder, things, perceived, before)


def at_hand(poses: Floats, hands: Rows, reach: Floats) -> Flags:
    """The rows that are as near to one of the hands as `reach` (n) says of each."""
    found = np.zeros(len(poses), dtype=bool)
    _find_at_hand(poses, hands, reach, found)
    return found


@compiled("void(f8[:,:], intp[:], f8[:], b1[:])")
def _find_at_hand(poses: Floats, hands: Rows, reach: Floats, found: Flags) -> None:
    """Says of each row whether a hand is as near to it."""
    for row in range(len(poses)):
        for hand in hands:
            square = 0.0
            for k in range(3):
                square += (poses[row, k] - poses[hand, k]) ** 2
            found[row] |= square <= reach[row] ** 2


def moving_toward(
    hands: Floats,
    velocities: Floats,
    centres: Floats,
    tolerances: Tolerances,
) -> Flags:
    """Which hands (h, 3), at some velocities, move toward which things (n, 3): (h, n).

    What the hand moves away from is behind it, outside the cone; and what it comes past is beside
    it by then.
    """
    approached = np.zeros((len(hands), len(centres)), dtype=bool)
    _find_approached(
        hands, velocities, centres, tolerances.reaching_speed, tolerances.reaching_distance,
        math.cos(tolerances.reaching_cone), tolerances.reaching_beside, approached,
    )  # fmt: skip
    return approached


@compiled("void(f8[:,:], f8[:,:], f8[:,:], f8, f8, f8, f8, b1[:,:])")
def _find_approached(
    hands: Floats,
    velocities: Floats,
    centres: Floats,
    least_speed: float,
    distance: float,
    cone: float,
    beside: float,
    approached: Flags,
) -> None:
    """Says which fast hands move toward what is within a distance, and in a cone before them, or
    within so much beside their way."""
    for h in range(len(hands)):
        x, y, z = velocities[h, 0], velocities[h, 1], velocities[h, 2]
        speed = math.sqrt(x * x + y * y + z * z)
        if speed <= least_speed:
            continue
        for n in range(len(centres)):
            square, toward = 0.0, 0.0
            for k in range(3):
                away = centres[n, k] - hands[h, k]
                square += away * away
                toward += away * velocities[h, k]
            ahead = toward / speed
            aside = max(square - ahead * ahead, 0.0)
            within = ahead >= cone * math.sqrt(square)
            within |= ahead >= _AHEAD * math.sqrt(square) and aside <= beside * beside
            approached[h, n] = within and square < distance * distance


def _distances(
    shapes: Sequence[Shape | None], poses: Floats, hands: Rows, things: Rows, far: float
) -> Floats:
    """From each hand to the surface of each thing; infinite where it is farther than `far`."""
    held = [shapes[thing] for thing in things.tolist()]
    radius = np.array([shape.radius + _offset(shape) if shape else -np.inf for shape in held])
    away = poses[hands][:, None, :3] - poses[things][None, :, :3]
    near = np.sqrt((away * away).sum(axis=2)) <= radius + far
    distances = np.full(near.shape, np.inf)
    for i, k in np.argwhere(near).tolist():
        shape = held[k]
        if shape is not None:
            distances[i, k] = distance(shape, poses[things[k]], poses[hands[i], :3])
    return distances


def _was_apart(shape: Shape | None, grip: Pose) -> float:
    """How far a hand was from the surface of a thing when it had it in a grip."""
    if shape is None:
        return np.inf
    return distance(shape, _HERE, inverse(grip)[:3])


def _reaches_into(shape: Shape | None, pose: Floats, hand: Floats) -> bool:
    """Whether a hand is between the walls of a container, and so about what is in there."""
    if shape is None or shape.cavity is None:
        return False
    at = apply(inverse(pose), hand)
    return bool((shape.cavity.low <= at).all() and (at <= shape.cavity.high).all())


def _offset(shape: Shape) -> float:
    return float(np.sqrt(shape.centre @ shape.centre))


def _gripped(
    poses: Floats, holder: Rows, things: Rows, perceived: Flags, before: Holding
) -> Holding:
    """How things lie in their hands: as they are perceived together, or as they were taken."""
    held = things[holder[things] != NO_HAND]
    hands = holder[held]
    renewed = perceived[hands] & perceived[held] | (before.holder[held] != hands)
    held, hands = held[renewed], hands[renewed]
    grip = before.grip.copy()
    grip[held] = compose(inverse(poses[hands]), poses[held])
    return Holding(holder, grip)
