"""Where things are to each other: as somebody sees it, or by the sides of a thing itself.

These relations are asked for, not kept: between all pairs they are many and seldom wanted. Levelt's
distinction: what the viewer sees as left (deictic) has converses; what is at the left side of a
chair (intrinsic) has none, and means nothing while the chair lies on its side.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from spatial_reasoner.geometry.poses import Floats, Pose, tilts
from spatial_reasoner.relations.viewpoint import fronts
from spatial_reasoner.values.tolerances import Tolerances

__all__ = ["deictic", "has_sides", "intrinsic"]

Flags = NDArray[np.bool_]

_NEAR: Final = 2.0
_FAR: Final = 10.0
"""Things are to the left of each other up to so many metres, and so many times their own size:
all that is on one table, houses at 50 m, but not pens at 5 m."""
_STACKED: Final = 0.1
"""Things this share of their size apart are above or in each other, and beside each other to no
side."""
_OVERHEAD: Final = 0.1
"""Who looks down on things from so near above sees them by the way of the own front."""


def deictic(eye: Pose, centres: Floats, sizes: Floats, tolerances: Tolerances) -> Flags:
    """What is left, right, in front and behind of what, as seen from an eye: (n, n, 4).

    `[a, b]` is about a as seen against b; in front is nearer to the viewer. The line of sight is
    that to the middle between the two, so `[a, b]` left is `[b, a]` right to the last bit.
    """
    between = (centres[:, None, :2] + centres[None, :, :2]) / 2 - eye[:2]
    distance = np.sqrt((between * between).sum(axis=2))
    own, clear = fronts(eye[None])
    overhead = distance <= _OVERHEAD
    sight = np.where(overhead[:, :, None], own, between / np.maximum(distance, 1e-9)[:, :, None])
    away = centres[:, None, :2] - centres[None, :, :2]
    farther = (away * sight).sum(axis=2)
    leftward = away[:, :, 1] * sight[:, :, 0] - away[:, :, 0] * sight[:, :, 1]
    seen = _within(leftward, -farther, away, sizes, tolerances)
    sure: Flags = clear | ~overhead
    return seen & sure[:, :, None]


def has_sides(poses: Floats, forward: Floats, before: Flags, tolerances: Tolerances) -> Flags:
    """Which things (n, 7) have sides now: a front of their own (n, 3), NaN if none, and upright."""
    limit = np.array(tolerances.intrinsic_tilt).take(before.view(np.int8))
    sided: Flags = (tilts(poses) <= limit) & ~np.isnan(forward).any(axis=1)
    return sided


def intrinsic(
    poses: Floats,
    forward: Floats,
    sided: Flags,
    centres: Floats,
    sizes: Floats,
    tolerances: Tolerances,
) -> Flags:
    """What is at the left, right, front and back side of what: (n, n, 4).

    `[a, b]` is about a by the front of b, as `forward` gives it in b's frame, and holds only for
    the b that have sides.
    """
    front, clear = fronts(poses, np.nan_to_num(forward))
    away = centres[:, None, :2] - centres[None, :, :2]
    ahead = (away * front).sum(axis=2)
    leftward = away[:, :, 1] * front[:, 0] - away[:, :, 0] * front[:, 1]
    at = _within(leftward, ahead, away, sizes, tolerances)
    return at & (sided & clear)[None, :, None]


def _within(
    leftward: Floats, ahead: Floats, away: Floats, sizes: Floats, tolerances: Tolerances
) -> Flags:
    """Left, right, front, back, for pairs that are neither too far apart nor over each other."""
    distance = np.sqrt((away * away).sum(axis=2))
    size = np.sqrt(sizes[:, None] * sizes)
    apart = (distance > _STACKED * size) & (distance <= _NEAR + _FAR * size)
    np.fill_diagonal(apart, False)
    least = np.cos(tolerances.direction[0]) * distance
    sides = np.stack([leftward, -leftward, ahead, -ahead], axis=2)
    held: Flags = (sides >= least[:, :, None]) & apart[:, :, None]
    return held
