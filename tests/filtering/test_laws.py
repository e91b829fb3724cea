"""Laws of the filter: whatever comes, in whatever order, wherever the scene is and turned."""

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.geometry.poses import Pose, compose
from spatial_reasoner.relations.filtering import Measurement, add_process_noise
from spatial_reasoner.values.uncertainty import UNTOLD, went
from tests.filtering.naive import Twin
from tests.filtering.stage import DEFAULTS, Fused, diagonal, posed, rotation, vector
from tests.trials import law

seeds = st.integers(0, 2**32 - 1)
sizes = st.sampled_from([0.0, 1e-12, 1e-6, 1e-3, 1.0, 1e4])
ways = st.sampled_from([0.0, 0.001, 0.02, 0.5, 20.0])


def any_cov(chance: np.random.Generator, scale: Floats) -> Floats:
    """A covariance of any directions, as large in each number as the scale says, or singular."""
    root = chance.normal(size=(6, int(chance.integers(1, 9)))) * scale[:, None]
    found: Floats = root @ root.T
    return found


@given(st.lists(st.tuples(seeds, sizes, sizes, ways), min_size=1, max_size=20))
@law(200)
def test_a_covariance_stays_one(steps: list[tuple[int, float, float, float]]) -> None:
    """Whatever percepts say, poses stay finite, and covariances symmetric and positive definite."""
    fused = Fused()
    for seed, place, turn, way in steps:
        chance = np.random.default_rng(seed)
        cov = any_cov(chance, np.repeat([place, turn], 3))
        fused.see((posed(chance.normal(0, way, 3), chance.normal(0, 2, 3)), cov))
        assert (fused.cov[0] == fused.cov[0].T).all()
        assert np.linalg.eigvalsh(fused.cov[0] / np.abs(fused.cov[0]).max()).min() > -1e-13
        assert np.diagonal(fused.cov[0]).min() > 0
        assert np.isfinite(fused.mean).all()
        assert np.linalg.norm(fused.mean[3:]) == pytest.approx(1)


@given(seeds, ways)
@law(100)
def test_the_order_of_sources_does_not_matter(seed: int, way: float) -> None:
    """Percepts of one moment give the same, whichever of them comes first."""
    chance = np.random.default_rng(seed)
    scale = np.repeat([0.01, 0.05], 3)
    percepts = [
        (posed(chance.normal(way, 0.01, 3), chance.normal(0, 0.05, 3)), any_cov(chance, scale))
        for _ in range(3)
    ]
    found = []
    for order in permutations(percepts):
        fused = Fused().see((posed((0, 0, 0)), diagonal(0.01))).see(*order).see(*order)
        found.append(np.concatenate([fused.mean, fused.cov.ravel()]))
    assert all((each == found[0]).all() for each in found)


@given(seeds, st.tuples(*[st.floats(-3, 3)] * 6))
@law(100)
def test_a_scene_that_is_moved_gives_the_same_moved(seed: int, move: tuple[float, ...]) -> None:
    """Shifted and turned percepts with turned covariances give the shifted and turned answer."""
    whole, turn = posed(move[:3], move[3:]), np.kron(np.eye(2), rotation(move[3:]))
    chance, here, there = np.random.default_rng(seed), Fused(), Fused()
    for k in range(12):
        pose = posed(chance.normal(0.01 * max(k - 6, 0), 0.004, 3), chance.normal(0, 0.04, 3))
        cov = any_cov(chance, np.repeat([0.004, 0.04], 3)) + diagonal(0.002, 0.02)
        here.see((pose, cov))
        there.see((compose(whole, pose), turn @ cov @ turn.T))
    assert there.mean[:3] == pytest.approx(compose(whole, here.mean)[:3], abs=1e-9)
    assert vector(compose(whole, here.mean), there.mean)[3:] == pytest.approx(0, abs=1e-9)
    assert there.cov[0] == pytest.approx(turn @ here.cov[0] @ turn.T, abs=1e-9)


events = st.tuples(
    st.sampled_from([0.005, 0.04, 0.1, 0.5]),
    st.sampled_from([0.0, 0.02, 0.3]),
    st.lists(st.sampled_from([0.002, 0.02, 0.3]), max_size=3),
    seeds,
)


@given(st.lists(events, min_size=2, max_size=25))
@law(300)
def test_a_naive_twin_says_the_same(
    moments: list[tuple[float, float, list[float], int]],
) -> None:
    """Matrices and their inverses, by the rules spelt out, come to the same mean and covariance."""
    fused, twin, truth = Fused(), Twin(DEFAULTS), posed((0, 0, 0))
    assume(moments[0][2])
    since = 0
    for seconds, step, sources, seed in moments:
        chance = np.random.default_rng(seed)
        truth = compose(posed(chance.normal(0, step, 3), chance.normal(0, step, 3)), truth)
        now = fused.now + seconds
        told = [told_of(chance, truth, now, noise) for noise in sources]
        is_hidden, since = since > 1, 0 if told else since + 1
        if is_hidden and step:
            twin.follow(fused.pose, truth)
            fused.pose = truth
        fused.now = now
        idle(fused, seconds) if not told else fused.take(told)
        twin.take(told)
        assert twin.mean is not None
        if told:
            assert vector(twin.mean, fused.mean) == pytest.approx(0, abs=1e-7)
            assert fused.cov[0] == pytest.approx(twin.cov, rel=1e-5, abs=1e-9)


def told_of(chance: np.random.Generator, truth: Pose, now: float, noise: float) -> Measurement:
    off = posed(truth[:3] + chance.normal(0, noise, 3), chance.normal(0, noise, 3))
    pose = np.array([*off[:3], *compose(posed((0, 0, 0), vector(posed((0, 0, 0)), off)[3:]),
                                        np.array([0, 0, 0, *truth[3:]]))[3:]])  # fmt: skip
    cov = any_cov(chance, np.repeat(noise, 6)) + diagonal(noise / 3, noise / 3)
    return Measurement(0, now, pose, cov)


def idle(fused: Fused, seconds: float) -> None:
    """Nobody perceives the thing: its world grows less sure of it, as it does in a mind."""
    fused.take([])
    nothing = np.zeros(1)
    add_process_noise(fused.cov, nothing, nothing, np.array([seconds]), DEFAULTS)


# --- while nobody perceives them ---

some = st.floats(0, 10)


@given(some, some, some, st.floats(0, 1))
@law(100)
def test_two_halves_make_as_unsure_as_the_whole(
    moved: float, turned: float, seconds: float, share: float
) -> None:
    """However often it is said how far a thing went, it comes to the same."""
    whole, parts = np.array([UNTOLD.copy()]), np.array([UNTOLD.copy()])
    for cov, part in ((whole, 1.0), (parts, share), (parts, 1 - share)):
        way, turn, time = np.array([[moved], [turned], [seconds]]) * part
        add_process_noise(cov, way, turn, time, DEFAULTS)
    assert parts == pytest.approx(whole, rel=1e-12, abs=1e-18)
    assert np.linalg.eigvalsh(whole[0] - UNTOLD).min() >= -1e-15


def test_what_stays_is_as_sure_as_before() -> None:
    """No way, no turn and no time leave a covariance to the bit, and none other is touched."""
    cov = np.array([UNTOLD, UNTOLD])
    nothing = np.zeros(2)
    add_process_noise(cov, nothing, nothing, nothing, DEFAULTS)
    assert (cov == UNTOLD).all()
    add_process_noise(cov, np.array([0, 1.0]), nothing, nothing, DEFAULTS)
    assert (cov[0] == UNTOLD).all()
    assert math.sqrt(cov[1, 0, 0]) == pytest.approx(0.05, rel=1e-3)
    assert math.sqrt(cov[1, 5, 5]) == pytest.approx(0.2, rel=0.02)


@given(st.tuples(*[st.floats(-3, 3)] * 6), st.tuples(*[st.floats(-1, 1)] * 6))
@law(100)
def test_ways_and_angles_are_those_between_poses(
    one: tuple[float, ...], by: tuple[float, ...]
) -> None:
    """How far a pose went and turned is what it was moved by, and none is zero exactly."""
    before = posed(one[:3], one[3:])
    now = np.array([*(before[:3] + by[:3]), *compose(posed((0, 0, 0), by[3:]), before)[3:]])
    moved, turned = went(before[None], now[None])
    assert moved[0] == pytest.approx(math.hypot(*by[:3]), abs=1e-12)
    assert turned[0] == pytest.approx(math.hypot(*by[3:]), abs=1e-12)
    assert [float(each[0]) for each in went(before[None], before[None])] == [0, 0]
