"""Motion: the velocities of objects, by linear regression over their latest percepts.

A regression over many positions is less noisy than the difference of two: an object at rest that is
perceived with a noise of 1.5 mm seems to move at 2 cm/s at most. The times are those of the
percepts of each row, so the velocities do not depend on the rate of a source, or on its regularity.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from spatial_reasoner.geometry.arrays import Flags, Floats, Rows
from spatial_reasoner.geometry.columns import Columns, column
from spatial_reasoner.kernels.compiled import compiled
from spatial_reasoner.tolerances.tolerances import Tolerances
from spatial_reasoner.tolerances.units import Limit, Numeric

__all__ = ["Trail", "Velocities", "is_moving"]

_LENGTH: Final = 32
"""The number of percepts that are recorded for each row."""
_SPACING: Final[Limit] = 0.032
"""Seconds: percepts that follow the last recorded one sooner are not recorded. So `_LENGTH` of them
span one second."""
_ROUNDING: Final[Numeric] = 1e-4
"""Seconds: a tolerance for the rounding of times."""


@dataclass(frozen=True, slots=True, eq=False)
class Velocities:
    """The velocities of rows in m/s, (n, 3) each, by regressions over windows of three lengths."""

    quick: Floats
    """Over the shortest window, `moving_window`."""
    steady: Floats
    """Over the longest window, `steady_window`, which has the least noise, if the velocity is
    constant; else the same as `quick`."""
    mean: Floats
    """Over `reaching_window`, which is as long as hands take to reach for something."""


class Trail(Columns):
    """The latest positions at which the rows were perceived, and the times.

    Percepts are recorded before any smoothing: the regression smooths them, and adds no delay.
    """

    _times: Floats = column(np.full(_LENGTH, -np.inf))
    """A ring buffer for each row: the next percept overwrites the oldest one."""
    _places: Floats = column(np.zeros((_LENGTH, 3)))
    _next: Rows = column(0)
    _last: Floats = column(-np.inf)

    def record(self, now: float, rows: Rows, places: Floats) -> None:
        """Records the positions (k, 3) at which rows (k) were perceived."""
        _record(now, rows, places, self._times, self._places, self._next, self._last)

    def velocities(self, now: float, tolerances: Tolerances) -> "Velocities":
        """The velocities of all rows; zero for rows with too few percepts."""
        quick, steady, mean = np.zeros((3, len(self), 3))
        _velocities(
            now, tolerances.moving_window, tolerances.steady_window, tolerances.reaching_window,
            tolerances.steady_speed, tolerances.velocity_spread, self._times, self._places,
            self._next, quick, steady, mean,
        )  # fmt: skip
        return Velocities(quick, steady, mean)

    def pauses(self, row: int, tolerances: Tolerances) -> bool:
        """Whether a row hardly moved between its last two percepts, and within a short time."""
        order = self._next[row] - 1 - np.arange(_LENGTH)
        times, places = self._times[row, order], self._places[row, order]
        lately = times >= min(times[1], times[0] - tolerances.pause_window - _ROUNDING)
        far = np.linalg.norm(places[lately] - places[0], axis=1)
        return bool(np.isfinite(times[1]) and far.max() < tolerances.pause_way)


def is_moving(velocities: Velocities, before: Flags, tolerances: Tolerances) -> Flags:
    """Which rows move. A row that moved `before` still moves if either velocity is fast enough."""
    fast: Flags = np.empty(len(before), dtype=bool)
    _are_fast(velocities.quick, velocities.steady, before, *tolerances.moving, fast)
    return fast


@compiled("(f8, i8[:], f8[:,:], f8[:,::1], f8[:,:,::1], i8[::1], f8[::1])")
def _record(
    now: float, rows: Rows, found: Floats, times: Floats, places: Floats, ends: Rows, last: Floats
) -> None:
    """Appends positions to the ring buffers of rows, at most one each `_SPACING`."""
    for k in range(len(rows)):
        row = rows[k]
        if now - last[row] >= _SPACING:
            times[row, ends[row]] = last[row] = now
            places[row, ends[row]] = found[k]
            ends[row] = (ends[row] + 1) % _LENGTH


@compiled("b1(f8, f8, f8, f8[::1], f8[:,::1], i8, f8[::1])")
def _is_laid(
    now: float, window: float, enough: float, times: Floats, places: Floats, end: int, slope: Floats
) -> bool:
    """Sets the velocity in a window by least squares; returns whether it is precise enough.

    The newest entry of the ring buffer stands before `end`; from there back the times get earlier.
    """
    # n and Σ(now − t) of the entries in the window
    count, total = 0, 0.0
    while count < _LENGTH and now - times[end - 1 - count] <= window + _ROUNDING:
        total += now - times[end - 1 - count]
        count += 1
    # Simple linear regression: v = Σ(t − t̄) p / Σ(t − t̄)², in m/s. The variance of v is σ² divided
    # by that spread Σ(t − t̄)², so a small spread gives no velocity.
    spread = 0.0
    slope[:] = 0.0
    for back in range(count):
        time = total / count - (now - times[end - 1 - back])
        spread += time * time
        for k in range(3):
            slope[k] += time * places[end - 1 - back, k]
    for k in range(3):
        slope[k] /= max(spread, 1e-9)
    return spread >= enough


@compiled(
    "(f8, f8, f8, f8, f8, f8, f8[:,::1], f8[:,:,::1], i8[::1], f8[:,::1], f8[:,::1],"
    " f8[:,::1])"
)
def _velocities(
    now: float, short: float, long: float, middling: float, same: float,
    enough: float, times: Floats, places: Floats, ends: Rows, quick: Floats, steady: Floats,
    mean: Floats,
) -> None:  # fmt: skip
    """Sets the velocities over windows of three lengths (s).

    The long window counts if its velocity differs from that of the short one by `same` m/s at most.
    A spread of the times below `enough` (s²) gives no velocity.
    """
    for row in range(len(times)):
        ring, at, end = times[row], places[row], ends[row]
        is_known = _is_laid(now, short, enough, ring, at, end, quick[row])
        tells = _is_laid(now, middling, enough, ring, at, end, mean[row])
        _is_laid(now, long, enough, ring, at, end, steady[row])
        # With too few percepts, the short window takes the velocity of the middle one, or zero.
        if not tells:
            mean[row] = 0.0
        if not is_known:
            quick[row] = mean[row]
        # |v_quick − v_steady|²
        change = 0.0
        for k in range(3):
            change += (quick[row, k] - steady[row, k]) ** 2
        if not tells or change > same * same:
            steady[row] = quick[row]


@compiled("(f8[:,:], f8[:,:], b1[:], f8, f8, b1[::1])")
def _are_fast(
    quick: Floats, steady: Floats, before: Flags, begins: float, goes_on: float, fast: Flags
) -> None:
    """Sets which rows move, with hysteresis: `begins` and `goes_on` are speeds in m/s."""
    for row in range(len(before)):
        one = other = 0.0
        for k in range(3):
            one += steady[row, k] ** 2
            other += quick[row, k] ** 2
        if before[row]:
            fast[row] = max(one, other) >= goes_on * goes_on
        else:
            fast[row] = one >= begins * begins
