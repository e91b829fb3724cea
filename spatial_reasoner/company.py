"""Who is there: the agents that a mind perceives now, and where their heads are."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from spatial_reasoner.poses import Floats
from spatial_reasoner.roster import Flags, Roster
from spatial_reasoner.tolerances import Tolerances
from spatial_reasoner.world import NEVER, World

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


def company(world: World, now: float, tolerances: Tolerances) -> Company:
    """Who is there; one whom only the scene places is there until a frame tells of him."""
    roster = world.roster
    there = is_there(world, now, tolerances) & world.placed
    present = any_part(there, roster)
    heads = roster.heads
    return Company(
        any_part(world.known, roster), present, present & there[heads], world.pose[heads]
    )


def is_there(world: World, now: float, tolerances: Tolerances) -> Flags:
    """The rows that were perceived lately, or that only the scene places: those are there."""
    lately = now - world.seen < tolerances.missing
    there: Flags = lately | ((world.seen == NEVER) & world.known)
    return there


def any_part(flags: Flags, roster: Roster) -> Flags:
    """Of whom some part is flagged."""
    found: Flags = np.logical_or.reduce(flags[roster.part_rows], axis=1)
    return found
