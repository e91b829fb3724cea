"""Closer looks: eyes turned to single things, and what may stand before each of these."""

from dataclasses import dataclass
from math import atan, cos, pi, sin, tan
from typing import Final

import numpy as np
from numpy.typing import NDArray

from spatial_reasoner.geometry.poses import Floats
from spatial_reasoner.kernels.compiled import compiled
from spatial_reasoner.sight.gazes import Flags
from spatial_reasoner.sight.glances import Glances
from spatial_reasoner.sight.headings import Headings
from spatial_reasoner.sight.outlines import Outlines
from spatial_reasoner.sight.windows import TURNED_KEPT

__all__ = ["Close", "closer", "turned"]

_MARGIN: Final = 1.02
"""So many times as wide as its thing a glance is."""
_AHEAD: Final = 1e-3
"""A corner beside or behind an eye counts as so far ahead of it: the ball is the limit then."""
_LEAST: Final = 1e-6
"""No glance is narrower, at one metre: what is no wider than a line has one, too."""
_SUNK: Final = 0.005
_SUNK_SHARE: Final = 0.2
"""Noise lets a thing sink so far into what carries it, or by this share of half its height if that
is less: else what is thin and lies right under a surface would count as on it."""
_ROLL: Final = 0.32
"""Glances are rolled: an upright edge would hide or show a whole column of their points at once."""

Rows = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class Close:
    """Closer looks (n): each of one of the eyes at a row of the world that it looks at.

    `before` and `others` are what may stand before them, as `Glances` has it. Where a row would
    show alone must be seen too, where it is `unsure`.
    """

    lookers: Rows
    worlds: Rows
    rows: Rows
    unsure: Flags
    before: Rows
    others: Rows

    def only(self, chosen: Rows) -> "Close":
        """Some of them, by rising number."""
        if len(chosen) == len(self.rows):
            return self
        is_chosen = np.zeros(len(self.rows), dtype=bool)
        is_chosen[chosen] = True
        kept = is_chosen[self.before]
        return Close(
            self.lookers[chosen],
            self.worlds[chosen],
            self.rows[chosen],
            self.unsure[chosen],
            np.searchsorted(chosen, self.before[kept]),
            self.others[kept],
        )


def closer(
    eyes: Floats, worlds: Rows, glass: Flags, about: Outlines, where: Headings, looked: Flags
) -> Close:
    """Has some of the eyes (e, 7) look closer, each at those of its rows that are to be looked at.

    `glass` (e, rows) does not hide what is behind it.
    """
    at = lookers, rows = looked.nonzero()
    hides = where.some[:, TURNED_KEPT] & ~glass
    before, others = _in_front(
        eyes, worlds, lookers, rows, where.distance, where.width, about.centres, about.turns,
        about.outsides.halves, about.outsides.radii, hides,
    )  # fmt: skip
    unsure = (where.rough | glass)[at] | about.outsides.meshes[worlds[lookers], rows]
    return Close(lookers, worlds[lookers], rows, unsure, before, others)


def turned(
    close: Close, eyes: Floats, worlds: Rows, about: Outlines, where: Headings, size: int
) -> tuple[Glances, Floats]:
    """The eyes (e, 7) turned to what they look closer at, as glances of so many points each way.

    Beside these: the axes of the turned eyes (n, 3, 3), as the eyes themselves have them.
    """
    number = len(close.rows)
    turns, poses, fovs = np.empty((number, 3, 3)), np.empty((number, 7)), np.empty((number, 2))
    _turn(
        eyes, worlds, close.lookers, close.rows, where.azimuth, where.elevation, where.width,
        where.axes, about.centres, about.turns, about.outsides.halves, turns, poses, fovs,
    )  # fmt: skip
    made = Glances(
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
    """Sets how wide and high the field of an eye that is turned to a box must be to hold it."""
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
    """Sets how eyes are turned to things, and how wide their fields are to hold these's boxes."""
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
        # The same as a quaternion: the eye's own, turned left, then up, then rolled.
        ca, sa, cb, sb = cos(a / 2), sin(a / 2), cos(b / 2), sin(b / 2)
        x, y, z, s = sa * sb, -ca * sb, sa * cb, ca * cb
        x, y, z, s = x * rw + s * rx, y * rw + z * rx, z * rw - y * rx, s * rw - x * rx
        ex, ey, ez, es = eyes[e, 3], eyes[e, 4], eyes[e, 5], eyes[e, 6]
        poses[k, 0], poses[k, 1], poses[k, 2] = eyes[e, 0], eyes[e, 1], eyes[e, 2]
        poses[k, 3] = es * x + ex * s + ey * z - ez * y
        poses[k, 4] = es * y - ex * z + ey * s + ez * x
        poses[k, 5] = es * z + ex * y - ey * x + ez * s
        poses[k, 6] = es * s - ex * x - ey * y - ez * z
        _open(eyes[e], axes[e], turns[k], centres[w, r], bodies[w, r], halves[w, r],
              tan(widths[e, r]), fovs[k])  # fmt: skip


@compiled("b1(f8[:], f8[:,:], f8[:,:,:], f8[:,:], i8, i8)")
def _is_beyond_a_side(
    eye: Floats, centres: Floats, turns: Floats, halves: Floats, box: int, thing: int
) -> bool:
    """Whether an eye and all of a thing are beyond the same side of a box.

    Then no sight from the one to the other passes through the box. A table does not hide what lies
    on it from who looks from above, though noise lets it sink in a little.
    """
    for n in range(3):
        above = middle = reach = 0.0
        for i in range(3):
            above += turns[box, i, n] * (eye[i] - centres[box, i])
            middle += turns[box, i, n] * (centres[thing, i] - centres[box, i])
        for j in range(3):
            along = 0.0
            for i in range(3):
                along += turns[box, i, n] * turns[thing, i, j]
            reach += abs(along) * halves[thing, j]
        half, slack = halves[box, n], min(_SUNK, _SUNK_SHARE * reach)
        if above > half and middle - reach >= half - slack:
            return True
        if above < -half and middle + reach <= slack - half:
            return True
    return False


@compiled(
    "UniTuple(i8[::1], 2)(f8[:,:], i8[:], i8[:], i8[:], f8[:,:], f8[:,:], f8[:,:,:],"
    " f8[:,:,:,:], f8[:,:,:], f8[:,:], b1[:,:])"
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
) -> tuple[Rows, Rows]:
    """What may stand before each thing: whose ball is nearer, and comes before its own.

    A thing that is beyond a side of its box is not hidden by it.
    """
    found, count = np.empty((2, 64), dtype=np.int64), 0
    for k in range(len(rows)):
        e, r, w = lookers[k], rows[k], worlds[lookers[k]]
        far = distances[e, r] + radii[w, r]
        for other in range(hides.shape[1]):
            if not hides[e, other] or other == r or distances[e, other] - radii[w, other] >= far:
                continue
            cosine = 0.0
            for i in range(3):
                cosine += (centres[w, r, i] - eyes[e, i]) * (centres[w, other, i] - eyes[e, i])
            cosine /= distances[e, r] * distances[e, other]
            both = widths[e, r] + widths[e, other]
            if both < pi and cosine < cos(both):
                continue
            if _is_beyond_a_side(eyes[e], centres[w], turns[w], halves[w], other, r):
                continue
            if count == found.shape[1]:
                more = np.empty((2, 2 * count), dtype=np.int64)
                more[:, :count] = found
                found = more
            found[0, count], found[1, count] = k, other
            count += 1
    return found[0, :count].copy(), found[1, :count].copy()
