"""Supports: how high the top is that would carry a thing, under its centre of mass."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from spatial_reasoner.geometry.bodies import BALL, HULL
from spatial_reasoner.geometry.polygons import Rows
from spatial_reasoner.geometry.poses import Floats
from spatial_reasoner.geometry.turns import TILTED
from spatial_reasoner.kernels.compiled import compiled
from spatial_reasoner.relations.footprints import Geometry

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
    top, sure = np.empty(len(things)), np.empty(len(things), dtype=bool)
    is_rimmed = geometry.bodies.hollow & ~geometry.is_container
    margins = geometry.tolerances.on_margin
    is_on_hull = _carry(
        things, supports, over, *margins, geometry.measures, geometry.middle, geometry.balance,
        geometry.turn, geometry.bodies.half, geometry.bodies.form, geometry.bodies.hollow,
        geometry.bodies.cavity_middle, geometry.bodies.cavity_half, geometry.axis, is_rimmed,
        top, sure,
    )  # fmt: skip
    if is_on_hull:
        is_hull = geometry.bodies.form.take(supports) == HULL
        for row in np.unique(supports[is_hull]).tolist():
            mine = np.flatnonzero(supports == row)
            top[mine], sure[mine] = _of_relief(geometry, row, things[mine], top[mine] > NO_TOP)
    _reach(things, geometry.measures, geometry.held, geometry.on_gaps, top, sure)
    return top, sure


@compiled("f8(f8[::1], f8[::1], f8[::1], f8[:,::1], f8)")
def _slope(point: Floats, half: Floats, middle: Floats, turn: Floats, limit: float) -> float:
    """Where a vertical line through a point leaves a box that leans."""
    x, y, height = point[0] - middle[0], point[1] - middle[1], np.inf
    for k in range(3):
        at, rise = x * turn[0, k] + y * turn[1, k], turn[2, k]
        if abs(rise) > 1e-9:
            room = half[k] - at if rise > 0 else half[k] + at
            height = min(height, room / abs(rise))
    top: float = middle[2] + max(-limit, min(height, limit))
    return top


@compiled("f8(f8[::1], f8[:,::1], f8[::1], b1, f8[::1], f8[:,::1], f8[::1], f8[::1])")
def _inset(
    place: Floats, turn: Floats, half: Floats, is_ball: bool, middle: Floats, bin_turn: Floats,
    cavity: Floats, walls: Floats,
) -> float:  # fmt: skip
    """How far a thing is within the walls of a bin, seen from above, at least."""
    inset = np.inf
    for k in range(2):
        at, spread = -cavity[k], half[0] if is_ball else 0.0
        for r in range(3):
            at += bin_turn[r, k] * (place[r] - middle[r])
        for c in range(0 if is_ball else 3):
            along = 0.0
            for r in range(3):
                along += bin_turn[r, k] * turn[r, c]
            spread += abs(along) * half[c]
        inset = min(inset, walls[k] - abs(at) - spread)
    return float(inset)


@compiled(
    "b1(i8[::1], i8[::1], f8[::1], f8, f8, f8[:,::1], f8[:,::1], f8[:,::1], f8[:,:,::1],"
    " f8[:,::1], i1[::1], b1[::1], f8[:,::1], f8[:,::1], i8[::1], b1[::1], f8[::1], b1[::1])"
)
def _carry(
    things: Rows, supports: Rows, over: Floats, margin: float, margin_off: float,
    measures: Floats, middles: Floats, balances: Floats, turns: Floats, halves: Floats,
    forms: NDArray[np.int8], hollow: Flags, cavity_middles: Floats, cavity_halves: Floats,
    axes: Rows, rimmed: Flags, tops: Floats, sure: Flags,
) -> bool:  # fmt: skip
    """Sets the tops under things, however far under them, and how surely each would carry them.

    Over the opening of a bin there is none: what does not reach over its walls would fall in. But
    a tray with a rim carries that on its floor.

    What rests is higher than what carries it, so that of two cards each is not on the other. Of
    hulls it is only their highest top: whether there are any is returned.
    """
    is_on_hull = False
    for k in range(len(things)):
        thing, row = things[k], supports[k]
        is_on_hull |= forms[row] == HULL
        top, middle = measures[1, row], middles[row]
        body = middle[2]
        if axes[row] == TILTED:
            top = _slope(balances[thing], halves[row], middle, turns[row], top - middle[2])
            body = top - _SUNK
        inset = -np.inf
        if hollow[row] and axes[row] == 2 and turns[row, 2, 2] > 0:
            inset = _inset(
                middles[thing], turns[thing], halves[thing], forms[thing] == BALL, middle,
                turns[row], cavity_middles[row], cavity_halves[row],
            )  # fmt: skip
        if rimmed[row] and inset > -margin_off:
            floor = middle[2] + cavity_middles[row, 2] - cavity_halves[row, 2]
            if abs(measures[2, thing] - floor) < abs(measures[2, thing] - top):
                top, body, inset = floor, floor, -np.inf
        rests = over[k] <= margin_off and body < balances[thing, 2] and inset <= margin_off
        if rests and hollow[thing] and axes[thing] == 2 and turns[thing, 2, 2] > 0:
            # What lies on the floor of a thing carries it not.
            floor = middles[thing, 2] + cavity_middles[thing, 2] - cavity_halves[thing, 2]
            rests = middle[2] <= floor
        tops[k] = top if rests else NO_TOP
        sure[k] = rests and over[k] <= margin and inset <= margin
    return is_on_hull


@compiled("(i8[::1], f8[:,::1], b1[::1], f8[:,::1], f8[::1], b1[::1])")
def _reach(
    things: Rows, measures: Floats, held: Flags, gaps: Floats, tops: Floats, sure: Flags
) -> None:
    """Leaves of some tops those that the undersides of things are near to."""
    for k in range(len(things)):
        thing = things[k]
        near, far = gaps[int(held[thing]), 0], gaps[int(held[thing]), 1]
        gap = abs(measures[2, thing] - tops[k])
        sure[k] &= gap <= near
        if gap > far:
            tops[k] = NO_TOP


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
