"""What the filter makes of percepts, by closed forms: how sure it gets, and where it is then."""

import math

import numpy as np
import pytest

from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.geometry.poses import Pose, apply, turn_between
from spatial_reasoner.relations.filtering import Measurement
from tests.filtering.stage import DEFAULTS, STEP, Fused, diagonal, posed, rotation, vector

FLOOR = 1e-4


def test_the_first_percept_is_taken_as_it_is() -> None:
    """A thing that nobody knew is where it is perceived, and as surely."""
    seen = posed((1, 2, 3), (0.1, 0.2, 0.3))
    fused = Fused().see((seen, diagonal(0.01)))
    assert fused.mean == pytest.approx(seen)
    assert fused.sigma[:3] == pytest.approx(0.01, rel=1e-3)


@pytest.mark.parametrize("count", [2, 10, 40])
def test_many_percepts_of_a_still_thing_are_as_sure_as_their_mean(count: int) -> None:
    """After n percepts of variance s² the variance is s²/n, and what the time has added."""
    noise, fused, seen = np.random.default_rng(count), Fused(), []
    for _ in range(count):
        seen.append(noise.normal((1, 0, 1), 0.01))
        fused.see((posed(seen[-1]), diagonal(0.01)))
    added = DEFAULTS.wander**2 * STEP * count
    variance = 0.01**2 / count
    assert variance <= fused.cov[0, 0, 0] <= variance * 1.001 + added
    assert fused.mean[:3] == pytest.approx(np.mean(seen, axis=0), abs=0.0015)


def test_two_sources_are_weighed_by_their_variances() -> None:
    """Two percepts of one moment give the mean weighed by inverse variances."""
    fused = Fused().see((posed((0, 0, 0)), diagonal(0.01)), (posed((0.02, 0, 0)), diagonal(0.02)))
    assert fused.mean[0] == pytest.approx(0.02 / 5, rel=1e-3)
    assert fused.cov[0, 0, 0] == pytest.approx(1 / (1 / 0.01**2 + 1 / 0.02**2), rel=1e-3)


def test_turns_are_weighed_as_places_are() -> None:
    """A third of the way between two turns of which one is half as sure in variance."""
    one, other = diagonal(0.01, 0.1), diagonal(0.01, 0.1 * math.sqrt(2))
    fused = Fused().see((posed((0, 0, 0), (0, 0, 0.1)), one), (posed((0, 0, 0)), other))
    assert vector(posed((0, 0, 0)), fused.mean)[5] == pytest.approx(0.1 * 2 / 3, rel=1e-3)


def test_two_cameras_make_up_for_each_others_depth() -> None:
    """Each unsure along its own line of sight, together they are sure in both directions."""
    along_x, along_y = diagonal(0.002), diagonal(0.002)
    along_x[0, 0] = along_y[1, 1] = 0.1**2
    fused = Fused().see((posed((0.15, 0, 1)), along_x), (posed((0, -0.15, 1)), along_y))
    assert fused.sigma[:3] == pytest.approx(0.002, rel=0.3)
    assert fused.mean[:3] == pytest.approx((0, 0, 1), abs=1e-3)


def test_a_turned_camera_is_unsure_along_its_own_line() -> None:
    """A covariance with no axis of the world leaves a percept unsure in its direction alone."""
    turn = rotation((0, 0, math.pi / 4))
    slant = diagonal(0.002)
    slant[:3, :3] = turn @ np.diag([0.2**2, 0.002**2, 0.002**2]) @ turn.T
    fused = Fused().see((posed((0, 0, 1)), diagonal(0.02)))
    fused.see((posed((0.1, 0.1, 1)), slant))
    assert fused.mean[:3] == pytest.approx((0, 0, 1), abs=0.002)
    fused.see((posed((0.003, -0.003, 1)), slant))
    assert (turn.T @ fused.mean[:3])[1] == pytest.approx(-0.003 / math.sqrt(2), abs=3e-4)


@pytest.mark.parametrize("angle", [math.pi, -math.pi, 3 * math.pi / 2])
def test_turns_have_no_seam(angle: float) -> None:
    """Percepts to both sides of half a turn have their mean between them, however written."""
    fused = Fused()
    for k in range(60):
        seen = posed((0, 0, 0), (0, 0, angle + (0.02 if k % 2 else -0.02)))
        fused.see((seen * ([1, 1, 1, -1, -1, -1, -1] if k % 3 else 1), diagonal(0.01)))
    assert turn_between(fused.mean, posed((0, 0, 0), (0, 0, angle))) == pytest.approx(0, abs=0.005)


# --- what percepts claim ---


@pytest.mark.parametrize(
    "cov", [np.zeros((6, 6)), diagonal(1e-9, 1e-9), np.diag([0, 1, 1, 0, 0, 0])]
)
def test_nobody_is_surer_than_a_camera_can_be(cov: Floats) -> None:
    """A covariance that is singular or tiny counts as a tenth of a millimetre, in its direction."""
    fused = Fused().see((posed((0, 0, 0)), cov)).see((posed((1e-5, 0, 0)), cov))
    assert fused.sigma[0] == pytest.approx(FLOOR / math.sqrt(2), rel=0.5)
    assert np.linalg.eigvalsh(fused.cov[0]).min() > 0


def test_who_is_not_sure_of_anything_tells_nothing() -> None:
    """A percept with a huge covariance moves nothing, however far off it is."""
    fused = Fused().see((posed((0, 0, 1)), diagonal(0.001)))
    fused.see((posed((50, 0, 1), (2, 0, 0)), diagonal(1e4, 1e4)))
    assert fused.mean == pytest.approx(posed((0, 0, 1)), abs=1e-5)


# --- what is far off ---


def test_one_percept_far_off_is_passed_over() -> None:
    """What is beyond five deviations is believed only when the next percept is, too."""
    fused = Fused()
    for _ in range(20):
        fused.see((posed((0, 0, 1)), diagonal(0.005)))
    fused.see((posed((0.5, 0, 1)), diagonal(0.005)))
    assert fused.mean[:3] == pytest.approx((0, 0, 1))
    fused.see((posed((0, 0, 1)), diagonal(0.005))).see((posed((0.5, 0, 1)), diagonal(0.005)))
    assert fused.mean[:3] == pytest.approx((0, 0, 1))
    fused.see((posed((0.5, 0.01, 1)), diagonal(0.005)))
    assert fused.mean[:3] == pytest.approx((0.5, 0.01, 1))
    assert fused.sigma[0] == pytest.approx(0.005, rel=1e-3)


def test_two_sources_that_agree_on_a_move_are_believed_at_once() -> None:
    """Two percepts of one moment, both far off, are a move to where both say."""
    fused = Fused().see((posed((0, 0, 1)), diagonal(0.005)))
    fused.see((posed((1.0, 0, 1)), diagonal(0.004)), (posed((1.01, 0, 1)), diagonal(0.004)))
    assert fused.mean[0] == pytest.approx(1.005)


@pytest.mark.parametrize(("speed", "noise"), [(0.02, 0.0015), (0.1, 0.0015), (1.0, 0.0015),
                                              (0.5, 0.01), (1.0, 0.05)])  # fmt: skip
def test_what_moves_is_followed(speed: float, noise: float) -> None:
    """A thing that sets out is followed within four deviations of the noise after half a second."""
    chance, fused = np.random.default_rng(3), Fused()
    off = []
    for k in range(150):
        x = speed * max(k - 50, 0) * STEP
        fused.see((posed(chance.normal((x, 0, 0), noise)), diagonal(noise)))
        off.append(fused.mean[0] - x)
    assert np.abs(off[63:]).max() <= 4 * noise
    assert abs(np.mean(off[63:])) <= 1.5 * noise


def test_what_turns_is_followed() -> None:
    """A thing that turns by a radian a second is nowhere more than 6° behind."""
    chance, fused = np.random.default_rng(3), Fused()
    for k in range(100):
        angle = max(k - 50, 0) * STEP
        seen = posed((0, 0, 0), chance.normal((0, 0, angle), 0.01))
        fused.see((seen, diagonal(0.0015, 0.01)))
        assert turn_between(fused.mean, posed((0, 0, 0), (0, 0, angle))) <= 0.105


# --- hidden spells ---


def lost_for(seconds: float, to: Pose, moved: float) -> Fused:
    """A thing that nobody perceives for a while, and that the world meanwhile has elsewhere."""
    fused = Fused()
    for _ in range(25):
        fused.see((posed((0, 0, 1)), diagonal(0.002)))
    fused.see()
    fused.pose = to
    place = DEFAULTS.wander**2 * seconds + DEFAULTS.moved**2 * moved
    fused.cov[0] += np.diag([place] * 3 + [DEFAULTS.wander_turn**2 * seconds] * 3)
    fused.now += seconds
    return fused.see()


def test_physics_is_believed_more_than_a_percept_that_is_unsure() -> None:
    """What fell unseen is near where the simulation has it, if only a vague percept differs."""
    fell = posed((0, 0, 0.04))
    fused = lost_for(1.0, fell, 0.96)
    assert fused.sigma[0] == pytest.approx(0.05, abs=0.003)
    fused.see((posed((0.3, 0, 0.04)), diagonal(0.2)))
    assert 0.0 < fused.mean[0] == pytest.approx(0.3 * 0.05**2 / (0.05**2 + 0.2**2), rel=0.1)


def test_a_sure_percept_wins_against_physics() -> None:
    """A percept that is surer than the simulation says where the thing is."""
    fused = lost_for(1.0, posed((0, 0, 0.04)), 0.96)
    fused.see((posed((0.12, 0, 0.04)), diagonal(0.002)))
    assert fused.mean[0] == pytest.approx(0.12, abs=0.001)
    assert fused.sigma[0] == pytest.approx(0.002, rel=0.01)


def test_a_mean_moves_with_its_body() -> None:
    """The world turns a thing about another one: the mean goes along, to the same point of it."""
    fused = Fused().see((posed((1.0, 0, 0)), diagonal(0.02)))
    fused.pose = posed((1.002, 0.001, 0))
    fused.see().see()
    was, now = fused.pose, posed((0, 2.0, 0.5), (0, 0, math.pi / 2))
    own = rotation((0, 0, -math.pi / 2)) @ np.eye(3)
    offset = fused.mean[:3] - was[:3]
    fused.pose = now
    fused.see((posed((0, 2.0, 0.5), (0, 0, math.pi / 2)), diagonal(1e3, 1e3)))
    assert fused.mean[:3] == pytest.approx(apply(now, offset), abs=1e-6)
    assert own.T @ offset == pytest.approx(fused.mean[:3] - now[:3], abs=1e-6)


def test_who_is_forgotten_is_new() -> None:
    """After `forget` the next percept is taken as it is, and there is room for more."""
    fused = Fused().see((posed((0, 0, 1)), diagonal(0.001)))
    fused.filter.forget(np.array([0]))
    fused.see((posed((3, 0, 1)), diagonal(0.5)))
    assert fused.mean[0] == 3
    fused.filter.grow(rows=2)
    cov, before = np.tile(np.eye(6), (2, 1, 1)), fused.filter.poses.copy()
    seen = posed((5, 0, 0))
    late = Measurement(1, 9.0, seen, diagonal(0.1))
    assert fused.filter.fuse([late], cov, before, 0.0).tolist() == [1]
    assert fused.filter.poses[:, 0].tolist() == [3, 5]
