"""Grasp points: where a hand can grasp or touch an object, for each direction of approach.

- straight: the point nearest to the shoulder
- above: the top of the object, 3 cm inside the edge nearest to the shoulder
- level: the side that faces the shoulder, at half the height of the object

Objects may be larger than a hand: a table is reached at its edge.
"""

from typing import Final

import numpy as np

from spatial_reasoner.dynamics.bullet import Bullet
from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.geometry.shapes import Shape
from spatial_reasoner.reach.postures import Approach
from spatial_reasoner.tolerances.reach import ReachTolerances
from spatial_reasoner.tolerances.units import Numeric
from spatial_reasoner.values.rendering import NOTHING

__all__ = ["grasp", "nearest_point"]

_OVERHEAD: Final[Numeric] = 0.03
"""Metres: from a shoulder that is horizontally nearer, an object has no side to grasp."""
_SPARE: Final[Numeric] = 0.1
"""Metres outside an object at which the vertical rays start and end."""
_LEAST: Final[Numeric] = 1e-12
"""Guards divisions by zero; purely numeric."""


def nearest_point(shape: Shape, place: Floats, turn: Floats, point: Floats) -> Floats:
    """Returns the point on the surface of a shape, at a place and a rotation, nearest to a point.

    The point must lie outside the shape.

    >>> from spatial_reasoner.geometry.shapes import box
    >>> nearest_point(box(np.ones(3)), np.zeros(3), np.eye(3), np.array([2.0, 0.2, 3]))
    array([0.5, 0.2, 0.5])
    """
    at = (point - place) @ turn
    if shape.kind in ("box", "plane"):
        found = np.clip(at, shape.centre - shape.half, shape.centre + shape.half)
    elif shape.kind == "sphere":
        found = at * (shape.radius / max(float(np.sqrt(at @ at)), _LEAST))
    else:
        found = _nearest_of(shape.vertices[shape.faces], at)
    nearest: Floats = turn @ found + place
    return nearest


def _nearest_of(triangles: Floats, point: Floats) -> Floats:
    """Returns the nearest point of triangles (n, 3, 3): inside one of them, or on an edge."""
    corners = triangles - point
    along = corners[:, (1, 2, 0)] - corners
    normal = _cross(along[:, 0], along[:, 1])
    height = _dot(corners[:, 0], normal) / np.maximum(_dot(normal, normal), _LEAST**2)
    flat = height[:, None] * normal
    across = _cross(along, flat[:, None] - corners)
    inside = (_dot(across, normal[:, None]) >= 0).all(axis=1)
    share = -_dot(corners, along) / np.maximum(_dot(along, along), _LEAST**2)
    edges = corners + np.clip(share, 0.0, 1.0)[..., None] * along
    points = np.concatenate([flat[inside], edges.reshape(-1, 3)])
    nearest: Floats = points[_dot(points, points).argmin()] + point
    return nearest


def grasp(
    bullet: Bullet, row: int, box: tuple[Floats, Floats], near: Floats, shoulder: Floats,
    approach: Approach, tolerances: ReachTolerances,
) -> Floats | None:  # fmt: skip
    """Returns the grasp point on the object of a row; None if this approach does not exist.

    `box` is its axis-aligned bounding box in the world (lowest and highest corner), `near` its
    point nearest to the shoulder.
    """
    if approach == "straight":
        return near
    low, high = box
    middle = (low + high) / 2
    if approach == "above":
        inward = middle[:2] - near[:2]
        length = float(np.hypot(*inward))
        over = near[:2] + inward * min(1.0, tolerances.grasp_inset / max(length, _LEAST))
        start = np.array([*over, high[2] + _SPARE])
        return _met(bullet, row, start, np.array([*over, low[2] - _SPARE]))
    least = low[2] + tolerances.grasp_height
    most = max(high[2] - tolerances.grasp_below_top, least)
    height = float(np.clip(middle[2], least, most))
    if height > high[2] or np.hypot(*(middle - shoulder)[:2]) < _OVERHEAD:
        return None
    start = np.array([*shoulder[:2], height])
    return _met(bullet, row, start, np.array([*middle[:2], height]))


def _met(bullet: Bullet, row: int, start: Floats, end: Floats) -> Floats | None:
    """The point at which a ray first hits the object of a row; None if it misses."""
    met, share = bullet.rays(start[None], end[None], rows=[row])
    return None if met[0] == NOTHING else start + share[0] * (end - start)


def _dot(one: Floats, other: Floats) -> Floats:
    dot: Floats = np.einsum("...k,...k->...", one, other)
    return dot


def _cross(one: Floats, other: Floats) -> Floats:
    """The same as `numpy.cross`, which would take most of the time here."""
    cross: Floats = (
        one[..., (1, 2, 0)] * other[..., (2, 0, 1)] - one[..., (2, 0, 1)] * other[..., (1, 2, 0)]
    )
    return cross
