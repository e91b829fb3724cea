"""Where things are as seen from somebody: left, right, in front, behind, near, pointed at, in view.

Everybody is set upright first, by the smallest turn that brings the top of the head up: so front
and left are right also for who leans, lies on the back, the face or a side, and don't swap when the
head rolls. All is decided by projections on axes; no angle is ever computed, so none wraps around.
"""

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from spatial_reasoner.geometry.poses import Floats, Pose, rotation, rotations
from spatial_reasoner.kernels.compiled import GIVEN_LINE, GIVEN_TABLE, compiled
from spatial_reasoner.values.tolerances import Tolerances

__all__ = ["directions", "fronts", "in_field", "near", "pointing"]

Flags = NDArray[np.bool_]

_FOUR: Final[Floats] = np.radians([90.0, -90.0, 0.0, 180.0])
"""Left, right, front, behind: their bearings from the front, to the left."""
_FOUR.flags.writeable = False

_UPSIDE_DOWN: Final = 1 - math.cos(math.radians(5))
"""Within 5° of upside down every turn to upright is about as small, so the front says nothing."""
_UNDERFOOT: Final = 0.05
"""What is nearer on the ground is above or below, and noise alone gives it a direction."""
_WIDEST: Final = math.radians(89.0)
"""Half of the widest field that a flat picture can have."""
_STEEP: Final = (0.3, 0.6)
"""How long a front of length one is on the plan: below 0.3 it points up or down, above 0.6 it does
not."""
_FOREARM: Final = 0.05
"""Elbow and wrist that are nearer to each other give no line."""
_AHEAD: Final[Floats] = np.array([[1.0, 0, 0]])


def directions(
    heads: Floats,
    centres: Floats,
    before: Flags,
    tolerances: Tolerances,
    bearings: Floats = _FOUR,
) -> Flags:
    """In which regions around agents (a, 7) the middles of things (n, 3) lie: (a, n, k).

    Each region is half as wide to each side of its axis as `tolerances.direction` says; with the
    defaults they overlap, so that diagonals hold two. Who is upside down, and what is right above
    or below, keeps the directions it had.
    """
    front, clear = fronts(heads)
    found = before.copy("K")
    _find_directions(heads, front, clear, _floats(centres), bearings, *tolerances.direction, found)
    return found


@compiled(f"void({GIVEN_TABLE}, f8[:,:], b1[:], {GIVEN_TABLE}, {GIVEN_LINE}, f8, f8, b1[:,:,:])")
def _find_directions(
    heads: Floats,
    front: Floats,
    clear: Flags,
    centres: Floats,
    bearings: Floats,
    begins: float,
    stays: float,
    found: Flags,
) -> None:
    """Turns what was `found` before into what is found now."""
    enough, enough_to_stay = math.cos(begins), math.cos(stays)
    cosines, sines = np.cos(bearings), np.sin(bearings)
    for a in range(len(heads)):
        x, y = front[a, 0], front[a, 1]
        for n in range(len(centres)):
            east, north = centres[n, 0] - heads[a, 0], centres[n, 1] - heads[a, 1]
            distance = math.sqrt(east * east + north * north)
            if not clear[a] or distance <= _UNDERFOOT:
                continue
            ahead, aside = x * east + y * north, x * north - y * east
            for k in range(len(bearings)):
                limit = enough_to_stay if found[a, n, k] else enough
                found[a, n, k] = ahead * cosines[k] + aside * sines[k] >= limit * distance


def fronts(poses: Floats, forward: Floats | None = None) -> tuple[Floats, Flags]:
    """The fronts on the ground of bodies (n, 7), of length one, and which are clear.

    That is where a front points on the plan, however the body leans; of one that points up or down,
    as of a person lying on the back, where it points once the body is set upright.

    `forward` is each one's front in its own frame; +x unless given.
    """
    found, clear = np.empty((len(poses), 2)), np.empty(len(poses), dtype=bool)
    _find_fronts(poses, _AHEAD if forward is None else forward, found, clear)
    return found, clear


@compiled(f"void({GIVEN_TABLE}, {GIVEN_TABLE}, f8[:,:], b1[:])")
def _find_fronts(poses: Floats, forward: Floats, found: Floats, clear: Flags) -> None:
    """Each one's `forward`, or that of all if there is but one, as a direction on the ground."""
    for n in range(len(poses)):
        turned = rotation(poses[n, 3], poses[n, 4], poses[n, 5], poses[n, 6])
        (ax, bx, cx), (ay, by, cy), (az, bz, cz) = turned
        a, b, c = forward[n if len(forward) > 1 else 0]
        east, north, rise = (
            a * ax + b * bx + c * cx,
            a * ay + b * by + c * cy,
            a * az + b * bz + c * cz,
        )
        lean = 1 + cz
        share = (cx * east + cy * north + cz * rise + rise) / max(lean, 1e-12)
        level = math.sqrt(east * east + north * north)
        plain = min(max((level - _STEEP[0]) / (_STEEP[1] - _STEEP[0]), 0.0), 1.0)
        east -= (1 - plain) * cx * share
        north -= (1 - plain) * cy * share
        length = math.sqrt(east * east + north * north)
        clear[n] = lean > _UPSIDE_DOWN and length > 1e-3
        found[n, 0] = east / length if clear[n] else east
        found[n, 1] = north / length if clear[n] else north


def near(heads: Floats, centres: Floats, before: Flags, tolerances: Tolerances) -> Flags:
    """Which things (n, 3) are near to which agents (a, 7): (a, n)."""
    close = before.copy()
    _find_near(heads, _floats(centres), *tolerances.near, close)
    return close


@compiled(f"void({GIVEN_TABLE}, {GIVEN_TABLE}, f8, f8, b1[:,:])")
def _find_near(heads: Floats, centres: Floats, begins: float, stays: float, close: Flags) -> None:
    """Turns what was `close` before into what is close now."""
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
    """Which things (n, 3) a hand points at: those near the line from elbow to wrist, prolonged.

    Without an elbow it is the hand's own +x. The middle of the hand is taken for the wrist.
    """
    line = hand[:3] - elbow[:3] if elbow is not None else np.zeros(3)
    length = math.sqrt(line @ line)
    line = rotations(hand)[:, 0] if length < _FOREARM else line / length
    begins, stays = tolerances.pointing
    at = before.copy()
    _find_pointed(hand.copy(), line, _floats(centres), math.cos(begins), math.cos(stays), at)
    return at


@compiled(f"void(f8[:], f8[:], {GIVEN_TABLE}, f8, f8, b1[:])")
def _find_pointed(
    hand: Floats, line: Floats, centres: Floats, begins: float, stays: float, at: Flags
) -> None:
    """Turns what was pointed `at` before into what is now."""
    for n in range(len(centres)):
        square, along = 0.0, 0.0
        for k in range(3):
            away = centres[n, k] - hand[k]
            square += away * away
            along += away * line[k]
        distance = math.sqrt(square)
        limit = stays if at[n] else begins
        at[n] = along >= limit * distance and distance > _UNDERFOOT


def in_field(
    eyes: Floats,
    fovs: Floats | tuple[float, float],
    points: Floats,
    wider: float | Floats = 0.0,
) -> Flags:
    """Which points (n, 3) lie in a field of view of full angles, horizontal and vertical.

    The field is that of a flat picture along +x of the eye, as `sight.Eye` has it; `wider` adds to
    each of its four edges, so that who was in it stays. Of many eyes (a, 7), each with its field,
    the answer is (a, n).
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
    """Says of each eye and point whether that is `inside`."""
    for a in range(len(eyes)):
        rows = rotation(eyes[a, 3], eyes[a, 4], eyes[a, 5], eyes[a, 6])
        for n in range(len(points)):
            ahead, aside, above = 0.0, 0.0, 0.0
            for k in range(3):
                away = points[n, k] - eyes[a, k]
                ahead += away * rows[k][0]
                aside += away * rows[k][1]
                above += away * rows[k][2]
            wide = math.tan(min(fields[a, 0] / 2 + wider[a, n], _WIDEST)) * ahead
            high = math.tan(min(fields[a, 1] / 2 + wider[a, n], _WIDEST)) * ahead
            inside[a, n] = ahead > 0 and abs(aside) <= wide and abs(above) <= high


def _floats(points: Floats) -> Floats:
    """Whole numbers as well, for compiled loops take none."""
    return np.asarray(points, dtype=np.float64)
