"""What minds believe of percepts that say how sure they are."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from spatial_reasoner.belief.world import World
from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.geometry.poses import Pose, compose, pose_of
from spatial_reasoner.sight.close_ups import CloseUpSight
from spatial_reasoner.values.delta import BelievedPose
from spatial_reasoner.values.frames import Frame, Percept
from spatial_reasoner.values.uncertainty import UNTOLD, sigmas
from tests.filtering.stage import DEFAULTS, diagonal, posed
from tests.plays.conftest import Staged
from tests.plays.play import STEP, Play, facing
from tests.plays.replays import at_marks, replayed
from tests.plays.rooms import desk
from tests.plays.stories import STORIES

BALL = (0.0, 0.0, 0.79)


def frame(play: Play, source: str = "camera", t: float | None = None, **things: Percept) -> None:
    """A frame of its own, at a time or now; then it is later."""
    play.give(Frame(round(play.now, 6) if t is None else t, source, things))
    if t is None:
        play.now = round(play.now + STEP, 6)


def seen(place: Sequence[float], sigma: float, turn: float = 0.035) -> Percept:
    return Percept(pose_of(list(place)), cov=diagonal(sigma, turn))


def shaken(chance: np.random.Generator, place: Sequence[float], sigma: float) -> Percept:
    """A percept off by as much as it says."""
    off = compose(posed(place), posed(chance.normal(0, sigma, 3), chance.normal(0, 0.035, 3)))
    return Percept(off, cov=diagonal(sigma))


def world(play: Play, model: str = "myself") -> World:
    return play.reasoner.mind(model).world


def row(play: Play, name: str = "ball") -> int:
    return play.reasoner.roster.row[name]


def sigma(play: Play, name: str = "ball", model: str = "myself") -> Floats:
    return sigmas(world(play, model).cov[row(play, name)])


def place(play: Play, name: str = "ball", model: str = "myself") -> Pose:
    pose = play.reasoner.placed(model)[name].pose
    assert pose is not None
    return pose


@pytest.mark.parametrize("noise", [0.0015, 0.005, 0.01])
def test_what_is_still_is_silent(staged: Staged, noise: float) -> None:
    """A still thing, perceived with as much noise as its percepts say, makes no deltas."""
    play, chance = staged(desk()), np.random.default_rng(5)
    for _ in range(50):
        frame(play, ball=shaken(chance, BALL, noise), cup=shaken(chance, (0.2, 0.3, 0.8), noise))
    assert play.holds("myself", "ball isOn table")
    told = len(play.told)
    for _ in range(150):
        frame(play, ball=shaken(chance, BALL, noise), cup=shaken(chance, (0.2, 0.3, 0.8), noise))
    play.end()
    assert play.told[told:] == []
    assert play.flips("myself", "ball isMoving true") == 0
    assert place(play)[:3] == pytest.approx(BALL, abs=0.004)


def test_what_moves_is_told_to_move(staged: Staged) -> None:
    """A thing that is carried past is told to move, and to have stopped."""
    play, chance = staged(desk()), np.random.default_rng(5)
    for k in range(125):
        x = 0.3 - 0.2 * STEP * min(max(k - 50, 0), 40)
        frame(play, ball=shaken(chance, (x, 0, 0.79), 0.005))
    play.end()
    assert play.flips("myself", "ball isMoving true") == 2
    assert place(play)[0] == pytest.approx(-0.02, abs=0.005)


def test_two_cameras_know_more_than_each(staged: Staged) -> None:
    """Each camera is unsure along its own line of sight: facts come of what both say."""
    along_x, along_y = diagonal(0.003), diagonal(0.003)
    along_x[0, 0] = along_y[1, 1] = 0.3**2
    play = staged(desk())
    chance = np.random.default_rng(2)
    for _ in range(25):
        x, y = chance.normal(0, 0.3, 2)
        front = Percept(pose_of([x, 0, 0.79]), cov=along_x)
        play.give(Frame(play.now, "front", {"ball": front}))
        frame(play, "side", ball=Percept(pose_of([0, y, 0.79]), cov=along_y))
    play.end()
    assert place(play)[:3] == pytest.approx(BALL, abs=0.004)
    assert play.holds("myself", "ball isOn table")
    assert sigma(play)[:3].max() < 0.002


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
@pytest.mark.parametrize("apart", [0.0, 0.004])
def test_sources_count_in_whatever_order_they_come(
    staged: Staged, order: tuple[int, ...], apart: float
) -> None:
    """Three frames of about the same time all count, whichever comes first, is surer or is late."""
    play = staged(desk())
    for k in range(10):
        frames = [
            Frame(round(k * STEP + apart * i, 6), f"eye {i}", {"ball": seen((x, 0, 0.79), s)})
            for i, (x, s) in enumerate([(0.0, 0.01), (0.01, 0.012), (0.02, 0.014)])
        ]
        for i in order:
            play.give(frames[i])
    play.end()
    weights = np.array([1, 1 / 1.2**2, 1 / 1.4**2])
    assert place(play)[0] == pytest.approx(weights @ (0, 0.01, 0.02) / weights.sum(), abs=0.003)
    assert world(play).cov[row(play), 0, 0] == pytest.approx(1e-4 / weights.sum() / 10, rel=0.05)


def test_a_percept_that_does_not_say_counts_alone(staged: Staged) -> None:
    """Of one moment the percept without covariance is believed, as if there was no other."""
    play, other = staged(desk()), staged(desk())
    for _ in range(25):
        sure = Frame(play.now, "tracker", {"ball": Percept(pose_of(list(BALL)))})
        other.give(sure)
        other.now = play.now
        play.give(sure)
        frame(play, "late", ball=seen((0.5, 0, 0.79), 0.01))
    play.end()
    other.end()
    assert place(play).tolist() == place(other).tolist()
    assert not world(play).told[row(play)]
    assert (world(play).cov[row(play)] == UNTOLD).all()


def test_a_tracker_that_does_not_say_is_fused_with_a_camera_that_does(staged: Staged) -> None:
    """In moments of its own a percept without covariance is as sure as the contract's noise."""
    play = staged(desk())
    for k in range(50):
        plain = Percept(pose_of([0.01, 0, 0.79]))
        frame(play, ball=plain if k % 2 else seen((0, 0, 0.79), 0.0015))
    play.end()
    assert place(play)[0] == pytest.approx(0.005, abs=0.003)
    assert sigma(play)[0] < 0.001


def test_what_comes_without_is_averaged_as_ever(staged: Staged) -> None:
    """A thing without covariances is where it would be if no other thing had any, to the bit."""
    play, other, chance = staged(desk()), staged(desk()), np.random.default_rng(3)
    for _ in range(40):
        cup = Percept(shaken(chance, (0.2, 0.3, 0.8), 0.003).pose)
        frame(play, ball=seen(BALL, 0.002), cup=cup)
        frame(other, ball=Percept(pose_of(list(BALL))), cup=cup)
        assert place(play, "cup").tolist() == place(other, "cup").tolist()
    assert not world(play).told[row(play, "cup")]


@pytest.mark.parametrize("name", ["sally and anne", "sally looks", "falls in", "takes along"])
def test_stories_are_the_same(name: str, staged: Staged, sight: CloseUpSight) -> None:
    """Told with covariances, a story of things seen, taken and hidden gives all minds its facts."""
    story = STORIES[name]
    play = staged(story.room())
    story.act(play)
    play.end()
    scene, frames, marks = play.recording.scene, play.recording.frames, play.recording.marks
    unsure = [
        replace(f, objects={n: replace(each, cov=UNTOLD) for n, each in f.objects.items()})
        for f in frames
    ]
    plainly = at_marks(replayed(scene, frames, sight), marks)
    assert at_marks(replayed(scene, unsure, sight), marks) == plainly
    assert any("isIn" in fact or "isInHand" in fact for fact in plainly[-1]["myself"])


def test_who_is_hidden_is_less_sure_by_and_by(staged: Staged) -> None:
    """While nobody perceives a thing its covariance grows with the time, and its pose stays."""
    play = staged(desk())
    for _ in range(25):
        frame(play, ball=seen(BALL, 0.002), cup=Percept(pose_of([0.2, 0.3, 0.8])))
    before = sigma(play)
    play.see(cup=(0.2, 0.3, 0.8)).wait(0.6).end()
    seconds = 0.6
    grown = np.sqrt(before[0] ** 2 + DEFAULTS.wander**2 * seconds)
    assert sigma(play)[0] == pytest.approx(grown, rel=0.05)
    assert sigma(play)[5] > before[5]
    assert (world(play).cov[row(play, "cup")] == UNTOLD).all()
    assert place(play)[:3] == pytest.approx(BALL, abs=1e-4)


def test_what_a_hand_carries_unseen_is_less_sure_by_its_way(staged: Staged) -> None:
    """A thing in a hand that goes half a metre is as unsure as half a metre makes it."""
    play = staged(desk())
    head = facing((0.9, 0, 1.5), (0, 0, 0.8))

    def hand(x: float, **things: Percept) -> None:
        people = {"sally": {"head": head, "right_hand": pose_of([x, 0, 0.85])}}
        play.give(Frame(play.now, "camera", things, agents=people))
        play.now = round(play.now + STEP, 6)

    for _ in range(25):
        hand(0.0, ball=seen(BALL, 0.002))
    assert play.holds("myself", "sally isHolding ball")
    for k in range(25):
        hand(-0.02 * (k + 1))
    play.end()
    assert place(play)[0] == pytest.approx(-0.5, abs=0.02)
    assert sigma(play)[0] == pytest.approx(DEFAULTS.moved * math.sqrt(0.5), rel=0.05)
    vague, told = (-0.3, 0, 0.79), sigma(play)[0]
    play.give(Frame(play.now, "camera", {"ball": seen(vague, 0.2)})).end()
    pulled = place(play)[0]
    assert pulled == pytest.approx(-0.5 + 0.2 * told**2 / (told**2 + 0.2**2), abs=0.02)


@pytest.mark.parametrize("is_carried", [True, False])
def test_what_rolls_in_a_box_is_less_sure_by_its_way_there(
    staged: Staged, is_carried: bool
) -> None:
    """How far the box was carried does not count, but how far the ball rolled in it; never does it
    seem to be beyond the walls."""
    play = staged(desk()).see(bucket=(0, -0.4, 0.875), ball=(0.03, -0.4, 0.81)).wait(1.0)
    play.miss("ball").wait(0.5)
    before, lay, way = sigma(play)[0], place(play), 0.0
    for k in range(100):
        if is_carried:
            play.see(bucket=(0, -0.4 + 0.4 * math.sin(2 * math.pi * k / 50), 0.875))
        play.frame()
        now = place(play) - place(play, "bucket")
        way, lay = way + float(np.linalg.norm(now[:3] - lay[:3])) * (k > 0), now
    grown = math.sqrt(before**2 + DEFAULTS.wander**2 * 4 + DEFAULTS.moved**2 * way)
    assert (way > 0.05) == is_carried
    assert sigma(play)[0] == pytest.approx(min(grown, 0.065 / 3), rel=0.2)


def test_another_mind_is_as_sure_as_what_it_sees(staged: Staged) -> None:
    """Who sees a thing that the robot knows by covariances is as sure of it, until out of sight."""
    play = staged(desk())
    for _ in range(30):
        people = {"sally": {"head": facing((1.0, 0, 1.5), BALL)}}
        play.give(Frame(play.now, "camera", {"ball": seen(BALL, 0.004)}, agents=people))
        play.now = round(play.now + STEP, 6)
    play.end()
    assert play.holds("sally", "ball isOn table")
    assert sigma(play, model="sally") == pytest.approx(sigma(play), rel=0.1)
    assert play.flips("sally", "ball isMoving true") == 0


def test_what_is_told_of_a_place_is_published(staged: Staged) -> None:
    """Where a thing is, as it is read, has a covariance if percepts told one, and else none."""
    play = staged(desk())
    published: dict[str, BelievedPose] = {}
    for _ in range(50):
        frame(play, ball=seen(BALL, 0.01), cup=Percept(pose_of([0.2, 0.3, 0.8])))
        published |= play.reasoner.moved("myself")
    play.end()
    now = play.reasoner.placed("myself")
    assert now["cup"].cov is None
    assert now["ball"].cov is not None
    assert published["ball"].cov is not None
    ratio = published["ball"].cov[0, 0] / now["ball"].cov[0, 0]
    assert 0.2 <= ratio <= 5.0


def test_what_is_lost_is_not_sure_any_more(staged: Staged) -> None:
    """What isn't where it was has no pose, so nothing is told of how sure that is; then anew."""
    play = staged(desk())
    for _ in range(25):
        frame(play, ball=seen(BALL, 0.002), cup=Percept(pose_of([0.2, 0.3, 0.8])))
    play.see(cup=(0.2, 0.3, 0.8)).wait(3.0)
    assert play.reasoner.placed("myself")["ball"].pose is None
    assert play.reasoner.placed("myself")["ball"].cov is None
    assert not world(play).told[row(play)]
    frame(play, ball=seen((0.3, 0.1, 0.79), 0.05))
    play.end()
    assert place(play)[:3] == pytest.approx((0.3, 0.1, 0.79))
