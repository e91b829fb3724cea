"""The heights of a surface as seen from above, at the points of a grid and between them.

Each grid line is a section through the triangles, so a wall that is thinner than a cell still
separates two points. The roads not taken: a grid of samples alone, which misses thin walls, and
voxels, which cost a hundred times as much.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from spatial_reasoner.geometry.arrays import Floats, Indices, Rows

__all__ = ["Heights", "heights_of", "spread"]

_CHUNK: Final = 512
"""Triangles in one step, which limits memory: each may cross every line and every point of it."""


@dataclass(frozen=True, slots=True, eq=False)
class Heights:
    """The greatest heights of a surface over a grid; −inf where there is no surface.

    `tops[i, j]` is at `xs[i], ys[j]`. `over_x[i, j]` is the greatest height between points i − 1
    and i of row j; the first and the last are those between the grid and the outside. `over_y` is
    the same along y.
    """

    xs: Floats
    ys: Floats
    tops: Floats
    over_x: Floats
    over_y: Floats


def heights_of(vertices: Floats, faces: Indices, count: int) -> Heights:
    """The heights over a grid of count × count cells, at their centres."""
    low, high = vertices[:, :2].min(axis=0), vertices[:, :2].max(axis=0)
    share = (np.arange(count) + 0.5) / count
    xs, ys = (low + share[:, None] * (high - low)).T
    triangles = vertices[faces]
    tops, over_x = _cut(triangles, ys, xs)
    across, over_y = _cut(triangles[:, :, [1, 0, 2]], xs, ys)
    return Heights(xs, ys, np.maximum(tops.T, across), over_x.T, over_y)


def _cut(triangles: Floats, lines: Floats, stops: Floats) -> tuple[Floats, Floats]:
    """The heights at each stop of each line of constant y, and the greatest between stops."""
    tops = np.full((len(lines), len(stops)), -np.inf)
    over = np.full((len(lines), len(stops) + 1), -np.inf)
    for start in range(0, len(triangles), _CHUNK):
        rows, ends = _sections(triangles[start : start + _CHUNK], lines)
        _raise_tops(tops, rows, ends, stops)
        _raise_ways(over, rows, ends, stops)
    return tops, over


def _sections(triangles: Floats, lines: Floats) -> tuple[Rows, Floats]:
    """The sections of triangles by lines of constant y: the line, and both ends (x, z), by x."""
    order = np.argsort(triangles[:, :, 1], axis=1)
    low, mid, top = np.moveaxis(np.take_along_axis(triangles, order[:, :, None], axis=1), 1, 0)
    which, rows = spread(np.searchsorted(lines, low[:, 1]), np.searchsorted(lines, top[:, 1]))
    low, mid, top, line = low[which], mid[which], top[which], lines[rows]
    is_below = (line < mid[:, 1])[:, None]
    one = _between(low, top, line)
    other = _between(np.where(is_below, low, mid), np.where(is_below, mid, top), line)
    ends = np.stack([one, other], axis=1)
    return rows, np.take_along_axis(ends, np.argsort(ends[:, :, 0], axis=1)[:, :, None], axis=1)


def _between(low: Floats, top: Floats, y: Floats) -> Floats:
    """The x and z of the point with a given y between two points."""
    rise = top[:, 1] - low[:, 1]
    share = ((y - low[:, 1]) / np.where(rise > 0, rise, 1))[:, None]
    found: Floats = low[:, ::2] + share * (top[:, ::2] - low[:, ::2])
    return found


def _raise_tops(tops: Floats, rows: Rows, ends: Floats, stops: Floats) -> None:
    first = np.searchsorted(stops, ends[:, 0, 0], "left")
    which, at = spread(first, np.searchsorted(stops, ends[:, 1, 0], "right"))
    np.maximum.at(tops, (rows[which], at), _height(ends[which], stops[at]))


def _raise_ways(over: Floats, rows: Rows, ends: Floats, stops: Floats) -> None:
    first = np.searchsorted(stops, ends[:, 0, 0], "left")
    which, way = spread(first, np.searchsorted(stops, ends[:, 1, 0], "left") + 1)
    parts = ends[which]
    edges = np.concatenate([[-np.inf], stops, [np.inf]])
    begin = _height(parts, np.maximum(parts[:, 0, 0], edges[way]))
    end = _height(parts, np.minimum(parts[:, 1, 0], edges[way + 1]))
    np.maximum.at(over, (rows[which], way), np.maximum(begin, end))


def _height(ends: Floats, x: Floats) -> Floats:
    """The height of sections at x; for a vertical section its greatest height."""
    (x0, z0), (x1, z1) = ends[:, 0].T, ends[:, 1].T
    length = x1 - x0
    share = np.clip((x - x0) / np.where(length > 0, length, 1), 0, 1)
    height: Floats = np.where(length > 0, z0 + share * (z1 - z0), np.maximum(z0, z1))
    return height


def spread(
    first: Rows, after: Rows
) -> tuple[Rows, Rows]:
    """All numbers of ranges, and the index of the range to which each belongs (first)."""
    counts = np.maximum(after - first, 0)
    which = np.repeat(np.arange(len(first)), counts)
    begin = np.repeat(np.cumsum(counts) - counts, counts)
    return which, first[which] + np.arange(len(which)) - begin
