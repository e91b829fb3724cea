"""Things that a hand took out of sight, and comes back without.

What is held goes where its hand goes, seen or not. When the hand is seen and the thing would show
in it and does not, the thing was left where it could not be seen: at the lowest place that it was
taken to there, from where it falls onto what is below.

People perceive whatever shows, so they know this at once. A camera may lose a thing in a hand that
covers it; so the robot takes it for left only where it went behind or into something, and for
certain after a second.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from spatial_reasoner.hands import NO_HAND
from spatial_reasoner.poses import Pose
from spatial_reasoner.roster import Flags
from spatial_reasoner.world import World

__all__ = ["Leaving"]


@dataclass(slots=True)
class _Away:
    """A thing in a hand that nobody perceives now."""

    lowest: Pose
    was_hidden: bool = False
    """Whether something was in front of it."""
    bare: float = np.inf
    """Since when its hand is seen without it."""


class Leaving:
    """What is out of sight in hands; `patience` is how long a hand is seen to be empty.

    Who `is_sure` perceives whatever shows.
    """

    def __init__(self, is_sure: bool, patience: float) -> None:
        self._is_sure: Final = is_sure
        self._patience: Final = 0.0 if is_sure else patience
        self._away: Final[dict[int, _Away]] = {}

    def stays(self, count: int) -> Flags:
        """What does not follow its hand any more, though it may still be in it."""
        left = np.zeros(count, dtype=bool)
        if self._away:
            left[[row for row, away in self._away.items() if away.bare < np.inf]] = True
        return left

    def notice(self, world: World, in_view: Flags, shows: Flags, now: float) -> Flags:
        """Puts down what a hand is seen without; `shows` is what shows plainly.

        The rows that no hand has any more are returned.
        """
        left = np.zeros(len(shows), dtype=bool)
        if not self._away and world.holding.is_empty:
            return left
        holder = world.holding.holder
        carried = (holder != NO_HAND) & world.placed & ~world.fresh
        for row in [row for row in self._away if not carried[row]]:
            del self._away[row]
        for row in np.flatnonzero(carried).tolist():
            pose = world.pose[row].copy()
            away = self._away.setdefault(row, _Away(pose))
            if away.bare == np.inf:
                self._follow(away, pose, bool(in_view[row] & ~shows[row]))
                is_bare = shows[row] & world.fresh[holder[row]]
                if is_bare and (self._is_sure or away.was_hidden):
                    away.bare = now
                    world.pose[row] = away.lowest
            if now - away.bare >= self._patience:
                holder[row] = NO_HAND
                world.pose[row] = away.lowest
                left[row] = True
        return left

    def _follow(self, away: _Away, pose: Pose, is_hidden: bool) -> None:
        away.was_hidden |= is_hidden
        if pose[2] < away.lowest[2]:
            away.lowest = pose
