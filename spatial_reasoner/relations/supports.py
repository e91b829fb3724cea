"""Supports: the height of the support surface under the centre of mass of an object.

An object rests on a support if its underside is near that surface; `relations.py` decides between
several supports. A bin is a support by its rim, a tray also by its floor, a mesh by each of its
upward faces, and a tilted box by its surface at that point.
"""

from typing import Annotated, Final

import numpy as np

from spatial_reasoner.geometry.arrays import Codes, Flags, Floats, Rows
from spatial_reasoner.geometry.levelling import TILTED
from spatial_reasoner.geometry.shape_tables import BALL, HULL
from spatial_reasoner.kernels.compiled import compiled
from spatial_reasoner.relations.world_geometry import WorldGeometry
from spatial_reasoner.tolerances.units import Numeric

__all__ = ["NO_TOP", "tops"]

NO_TOP: Final = -np.inf
"""The height of the support surface where there is none."""
_AROUND: Final[Annotated[Floats, Numeric]] = np.array(
    [(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1), (0.7, 0.7), (0.7, -0.7), (-0.7, 0.7), (-0.7, -0.7)]
)
"""The sample points of a mesh: under the centre of mass, and on a circle around it (radius 1)."""


def tops(
    geometry: WorldGeometry, things: Rows, supports: Rows, over: Floats
) -> tuple[Floats, Flags]:
    """For each pair of object and support: the height of the support surface, and if it is sure.

    `over` is how far (m) the object's centre of mass lies outside the support's footprint. A
    surface that is not sure can only continue to support the object. The height is NO_TOP if there
    is no surface. A box has one surface; of a mesh, the one nearest to the underside counts.
    """
    top, sure = np.empty(len(things)), np.empty(len(things), dtype=bool)
    is_rimmed = geometry.bodies.hollow & ~geometry.is_container
    margins = geometry.tolerances.on_margin
    is_on_hull = _carry(
        things, supports, over, *margins, geometry.top, geometry.bottom, geometry.middle,
        geometry.balance, geometry.turn, geometry.bodies.half, geometry.bodies.form,
        geometry.bodies.hollow, geometry.bodies.cavity_middle, geometry.bodies.cavity_half,
        geometry.axis, is_rimmed, geometry.tolerances.support_sunk, top, sure,
    )  # fmt: skip
    if is_on_hull:
        is_hull = geometry.bodies.form.take(supports) == HULL
        for row in np.unique(supports[is_hull]).tolist():
            mine = np.flatnonzero(supports == row)
            top[mine], sure[mine] = _of_relief(geometry, row, things[mine], top[mine] > NO_TOP)
    _reach(things, geometry.bottom, geometry.held, geometry.on_gaps, top, sure)
    return top, sure


@compiled("f8(f8[::1], f8[::1], f8[::1], f8[:,::1], f8)")
def _slope(point: Floats, half: Floats, middle: Floats, turn: Floats, limit: float) -> float:
    """The height at which the vertical line through a point leaves a tilted box at its top."""
    x, y, height = point[0] - middle[0], point[1] - middle[1], np.inf
    for k in range(3):
        # In the box's frame the line is at + h · rise along each axis; it leaves at ± half.
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
    """The least horizontal distance (m) of an object from the walls of a bin that it is within."""
    # For both horizontal axes of the bin: half the cavity − |offset of the centre| − half extent
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
    "b1(i8[::1], i8[::1], f8[::1], f8, f8, f8[::1], f8[::1], f8[:,::1], f8[:,::1],"
    " f8[:,:,::1], f8[:,::1], i1[::1], b1[::1], f8[:,::1], f8[:,::1], i8[::1], b1[::1], f8,"
    " f8[::1], b1[::1])"
)
def _carry(
    things: Rows, supports: Rows, over: Floats, margin: float, margin_off: float,
    highest: Floats, lowest: Floats, middles: Floats, balances: Floats, turns: Floats,
    halves: Floats, forms: Codes, hollow: Flags, cavity_middles: Floats, cavity_halves: Floats,
    axes: Rows, rimmed: Flags, sunk: float, tops: Floats, sure: Flags,
) -> bool:  # fmt: skip
    """Sets the support surfaces under objects, at any distance below, and whether each is sure.

    - Over the opening of a bin there is no surface, because an object that does not reach over the
      walls would fall in. A tray, which has a rim but is no container, supports it by its floor.
    - An object must be higher than its support, so two cards cannot be on each other.
    - For a hull only the highest point is set here; the function returns whether there is a hull.
    """
    is_on_hull = False
    for k in range(len(things)):
        thing, row = things[k], supports[k]
        is_on_hull |= forms[row] == HULL
        # 1. The surface of a level box is its top; of a tilted one, that under the centre of mass.
        top, middle = highest[row], middles[row]
        body = middle[2]
        if axes[row] == TILTED:
            top = _slope(balances[thing], halves[row], middle, turns[row], top - middle[2])
            body = top - sunk
        # 2. Over an upright bin: the rim, if the object reaches over it, or the floor of a tray.
        inset = -np.inf
        if hollow[row] and axes[row] == 2 and turns[row, 2, 2] > 0:
            inset = _inset(
                middles[thing], turns[thing], halves[thing], forms[thing] == BALL, middle,
                turns[row], cavity_middles[row], cavity_halves[row],
            )  # fmt: skip
        if rimmed[row] and inset > -margin_off:
            floor = middle[2] + cavity_middles[row, 2] - cavity_halves[row, 2]
            if abs(lowest[thing] - floor) < abs(lowest[thing] - top):
                top, body, inset = floor, floor, -np.inf
        # 3. The centre of mass must be over the footprint, and above the support.
        rests = over[k] <= margin_off and body < balances[thing, 2] and inset <= margin_off
        if rests and hollow[thing] and axes[thing] == 2 and turns[thing, 2, 2] > 0:
            # An object that lies on the floor of a bin does not support the bin.
            floor = middles[thing, 2] + cavity_middles[thing, 2] - cavity_halves[thing, 2]
            rests = middle[2] <= floor
        tops[k] = top if rests else NO_TOP
        sure[k] = rests and over[k] <= margin and inset <= margin
    return is_on_hull


@compiled("(i8[::1], f8[::1], b1[::1], f8[:,::1], f8[::1], b1[::1])")
def _reach(
    things: Rows, lowest: Floats, held: Flags, gaps: Floats, tops: Floats, sure: Flags
) -> None:
    """Removes the surfaces that are too far from the undersides of the objects, with hysteresis."""
    for k in range(len(things)):
        thing = things[k]
        near, far = gaps[int(held[thing]), 0], gaps[int(held[thing]), 1]
        gap = abs(lowest[thing] - tops[k])
        sure[k] &= gap <= near
        if gap > far:
            tops[k] = NO_TOP


def _of_relief(
    geometry: WorldGeometry, row: int, things: Rows, within: Flags
) -> tuple[Floats, Flags]:
    """The surface of a mesh nearest to each object's underside, and if it is under the centre."""
    sunk, around = geometry.tolerances.support_sunk, geometry.tolerances.on_margin[1] * _AROUND
    points = geometry.balance[things, None, :2] + around
    which, height = geometry.relief(row).under(points.reshape(-1, 2))
    which, sample = np.divmod(which, len(_AROUND))
    if geometry.bodies.hollow[row]:
        # Over a cavity the rim is a surface, too: it supports a lid.
        lids = np.flatnonzero(within)
        which, sample = np.append(which, lids), np.append(sample, np.zeros_like(lids))
        height = np.append(height, np.full(len(lids), geometry.top[row]))
    below = height < geometry.balance[things[which], 2] + sunk
    which, sample, height = which[below], sample[below], height[below]
    order = np.argsort(-np.abs(geometry.bottom[things[which]] - height), kind="stable")
    top, sure = np.full(len(things), NO_TOP), np.zeros(len(things), dtype=bool)
    top[which[order]] = height[order]
    middle = sample == 0
    sure[which[middle & (np.abs(height - top[which]) < sunk)]] = True
    return top, sure
