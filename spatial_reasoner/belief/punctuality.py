"""How often things are perceived, and since when a percept is not merely late.

Sources have rates of their own: what is perceived once a second is not unseen between.
"""

from typing import Final

import numpy as np

from spatial_reasoner.belief.world import NEVER, World
from spatial_reasoner.geometry.arrays import Flags, Floats
from spatial_reasoner.geometry.columns import enlarged

__all__ = ["Punctuality"]

_AT_LEAST: Final = 0.2
"""Seconds: cameras lose things for some frames now and then; what fell meanwhile is made up for."""
_USUAL: Final = 2.5
"""So many times as long as usual, and a percept is not merely late."""
_WEIGHT: Final = 0.3
"""The share that the last gap has in what is usual, after the first one."""
_PAUSE: Final = 2.0
"""Seconds: a longer gap is none between two percepts that follow each other."""


class Punctuality:
    """The rhythm of each row of one world; nothing is late for longer than `at_most`."""

    def __init__(self, at_most: float) -> None:
        self._at_most: Final = at_most
        self.gap: Floats = np.zeros(0)
        """How long it took until each was perceived again; 0 where it was not at this moment."""
        self._seen: Floats = np.zeros(0)
        self._usual: Floats = np.zeros(0)

    def listen(self, world: World) -> None:
        """Takes in who is perceived at this moment."""
        self._usual = enlarged(self._usual, world.seen.shape)
        self._seen = enlarged(self._seen, world.seen.shape, NEVER)
        fresh = world.fresh & (world.seen > NEVER)
        self.gap = np.zeros(len(world.seen))
        self.gap[fresh] = world.seen[fresh] - self._seen[fresh]
        counts = fresh & (self.gap < _PAUSE)
        weight = np.where(self._usual[counts] > 0.0, _WEIGHT, 1.0)
        self._usual[counts] += weight * (self.gap[counts] - self._usual[counts])
        self._seen[fresh] = world.seen[fresh]

    def is_late(self, world: World, now: float) -> Flags:
        """Of which rows the next percept should have come a while ago."""
        late: Flags = now - world.seen > np.clip(_USUAL * self._usual, _AT_LEAST, self._at_most)
        return late
