"""Lattices: the planes that cut a mesh into cells, along those of its own faces that are level.

So a crate, a drawer or a table is cut where its boards begin and end, to the millimetre, and only
what is round or leans is cut into steps. The road not taken, planes at even distances, is off by
half a step everywhere.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from spatial_reasoner.geometry.poses import Floats
from spatial_reasoner.geometry.shapes import Cavity, Surface

__all__ = ["Lattice", "lattice_of"]

Rows = NDArray[np.intp]

_LEVEL: Final = 0.999
"""A face that leans by less than 2.6° lies along an axis."""
_TOGETHER: Final = 500
"""Faces are in one plane within this part of the extent."""
_SHARE: Final = 0.02
"""What a plane must have of the surface for it to be cut there."""


@dataclass(frozen=True, slots=True, eq=False)
class Lattice:
    """The planes along x, y and z; `given` says which of them are there for a reason.

    The others divide what is between two of those evenly.
    """

    planes: tuple[Floats, Floats, Floats]
    given: tuple[Rows, Rows, Rows]

    def middles(self, axis: int) -> Floats:
        """The middles between the planes."""
        found: Floats = (self.planes[axis][1:] + self.planes[axis][:-1]) / 2
        return found

    def coarser(self, times: int) -> tuple[Rows, Rows, Rows]:
        """Which planes are left when up to so many cells become one; all that are given stay."""
        x, y, z = (_thinned(given, times) for given in self.given)
        return x, y, z


def lattice_of(
    surface: Surface,
    low: Floats,
    high: Floats,
    cavity: Cavity | None,
    pitch: float,
    least: float,
    most: int,
) -> Lattice:
    """The lattice of a surface from low to high, its cells no wider than a pitch.

    At most so many of its faces are cut along in each direction, the largest.

    It reaches farther where a wall about the cavity is thinner than `least`; a floor is at least
    half as thick, and where it isn't, its top is higher: the underside stays where it is.
    """
    found = []
    for axis in range(3):
        first, last = _ends(axis, low[axis], high[axis], cavity, least)
        wanted = _wanted(axis, surface, cavity, first + least / 2, most)
        found.append(_divided(_apart([first, last], wanted, least / 2), pitch))
    (x, at_x), (y, at_y), (z, at_z) = found
    return Lattice((x, y, z), (at_x, at_y, at_z))


def _ends(
    axis: int, low: float, high: float, cavity: Cavity | None, least: float
) -> tuple[float, float]:
    if cavity is None or axis == 2:
        return low, max(high, low + least / 2)
    return min(low, cavity.low[axis] - least), max(high, cavity.high[axis] + least)


def _wanted(
    axis: int, surface: Surface, cavity: Cavity | None, lowest: float, most: int
) -> Iterable[float]:
    """Where there should be a plane, the most important first."""
    if cavity is not None and axis == 2:
        yield max(float(cavity.low[2]), lowest)
        yield float(cavity.high[2])
    yield from _faces(axis, surface)[:most]
    if cavity is not None:
        yield from (float(cavity.low[axis]), float(cavity.high[axis]))


def _faces(axis: int, surface: Surface) -> list[float]:
    """The planes in which much of a surface lies, the largest first."""
    a, b, c = np.moveaxis(surface.vertices[surface.faces], 1, 0)
    normals = np.cross(b - a, c - a)
    areas = np.linalg.norm(normals, axis=1)
    is_level = np.abs(normals[:, axis]) > _LEVEL * areas
    if not is_level.any():
        return []
    heights = ((a + b + c) / 3)[is_level, axis]
    step = float(np.ptp(surface.vertices, axis=0).max()) / _TOGETHER
    _, which = np.unique(np.round(heights / step), return_inverse=True)
    sums = np.bincount(which, areas[is_level])
    middles = np.bincount(which, areas[is_level] * heights) / sums
    largest = np.argsort(-sums, kind="stable")
    return [float(middles[k]) for k in largest if sums[k] >= _SHARE * areas.sum()]


def _apart(ends: Sequence[float], wanted: Iterable[float], least: float) -> list[float]:
    """The ends, and what is wanted between them in so far as it keeps a distance from the rest."""
    found, gap = list(ends), least * (1 - 1e-9)
    for each in wanted:
        if found[0] < each < found[1] and min(abs(each - other) for other in found) >= gap:
            found.append(each)
    return sorted(found)


def _divided(planes: Sequence[float], pitch: float) -> tuple[Floats, Rows]:
    """Planes with others between them, and which of all those are the first ones."""
    gaps = np.diff(planes)
    counts = np.maximum(np.ceil(gaps / pitch - 1e-9), 1).astype(int)
    parts = [
        low + gap * np.arange(count) / count
        for low, gap, count in zip(planes, gaps, counts, strict=False)
    ]
    given = np.concatenate([[0], np.cumsum(counts)])
    return np.concatenate([*parts, [planes[-1]]]), given


def _thinned(given: Rows, times: int) -> Rows:
    parts = [
        np.linspace(first, after, -(-(after - first) // times), endpoint=False).round()
        for first, after in zip(given[:-1].tolist(), given[1:].tolist(), strict=True)
    ]
    return np.concatenate([*parts, given[-1:]]).astype(np.intp)
