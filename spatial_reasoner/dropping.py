"""What falls out of a hand: it sinks away from it, and faster than anybody sets a thing down.

A hand lets go of what is perceived far away from it; but what falls into a box 5 cm below is never
perceived there, and would else go off with the hand. So it is looked at how heights change: in a
tenth of a second what is let go has fallen 5 cm. Percepts of hands come late, so what is carried
down seems to sink by some centimetres first; less is enough only of what shows no more. A hand that
turns over takes what is in it down, and so does another hand.
"""

import math
from collections import deque
from typing import Final, NamedTuple

import numpy as np

from spatial_reasoner.hands import NO_HAND
from spatial_reasoner.poses import Floats
from spatial_reasoner.roster import Flags
from spatial_reasoner.world import World

__all__ = ["Dropping"]

_WHILE: Final = 0.13
"""Seconds that are looked at: three frames of 0.04 s."""
_SUNK: Final = 0.055
"""Metres: what is carried down at 1 m/s seems to sink so far when its hand is a frame late."""
_BEGINS: Final = 0.025
"""Metres: eight standard deviations of the difference of four heights."""
_TURNED: Final = 0.35
"""Radians: a hand that turns so far meanwhile takes what is in it along, up or down."""
_LATELY: Final = 0.1
"""Seconds: what shows no more was perceived so lately at least."""
_BESIDE: Final = 0.1
"""Metres: what is nearer to the surface of a thing may have it."""
_FALLING: Final = 0.3
"""Seconds: for so long after it was let go no hand holds a thing merely because it is near."""


class _Height(NamedTuple):
    """How high a thing was perceived at a time, and how high above its hand."""

    t: float
    hand: int
    height: float
    above: float
    turn: Floats
    """How the hand was turned."""


class Dropping:
    """The heights of what is in hands, lately."""

    def __init__(self) -> None:
        self._heights: Final[dict[int, deque[_Height]]] = {}
        self._dropped: Final[dict[int, float]] = {}

    def let_go(self, world: World, now: float) -> None:
        """Has hands let go of what falls out of them."""
        holder = world.holding.holder
        held = np.flatnonzero(holder != NO_HAND).tolist()
        for row in [row for row in self._heights if holder[row] == NO_HAND]:
            del self._heights[row]
        for row in held:
            if world.fresh[holder[row]] and self._falls(world, row, now):
                holder[row] = NO_HAND
                self._dropped[row] = now

    def falling(self, count: int, now: float) -> Flags:
        """What was let go a moment ago."""
        for row in [row for row, t in self._dropped.items() if now - t > _FALLING]:
            del self._dropped[row]
        flags = np.zeros(count, dtype=bool)
        flags[list(self._dropped)] = True
        return flags

    def _falls(self, world: World, row: int, now: float) -> bool:
        """Whether it is lower than lately, in the room and below its hand."""
        heights = self._heights.setdefault(row, deque())
        is_there = bool(world.fresh[row])
        if is_there:
            heights.append(_height(world, row, now))
        while heights and now - heights[0].t > _WHILE:
            heights.popleft()
        if not heights or (not is_there and now - heights[-1].t > _LATELY):
            return False
        enough, last = _SUNK if is_there else _BEGINS, heights[-1]
        sank = any(
            each.hand == last.hand and each.height - last.height > enough
            and each.above - last.above > enough and _turn(each, last) < _TURNED
            for each in heights
        )  # fmt: skip
        return sank and not self._is_with_another(world, row)

    def _is_with_another(self, world: World, row: int) -> bool:
        """Whether another hand is there that may have it."""
        roster, mine = world.roster, int(world.holding.holder[row])
        hands = roster.hands[world.fresh[roster.hands] & (roster.hands != mine)]
        away = np.linalg.norm(world.pose[hands, :3] - world.pose[row, :3], axis=1)
        return bool((away < roster.radii[row] + _BESIDE).any())


def _height(world: World, row: int, now: float) -> _Height:
    hand = int(world.holding.holder[row])
    height, grip = float(world.perceived[row, 2]), world.perceived[hand]
    return _Height(now, hand, height, height - float(grip[2]), grip[3:].copy())


def _turn(one: _Height, other: _Height) -> float:
    return 2 * math.acos(min(abs(float(one.turn @ other.turn)), 1.0))
