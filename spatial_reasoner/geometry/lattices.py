"""Lattices: the planes that cut a mesh into cells, along its faces that are parallel to an axis.

A crate, a drawer or a table is therefore cut exactly where its boards begin and end, and only round
and tilted parts get steps. The road not taken is planes at even distances, which are wrong by half
a step everywhere.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from spatial_reasoner.geometry.arrays import Floats, Rows
from spatial_reasoner.geometry.shapes import Cavity, Surface
from spatial_reasoner.tolerances.units import Numeric

__all__ = ["Lattice", "lattice_of"]

_LEVEL: Final[Numeric] = 0.999
"""The cosine of 2.6°: a face that is tilted by less counts as parallel to an axis."""
_TOGETHER: Final = 500
"""Faces within this fraction of the extent count as one plane."""
_SHARE: Final[Numeric] = 0.02
"""The least share of the surface that a plane must contain to become a cut."""


@dataclass(frozen=True, slots=True, eq=False)
class Lattice:
    """The planes along x, y and z; `given` are the indices of those that lie at faces or ends.

    The others divide the space between two of these evenly.
    """

    planes: tuple[Floats, Floats, Floats]
    given: tuple[Rows, Rows, Rows]

    def middles(self, axis: int) -> Floats:
        """The centres of the cells along an axis."""
        found: Floats = (self.planes[axis][1:] + self.planes[axis][:-1]) / 2
        return found

    def coarser(self, times: int) -> tuple[Rows, Rows, Rows]:
        """The indices of the planes that remain when up to `times` cells become one.

        All `given` planes remain.
        """
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
    """The lattice of a surface from `low` to `high`, with cells of at most `pitch` (m).

    It is cut along the `most` largest faces in each direction. It is extended outwards if a wall of
    the cavity is thinner than `least`. A floor is made at least half as thick by raising its top;
    the underside stays.
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
    """The wanted positions of planes, the most important first."""
    if cavity is not None and axis == 2:
        yield max(float(cavity.low[2]), lowest)
        yield float(cavity.high[2])
    yield from _faces(axis, surface)[:most]
    if cavity is not None:
        yield from (float(cavity.low[axis]), float(cavity.high[axis]))


def _faces(axis: int, surface: Surface) -> list[float]:
    """The positions of planes that contain much of a surface, the largest first."""
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
    """The ends, and the wanted positions between them that are `least` apart from all others."""
    found, gap = list(ends), least * (1 - 1e-9)
    for each in wanted:
        if found[0] < each < found[1] and min(abs(each - other) for other in found) >= gap:
            found.append(each)
    return sorted(found)


def _divided(planes: Sequence[float], pitch: float) -> tuple[Floats, Rows]:
    """The planes with others between them, and the indices of the original ones."""
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
