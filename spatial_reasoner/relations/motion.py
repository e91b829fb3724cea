"""Motion: how fast things move, by a line laid through where they were perceived lately.

A line through many places is steady where the difference of two is not: a thing that is still, and
perceived within 1.5 mm, seems to move by at most 2 cm/s. The times are those of the percepts of
each row, so sources of any rate, or of none in particular, give the same speeds.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from spatial_reasoner.geometry.polygons import Rows
from spatial_reasoner.geometry.poses import Floats
from spatial_reasoner.kernels.compiled import compiled
from spatial_reasoner.values.tolerances import Tolerances

__all__ = ["Trail", "Velocities", "is_moving"]

Flags = NDArray[np.bool_]

_LENGTH: Final = 32
_SPACING: Final = 0.032
"""Percepts that come sooner after the last one are left out: 32 of them span a second."""
_ROUNDING: Final = 1e-4
_PAUSE: Final = 0.1
_NOWHERE: Final = 0.02
"""Metres: what moves by less in a tenth of a second pauses, though it has just come."""
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
        self._times: Floats = np.full((count, _LENGTH), -np.inf)
        """A ring for each row: the oldest is overwritten by the next."""
        self._places: Floats = np.zeros((count, _LENGTH, 3))
        self._next: Rows = np.zeros(count, dtype=np.intp)
        self._last: Floats = np.full(count, -np.inf)

    def record(self, now: float, rows: Rows, places: Floats) -> None:
        """Some rows (k) were perceived at places (k, 3)."""
        _record(now, rows, places, self._times, self._places, self._next, self._last)

    def velocities(self, now: float, tolerances: Tolerances) -> "Velocities":
        """How fast the rows go; those that were perceived too seldom to tell get zero."""
        quick, steady, mean = np.zeros((3, len(self._last), 3))
        _velocities(
            now, tolerances.moving_window, tolerances.steady_window, tolerances.reaching_window,
            tolerances.steady_speed, self._times, self._places, self._next, quick, steady, mean,
        )  # fmt: skip
        return Velocities(quick, steady, mean)

    def pauses(self, row: int) -> bool:
        """Whether a row hardly moved between its last two percepts, and in a tenth of a second."""
        order = self._next[row] - 1 - np.arange(_LENGTH)
        times, places = self._times[row, order], self._places[row, order]
        lately = times >= min(times[1], times[0] - _PAUSE - _ROUNDING)
        far = np.linalg.norm(places[lately] - places[0], axis=1)
        return bool(np.isfinite(times[1]) and far.max() < _NOWHERE)

    def forget(self, rows: Rows) -> None:
        """What was perceived of some rows says nothing any more."""
        self._times[rows] = -np.inf
        self._last[rows] = -np.inf

    def grow(self, count: int) -> None:
        """Makes room for more rows."""
        more = count - len(self._last)
        self._times = np.pad(self._times, ((0, more), (0, 0)), constant_values=-np.inf)
        self._places = np.pad(self._places, ((0, more), (0, 0), (0, 0)))
        self._next = np.pad(self._next, (0, more))
        self._last = np.pad(self._last, (0, more), constant_values=-np.inf)


def is_moving(velocities: Velocities, before: Flags, tolerances: Tolerances) -> Flags:
    """Which rows move; what moved goes on to while one of the lines says so."""
    fast: Flags = np.empty(len(before), dtype=bool)
    _are_fast(velocities.quick, velocities.steady, before, *tolerances.moving, fast)
    return fast


@compiled("(f8, i8[:], f8[:,:], f8[:,::1], f8[:,:,::1], i8[::1], f8[::1])")
def _record(
    now: float, rows: Rows, found: Floats, times: Floats, places: Floats, ends: Rows, last: Floats
) -> None:
    for k in range(len(rows)):
        row = rows[k]
        if now - last[row] >= _SPACING:
            times[row, ends[row]] = last[row] = now
            places[row, ends[row]] = found[k]
            ends[row] = (ends[row] + 1) % _LENGTH


@compiled("b1(f8, f8, f8[::1], f8[:,::1], i8, f8[::1])")
def _is_laid(
    now: float, window: float, times: Floats, places: Floats, end: int, slope: Floats
) -> bool:
    """Lays a line through the last places in a window, and says whether it tells anything.

    The ring ends before `end`; from there back the times only get earlier.
    """
    count, total = 0, 0.0
    while count < _LENGTH and now - times[end - 1 - count] <= window + _ROUNDING:
        total += now - times[end - 1 - count]
        count += 1
    spread = 0.0
    slope[:] = 0.0
    for back in range(count):
        time = total / count - (now - times[end - 1 - back])
        spread += time * time
        for k in range(3):
            slope[k] += time * places[end - 1 - back, k]
    for k in range(3):
        slope[k] /= max(spread, 1e-9)
    return spread >= _SPREAD


@compiled("(f8, f8, f8, f8, f8, f8[:,::1], f8[:,:,::1], i8[::1], f8[:,::1], f8[:,::1], f8[:,::1])")
def _velocities(
    now: float, short: float, long: float, middling: float, same: float,
    times: Floats, places: Floats, ends: Rows, quick: Floats, steady: Floats, mean: Floats,
) -> None:  # fmt: skip
    """Sets the velocities by windows of three lengths; speeds differ by `same` if they go on."""
    for row in range(len(times)):
        ring, at, end = times[row], places[row], ends[row]
        is_known = _is_laid(now, short, ring, at, end, quick[row])
        tells = _is_laid(now, middling, ring, at, end, mean[row])
        _is_laid(now, long, ring, at, end, steady[row])
        if not tells:
            mean[row] = 0.0
        if not is_known:
            quick[row] = mean[row]
        change = 0.0
        for k in range(3):
            change += (quick[row, k] - steady[row, k]) ** 2
        if not tells or change > same * same:
            steady[row] = quick[row]


@compiled("(f8[:,:], f8[:,:], b1[:], f8, f8, b1[::1])")
def _are_fast(
    quick: Floats, steady: Floats, before: Flags, begins: float, goes_on: float, fast: Flags
) -> None:
    for row in range(len(before)):
        one = other = 0.0
        for k in range(3):
            one += steady[row, k] ** 2
            other += quick[row, k] ** 2
        if before[row]:
            fast[row] = max(one, other) >= goes_on * goes_on
        else:
            fast[row] = one >= begins * begins
