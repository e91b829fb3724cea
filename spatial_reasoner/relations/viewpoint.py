"""Relations as seen from an agent: left, right, front, behind, near, pointed at, in field of view.

A head is first rotated upright, by the smallest rotation that brings its top up. So front and left
are also correct for an agent that leans or lies, and don't swap when the head rolls. All decisions
use projections on axes instead of angles, so no angle wraps around.
"""

import math
from typing import Annotated, Final

import numpy as np

from spatial_reasoner.geometry.arrays import Flags, Floats
from spatial_reasoner.geometry.poses import Pose, rotation, rotations
from spatial_reasoner.kernels.compiled import GIVEN_LINE, GIVEN_TABLE, compiled
from spatial_reasoner.tolerances.tolerances import Tolerances
from spatial_reasoner.tolerances.units import Limit, Numeric

__all__ = ["directions", "fronts", "in_field", "near", "pointing"]

_FOUR: Final[Annotated[Floats, Numeric]] = np.radians([90.0, -90.0, 0.0, 180.0])
"""The bearings of left, right, front and behind, in radians from the front to the left."""
_FOUR.flags.writeable = False

_UPSIDE_DOWN: Final[Numeric] = 1 - math.cos(math.radians(5))
"""Within 5° of upside down, all rotations to upright are about as small, so a head has no front.
Its directions stay as they were, because a front computed there would be noise."""
_WIDEST: Final[Limit] = math.radians(89.0)
"""Half of the widest field of view that a flat picture can have, in radians."""
_STEEP: Final[tuple[Numeric, Numeric]] = (0.3, 0.6)
"""The horizontal length of a front of length 1: below 0.3 the front points up or down, above 0.6 it
is horizontal, and between them the two cases are blended. The front changes continuously, so no
fact begins or ends at these numbers."""
_SHORT: Final[Numeric] = 1e-3
"""A shorter projection of a front of length 1 on the ground has no direction."""
_AHEAD: Final[Annotated[Floats, Numeric]] = np.array([[1.0, 0, 0]])


def directions(
    heads: Floats,
    centres: Floats,
    before: Flags,
    tolerances: Tolerances,
    bearings: Floats = _FOUR,
) -> Flags:
    """Which regions (k) around agents (a, 7) contain the centres of objects (n, 3): (a, n, k).

    A region extends by `tolerances.direction` to each side of its axis. With the defaults regions
    overlap, so two of them hold on a diagonal. The directions stay as they were `before` if the
    agent is upside down, or if the object is right above or below it.
    """
    front, clear = fronts(heads)
    found = before.copy("K")
    _find_directions(heads, front, clear, _floats(centres), bearings, *tolerances.direction,
                     tolerances.underfoot, found)  # fmt: skip
    return found


@compiled(
    f"void({GIVEN_TABLE}, f8[:,:], b1[:], {GIVEN_TABLE}, {GIVEN_LINE}, f8, f8, f8, b1[:,:,:])"
)
def _find_directions(
    heads: Floats,
    front: Floats,
    clear: Flags,
    centres: Floats,
    bearings: Floats,
    begins: float,
    stays: float,
    underfoot: float,
    found: Flags,
) -> None:
    """Updates `found`, the regions that contained each centre before."""
    enough, enough_to_stay = math.cos(begins), math.cos(stays)
    cosines, sines = np.cos(bearings), np.sin(bearings)
    for a in range(len(heads)):
        x, y = front[a, 0], front[a, 1]
        for n in range(len(centres)):
            east, north = centres[n, 0] - heads[a, 0], centres[n, 1] - heads[a, 1]
            distance = math.sqrt(east * east + north * north)
            if not clear[a] or distance <= underfoot:
                continue
            # The offset along the front and to its left, and its projection on each axis β:
            # ahead cos β + aside sin β = distance · cos(angle from the axis)
            ahead, aside = x * east + y * north, x * north - y * east
            for k in range(len(bearings)):
                limit = enough_to_stay if found[a, n, k] else enough
                found[a, n, k] = ahead * cosines[k] + aside * sines[k] >= limit * distance


def fronts(poses: Floats, forward: Floats | None = None) -> tuple[Floats, Flags]:
    """The horizontal fronts (n, 2) of bodies (n, 7), of length 1, and which of them are defined.

    A horizontal front is the projection of the front on the ground. If the front points up or down,
    as that of a person lying on their back, it is the front of the body rotated upright.

    `forward` is the front of each body in its own frame, +x by default.
    """
    found, clear = np.empty((len(poses), 2)), np.empty(len(poses), dtype=bool)
    _find_fronts(poses, _AHEAD if forward is None else forward, found, clear)
    return found, clear


@compiled(f"void({GIVEN_TABLE}, {GIVEN_TABLE}, f8[:,:], b1[:])")
def _find_fronts(poses: Floats, forward: Floats, found: Floats, clear: Flags) -> None:
    """Sets the horizontal direction of each `forward`; a single one counts for all bodies."""
    for n in range(len(poses)):
        turned = rotation(poses[n, 3], poses[n, 4], poses[n, 5], poses[n, 6])
        (ax, bx, cx), (ay, by, cy), (az, bz, cz) = turned
        a, b, c = forward[n if len(forward) > 1 else 0]
        east, north, rise = (
            a * ax + b * bx + c * cx,
            a * ay + b * by + c * cy,
            a * az + b * bz + c * cz,
        )
        # Rotating the up axis c to +z by the smallest rotation maps the front f to
        # f − c (f · (c + z)) / (1 + c_z) on the plan.
        lean = 1 + cz
        share = (cx * east + cy * north + cz * rise + rise) / max(lean, 1e-12)
        # Blend the projection and the rotated front, by how horizontal the front is.
        level = math.sqrt(east * east + north * north)
        plain = min(max((level - _STEEP[0]) / (_STEEP[1] - _STEEP[0]), 0.0), 1.0)
        east -= (1 - plain) * cx * share
        north -= (1 - plain) * cy * share
        length = math.sqrt(east * east + north * north)
        clear[n] = lean > _UPSIDE_DOWN and length > _SHORT
        found[n, 0] = east / length if clear[n] else east
        found[n, 1] = north / length if clear[n] else north


def near(heads: Floats, centres: Floats, before: Flags, tolerances: Tolerances) -> Flags:
    """Which objects (n, 3) are near to which agents (a, 7): (a, n)."""
    close = before.copy()
    _find_near(heads, _floats(centres), *tolerances.near, close)
    return close


@compiled(f"void({GIVEN_TABLE}, {GIVEN_TABLE}, f8, f8, b1[:,:])")
def _find_near(heads: Floats, centres: Floats, begins: float, stays: float, close: Flags) -> None:
    """Updates `close`, which objects were near before; limits in metres."""
    for a in range(len(heads)):
        for n in range(len(centres)):
            square = 0.0
            for k in range(3):
                square += (centres[n, k] - heads[a, k]) ** 2
            limit = stays if close[a, n] else begins
            close[a, n] = square <= limit * limit


def pointing(
    hand: Pose, elbow: Floats | None, centres: Floats, before: Flags, tolerances: Tolerances
) -> Flags:
    """Which objects (n, 3) a hand points at: those near the extended line from elbow to wrist.

    Without an elbow the line is the hand's +x axis. The centre of the hand counts as the wrist.
    """
    line = hand[:3] - elbow[:3] if elbow is not None else np.zeros(3)
    length = math.sqrt(line @ line)
    line = rotations(hand)[:, 0] if length < tolerances.forearm else line / length
    begins, stays = tolerances.pointing
    at = before.copy()
    _find_pointed(
        hand.copy(), line, _floats(centres), math.cos(begins), math.cos(stays),
        tolerances.underfoot, at,
    )  # fmt: skip
    return at


@compiled(f"void(f8[:], f8[:], {GIVEN_TABLE}, f8, f8, f8, b1[:])")
def _find_pointed(
    hand: Floats,
    line: Floats,
    centres: Floats,
    begins: float,
    stays: float,
    underfoot: float,
    at: Flags,
) -> None:
    """Updates `at`, which objects were pointed at before; limits are cosines.

    An object nearer than `underfoot` (m) is not pointed at.
    """
    for n in range(len(centres)):
        square, along = 0.0, 0.0
        for k in range(3):
            away = centres[n, k] - hand[k]
            square += away * away
            along += away * line[k]
        distance = math.sqrt(square)
        limit = stays if at[n] else begins
        at[n] = along >= limit * distance and distance > underfoot


def in_field(
    eyes: Floats,
    fovs: Floats | tuple[float, float],
    points: Floats,
    wider: float | Floats = 0.0,
) -> Flags:
    """Which points (n, 3) lie in a field of view, given by its full angles (rad), width and height.

    The field is that of a flat picture along +x of the eye, as in `values.sight.Eye`. `wider` (rad)
    moves each of its four edges outwards, as hysteresis needs. For many eyes (a, 7), each with its
    field, the result is (a, n).
    """
    many = eyes if eyes.ndim == 2 else eyes[None]
    inside = np.empty((len(many), len(points)), dtype=bool)
    edges = np.empty(inside.shape)
    edges[:] = wider
    fields = np.empty((len(many), 2))
    fields[:] = fovs
    _find_inside(many, fields, _floats(points), edges, inside)
    return inside if eyes.ndim == 2 else inside[0]


@compiled(f"void({GIVEN_TABLE}, f8[:,:], {GIVEN_TABLE}, f8[:,:], b1[:,:])")
def _find_inside(
    eyes: Floats, fields: Floats, points: Floats, wider: Floats, inside: Flags
) -> None:
    """Sets for each eye and point whether the point is `inside` the field of the eye."""
    for a in range(len(eyes)):
        rows = rotation(eyes[a, 3], eyes[a, 4], eyes[a, 5], eyes[a, 6])
        for n in range(len(points)):
            ahead, aside, above = 0.0, 0.0, 0.0
            for k in range(3):
                away = points[n, k] - eyes[a, k]
                ahead += away * rows[k][0]
                aside += away * rows[k][1]
                above += away * rows[k][2]
            # |y| ≤ x tan(fov_h / 2) and |z| ≤ x tan(fov_v / 2) in the eye's frame
            wide = math.tan(min(fields[a, 0] / 2 + wider[a, n], _WIDEST)) * ahead
            high = math.tan(min(fields[a, 1] / 2 + wider[a, n], _WIDEST)) * ahead
            inside[a, n] = ahead > 0 and abs(aside) <= wide and abs(above) <= high


def _floats(points: Floats) -> Floats:
    """The points as floats, because compiled loops accept no integers."""
    return np.asarray(points, dtype=np.float64)
