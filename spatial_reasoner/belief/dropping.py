"""What falls out of a hand: it sinks away from it, and faster than anybody sets a thing down.

A hand lets go of what is perceived far away from it; but what falls into a box 5 cm below is never
perceived there, and would else go off with the hand. So it is looked at how heights change: in a
tenth of a second what is let go has fallen 5 cm. Percepts of hands come late, so what is carried
down seems to sink by some centimetres first; less is enough only of what shows no more. A hand that
turns over takes what is in it down, and so does another hand, if it goes along. What shows no more
was let go, too, when it went another way than its hand: pushed over an edge, it is not in the hand
that comes back.
"""

import math
from collections import deque
from typing import Final, NamedTuple

import numpy as np

from spatial_reasoner.belief.world import World
from spatial_reasoner.geometry.arrays import Flags, Floats
from spatial_reasoner.geometry.poses import Pose
from spatial_reasoner.relations.hands import NO_HAND

__all__ = ["Dropping"]

_WHILE: Final = 0.13
"""Seconds that are looked at: three frames of 0.04 s."""
_SUNK: Final = 0.055
"""Metres: what is carried down at 1 m/s seems to sink so far when its hand is a frame late."""
_BEGINS: Final = 0.025
"""Metres: eight standard deviations of the difference of four heights."""
_DEVIATIONS: Final = 3.0
"""So many standard deviations of the difference of two heights are chance, where they are told."""
_TURNED: Final = 0.35
"""Radians: a hand that turns so far meanwhile takes what is in it along, up or down."""
_LATELY: Final = 0.1
"""Seconds: what shows no more was perceived so lately at least."""
_BESIDE: Final = 0.1
"""Metres: what is nearer to the surface of a thing may have it."""
_FALLING: Final = 0.3
"""Seconds: for so long after it was let go no hand holds a thing merely because it is near."""


class _Moment(NamedTuple):
    """Where a thing was perceived at a time, where and how turned its hand, and where all were."""

    t: float
    hand: int
    place: Floats
    grip: Pose
    hands: Floats

    @property
    def away(self) -> Floats:
        """The way from the hand to it."""
        away: Floats = self.place - self.grip[:3]
        return away


class Dropping:
    """Where what is in hands was perceived lately."""

    def __init__(self, plunge: float) -> None:
        self._plunge: Final = plunge
        self._moments: Final[dict[int, deque[_Moment]]] = {}
        self._dropped: Final[dict[int, float]] = {}

    def let_go(self, world: World, now: float) -> None:
        """Has hands let go of what falls out of them."""
        holder = world.holding.holder
        held = np.flatnonzero(holder != NO_HAND).tolist()
        for row in [row for row in self._moments if holder[row] == NO_HAND]:
            del self._moments[row]
        for row in held:
            is_seen = bool(world.fresh[holder[row]])
            if self._falls(world, row, now) if is_seen else self._plunges(world, row, now):
                holder[row] = NO_HAND
                self._dropped[row] = now

    def falling(self, count: int, now: float) -> Flags:
        """What was let go a moment ago."""
        for row in [row for row, t in self._dropped.items() if now - t > _FALLING]:
            del self._dropped[row]
        flags = np.zeros(count, dtype=bool)
        flags[list(self._dropped)] = True
        return flags

    def _plunges(self, world: World, row: int, now: float) -> bool:
        """Whether it sinks faster than any hand would take it down, of a hand that is not seen."""
        moments = self._moments.setdefault(row, deque())
        if not world.fresh[row] or world.told[row]:
            return False
        moments.append(_moment(world, row, now))
        while now - moments[0].t > _WHILE:
            moments.popleft()
        first = moments[0]
        sank, lasted = first.place[2] - moments[-1].place[2], now - first.t
        return bool(sank > _SUNK and sank > self._plunge * lasted)

    def _falls(self, world: World, row: int, now: float) -> bool:
        """Whether it is lower than lately, in the room and below its hand; or shows no more, and
        went another way than its hand."""
        moments = self._moments.setdefault(row, deque())
        is_there = bool(world.fresh[row])
        if is_there:
            moments.append(_moment(world, row, now))
        if not moments or now - moments[-1].t > _LATELY:
            return False
        last = moments[-1]
        while last.t - moments[0].t > _WHILE:
            moments.popleft()
        enough = (_SUNK if is_there else _BEGINS) + _doubt(world, row)
        reach = float(world.roster.radii[row]) + _BESIDE
        others = world.roster.hands != world.holding.holder[row]
        return any(
            _sank(each, last, enough) or (not is_there and _parted(each, last))
            for each in moments
            if _is_held(each, last) and not _goes_with(each, last, others, reach)
        )


def _moment(world: World, row: int, now: float) -> _Moment:
    """Of what is perceived with a covariance, where it is by all that was perceived of it."""
    hand = int(world.holding.holder[row])
    place, grip = (world.pose if world.told[k] else world.perceived for k in (row, hand))
    hands = world.roster.hands
    there = np.where(world.fresh[hands, None], world.pose[hands, :3], np.nan)
    return _Moment(now, hand, place[row, :3].copy(), grip[hand].copy(), there)


def _doubt(world: World, row: int) -> float:
    """How much lower a thing may seem by chance, if it is perceived with a covariance."""
    rows = [row for row in (row, int(world.holding.holder[row])) if world.told[row]]
    return _DEVIATIONS * math.sqrt(2 * float(world.cov[rows, 2, 2].sum()))


def _is_held(one: _Moment, other: _Moment) -> bool:
    """Whether the same hand had it at both times, turned as it was."""
    turn = 2 * math.acos(min(abs(float(one.grip[3:] @ other.grip[3:])), 1.0))
    return one.hand == other.hand and turn < _TURNED


def _goes_with(before: _Moment, last: _Moment, others: Flags, reach: float) -> bool:
    """Whether another hand is there that may have it: it does not fall away below that one, too."""
    was, away = (each.place - each.hands[others] for each in (before, last))
    falls = (was[:, 2] - away[:, 2] > _BEGINS) & (away[:, 2] < 0.0)
    return bool(((np.linalg.norm(away, axis=1) < reach) & ~falls).any())


def _sank(before: _Moment, last: _Moment, enough: float) -> bool:
    """Whether it is lower, in the room and below its hand."""
    sank = before.place[2] - last.place[2], before.away[2] - last.away[2]
    return bool(min(sank) > enough)


def _parted(before: _Moment, last: _Moment) -> bool:
    """Whether it and its hand went apart, neither after the other."""
    far = math.dist(last.place, last.grip[:3]) - math.dist(before.place, before.grip[:3])
    went, hand_went = last.place - before.place, (last.grip - before.grip)[:3]
    return far > _SUNK and float(went @ hand_went) <= 0.0
