"""The filter's naive twin: the same rules for one thing, by matrices and their inverses."""

import math
from collections.abc import Sequence

import numpy as np

from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.geometry.poses import Pose, compose, inverse
from spatial_reasoner.relations.filtering import Measurement
from spatial_reasoner.tolerances.tolerances import Tolerances
from tests.filtering.stage import posed, vector

__all__ = ["Twin"]

FLOOR = np.diag([1e-4**2] * 3 + [1.75e-3**2] * 3)
SHARE = 0.3


class Twin:
    """A thing, by the rules of the filter spelt out."""

    def __init__(self, tolerances: Tolerances) -> None:
        self.tolerances = tolerances
        self.mean: Pose | None = None
        self.cov: Floats = np.eye(6)
        self.speed: Floats = np.zeros(3)
        self.drift: Floats = np.zeros(6)
        self.drift_cov: Floats = np.zeros((6, 6))
        self.last = -math.inf
        self.doubt: Measurement | None = None

    def follow(self, before: Pose, now: Pose) -> None:
        """The world moved it, as one body."""
        if self.mean is not None:
            self.mean = compose(compose(now, inverse(before)), self.mean)
            self.speed[:] = 0.0

    def take(self, told: Sequence[Measurement]) -> None:
        """The percepts of one moment."""
        for each in sorted(told, key=lambda each: (each.t, np.trace(each.cov), *each.pose[::-1])):
            self._take(each)

    def _take(self, told: Measurement) -> None:
        gone, self.last = told.t - self.last, told.t
        if self.mean is None:
            self._begin(told)
            return
        start = self.mean[:3].copy()
        self._expect(gone)
        if self._update(told):
            self.doubt = None
            if gone > 1e-3:
                share = 1 - math.exp(-gone / self.tolerances.smoothing)
                self.speed += share * ((self.mean[:3] - start) / gone - self.speed)
        elif self.doubt is None:
            self.doubt = told
        else:
            self._leap(told, self.doubt)
            self.doubt = None

    def _begin(self, told: Measurement) -> None:
        self.mean, self.cov = told.pose.copy(), told.cov + FLOOR
        self.drift, self.drift_cov = np.zeros(6), np.zeros((6, 6))
        self.speed = np.zeros(3)

    def _expect(self, gone: float) -> None:
        assert self.mean is not None
        tolerances, fast = self.tolerances, float(np.linalg.norm(self.speed))
        spread = math.sqrt(np.trace(self.cov[:3, :3]) / 3)
        if gone > tolerances.moving_window:
            self.speed[:] = 0.0
        goes_on = 0 < gone <= tolerances.moving_window and fast >= tolerances.moving[0]
        way = 0.0
        if goes_on and fast * tolerances.smoothing >= 3 * spread:
            self.mean[:3] += self.speed * gone
            way = fast * gone
        place = tolerances.wander**2 * gone + tolerances.moved**2 * way
        turn = tolerances.wander_turn**2 * gone + tolerances.moved_turn**2 * way
        self.cov = self.cov + np.diag([place] * 3 + [turn] * 3)

    def _update(self, told: Measurement) -> bool:
        assert self.mean is not None
        noise, error = told.cov + FLOOR, vector(self.mean, told.pose)
        inverted = np.linalg.inv(self.cov + noise)
        if error @ inverted @ error > self.tolerances.surprise**2:
            return False
        self.drift = self.drift + SHARE * (error - self.drift)
        self.drift_cov = (1 - SHARE) ** 2 * self.drift_cov + SHARE**2 * (self.cov + noise)
        off = self.drift @ np.linalg.inv(self.drift_cov) @ self.drift
        if off > self.tolerances.surprise**2:
            self.cov = self.cov + np.outer(self.drift, self.drift)
            self.drift, self.drift_cov = np.zeros(6), np.zeros((6, 6))
            inverted = np.linalg.inv(self.cov + noise)
        gain = self.cov @ inverted
        step = gain @ error
        turned = compose(posed((0, 0, 0), step[3:]), np.array([0, 0, 0, *self.mean[3:]]))
        self.mean = np.array([*(self.mean[:3] + step[:3]), *turned[3:]])
        self.cov = (np.eye(6) - gain) @ self.cov
        return True

    def _leap(self, told: Measurement, doubt: Measurement) -> None:
        self._begin(told)
        since, way = told.t - doubt.t, told.pose[:3] - doubt.pose[:3]
        error = vector(doubt.pose, told.pose)
        off = error @ np.linalg.inv(told.cov + doubt.cov + 2 * FLOOR) @ error
        is_soon = 1e-3 < since <= self.tolerances.moving_window
        if is_soon and off > self.tolerances.surprise**2:
            self.speed = way / since
        if since <= 1e-3:
            self._update(doubt)
