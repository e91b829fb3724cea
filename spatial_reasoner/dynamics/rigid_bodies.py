"""Rigid bodies: collision pieces, masses and centres of mass of the bodies in a simulation."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from spatial_reasoner.dynamics.masses import mass_of
from spatial_reasoner.dynamics.runs import Fixed
from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.geometry.poses import IDENTITY, Pose, compose
from spatial_reasoner.geometry.shape_tables import centre_of_mass
from spatial_reasoner.geometry.shapes import Piece, Shape
from spatial_reasoner.geometry.solids import solid_pieces
from spatial_reasoner.values.roster import Roster

__all__ = ["RigidBodies", "Shapes", "Solid"]

_LIMBS: Final = 100_000
"""The offset of the row numbers of links: link n of an articulated body has row + n · offset."""
Shapes: TypeAlias = Sequence[Shape | None]


@dataclass(frozen=True, slots=True, eq=False)
class Solid:
    """The convex pieces, mass (kg) and centre of mass of a body; equal bodies have equal keys."""

    key: tuple[object, ...]
    pieces: tuple[Piece, ...]
    mass: float
    middle: Floats
    is_ground: bool = False
    """Whether it is a ground plane, solid at all depths."""

    @classmethod
    def of(cls, shape: Shape, mass: float) -> "Solid":
        """The solid of a shape of uniform density."""
        is_ground = shape.kind == "plane"
        return cls(shape.key, solid_pieces(shape), mass, centre_of_mass(shape), is_ground)


class _Limb(NamedTuple):
    """One link of a body, or a whole body: its row, the body's row, and its poses in the body."""

    row: int
    of: int
    shape: Shape
    begin: Pose
    end: Pose


class RigidBodies:
    """The solids of the rows of a roster; a solid is made again when the shape changes."""

    def __init__(self, roster: Roster) -> None:
        self._roster: Final = roster
        self._solids: Final[dict[int, Solid]] = {}

    def solids(self, rows: Iterable[int], shapes: Shapes) -> dict[int, Solid]:
        """The solids of some rows, each of which must have a shape."""
        return {row: self._solid(row, row, shapes[row]) for row in rows}

    def fixed(
        self, rows: Iterable[int], begin: Floats, end: Floats, before: Shapes, shapes: Shapes
    ) -> tuple[Mapping[int, Solid], Fixed]:
        """The solids and motions of rows that move from `begin` to `end` (poses of all rows).

        Articulated bodies are split into their links. `before` are the shapes at the begin: a
        drawer may have been open then.
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
    """The links of a body, with their poses in it before and now."""
    assert shape is not None
    if not shape.parts:
        yield _Limb(row, row, shape, IDENTITY, IDENTITY)
    was = shape.parts if before is None or not before.parts else before.parts
    for number, ((_, begin), (part, end)) in enumerate(zip(was, shape.parts, strict=True), 1):
        yield _Limb(row + number * _LIMBS, row, part, begin, end)
