"""Which part of a picture has anything in it: the rest need not be drawn."""

from math import asin, ceil, cos, floor, pi, sin, tan
from typing import Final

import numpy as np
from numpy.typing import NDArray

from spatial_reasoner.compiled import compiled
from spatial_reasoner.headings import Headings
from spatial_reasoner.poses import Floats
from spatial_reasoner.sight import Part
from spatial_reasoner.windows import Panel

__all__ = ["part_with"]

Rows = NDArray[np.intp]
_ROUGHLY: Final = 1.2
"""What is drawn of few triangles is by so much wider than what it stands for, at most."""
_SPARE: Final = 1
"""Points that are added at each side, against rounding."""


def part_with(where: Headings, eye: int, rows: Rows, panel: Panel) -> Part | None:
    """The part of a panel's picture in which some rows may show to an eye; None if none does."""
    part = np.zeros(4, dtype=np.intp)
    _enclose(
        where.azimuth[eye], where.elevation[eye], where.width[eye], rows, panel.yaw,
        panel.fov[0] / 2, tan(panel.fov[1] / 2), panel.width, panel.height, part,
    )  # fmt: skip
    found = Part(*part.tolist())
    return found if found.width > 0 and found.height > 0 else None


@compiled("void(f8[:], f8[:], f8[:], i8[:], f8, f8, f8, i8, i8, i8[:])")
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
    part: Rows,
) -> None:
    """Sets the left, top, right and bottom of what encloses the balls of some rows."""
    left, top, right, bottom = float(across), float(down), 0.0, 0.0
    for r in rows:
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
        left = min(left, (1 - tan(end) / tan(half)) * across / 2)
        right = max(right, (1 - tan(begin) / tan(half)) * across / 2)
        top = min(top, (1 - min(high / tall, 1.0)) * down / 2)
        bottom = max(bottom, (1 - max(low / tall, -1.0)) * down / 2)
    part[0] = max(floor(left) - _SPARE, 0)
    part[1] = max(floor(top) - _SPARE, 0)
    part[2] = min(ceil(right) + _SPARE, across)
    part[3] = min(ceil(bottom) + _SPARE, down)
