"""Slender things: too long for a glance, and too thin for a picture, such as a pole nearby.

They are looked for along their length, point by point.
"""

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from spatial_reasoner.geometry.poses import Floats, rotations
from spatial_reasoner.geometry.shapes import Shape
from spatial_reasoner.sight.gazes import Gaze
from spatial_reasoner.sight.lines_of_sight import Obstacles, are_clear
from spatial_reasoner.sight.windows import Window, bearings, held
from spatial_reasoner.values.sight import Scenery

__all__ = ["is_slender", "seen_along"]

Rows = NDArray[np.intp]
_THIN: Final = 3.0
"""What is thinner than so many points of a picture may fall between them."""
_POINTS: Final = 128
"""So many points along a thing: two of ten metres are eight centimetres apart."""


def is_slender(gaze: Gaze, fields: Window, shape: Shape, row: int) -> bool:
    """Whether a row is so thin, where it is nearest, that pictures may miss it."""
    thickness = 2 * sorted(shape.half.tolist())[1]
    middle = math.dist(gaze.scenery.poses[row, :3].tolist(), gaze.eye[:3].tolist())
    farthest = middle + math.hypot(*shape.centre.tolist()) + float(shape.half.max()) / _POINTS
    if thickness * fields.density >= _THIN * farthest:
        return False  # its middle is near enough, so its nearest point is
    away = np.linalg.norm(_along(shape, gaze.scenery.poses[row]) - gaze.eye[:3], axis=1)
    return bool(thickness * fields.density < _THIN * float(away.min()))


def seen_along(
    gaze: Gaze, fields: Window, shape: Shape, row: int, opaque: Rows
) -> tuple[Floats, Floats]:
    """How much of a slender row would show in each field (6) with nothing in front, and does."""
    points = _along(shape, gaze.scenery.poses[row])
    ways = points - gaze.eye[:3]
    azimuth, elevation = bearings(ways @ rotations(gaze.eye))
    inside = held(fields.extents[:, :, None], azimuth, elevation)
    away = np.linalg.norm(ways, axis=1)
    step = points[1] - points[0]
    across = np.linalg.norm(np.cross(step, ways), axis=1) / away**2
    thickness = 2 * float(np.sort(shape.half)[1])
    each = across * thickness / away * fields.density**2
    spared = np.full(len(points), float(np.linalg.norm(shape.half)) / _POINTS)
    clear = are_clear(gaze.eye[:3], points, spared, _obstacles(gaze.scenery, opaque[opaque != row]))
    return inside @ each, inside @ (each * clear)


def _along(shape: Shape, pose: Floats) -> Floats:
    """Points along the longest way through the middle of a thing (_POINTS, 3)."""
    turned, longest = rotations(pose), int(shape.half.argmax())
    share = (np.arange(_POINTS) + 0.5) * 2 / _POINTS - 1
    middle = pose[:3] + turned @ shape.centre
    points: Floats = middle + share[:, None] * shape.half[longest] * turned[:, longest]
    return points


def _obstacles(scenery: Scenery, rows: Rows) -> Obstacles:
    radii = np.zeros(len(scenery.shapes))
    for row in rows.tolist():
        shape = scenery.shapes[row]
        if shape is not None:
            radii[row] = shape.radius + float(np.linalg.norm(shape.centre))
    return Obstacles(scenery.shapes, scenery.poses, radii, rows)
