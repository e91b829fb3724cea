"""Grasps: where a hand can take hold of a thing, or touch it, coming in different ways.

Straight on it gets to the point nearest to the shoulder; from above to the top of that side; level
to the side itself, at half its height. Things may be larger than a hand: a table is reached at its
edge.
"""

from typing import Final

import numpy as np

from spatial_reasoner.dynamics.bullet import Bullet
from spatial_reasoner.geometry.poses import Floats
from spatial_reasoner.geometry.shapes import Shape
from spatial_reasoner.reach.postures import Approach
from spatial_reasoner.values.sight import NOTHING

__all__ = ["grasp", "nearest_point"]

_INSET: Final = 0.03
"""How far from the edge of a top a hand comes down."""
_FREE: Final = 0.035
"""How far above what it stands on the side of a thing is grasped: half a hand."""
_SPARE: Final = 0.1
_LEAST: Final = 1e-12


def nearest_point(shape: Shape, place: Floats, turn: Floats, point: Floats) -> Floats:
    """The point of a shape's surface, at a place and turned, nearest to a point outside it.

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
    """The nearest point of triangles (n, 3, 3): inside one, or on an edge."""
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
    approach: Approach,
) -> Floats | None:  # fmt: skip
    """Where a hand gets to the thing of a row; None if it can't be got to in that way.

    `box` are its lowest and highest corner in the world, `near` is its point nearest to the
    shoulder.
    """
    if approach == "straight":
        return near
    low, high = box
    middle = (low + high) / 2
    if approach == "above":
        inward = middle[:2] - near[:2]
        length = float(np.hypot(*inward))
        over = near[:2] + inward * min(1.0, _INSET / max(length, _LEAST))
        start = np.array([*over, high[2] + _SPARE])
        return _met(bullet, row, start, np.array([*over, low[2] - _SPARE]))
    height = float(np.clip(middle[2], low[2] + _FREE, max(high[2] - 0.005, low[2] + _FREE)))
    if height > high[2] or np.hypot(*(middle - shoulder)[:2]) < _INSET:
        return None
    start = np.array([*shoulder[:2], height])
    return _met(bullet, row, start, np.array([*middle[:2], height]))


def _met(bullet: Bullet, row: int, start: Floats, end: Floats) -> Floats | None:
    """Where a ray first meets a row."""
    met, share = bullet.rays(start[None], end[None], rows=[row])
    return None if met[0] == NOTHING else start + share[0] * (end - start)


def _dot(one: Floats, other: Floats) -> Floats:
    dot: Floats = np.einsum("...k,...k->...", one, other)
    return dot


def _cross(one: Floats, other: Floats) -> Floats:
    """As `numpy.cross`, which is slower than all the rest here."""
    cross: Floats = (
        one[..., (1, 2, 0)] * other[..., (2, 0, 1)] - one[..., (2, 0, 1)] * other[..., (1, 2, 0)]
    )
    return cross
