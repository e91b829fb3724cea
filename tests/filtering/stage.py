"""Helpers of the tests of the filter: rotation vectors, covariances, and a running filter."""

import math
from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np

from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.geometry.poses import IDENTITY, Pose
from spatial_reasoner.relations.filtering import Filter, Measurement
from spatial_reasoner.tolerances.tolerances import Tolerances
from spatial_reasoner.values.uncertainty import sigmas

__all__ = ["DEFAULTS", "STEP", "Fused", "diagonal", "posed", "rotation", "vector"]

DEFAULTS: Final = Tolerances()
STEP: Final = 0.04


def posed(place: Sequence[float] | Floats, turn: Sequence[float] | Floats = (0, 0, 0)) -> Pose:
    """A place, and a turn by a rotation vector."""
    angle = math.hypot(*turn)
    axis = np.asarray(turn, dtype=np.float64) / angle if angle else np.zeros(3)
    return np.array([*place, *(math.sin(angle / 2) * axis), math.cos(angle / 2)])


def rotation(turn: Sequence[float] | Floats) -> Floats:
    """The matrix of a rotation vector (Rodrigues)."""
    x, y, z = turn
    cross, angle = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]]), math.hypot(*turn)
    if angle < 1e-9:  # whose square may be nothing
        small: Floats = np.eye(3) + cross
        return small
    sine, cosine = math.sin(angle) / angle, (1 - math.cos(angle)) / angle**2
    found: Floats = np.eye(3) + sine * cross + cosine * cross @ cross
    return found


def vector(mean: Pose, pose: Pose) -> Floats:
    """By how much a pose is off a mean, six numbers, by quaternions as they are in books."""
    (*v, w), (*u, d) = pose[3:], mean[3:]
    real = w * d + float(np.dot(v, u))
    imaginary = -w * np.array(u) + d * np.array(v) - np.cross(v, u)
    if real < 0:
        real, imaginary = -real, -imaginary
    sine = float(np.linalg.norm(imaginary))
    turn = imaginary * (2 * math.atan2(sine, real) / sine if sine else 0.0)
    return np.concatenate([pose[:3] - mean[:3], turn])


def diagonal(place: float, turn: float = 0.035) -> Floats:
    """A covariance by its two standard deviations."""
    return np.diag([place**2] * 3 + [turn**2] * 3)


class Fused:
    """One object with a series of percepts, in a world that believes the filter's estimate."""

    def __init__(self, tolerances: Tolerances = DEFAULTS) -> None:
        self.filter: Final = Filter(1, tolerances)
        self.cov: Floats = np.tile(np.eye(6), (1, 1, 1))
        self.pose: Pose = IDENTITY.copy()
        """The object's pose in the world."""
        self.now = 0.0
        self._looked = -math.inf

    def see(self, *percepts: tuple[Pose, Floats], seconds: float = STEP) -> "Fused":
        """A moment later some percepts come, none of them or several."""
        self.now += seconds
        told = [Measurement(0, self.now, pose, cov) for pose, cov in percepts]
        return self.take(told)

    def take(self, told: Iterable[Measurement]) -> "Fused":
        """Percepts as they are, and then a look around."""
        rows = self.filter.fuse(told, self.cov, self.pose[None], self._looked)
        if rows.size:
            self.pose = self.mean.copy()
        self._looked = self.now
        return self

    @property
    def mean(self) -> Pose:
        mean: Pose = self.filter.poses[0]
        return mean

    @property
    def sigma(self) -> Floats:
        """Its six standard deviations."""
        return sigmas(self.cov[0])
