"""Polygons on the ground: one convex outline for each row, grown by a radius (a disc is one point).

The distance of two outlines is found by the separating axis theorem: it is the greatest gap along
the normals of all edges of both, and along the line between their nearest corners. One of these
directions always gives the exact distance, so it does not depend on the rotation of the scene. The
road not taken is a fixed set of directions, which makes a bulge of 13 cm at a table's long edge.
"""

import math

import numpy as np

from spatial_reasoner.geometry.arrays import Floats, Rows
from spatial_reasoner.geometry.columns import Columns, column
from spatial_reasoner.kernels.compiled import compiled

__all__ = ["Polygons", "hull_order", "zonogons"]


class Polygons(Columns):
    """The outlines of all rows, and the centre of mass of each.

    The tables are as wide as the outline with the most corners; `counts` is the number of corners
    of each. A disc has four corners, which are all its centre.
    """

    counts: Rows = column(4)
    corners: Floats = column((0.0, 0.0), "rows", "corners")
    """The corners in order around the outline."""
    normals: Floats = column((0.0, 0.0), "rows", "corners")
    offsets: Floats = column(np.inf, "rows", "corners")
    """The offset of each edge along its normal; infinite for an edge of no length."""
    points: Floats = column((0.0, 0.0))
    """The centres of mass, which must be over a support."""
    radius: Floats = column(0.0)

    def __init__(self, count: int) -> None:
        super().__init__(rows=count, corners=4)

    def trace(self, row: int, corners: Floats) -> None:
        """Sets the outline of a row: corners (k, 2), counter-clockwise."""
        count = len(corners)
        self.grow(corners=max(count, self.corners.shape[1]))
        edges = np.roll(corners, -1, axis=0) - corners
        length = np.hypot(edges[:, 0], edges[:, 1])
        real = length > 1e-9
        length[~real] = 1.0
        normals = np.column_stack([edges[:, 1], -edges[:, 0]]) / length[:, None]
        self.counts[row] = count
        self.corners[row, :count] = corners
        self.normals[row, :count] = normals * real[:, None]
        self.offsets[row, :count] = np.where(real, np.sum(normals * corners, axis=1), np.inf)
        self.radius[row] = 0.0

    def against(self, a: Rows, b: Rows) -> tuple[Floats, Floats]:
        """The greatest gaps along a's edge normals, from a to the outline of b and to its point.

        Both are lower bounds of the distance, and negative inside. If a is a disc, the bound for
        the outline is poor, and the distance of the point is exact.
        """
        outline, over = np.empty(len(a)), np.empty(len(a))
        _against(
            a, b, self.counts, self.corners, self.normals, self.offsets, self.points, self.radius,
            outline, over,
        )  # fmt: skip
        return outline, over

    def by_corners(self, a: Rows, b: Rows) -> Floats:
        """The gap along the line between the nearest corners: a lower bound of the distance."""
        apart = np.empty(len(a))
        _by_corners(a, b, self.counts, self.corners, self.radius, apart)
        return apart


@compiled(
    "(i8[::1], i8[::1], i8[::1], f8[:,:,::1], f8[:,:,::1], f8[:,::1], f8[:,::1], f8[::1],"
    " f8[::1], f8[::1])"
)
def _against(
    a: Rows, b: Rows, counts: Rows, corners: Floats, normals: Floats, offsets: Floats,
    points: Floats, radius: Floats, outline: Floats, over: Floats,
) -> None:  # fmt: skip
    """Sets the greatest gaps along a's edge normals n: the least n · p of b, less the offset."""
    for k in range(len(a)):
        one, other = a[k], b[k]
        outline[k] = over[k] = -np.inf
        for edge in range(counts[one]):
            x, y, out = normals[one, edge, 0], normals[one, edge, 1], offsets[one, edge]
            nearest = np.inf
            for corner in range(counts[other]):
                along = x * corners[other, corner, 0] + y * corners[other, corner, 1]
                nearest = min(nearest, along)
            outline[k] = max(outline[k], nearest - out)
            over[k] = max(over[k], x * points[other, 0] + y * points[other, 1] - out)
        if radius[one] > 0:
            x, y = points[other, 0] - corners[one, 0, 0], points[other, 1] - corners[one, 0, 1]
            over[k] = math.hypot(x, y)
        outline[k] -= radius[one] + radius[other]
        over[k] -= radius[one]


@compiled("(i8[::1], i8[::1], i8[::1], f8[:,:,::1], f8[::1], f8[::1])")
def _by_corners(
    a: Rows, b: Rows, counts: Rows, corners: Floats, radius: Floats, apart: Floats
) -> None:
    """Sets the gaps along the lines between nearest corners."""
    for k in range(len(a)):
        # 1. The direction of the shortest line between two corners
        one, other = a[k], b[k]
        least, x, y = np.inf, 0.0, 0.0
        for i in range(counts[one]):
            for j in range(counts[other]):
                dx = corners[other, j, 0] - corners[one, i, 0]
                dy = corners[other, j, 1] - corners[one, i, 1]
                if dx * dx + dy * dy < least:
                    least, x, y = dx * dx + dy * dy, dx, dy
        length = max(math.sqrt(least), 1e-12)
        x, y = x / length, y / length
        # 2. The gap between the projections of both outlines on it
        first, last = np.inf, -np.inf
        for j in range(counts[other]):
            first = min(first, x * corners[other, j, 0] + y * corners[other, j, 1])
        for i in range(counts[one]):
            last = max(last, x * corners[one, i, 0] + y * corners[one, i, 1])
        apart[k] = first - last - (radius[one] + radius[other])


def hull_order(points: Floats) -> list[int]:
    """The indices of points (k, 2) on their convex hull, counter-clockwise (monotone chain)."""
    order = np.lexsort((points[:, 1], points[:, 0])).tolist()
    places: list[list[float]] = points.tolist()
    if len(order) < 3:
        return list(order)
    return [*_half_hull(order, places)[:-1], *_half_hull(order[::-1], places)[:-1]]


def _half_hull(order: list[int], places: list[list[float]]) -> list[int]:
    """The hull corners on the right hand side of a walk through sorted points."""
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
    """The footprints of boxes around their centres, (k, 6, 2), from their half sides (k, 3, 2)."""
    x, y = sides[..., 0], sides[..., 1]
    sides = sides * np.where((y < 0) | ((y == 0) & (x < 0)), -1.0, 1.0)[..., None]
    order = np.argsort(np.arctan2(sides[..., 1], sides[..., 0]), axis=1)
    sides = np.take_along_axis(sides, order[..., None], axis=1)
    first = -sides.sum(axis=1)
    second = first + 2 * sides[:, 0]
    half = np.stack([first, second, second + 2 * sides[:, 1]], axis=1)
    shadow: Floats = np.concatenate([half, -half], axis=1)
    return shadow
