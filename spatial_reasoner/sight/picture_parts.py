"""Bounding boxes of objects in pictures: only these parts need to be rendered."""

from dataclasses import dataclass
from math import asin, ceil, cos, floor, inf, pi, sin, tan
from typing import Final

import numpy as np

from spatial_reasoner.geometry.arrays import Flags, Floats, Rows
from spatial_reasoner.kernels.compiled import compiled
from spatial_reasoner.sight.bearings import Bearings
from spatial_reasoner.sight.fields_of_view import Panel
from spatial_reasoner.sight.outlines import Outlines
from spatial_reasoner.tolerances.units import Numeric
from spatial_reasoner.values.rendering import BOTTOM, LEFT, RIGHT, TOP, PixelRectangle

__all__ = ["Enclosing"]

_AHEAD: Final[Numeric] = 0.01
"""Metres: the least depth of a corner. For a nearer one the bounding sphere is used."""
_ROUGHLY: Final[Numeric] = 1.2
"""A round shape that is rendered with few triangles is wider than its exact form by this factor at
most."""
_SPARE: Final = 1
"""Pixels that are added at each side because of rounding."""


@dataclass(frozen=True, slots=True, eq=False)
class Enclosing:
    """The bounding boxes of objects in the pictures of eyes (n, 7); `worlds` are what they see."""

    eyes: Floats
    worlds: Rows
    about: Outlines
    where: Bearings

    def boxes(self, eye: int, rows: Rows, panel: Panel) -> tuple[Rows, PixelRectangle | None]:
        """The bounding box of each row in a panel (n, 4): left, top, right, bottom in pixels.

        A row that is not in the panel has zeros. Also returns the box of all rows, or None.
        """
        boxes, part = np.zeros((len(rows), 4), dtype=np.intp), np.empty(4, dtype=np.intp)
        where, about, world = self.where, self.about, self.worlds[eye]
        _enclose(
            where.azimuth[eye], where.elevation[eye], where.width[eye], where.axes[eye],
            self.eyes[eye], about.centres[world], about.turns[world],
            about.outsides.halves[world], about.outsides.rounds[world], rows, panel.yaw,
            panel.fov[0] / 2, tan(panel.fov[1] / 2), panel.width, panel.height, boxes, part,
        )  # fmt: skip
        left, top, right, bottom = part.tolist()
        return boxes, PixelRectangle(left, top, right, bottom) if left < right else None


@compiled("Tuple((b1, UniTuple(f8, 4)))(f8[:,:], f8[:], f8[:], f8[:,:], f8[:], f8, f8)")
def _span(
    axes: Floats,
    place: Floats,
    centre: Floats,
    turn: Floats,
    half: Floats,
    yaw: float,
    wider: float,
) -> tuple[bool, tuple[float, float, float, float]]:
    """The least and greatest slopes y/x and z/x of the corners of a box in the eye's frame.

    The first value is false if a corner is not ahead of the eye; the slopes are then undefined.
    """
    right, left, low, high = inf, -inf, inf, -inf
    for corner in range(8):
        x = y = z = 0.0
        for k in range(3):
            at = centre[k] - place[k]
            for i in range(3):
                side = 1.0 if corner >> i & 1 else -1.0
                at += turn[k, i] * side * wider * half[i]
            x += at * (axes[k, 0] * cos(yaw) + axes[k, 1] * sin(yaw))
            y += at * (axes[k, 1] * cos(yaw) - axes[k, 0] * sin(yaw))
            z += at * axes[k, 2]
        if x < _AHEAD:
            return False, (right, left, low, high)
        right, left = min(right, y / x), max(left, y / x)
        low, high = min(low, z / x), max(high, z / x)
    return True, (right, left, low, high)


@compiled(
    "void(f8[:], f8[:], f8[:], f8[:,:], f8[:], f8[:,:], f8[:,:,:], f8[:,:], b1[:], i8[:], f8, f8,"
    " f8, i8, i8, i8[:,:], i8[:])"
)
def _enclose(
    azimuth: Floats,
    elevation: Floats,
    width: Floats,
    axes: Floats,
    place: Floats,
    centres: Floats,
    turns: Floats,
    halves: Floats,
    rounds: Flags,
    rows: Rows,
    yaw: float,
    half: float,
    tall: float,
    across: int,
    down: int,
    boxes: Rows,
    part: Rows,
) -> None:
    """Sets the bounding box of each row in a picture, and that of all rows, in pixels.

    It follows from the row's box, or from its bounding sphere if the box reaches behind the eye.
    """
    part[LEFT], part[TOP], part[RIGHT], part[BOTTOM] = across, down, 0, 0
    wide = tan(half)
    for k in range(len(rows)):
        r = rows[k]
        wider = _ROUGHLY if rounds[r] else 1.0
        is_ahead, slopes = _span(axes, place, centres[r], turns[r], halves[r], yaw, wider)
        right, left, low, high = slopes
        if not is_ahead:
            # Bounding sphere: azimuths within ± side, elevations within ± angle, as slopes
            angle, side = _ROUGHLY * width[r], pi
            turn = (azimuth[r] - yaw + pi) % (2 * pi) - pi
            level = cos(elevation[r])
            if angle < pi / 2 and sin(angle) < level:
                side = asin(sin(angle) / level)
            begin, end = max(turn - side, -half), min(turn + side, half)
            if begin > end:
                continue
            far = 1 / cos(max(abs(begin), abs(end)))
            near = 1.0 if begin <= 0.0 <= end else 1 / cos(min(abs(begin), abs(end)))
            low = tan(max(elevation[r] - angle, -pi / 2))
            high = tan(min(elevation[r] + angle, pi / 2))
            right, left = tan(begin), tan(end)
            low, high = low * (far if low < 0 else near), high * (far if high > 0 else near)
        if right > wide or left < -wide or low > tall or high < -tall:
            continue
        # From slopes to pixels: u = (1 − slope / tan(fov / 2)) · size / 2
        boxes[k, LEFT] = max(floor((1 - min(left / wide, 1.0)) * across / 2) - _SPARE, 0)
        boxes[k, TOP] = max(floor((1 - min(high / tall, 1.0)) * down / 2) - _SPARE, 0)
        boxes[k, RIGHT] = min(ceil((1 - max(right / wide, -1.0)) * across / 2) + _SPARE, across)
        boxes[k, BOTTOM] = min(ceil((1 - max(low / tall, -1.0)) * down / 2) + _SPARE, down)
        for i in (LEFT, TOP):
            part[i] = min(part[i], boxes[k, i])
        for i in (RIGHT, BOTTOM):
            part[i] = max(part[i], boxes[k, i])
