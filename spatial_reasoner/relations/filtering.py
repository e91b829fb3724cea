"""A Kalman filter of poses: fuses percepts that state a covariance with the predicted pose.

The prediction for an object is its pose in the world: moved on at its velocity while it is
perceived, and else where a hand or the simulation has moved it. Process noise grows with the time
since the last percept and with the motion. An update weighs a percept against the prediction in
each direction: a camera with imprecise depth corrects the other two coordinates only.

A covariance is 6 × 6, of x, y, z (m²) and of the rotation vector r (rad²), both in the world's
axes: if the error is r, a body that is believed to have the rotation q has the rotation exp(r) q.
The state is the pose itself and the covariance is that of its error, so no angle wraps around
(an error-state filter). The loops and their formulas are in `kalman.py`.

The roads not taken: velocities as states, because an object at rest would then be half as certain
and an update would cost four times as much; and a gate on each coordinate, because a rotation of
the axes would change its decisions.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np

from spatial_reasoner.geometry.arrays import Floats, Rows
from spatial_reasoner.geometry.columns import Columns, column
from spatial_reasoner.geometry.poses import IDENTITY, Pose
from spatial_reasoner.relations.kalman import fuse, predict_covs
from spatial_reasoner.tolerances.tolerances import Tolerances
from spatial_reasoner.values.uncertainty import UNTOLD

__all__ = ["Filter", "Measurement", "add_process_noise"]


@dataclass(frozen=True, slots=True, eq=False)
class Measurement:
    """A percept of a row: its time, its pose and the covariance of its error."""

    row: int
    t: float
    pose: Pose
    cov: Floats


class Filter(Columns):
    """The states of the rows that are perceived with covariances.

    Their covariances are not stored here but in `World.cov`, because they also grow while the rows
    are not perceived.
    """

    poses: Floats = column(IDENTITY)
    """The mean pose of each row that is perceived with a covariance."""
    _world_then: Floats = column(IDENTITY)
    """The pose of each row in the world after its last percept."""
    _velocities: Floats = column(np.zeros(3))
    _biases: Floats = column(np.zeros(6))
    """The exponentially averaged innovation of each row, and its covariance."""
    _bias_covs: Floats = column(np.zeros((6, 6)))
    last: Floats = column(-np.inf)
    """The time of the last percept of each row."""
    _outliers: Floats = column(IDENTITY)
    """The last outlier of each row: a percept outside the gate."""
    _outlier_covs: Floats = column(UNTOLD)
    _outlier_times: Floats = column(-np.inf)
    """The time of that outlier; −∞ where there is none."""

    def __init__(self, count: int, tolerances: Tolerances) -> None:
        super().__init__(rows=count)
        self.tolerances: Final = tolerances
        self._latest: Rows = np.empty(0, dtype=np.intp)
        """The rows that were perceived in the last frame."""

    def fuse(
        self, percepts: Iterable[Measurement], cov: Floats, before: Floats, looked: float
    ) -> Rows:
        """Fuses the percepts of one frame, in any order; returns the rows that they are of.

        `before` are the poses of all rows in the world before the frame. `cov` are their
        covariances, predicted to the time `looked`; they are updated in place. The first percept of
        a row initialises its state, and the second outlier in a row initialises it again.
        """
        self._world_then[self._latest] = before[self._latest]
        found = list(percepts)
        rows = np.array([each.row for each in found], dtype=np.intp)
        self._latest = np.unique(rows)
        if found:
            times = np.array([each.t for each in found], dtype=np.float64)
            poses = np.array([each.pose for each in found], dtype=np.float64)
            covs = np.array([each.cov for each in found], dtype=np.float64)
            order = _order(rows, times, poses, covs)
            self._fuse_sorted(
                rows[order], times[order], poses[order], covs[order], cov, before, looked
            )
        return self._latest

    def _fuse_sorted(
        self, rows: Rows, times: Floats, poses: Floats, covs: Floats,
        cov: Floats, before: Floats, looked: float,
    ) -> None:  # fmt: skip
        tolerances = self.tolerances
        fuse(
            rows, times, poses, covs, looked, before, tolerances.surprise, tolerances.bias_weight,
            tolerances.smoothing, tolerances.moving_window, tolerances.moving[0],
            tolerances.clearly_moving, (tolerances.least_sigma, tolerances.least_sigma_turn),
            _rates(tolerances), self._world_then, self.poses, cov, self._velocities, self._biases,
            self._bias_covs, self.last, self._outliers, self._outlier_covs, self._outlier_times,
        )  # fmt: skip

    def forget(self, rows: Rows) -> None:
        """Forgets the states of rows: their next percepts initialise them."""
        self.last[rows] = -np.inf


def add_process_noise(
    cov: Floats, moved: Floats, turned: Floats, seconds: Floats, tolerances: Tolerances
) -> None:
    """Adds the process noise of some seconds (n) without a percept to covariances (n, 6, 6).

    `moved` (m) and `turned` (rad) is the motion of the rows in that time (n), by a hand or the
    simulation. If all three are zero nothing changes. The noise of two intervals is the sum of
    their noises.
    """
    predict_covs(cov, moved, turned, seconds, _rates(tolerances))


def _order(rows: Rows, times: Floats, poses: Floats, covs: Floats) -> Rows:
    """The order by time, then row, then trace of the covariance, then pose: it is unambiguous."""
    spread = np.trace(covs, axis1=1, axis2=2)
    order: Rows = np.lexsort((*poses.T, spread, rows, times))
    return order


def _rates(tolerances: Tolerances) -> tuple[float, float, float, float]:
    """Process noise: variances of position and rotation per second, and per metre or radian."""
    return (
        tolerances.wander**2, tolerances.wander_turn**2,
        tolerances.moved**2, tolerances.moved_turn**2,
    )  # fmt: skip
