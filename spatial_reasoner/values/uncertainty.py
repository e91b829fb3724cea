"""The uncertainty of poses: covariances, their standard deviations, and distances of poses.

A covariance is 6 × 6, of x, y, z (m²) and of the rotation about these axes (rad²), in the world.
"""

import math
from typing import Annotated, Final

import numpy as np

from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.geometry.poses import product
from spatial_reasoner.kernels.compiled import compiled
from spatial_reasoner.tolerances.units import Measure

__all__ = ["UNTOLD", "sigmas", "went"]

UNTOLD: Final[Annotated[Floats, Measure]] = np.diag([0.0015**2] * 3 + [math.radians(2.0) ** 2] * 3)
"""The covariance of a percept that states none: the jitter of a tracker, 1.5 mm and 2°."""
UNTOLD.flags.writeable = False


def sigmas(cov: Floats) -> Floats:
    """The six standard deviations (..., 6) of covariances (..., 6, 6).

    >>> sigmas(UNTOLD)[:3].tolist()
    [0.0015, 0.0015, 0.0015]
    """
    deviations: Floats = np.sqrt(np.diagonal(cov, axis1=-2, axis2=-1))
    return deviations


def went(before: Floats, now: Floats) -> tuple[Floats, Floats]:
    """The distances (m) and angles (rad) between poses (n, 7); exactly zero for equal poses."""
    moved, turned = np.empty((2, len(before)))
    _went(before, now, moved, turned)
    return moved, turned


@compiled("(f8[:,::1], f8[:,::1], f8[::1], f8[::1])")
def _went(before: Floats, now: Floats, moved: Floats, turned: Floats) -> None:
    """Sets distances and angles: θ = 2 atan2(|v|, |w|) of the quaternion (v, w) between two poses.

    The arc cosine of w would be imprecise for small angles.
    """
    for row in range(len(before)):
        p = -before[row, 3], -before[row, 4], -before[row, 5], before[row, 6]
        q = now[row, 3], now[row, 4], now[row, 5], now[row, 6]
        turned[row] = 0.0
        if q != (before[row, 3], before[row, 4], before[row, 5], before[row, 6]):
            x, y, z, w = product(p, q)
            turned[row] = 2 * math.atan2(math.sqrt(x * x + y * y + z * z), abs(w))
        square = 0.0
        for k in range(3):
            square += (now[row, k] - before[row, k]) ** 2
        moved[row] = math.sqrt(square)
