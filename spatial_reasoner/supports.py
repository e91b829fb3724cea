"""Supports: how high the top is that would carry a thing, under its centre of mass."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from spatial_reasoner.bodies import HULL
from spatial_reasoner.footprints import Geometry
from spatial_reasoner.polygons import Rows
from spatial_reasoner.poses import Floats
from spatial_reasoner.turns import TILTED

__all__ = ["NO_TOP", "tops"]

Flags = NDArray[np.bool_]

NO_TOP: Final = -np.inf
_SUNK: Final = 0.01
"""A thing may seem to have sunk so far into a mesh or a slope, beyond half its height."""
_AROUND: Final = np.array(
    [(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1), (0.7, 0.7), (0.7, -0.7), (-0.7, 0.7), (-0.7, -0.7)]
)


def tops(geometry: Geometry, things: Rows, supports: Rows, over: Floats) -> tuple[Floats, Flags]:
    """The top of each support that the thing beside it in the list may rest on, and how surely.

    `over` is how far the thing's centre of mass is outside the support's outline. A top that only
    goes on to carry what it carried before is not sure; NO_TOP says that there is none. A box is a
    support by its top, a mesh by each of its tops: the one that is nearest to the underside.
    """
    margins, gaps = geometry.tolerances.on_margin, geometry.gaps(things)
    top = geometry.top.take(supports)
    body = geometry.middle[supports, 2]
    tilted = np.flatnonzero(geometry.axis.take(supports) == TILTED)
    if tilted.size:
        top[tilted] = _slopes(geometry, things[tilted], supports[tilted])
        body[tilted] = top[tilted] - _SUNK
    # What rests is higher than what carries it, so that of two cards each is not on the other.
    rests = (over <= margins[1]) & (body < geometry.balance[things, 2])
    sure = rests & (over <= margins[0])
    is_hull = geometry.bodies.form.take(supports) == HULL
    if is_hull.any():
        for row in np.unique(supports[is_hull]).tolist():
            mine = np.flatnonzero(supports == row)
            top[mine], sure[mine] = _of_relief(geometry, row, things[mine], rests[mine])
            rests[mine] = top[mine] > NO_TOP
    gap = np.abs(geometry.bottom.take(things) - top)
    rests &= gap <= gaps[1]
    return np.where(rests, top, NO_TOP), sure & (gap <= gaps[0])


def _slopes(geometry: Geometry, things: Rows, supports: Rows) -> Floats:
    """Where a vertical line through each thing's centre of mass leaves the box of its support."""
    turn, half = geometry.turn[supports], geometry.bodies.half[supports]
    away = geometry.balance[things] - geometry.middle[supports]
    away[:, 2] = 0.0
    at = (away[:, None] @ turn)[:, 0]
    rise = turn[:, 2]
    steep = np.abs(rise) > 1e-9
    room = (half - np.sign(rise) * at) / np.where(steep, np.abs(rise), 1.0)
    height = np.where(steep, room, np.inf).min(axis=1)
    limit = geometry.top[supports] - geometry.middle[supports, 2]
    top: Floats = geometry.middle[supports, 2] + np.clip(height, -limit, limit)
    return top


def _of_relief(geometry: Geometry, row: int, things: Rows, within: Flags) -> tuple[Floats, Flags]:
    """The top of a mesh that is nearest to each thing's underside, and if it is right under it."""
    around = geometry.tolerances.on_margin[1] * _AROUND
    points = geometry.balance[things, None, :2] + around
    which, height = geometry.relief(row).under(points.reshape(-1, 2))
    which, sample = np.divmod(which, len(_AROUND))
    if geometry.bodies.hollow[row]:
        # Over a cavity there is the rim, which carries a lid.
        lids = np.flatnonzero(within)
        which, sample = np.append(which, lids), np.append(sample, np.zeros_like(lids))
        height = np.append(height, np.full(len(lids), geometry.top[row]))
    below = height < geometry.balance[things[which], 2] + _SUNK
    which, sample, height = which[below], sample[below], height[below]
    order = np.argsort(-np.abs(geometry.bottom[things[which]] - height), kind="stable")
    top, sure = np.full(len(things), NO_TOP), np.zeros(len(things), dtype=bool)
    top[which[order]] = height[order]
    middle = sample == 0
    sure[which[middle & (np.abs(height - top[which]) < _SUNK)]] = True
    return top, sure
