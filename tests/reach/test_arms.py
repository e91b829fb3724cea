"""Arms: that each model gets where an arm of its kind gets, and nowhere else."""

from collections.abc import Iterator
from typing import Final

import numpy as np
import pytest

from spatial_reasoner.dynamics.arms import arm_form
from spatial_reasoner.dynamics.bullet import Bullet
from spatial_reasoner.dynamics.bullet_arms import Arm
from spatial_reasoner.errors import MeshRefused
from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.geometry.poses import IDENTITY, pose_of
from spatial_reasoner.geometry.shapes import box
from spatial_reasoner.reach.postures import APPROACHES, Postures
from spatial_reasoner.scene.scene_agents import ARM_MODELS
from spatial_reasoner.tolerances.reach import ReachTolerances
from tests.reach.stage import LENGTHS

DOWN: Final = np.array([0.0, 0, -1])
MODELS: Final = sorted(ARM_MODELS)


@pytest.fixture(scope="module")
def bullet() -> Iterator[Bullet]:
    with Bullet() as bullet:
        yield bullet


def arm_of(bullet: Bullet, model: str) -> Arm:
    arm = Arm(bullet, arm_form(model, LENGTHS[model], "right"))
    arm.stand(IDENTITY)
    return arm


def places(arm: Arm, count: int) -> Floats:
    """Where the tip gets by itself, the joints anywhere within their limits."""
    chance = np.random.default_rng(1)
    found = []
    for joints in chance.uniform(arm.low, arm.high, (count, len(arm.low))):
        arm.bend(joints)
        found.append(arm.pointing()[0])
    return np.array(found)


def best(postures: Postures, place: Floats) -> float:
    """By how much the tip misses a place, by the posture that misses it least."""
    misses = [
        postures.arm.solve(place, seed, 20)[1]
        for approach in APPROACHES
        for seed in [*postures.near(place, approach, DOWN)]
    ]
    return min(misses, default=np.inf)


@pytest.mark.parametrize("model", MODELS)
def test_all_models_of_scenes_are_known(bullet: Bullet, model: str) -> None:
    """Every arm that a scene can name is one, with limits, and at rest within them."""
    arm = arm_of(bullet, model)
    assert len(arm.rest) == 7
    assert (arm.low < arm.high).all()
    assert (arm.rest == np.array(arm.form.rest)).all()


@pytest.mark.parametrize("model", MODELS)
def test_what_an_arm_gets_to_is_found(bullet: Bullet, model: str) -> None:
    """Inverse kinematics finds 98 of 100 places that an arm can be bent to."""
    postures = Postures(arm_of(bullet, model), ReachTolerances())
    misses = [best(postures, place) for place in places(postures.arm, 100)]
    assert np.mean(np.array(misses) < 0.02) >= 0.98


@pytest.mark.parametrize("model", MODELS)
def test_joints_stay_within_their_limits(bullet: Bullet, model: str) -> None:
    """No posture that is offered for any place bends a joint beyond its limits."""
    postures = Postures(arm_of(bullet, model), ReachTolerances())
    chance = np.random.default_rng(2)
    for place in chance.uniform(-0.9, 0.9, (30, 3)):
        for approach in APPROACHES:
            for joints in postures.near(place, approach, DOWN):
                assert (joints >= postures.arm.low).all()
                assert (joints <= postures.arm.high).all()


@pytest.mark.parametrize("model", ["human", "pr2"])
def test_an_arm_of_ours_is_as_long_as_it_is_said_to_be(bullet: Bullet, model: str) -> None:
    """Stretched forward, its tip is the whole length before the shoulder."""
    arm = Arm(bullet, arm_form(model, 0.6, "right"))
    arm.stand(pose_of([1, 2, 3]))
    arm.bend(np.zeros(7))
    place, way = arm.pointing()
    assert np.allclose(place, [1.6, 2, 3], atol=1e-6)
    assert np.allclose(way, [1, 0, 0], atol=1e-6)


@pytest.mark.parametrize("model", MODELS)
def test_nowhere_is_nowhere(bullet: Bullet, model: str) -> None:
    """For what is a metre and a half away there is no posture."""
    postures = Postures(arm_of(bullet, model), ReachTolerances())
    for way in np.eye(3):
        for approach in APPROACHES:
            assert not [*postures.near(1.5 * way, approach, DOWN)]


@pytest.mark.parametrize("model", ["human", "pr2"])
def test_left_is_the_mirror_of_right(bullet: Bullet, model: str) -> None:
    """The same joints bring a left hand to where a mirror shows the right one."""
    right, left = (Arm(bullet, arm_form(model, 0.7, side)) for side in ("right", "left"))
    chance = np.random.default_rng(3)
    for joints in chance.uniform(right.low, right.high, (20, 7)):
        tips = []
        for arm in (right, left):
            arm.stand(IDENTITY)
            arm.bend(joints)
            tips.append(np.concatenate(arm.pointing()))
        assert np.allclose(tips[0] * [1, -1, 1, 1, -1, 1], tips[1], atol=1e-5)


def test_an_arm_outlives_its_surroundings(bullet: Bullet) -> None:
    """When all bodies are made anew, the arm is there again and does the same."""
    arm = arm_of(bullet, "human")
    place = np.array([0.4, -0.1, -0.2])
    before, _ = arm.solve(place, arm.rest)
    for number in range(600):
        bullet.shape(0, box(np.full(3, 0.1 + number / 1000)))
    assert bullet.generation > 0
    arm.stand(IDENTITY)
    after, _ = arm.solve(place, arm.rest)
    assert (before == after).all()


def test_a_posture_does_not_depend_on_those_before(bullet: Bullet) -> None:
    """Whatever was asked in between, the postures for a place are the same, to the last bit."""
    arm = arm_of(bullet, "human")
    spots = places(arm, 12)
    one, other = (Postures(arm, ReachTolerances()) for _ in range(2))
    forward = [[*one.near(spot, "straight", DOWN)] for spot in spots]
    for spot in spots[::-1]:
        next(other.near(spot, "straight", DOWN), None)
        [*other.near(spot, "above", DOWN)]
    backward = [[*other.near(spot, "straight", DOWN)] for spot in spots]
    for first, second in zip(forward, backward, strict=True):
        assert np.array_equal(first, second)


def test_rays_pass_through_an_arm(bullet: Bullet) -> None:
    """An arm is a guest among the bodies: it is in nobody's line of sight."""
    arm = arm_of(bullet, "human")
    arm.bend(np.zeros(7))
    met, _ = bullet.rays([[0.3, 0, 1]], [[0.3, 0, -1]])
    assert met.tolist() == [-1]


def test_bumps_tell_the_hand_from_the_arm(bullet: Bullet) -> None:
    """A board at the wrist is bumped into by the hand and the forearm, a far one by nothing."""
    arm = arm_of(bullet, "human")
    arm.bend(np.zeros(7))
    board, far = 10, 11
    bullet.shape(board, box(np.array([0.02, 0.5, 0.5])))
    bullet.shape(far, box(np.array([0.1, 0.1, 0.1])))
    bullet.place(np.array([board, far]), np.array([pose_of([0.58, 0, 0]), pose_of([2, 0, 0])]))
    bumps = arm.bumps([board, far])
    assert [bump.row for bump in bumps] == [board]
    assert bumps[0].hand > 0
    assert bumps[0].arm > 0


def test_an_arm_that_can_not_be_read_is_refused(bullet: Bullet) -> None:
    """Of a text that is no arm Bullet's own complaint is told, and nothing is printed."""
    form = arm_form("human", 0.7, "right")
    wrong = type(form)(**{**{n: getattr(form, n) for n in form.__slots__}, "urdf": "<robot/>"})
    with pytest.raises(MeshRefused, match="arm"):
        Arm(bullet, wrong)
