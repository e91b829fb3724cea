"""Lines of sight: which points are visible from a position, by ray casting.

It serves points that need no rendering: parts of agents, and points of interest on objects. Rays
are intersected exactly with simple shapes, and with the triangles of meshes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from spatial_reasoner.geometry.arrays import Flags, Floats, Rows
from spatial_reasoner.geometry.poses import rotations
from spatial_reasoner.geometry.shapes import Shape
from spatial_reasoner.kernels.compiled import GIVEN_TABLE, compiled
from spatial_reasoner.sight.ray_casting import entries
from spatial_reasoner.tolerances.units import Numeric

__all__ = ["NO_ROW", "Obstacles", "are_clear", "first_met"]

NO_ROW: Final = -1

_BEGIN: Final[Numeric] = 1e-6
"""The fraction of a line before which hits are ignored, against rounding."""
_FLAT: Final[Numeric] = 1e-12
"""A tolerance against division by zero."""


@dataclass(frozen=True, slots=True, eq=False)
class Obstacles:
    """Possible occluders: some `rows`, each a shape at a pose.

    `radii` are those of bounding spheres around the origins of all rows.
    """

    shapes: Sequence[Shape | None]
    poses: Floats
    radii: Floats
    rows: Rows


def are_clear(start: Floats, ends: Floats, spared: Floats, obstacles: Obstacles) -> Flags:
    """Which points (k, 3) are visible from a position.

    Obstacles within `spared` (k, m) of a point are ignored: a wrist lies inside its hand, and a tag
    on its object.
    """
    ways, clear = ends - start, np.ones(len(ends), dtype=bool)
    rows = _near(start, ways, obstacles)
    if not rows:
        return clear
    lengths = np.sqrt((ways * ways).sum(axis=1))
    until = 1.0 - spared / np.maximum(lengths, _FLAT)
    for row in rows:
        shape = obstacles.shapes[row]
        if shape is not None:
            clear &= _met(shape, obstacles.poses[row], start, ways) >= until
    return clear


def first_met(start: Floats, ends: Floats, spared: Floats, own: int, obstacles: Obstacles) -> Rows:
    """The first row that each line from a position to a point (k, 3) hits; NO_ROW for none.

    A line ends where it hits its `own` row. Obstacles within `spared` (k, m) of a point are left
    out.
    """
    ways = ends - start
    lengths = np.sqrt((ways * ways).sum(axis=1))
    first = 1.0 - spared / np.maximum(lengths, _FLAT)
    shape = obstacles.shapes[own] if own != NO_ROW else None
    if shape is not None:
        first = np.minimum(first, _met(shape, obstacles.poses[own], start, ways) - _BEGIN)
    found = np.full(len(ends), NO_ROW, dtype=np.intp)
    for row in _near(start, ways, obstacles):
        shape = obstacles.shapes[row]
        if shape is not None and row != own:
            share = _met(shape, obstacles.poses[row], start, ways)
            found[share < first] = row
            first = np.minimum(first, share)
    return found


def _met(shape: Shape, pose: Floats, start: Floats, ways: Floats) -> Floats:
    """The fraction of each line at which it hits a shape; inf if it does not."""
    if shape.kind != "mesh":
        return entries(shape, pose, start, ways, (_BEGIN, 1.0))
    turned = rotations(pose)
    return _triangles(shape, (start - pose[:3]) @ turned, ways @ turned)


def _triangles(shape: Shape, start: Floats, ways: Floats) -> Floats:
    """The fraction of each line at which it first hits a triangle, from either side.

    This is the algorithm of Möller and Trumbore (1997).
    """
    a, b, c = (shape.vertices[shape.faces[:, k]] for k in range(3))
    one, other, away = b - a, c - a, start - a
    across = np.cross(ways[:, None], other)
    volume = (across * one).sum(axis=2)
    volume = np.where(np.abs(volume) < _FLAT, np.nan, volume)
    u = (across * away).sum(axis=2) / volume
    turned = np.cross(away, one)
    v = ways @ turned.T / volume
    share = (turned * other).sum(axis=1) / volume
    met = (u >= 0) & (v >= 0) & (u + v <= 1) & (share >= _BEGIN) & (share <= 1.0)
    first: Floats = np.where(met, share, np.inf).min(axis=1)
    return first


def _near(start: Floats, ways: Floats, obstacles: Obstacles) -> list[int]:
    """The rows whose bounding spheres are hit by at least one line."""
    rows = obstacles.rows
    comes = np.zeros(len(rows), dtype=bool)
    _find_near(rows, obstacles.poses, obstacles.radii, start.reshape(1, 3), ways, comes)
    near: list[int] = rows[comes].tolist()
    return near


@compiled(f"void(intp[:], {GIVEN_TABLE}, f8[:], {GIVEN_TABLE}, {GIVEN_TABLE}, b1[:])")
def _find_near(
    rows: Rows, poses: Floats, radii: Floats, start: Floats, ways: Floats, comes: Flags
) -> None:
    """Sets which bounding spheres are hit: the centre's distance from a line is at most r."""
    for i in range(len(rows)):
        for n in range(len(ways)):
            along, length = 0.0, _FLAT
            for k in range(3):
                along += (poses[rows[i], k] - start[0, k]) * ways[n, k]
                length += ways[n, k] ** 2
            share, square = min(max(along / length, 0.0), 1.0), 0.0
            for k in range(3):
                square += (poses[rows[i], k] - start[0, k] - share * ways[n, k]) ** 2
            comes[i] |= square <= radii[rows[i]] ** 2
