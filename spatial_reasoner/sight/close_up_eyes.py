"""Eyes of close-ups: each is turned to one object; with the possible occluders of each."""

from dataclasses import dataclass
from math import atan, cos, pi, sin, tan
from typing import Final

import numpy as np

from spatial_reasoner.geometry.arrays import Flags, Floats, Rows
from spatial_reasoner.geometry.poses import product
from spatial_reasoner.kernels.compiled import compiled
from spatial_reasoner.sight.bearings import Bearings
from spatial_reasoner.sight.close_ups import CloseUps
from spatial_reasoner.sight.fields_of_view import TURNED_KEPT
from spatial_reasoner.sight.outlines import Outlines
from spatial_reasoner.tolerances.sight import SightTolerances
from spatial_reasoner.tolerances.units import Numeric

__all__ = ["CloseUpEyes", "close_up_eyes", "turned"]

_MARGIN: Final[Numeric] = 1.02
"""The width of a close-up, relative to that of its object."""
_AHEAD: Final[Numeric] = 1e-3
"""Metres: the least depth of a corner, also of one behind the eye. The bounding sphere limits the
close-up then."""
_LEAST: Final[Numeric] = 1e-6
"""Metres at 1 m depth: the least half width of a close-up, as for an object as thin as a line."""
_ROLL: Final[Numeric] = 0.32
"""Radians by which close-ups are rolled. Otherwise a vertical edge would hide or show a whole
column of pixels at once."""


@dataclass(frozen=True, slots=True, eq=False)
class CloseUpEyes:
    """Closer looks (n), each by one eye (`lookers`) at one row of the world that it sees.

    `before` and `others` are the possible occluders, as in `CloseUps`. Looks that are `unsure` need
    the picture without occlusion, too.
    """

    lookers: Rows
    worlds: Rows
    rows: Rows
    unsure: Flags
    before: Rows
    others: Rows

    def only(self, chosen: Rows) -> "CloseUpEyes":
        """Some of the looks, by rising number."""
        if len(chosen) == len(self.rows):
            return self
        is_chosen = np.zeros(len(self.rows), dtype=bool)
        is_chosen[chosen] = True
        kept = is_chosen[self.before]
        return CloseUpEyes(
            self.lookers[chosen],
            self.worlds[chosen],
            self.rows[chosen],
            self.unsure[chosen],
            np.searchsorted(chosen, self.before[kept]),
            self.others[kept],
        )


def close_up_eyes(
    eyes: Floats,
    worlds: Rows,
    glass: Flags,
    about: Outlines,
    where: Bearings,
    looked: Flags,
    tolerances: SightTolerances,
) -> CloseUpEyes:
    """The closer looks of eyes (e, 7) at the rows that are set in `looked` (e, rows).

    Rows in `glass` (e, rows) are transparent, so they occlude nothing.
    """
    at = lookers, rows = looked.nonzero()
    hides = where.some[:, TURNED_KEPT] & ~glass
    before, others = _in_front(
        eyes, worlds, lookers, rows, where.distance, where.width, about.centres, about.turns,
        about.outsides.halves, about.outsides.radii, hides, tolerances.sight_sunk,
        tolerances.sight_sunk_share,
    )  # fmt: skip
    unsure = (where.rough | glass)[at] | about.outsides.meshes[worlds[lookers], rows]
    return CloseUpEyes(lookers, worlds[lookers], rows, unsure, before, others)


def turned(
    close: CloseUpEyes, eyes: Floats, worlds: Rows, about: Outlines, where: Bearings, size: int
) -> tuple[CloseUps, Floats]:
    """The close-ups of `size` pixels in each direction, by eyes (e, 7) turned to their objects.

    Also returns the axes of the turned eyes in the frames of the eyes (n, 3, 3).
    """
    number = len(close.rows)
    turns, poses, fovs = np.empty((number, 3, 3)), np.empty((number, 7)), np.empty((number, 2))
    _turn(
        eyes, worlds, close.lookers, close.rows, where.azimuth, where.elevation, where.width,
        where.axes, about.centres, about.turns, about.outsides.halves, turns, poses, fovs,
    )  # fmt: skip
    made = CloseUps(
        poses, fovs, close.worlds, close.rows, close.before, close.others, close.unsure, size
    )
    return made, turns


@compiled("void(f8[:], f8[:,:], f8[:,:], f8[:], f8[:,:], f8[:], f8, f8[:])")
def _open(
    eye: Floats,
    axes: Floats,
    turn: Floats,
    centre: Floats,
    body: Floats,
    half: Floats,
    widest: float,
    fov: Floats,
) -> None:
    """Sets the width and height (rad) of the field that covers a box, for an eye turned to it."""
    # The greatest |aside| / depth of the eight corners, along the left and the up axis
    for j in range(1, 3):
        most = 0.0
        for corner in range(8):
            depth = aside = 0.0
            for i in range(3):
                at, forward, across = centre[i] - eye[i], 0.0, 0.0
                for n in range(3):
                    at += body[i, n] * (half[n] if corner >> n & 1 else -half[n])
                    forward += axes[i, n] * turn[n, 0]
                    across += axes[i, n] * turn[n, j]
                depth += at * forward
                aside += at * across
            most = max(most, abs(aside / max(depth, _AHEAD)))
        fov[j - 1] = 2 * atan(max(min(most, widest) * _MARGIN, _LEAST))


@compiled(
    "void(f8[:,:], i8[:], i8[:], i8[:], f8[:,:], f8[:,:], f8[:,:], f8[:,:,:],"
    " f8[:,:,:], f8[:,:,:,:], f8[:,:,:], f8[:,:,:], f8[:,:], f8[:,:])"
)
def _turn(
    eyes: Floats,
    worlds: Rows,
    lookers: Rows,
    rows: Rows,
    azimuths: Floats,
    elevations: Floats,
    widths: Floats,
    axes: Floats,
    centres: Floats,
    bodies: Floats,
    halves: Floats,
    turns: Floats,
    poses: Floats,
    fovs: Floats,
) -> None:
    """Sets the poses of eyes turned to objects, and fields that cover the objects' boxes."""
    rolled, upright = sin(_ROLL), cos(_ROLL)
    rx, rw = sin(_ROLL / 2), cos(_ROLL / 2)
    for k in range(len(rows)):
        e, r, w = lookers[k], rows[k], worlds[lookers[k]]
        a, b = azimuths[e, r], elevations[e, r]
        ca, sa, cb, sb = cos(a), sin(a), cos(b), sin(b)
        left = (-sa, ca, 0.0)
        above = (-sb * ca, -sb * sa, cb)
        ahead = (cb * ca, cb * sa, sb)
        for i in range(3):
            turns[k, i, 0] = ahead[i]
            turns[k, i, 1] = upright * left[i] + rolled * above[i]
            turns[k, i, 2] = upright * above[i] - rolled * left[i]
        # The same as a quaternion: the eye's own, then yaw, pitch and roll.
        ca, sa, cb, sb = cos(a / 2), sin(a / 2), cos(b / 2), sin(b / 2)
        toward = product((sa * sb, -ca * sb, sa * cb, ca * cb), (rx, 0.0, 0.0, rw))
        eye = eyes[e, 3], eyes[e, 4], eyes[e, 5], eyes[e, 6]
        poses[k, 0], poses[k, 1], poses[k, 2] = eyes[e, 0], eyes[e, 1], eyes[e, 2]
        poses[k, 3], poses[k, 4], poses[k, 5], poses[k, 6] = product(eye, toward)
        _open(eyes[e], axes[e], turns[k], centres[w, r], bodies[w, r], halves[w, r],
              tan(widths[e, r]), fovs[k])  # fmt: skip


@compiled("b1(f8[:], f8[:,:], f8[:,:,:], f8[:,:], i8, i8, f8, f8)")
def _is_beyond_a_side(
    eye: Floats,
    centres: Floats,
    turns: Floats,
    halves: Floats,
    box: int,
    thing: int,
    sunk: float,
    sunk_share: float,
) -> bool:
    """Whether an eye and all of an object are beyond the same side of a box.

    Then no line of sight between them passes through the box. A table, for example, does not
    occlude an object on it for an eye above, even if the object seems to sink in a little.
    """
    for n in range(3):
        # Along the box's axis n: the eye, the object's centre, its half extent Σ_j |a · b_j| h_j
        above = middle = reach = 0.0
        for i in range(3):
            above += turns[box, i, n] * (eye[i] - centres[box, i])
            middle += turns[box, i, n] * (centres[thing, i] - centres[box, i])
        for j in range(3):
            along = 0.0
            for i in range(3):
                along += turns[box, i, n] * turns[thing, i, j]
            reach += abs(along) * halves[thing, j]
        half, slack = halves[box, n], min(sunk, sunk_share * reach)
        if above > half and middle - reach >= half - slack:
            return True
        if above < -half and middle + reach <= slack - half:
            return True
    return False


@compiled("i8[::1](i8[::1])")
def _doubled(numbers: Rows) -> Rows:
    """A copy of an array with room for twice as many numbers."""
    more = np.empty(2 * len(numbers), dtype=np.int64)
    more[: len(numbers)] = numbers
    return more


@compiled(
    "UniTuple(i8[::1], 2)(f8[:,:], i8[:], i8[:], i8[:], f8[:,:], f8[:,:], f8[:,:,:],"
    " f8[:,:,:,:], f8[:,:,:], f8[:,:], b1[:,:], f8, f8)"
)
def _in_front(
    eyes: Floats,
    worlds: Rows,
    lookers: Rows,
    rows: Rows,
    distances: Floats,
    widths: Floats,
    centres: Floats,
    turns: Floats,
    halves: Floats,
    radii: Floats,
    hides: Flags,
    sunk: float,
    sunk_share: float,
) -> tuple[Rows, Rows]:
    """The possible occluders of each object: close-up numbers, and rows.

    These are objects whose bounding spheres begin nearer than the object ends, and overlap its
    sphere as seen from the eye. An object beyond a side of a box is not occluded by it.
    """
    number, room = 0, 64
    looks, hiders = np.empty(room, dtype=np.int64), np.empty(room, dtype=np.int64)
    for k in range(len(rows)):
        e, r, w = lookers[k], rows[k], worlds[lookers[k]]
        far = distances[e, r] + radii[w, r]
        for other in range(hides.shape[1]):
            if not hides[e, other] or other == r or distances[e, other] - radii[w, other] >= far:
                continue
            # The angle between the two directions, against the sum of both half angles
            cosine = 0.0
            for i in range(3):
                cosine += (centres[w, r, i] - eyes[e, i]) * (centres[w, other, i] - eyes[e, i])
            cosine /= distances[e, r] * distances[e, other]
            both = widths[e, r] + widths[e, other]
            if both < pi and cosine < cos(both):
                continue
            if _is_beyond_a_side(
                eyes[e], centres[w], turns[w], halves[w], other, r, sunk, sunk_share
            ):
                continue
            if number == room:
                looks, hiders, room = _doubled(looks), _doubled(hiders), 2 * room
            looks[number], hiders[number] = k, other
            number += 1
    return looks[:number].copy(), hiders[:number].copy()
