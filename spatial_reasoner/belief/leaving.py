"""Things that a hand took out of sight, and comes back without.

What is held goes where its hand goes, seen or not. When the hand is seen and the thing would show
in it and does not, the thing was left where it could not be seen: at the lowest place that it was
taken to there, from where it falls onto what is below, or goes along with it.

People perceive whatever shows, so they know this at once. A camera may lose a thing in a hand that
covers it; so the robot takes it for left only where it went behind or into something, or was lost
over a container that it may have fallen into, and for certain after a while. Trackers lose a hand
before it is hidden altogether, so what was carried off with its hand, out of all sight, went behind
or into something as well: nobody saw how it was left there. What a fist covered before it went
behind something does not show when that comes out again, either: it is in there still, unless the
fist stopped.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from spatial_reasoner.belief.world import TOGETHER, World
from spatial_reasoner.geometry.arrays import Flags, Floats
from spatial_reasoner.geometry.poses import Pose, compose
from spatial_reasoner.relations.hands import NO_HAND

__all__ = ["Leaving"]

_HIDDEN: Final = 0.3
"""Seconds: so long a tracker may take to find again what comes out from behind something."""
_DROPPED: Final = 0.7
"""Seconds: so long what is lost in plain view still counts as perceived."""
_MOVED: Final = 0.045
"""Metres: what went so far in its hand is not only about to be taken."""
_LOWER: Final = 0.02
"""Metres: what is no lower than that is as low."""
_PASSING: Final = 0.2
"""Metres a second: what leaves something behind comes out again more slowly, all in all."""
_OVERLOOKED: Final = 0.2
"""Seconds: a hand that is found again sooner a tracker may have overlooked."""


@dataclass(slots=True)
class _Away:
    """A thing in a hand that nobody perceives now."""

    lost: Pose
    """Where it was lost."""
    lowest: Pose
    """The lowest place that it was taken to since, or since something came in front of it."""
    was_over: bool
    """Whether it was in or over a container then."""
    seen: float
    """When it was perceived last; never, of what had lain openly since before it was taken."""
    hand_seen: float
    """When its hand was."""
    was_hidden: bool = False
    """Whether something was in front of it, and it may have been left there."""
    is_back: bool = False
    """Whether its hand came back from out of sight: what it left it left before that."""
    is_covered: bool = False
    """Whether its hand was seen without it before that, and for long."""
    went: tuple[float, Floats] | None = None
    """When something came in front of it, and where its hand was."""
    bare: float = np.inf
    """Since when its hand is seen without it."""
    is_left: bool = False
    """Whether that is believed."""
    had: Pose = field(default_factory=lambda: np.empty(0))
    """Where it was in the hand until then."""

    @property
    def patience(self) -> float:
        """For how long the hand must be seen without it."""
        if self.was_hidden:
            return _DROPPED if self.is_covered else _HIDDEN
        return _DROPPED if self.was_over else np.inf

    @property
    def has_shown(self) -> bool:
        """Whether its hand does not cover it: it was perceived in that."""
        return self.seen > -np.inf and not self.is_covered

    def come_out(self, now: float, hand: Floats, lost: float) -> None:
        """Its hand is seen without it, at a place; it was `lost` so long ago."""
        self.bare = min(self.bare, now)
        if self.went is not None:
            then, there = self.went
            passed = math.dist(hand, there) > _PASSING * (now - then)
            self.was_hidden |= not (self.is_covered and passed)
            self.went = None
        is_long = lost >= _DROPPED and now - self.bare >= _HIDDEN
        self.is_covered |= is_long and not self.was_hidden

    def has_come_back(self, hand_seen: float) -> bool:
        """Whether its hand, that went out of sight with it or after it, is perceived again."""
        before, self.hand_seen = self.hand_seen, hand_seen
        went_behind = self.went is not None and not self.is_covered
        is_with_it = before - self.seen <= TOGETHER or went_behind
        return hand_seen - before > _OVERLOOKED and is_with_it


class Leaving:
    """What is out of sight in hands. Who `is_sure` perceives whatever shows."""

    def __init__(self, is_sure: bool) -> None:
        self._is_sure: Final = is_sure
        self._away: Final[dict[int, _Away]] = {}
        self._brought: Final[set[int]] = set()
        self._let: Final[dict[int, tuple[int, Pose]]] = {}
        """Which hand seemed to have lost each thing that it covers, and how that lay in it."""
        self._taken: Final[dict[int, tuple[int, Floats]]] = {}
        """The hand that has each thing, and where it took it."""

    def stays(self, count: int) -> Flags:
        """What was left behind, as it seems: it is where it was left, and may be in its hand still.

        It falls, and goes along with what it lies in.
        """
        stays = np.zeros(count, dtype=bool)
        if self._away:
            stays[[row for row, away in self._away.items() if away.is_left]] = True
        return stays

    def doubtful(self, count: int) -> Flags:
        """What its hand may have left: it is seen without it at this moment, though not for long
        enough, or has come back from out of sight."""
        doubtful = np.zeros(count, dtype=bool)
        if self._away:
            each = self._away.items()
            rows = [row for row, a in each if a.was_hidden or max(a.bare, a.patience) < np.inf]
            doubtful[rows] = True
        return doubtful

    def brought(self, count: int) -> Flags:
        """What was left where its hand was out of sight with it: nobody saw how."""
        brought = np.zeros(count, dtype=bool)
        brought[list(self._brought)] = True
        return brought

    def forget(self, rows: Iterable[int]) -> None:
        """Some rows are in other hands now."""
        for row in rows:
            self._away.pop(row, None)

    def notice(
        self, world: World, in_view: Flags, shows: Flags, now: float, inside: Flags, over: Flags,
        lying: Flags,
    ) -> Flags:  # fmt: skip
        """Puts down what a hand is seen without; `shows` is what shows plainly, `inside` are the
        things that are in a container, `over` those and what may be put into one, and `lying` those
        that lie openly.

        The rows that begin to fall are returned.
        """
        left = np.zeros(len(shows), dtype=bool)
        self._brought.difference_update(np.flatnonzero(world.fresh).tolist())
        for row in [row for row in self._let if world.fresh[row]]:
            del self._let[row]
        self._note_taken(world)
        if not self._away and world.holding.is_empty:
            return left
        holder = world.holding.holder
        carried = (holder != NO_HAND) & ~world.fresh
        for row in [row for row in self._away if not carried[row]]:
            del self._away[row]
        for row in np.flatnonzero(carried & world.placed).tolist():
            if row not in self._away:
                self._away[row] = self._begun(world, row, bool(over[row]), lying[row])
            away = self._away[row]
            hand_seen = float(world.seen[holder[row]])
            if away.is_left and now - hand_seen > _OVERLOOKED:
                world.pose[row], away.is_left, away.bare = away.had, False, np.inf
            if not away.is_left:
                hides = bool(in_view[row] & ~shows[row] or away.is_covered & inside[row])
                self._follow(row, away, world, hides, bool(shows[row]), now)
                if away.bare < np.inf and (self._is_sure or away.was_hidden):
                    away.had, away.is_left, left[row] = world.pose[row].copy(), True, True
                    world.pose[row] = away.lowest
            if hand_seen - away.bare >= (0.0 if self._is_sure else away.patience):
                if not self._is_sure and not away.has_shown:
                    self._let[row] = int(holder[row]), world.holding.grip[row].copy()
                holder[row] = NO_HAND
                if not away.is_left:
                    world.pose[row], left[row] = away.lost, True
        return left

    def take_back(self, world: World, rows: Flags) -> Flags:
        """Gives what is not in its container after all back to the hand that had it; these rows."""
        back = np.zeros(len(rows), dtype=bool)
        for row in [row for row in self._let if rows[row]]:
            hand, grip = self._let.pop(row)
            if world.placed[hand] and hand not in world.holding.holder:
                world.holding.holder[row], world.holding.grip[row], back[row] = hand, grip, True
                pose, seen = compose(world.pose[hand], grip), float(world.seen[hand])
                self._away[row] = _Away(pose, pose, was_over=False, seen=-np.inf, hand_seen=seen)
        return back

    def _begun(self, world: World, row: int, is_over: bool, lies: bool) -> _Away:
        """Something in a hand is not perceived from now on."""
        pose, hand = world.pose[row].copy(), world.holding.holder[row]
        is_there = lies and math.dist(pose[:3], self._taken[row][1]) < _MOVED
        seen = -np.inf if is_there else float(world.seen[row])
        return _Away(pose, pose, is_over, seen, float(world.seen[hand]))

    def _follow(
        self, row: int, away: _Away, world: World, hides: bool, shows: bool, now: float
    ) -> None:
        """Something in a hand is still not perceived; notes what that may mean. Something `hides`
        where it may be left: what a fist has in a container is as good as behind something."""
        pose, hand = world.pose[row].copy(), world.holding.holder[row]
        if pose[2] < away.lowest[2] - _LOWER and not away.is_back:
            away.lowest = pose
        if away.has_come_back(float(world.seen[hand])):
            away.was_hidden = away.is_back = True
            self._brought.add(row)
        if shows and not hides and world.fresh[hand]:
            away.come_out(now, world.pose[hand, :3], now - float(world.seen[row]))
            return
        away.bare = np.inf
        if hides and away.went is None:
            away.went, away.lowest = (now, world.pose[hand, :3].copy()), pose

    def _note_taken(self, world: World) -> None:
        """Where hands take what they have."""
        holder = world.holding.holder
        for row in [row for row, (hand, _) in self._taken.items() if holder[row] != hand]:
            del self._taken[row]
        for row in np.flatnonzero(holder != NO_HAND).tolist():
            self._taken.setdefault(row, (int(holder[row]), world.pose[row, :3].copy()))
