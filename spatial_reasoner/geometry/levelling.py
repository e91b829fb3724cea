"""Rotations of bodies, made exactly level if they are nearly so.

The far edge of a table top of 1 m that jitters by 2° rises and sinks by centimetres. So a body that
is tilted by less than 6° from standing on one of its faces counts as level, until it is tilted by
9° (hysteresis, `Tolerances.level`).
"""

import math
from typing import Final

from spatial_reasoner.geometry.arrays import Codes, Floats, Rows
from spatial_reasoner.geometry.poses import rotation
from spatial_reasoner.geometry.shape_tables import BALL, TUBE
from spatial_reasoner.kernels.compiled import compiled

__all__ = ["TILTED", "levelled"]

TILTED: Final = -1
"""The index of the vertical axis of a body that is not level."""


@compiled("(f8[::1], f8[:,::1])")
def _turn(pose: Floats, turn: Floats) -> None:
    """Sets the rotation matrix of a pose."""
    rows = rotation(pose[3], pose[4], pose[5], pose[6])
    for i in range(3):
        for j in range(3):
            turn[i, j] = rows[i][j]


@compiled("(f8[:,::1], i1, f8)")
def _roll(turn: Floats, form: int, upright: float) -> None:
    """Rolls lying tubes around their axis until x points up, and sets the rotation of balls to 1.

    Because of their symmetry this changes no visible property.
    """
    if form == BALL:
        for k in range(3):
            for c in range(3):
                turn[k, c] = 1.0 if k == c else 0.0
    elif form == TUBE and abs(turn[2, 2]) < upright:
        length = math.hypot(turn[2, 0], turn[2, 1])
        if length == 0.0:  # a standing tube, if the tolerance `level` is zero
            return
        x, y = turn[2, 0] / length, turn[2, 1] / length
        for k in range(3):
            one, other = turn[k, 0], turn[k, 1]
            turn[k, 0], turn[k, 1] = one * x + other * y, other * x - one * y


@compiled("i8(f8[:,::1], f8)")
def _level(turn: Floats, least: float) -> int:
    """Makes a rotation exactly level if it nearly is; returns the vertical axis, or TILTED."""
    axis = 0
    for c in range(1, 3):
        if abs(turn[2, c]) > abs(turn[2, axis]):
            axis = c
    if abs(turn[2, axis]) < least:
        return TILTED
    # The smallest rotation that maps the axis u to ±z, applied to each column r:
    # r_xy ← r_xy − u_xy (u · r + r_z) / (1 + u_z), and r_z ← ±1 for u, else 0.
    up = math.copysign(1.0, turn[2, axis])
    x, y, z = up * turn[0, axis], up * turn[1, axis], up * turn[2, axis] + 1.0
    for c in range(3):
        upright = up if c == axis else 0.0
        swing = (upright + turn[2, c]) / z
        turn[0, c] -= x * swing
        turn[1, c] -= y * swing
        turn[2, c] = upright
    return axis


@compiled("(f8[:,::1], f8[::1], f8[::1], f8[::1])")
def _place(turn: Floats, own: Floats, origin: Floats, place: Floats) -> None:
    """Sets the position of a body's point in the world: p = origin + R own."""
    for k in range(3):
        place[k] = origin[k] + turn[k, 0] * own[0] + turn[k, 1] * own[1] + turn[k, 2] * own[2]


@compiled(
    "(i8[::1], f8[:,::1], i1[::1], f8[:,::1], f8[:,::1], f8[::1],"
    " f8[:,:,::1], i8[::1], f8[:,::1], f8[:,::1])"
)
def levelled(
    rows: Rows, poses: Floats, forms: Codes, centres: Floats, masses: Floats,
    cosines: Floats, turns: Floats, axes: Rows, middles: Floats, balances: Floats,
) -> None:  # fmt: skip
    """Sets rotations, vertical axes, box centres and centres of mass of some rows in the world.

    Rotations that are nearly level are made so; the axis is TILTED for tilted bodies. `cosines` are
    those of the tilts below which a body becomes level and above which it becomes tilted. `centres`
    are the box centres in body frames, and `masses` the centres of mass relative to these.
    """
    for row in rows:
        turn = turns[row]
        _turn(poses[row], turn)
        _place(turn, centres[row], poses[row], middles[row])
        _roll(turn, forms[row], cosines[1])
        axes[row] = _level(turn, cosines[0] if axes[row] == TILTED else cosines[1])
        _place(turn, masses[row], middles[row], balances[row])
