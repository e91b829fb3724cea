"""What nobody perceives is in what it is believed in, however unsure its place is in there."""

import math

import numpy as np
import pytest

from spatial_reasoner.belief.mind import Mind
from spatial_reasoner.dynamics.bullet_dynamics import Dynamics
from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.geometry.poses import compose, inverse, rotations
from spatial_reasoner.geometry.shapes import bin_shape, box
from spatial_reasoner.likelihood.confinement import Confinement, kept_in, squeezed
from spatial_reasoner.likelihood.draws import drawn, roots
from spatial_reasoner.likelihood.falls import SEED, FallScene, jobs
from spatial_reasoner.likelihood.likelihood import doubt
from tests.likelihood.rooms import TOP, Believe, Thing, below, hidden, shares

DRAWS = 200
HALF = {"ball": 0.045, "cube": 0.04, "mug": 0.05}
UNSURE = (0.06, 0.06, 0.03, 0.2)
BOX = Thing((0.0, 0.0, TOP + 0.15))


def at_the_wall(name: str, x: float = 0.0) -> Thing:
    """A thing on the floor of the box at x, at its wall."""
    return Thing((x + 0.13 - HALF[name], 0.0, TOP + 0.02 + HALF[name]), UNSURE)


def bodies(mind: Mind, name: str) -> FallScene:
    """A thing and what it may touch."""
    about = doubt(mind, mind.roster.row[name])
    assert about is not None
    return about.bodies


@pytest.mark.parametrize("name", HALF)
def test_at_the_wall(believe: Believe, dynamics: Dynamics, name: str) -> None:
    """What is hidden at the wall of a box is in it; where it is perceived it may be beside it."""
    mind = believe(**{name: at_the_wall(name), "box": BOX})
    seen = shares(mind, name, dynamics, DRAWS)[f"{name} isIn box"]
    assert seen < 0.95
    assert shares(hidden(mind, name), name, dynamics, DRAWS)[f"{name} isIn box"] >= 0.99


@pytest.mark.parametrize("deviation", [0.01, 0.1, 10.0])
def test_however_unsure(believe: Believe, dynamics: Dynamics, deviation: float) -> None:
    """So it is however unsure its place is, and on whatever it stands."""
    ball = Thing((1.5, 0.0, 0.065), (deviation, deviation, deviation, 0.2))
    mind = believe(ball=ball, box=Thing((1.5, 0.0, 0.15)))
    assert shares(hidden(mind, "ball"), "ball", dynamics, DRAWS)["ball isIn box"] >= 0.99


def test_a_box_that_may_be_elsewhere(believe: Believe, dynamics: Dynamics) -> None:
    """What is hidden in a box goes with that: it is in there wherever the box may be."""
    unsure = Thing((1.5, 0.0, 0.15), (0.2, 0.2, 0.001, 0.1))
    ball = Thing((1.585, 0.0, 0.065), UNSURE)
    mind = hidden(believe(ball=ball, box=unsure), "ball")
    assert shares(mind, "ball", dynamics, DRAWS)["ball isIn box"] >= 0.99
    about = bodies(mind, "ball")
    draws = about.drawn(0, DRAWS, SEED)
    away = draws[:, 0, :2] - draws[:, about.names.index("box"), :2]
    assert np.std(draws[:, 0, 0]) > 0.15
    assert np.abs(away).max() < 0.13 * math.sqrt(2)


def test_a_box_in_a_box(believe: Believe, dynamics: Dynamics) -> None:
    """What is in a can that is hidden in a box is in both."""
    can = Thing((0.07, 0.0, TOP + 0.06), UNSURE)
    ball = Thing((0.07, 0.0, TOP + 0.075), (0.05, 0.05, 0.01, 0.0))
    mind = hidden(believe(ball=ball, can=can, box=BOX), "ball", "can")
    found = shares(mind, "ball", dynamics, DRAWS)
    assert found["ball isIn can"] >= 0.98
    assert found["ball isIn box"] >= 0.98


def test_in_a_mesh(believe: Believe, dynamics: Dynamics) -> None:
    """What is hidden in a hollow mesh is in it, too."""
    ball = Thing((0.1, 0.05, TOP + 0.07), UNSURE)
    mind = hidden(believe(tub=Thing((0.0, 0.0, TOP)), ball=ball), "ball")
    assert shares(mind, "ball", dynamics, DRAWS)["ball isIn tub"] >= 0.98


def test_in_a_hand_it_may_be_outside(believe: Believe) -> None:
    """What a hand holds into a box is kept in there by nothing."""
    mind = hidden(believe(ball=at_the_wall("ball"), box=BOX), "ball")
    assert any(bodies(mind, "ball").confines)
    ball = mind.roster.row["ball"]
    mind.world.holding.holder[ball] = mind.roster.part("sally", "right_hand")
    assert not any(bodies(mind, "ball").confines)


def test_the_same_again(believe: Believe, dynamics: Dynamics) -> None:
    """A draw of what is hidden comes out the same, whichever ones are made at once."""
    mind = hidden(believe(ball=at_the_wall("ball"), box=BOX), "ball")
    about = bodies(mind, "ball")
    whole = about.drawn(0, 20, SEED)
    assert np.array_equal(whole[13:], about.drawn(13, 20, SEED))
    first, second = (job.done(dynamics) for job in jobs(about, 20))
    with Dynamics() as another:
        again = [job.done(another) for job in reversed(list(jobs(about, 20)))]
    assert np.array_equal([second, first], again)


@pytest.mark.parametrize(("least", "most"), [(-0.5, 0.0), (0.0, 2.0), (-0.1, 0.1), (-9.0, 1.0)])
def test_squeezed_numbers_are_of_the_distribution_cut_off(least: float, most: float) -> None:
    """As many numbers are below each value as of those of the normal distribution that are not
    outside."""
    given = np.random.default_rng(3).standard_normal(4000)
    found = np.array([squeezed(each, least, most, 1.0) for each in given.tolist()])
    kept = below(most) - below(least)
    for value in np.linspace(least, most, 9)[1:-1]:
        expected = (below(value) - below(least)) / kept
        assert abs((found <= value).mean() - expected) < 4 * 0.5 / math.sqrt(len(given))


def test_in_whatever_a_box_is_turned() -> None:
    """All corners of a cube are within the walls and over the floor, however the box is turned."""
    chance = np.random.default_rng(5)
    outer, inner = bin_shape(np.array([0.4, 0.3, 0.2]), 0.02, 0.01), box(np.full(3, 0.08))
    confine = Confinement.of(0, outer, inner)
    for _ in range(50):
        container, within = _pose(chance), np.array([0.1, -0.05, -0.04, 0, 0, 0, 1.0])
        believed = np.array([container, compose(container[None], within[None])[0]])
        spread = roots(np.array([np.diag(chance.uniform(0.0, 0.1, 6)) ** 2 for _ in range(2)]))
        errors = np.einsum("kij,nkj->nki", spread, chance.standard_normal((9, 2, 6)))
        poses = drawn(believed, errors)
        apart = poses.copy()
        kept_in(poses, believed, spread, (None, confine))
        assert np.array_equal(poses[:, 0], apart[:, 0])
        corners = _corners(poses, inner.corners)
        assert (np.abs(corners[..., :2]) <= np.array([0.19, 0.14]) + 1e-9).all()
        assert (corners[..., 2] >= -0.08 - 1e-9).all()


def _pose(chance: np.random.Generator) -> Floats:
    """One anywhere, turned in any way."""
    turn = chance.standard_normal(4)
    return np.concatenate([chance.uniform(-1, 1, 3), turn / np.linalg.norm(turn)])


def _corners(poses: Floats, corners: Floats) -> Floats:
    """Where the corners of the second body are by the first one's frame."""
    within = compose(inverse(np.ascontiguousarray(poses[:, 0])), poses[:, 1])
    found: Floats = within[:, None, :3] + np.einsum("nij,cj->nci", rotations(within), corners)
    return found
