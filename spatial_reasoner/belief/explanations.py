"""Why a thing that is missing is not perceived: explanations are rows, in the order of the table.

Who has a thing comes first. Then what explains it wherever it is, where it was perceived last as
well as where it is believed to be: neither is in view, or the same thing hides both. Where that
does not, it went elsewhere: it fell or slid, or is on or in what was moved. A ball in a carried box
is carried, though the box hides it, and a cup that fell behind the table from where one would see
it has fallen. What was not displaced has one place.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from spatial_reasoner.belief.whereabouts import NOTHING
from spatial_reasoner.belief.world import World
from spatial_reasoner.geometry.arrays import Codes, Flags, Rows
from spatial_reasoner.relations.hands import NO_HAND

__all__ = ["EXPLANATIONS", "NO_REASON", "NUMBERS", "Case", "sought"]


@dataclass(frozen=True, eq=False)
class Case:
    """The things that are missing, their `rows`, and what is known: an entry for each of them."""

    world: World
    rows: Rows
    owner: int
    """The agent who misses them."""
    is_hidden: Flags
    """It would not show where it is believed to be."""
    is_out: Flags
    """It is out of view there."""
    was_out: Flags
    """So is where it was last perceived or held: whatever happened there, nobody looks that way."""
    is_displaced: Flags
    is_carried: Flags
    """What it is on or in has moved."""
    base: Rows
    """What it is in or else on."""
    is_in: Flags
    """It is in that, and not on it."""
    origin: Rows
    """What it was in or on, or the hand that had it, when it was last perceived or held."""

    @cached_property
    def strayed(self) -> Flags:
        """What was displaced to where it would not show, and not where nobody looks anyway."""
        strayed: Flags = self.is_displaced & self.is_hidden & ~(self.is_out & self.was_out)
        return strayed

    @cached_property
    def went_along(self) -> Flags:
        """What was displaced together with what it is on or in."""
        return self.is_carried & self.strayed

    @cached_property
    def came_off(self) -> Flags:
        """What is not any more on or in what it was, nor in that hand."""
        is_elsewhere = (self.base != self.origin) & (self.origin != NOTHING)
        came: Flags = self.strayed & ~self.is_carried & is_elsewhere
        return came

    @cached_property
    def shifted(self) -> Flags:
        """What moved along its support; in a container that says less than what hides it."""
        is_same = (self.base == self.origin) & (self.base != NOTHING) & ~self.is_in
        shifted: Flags = self.strayed & ~self.is_carried & is_same
        return shifted

    @cached_property
    def went(self) -> Flags:
        """What is known to have gone elsewhere, and how."""
        return self.went_along | self.came_off | self.shifted

    @property
    def needs_hider(self) -> Flags:
        """What may be hidden by somebody or something in front of it."""
        is_free = self.world.holding.holder[self.rows] == NO_HAND
        needs: Flags = self.is_hidden & ~self.is_out & is_free
        return needs


Explains = Callable[[Case, Rows], Rows]
"""The thing, agent or hand that is named of each, NOTHING where that is no reason; given who is in
the way of those that need a hider, to all places of what went."""


def _held(case: Case, _: Rows) -> Rows:
    holder = case.world.holding.holder[case.rows]
    return _where(holder != NO_HAND, case.world.roster.owner[holder])


def _carried_in(case: Case, _: Rows) -> Rows:
    return _where(case.went_along & case.is_in, case.base)


def _carried_on(case: Case, _: Rows) -> Rows:
    return _where(case.went_along, case.base)


def _fallen(case: Case, _: Rows) -> Rows:
    return _where(case.came_off & case.world.roster.is_thing[case.origin], case.origin)


def _dropped(case: Case, _: Rows) -> Rows:
    return _where(case.came_off & case.world.roster.is_part[case.origin], case.origin)


def _slid(case: Case, _: Rows) -> Rows:
    return _where(case.shifted, case.origin)


def _out_of_view(case: Case, _: Rows) -> Rows:
    return _where(case.is_out & (case.was_out | ~case.went), case.owner)


def _occluded(case: Case, hider: Rows) -> Rows:
    return _where(case.world.roster.is_thing[hider], hider)


def _behind_agent(case: Case, hider: Rows) -> Rows:
    return _where(hider != NOTHING, case.world.roster.owner[hider])


def _unknown(case: Case, _: Rows) -> Rows:
    return _where(~case.world.placed[case.rows], 0)


def _where(so: Flags, numbers: Rows | int) -> Rows:
    return np.where(so, numbers, NOTHING)


EXPLANATIONS: Final[Mapping[str, Explains]] = {
    "hidden in hand": _held,
    "out of view": _out_of_view,
    "occluded": _occluded,
    "behind agent": _behind_agent,
    "fallen": _fallen,
    "dropped": _dropped,
    "slid": _slid,
    "carried in": _carried_in,
    "carried on": _carried_on,
    "unknown": _unknown,
}
"""What explains that a thing is not perceived, by family of facts, in the order in which it is
sought. What nothing explained for a second has no place any more, and is unknown."""

NO_REASON: Final = 0
NUMBERS: Final = {key: number for number, key in enumerate(EXPLANATIONS, 1)}
"""The explanations as numbers; NO_REASON is none."""


def sought(case: Case, hider: Rows) -> tuple[Codes, Rows]:
    """The first reason of each that there is, and what it names."""
    reasons = np.full(len(case.rows), NO_REASON, dtype=np.int8)
    named = np.full(len(case.rows), NOTHING, dtype=np.intp)
    for key, explains in EXPLANATIONS.items():
        found = explains(case, hider)
        takes = (reasons == NO_REASON) & (found != NOTHING)
        reasons[takes], named[takes] = NUMBERS[key], found[takes]
    return reasons, named
