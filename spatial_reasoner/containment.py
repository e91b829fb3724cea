"""Containment: what is in the cavity of what, by the cavity's own axes.

So it is the same for a bin that stands, lies or hangs upside down. The road not taken is the
axis-aligned box, which grows when its body is turned and takes in what stands beside it.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from spatial_reasoner.bodies import BALL, HULL, TUBE
from spatial_reasoner.footprints import Geometry
from spatial_reasoner.polygons import Rows
from spatial_reasoner.poses import Floats

__all__ = ["contained"]

Flags = NDArray[np.bool_]

_SHARE: Final = 0.2
"""What is lower than 5 cm counts as in when a fifth of it is below the rim."""


def contained(geometry: Geometry, things: Rows, containers: Rows, was: Flags) -> Flags:
    """Whether each thing is in the container beside it in the list.

    Its middle is inside the walls, it is no wider than the cavity, and some of it is below the rim;
    or its lower end is inside, as that of a spoon is which leans out of a mug. So a lid is not in.
    """
    bodies, tolerances = geometry.bodies, geometry.tolerances
    forms, half = bodies.form[things], bodies.half[things]
    cavity = bodies.cavity_half[containers]
    own = geometry.turn[containers].swapaxes(1, 2)
    axes = own @ geometry.turn[things]
    away = geometry.middle[things] - geometry.middle[containers]
    at = (own @ away[:, :, None])[:, :, 0] - bodies.cavity_middle[containers]
    up = np.abs(_upward(axes[:, 2], forms))
    lowest, height = _lowest(geometry, things, at, axes, up)
    slack = was * tolerances.in_margin[1] + ~was * tolerances.in_margin[0]
    depth, walls = cavity[:, 2] - lowest + slack, cavity[:, :2] + slack[:, None]
    wide = bodies.widths[things, up.argmax(axis=1)]
    inside = ((np.abs(at[:, :2]) <= walls) & (wide <= bodies.cavity_fits[containers])).all(axis=1)
    inside &= depth >= np.minimum(tolerances.in_depth, _SHARE * height)
    place = at[:, :2].copy()
    rest = np.flatnonzero(~inside & (depth >= tolerances.in_depth))
    if rest.size:
        place[rest], spread = _end(
            at[rest], axes[rest], half[rest], forms[rest], tolerances.level[1]
        )
        inside[rest] = (np.abs(place[rest]) + spread <= walls[rest]).all(axis=1)
    inside &= at[:, 2] >= _floors(geometry, containers, place)
    held: Flags = inside
    return held


def _upward(up: Floats, forms: NDArray[np.int8]) -> Floats:
    """The cavity's axis by the things' own ones; what is round is turned toward it."""
    up = up.copy()
    tubes = np.flatnonzero(forms == TUBE)
    if tubes.size:
        up[tubes, 0] = np.hypot(up[tubes, 0], up[tubes, 1])
        up[tubes, 1] = 0.0
    up[forms == BALL] = (0.0, 0.0, 1.0)
    return up


def _lowest(
    geometry: Geometry, things: Rows, at: Floats, axes: Floats, up: Floats
) -> tuple[Floats, Floats]:
    """How deep each thing reaches along the cavity's axis, from its middle, and how high it is."""
    extent = (up * geometry.bodies.half[things]).sum(axis=1)
    lowest, height = at[:, 2] - extent, 2 * extent
    for k in np.flatnonzero(geometry.bodies.form[things] == HULL):
        shape = geometry.bodies.shapes[things[k]]
        assert shape is not None
        along = (shape.corners - shape.centre) @ axes[k, 2]
        lowest[k], height[k] = at[k, 2] + along.min(), np.ptp(along)
    return lowest, height


def _end(
    at: Floats, axes: Floats, half: Floats, forms: NDArray[np.int8], flat: float
) -> tuple[Floats, Floats]:
    """The middle of the lower end, and how far that end spreads along the cavity's walls."""
    half = np.where((forms == BALL)[:, None], 0.0, half)
    lies = np.abs(axes[:, 2]) < np.sin(flat)
    down = np.where(lies, 0.0, np.sign(axes[:, 2])) * half
    end = at[:, :2] - (axes[:, :2] @ down[:, :, None])[:, :, 0]
    spread: Floats = (np.abs(axes[:, :2]) @ (half * lies)[:, :, None])[:, :, 0]
    return end, spread


def _floors(geometry: Geometry, containers: Rows, places: Floats) -> Floats:
    """How high the middle of each floor is under a place; NaN in a wall.

    What lies right under a bin is as near to its cavity as what lies right on its floor, so it is
    the middle of the floor that is between them.
    """
    bodies = geometry.bodies
    floors = bodies.floor[containers]
    for k in np.flatnonzero(bodies.has_relief[containers]).tolist():
        row = int(containers[k])
        shape = bodies.shapes[row]
        assert shape is not None
        assert shape.cavity is not None
        assert shape.cavity.floor is not None
        floor = _floor(shape.cavity.floor, places[k], bodies.cavity_half[row])
        floors[k] = bodies.under_floor(row, floor)
    return floors


def _floor(floor: Floats, place: Floats, half: Floats) -> float:
    """How high the floor is at a place, from the cavity's middle; NaN in a wall."""
    shares = (place / half[:2] + 1) / 2
    cell = np.clip((shares * floor.shape).astype(int), 0, np.array(floor.shape) - 1)
    return float(floor[cell[0], cell[1]])
