"""Where things are as seen from somebody: left, right, in front, behind, near, pointed at, in view.

Everybody is set upright first, by the smallest turn that brings the top of the head up: so front
and left are right also for who leans, lies on the back, the face or a side, and don't swap when the
head rolls. All is decided by projections on axes; no angle is ever computed, so none wraps around.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from spatial_reasoner.poses import Floats, Pose, rotations
from spatial_reasoner.tolerances import Tolerances

__all__ = ["FOUR", "directions", "fronts", "in_field", "near", "pointing"]

Flags = NDArray[np.bool_]

FOUR: Final[Floats] = np.radians([90.0, -90.0, 0.0, 180.0])
"""Left, right, front, behind: their bearings from the front, to the left."""
FOUR.flags.writeable = False

_UPSIDE_DOWN: Final = 1 - np.cos(np.radians(5))
"""Within 5° of upside down every turn to upright is about as small, so the front says nothing."""
_UNDERFOOT: Final = 0.05
"""What is nearer on the ground is above or below, and noise alone gives it a direction."""
_WIDEST: Final = np.radians(89.0)
"""Half of the widest field that a flat picture can have."""
_STEEP: Final = (0.3, 0.6)
"""How long a front of length one is on the plan: below 0.3 it points up or down, above 0.6 it does
not."""
_FOREARM: Final = 0.05
"""Elbow and wrist that are nearer to each other give no line."""


def directions(
    heads: Floats,
    centres: Floats,
    before: Flags,
    tolerances: Tolerances,
    bearings: Floats = FOUR,
) -> Flags:
    """In which regions around agents (a, 7) the middles of things (n, 3) lie: (a, n, k).

    Each region is half as wide to each side of its axis as `tolerances.direction` says; with the
    defaults they overlap, so that diagonals hold two. Who is upside down, and what is right above
    or below, keeps the directions it had.
    """
    front, clear = fronts(heads)
    left = np.stack([-front[:, 1], front[:, 0]], axis=1)
    axes = front[:, :, None] * np.cos(bearings) + left[:, :, None] * np.sin(bearings)
    away = centres[None, :, :2] - heads[:, None, :2]
    distance = np.sqrt((away * away).sum(axis=2))
    limit = np.cos(tolerances.direction).take(before.view(np.int8))
    within = away @ axes >= limit * distance[:, :, None]
    known = clear[:, None] & (distance > _UNDERFOOT)
    return np.where(known[:, :, None], within, before)


def fronts(poses: Floats, forward: Floats | None = None) -> tuple[Floats, Flags]:
    """The fronts on the ground of bodies (n, 7), of length one, and which are clear.

    That is where a front points on the plan, however the body leans; of one that points up or down,
    as of a person lying on the back, where it points once the body is set upright.

    `forward` is each one's front in its own frame; +x unless given.
    """
    turned = rotations(poses)
    up = turned[:, :, 2]
    ahead = turned[:, :, 0] if forward is None else np.einsum("nij,nj->ni", turned, forward)
    lean = 1 + up[:, 2]
    share = (np.sum(up * ahead, axis=1) + ahead[:, 2]) / np.maximum(lean, 1e-12)
    upright = ahead[:, :2] - up[:, :2] * share[:, None]
    level = np.sqrt((ahead[:, :2] * ahead[:, :2]).sum(axis=1))
    plain = np.clip((level - _STEEP[0]) / (_STEEP[1] - _STEEP[0]), 0.0, 1.0)[:, None]
    flat = plain * ahead[:, :2] + (1 - plain) * upright
    length = np.sqrt((flat * flat).sum(axis=1))
    clear: Flags = (lean > _UPSIDE_DOWN) & (length > 1e-3)
    return flat / np.where(clear, length, 1.0)[:, None], clear


def near(heads: Floats, centres: Floats, before: Flags, tolerances: Tolerances) -> Flags:
    """Which things (n, 3) are near to which agents (a, 7): (a, n)."""
    away = centres[None] - heads[:, None, :3]
    limit = np.array(tolerances.near).take(before.view(np.int8))
    close: Flags = (away * away).sum(axis=2) <= limit * limit
    return close


def pointing(
    hand: Pose, elbow: Floats | None, centres: Floats, before: Flags, tolerances: Tolerances
) -> Flags:
    """Which things (n, 3) a hand points at: those near the line from elbow to wrist, prolonged.

    Without an elbow it is the hand's own +x. The middle of the hand is taken for the wrist.
    """
    line = hand[:3] - elbow[:3] if elbow is not None else np.zeros(3)
    length = float(np.sqrt(line @ line))
    line = rotations(hand)[:, 0] if length < _FOREARM else line / length
    away = centres - hand[:3]
    distance = np.sqrt((away * away).sum(axis=1))
    limit = np.cos(tolerances.pointing).take(before.view(np.int8))
    at: Flags = (away @ line >= limit * distance) & (distance > _UNDERFOOT)
    return at


def in_field(
    eyes: Floats,
    fovs: Floats | tuple[float, float],
    points: Floats,
    wider: float | Floats = 0.0,
) -> Flags:
    """Which points (n, 3) lie in a field of view of full angles, horizontal and vertical.

    The field is that of a flat picture along +x of the eye, as `sight.Eye` has it; `wider` adds to
    each of its four edges, so that who was in it stays. Of many eyes (a, 7), each with its field,
    the answer is (a, n).
    """
    at = (points - eyes[..., None, :3]) @ rotations(eyes)
    half = np.asarray(fovs)[..., None] / 2 + np.atleast_1d(wider)[..., None, :]
    ahead, aside = at[..., 0], np.abs(at[..., 1:].swapaxes(-1, -2))
    reach = np.tan(np.minimum(half, _WIDEST)) * ahead[..., None, :]
    inside: Flags = (ahead > 0) & (aside <= reach).all(axis=-2)
    return inside
