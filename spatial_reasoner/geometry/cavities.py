"""The room in a mesh that things can be put into: where water would stay if it rained.

The surface is seen from above, and each point of it is filled up to the lowest edge that water
from there would have to run over. So a mug has a cavity and its handle none, a table has none, nor
has a tube without a floor. The roads not taken: voxels (a third of the volume is lost at 1 cm), and
convex decomposition (12 s a mug). What is wider below its rim than at it counts as far as it is
seen from above: of a bottle the column below its neck, of a cupboard that is open at the front
nothing.
"""

import heapq
import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray
from scipy.ndimage import grey_closing

from spatial_reasoner.geometry.heights import Heights, heights_of
from spatial_reasoner.geometry.poses import Floats
from spatial_reasoner.geometry.shapes import Cavity, Indices

__all__ = ["cavity_of"]

_CELLS: Final = 64
"""A cell is 1.4 mm of a mug, 1 cm of a crate."""
_WET: Final = 5e-4
"""Metres; what is shallower is the roughness of the surface."""
_DEPTH: Final = 0.01
"""A thing in another one reaches at least so deep below its rim (`Tolerances.in_depth`)."""
_WIDTH: Final = 0.01
"""What is narrower takes no thing that a hand could put there."""
_SAME_RIM: Final = 0.005
"""Compartments whose rims differ by less are one cavity with walls in it."""

Mask = NDArray[np.bool_]


def cavity_of(vertices: Floats, faces: Indices) -> Cavity | None:
    """The largest cavity of a surface, open upward (+z); None unless it is a centimetre each way.

    It costs some 20 ms, so it is asked for once, when a mesh is read.
    """
    if not np.ptp(vertices, axis=0).min() > 0:
        return None
    heights = heights_of(vertices, faces, _CELLS)
    water = _water(heights)
    filled = _without_slits(heights, water)
    if filled is not heights:
        heights, water = filled, _water(filled)
    pools = list(_pools(heights, water))
    if not pools:
        return None
    largest = max(pools, key=lambda pool: float((water[pool] - heights.tops[pool]).sum()))
    rim = float(water[largest].max())
    alike = [pool for pool in pools if abs(float(water[pool].max()) - rim) < _SAME_RIM]
    return _cavity(heights, np.logical_or.reduce(alike), rim)


def _without_slits(heights: Heights, water: Floats) -> Heights:
    """The same with all filled up that is deep and dry, and narrower than what could be put there:
    a floor that ends some millimetres before the front of its drawer keeps things as well as any.
    """
    tops = heights.tops
    wide = [round(_WIDTH / side) + 1 for side in _cell(heights)]
    around = np.pad(tops, max(wide), constant_values=-np.inf)
    inner = slice(max(wide), -max(wide))
    filled = grey_closing(around, size=wide)[inner, inner]
    slits = (filled > tops + _DEPTH) & (water <= tops + _WET)
    return replace(heights, tops=np.where(slits, filled, tops)) if slits.any() else heights


def _water(heights: Heights) -> Floats:
    """How high water stands at each point: the lowest edge on any way out, or down a hole.

    A priority flood: from outside and from the holes inward, the lowest first.
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
    """The points beside one, each with the highest on the way there."""
    if i > 0:
        yield i - 1, j, over_x[i][j]
    if i < count - 1:
        yield i + 1, j, over_x[i + 1][j]
    if j > 0:
        yield i, j - 1, over_y[i][j]
    if j < count - 1:
        yield i, j + 1, over_y[i][j + 1]


def _pools(heights: Heights, water: Floats) -> Iterator[Mask]:
    """The points of each pool that is deep and wide enough for things."""
    depth = np.zeros(water.shape)
    np.subtract(water, heights.tops, out=depth, where=np.isfinite(heights.tops))
    is_dry = depth <= _WET
    wide = [math.ceil(_WIDTH / side) for side in _cell(heights)]
    for start in np.argwhere(depth >= _DEPTH).tolist():
        if is_dry[*start]:
            continue
        pool = _pool(heights, water, is_dry, (start[0], start[1]))
        is_dry |= pool
        if max(wide) <= len(pool) and sliding_window_view(pool, wide).all(axis=(2, 3)).any():
            yield pool


def _pool(heights: Heights, water: Floats, is_dry: Mask, start: tuple[int, int]) -> Mask:
    """The wet points that water joins with one of them."""
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


def _cavity(heights: Heights, pool: Mask, rim: float) -> Cavity:
    """The box about a pool, and its floor."""
    xs, ys = np.flatnonzero(pool.any(axis=1)), np.flatnonzero(pool.any(axis=0))
    floor = np.where(pool, heights.tops, np.nan)[xs[0] : xs[-1] + 1, ys[0] : ys[-1] + 1]
    half = np.array(_cell(heights)) / 2
    low = np.array([heights.xs[xs[0]], heights.ys[ys[0]]]) - half
    high = np.array([heights.xs[xs[-1]], heights.ys[ys[-1]]]) + half
    return Cavity(np.append(low, np.nanmin(floor)), np.append(high, rim), floor)


def _cell(heights: Heights) -> tuple[float, float]:
    return float(heights.xs[1] - heights.xs[0]), float(heights.ys[1] - heights.ys[0])
