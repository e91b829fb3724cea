"""Who is there: the agents that a mind perceives now, and where their heads are."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from spatial_reasoner.belief.world import NEVER, World
from spatial_reasoner.geometry.arrays import Flags, Floats, Rows
from spatial_reasoner.kernels.compiled import compiled
from spatial_reasoner.tolerances.tolerances import Tolerances
from spatial_reasoner.values.roster import Roster

__all__ = ["HANDS", "Company", "any_part", "company", "is_there"]

HANDS: Final = (("right_hand", "right_elbow"), ("left_hand", "left_elbow"))


@dataclass(frozen=True, slots=True, eq=False)
class Company:
    """The agents of one world at one moment: those who are `known`, and those `present`.

    `looking` are present, and it is known where their heads are.
    """

    known: Flags
    present: Flags
    looking: Flags
    heads: Floats
    """The poses of their heads (a, 7)."""
    there: Flags
    """The rows of which `is_there` says so."""


def company(world: World, there: Flags) -> Company:
    """Who is there, by the rows that are; whom only the scene places is until a frame tells."""
    roster, here = world.roster, there & world.placed
    present, heads = any_part(here, roster), roster.heads
    looking = present & here[heads]
    return Company(any_part(world.known, roster), present, looking, world.pose[heads], there)


def is_there(world: World, now: float, tolerances: Tolerances) -> Flags:
    """The rows that were perceived lately, or that only the scene places: those are there."""
    lately = now - world.seen < tolerances.missing
    there: Flags = lately | ((world.seen == NEVER) & world.known)
    return there


def any_part(flags: Flags, roster: Roster) -> Flags:
    """Of whom some part is flagged."""
    found = np.zeros(len(roster.agents), dtype=bool)
    _find_any(flags, roster.part_rows, found)
    return found


@compiled("void(b1[:], intp[:,:], b1[:])")
def _find_any(flags: Flags, parts: Rows, found: Flags) -> None:
    """Says of whom some part is flagged."""
    for agent in range(len(parts)):
        for row in parts[agent]:
            found[agent] |= flags[row]
