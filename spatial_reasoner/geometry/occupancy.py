"""Occupancy: which cells of a lattice are solid, and which are in the cavity, by their centres.

For a closed surface these are the cells inside it. For an open surface they are the cells that it
touches, and those that cannot be reached from outside. The road not taken is `trimesh.voxel`, which
supports only equal cells and fills cavities.
"""

from typing import Final

import numpy as np
import trimesh

from spatial_reasoner.geometry.arrays import Codes, Flags, Floats, Rows
from spatial_reasoner.geometry.heights import spread
from spatial_reasoner.geometry.lattices import Lattice
from spatial_reasoner.geometry.shapes import Cavity, Surface
from spatial_reasoner.kernels.compiled import compiled
from spatial_reasoner.tolerances.units import Numeric

__all__ = ["is_closed", "room", "solid"]

_CHUNK: Final = 256
"""Triangles in one step, which limits memory: each may be over every column."""
_ASIDE: Final[Numeric] = 1.7e-7
"""Metres by which rays are shifted: a ray exactly through an edge would hit two triangles or
none."""
_INWARD: Final[Numeric] = 1e-5
"""The share by which samples are moved to the centre of their triangle, because its edges lie in
the planes of others."""
_DENSE: Final[Numeric] = 0.7
"""The distance of samples of a surface, relative to the least side of a cell."""
_MOST_POINTS: Final = 2_000_000
"""The greatest number of samples."""
_TOUCHED: Final = 1
_OUTSIDE: Final = 2
"""Marks of cells: touched by the surface, reached from outside."""


def is_closed(surface: Surface) -> bool:
    """Whether a surface is watertight and consistently oriented."""
    mesh = trimesh.Trimesh(surface.vertices, surface.faces, process=False)
    return bool(mesh.is_watertight and mesh.is_winding_consistent)


def solid(surface: Surface, lattice: Lattice, is_thin: bool) -> Flags:
    """The solid cells; with `is_thin` also those touched by walls thinner than a cell."""
    inside = _inside(surface, lattice) if surface.is_closed else None
    if inside is not None and not is_thin:
        return inside
    marks = _touched(surface, lattice)
    if inside is not None:
        found: Flags = inside | (marks == _TOUCHED)
        return found
    _flood(marks)
    shut_in: Flags = marks != _OUTSIDE
    return shut_in


def room(cavity: Cavity, lattice: Lattice) -> Flags:
    """The cells whose centres are in a cavity."""
    xs, ys, zs = (lattice.middles(axis) for axis in range(3))
    floor = np.full((1, 1), cavity.low[2]) if cavity.floor is None else cavity.floor
    shares = [
        (at - cavity.low[k]) / (cavity.high[k] - cavity.low[k]) * floor.shape[k]
        for k, at in enumerate((xs, ys))
    ]
    (i, j) = (np.floor(share).astype(int) for share in shares)
    over_x, over_y = (i >= 0) & (i < floor.shape[0]), (j >= 0) & (j < floor.shape[1])
    floors = np.full((len(xs), len(ys)), np.nan)
    floors[np.ix_(over_x, over_y)] = floor[np.ix_(i[over_x], j[over_y])]
    found: Flags = (zs > floors[..., None]) & (zs < cavity.high[2])
    return found


def _inside(surface: Surface, lattice: Lattice) -> Flags:
    """The cells inside a closed surface: the winding number of the faces above them is positive."""
    xs, ys, zs = (lattice.middles(axis) for axis in range(3))
    turns = np.zeros(len(xs) * len(ys) * (len(zs) + 1))
    triangles = surface.vertices[surface.faces]
    for start in range(0, len(triangles), _CHUNK):
        column, height, up = _met(triangles[start : start + _CHUNK], xs + _ASIDE, ys - _ASIDE)
        cell = column * (len(zs) + 1) + np.searchsorted(zs, height)
        turns += np.bincount(cell, up, len(turns))
    over = turns.reshape(len(xs), len(ys), -1)[..., ::-1].cumsum(axis=2)[..., ::-1]
    inside: Flags = over[..., 1:] > 0.5
    return inside


def _met(triangles: Floats, xs: Floats, ys: Floats) -> tuple[Rows, Floats, Floats]:
    """The hits of vertical lines with triangles: line, height, and 1 (−1) if it faces up (down)."""
    flat = triangles[:, :, :2]
    low, high = flat.min(axis=1), flat.max(axis=1)
    first_x, first_y = np.searchsorted(xs, low[:, 0]), np.searchsorted(ys, low[:, 1])
    count_x = np.searchsorted(xs, high[:, 0]) - first_x
    count_y = np.searchsorted(ys, high[:, 1]) - first_y
    which, number = spread(np.zeros_like(count_x), count_x * count_y)
    i, j = np.divmod(number, np.maximum(count_y, 1)[which])
    i, j = i + first_x[which], j + first_y[which]
    a, b, c = np.moveaxis(triangles, 1, 0)
    area = _twice(a, b, c)
    one, other = _twice_at(a, b, xs[i], ys[j], which), _twice_at(b, c, xs[i], ys[j], which)
    last = area[which] - one - other
    side = np.sign(area)[which]
    within = (one * side >= 0) & (other * side >= 0) & (last * side >= 0) & (side != 0)
    which, i, j = which[within], i[within], j[within]
    share_c, share_a = one[within] / area[which], other[within] / area[which]
    share_b = 1 - share_a - share_c
    height = share_a * a[which, 2] + share_b * b[which, 2] + share_c * c[which, 2]
    return i * len(ys) + j, height, np.sign(area[which])


def _twice(a: Floats, b: Floats, c: Floats) -> Floats:
    """Twice the area of triangles as seen from above."""
    found: Floats = (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (b[:, 1] - a[:, 1]) * (
        c[:, 0] - a[:, 0]
    )
    return found


def _twice_at(a: Floats, b: Floats, x: Floats, y: Floats, which: Rows) -> Floats:
    """Twice the signed area of triangles between a side and a point (x, y)."""
    ax, ay, bx, by = a[which, 0], a[which, 1], b[which, 0], b[which, 1]
    found: Floats = (bx - ax) * (y - ay) - (by - ay) * (x - ax)
    return found


def _touched(surface: Surface, lattice: Lattice) -> Codes:
    """The cells right under a surface; a face in a plane marks the cell behind it."""
    step = _DENSE * min(float(np.diff(planes).min()) for planes in lattice.planes)
    points = _points(surface.vertices[surface.faces], step)
    counts = [len(planes) - 1 for planes in lattice.planes]
    cells = [
        np.clip(np.searchsorted(planes, points[:, axis]) - 1, 0, count - 1)
        for axis, (planes, count) in enumerate(zip(lattice.planes, counts, strict=True))
    ]
    marks: Codes = np.zeros(counts, dtype=np.int8)
    marks[cells[0], cells[1], cells[2]] = _TOUCHED
    return marks


def _points(triangles: Floats, step: float) -> Floats:
    """Samples just under triangles at distances of `step` (m), or more if there are too many."""
    sides = np.linalg.norm(np.roll(triangles, -1, axis=1) - triangles, axis=2)
    # The tip is opposite the shortest side, so a sliver needs only one row of samples.
    order = (sides.argmin(axis=1)[:, None] + (2, 0, 1)) % 3
    tip, one, other = np.moveaxis(np.take_along_axis(triangles, order[..., None], axis=1), 1, 0)
    sides = np.sort(sides, axis=1)
    rows = np.ceil(sides[:, 2] / step) + 1
    row_points = np.ceil(sides[:, 0] / step) + 1
    excess = max(1.0, np.sqrt(float((rows * row_points).sum()) / _MOST_POINTS))
    rows, row_points = (np.ceil(each / excess).astype(int) + 1 for each in (rows, row_points))
    which, number = spread(np.zeros_like(rows), rows * row_points)
    row, at = np.divmod(number, row_points[which])
    along = (row / (rows - 1)[which])[:, None]
    across = (at / (row_points - 1)[which])[:, None]
    end = one[which] + across * (other - one)[which]
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    under = _ASIDE * normals / np.linalg.norm(normals, axis=1, keepdims=True).clip(1e-30)
    points = tip[which] + along * (end - tip[which])
    middles = triangles.mean(axis=1)
    found: Floats = points + _INWARD * (middles[which] - points) - under[which]
    return found


@compiled("void(i1[:,:,::1])")
def _flood(marks: Codes) -> None:
    """Marks the cells that can be reached from outside without crossing touched cells."""
    # 1. Start from all free cells at the boundary.
    nx, ny, nz = marks.shape
    todo = np.empty((nx * ny * nz, 3), dtype=np.int64)
    count = 0
    for i in range(nx):
        for j in range(ny):
            for k in range(nz):
                at_edge = i in (0, nx - 1) or j in (0, ny - 1) or k in (0, nz - 1)
                if at_edge and marks[i, j, k] == 0:
                    marks[i, j, k] = _OUTSIDE
                    todo[count, 0], todo[count, 1], todo[count, 2] = i, j, k
                    count += 1
    # 2. Depth-first search over the six neighbours
    while count:
        count -= 1
        i, j, k = todo[count, 0], todo[count, 1], todo[count, 2]
        for way in range(6):
            step = 1 if way % 2 else -1
            a, b, c = i, j, k
            if way < 2:
                a += step
            elif way < 4:
                b += step
            else:
                c += step
            if 0 <= a < nx and 0 <= b < ny and 0 <= c < nz and marks[a, b, c] == 0:
                marks[a, b, c] = _OUTSIDE
                todo[count, 0], todo[count, 1], todo[count, 2] = a, b, c
                count += 1
