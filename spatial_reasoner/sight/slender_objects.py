"""Slender objects: too long for a close-up and too thin for a picture, such as a pole nearby.

Their visibility is sampled by lines of sight to points along their length.
"""

import math
from typing import Final

import numpy as np

from spatial_reasoner.geometry.arrays import Floats, Rows
from spatial_reasoner.geometry.poses import rotations
from spatial_reasoner.geometry.shapes import Shape
from spatial_reasoner.sight.fields_of_view import EyeFields, bearings, held
from spatial_reasoner.sight.gazes import Gaze
from spatial_reasoner.sight.lines_of_sight import Obstacles, are_clear
from spatial_reasoner.tolerances.units import Numeric
from spatial_reasoner.values.rendering import Scenery

__all__ = ["is_slender", "seen_along"]

_THIN: Final[Numeric] = 3.0
"""Pixels: a thinner object may fall between the pixels of a picture."""
_POINTS: Final = 128
"""The number of samples along an object; on 10 m they are 8 cm apart."""


def is_slender(gaze: Gaze, fields: EyeFields, shape: Shape, row: int) -> bool:
    """Whether a row is so thin, even at its nearest point, that pictures may miss it."""
    thickness = 2 * sorted(shape.half.tolist())[1]
    middle = math.dist(gaze.scenery.poses[row, :3].tolist(), gaze.eye[:3].tolist())
    farthest = middle + math.hypot(*shape.centre.tolist()) + float(shape.half.max()) / _POINTS
    if thickness * fields.density >= _THIN * farthest:
        return False  # it is thick enough at its middle, so it is at its nearest point
    away = np.linalg.norm(_along(shape, gaze.scenery.poses[row]) - gaze.eye[:3], axis=1)
    return bool(thickness * fields.density < _THIN * float(away.min()))


def seen_along(
    gaze: Gaze, fields: EyeFields, shape: Shape, row: int, opaque: Rows
) -> tuple[Floats, Floats]:
    """The pixels of a slender row in each field (6), without and with occlusion."""
    points = _along(shape, gaze.scenery.poses[row])
    # A sample of length l and thickness t at distance d covers l · t / d² at 1 m depth, where l is
    # the part of the step across the line of sight.
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
    """Points along the longest axis of an object, through its centre (_POINTS, 3)."""
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
