"""Polygons on the ground: one convex outline a row, grown by a radius (a disc is one point).

How far two of them are apart is found by separating directions: the normals of the edges of both,
and the line between their nearest corners. One of these always tells the exact distance, so it does
not depend on how the scene is turned. The road not taken is a fixed fan of directions: of a table's
long edge it makes a bulge of 13 cm.

Rows are the last axis everywhere: numpy is quick along it, and slow along an axis of four.
"""

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from spatial_reasoner.poses import Floats

__all__ = ["Polygons", "Rows", "hull_order", "zonogons"]

Rows: TypeAlias = NDArray[np.intp]

_MANY: Final = 512
"""Pairs looked at together: the arrays for more leave the cache, and the allocator's own store."""


class Polygons:
    """The outlines of all rows, each of up to `width` corners, and a point that belongs to each.

    A row of fewer corners repeats the last one; an edge of no length never separates anything.
    """

    def __init__(self, count: int, width: int) -> None:
        self.width: Final = width
        self.points: Final[Floats] = np.zeros((2, width + 1, count))
        """The corners, counter-clockwise, and last the point that must be over a support."""
        self.normals: Final[Floats] = np.zeros((2, width, count))
        self.offsets: Final[Floats] = np.full((width, count), np.inf)
        """How far out each edge is along its normal; infinite where there is no edge."""
        self.radius: Final[Floats] = np.zeros(count)

    def trace(self, row: int, corners: Floats) -> None:
        """Gives a row its outline: corners (k, 2), counter-clockwise."""
        count = len(corners)
        edges = np.roll(corners, -1, axis=0) - corners
        length = np.hypot(edges[:, 0], edges[:, 1])
        real = length > 1e-9
        length[~real] = 1.0
        normals = np.column_stack([edges[:, 1], -edges[:, 0]]) / length[:, None]
        self.points[:, :count, row] = corners.T
        self.points[:, count:-1, row] = corners[-1][:, None]
        self.normals[:, :count, row] = (normals * real[:, None]).T
        self.offsets[:count, row] = np.where(real, np.sum(normals * corners, axis=1), np.inf)
        self.offsets[count:, row] = np.inf
        self.radius[row] = 0.0

    def take_over(self, narrow: "Polygons", rows: Rows) -> None:
        """Takes the outlines of some rows from a table that is not wider."""
        width = narrow.width
        self.points[:, :width, rows] = narrow.points[:, :width, rows]
        self.points[:, width:-1, rows] = narrow.points[:, width - 1 : width, rows]
        self.points[:, -1, rows] = narrow.points[:, -1, rows]
        self.normals[:, :width, rows] = narrow.normals[:, :, rows]
        self.normals[:, width:, rows] = 0.0
        self.offsets[:width, rows] = narrow.offsets[:, rows]
        self.offsets[width:, rows] = np.inf
        self.radius[rows] = narrow.radius[rows]

    def against(self, a: Rows, b: Rows) -> tuple[Floats, Floats]:
        """How far, by a's edges alone, the outline of b and the point of b are outside of a.

        Both are at most the true distance, and negative inside; for a disc they are poor.
        """
        if len(a) > _MANY:
            parts = [
                self.against(a[k : k + _MANY], b[k : k + _MANY]) for k in range(0, len(a), _MANY)
            ]
            return np.concatenate([p for p, _ in parts]), np.concatenate([p for _, p in parts])
        normal = self.normals.take(a, axis=2)
        point = self.points.take(b, axis=2)
        along = normal[0][:, None] * point[0]
        along += normal[1][:, None] * point[1]
        along -= self.offsets.take(a, axis=1)[:, None]
        outline: Floats = along[:, :-1].min(axis=1).max(axis=0)
        over: Floats = along[:, -1].max(axis=0)
        radius = self.radius.take(a)
        return outline - (radius + self.radius.take(b)), over - radius

    def over_discs(self, a: Rows, b: Rows) -> Floats:
        """How far the point of b is outside of a, where a is a disc."""
        away = self.points[:, -1].take(b, axis=1) - self.points[:, 0].take(a, axis=1)
        far: Floats = np.hypot(away[0], away[1]) - self.radius.take(a)
        return far

    def by_corners(self, a: Rows, b: Rows) -> Floats:
        """How far outlines are apart along the line between their nearest corners: at most that."""
        of_a = self.points[:, :-1].take(a, axis=2)
        of_b = self.points[:, :-1].take(b, axis=2)
        between = (of_b[:, None] - of_a[:, :, None]).reshape(2, self.width**2, len(a))
        squares = between[0] ** 2 + between[1] ** 2
        pick = squares.argmin(axis=0)
        every = np.arange(len(a))
        length = np.sqrt(squares[pick, every])
        line = between[:, pick, every] / np.maximum(length, 1e-12)
        first = (line[0] * of_b[0] + line[1] * of_b[1]).min(axis=0)
        last = (line[0] * of_a[0] + line[1] * of_a[1]).max(axis=0)
        apart: Floats = first - last - (self.radius.take(a) + self.radius.take(b))
        return apart


def hull_order(points: Floats) -> list[int]:
    """Which points (k, 2) are corners of their convex hull, counter-clockwise."""
    order = np.lexsort((points[:, 1], points[:, 0])).tolist()
    places: list[list[float]] = points.tolist()
    if len(order) < 3:
        return list(order)
    return [*_half_hull(order, places)[:-1], *_half_hull(order[::-1], places)[:-1]]


def _half_hull(order: list[int], places: list[list[float]]) -> list[int]:
    """The corners on the right hand side of a walk through sorted points."""
    chain: list[int] = []
    for index in order:
        x, y = places[index]
        while len(chain) > 1:
            (ax, ay), (bx, by) = places[chain[-2]], places[chain[-1]]
            if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 1e-12:
                break
            chain.pop()
        chain.append(index)
    return chain


def zonogons(sides: Floats) -> Floats:
    """The shadows of boxes about their middles, (k, 6, 2), from their half sides (k, 3, 2)."""
    x, y = sides[..., 0], sides[..., 1]
    sides = sides * np.where((y < 0) | ((y == 0) & (x < 0)), -1.0, 1.0)[..., None]
    order = np.argsort(np.arctan2(sides[..., 1], sides[..., 0]), axis=1)
    sides = np.take_along_axis(sides, order[..., None], axis=1)
    first = -sides.sum(axis=1)
    second = first + 2 * sides[:, 0]
    half = np.stack([first, second, second + 2 * sides[:, 1]], axis=1)
    shadow: Floats = np.concatenate([half, -half], axis=1)
    return shadow
