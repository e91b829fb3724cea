"""Things that are not perceived any more: why not, and whether they are still believed in place.

A thing that was perceived and is not for a second is looked for an explanation, in the order of
the table. What is explained stays where it is believed to be. What none explains for a second has
no place any more; that it exists is kept.

Things that nobody ever perceived, for only the scene says where they are, and things that can't
move stay.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from spatial_reasoner.hands import NO_HAND
from spatial_reasoner.poses import Floats
from spatial_reasoner.roster import Flags
from spatial_reasoner.tolerances import Tolerances
from spatial_reasoner.world import NEVER, World

__all__ = ["EXPLANATIONS", "Looked", "Missing", "may_be_missed"]

_NONE: Final = 0
_INSTANT: Final = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Looked:
    """What the fields of view of a mind say of each row it believes in.

    `in_view`: it would show, were nothing in front; `shows`: enough of it shows to be perceived.
    """

    in_view: Flags
    shows: Flags


Explains = Callable[[World, Looked], Flags]


def _out_of_view(_: World, looked: Looked) -> Flags:
    return ~looked.in_view


def _held(world: World, _: Looked) -> Flags:
    held: Flags = world.holding.holder != NO_HAND
    return held


def _occluded(_: World, looked: Looked) -> Flags:
    return looked.in_view & ~looked.shows


EXPLANATIONS: Final[Mapping[str, Explains]] = {
    "held": _held,
    "out of view": _out_of_view,
    "occluded": _occluded,
}
"""What explains that a thing is not perceived, in the order in which it is sought."""


class Missing:
    """Who is missing from one world, why, and since when without a reason."""

    def __init__(self, tolerances: Tolerances) -> None:
        self._tolerances: Final = tolerances
        self._since: Floats = np.empty(0)
        self.reason: NDArray[np.int8] = np.empty(0, dtype=np.int8)
        """For each row the number of its explanation, from 1; 0 for those that need none."""

    def look_for(self, world: World, looked: Looked, now: float) -> Flags:
        """The rows that are not where the world believes them to be."""
        self._grow(len(world.known))
        self.reason[:] = _NONE
        expected = may_be_missed(world)
        if not expected.any():
            self.pause()
            return expected
        for number, explains in enumerate(EXPLANATIONS.values(), 1):
            explained = expected & explains(world, looked)
            self.reason[explained] = number
            expected ^= explained
        self._since = np.where(expected, np.fmin(self._since, now), np.inf)
        since = np.maximum(self._since, world.seen)
        gone: Flags = expected & (now - since >= self._tolerances.missing - _INSTANT)
        return gone

    def pause(self) -> None:
        """Nobody looks: what was expected is no longer."""
        self._since[:] = np.inf

    def explain(self, row: int) -> None:
        """There is another reason why a thing is missed: a second begins anew."""
        self._since[row] = np.inf

    def _grow(self, n: int) -> None:
        more = n - len(self._since)
        if more:
            self._since = np.concatenate([self._since, np.full(more, np.inf)])
            self.reason = np.zeros(n, dtype=np.int8)


def may_be_missed(world: World) -> Flags:
    """What was perceived once, and is not at this moment; what can't move is where it is."""
    absent: Flags = world.placed & (world.seen > NEVER) & ~world.fresh & ~world.roster.is_static
    return absent
