"""Cavities of meshes: the space into which objects can be put, where rain water would stay.

1. Sample the heights of the surface from above on a grid (`heights.py`).
2. Close narrow deep slits.
3. Flood: each point is filled up to the lowest edge over which its water would run out.
4. Take the pool with the largest volume, and pools with the same rim.

So a mug has a cavity and its handle has none; a table and a tube without a floor have none. The
limit: only what is visible from above counts, which is the column below the neck of a bottle, and
nothing of a cupboard that is open at the front. The roads not taken: voxels (a third of the volume
is lost at 1 cm), and convex decomposition (12 s for a mug).
"""

import heapq
import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from scipy.ndimage import grey_closing

from spatial_reasoner.geometry.arrays import Flags, Floats, Indices
from spatial_reasoner.geometry.heights import Heights, heights_of
from spatial_reasoner.geometry.shapes import Cavity
from spatial_reasoner.tolerances.cavities import CavityTolerances
from spatial_reasoner.tolerances.units import Numeric

__all__ = ["cavity_of"]

_CELLS: Final = 64
"""The number of cells in each direction: a cell is 1.4 mm of a mug and 1 cm of a crate."""
_WET: Final[Numeric] = 5e-4
"""Metres: shallower water is the roughness of the surface."""


def cavity_of(vertices: Floats, faces: Indices, tolerances: CavityTolerances) -> Cavity | None:
    """The largest cavity of a surface, open toward +z; None if none is deep and wide enough.

    A call takes some 20 ms, so it is made once, when a mesh is read.
    """
    if not np.ptp(vertices, axis=0).min() > 0:
        return None
    heights = heights_of(vertices, faces, _CELLS)
    water = _water(heights)
    filled = _without_slits(heights, water, tolerances)
    if filled is not heights:
        heights, water = filled, _water(filled)
    pools = list(_pools(heights, water, tolerances))
    if not pools:
        return None
    largest = max(pools, key=lambda pool: float((water[pool] - heights.tops[pool]).sum()))
    rim = float(water[largest].max())
    apart = [abs(float(water[pool].max()) - rim) for pool in pools]
    alike = [p for p, away in zip(pools, apart, strict=True) if away < tolerances.cavity_rims]
    return _cavity(heights, np.logical_or.reduce(alike), rim)


def _without_slits(heights: Heights, water: Floats, tolerances: CavityTolerances) -> Heights:
    """The heights with slits filled: deep, dry parts that are narrower than `cavity_width`.

    For example, the floor of a drawer may end some millimetres before its front.
    """
    tops = heights.tops
    wide = [round(tolerances.cavity_width / side) + 1 for side in _cell(heights)]
    around = np.pad(tops, max(wide), constant_values=-np.inf)
    inner = slice(max(wide), -max(wide))
    filled = grey_closing(around, size=wide)[inner, inner]
    slits = (filled > tops + tolerances.in_depth) & (water <= tops + _WET)
    return replace(heights, tops=np.where(slits, filled, tops)) if slits.any() else heights


def _water(heights: Heights) -> Floats:
    """The water level at each point: over all paths out or down a hole, the lowest highest edge.

    This is a priority flood (Barnes, Lehman, Mulla 2014): from outside and from holes inwards, the
    lowest level first.
    """
    tops = heights.tops
    count = len(tops)
    water = np.full(tops.shape, np.inf)
    queue: list[tuple[float, int, int]] = []
    ways_in = np.full(tops.shape, np.inf)
    ways_in[np.isneginf(tops)] = -np.inf
    for edge in (0, -1):
        ways_in[edge] = np.minimum(ways_in[edge], heights.over_x[edge])
        ways_in[:, edge] = np.minimum(ways_in[:, edge], heights.over_y[:, edge])
    for i, j in np.argwhere(ways_in < np.inf).tolist():
        water[i, j] = max(ways_in[i, j], tops[i, j])
        queue.append((water[i, j], i, j))
    heapq.heapify(queue)
    over_x, over_y, height = heights.over_x.tolist(), heights.over_y.tolist(), tops.tolist()
    while queue:
        level, i, j = heapq.heappop(queue)
        if level > water[i, j]:
            continue
        for a, b, way in _neighbours(i, j, count, over_x, over_y):
            risen = float(max(level, way, height[a][b]))
            if risen < water[a, b]:
                water[a, b] = risen
                heapq.heappush(queue, (risen, a, b))
    return water


def _neighbours(
    i: int, j: int, count: int, over_x: list[list[float]], over_y: list[list[float]]
) -> Iterator[tuple[int, int, float]]:
    """The four neighbours of a point, each with the greatest height on the way there."""
    if i > 0:
        yield i - 1, j, over_x[i][j]
    if i < count - 1:
        yield i + 1, j, over_x[i + 1][j]
    if j > 0:
        yield i, j - 1, over_y[i][j]
    if j < count - 1:
        yield i, j + 1, over_y[i][j + 1]


def _pools(heights: Heights, water: Floats, tolerances: CavityTolerances) -> Iterator[Flags]:
    """The points of each pool that is deep and wide enough for objects."""
    depth = np.zeros(water.shape)
    np.subtract(water, heights.tops, out=depth, where=np.isfinite(heights.tops))
    is_dry = depth <= _WET
    wide = [math.ceil(tolerances.cavity_width / side) for side in _cell(heights)]
    for start in np.argwhere(depth >= tolerances.in_depth).tolist():
        if is_dry[*start]:
            continue
        pool = _pool(heights, water, is_dry, (start[0], start[1]))
        is_dry |= pool
        if max(wide) <= len(pool) and sliding_window_view(pool, wide).all(axis=(2, 3)).any():
            yield pool


def _pool(heights: Heights, water: Floats, is_dry: Flags, start: tuple[int, int]) -> Flags:
    """The wet points that are connected with one of them by water."""
    ways = heights.over_x.tolist(), heights.over_y.tolist()
    level = float(water[start])
    pool = np.zeros(water.shape, dtype=bool)
    pool[start] = True
    todo = [start]
    while todo:
        for i, j, way in _neighbours(*todo.pop(), len(pool), *ways):
            if way < level and not pool[i, j] and not is_dry[i, j]:
                pool[i, j] = True
                todo.append((i, j))
    return pool


def _cavity(heights: Heights, pool: Flags, rim: float) -> Cavity:
    """The bounding box of a pool, and its floor."""
    xs, ys = np.flatnonzero(pool.any(axis=1)), np.flatnonzero(pool.any(axis=0))
    floor = np.where(pool, heights.tops, np.nan)[xs[0] : xs[-1] + 1, ys[0] : ys[-1] + 1]
    half = np.array(_cell(heights)) / 2
    low = np.array([heights.xs[xs[0]], heights.ys[ys[0]]]) - half
    high = np.array([heights.xs[xs[-1]], heights.ys[ys[-1]]]) + half
    return Cavity(np.append(low, np.nanmin(floor)), np.append(high, rim), floor)


def _cell(heights: Heights) -> tuple[float, float]:
    return float(heights.xs[1] - heights.xs[0]), float(heights.ys[1] - heights.ys[0])
