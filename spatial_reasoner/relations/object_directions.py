"""Directions between objects: as a viewer sees them (deictic), or by own sides (intrinsic).

They are computed on demand and not stored, because they hold between many pairs and are seldom
needed. The distinction is Levelt's: deictic relations have converses; intrinsic ones, such as "at
the left side of the chair", have none, and are undefined while the chair lies on its side.
"""


import numpy as np

from spatial_reasoner.geometry.arrays import Flags, Floats
from spatial_reasoner.geometry.poses import Pose, tilts
from spatial_reasoner.relations.viewpoint import fronts
from spatial_reasoner.tolerances.tolerances import Tolerances

__all__ = ["deictic", "has_sides", "intrinsic"]



def deictic(eye: Pose, centres: Floats, sizes: Floats, tolerances: Tolerances) -> Flags:
    """Which object is left, right, in front and behind of which, as seen from an eye: (n, n, 4).

    `[a, b]` is where a is relative to b; in front means nearer to the viewer. The line of sight
    goes to the point between the two, so `[a, b]` left equals `[b, a]` right exactly.
    """
    between = (centres[:, None, :2] + centres[None, :, :2]) / 2 - eye[:2]
    distance = np.sqrt((between * between).sum(axis=2))
    own, clear = fronts(eye[None])
    overhead = distance <= tolerances.overhead
    sight = np.where(overhead[:, :, None], own, between / np.maximum(distance, 1e-9)[:, :, None])
    away = centres[:, None, :2] - centres[None, :, :2]
    farther = (away * sight).sum(axis=2)
    leftward = away[:, :, 1] * sight[:, :, 0] - away[:, :, 0] * sight[:, :, 1]
    seen = _within(leftward, -farther, away, sizes, tolerances)
    sure: Flags = clear | ~overhead
    return seen & sure[:, :, None]


def has_sides(poses: Floats, forward: Floats, before: Flags, tolerances: Tolerances) -> Flags:
    """Which objects (n, 7) have sides: they are upright and have a front (n, 3), NaN if none."""
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
    """Which object is at the left, right, front and back side of which: (n, n, 4).

    `[a, b]` is where a is relative to the front of b, which `forward` gives in b's frame. It holds
    only if b has sides (`sided`).
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
    """Left, right, front, back, for pairs that are not too far apart and not above each other."""
    distance = np.sqrt((away * away).sum(axis=2))
    size = np.sqrt(sizes[:, None] * sizes)
    apart = distance > tolerances.stacked * size
    apart &= distance <= tolerances.side_distance + tolerances.side_sizes * size
    np.fill_diagonal(apart, False)
    least = np.cos(tolerances.direction[0]) * distance
    sides = np.stack([leftward, -leftward, ahead, -ahead], axis=2)
    held: Flags = (sides >= least[:, :, None]) & apart[:, :, None]
    return held
