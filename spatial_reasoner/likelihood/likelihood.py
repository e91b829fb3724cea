"""Estimates how likely an object is on, in or next to another, from uncertain beliefs.

1. Draw poses from the beliefs.
2. Let loose objects fall until they rest.
3. Decide each relation by the same rules as for facts.

The likelihood is the share of the draws in which the relation holds.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from ontology import vocabulary as v
from spatial_reasoner.belief.mind import Mind
from spatial_reasoner.dynamics.rigid_bodies import Solid
from spatial_reasoner.geometry.arrays import Flags, Floats, Rows
from spatial_reasoner.geometry.columns import enlarged
from spatial_reasoner.geometry.shape_tables import GROUND
from spatial_reasoner.geometry.shapes import Shape
from spatial_reasoner.likelihood.confinement import Confinement
from spatial_reasoner.likelihood.draws import roots
from spatial_reasoner.likelihood.falls import FallScene
from spatial_reasoner.relations.hands import NO_HAND
from spatial_reasoner.relations.relations import NOWHERE, Relations, dependents, innermost, relate
from spatial_reasoner.relations.world_geometry import WorldGeometry
from spatial_reasoner.tolerances.tolerances import Tolerances
from spatial_reasoner.values.likelihood import Likelihood

__all__ = [
    "RELATIONS",
    "Doubt",
    "Tally",
    "doubt",
    "doubt_beside",
    "doubtful",
    "tallied",
]

RELATIONS: Final = (v.IS_ON, v.IS_IN, v.IS_NEXT_TO)
"""The relations that have a likelihood."""

_KEPT: Final = 256
"""Shapes whose physical body is cached."""


@dataclass(frozen=True, slots=True, eq=False)
class Doubt:
    """The input of the draws for an object: what it may be on, in or next to.

    If two objects are loose, the draws answer only whether they are next to each other.
    """

    bodies: FallScene
    shapes: tuple[Shape | None, ...]
    is_support: Flags
    is_container: Flags
    is_held: Flags
    falls: Flags
    """Marks the bodies that fall without support when they are the object in question."""
    tolerances: Tolerances

    @property
    def name(self) -> str:
        """The name of the object."""
        return self.bodies.names[0]

    def likelihood(self, relation: str, other: int, tally: "Tally") -> Likelihood:
        """The likelihood that the object has a relation to another of the bodies."""
        held = int(tally.held[RELATIONS.index(relation), other])
        said = self.name, relation, self.bodies.names[other]
        return Likelihood(said, held / tally.draws, tally.draws)

    def pairs(self) -> Iterator[tuple[str, int]]:
        """The relations that the object may have, each with the index of another body."""
        for other in range(1, len(self.shapes)):
            shape = self.shapes[other]
            if self.is_support[other]:
                yield v.IS_ON, other
            if self.is_container[other]:
                yield v.IS_IN, other
            if shape is not None and shape.kind != "plane":
                yield v.IS_NEXT_TO, other


@dataclass(frozen=True, slots=True, eq=False)
class Tally:
    """In how many of `draws` draws each relation to each body held: (relations, bodies)."""

    draws: int
    held: Rows

    @classmethod
    def none(cls, bodies: int) -> "Tally":
        """A tally of zero draws."""
        return cls(0, np.zeros((len(RELATIONS), bodies), dtype=np.intp))

    @classmethod
    def sum(cls, tallies: Sequence["Tally"]) -> "Tally":
        """The sum of several tallies."""
        held: Rows = np.sum([each.held for each in tallies], axis=0)
        return cls(sum(each.draws for each in tallies), held)


def doubtful(mind: Mind) -> list[tuple[int, bool]]:
    """The objects that may be elsewhere than believed, each with whether it is unsure.

    The unsure ones come first.

    An object is unsure if its percepts had a covariance, or if it moved while unobserved. Static
    objects and fixtures are left out unless they are unsure.
    """
    world, roster = mind.world, mind.roster
    missing = _missing(mind)
    strayed = np.linalg.norm(world.pose[:, :3] - world.perceived[:, :3], axis=1)
    moved = missing & np.isfinite(world.seen) & (strayed > mind.tolerances.jump)
    there = world.placed & roster.is_thing & ~roster.is_ground & _solid_rows(mind)
    unsure = there & (world.told | moved)
    others = there & ~unsure & ~roster.is_static & ~roster.is_fixture
    return [(row, True) for row in np.flatnonzero(unsure).tolist()] + [
        (row, False) for row in np.flatnonzero(others).tolist()
    ]


def doubt(mind: Mind, row: int, others: Iterable[int] = ()) -> Doubt | None:
    """The input of the draws for an object in a mind; None if it has no pose or no bounds.

    It includes all bodies that the object could touch, and the `others` that have a pose.
    """
    return _doubt(mind, [row], others)


def doubt_beside(mind: Mind, row: int, other: int) -> Doubt | None:
    """The input of the draws for two objects that may be next to each other, in either order.

    Both fall if they can. If one is believed to rest on or in the other, only that one falls. The
    first body is one of the two. The other is among the bodies, unless it would move along with the
    first.
    """
    rows = sorted((row, other), key=lambda each: mind.roster.names[each])
    rests = mind.relations.on | mind.relations.inside
    carried = [each for each in rows for on in rows if dependents(rests, on)[each]]
    loose = [each for each in carried or rows if _falls(mind)[each]]
    if len(loose) == len(rows):
        return _doubt(mind, rows, ())
    found = (doubt(mind, each, rows) for each in loose or rows)
    return next((each for each in found if each is not None), None)


def _doubt(mind: Mind, asked: Sequence[int], others: Iterable[int]) -> Doubt | None:
    """The input of the draws for one object or two."""
    geometry, roster = mind.geometry, mind.roster
    if any(row >= len(geometry) or not geometry.solid[row] for row in asked):
        return None
    covariances = _covariances(mind)
    near = np.logical_or.reduce([_near(geometry, row, covariances) for row in asked])
    near[[other for other in others if geometry.placed[other]]] = True
    for row in asked:
        near &= ~dependents(mind.relations.on | mind.relations.inside, row)
    near[asked] = False
    rows = np.concatenate([asked, np.flatnonzero(near)])
    is_held, falls = mind.world.holding.holder[rows] != NO_HAND, _falls(mind)[rows]
    shapes = tuple(geometry.bodies.shapes[each] for each in rows.tolist())
    bodies = FallScene(
        names=tuple(roster.names[each] for each in rows.tolist()),
        rows=tuple(rows.tolist()),
        solids=tuple(_solid(shape) for shape in shapes),
        poses=geometry.poses[rows],
        roots=roots(covariances[rows]),
        rests=_rests(mind.relations, rows),
        confines=_confines(mind, rows, is_held),
        loose=int(falls[: len(asked)].sum()),
    )
    can = roster.is_support[rows], roster.is_container[rows] & geometry.bodies.hollow[rows]
    return Doubt(bodies, shapes, *can, is_held, falls, mind.tolerances)


def _falls(mind: Mind) -> Flags:
    """Marks the objects that fall without support."""
    roster, is_held = mind.roster, mind.world.holding.holder != NO_HAND
    falls: Flags = ~(is_held | roster.is_static | roster.is_fixture | roster.is_ground)
    return falls


def tallied(about: Doubt, poses: Floats) -> Tally:
    """Counts the relations between the object and the others over all draws."""
    count = len(about.shapes)
    geometry = WorldGeometry(about.shapes, about.is_support, about.is_container, about.tolerances)
    held, placed = np.zeros((len(RELATIONS), count), dtype=np.intp), np.ones(count, dtype=bool)
    for draw in poses:
        geometry.update(draw, placed, about.is_held)
        found = relate(geometry, Relations.none(count))
        held += (found.on[0], found.inside[0], found.next_to[0])
    return Tally(len(poses), held)


def _rests(relations: Relations, rows: Rows) -> tuple[int, ...]:
    """The index of the support or container of each row; its own index if it has none."""
    among = np.ix_(rows, rows)
    carried: Flags = relations.on[among] | relations.inside[among]
    carried |= ~carried.any(axis=1, keepdims=True) & np.eye(len(rows), dtype=bool)
    return tuple(carried.argmax(axis=1).tolist())


def _missing(mind: Mind) -> Flags:
    """Marks the objects that are not observed now."""
    missing: Flags = mind.world.seen < mind.now - mind.tolerances.missing
    return missing


def _confines(mind: Mind, rows: Rows, is_held: Flags) -> tuple[Confinement | None, ...]:
    """The container of each row, for objects that are neither observed nor held."""
    shapes, places = mind.geometry.bodies.shapes, {row: k for k, row in enumerate(rows.tolist())}
    containers = np.where(_missing(mind), innermost(mind.relations.inside), NOWHERE)
    containers = np.where(is_held, NOWHERE, containers[rows])
    return tuple(
        Confinement.of(places[outer], shapes[outer], shapes[inner]) if outer in places else None
        for inner, outer in zip(rows.tolist(), containers.tolist(), strict=True)
    )


@lru_cache(_KEPT)
def _solid(shape: Shape | None) -> Solid:
    """The body of a shape for physics. The mass is 1: a body that falls alone falls the same at
    any mass."""
    assert shape is not None
    return Solid.of(shape, 1.0)


def _covariances(mind: Mind) -> Floats:
    """The covariance of each pose; zero for fixed objects whose percepts have no covariance.

    A stationary object may be believed up to the gate off the mean of its percepts, even when that
    mean is very precise. So the gate is added as a variance.
    """
    roster, world, tolerances = mind.roster, mind.world, mind.tolerances
    off = np.repeat([tolerances.gate, tolerances.gate_turn], 3) / tolerances.gate_deviations
    fast = (roster.is_static | roster.is_fixture) & ~world.told | roster.is_ground
    covariances = world.cov + world.told[:, None, None] * np.diag(off**2)
    found: Floats = np.where(fast[:, None, None], 0.0, covariances)
    return found


def _near(geometry: WorldGeometry, row: int, covariances: Floats) -> Flags:
    """Marks the bodies that an object could touch: beside it, below it, and all ground."""
    sizes = np.sqrt(np.maximum(np.diagonal(covariances, axis1=1, axis2=2), 0.0))
    radii = np.linalg.norm(geometry.bodies.half, axis=1)
    away = sizes[:, :3].max(axis=1) + sizes[:, 3:].max(axis=1) * radii
    tolerances = geometry.tolerances
    spread = (tolerances.considered * away)[:, None]
    low, high = geometry.low - spread, geometry.high + spread
    reach = np.array([tolerances.aside, tolerances.aside, 0.0])
    lowest = (low[row] - reach)[:2]
    meets = (low <= high[row] + reach).all(axis=1) & (high[:, :2] >= lowest).all(axis=1)
    is_ground: Flags = (geometry.bodies.form == GROUND) & geometry.placed
    near: Flags = (meets & geometry.solid) | is_ground
    return near


def _solid_rows(mind: Mind) -> Flags:
    """Marks the rows with a pose and bounds, as of the last update."""
    return enlarged(mind.geometry.solid, mind.world.placed.shape)
