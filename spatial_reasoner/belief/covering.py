"""What hands cover: a camera loses it while they are still on their way to it, or from it.

What is gone when its place shows again is in the hand that was near when it was lost, and was lost
with it, if that is the only one.

People perceive whatever shows, so no hand covers anything for them.
"""

import math
from typing import Final

import numpy as np

from spatial_reasoner.belief.world import World
from spatial_reasoner.geometry.arrays import Flags, Floats, Rows
from spatial_reasoner.geometry.columns import Columns, column
from spatial_reasoner.geometry.poses import compose, inverse
from spatial_reasoner.relations.hands import NO_HAND
from spatial_reasoner.relations.motion import Trail
from spatial_reasoner.sight.gazes import Seen
from spatial_reasoner.tolerances.tolerances import Tolerances

__all__ = ["Covering"]

_NEAR: Final = 0.2
"""Metres from its surface, about: so near was the hand that took it when it was lost."""
_SOON: Final = 0.7
"""Seconds: so long before or after it at most the hand was lost, too."""
_OVERLOOKED: Final = 0.2
"""Seconds: a hand that is found again sooner a tracker may have overlooked."""
_UNKNOWN: Final = 0.1
"""Metres: from so far covers a thing what nobody perceived as it did."""
_FARTHER: Final = 1.25
_SPARE: Final = 0.02
"""Metres: so much farther a hand may cover a thing on its way up than on its way down."""


class Covering(Columns):
    """How far some hands were from things when these were perceived last, and where these lay last;
    of other hands it is as if they covered nothing."""

    _apart: Floats = column(np.inf, "hands", "rows")
    _covers: Floats = column(np.inf, "hands", "rows")
    """The same, as far as hands were perceived then."""
    _rest: Floats = column(np.full(3, np.inf))
    _was_free: Flags = column(False)
    """What things were in nobody's hand when they were perceived last."""
    _lost: Floats = column(-np.inf, "hands")
    """When each hand was lost to sight last, for longer than trackers overlook one."""
    _seen: Floats = column(-np.inf, "hands")

    def __init__(self, hands: Rows, count: int) -> None:
        super().__init__(rows=count, hands=len(hands))
        self._hands: Final = hands
        self._index: Final = {hand: k for k, hand in enumerate(hands.tolist())}

    def note(
        self, world: World, on: Flags, trail: Trail, now: float, tolerances: Tolerances
    ) -> None:
        """Takes in what is perceived at this moment, and what hands that pause have `on` something.

        They may have set it down there, and go up without it.
        """
        if not len(self._hands):
            return
        is_gone = now - self._seen > _OVERLOOKED
        self._lost[is_gone] = self._seen[is_gone]
        self._seen = world.seen[self._hands]
        holder = world.holding.holder
        for row in np.flatnonzero((holder != NO_HAND) & ~world.fresh & on.any(axis=1)).tolist():
            if trail.pauses(int(holder[row]), tolerances):
                self._rest[row] = world.pose[row, :3]
        rows = np.flatnonzero(world.fresh)
        self._rest[rows] = world.perceived[rows, :3]
        self._was_free[rows] = (holder[rows] == NO_HAND) & world.roster.is_thing[rows]
        ways = world.pose[self._hands, None, :3] - world.pose[None, rows, :3]
        apart = np.sqrt((ways * ways).sum(axis=2))
        apart[~world.placed[self._hands]] = np.inf
        self._apart[:, rows] = apart
        self._covers[:, rows] = np.where(world.fresh[self._hands, None], apart, _UNKNOWN)

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
        return bool(apart <= _FARTHER * self._covers[self._index[hand], row] + _SPARE)

    def taken(self, world: World, rows: Flags) -> Flags:
        """Gives what is not where it lay to the only hand that can have it: these rows."""
        taken = np.zeros(len(rows), dtype=bool)
        things = np.flatnonzero(rows & self._was_free) if len(self._hands) else ()
        for row in map(int, things):
            near = self._apart[:, row] <= _NEAR + float(world.roster.radii[row])
            near &= np.abs(self._lost - world.seen[row]) <= _SOON
            near &= ~np.isin(self._hands, world.holding.holder)
            if near.sum() == 1:
                [hand] = self._hands[near].tolist()
                world.holding.holder[row], taken[row] = hand, True
                at = np.array([*world.pose[hand, :3], *world.pose[row, 3:]])
                world.holding.grip[row] = compose(inverse(world.pose[hand]), at)
        return taken
