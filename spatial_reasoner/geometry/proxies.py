"""Proxies: surfaces with fewer triangles that look the same, for rendering and collisions.

Quadric decimation keeps the form best, and stops early on finely divided flat surfaces: a cup of
131 072 triangles stays at 70 144 for any target. So its result is checked, and if it fails, nearby
vertices are merged before the decimation is repeated.
"""

from typing import Final

import fast_simplification
import numpy as np
from trimesh.convex import convex_hull

from spatial_reasoner.geometry.arrays import Floats, Indices
from spatial_reasoner.tolerances.units import Numeric

__all__ = ["farthest", "proxy"]

_EXCESS: Final = 2
"""A proxy may have this many times the wanted triangles, which costs a few µs a picture."""
_FINEST: Final = 256
"""Vertices are first merged within this fraction of the extent, then in coarser cells."""
_COARSER: Final[Numeric] = 1.3
"""The factor between successive cell sizes."""
_COARSEST: Final = 8
"""The coarsest cells are this fraction of the extent."""
_SHIFT: Final[Numeric] = 0.02
_AREA: Final[tuple[Numeric, Numeric]] = (0.6, 1.4)
"""The tolerated shift of a proxy's bounding box, relative to its extent, and the tolerated ratio of
its area to that of the surface."""


def proxy(vertices: Floats, faces: Indices, most: int) -> tuple[Floats, Indices]:
    """The surface, or a similar one of about `most` triangles, and at most twice as many.

    The result is deterministic. If all attempts fail it is the convex hull, which has no cavity.
    """
    if len(faces) <= most:
        return vertices, faces
    found = _decimated(vertices, faces, most)
    extent = float(np.ptp(vertices, axis=0).max())
    parts = float(_FINEST)
    while not _will_do(found, vertices, faces, most) and parts > _COARSEST:
        joined = _joined(vertices, faces, extent / parts)
        if len(joined[1]) <= 16 * most:
            found = _decimated(*joined, most)
        parts /= _COARSER
    return found if _will_do(found, vertices, faces, most) else _hull(vertices, most)


def _decimated(vertices: Floats, faces: Indices, most: int) -> tuple[Floats, Indices]:
    if len(faces) <= most:
        return vertices, faces
    points, triangles = fast_simplification.simplify(vertices, faces, target_count=most)[:2]
    return np.asarray(points, dtype=np.float64), np.asarray(triangles, dtype=np.int32)


def _will_do(found: tuple[Floats, Indices], vertices: Floats, faces: Indices, most: int) -> bool:
    """Whether a proxy has few enough triangles, and about the box and the area of the surface."""
    points, triangles = found
    if not 4 <= len(triangles) <= _EXCESS * most or not np.isfinite(points).all():
        return False
    used = points[np.unique(triangles)]
    shift = max(
        np.abs(used.min(axis=0) - vertices.min(axis=0)).max(),
        np.abs(used.max(axis=0) - vertices.max(axis=0)).max(),
    )
    low, high = _AREA
    share = _area(points, triangles) / _area(vertices, faces)
    return bool(shift <= _SHIFT * np.ptp(vertices, axis=0).max() and low <= share <= high)


def _area(vertices: Floats, faces: Indices) -> float:
    a, b, c = np.moveaxis(vertices[faces], 1, 0)
    return float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2)


def _joined(vertices: Floats, faces: Indices, pitch: float) -> tuple[Floats, Indices]:
    """The surface with all vertices of a cell merged, without degenerate and double triangles."""
    cells = np.floor((vertices - vertices.min(axis=0)) / pitch).astype(np.int64)
    _, which = np.unique(cells @ (1, 2**20, 2**40), return_inverse=True)
    counts = np.bincount(which)
    points = np.stack([np.bincount(which, column) / counts for column in vertices.T], axis=1)
    triangles = which[faces]
    a, b, c = triangles.T
    triangles = triangles[(a != b) & (b != c) & (c != a)]
    # The least vertex first: equal triangles become equal rows, and opposite sides stay distinct.
    first = triangles.argmin(axis=1)[:, None]
    turned = np.take_along_axis(triangles, (first + np.arange(3)) % 3, axis=1)
    _, kept = np.unique(turned @ (1, 2**20, 2**40), return_index=True)
    return points, turned[kept].astype(np.int32)


def _hull(vertices: Floats, most: int) -> tuple[Floats, Indices]:
    """The convex hull of the extreme points in `most / 2` directions."""
    hull = convex_hull(farthest(vertices, most // 2))
    return np.asarray(hull.vertices, dtype=np.float64), np.asarray(hull.faces, dtype=np.int32)


def farthest(points: Floats, count: int) -> Floats:
    """The extreme points in `count` even directions (Fibonacci sphere) and along the axes."""
    step = np.arange(count) + 0.5
    up, turn = 1 - 2 * step / count, np.pi * (1 + 5**0.5) * step
    level = np.sqrt(1 - up * up)
    ways = np.stack([level * np.cos(turn), level * np.sin(turn), up], axis=1)
    ways = np.concatenate([ways, np.eye(3), -np.eye(3)])
    parts = np.array_split(ways, len(ways) // 16 + 1)
    found: Floats = points[
        np.unique(np.concatenate([(points @ w.T).argmax(axis=0) for w in parts]))
    ]
    return found
