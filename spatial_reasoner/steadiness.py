"""Steadiness: poses are smoothed, and what follows from them must last before it is told.

Both go by the time of the percepts, so that a recording gives the same facts at any speed, and a
source the same at any rate. Between the two stands the hysteresis of each relation, in its own
file: neither a filter nor a delay alone keeps a thing at a threshold from flickering.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from spatial_reasoner.polygons import Rows
from spatial_reasoner.poses import Floats, blended, turn_between
from spatial_reasoner.tolerances import Tolerances

__all__ = ["Debounce", "Smoother"]

Flags = NDArray[np.bool_]

_ROUNDING: Final = 1e-4
"""Seconds: a time since 1970 is known to a quarter of a microsecond, and three frames of 0.04 s
are 0.12 s."""


class Debounce:
    """An array of truths that change only after they have been other for a while.

    >>> steady = Debounce((1,), hold=0.12)
    >>> [bool(steady.settle(t, np.array([t > 0.5]))[0]) for t in (0.5, 0.55, 0.6, 0.67)]
    [False, False, False, True]
    """

    def __init__(self, shape: tuple[int, ...], hold: float) -> None:
        self.hold: Final = hold
        self.settled: Flags = np.zeros(shape, dtype=bool)
        self._since: Floats = np.full(shape, np.inf)
        """Since when the settled truth has been contradicted; infinite where it is not."""
        self._last = -np.inf

    def settle(self, now: float, fresh: Flags, entered: Flags | None = None) -> Flags:
        """What is true now that `fresh` is what seems so; the answer is not to be changed.

        Where something just entered, and where percepts come seldom, it is believed at once: a
        source that speaks every 0.12 s has nothing to wait for.
        """
        seldom = now - self._last >= self.hold - _ROUNDING
        self._last = now
        other = fresh != self.settled
        if seldom or not other.any():
            self._since.fill(np.inf)
            self.settled = fresh.copy() if seldom else self.settled
            return self.settled
        self._since = np.where(other, np.minimum(self._since, now), np.inf)
        ripe = other & (now - self._since >= self.hold - _ROUNDING)
        if entered is not None:
            ripe |= other & entered
        if ripe.any():
            self.settled = self.settled ^ ripe
            self._since[ripe] = np.inf
        return self.settled

    def grow(self, shape: tuple[int, ...]) -> None:
        """Makes room for more rows."""
        more = [(0, new - old) for new, old in zip(shape, self.settled.shape, strict=True)]
        self.settled = np.pad(self.settled, more)
        self._since = np.pad(self._since, more, constant_values=np.inf)


class Smoother:
    """Poses of rows, averaged over the last tenth of a second, that stay still while they may.

    A percept farther from the average than any noise is a move, and taken as it is.
    """

    def __init__(self, count: int, tolerances: Tolerances) -> None:
        self.tolerances: Final = tolerances
        still = [0.0, 0, 0, 0, 0, 0, 1]
        self.poses: Floats = np.tile(still, (count, 1))
        """Where each row is believed to be."""
        self._mean: Floats = self.poses.copy()
        self._calm: Floats = self.poses.copy()
        """Averaged over longer, for as long as it moves no more than noise does."""
        self._still: Floats = np.zeros(count)
        """For how many seconds that was so."""
        self._last: Floats = np.full(count, -np.inf)

    def smooth(self, now: float, rows: Rows, poses: Floats) -> Rows:
        """Takes in percepts (k, 7) of some rows; the rows whose `poses` changed are returned."""
        tolerances = self.tolerances
        mean = self._mean[rows]
        share = 1 - np.exp((self._last[rows] - now) / tolerances.smoothing)
        moved = _differ(mean, poses, tolerances.jump, tolerances.jump_turn)
        mean = blended(mean, poses, np.where(moved, 1.0, share))
        self._mean[rows] = mean
        mean = self._calmed(now, rows, poses, mean)
        told = _differ(self.poses[rows], mean, tolerances.gate, tolerances.gate_turn)
        told |= np.isneginf(self._last[rows])
        self._last[rows] = now
        self.poses[rows[told]] = mean[told]
        return rows[told]

    def _calmed(self, now: float, rows: Rows, poses: Floats, mean: Floats) -> Floats:
        """The mean of all the time for which it was still.

        A head that jitters would else shake what lies at the edge of its attention in and out, and
        a thing that does, the little that shows of it behind another.
        """
        tolerances, calm = self.tolerances, self._calm[rows]
        gone = now - self._last[rows]
        still = self._still[rows] + gone
        stirs = np.isposinf(gone)
        stirs |= _differ(calm, mean, tolerances.stirred, tolerances.stirred_turn)
        still[stirs] = gone[stirs] = 0.0
        share = gone / np.maximum(np.minimum(still, tolerances.calming), _ROUNDING)
        calm = np.where(stirs[:, None], mean, blended(calm, poses, share))
        self._calm[rows], self._still[rows] = calm, still
        return calm

    def forget(self, rows: Rows) -> None:
        """The next percept of some rows is taken as it is."""
        self._last[rows] = -np.inf

    def grow(self, count: int) -> None:
        """Makes room for more rows."""
        more = Smoother(count - len(self._last), self.tolerances)
        self.poses = np.concatenate([self.poses, more.poses])
        self._mean = np.concatenate([self._mean, more._mean])
        self._calm = np.concatenate([self._calm, more._calm])
        self._still = np.concatenate([self._still, more._still])
        self._last = np.concatenate([self._last, more._last])


def _differ(one: Floats, other: Floats, distance: float, angle: float) -> Flags:
    away = other[:, :3] - one[:, :3]
    far: Flags = (away * away).sum(axis=1) > distance * distance
    return far | (turn_between(one, other) > angle)
