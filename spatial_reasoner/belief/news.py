"""News: of which things it is worth saying where they are, as one mind has it.

That is of those that moved, came or went; of those that became twice or half as sure; and of those
whose last percept was said long ago, or was the last for now: who asks when a thing was seen last
is never told of a time more than a second before that.
"""

from typing import Final

import numpy as np

from spatial_reasoner.belief.world import NEVER, World
from spatial_reasoner.geometry.arrays import Flags, Floats
from spatial_reasoner.geometry.columns import Columns, column

__all__ = ["News"]

_TWICE: Final = 4.0
"""The variance of what is twice as unsure."""
_OFTEN: Final = 1.0
"""Seconds: of what is still and perceived it is said so often."""


class News(Columns):
    """What was said of the places in one world."""

    _spread: Floats = column((0.0, 0.0))
    _seen: Floats = column(NEVER)
    """The last percept of each row that was said."""
    _was_fresh: Flags = column(False)

    def of(self, world: World, last: tuple[Floats, Flags]) -> Flags:
        """The rows that there is something to say of; `last` is where all was a moment ago."""
        self._make_room(world)
        ended = self._was_fresh & ~world.fresh
        found = world.changed_since(last) | self._surer(world)
        found |= world.fresh & (world.seen >= self._seen + _OFTEN)
        found |= ended & (world.seen > self._seen)
        found &= world.known
        self._seen[found] = world.seen[found]
        self._was_fresh = world.fresh.copy()
        return found

    def _surer(self, world: World) -> Flags:
        """The rows that are half or twice as sure as when that was said last."""
        if not world.told.any():
            return world.told
        spread = np.where(world.told[:, None], _spread(world.cov), self._spread)
        ratio = spread / self._spread
        changed: Flags = np.logical_or.reduce((ratio > _TWICE) | (ratio < 1 / _TWICE), axis=1)
        self._spread[changed] = spread[changed]
        return changed

    def _make_room(self, world: World) -> None:
        known = len(self)
        if known < len(world):
            self.grow(rows=len(world))
            self._spread[known:] = _spread(world.cov[known:])


def _spread(cov: Floats) -> Floats:
    """The variances of place and of turn, all axes together: (n, 2)."""
    variances: Floats = np.diagonal(cov, axis1=1, axis2=2)
    return np.add.reduceat(variances, (0, 3), axis=1)
