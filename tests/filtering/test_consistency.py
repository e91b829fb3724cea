"""Whether the filter is as sure as it may be: over many runs it is off by what it says."""

import numpy as np
import pytest

from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.geometry.poses import compose
from tests.filtering.stage import Fused, diagonal, posed, vector

RUNS = 300
STANDING, MOVING = 0.0, 0.4
"""Metres a second."""


def surprises(speed: float, noise: float, turn: float, seed: int) -> Floats:
    """The squared errors of a run's means, each by its covariance."""
    chance, fused, found = np.random.default_rng(seed), Fused(), []
    truth = posed(chance.normal(0, 1, 3), chance.normal(0, 1, 3))
    way = chance.normal(size=3)
    way *= speed / np.linalg.norm(way)
    root = chance.normal(size=(6, 6)) * np.repeat([noise, turn], 3)[:, None] / 2
    cov = root @ root.T + diagonal(noise / 4, turn / 4)
    for _ in range(40):
        truth[:3] += way * 0.04
        off = chance.multivariate_normal(np.zeros(6), cov)
        turned = compose(posed((0, 0, 0), off[3:]), np.array([0, 0, 0, *truth[3:]]))
        fused.see((np.array([*(truth[:3] + off[:3]), *turned[3:]]), cov))
        error = vector(fused.mean, truth)
        found.append(error @ np.linalg.inv(fused.cov[0]) @ error)
    return np.array(found)


def mean_surprise(speed: float) -> Floats:
    """The mean over runs, at each percept."""
    runs = [surprises(speed, 0.005, 0.05, seed) for seed in range(RUNS)]
    mean: Floats = np.mean(runs, axis=0)
    return mean


def test_what_stands_is_off_by_what_is_said() -> None:
    """Of a still thing the mean normalised error squared is about six, its six numbers, or less."""
    found = mean_surprise(STANDING)
    assert found[0] == pytest.approx(6, abs=0.6)
    assert found.mean() == pytest.approx(6, abs=0.9)
    assert found.max() < 7.2


def test_what_moves_is_off_by_what_is_said() -> None:
    """Of a moving thing it is about six as well, once it has been followed for half a second."""
    found = mean_surprise(MOVING)[15:]
    assert 3.0 < found.mean() < 9.0
