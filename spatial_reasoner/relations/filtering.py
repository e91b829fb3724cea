"""How sure poses are: percepts that say it are fused with what was expected, by a Kalman filter.

What is expected of a thing is where its world has it: carried on at its speed while it is
perceived, and else wherever a hand or the simulation took it. The longer nobody perceived it, and
the farther it went, the less sure that is. A percept is weighed against it direction by direction:
a camera that can't tell how far away a thing is leaves that to another, or to what was known.

A covariance is six by six, of x, y, z and of the rotation about them, both in the world's axes: a
body that is believed turned by q is turned by exp(r) q if the error is r. The filter is one of
such errors: means are poses, and no angle has a seam.

The roads not taken: speeds among the states, for a still thing would be half as sure, and each
update cost four times as much; a gate on each number alone, which a turn of the axes would move.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np

from spatial_reasoner.geometry.polygons import Rows
from spatial_reasoner.geometry.poses import Floats, Pose
from spatial_reasoner.relations.kalman import fuse, widen
from spatial_reasoner.values.tolerances import Tolerances
from spatial_reasoner.values.uncertainty import UNTOLD

__all__ = ["Filter", "Told", "grow"]


@dataclass(frozen=True, slots=True, eq=False)
class Told:
    """A percept of a row, when it was made, and how sure it is."""

    row: int
    t: float
    pose: Pose
    cov: Floats


class Filter:
    """Where rows are that are perceived with covariances: the means of what all percepts say.

    How sure they are is kept where the poses are believed, in `World.cov`: it grows there while
    nobody perceives them.
    """

    def __init__(self, count: int, tolerances: Tolerances) -> None:
        self.tolerances: Final = tolerances
        self.poses: Floats = np.tile([0.0, 0, 0, 0, 0, 0, 1], (count, 1))
        """The mean of each row that is perceived so."""
        self._left: Floats = self.poses.copy()
        """Where the world has had each row since it was last perceived."""
        self._speeds: Floats = np.zeros((count, 3))
        self._drifts: Floats = np.zeros((count, 6))
        """By how much percepts of each row were lately off in the mean, and how sure that is."""
        self._drifts_cov: Floats = np.zeros((count, 6, 6))
        self.last: Floats = np.full(count, -np.inf)
        """When that was so: when each row was last perceived."""
        self._doubts: Floats = self.poses.copy()
        """The percept of each row that was too far off to be believed."""
        self._doubts_cov: Floats = np.tile(UNTOLD, (count, 1, 1))
        self._doubted: Floats = np.full(count, -np.inf)
        """When that came; there is none at minus infinity."""
        self._lately: Rows = np.empty(0, dtype=np.intp)
        """The rows that were perceived at the last moment."""

    def fuse(self, told: Iterable[Told], cov: Floats, before: Floats, looked: float) -> Rows:
        """Takes in the percepts of a moment, in whatever order they came; the rows that it knows.

        `before` is where the world had all when the moment began, and `cov` how sure that was when
        it last `looked`: it becomes what it is now. The first percept of a row is taken as it is,
        and so is one far off if the last one was, too.
        """
        self._left[self._lately] = before[self._lately]
        percepts = list(told)
        rows = np.array([each.row for each in percepts], dtype=np.intp)
        self._lately = np.unique(rows)
        if percepts:
            times = np.array([each.t for each in percepts], dtype=np.float64)
            poses = np.array([each.pose for each in percepts], dtype=np.float64)
            covs = np.array([each.cov for each in percepts], dtype=np.float64)
            order = _order(rows, times, poses, covs)
            self._take(rows[order], times[order], poses[order], covs[order], cov, before, looked)
        return self._lately

    def _take(
        self, rows: Rows, times: Floats, poses: Floats, covs: Floats,
        cov: Floats, before: Floats, looked: float,
    ) -> None:  # fmt: skip
        tolerances = self.tolerances
        fuse(
            rows, times, poses, covs, looked, before, tolerances.surprise, tolerances.smoothing,
            tolerances.moving_window, tolerances.moving[0], _growth(tolerances), self._left,
            self.poses, cov, self._speeds, self._drifts, self._drifts_cov, self.last, self._doubts,
            self._doubts_cov, self._doubted,
        )  # fmt: skip

    def forget(self, rows: Rows) -> None:
        """The next percept of some rows is taken as it is."""
        self.last[rows] = -np.inf

    def grow(self, count: int) -> None:
        """Makes room for more rows."""
        more = Filter(count - len(self.last), self.tolerances)
        for name in ("poses", "_left", "_speeds", "_drifts", "_drifts_cov", "last", "_doubts",
                     "_doubts_cov", "_doubted"):  # fmt: skip
            setattr(self, name, np.concatenate([getattr(self, name), getattr(more, name)]))


def grow(
    cov: Floats, moved: Floats, turned: Floats, seconds: Floats, tolerances: Tolerances
) -> None:
    """Makes rows (n, 6, 6) less sure that nobody perceived for some seconds (n).

    Meanwhile they were moved so far and turned by so much (n), by a hand or the simulation; where
    all three are zero nothing changes. Two halves make them as unsure as the whole.
    """
    widen(cov, moved, turned, seconds, _growth(tolerances))


def _order(rows: Rows, times: Floats, poses: Floats, covs: Floats) -> Rows:
    """Older percepts first, of those of one time the surest, and else by what they say."""
    spread = np.trace(covs, axis1=1, axis2=2)
    order: Rows = np.lexsort((*poses.T, spread, rows, times))
    return order


def _growth(tolerances: Tolerances) -> tuple[float, float, float, float]:
    """The variances of place and turn that come with a second, and with a metre or a radian."""
    return (
        tolerances.wander**2, tolerances.wander_turn**2,
        tolerances.moved**2, tolerances.moved_turn**2,
    )  # fmt: skip
