"""Which part of a picture each thing can show in: the rest of it need not be drawn."""

from dataclasses import dataclass
from math import asin, ceil, cos, floor, inf, pi, sin, tan
from typing import Final

import numpy as np
from numpy.typing import NDArray

from spatial_reasoner.geometry.poses import Floats
from spatial_reasoner.kernels.compiled import compiled
from spatial_reasoner.sight.headings import Headings
from spatial_reasoner.sight.outlines import Outlines
from spatial_reasoner.sight.windows import Panel
from spatial_reasoner.values.sight import Part

__all__ = ["Enclosing"]

Flags = NDArray[np.bool_]
Rows = NDArray[np.intp]
_AHEAD: Final = 0.01
"""Metres."""
_ROUGHLY: Final = 1.2
"""What is drawn of few triangles is by so much wider than what it stands for, at most."""
_SPARE: Final = 1
"""Points that are added at each side, against rounding."""


@dataclass(frozen=True, slots=True, eq=False)
class Enclosing:
    """What encloses things in the pictures of some eyes (n, 7), each with the world it looks at."""

    eyes: Floats
    worlds: Rows
    about: Outlines
    where: Headings

    def boxes(self, eye: int, rows: Rows, panel: Panel) -> tuple[Rows, Part | None]:
        """Left, top, right and bottom of what encloses each of some rows (n, 4), all 0 of what
        can't show; and what encloses all of these, if there are any."""
        boxes, part = np.zeros((len(rows), 4), dtype=np.intp), np.empty(4, dtype=np.intp)
        where, about, world = self.where, self.about, self.worlds[eye]
        _enclose(
            where.azimuth[eye], where.elevation[eye], where.width[eye], where.axes[eye],
            self.eyes[eye], about.centres[world], about.turns[world],
            about.outsides.halves[world], about.outsides.rounds[world], rows, panel.yaw,
            panel.fov[0] / 2, tan(panel.fov[1] / 2), panel.width, panel.height, boxes, part,
        )  # fmt: skip
        left, top, right, bottom = part.tolist()
        return boxes, Part(left, top, right, bottom) if left < right else None


@compiled("b1(f8[:,:], f8[:], f8[:], f8[:,:], f8[:], f8, f8, f8[:])")
def _span(
    axes: Floats,
    place: Floats,
    centre: Floats,
    turn: Floats,
    half: Floats,
    yaw: float,
    wider: float,
    span: Floats,
) -> bool:
    """Sets the slopes to the left and up between which a box shows: the least and the most of each.

    Tells whether all of it is ahead; else nothing follows.
    """
    span[0] = span[2] = inf
    span[1] = span[3] = -inf
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
            return False
        span[0], span[1] = min(span[0], y / x), max(span[1], y / x)
        span[2], span[3] = min(span[2], z / x), max(span[3], z / x)
    return True


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
    """Sets the left, top, right and bottom of what encloses each row, and all of them: of its box,
    or of its ball if that reaches behind the eye."""
    part[0], part[1], part[2], part[3] = across, down, 0, 0
    wide, span = tan(half), np.empty(4)
    for k in range(len(rows)):
        r = rows[k]
        wider = _ROUGHLY if rounds[r] else 1.0
        if not _span(axes, place, centres[r], turns[r], halves[r], yaw, wider, span):
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
            span[0], span[1] = tan(begin), tan(end)
            span[2], span[3] = low * (far if low < 0 else near), high * (far if high > 0 else near)
        if span[0] > wide or span[1] < -wide or span[2] > tall or span[3] < -tall:
            continue
        boxes[k, 0] = max(floor((1 - min(span[1] / wide, 1.0)) * across / 2) - _SPARE, 0)
        boxes[k, 1] = max(floor((1 - min(span[3] / tall, 1.0)) * down / 2) - _SPARE, 0)
        boxes[k, 2] = min(ceil((1 - max(span[0] / wide, -1.0)) * across / 2) + _SPARE, across)
        boxes[k, 3] = min(ceil((1 - max(span[2] / tall, -1.0)) * down / 2) + _SPARE, down)
        for i in range(2):
            part[i] = min(part[i], boxes[k, i])
            part[i + 2] = max(part[i + 2], boxes[k, i + 2])
