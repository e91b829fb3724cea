"""What passed from hand to hand while the hand that took it hid it: nobody saw it go over.

A thing that showed in its hand is lost to a camera as another's hand comes to it. If that gets
there, the two part again and it does not show in the first one, the other has it.
"""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from spatial_reasoner.hands import NO_HAND
from spatial_reasoner.poses import Pose, compose, inverse
from spatial_reasoner.roster import Flags, Roster
from spatial_reasoner.tolerances import Tolerances
from spatial_reasoner.world import World

__all__ = ["Passing"]

_SHOWN: Final = 0.3
"""Seconds: so long a thing must have shown in its hand, and not show in it later."""
_NEAR: Final = 0.2
"""Metres: so near was the other hand when it was lost."""
_APART: Final = 0.25
"""Metres: hands that are so far from each other do not pass anything on."""


@dataclass(slots=True)
class _Shown:
    """A thing in a hand, since when, and when it was perceived there last."""

    hand: int
    since: float
    last: float = -np.inf
    is_lost: bool = False
    taker: int = NO_HAND
    """The other hand that was near when it was lost."""
    nearest: float = np.inf
    grip: Pose | None = None
    """How near that hand has been to it since, and how it lay to it then."""
    bare: float = np.inf
    """Since when the two are apart, and it does not show."""

    def see(self, now: float) -> None:
        """It is perceived."""
        self.last, self.is_lost, self.taker = now, False, NO_HAND
        self.nearest = self.bare = np.inf


class Passing:
    """What shows in hands, and which others come to it."""

    def __init__(self, roster: Roster, tolerances: Tolerances) -> None:
        self._roster: Final = roster
        self._held: Final = tolerances.held
        self._shown: Final[dict[int, _Shown]] = {}

    def notice(self, world: World, shows: Flags, now: float) -> list[int]:
        """Gives what does not show in its hand any more to the one that came to it, and names these
        rows; `shows` is what should show plainly where it is believed to be."""
        holder, passed = world.holding.holder, []
        for row in [row for row, each in self._shown.items() if each.hand != holder[row]]:
            del self._shown[row]
        for row in np.flatnonzero(holder != NO_HAND).tolist():
            shown = self._shown.setdefault(row, _Shown(int(holder[row]), now))
            if world.fresh[row]:
                shown.see(now)
            elif shown.last - shown.since >= _SHOWN:
                self._follow(world, row, shown, bool(shows[row]), now)
            if shown.grip is not None and now - shown.bare >= _SHOWN:
                holder[row], world.holding.grip[row] = shown.taker, shown.grip
                passed.append(row)
        return passed

    def _follow(self, world: World, row: int, shown: _Shown, shows: bool, now: float) -> None:
        """It is lost: notes how the other hand comes to it, and leaves."""
        if not shown.is_lost:
            shown.is_lost, shown.taker = True, self._near(world, row, shown.hand)
        if shown.taker == NO_HAND:
            return
        apart = _apart(world, shown.taker, row)
        if apart < shown.nearest:
            shown.nearest = apart
            shown.grip = compose(inverse(world.pose[shown.taker]), world.pose[row])
        if shown.nearest > self._roster.radii[row] + self._held:
            return
        has_left = bool(world.fresh[[shown.hand, shown.taker]].all()) and shows
        has_left &= _apart(world, shown.hand, shown.taker) > _APART
        shown.bare = min(shown.bare, now) if has_left else np.inf

    def _near(self, world: World, row: int, hand: int) -> int:
        """The nearest hand of somebody else, NO_HAND if none is near."""
        owner, hands = self._roster.owner, self._roster.hands
        others = hands[world.fresh[hands] & (owner[hands] != owner[hand])].tolist()
        far = [(_apart(world, other, row), other) for other in others]
        return min((other for other in far if other[0] <= _NEAR), default=(0.0, NO_HAND))[1]


def _apart(world: World, one: int, other: int) -> float:
    """How far the middles of two rows are from each other."""
    return math.dist(world.pose[one, :3].tolist(), world.pose[other, :3].tolist())
