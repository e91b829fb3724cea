"""Distances of points from the surfaces of shapes.

They are exact for boxes, spheres and cylinders, and so for bins, which are hollow. For a mesh, the
distance is that to the convex hulls of its pieces, within a millimetre.
"""

from typing import Final

import numpy as np

from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.geometry.poses import Pose, rotations
from spatial_reasoner.geometry.shapes import Piece, Shape
from spatial_reasoner.tolerances.units import Numeric

__all__ = ["distance"]

_FINE: Final[Numeric] = 5e-4
"""Metres: the tolerance of the distance from a hull."""
_STEPS: Final = 60
"""The greatest number of iterations."""
_NO_SHARE: Final[Numeric] = 1e-12
"""A barycentric coordinate up to this counts as zero."""


def distance(shape: Shape, pose: Pose, point: Floats) -> float:
    """The distance of a point from a shape at a pose, in metres; zero inside the solid.

    >>> from spatial_reasoner.geometry.shapes import sphere
    >>> round(distance(sphere(0.1), np.array([0.0, 0, 0, 0, 0, 0, 1]), np.array([0.3, 0, 0])), 9)
    0.2
    """
    at = (point - pose[:3]) @ rotations(pose)
    if shape.kind == "plane":
        return max(float(at[2]), 0.0)
    return min(_from_piece(piece, at) for piece in shape.pieces)


def _from_piece(piece: Piece, point: Floats) -> float:
    if piece.kind == "hull":
        return _from_hull(piece.corners - point)
    away = point - piece.centre
    if piece.kind == "box":
        beyond = np.maximum(np.abs(away) - piece.size, 0.0)
    elif piece.kind == "sphere":
        beyond = np.array([max(float(np.linalg.norm(away)) - piece.size[0], 0.0)])
    else:
        across = float(np.hypot(away[0], away[1])) - piece.size[0]
        beyond = np.maximum([across, abs(away[2]) - piece.size[1]], 0.0)
    return float(np.linalg.norm(beyond))


def _from_hull(corners: Floats) -> float:
    """The distance of the origin from a convex hull: its shortest vector (Wolfe 1976).

    The nearest point is a convex combination of a few corners. In each step the corner that is
    farthest toward the origin is added, and corners with negative coordinates are removed.
    """
    used = [int((corners * corners).sum(axis=1).argmin())]
    shares = np.ones(1)
    nearest = corners[used[0]]
    for _ in range(_STEPS):
        along = corners @ nearest
        best, square = int(along.argmin()), float(nearest @ nearest)
        if best in used or square - along[best] <= _FINE * max(np.sqrt(square), _FINE):
            break
        used, shares = _between([*used, best], np.append(shares, 0.0), corners)
        nearest = shares @ corners[used]
    return float(np.sqrt(nearest @ nearest))


def _between(used: list[int], shares: Floats, corners: Floats) -> tuple[list[int], Floats]:
    """The corners that span the point nearest to the origin, and its coordinates in them."""
    while True:
        span = corners[used]
        system = np.ones((len(used) + 1, len(used) + 1))
        system[0, 0], system[1:, 1:] = 0.0, span @ span.T
        goal = np.zeros(len(used) + 1)
        goal[0] = 1.0
        solved = np.linalg.lstsq(system, goal, rcond=None)[0]
        wanted = solved[1:].astype(np.float64)
        if wanted.min() > _NO_SHARE:
            return used, wanted
        leaving = wanted <= _NO_SHARE
        steps = shares[leaving] / np.maximum(shares[leaving] - wanted[leaving], 1e-300)
        shares = shares + min(float(steps.min()), 1.0) * (wanted - shares)
        shares[np.flatnonzero(leaving)[steps.argmin()]] = 0.0
        kept = shares > _NO_SHARE
        used, shares = [row for row, stays in zip(used, kept, strict=True) if stays], shares[kept]
        shares = shares / shares.sum()
