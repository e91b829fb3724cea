"""Which part of a picture each thing can show in: the rest of it need not be drawn."""

from math import asin, ceil, cos, floor, pi, sin, tan
from typing import Final

import numpy as np
from numpy.typing import NDArray

from spatial_reasoner.compiled import compiled
from spatial_reasoner.headings import Headings
from spatial_reasoner.poses import Floats
from spatial_reasoner.sight import Part
from spatial_reasoner.windows import Panel

__all__ = ["boxes_of"]

Rows = NDArray[np.intp]
_ROUGHLY: Final = 1.2
"""What is drawn of few triangles is by so much wider than what it stands for, at most."""
_SPARE: Final = 1
"""Points that are added at each side, against rounding."""


def boxes_of(where: Headings, eye: int, rows: Rows, panel: Panel) -> tuple[Rows, Part | None]:
    """Left, top, right and bottom of what encloses each of some rows (n, 4), in a panel's picture
    as an eye sees it, all 0 of what can't show there; and what encloses them all, if any does."""
    boxes, part = np.zeros((len(rows), 4), dtype=np.intp), np.empty(4, dtype=np.intp)
    _enclose(
        where.azimuth[eye], where.elevation[eye], where.width[eye], rows, panel.yaw,
        panel.fov[0] / 2, tan(panel.fov[1] / 2), panel.width, panel.height, boxes, part,
    )  # fmt: skip
    left, top, right, bottom = part.tolist()
    return boxes, Part(left, top, right, bottom) if left < right else None


@compiled("void(f8[:], f8[:], f8[:], i8[:], f8, f8, f8, i8, i8, i8[:,:], i8[:])")
def _enclose(
    azimuth: Floats,
    elevation: Floats,
    width: Floats,
    rows: Rows,
    yaw: float,
    half: float,
    tall: float,
    across: int,
    down: int,
    boxes: Rows,
    part: Rows,
) -> None:
    """Sets the left, top, right and bottom of what encloses the ball of each row, and of all."""
    part[0], part[1], part[2], part[3] = across, down, 0, 0
    for k in range(len(rows)):
        r = rows[k]
        wide, side = _ROUGHLY * width[r], pi
        turn = (azimuth[r] - yaw + pi) % (2 * pi) - pi
        level = cos(elevation[r])
        if wide < pi / 2 and sin(wide) < level:
            side = asin(sin(wide) / level)
        begin, end = max(turn - side, -half), min(turn + side, half)
        if begin > end:
            continue
        far = 1 / cos(max(abs(begin), abs(end)))
        near = 1.0 if begin <= 0.0 <= end else 1 / cos(min(abs(begin), abs(end)))
        low = tan(max(elevation[r] - wide, -pi / 2))
        high = tan(min(elevation[r] + wide, pi / 2))
        low *= far if low < 0 else near
        high *= far if high > 0 else near
        if low > tall or high < -tall:
            continue
        left = (1 - tan(end) / tan(half)) * across / 2
        right = (1 - tan(begin) / tan(half)) * across / 2
        top = (1 - min(high / tall, 1.0)) * down / 2
        bottom = (1 - max(low / tall, -1.0)) * down / 2
        boxes[k, 0] = max(floor(left) - _SPARE, 0)
        boxes[k, 1] = max(floor(top) - _SPARE, 0)
        boxes[k, 2] = min(ceil(right) + _SPARE, across)
        boxes[k, 3] = min(ceil(bottom) + _SPARE, down)
        for i in range(2):
            part[i] = min(part[i], boxes[k, i])
            part[i + 2] = max(part[i + 2], boxes[k, i + 2])
