"""Heads, hands and elbows, as somebody else sees them: in the field of view, and not hidden.

A part is told by a point, so it is looked for along a line, and shows or does not.
"""

from typing import Final

import numpy as np

from spatial_reasoner.belief.company import Company
from spatial_reasoner.belief.world import World
from spatial_reasoner.geometry.arrays import Flags, Rows
from spatial_reasoner.relations.hands import NO_HAND
from spatial_reasoner.relations.viewpoint import in_field
from spatial_reasoner.scene.scene import PARTS
from spatial_reasoner.sight.lines_of_sight import Obstacles, are_clear
from spatial_reasoner.values.roster import Roster

__all__ = ["Onlookers", "parts_in_view"]

_SIZES: Final = np.array([0.1 if part == "head" else 0.05 for part in PARTS])
"""What is so near before the middle of a part touches it, and does not hide it."""

_Key = tuple[object, ...]


def parts_in_view(world: World, company: Company, before: Flags, edge: float) -> Flags:
    """Which parts of others lie in the field of view of each agent, hidden or not: (a, n).

    `before` says of whom each agent had one in it (a, a); their field is wider by the `edge` (rad).
    """
    roster = world.roster
    rows = np.flatnonzero(company.there & world.placed & roster.is_part)
    owners = roster.owner[rows]
    wider = np.where(before[:, owners], edge, 0.0)
    inside = in_field(company.heads, roster.fovs, world.pose[rows, :3], wider)
    inside &= company.looking[:, None] & (owners != np.arange(len(roster.agents))[:, None])
    found = np.zeros((len(roster.agents), len(roster)), dtype=bool)
    found[:, rows] = inside
    return found


class Onlookers:
    """Who can see which parts of whom; an answer is kept for as long as nothing moves."""

    def __init__(self, roster: Roster) -> None:
        self._roster: Final = roster
        self._sizes: Final = np.zeros(len(roster))
        self._sizes[roster.part_rows] = _SIZES
        self._answers: Final[dict[tuple[int, int], tuple[_Key, Flags]]] = {}

    def shown(self, world: World, agent: int, rows: Flags) -> Flags:
        """Which of some parts show to an agent with a head, nothing being in between."""
        shown = np.zeros(len(rows), dtype=bool)
        asked = np.flatnonzero(rows)
        if asked.size:
            there, owners = _all_of(world), self._roster.owner[asked]
            for other in sorted(set(owners.tolist())):
                some = asked[owners == other]
                shown[some] = self._clear(world, agent, other, some, there)
        return shown

    def _clear(self, world: World, agent: int, other: int, some: Rows, there: _Key) -> Flags:
        key = (some.tobytes(), *there)
        known = self._answers.get((agent, other))
        if known is None or known[0] != key:
            eye, ends = world.pose[self._roster.heads[agent], :3], world.pose[some, :3]
            clear = are_clear(eye, ends, self._sizes[some], self._between(world, agent, other))
            known = self._answers[agent, other] = key, clear
        return known[1]

    def _between(self, world: World, agent: int, other: int) -> Obstacles:
        """What can hide one from the other: not their own bodies, nor what the other holds."""
        roster, holder = self._roster, world.holding.holder
        solid = world.placed & roster.is_opaque
        if not world.holding.is_empty:
            solid &= (holder == NO_HAND) | (roster.owner[holder] != other)
        for each in (agent, other):
            if each in roster.bodies:
                solid[roster.bodies[each]] = False
        return Obstacles(world.shapes, world.pose, roster.radii, np.flatnonzero(solid))


def _all_of(world: World) -> _Key:
    """All that an answer can depend on."""
    shapes = [world.shapes[row] for row in world.joints]
    joints = tuple([None if shape is None else shape.key for shape in shapes])
    return world.pose.tobytes(), world.placed.tobytes(), world.holding.holder.tobytes(), joints
