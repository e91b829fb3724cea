"""Joints as they are believed to stand, by readings that jitter."""

import math

import numpy as np
import pytest

from spatial_reasoner.relations.joints import Joints
from spatial_reasoner.tolerances.tolerances import Tolerances
from spatial_reasoner.values.roster import Roster
from tests.worlds.test_appearance_changes import with_cupboard

NOISE = {"rail": 0.0015, "hinge": math.radians(2)}
"""What a tracker is off: metres for what slides, radians for what turns."""


def read(values: list[float], name: str, rate: int) -> list[float]:
    """How a joint is believed to stand after each of some readings."""
    roster = Roster(with_cupboard())
    joints, row = Joints(roster, Tolerances()), roster.row["cupboard"]
    return [joints.steady(k / rate, {row: {name: v}})[row][name] for k, v in enumerate(values)]


@pytest.mark.parametrize("name", NOISE)
@pytest.mark.parametrize("rate", [12, 25, 50])
def test_a_joint_that_stands_still_does(name: str, rate: int) -> None:
    """For a minute of noise it is believed at one place, and near to where it is."""
    noise = np.random.default_rng(1).normal(0, NOISE[name], 60 * rate)
    found = read((0.2 + noise).tolist(), name, rate)[2 * rate :]
    assert len(set(found)) <= 2
    assert found[-1] == pytest.approx(0.2, abs=NOISE[name])


@pytest.mark.parametrize("name", NOISE)
@pytest.mark.parametrize("rate", [12, 25, 50])
def test_a_joint_that_moves_is_followed(name: str, rate: int) -> None:
    """It is believed little behind its last reading, and where it ends."""
    noise = np.random.default_rng(2).normal(0, NOISE[name], 4 * rate)
    truth = np.interp(np.arange(4 * rate) / rate, [1.0, 2.0], [0.25, 0.0])
    found = np.array(read((truth + noise).tolist(), name, rate))
    behind = {"rail": 0.012, "hinge": 0.2}[name]
    assert np.abs(found - truth).max() < behind
    assert found[-1] == pytest.approx(0.0, abs=2 * NOISE[name])


def test_a_reading_far_away_is_believed_at_once() -> None:
    """A drawer that was open, and is shut when it is seen again, is shut."""
    assert read([0.25, 0.25, 0.0], "rail", 25)[-1] == 0.0
