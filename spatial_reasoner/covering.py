"""What hands cover: a camera loses it while they are still on their way to it, or from it.

People perceive whatever shows, so no hand covers anything for them.
"""

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from spatial_reasoner.gazes import Seen
from spatial_reasoner.hands import NO_HAND
from spatial_reasoner.motion import Trail
from spatial_reasoner.poses import Floats
from spatial_reasoner.roster import Flags
from spatial_reasoner.tolerances import Tolerances
from spatial_reasoner.world import World

__all__ = ["Covering"]

Rows = NDArray[np.intp]
_FARTHER: Final = 1.25
_SPARE: Final = 0.02
"""Metres: so much farther a hand may cover a thing on its way up than on its way down."""


class Covering:
    """How far some hands were from things when these were perceived last, and where these lay last;
    of other hands it is as if they covered nothing."""

    def __init__(self, hands: Rows, count: int) -> None:
        self._hands: Final = hands
        self._index: Final = {hand: k for k, hand in enumerate(hands.tolist())}
        self._apart: Floats = np.full((len(hands), count), np.inf)
        self._rest: Floats = np.full((count, 3), np.inf)

    def grow(self, count: int) -> None:
        """Makes room for more rows."""
        more = count - self._apart.shape[1]
        self._apart = np.pad(self._apart, ((0, 0), (0, more)), constant_values=np.inf)
        self._rest = np.pad(self._rest, ((0, more), (0, 0)), constant_values=np.inf)

    def note(self, world: World, on: Flags, trail: Trail) -> None:
        """Takes in what is perceived at this moment, and what hands that pause have `on` something.

        They may have set it down there, and go up without it.
        """
        if not len(self._hands):
            return
        holder = world.holding.holder
        for row in np.flatnonzero((holder != NO_HAND) & ~world.fresh & on.any(axis=1)).tolist():
            if trail.pauses(int(holder[row])):
                self._rest[row] = world.pose[row, :3]
        rows = np.flatnonzero(world.fresh)
        self._rest[rows] = world.perceived[rows, :3]
        ways = world.pose[self._hands, None, :3] - world.pose[None, rows, :3]
        apart = np.sqrt((ways * ways).sum(axis=2))
        apart[~world.placed[self._hands]] = np.inf
        self._apart[:, rows] = apart

    def lost(
        self, world: World, lies: Flags, yet: Flags, seen: Seen | None, now: float,
        tolerances: Tolerances,
    ) -> Flags:  # fmt: skip
        """What lies and is not perceived, though only a hand may be in front of it, as its owner
        looked last; what is in a hand lies there `yet`."""
        if not len(self._hands):
            return np.zeros(len(lies), dtype=bool)
        shows = now - world.seen < tolerances.perceived
        if seen is not None:
            shows[: len(seen.share)] |= seen.in_view & (seen.share >= tolerances.share[0])
        covered: Flags = lies & shows & ~world.fresh & (world.holding.holder == NO_HAND)
        return covered | yet

    def may(self, world: World, row: int) -> bool:
        """Whether the hand that has a thing may still cover it where that lay last."""
        hand = int(world.holding.holder[row])
        if hand not in self._index:
            return False
        apart = math.dist(world.pose[hand, :3].tolist(), self._rest[row].tolist())
        return bool(apart <= _FARTHER * self._apart[self._index[hand], row] + _SPARE)
