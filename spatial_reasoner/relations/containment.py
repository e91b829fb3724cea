"""Containment: which object is in the cavity of which container, by the cavity's own axes.

The result is therefore the same for a bin that stands, lies or hangs upside down. The road not
taken is the axis-aligned bounding box: it grows when its body is rotated, and then contains objects
that stand beside it.
"""

import math

import numpy as np

from spatial_reasoner.geometry.arrays import Codes, Flags, Floats, Rows
from spatial_reasoner.geometry.shape_tables import BALL, HULL, TUBE
from spatial_reasoner.kernels.compiled import compiled
from spatial_reasoner.relations.world_geometry import WorldGeometry

__all__ = ["contained"]



def contained(geometry: WorldGeometry, things: Rows, containers: Rows, was: Flags) -> Flags:
    """For each pair of an object and a container, whether the object is in the container.

    It is in if its centre is between the walls, it is not wider than the cavity, and enough of it
    is below the rim. It is also in if its lower end is between the walls, like a spoon that leans
    out of a mug. A lid is not in.
    """
    bodies, tolerances = geometry.bodies, geometry.tolerances
    depths, heights = np.full(len(things), np.nan), np.full(len(things), np.nan)
    for k in np.flatnonzero(bodies.form[things] == HULL).tolist():
        depths[k], heights[k] = _depth(geometry, int(things[k]), int(containers[k]))
    inside, places = np.empty(len(things), dtype=bool), np.empty((len(things), 3))
    _contain(
        things, containers, was, *tolerances.in_margin, tolerances.in_depth,
        tolerances.in_share, np.sin(tolerances.level[1]), geometry.turn, geometry.middle,
        bodies.form, bodies.half, bodies.widths, bodies.cavity_middle, bodies.cavity_half,
        bodies.cavity_fits, depths, heights, inside, places,
    )  # fmt: skip
    floors = bodies.floor[containers]
    for k in np.flatnonzero(inside & bodies.has_relief[containers]).tolist():
        floors[k] = _under(geometry, int(containers[k]), places[k, :2])
    held: Flags = inside & (places[:, 2] >= floors)
    return held


def _depth(geometry: WorldGeometry, thing: int, container: int) -> tuple[float, float]:
    """How far a hull reaches down from its centre along a cavity's axis, and its height (m)."""
    shape = geometry.bodies.shapes[thing]
    assert shape is not None
    axis = geometry.turn[container][:, 2] @ geometry.turn[thing]
    along = (shape.corners - shape.centre) @ axis
    return -float(along.min()), float(np.ptp(along))


@compiled("(i1, f8[:,::1], f8[::1])")
def _look_up(form: int, axes: Floats, up: Floats) -> None:
    """Sets the cavity's axis in an object's frame; round objects are rotated toward it."""
    for k in range(3):
        up[k] = abs(axes[2, k])
    if form == TUBE:
        up[0], up[1] = math.hypot(up[0], up[1]), 0.0
    elif form == BALL:
        up[0], up[1], up[2] = 0.0, 0.0, 1.0


@compiled("b1(i1, f8[::1], f8[:,::1], f8[::1], f8[::1], f8, f8)")
def _ends_inside(
    form: int, half: Floats, axes: Floats, at: Floats, walls: Floats, slack: float, flat: float
) -> bool:
    """Whether the lower end of an object is between the walls; sets `at` to the end's centre."""
    # For both horizontal axes of the cavity: axes of the object across it widen the end (`spread`),
    # and axes along it move the end's centre down to the lower end.
    is_inside = True
    for k in range(2):
        spread = 0.0
        for c in range(3):
            reach = 0.0 if form == BALL else half[c]
            if abs(axes[2, c]) < flat:
                spread += abs(axes[k, c]) * reach
            elif axes[2, c] != 0.0:
                at[k] -= axes[k, c] * math.copysign(reach, axes[2, c])
        is_inside &= abs(at[k]) + spread <= walls[k] + slack
    return is_inside


@compiled(
    "(i8[::1], i8[::1], b1[::1], f8, f8, f8, f8, f8, f8[:,:,::1], f8[:,::1], i1[::1], f8[:,::1],"
    " f8[:,:,::1], f8[:,::1], f8[:,::1], f8[:,::1], f8[::1], f8[::1], b1[::1], f8[:,::1])"
)
def _contain(
    things: Rows, containers: Rows, was: Flags, margin: float, margin_off: float, least: float,
    share: float, flat: float, turns: Floats, middles: Floats, forms: Codes, halves: Floats,
    widths: Floats, cavity_middles: Floats, cavity_halves: Floats, cavity_fits: Floats,
    depths: Floats, heights: Floats, inside: Flags, places: Floats,
) -> None:  # fmt: skip
    """Sets which objects are between the walls and deep enough, and their places in the cavity.

    `depths` and `heights` are those of hulls; for other forms they are NaN, and the box counts.
    """
    axes, up = np.empty((3, 3)), np.empty(3)
    for k in range(len(things)):
        # 1. The object's centre and axes in the frame of the cavity
        thing, row, at = things[k], containers[k], places[k]
        own, turn, half, walls = turns[row], turns[thing], halves[thing], cavity_halves[row]
        for c in range(3):
            at[c] = -cavity_middles[row, c]
            for r in range(3):
                at[c] += own[r, c] * (middles[thing, r] - middles[row, r])
                axes[c, r] = (
                    own[0, c] * turn[0, r] + own[1, c] * turn[1, r] + own[2, c] * turn[2, r]
                )
        # 2. How far it reaches down from its centre, and its height
        _look_up(forms[thing], axes, up)
        depth, height = depths[k], heights[k]
        if np.isnan(depth):
            depth = up[0] * half[0] + up[1] * half[1] + up[2] * half[2]
            height = 2 * depth
        # 3. Its centre between the walls, its width, and the part below the rim; else its lower end
        slack = margin_off if was[k] else margin
        below = walls[2] - (at[2] - depth) + slack
        wide, fits = widths[thing, np.argmax(up)], cavity_fits[row]
        inside[k] = (
            abs(at[0]) <= walls[0] + slack and abs(at[1]) <= walls[1] + slack
            and wide[0] <= fits[0] and wide[1] <= fits[1] and below >= min(least, share * height)
        )  # fmt: skip
        if not inside[k] and below >= least:
            inside[k] = _ends_inside(forms[thing], half, axes, at, walls, slack, flat)


def _under(geometry: WorldGeometry, container: int, place: Floats) -> float:
    """The height of the middle of an uneven floor's thickness under a place; NaN in a wall.

    The middle of the thickness separates objects on the floor from objects right under the bin,
    which are as near to the cavity.
    """
    bodies = geometry.bodies
    shape = bodies.shapes[container]
    assert shape is not None
    assert shape.cavity is not None
    floor = shape.cavity.floor_at(place)
    # Floor heights are relative to the origin of the body, which may be anywhere in it.
    middle = bodies.centre[container, 2] + bodies.cavity_middle[container, 2]
    return bodies.under_floor(container, floor - middle)
