"""Motion: how fast things move, by a line laid through where they were perceived lately.

A line through many places is steady where the difference of two is not: a thing that is still, and
perceived within 1.5 mm, seems to move by at most 2 cm/s. The times are those of the percepts of
each row, so sources of any rate, or of none in particular, give the same speeds.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from spatial_reasoner.polygons import Rows
from spatial_reasoner.poses import Floats
from spatial_reasoner.tolerances import Tolerances

__all__ = ["Trail", "is_moving"]

Flags = NDArray[np.bool_]

_LENGTH: Final = 32
_SPACING: Final = 0.018
"""Percepts that come sooner after the last one are left out: 32 of them span half a second."""
_ROUNDING: Final = 1e-4
_ASKED: Final = 4
"""Windows that are asked about at one moment, at most."""
_SPREAD: Final = 0.04
"""The least sum of squared times about their mean, in s²: it keeps the noise of a speed at
7 mm/s for each axis. Ten percepts a second have it after 0.3 s."""


class Trail:
    """Where the rows were perceived lately, and when.

    A percept is recorded as it came, before any smoothing: the line smooths, and without delay.
    """

    def __init__(self, count: int) -> None:
        self._times: Floats = np.full((_LENGTH, count), -np.inf)
        self._places: Floats = np.zeros((3, _LENGTH, count))
        self._next = np.zeros(count, dtype=np.intp)
        self._last: Floats = np.full(count, -np.inf)
        self._told: Final[dict[tuple[float, float], tuple[Floats, Floats]]] = {}
        """The lines through what is recorded now."""

    def record(self, now: float, rows: Rows, places: Floats) -> None:
        """Some rows (k) were perceived at places (k, 3)."""
        self._told.clear()
        fresh = now - self._last[rows] >= _SPACING
        rows, places = rows[fresh], places[fresh]
        at = self._next[rows]
        self._times[at, rows] = now
        self._places[:, at, rows] = places.T
        self._next[rows] = (at + 1) % _LENGTH
        self._last[rows] = now

    def velocities(self, now: float, window: float, longest: float) -> tuple[Floats, Flags]:
        """The mean velocities (n, 3) over a window before now, and which rows have one.

        Where the window has too few percepts to tell, up to `longest` is looked back. Rows without
        a velocity get zero.
        """
        slope, spread = self._slopes(now, window)
        short = spread < _SPREAD
        if longest > window and short.any():
            long_slope, long_spread = self._slopes(now, longest)
            slope = np.where(short, long_slope, slope)
            spread = np.where(short, long_spread, spread)
        known = spread >= _SPREAD
        return np.where(known, slope, 0.0).T, known

    def forget(self, rows: Rows) -> None:
        """What was perceived of some rows says nothing any more."""
        self._told.clear()
        self._times[:, rows] = -np.inf
        self._last[rows] = -np.inf

    def grow(self, count: int) -> None:
        """Makes room for more rows."""
        self._told.clear()
        more = count - len(self._last)
        self._times = np.pad(self._times, ((0, 0), (0, more)), constant_values=-np.inf)
        self._places = np.pad(self._places, ((0, 0), (0, 0), (0, more)))
        self._next = np.pad(self._next, (0, more))
        self._last = np.pad(self._last, (0, more), constant_values=-np.inf)

    def _slopes(self, now: float, window: float) -> tuple[Floats, Floats]:
        """The slopes (3, n) of the lines through the last places, and the spread of their times."""
        if (now, window) not in self._told:
            if len(self._told) >= _ASKED:
                self._told.clear()
            age = now - self._times
            self._told[now, window] = self._lines(age, age <= window + _ROUNDING)
        return self._told[now, window]

    def _lines(self, age: Floats, used: Flags) -> tuple[Floats, Floats]:
        weight = used.astype(np.float64)
        count = np.maximum(weight.sum(axis=0), 1.0)
        time = np.where(used, -age, 0.0)
        time -= weight * (time.sum(axis=0) / count)
        spread: Floats = (time * time).sum(axis=0)
        rise = (self._places * time).sum(axis=1)
        return rise / np.maximum(spread, 1e-9), spread


def is_moving(velocities: Floats, before: Flags, tolerances: Tolerances) -> Flags:
    """Which rows move, by their velocities (n, 3)."""
    limit = np.array(tolerances.moving).take(before.view(np.int8))
    fast: Flags = (velocities * velocities).sum(axis=1) >= limit * limit
    return fast
