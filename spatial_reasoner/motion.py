"""Motion: how fast things move, by a line laid through where they were perceived lately.

A line through many places is steady where the difference of two is not: a thing that is still, and
perceived within 1.5 mm, seems to move by at most 2 cm/s. The times are those of the percepts of
each row, so sources of any rate, or of none in particular, give the same speeds.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from spatial_reasoner.polygons import Rows
from spatial_reasoner.poses import Floats
from spatial_reasoner.tolerances import Tolerances

__all__ = ["Trail", "Velocities", "is_moving"]

Flags = NDArray[np.bool_]

_LENGTH: Final = 32
_SPACING: Final = 0.032
"""Percepts that come sooner after the last one are left out: 32 of them span a second."""
_ROUNDING: Final = 1e-4
_SPREAD: Final = 0.04
"""The least sum of squared times about their mean, in s²: it keeps the noise of a speed at
7 mm/s for each axis. Ten percepts a second have it after 0.3 s."""


@dataclass(frozen=True, slots=True, eq=False)
class Velocities:
    """How fast rows go, (n, 3) each, by lines of several lengths."""

    quick: Floats
    """By the last moments."""
    steady: Floats
    """What goes on as it did is known better by a longer line, which noise does not stir."""
    mean: Floats
    """As long as hands take to reach for something."""


class Trail:
    """Where the rows were perceived lately, and when.

    A percept is recorded as it came, before any smoothing: the line smooths, and without delay.
    """

    def __init__(self, count: int) -> None:
        self._times: Floats = np.full((_LENGTH, count), -np.inf)
        self._places: Floats = np.zeros((3, _LENGTH, count))
        self._next = np.zeros(count, dtype=np.intp)
        self._last: Floats = np.full(count, -np.inf)

    def record(self, now: float, rows: Rows, places: Floats) -> None:
        """Some rows (k) were perceived at places (k, 3)."""
        fresh = now - self._last[rows] >= _SPACING
        rows, places = rows[fresh], places[fresh]
        at = self._next[rows]
        self._times[at, rows] = now
        self._places[:, at, rows] = places.T
        self._next[rows] = (at + 1) % _LENGTH
        self._last[rows] = now

    def velocities(self, now: float, tolerances: Tolerances) -> "Velocities":
        """How fast the rows go; those that were perceived too seldom to tell get zero."""
        windows = tolerances.moving_window, tolerances.reaching_window, tolerances.steady_window
        (quick, mean, steady), (is_known, tells, _) = self._slopes(now, np.array(windows))
        mean = np.where(tells, mean, 0.0)
        quick = np.where(is_known, quick, mean)
        change = quick - steady
        goes_on = (change * change).sum(axis=0) <= tolerances.steady_speed**2
        return Velocities(quick.T, np.where(goes_on & tells, steady, quick).T, mean.T)

    def forget(self, rows: Rows) -> None:
        """What was perceived of some rows says nothing any more."""
        self._times[:, rows] = -np.inf
        self._last[rows] = -np.inf

    def grow(self, count: int) -> None:
        """Makes room for more rows."""
        more = count - len(self._last)
        self._times = np.pad(self._times, ((0, 0), (0, more)), constant_values=-np.inf)
        self._places = np.pad(self._places, ((0, 0), (0, 0), (0, more)))
        self._next = np.pad(self._next, (0, more))
        self._last = np.pad(self._last, (0, more), constant_values=-np.inf)

    def _slopes(self, now: float, windows: Floats) -> tuple[Floats, Flags]:
        """The slopes (w, 3, n) of lines through the last places in windows, and which tell."""
        age = now - self._times
        used = age <= (windows + _ROUNDING)[:, None, None]
        count = np.maximum(used.sum(axis=1), 1)
        time = np.where(used, -age, 0.0)
        time -= used * (time.sum(axis=1) / count)[:, None]
        spread = (time * time).sum(axis=1)
        rise = np.einsum("wtn,ctn->wcn", time, self._places)
        return rise / np.maximum(spread, 1e-9)[:, None], spread >= _SPREAD


def is_moving(velocities: Velocities, before: Flags, tolerances: Tolerances) -> Flags:
    """Which rows move; what moved goes on to while one of the lines says so."""
    quick, steady = ((v * v).sum(axis=1) for v in (velocities.quick, velocities.steady))
    limit = np.array(tolerances.moving).take(before.view(np.int8))
    fast: Flags = np.where(before, np.maximum(quick, steady), steady) >= limit * limit
    return fast
