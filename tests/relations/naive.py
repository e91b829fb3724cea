"""The naive twin: what is on, in and next to what, one pair after the other, by the plain words.

Shapes are clouds of corners, outlines the lines wrapped around them, distances those between
all edges and corners. It knows no hysteresis, no meshes and no caches, and is given nothing that is
nearly level, since it does not straighten anything either.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.geometry.poses import Pose, rotations
from spatial_reasoner.geometry.shapes import Shape
from spatial_reasoner.tolerances.tolerances import Tolerances

__all__ = ["Body", "apart", "bodies", "is_in", "is_near", "over", "supports"]


@dataclass(frozen=True)
class Body:
    """One thing as it lies in the world."""

    shape: Shape
    pose: Pose
    outline: Floats
    radius: float
    top: float
    bottom: float


def bodies(shapes: Sequence[Shape], poses: Floats) -> list[Body]:
    """Things where they lie."""
    return [_body(shape, pose) for shape, pose in zip(shapes, poses, strict=True)]


def _body(shape: Shape, pose: Pose) -> Body:
    turn = rotations(pose)
    if shape.kind == "sphere":
        r = shape.half[0]
        return Body(shape, pose, pose[None, :2], r, pose[2] + r, pose[2] - r)
    upright = abs(turn[2, 2]) > 1 - 1e-9
    corners = shape.corners @ turn.T + pose[:3]
    top, bottom = corners[:, 2].max(), corners[:, 2].min()
    if shape.kind == "cylinder" and upright:
        return Body(shape, pose, pose[None, :2], shape.half[0], top, bottom)
    return Body(shape, pose, _hull(corners[:, :2]), 0.0, top, bottom)


def _hull(points: Floats) -> Floats:
    """The corners of the convex hull, by wrapping a line around the points (Jarvis)."""
    corners = [points[np.lexsort((points[:, 1], points[:, 0]))[0]]]
    while len(corners) <= len(points):
        away = points - corners[-1]
        away = away[np.sqrt((away * away).sum(axis=1)) > 1e-9]
        best = away[0]
        for other in away:
            turn = best[0] * other[1] - best[1] * other[0]
            if turn < -1e-12 or (abs(turn) <= 1e-12 and other @ other > best @ best):
                best = other
        if np.allclose(corners[-1] + best, corners[0], atol=1e-9):
            break
        corners.append(corners[-1] + best)
    return np.array(corners)


def apart(a: Body, b: Body) -> float:
    """The distance between two outlines; negative if they overlap."""
    if _corner_inside(a.outline, b.outline) or _corner_inside(b.outline, a.outline):
        return -1.0
    if _edges_cross(a.outline, b.outline):
        return -1.0
    nearest = min(_from_corners(a.outline, b.outline), _from_corners(b.outline, a.outline))
    return nearest - a.radius - b.radius


def over(point: Floats, outline: Body) -> float:
    """The signed distance (m) of a point from an outline; negative inside."""
    corners = outline.outline
    if len(corners) == 1:
        return float(np.linalg.norm(point - corners[0])) - outline.radius
    if _corner_inside(point[None], corners):
        return -1.0
    return _from_corners(point[None], corners)


def _corner_inside(points: Floats, polygon: Floats) -> bool:
    """Whether any of some points is inside a polygon: to the left of all its edges."""
    if len(polygon) < 3:
        return False
    edges = np.roll(polygon, -1, axis=0) - polygon
    for point in points:
        away = point - polygon
        if (edges[:, 0] * away[:, 1] - edges[:, 1] * away[:, 0] > 0).all():
            return True
    return False


def _edges_cross(one: Floats, other: Floats) -> bool:
    for a, b in zip(one, np.roll(one, -1, axis=0), strict=True):
        for c, d in zip(other, np.roll(other, -1, axis=0), strict=True):
            if _side(a, b, c) * _side(a, b, d) < 0 and _side(c, d, a) * _side(c, d, b) < 0:
                return True
    return False


def _side(a: Floats, b: Floats, c: Floats) -> float:
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))


def _from_corners(points: Floats, polygon: Floats) -> float:
    best = np.inf
    for a, b in zip(polygon, np.roll(polygon, -1, axis=0), strict=True):
        edge = b - a
        square = float(edge @ edge)
        for point in points:
            share = min(max(float((point - a) @ edge) / square, 0.0), 1.0) if square else 0.0
            best = min(best, float(np.linalg.norm(point - a - share * edge)))
    return best


def is_near(a: Body, b: Body, tolerances: Tolerances) -> bool:
    """Whether two things are beside each other, be they also on or in each other."""
    gap = apart(a, b)
    common = min(a.top, b.top) - max(a.bottom, b.bottom)
    least = tolerances.next_overlap if gap > 0 else -tolerances.next_overlap
    return gap <= tolerances.next_gap[0] * np.sqrt(_size(a) * _size(b)) and common >= least


def _size(body: Body) -> float:
    half, turn = body.shape.half, rotations(body.pose)
    if body.shape.kind == "sphere":
        return 2 * float(half[0])
    if body.shape.kind == "cylinder":
        lean = float(np.hypot(turn[0, 2], turn[1, 2]))
        across = float(half[0])
        return 2 * max(lean * float(half[2]), across)
    return max(2 * float(half[k]) * float(np.hypot(turn[0, k], turn[1, k])) for k in range(3))


def is_in(thing: Body, container: Body, tolerances: Tolerances) -> bool:
    """Whether a box or a ball that is no wider than a bin's cavity is in it."""
    cavity = container.shape.cavity
    if cavity is None:
        return False
    turn = rotations(container.pose)
    middle = (thing.pose[:3] - container.pose[:3]) @ turn
    if thing.shape.kind == "sphere":
        deepest = float(middle[2] - thing.shape.half[0])
        height, lateral = 2 * float(thing.shape.half[0]), [float(thing.shape.half[0])] * 2
    else:
        corners = thing.shape.corners @ rotations(thing.pose).T + thing.pose[:3]
        along = (corners - container.pose[:3]) @ turn[:, 2]
        deepest, height = float(along.min()), float(np.ptp(along))
        axes = turn.T @ rotations(thing.pose)
        upright = int(np.abs(axes[2]).argmax())
        lateral = sorted(float(thing.shape.half[k]) for k in range(3) if k != upright)
    if (np.array(lateral) > np.sort(cavity.high[:2])).any():
        return False
    inside = bool((np.abs(middle[:2]) <= cavity.high[:2]).all())
    low = (float(cavity.low[2]) - float(container.shape.half[2])) / 2
    deep = cavity.high[2] - deepest >= min(tolerances.in_depth, 0.2 * height)
    return inside and bool(deep) and float(middle[2]) >= low


def supports(things: list[Body], tolerances: Tolerances) -> dict[int, int]:
    """The support of each of some level boxes and balls, if all are supports and no containers."""
    found: dict[int, int] = {}
    for k, thing in enumerate(things):
        under = [
            (other.top, index)
            for index, other in enumerate(things)
            if index != k
            and over(thing.pose[:2], other) <= tolerances.on_margin[0]
            and abs(thing.bottom - other.top) <= tolerances.on_gap[0]
            and other.pose[2] < thing.pose[2]
        ]
        if under:
            found[k] = max(under)[1]
    return found
