"""What passed from hand to hand while a hand hid it: nobody saw it go over.

A thing that showed in its hand is lost to a camera as another's hand comes to it. If that gets
there, the two part again and it does not show in the first one, the other has it. What a fist had
hidden before tells nothing then; but if it shows again far from that one, and at the other's hand
that had been at the fist, it went over at that time.
"""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from spatial_reasoner.belief.world import World
from spatial_reasoner.geometry.arrays import Flags, Floats
from spatial_reasoner.geometry.poses import Pose, compose, inverse
from spatial_reasoner.relations.hands import NO_HAND
from spatial_reasoner.tolerances.tolerances import Tolerances
from spatial_reasoner.values.roster import Roster

__all__ = ["Passing"]

_SHOWN: Final = 0.3
"""Seconds: so long a thing must have shown in its hand, and not show in it later."""
_NEAR: Final = 0.2
"""Metres: so near was the other hand when it was lost, or is when it shows again."""
_APART: Final = 0.25
"""Metres: hands that are so far from each other do not pass anything on."""


@dataclass(slots=True)
class _Shown:
    """A thing in a hand, since when, and when it was perceived there last."""

    hand: int
    since: float
    last: float = -np.inf
    is_lost: bool = False
    was_near: bool = False
    """Whether somebody else's hand was near when it was lost."""
    taker: int = NO_HAND
    nearest: float = np.inf
    grip: Pose | None = None
    met: float = -np.inf
    """The other hand that has been nearest since, how near, how it lay to it then, and when."""
    bare: float = np.inf
    """Since when the two are apart, and it does not show."""

    def see(self, now: float) -> None:
        """It is perceived."""
        self.last, self.is_lost, self.taker = now, False, NO_HAND
        self.nearest = self.bare = np.inf

    def meet(self, hand: int, apart: float, grip: Pose, now: float) -> None:
        """Another hand is so near to it."""
        if apart < self.nearest:
            self.taker, self.nearest, self.grip, self.met = hand, apart, grip, now


class Passing:
    """What shows in hands, and which others come to it."""

    def __init__(self, roster: Roster, tolerances: Tolerances) -> None:
        self._roster: Final = roster
        self._held: Final = tolerances.held
        self._shown: Final[dict[int, _Shown]] = {}
        self._passed: dict[int, float] = {}

    def passed(self, count: int) -> Floats:
        """When each thing went over of which that is known from this moment on; else -inf."""
        passed = np.full(count, -np.inf)
        passed[list(self._passed)] = list(self._passed.values())
        return passed

    def notice(self, world: World, shows: Flags, now: float) -> list[int]:
        """Gives what does not show in its hand any more to the one that came to it, and names these
        rows; `shows` is what should show plainly where it is believed to be."""
        holder, passed = world.holding.holder, []
        self._passed = {}
        for row in [row for row, each in self._shown.items() if each.hand != holder[row]]:
            shown = self._shown.pop(row)
            if world.fresh[row] and self._has_brought(world, row, shown):
                holder[row], self._passed[row] = shown.taker, shown.met
                world.holding.grip[row] = _grip(world, shown.taker, row)
        for row in np.flatnonzero(holder != NO_HAND).tolist():
            shown = self._shown.setdefault(row, _Shown(int(holder[row]), now))
            if world.fresh[row]:
                shown.see(now)
            else:
                self._follow(world, row, shown, bool(shows[row]), now)
            if shown.grip is not None and now - shown.bare >= _SHOWN:
                holder[row], world.holding.grip[row] = shown.taker, shown.grip
                passed.append(row)
        return passed

    def _follow(self, world: World, row: int, shown: _Shown, shows: bool, now: float) -> None:
        """It is lost: notes how the other hand comes to it, and leaves."""
        other = self._near(world, row, shown.hand)
        if not shown.is_lost:
            shown.is_lost = True
            shown.was_near = other != NO_HAND and shown.last - shown.since >= _SHOWN
        if other != NO_HAND:
            shown.meet(other, _apart(world, other, row), _grip(world, other, row), now)
        if not (shown.was_near and self._has_come(shown, row)):
            return
        has_left = bool(world.fresh[[shown.hand, shown.taker]].all()) and shows
        has_left &= _apart(world, shown.hand, shown.taker) > _APART
        shown.bare = min(shown.bare, now) if has_left else np.inf

    def _has_come(self, shown: _Shown, row: int) -> bool:
        """Whether the other hand was at it."""
        return shown.nearest <= float(self._roster.radii[row]) + self._held

    def _has_brought(self, world: World, row: int, shown: _Shown) -> bool:
        """Whether what shows again was brought by the other hand, that was at it before."""
        hands = [shown.hand, shown.taker]
        if shown.taker == NO_HAND or not (self._has_come(shown, row) and world.placed[hands].all()):
            return False
        mine, other = (_apart(world, hand, row) for hand in hands)
        return mine > _APART and other <= _NEAR

    def _near(self, world: World, row: int, hand: int) -> int:
        """The nearest hand of somebody else, NO_HAND if none is near."""
        owner, hands = self._roster.owner, self._roster.hands
        others = hands[world.fresh[hands] & (owner[hands] != owner[hand])].tolist()
        far = [(_apart(world, other, row), other) for other in others]
        return min((other for other in far if other[0] <= _NEAR), default=(0.0, NO_HAND))[1]


def _apart(world: World, one: int, other: int) -> float:
    """How far the middles of two rows are from each other."""
    return math.dist(world.pose[one, :3].tolist(), world.pose[other, :3].tolist())


def _grip(world: World, hand: int, row: int) -> Pose:
    """How a thing lies to a hand."""
    return compose(inverse(world.pose[hand]), world.pose[row])
