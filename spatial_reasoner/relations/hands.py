"""Hands: which objects they hold, the pose of each object in its hand, and what they reach for.

| event | what happens |
|---|---|
| the surface of an object is within `held` (8 cm) of a free hand | it holds the nearest one |
| the held object is perceived farther than `released` (30 cm) | it is released |
| it is perceived at rest on or in something, farther than `put_down` (10 cm) | it is released |
| it rests, and another object is nearer by `nearer` (2 cm) | the hand holds that one instead |
| it lies, and another hand is nearer by `nearer` | that hand holds it |
| it is farther than `held` from its hand, and another hand is within `held` | that hand holds it |

Between `held` and `released` nothing changes, because trackers report the pose of a wrist and not
of fingers. An object that rests gives way because a hand that reaches into a basket for a ball
passes the rim of the basket first. A hand between the walls of a container does not hold it.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from spatial_reasoner.geometry.arrays import Flags, Floats, Rows
from spatial_reasoner.geometry.columns import enlarged
from spatial_reasoner.geometry.poses import IDENTITY, Pose, apply, compose, inverse
from spatial_reasoner.geometry.shapes import Shape
from spatial_reasoner.geometry.surface_distances import distance
from spatial_reasoner.kernels.compiled import compiled
from spatial_reasoner.tolerances.tolerances import Tolerances

__all__ = ["NO_HAND", "Holding", "Workspace", "at_hand", "hold", "moving_toward"]

NO_HAND: Final = -1


@dataclass(frozen=True, slots=True, eq=False)
class Holding:
    """The hand that holds each row (NO_HAND if none), and the pose of each object in it, X_HA."""

    holder: Rows
    grip: Floats

    @classmethod
    def none(cls, count: int) -> "Holding":
        """No hand holds an object."""
        still = np.tile(IDENTITY, (count, 1))
        return cls(np.full(count, NO_HAND, dtype=np.intp), still)

    def grown(self, count: int) -> "Holding":
        """The same with more rows, which no hand holds."""
        holder = enlarged(self.holder, (count,), NO_HAND)
        return Holding(holder, enlarged(self.grip, (count, 7), IDENTITY))

    @property
    def is_empty(self) -> bool:
        """Whether no hand holds an object."""
        return not np.count_nonzero(self.holder != NO_HAND)

    def carried(self, poses: Floats, unseen: Flags) -> tuple[Rows, Floats]:
        """The held rows that are not perceived, and their poses as carried by their hands."""
        rows = np.flatnonzero((self.holder != NO_HAND) & unseen)
        return rows, compose(poses[self.holder[rows]], self.grip[rows])


@dataclass(frozen=True, slots=True, eq=False)
class Workspace:
    """All that hands may hold, and the hands themselves, which are rows, too."""

    shapes: Sequence[Shape | None]
    poses: Floats
    hands: Rows
    placed: Flags
    perceived: Flags
    """The rows with a new percept."""
    covered: Flags
    """The objects that only a hand may occlude."""
    graspable: Flags
    resting: Flags
    """The objects that are on something."""
    lying: Flags
    """The objects that are on or in something and would stay there."""


def hold(there: Workspace, before: Holding, tolerances: Tolerances) -> Holding:
    """Which hand holds which object now.

    - Only a perceived object is released, or held by another hand. An object that is held stays
      held while it is occluded. An object that lies `covered` can be grasped.
    - A hand without a pose does not grasp.
    - The nearest pairs are decided first. A `resting` object gives way to a nearer one, and an
      object that is `lying` is released at a smaller distance.
    """
    poses, hands, perceived = there.poses, there.hands, there.perceived
    resting, lying = there.resting, there.lying
    things = np.flatnonzero((perceived | there.covered) & there.placed & there.graspable)
    if not hands.size or not things.size:
        return before
    far = _distances(there, things, tolerances.released)
    holder = before.holder.copy()
    at = {hand: index for index, hand in enumerate(hands.tolist())}
    for index, thing in enumerate(things.tolist()):
        hand = int(holder[thing])
        limit = tolerances.put_down if lying[thing] else tolerances.released
        if hand == NO_HAND:
            continue
        if not perceived[thing]:
            far[at[hand], index] = _was_apart(there.shapes[thing], before.grip[thing])
        elif far[at[hand], index] > limit:
            holder[thing] = NO_HAND

    def gives(now: int, i: int, k: int) -> bool:
        """Whether the present hand loses object k to hand i: it is away, or clearly farther."""
        apart = far[at[now], k]
        nearer = lying[things[k]] and far[i, k] + tolerances.nearer < apart
        return bool(apart > tolerances.held or nearer)

    close = np.argwhere((far <= tolerances.held) & there.placed[hands][:, None])
    for i, k in close[np.argsort(far[close[:, 0], close[:, 1]], kind="stable")].tolist():
        now = int(holder[things[k]])
        if now == hands[i] or (now != NO_HAND and not gives(now, i, k)):
            continue
        if resting[things[k]] and _reaches_into(
            there.shapes[things[k]], poses[things[k]], poses[hands[i], :3]
        ):
            continue
        mine = holder[things] == hands[i]
        gives_way = mine & resting[things] & (far[i] > far[i, k] + tolerances.nearer)
        if (holder == hands[i]).sum() == gives_way.sum():
            holder[things[gives_way]] = NO_HAND
            holder[things[k]] = hands[i]
    return _gripped(there, holder, things, before)


def at_hand(poses: Floats, hands: Rows, reach: Floats) -> Flags:
    """The rows that are within `reach` (n), in metres, of one of the hands."""
    found = np.zeros(len(poses), dtype=bool)
    _find_at_hand(poses, hands, reach, found)
    return found


@compiled("void(f8[:,:], intp[:], f8[:], b1[:])")
def _find_at_hand(poses: Floats, hands: Rows, reach: Floats, found: Flags) -> None:
    """Sets for each row whether a hand is within its reach."""
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
    """Which hands (h, 3), at some velocities, move toward which objects (n, 3): (h, n).

    The objects are those in a cone around the direction of motion. Objects that a hand leaves are
    behind it, and objects that it passes are beside it.
    """
    approached = np.zeros((len(hands), len(centres)), dtype=bool)
    _find_approached(
        hands, velocities, centres, tolerances.reaching_speed, tolerances.reaching_distance,
        math.cos(tolerances.reaching_cone), tolerances.reaching_beside,
        math.cos(tolerances.reaching_ahead), approached,
    )  # fmt: skip
    return approached


@compiled("void(f8[:,:], f8[:,:], f8[:,:], f8, f8, f8, f8, f8, b1[:,:])")
def _find_approached(
    hands: Floats,
    velocities: Floats,
    centres: Floats,
    least_speed: float,
    distance: float,
    cone: float,
    beside: float,
    least_ahead: float,
    approached: Flags,
) -> None:
    """Sets which hands faster than `least_speed` (m/s) move toward which objects.

    These are nearer than `distance` (m), and in the cone (a cosine), or at most `beside` (m) from
    the line of motion and within the angle with the cosine `least_ahead`.
    """
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
            # Along the motion: d · v / |v|; across it: √(|d|² − ahead²)
            ahead = toward / speed
            aside = max(square - ahead * ahead, 0.0)
            within = ahead >= cone * math.sqrt(square)
            within |= ahead >= least_ahead * math.sqrt(square) and aside <= beside * beside
            approached[h, n] = within and square < distance * distance


def _distances(there: Workspace, things: Rows, far: float) -> Floats:
    """The distance of each hand from the surface of each object; infinite beyond `far` (m)."""
    poses, hands = there.poses, there.hands
    held = [there.shapes[thing] for thing in things.tolist()]
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
    """The distance of a hand from the surface of an object in a given grip."""
    if shape is None:
        return np.inf
    return distance(shape, IDENTITY, inverse(grip)[:3])


def _reaches_into(shape: Shape | None, pose: Floats, hand: Floats) -> bool:
    """Whether a hand is between the walls of a container, so it reaches for the contents."""
    if shape is None or shape.cavity is None:
        return False
    at = apply(inverse(pose), hand)
    return bool((shape.cavity.low <= at).all() and (at <= shape.cavity.high).all())


def _offset(shape: Shape) -> float:
    return float(np.sqrt(shape.centre @ shape.centre))


def _gripped(there: Workspace, holder: Rows, things: Rows, before: Holding) -> Holding:
    """The poses of objects in their hands, updated when both are perceived, or on a grasp."""
    poses, perceived = there.poses, there.perceived
    held = things[holder[things] != NO_HAND]
    hands = holder[held]
    renewed = perceived[hands] & perceived[held] | (before.holder[held] != hands)
    held, hands = held[renewed], hands[renewed]
    grip = before.grip.copy()
    grip[held] = compose(inverse(poses[hands]), poses[held])
    return Holding(holder, grip)
