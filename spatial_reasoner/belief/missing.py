"""Things that are not perceived any more: whether they are still believed to be in their places.

What is held, out of view or hidden stays where it is believed to be. What nothing explains for a
second has no place any more; that it exists is kept. What the reason is, `accounts` says.

Things that nobody ever perceived, for only the scene says where they are, and things that can't
move stay.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from spatial_reasoner.belief.world import NEVER, World
from spatial_reasoner.geometry.arrays import Flags, Floats
from spatial_reasoner.geometry.columns import enlarged
from spatial_reasoner.relations.hands import NO_HAND
from spatial_reasoner.tolerances.tolerances import Tolerances

__all__ = ["Looked", "Missing", "is_explained", "may_be_missed"]

_INSTANT: Final = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Looked:
    """What the fields of view of a mind say of each row it believes in.

    `in_view`: it would show, were nothing in front; `shows`: enough of it shows to be perceived.
    """

    in_view: Flags
    shows: Flags


def is_explained(world: World, looked: Looked) -> Flags:
    """What is held, out of view or hidden: that it is not perceived is no wonder."""
    is_held: Flags = world.holding.holder != NO_HAND
    return is_held | ~(looked.in_view & looked.shows)


class Missing:
    """Who is missing from one world, and since when without a reason."""

    def __init__(self, tolerances: Tolerances) -> None:
        self._tolerances: Final = tolerances
        self._since: Floats = np.empty(0)
        self.unexplained: Flags = np.zeros(0, dtype=bool)
        """What should show at this moment, and doesn't."""
        self.looked: Looked | None = None
        """What its owner last saw; None while he does not look."""

    def look_for(self, world: World, looked: Looked, now: float) -> Flags:
        """The rows that are not where the world believes them to be."""
        self._since = enlarged(self._since, world.seen.shape, np.inf)
        self.looked = looked
        expected = self.unexplained = may_be_missed(world)
        if not expected.any():
            self._since[:] = np.inf
            return expected
        expected &= ~is_explained(world, looked)
        self._since = np.where(expected, np.fmin(self._since, now), np.inf)
        since = np.maximum(self._since, world.seen)
        gone: Flags = expected & (now - since >= self._tolerances.missing - _INSTANT)
        return gone

    def excuse(self, rows: Flags) -> None:
        """Some rows were believed elsewhere: there they are to be looked for from now on."""
        self._since[rows] = np.inf

    def pause(self) -> None:
        """Nobody looks: what was expected is no longer."""
        self.looked = None
        self._since[:] = np.inf


def may_be_missed(world: World) -> Flags:
    """What was perceived once, and is not at this moment; what can't move is where it is."""
    absent: Flags = world.placed & (world.seen > NEVER) & ~world.fresh & ~world.roster.is_static
    return absent
