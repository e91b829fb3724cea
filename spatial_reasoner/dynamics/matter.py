"""Matter: what bodies are made of, as far as they fall, slide and are pushed."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from spatial_reasoner.dynamics.masses import mass_of
from spatial_reasoner.dynamics.runs import Fixed
from spatial_reasoner.geometry.bodies import centre_of_mass
from spatial_reasoner.geometry.poses import IDENTITY, Floats, Pose, compose
from spatial_reasoner.geometry.shapes import Piece, Shape
from spatial_reasoner.geometry.solids import solid_pieces
from spatial_reasoner.values.roster import Roster

__all__ = ["Matter", "Shapes", "Solid"]

_LIMBS: Final = 100_000
"""The links of a body with joints have rows of their own, so many after that of the body."""
Shapes: TypeAlias = Sequence[Shape | None]


@dataclass(frozen=True, slots=True, eq=False)
class Solid:
    """A key that is the same for bodies alike, convex pieces, kilograms, and the centre of mass."""

    key: tuple[object, ...]
    pieces: tuple[Piece, ...]
    mass: float
    middle: Floats
    is_ground: bool = False
    """Whether all that is below it is solid."""

    @classmethod
    def of(cls, shape: Shape, mass: float) -> "Solid":
        """A shape made of one stuff."""
        is_ground = shape.kind == "plane"
        return cls(shape.key, solid_pieces(shape), mass, centre_of_mass(shape), is_ground)


class _Limb(NamedTuple):
    """One link of a body, or all of it: its own row and the body's, and where it is in that."""

    row: int
    of: int
    shape: Shape
    begin: Pose
    end: Pose


class Matter:
    """The solids of the rows of a roster, each made once for each shape that it has."""

    def __init__(self, roster: Roster) -> None:
        self._roster: Final = roster
        self._solids: Final[dict[int, Solid]] = {}

    def solids(self, rows: Iterable[int], shapes: Shapes) -> dict[int, Solid]:
        """What some rows are made of; each of them has a shape."""
        return {row: self._solid(row, row, shapes[row]) for row in rows}

    def fixed(
        self, rows: Iterable[int], begin: Floats, end: Floats, before: Shapes, shapes: Shapes
    ) -> tuple[Mapping[int, Solid], Fixed]:
        """Rows that go from poses to others, those with joints link by link, and their solids.

        `before` are the shapes that they begin with: a drawer may have been open.
        """
        limbs = [limb for row in rows for limb in _limbs(row, before[row], shapes[row])]
        solids = {limb.row: self._solid(limb.row, limb.of, limb.shape) for limb in limbs}
        numbers = np.array([limb.row for limb in limbs], dtype=np.intp)
        owners = np.array([limb.of for limb in limbs], dtype=np.intp)
        if all(limb.row == limb.of for limb in limbs):
            return solids, Fixed(numbers, begin[owners], end[owners])
        starts = np.array([limb.begin for limb in limbs])
        ends = np.array([limb.end for limb in limbs])
        return solids, Fixed(numbers, compose(begin[owners], starts), compose(end[owners], ends))

    def _solid(self, number: int, row: int, shape: Shape | None) -> Solid:
        assert shape is not None
        known = self._solids.get(number)
        if known is None or known.key != shape.key:
            entity = self._roster.entities[row]
            known = Solid.of(shape, 1.0 if entity is None else mass_of(entity))
            self._solids[number] = known
        return known


def _limbs(row: int, before: Shape | None, shape: Shape | None) -> Iterator[_Limb]:
    """The links of a body, from where they were in it to where they are."""
    assert shape is not None
    if not shape.parts:
        yield _Limb(row, row, shape, IDENTITY, IDENTITY)
    was = shape.parts if before is None or not before.parts else before.parts
    for number, ((_, begin), (part, end)) in enumerate(zip(was, shape.parts, strict=True), 1):
        yield _Limb(row + number * _LIMBS, row, part, begin, end)
