"""From what sources perceive to what is believed: who comes, goes, and is missed."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from spatial_reasoner.geometry.poses import Pose, pose_of
from spatial_reasoner.geometry.shapes import sphere
from spatial_reasoner.values.frames import Frame, Percept, Unnamed
from tests.plays.conftest import Staged
from tests.plays.play import STEP, Play
from tests.plays.rooms import desk, nursery, room

BALL = (0.2, 0.0, 0.79)


def place(play: Play, model: str, name: str) -> Pose | None:
    return play.reasoner.placed(model)[name].pose


# --- missed ---


def test_what_should_be_seen_and_is_not_has_no_place(staged: Staged) -> None:
    """A ball in plain view that is not perceived for a second loses its place, at once, once."""
    play = staged(desk()).see(ball=BALL, cup=(0.2, 0.1, 0.8)).wait(1.0).miss("ball").wait(2.0)
    lost = [t for t, d in play.told if "ball isOn table" in d.retract]
    assert lost == pytest.approx([2.0], abs=0.4)
    assert play.about("myself", "ball") == {
        "ball isInFieldOfView false",
        "ball isReachable false",
        "ball isUnaccountedFor true",
    }
    assert play.holds("myself", "ball a Ball")
    assert place(play, "myself", "ball") is None
    gone = [d for _, d in play.told if d.model == "myself" and "ball isOn table" in d.retract]
    assert {"ball isNextTo cup", "ball isInFieldOfView true"} <= set(gone[0].retract)
    assert "ball isInFieldOfView false" in gone[0].add


def test_what_is_out_of_view_stays(staged: Staged) -> None:
    """In the control the robot looks away: the ball stays where it was."""
    play = staged(desk()).see(ball=BALL).wait(1.0).miss("ball")
    play.people["myself"] = {"head": pose_of([-1.6, 0, 1.9, 0, 0, 1, 0])}
    play.wait(3.0)
    assert play.holds("myself", "ball isOn table")
    assert play.holds("myself", "ball isInFieldOfView false")


def test_what_is_hidden_stays(staged: Staged) -> None:
    """In another control a carton is put before the ball, and the ball stays behind it."""
    play = staged(desk()).see(ball=BALL).wait(1.0).miss("ball")
    play.see(carton=(0.05, 0, 0.95)).wait(3.0)
    assert play.holds("myself", "ball isOn table")


def test_who_blinks_changes_nothing(staged: Staged) -> None:
    """A ball that is not perceived for a little less than 0.7 s, again and again, never blinks."""
    play = staged(desk()).see(ball=BALL).wait(1.0)
    told = len(play.told)
    for _ in range(4):
        play.miss("ball").wait(0.64).see(ball=BALL).wait(0.2)
    assert play.told[told:] == []


@pytest.mark.parametrize("is_covered", [True, False])
def test_a_thing_with_tags_is_known_by_them(staged: Staged, is_covered: bool) -> None:
    """A book whose only tag is covered is not missed, though most of it shows; else it is."""
    half = 0.03
    corners = [[x, y, 0.02] for x in (-half, half) for y in (-half, half)]
    book = {"class": "Book", "shape": {"box": [0.3, 0.2, 0.04]}, "points": {"tag": corners}}
    cup = {"class": "Cup", "shape": {"cylinder": [0.04, 0.1]}}
    play = staged(room({"book": book, "cup": cup})).see(book=(0, 0, 0.77)).wait(1.0).miss("book")
    play.see(cup=(0.0 if is_covered else 0.4, 0, 0.84)).wait(2.0)
    assert play.holds("myself", "book isInFieldOfView true") == is_covered
    assert (place(play, "myself", "book") is not None) == is_covered


def test_a_person_who_leaves_has_no_place(staged: Staged) -> None:
    """Parts of who is not perceived any more lose their place where they should be seen."""
    play = staged(desk()).stand("anne", (1.0, 0.5, 1.5), (0, 0, 0.8)).wait(1.0)
    assert place(play, "myself", "anne_head") is not None
    assert play.holds("myself", "myself perceives anne")
    play.leave("anne").wait(1.4)
    assert place(play, "myself", "anne_head") is None
    assert play.holds("myself", "anne a Human")
    assert not play.holds("myself", "myself perceives anne")


# --- who comes and goes ---


def test_who_leaves_keeps_beliefs_and_gains_none(staged: Staged) -> None:
    """What comes after Sally left does not reach her model, and what she knew stays."""
    play = staged(desk()).see(ball=BALL, cup=(0, -0.4, 0.8))
    play.stand("sally", (1, 0.3, 1.5), (0, 0, 0.8)).wait(1.0).leave("sally").wait(2.0)
    held, told = set(play.facts["sally"]), len(play.told)
    assert {"ball isOn table", "cup isOn table", "sally sees ball"} <= held
    assert not [fact for fact in held if fact.endswith(("isPerceived true", "isMoving true"))]
    play.see(ball=(0, -0.4, 0.89), bucket=(0, 0.4, 0.875)).miss("cup").wait(2.0)
    assert play.facts["sally"] == held
    assert not [d for _, d in play.told[told:] if d.model == "sally"]


def test_who_comes_knows_nothing_of_the_robot(staged: Staged) -> None:
    """A new agent begins with what she sees, and not with what the robot saw before."""
    play = staged(desk()).see(ball=(0, 0, 0.79), bucket=(0, 0, 0.875), cup=(0, -0.5, 0.8)).wait(1.0)
    assert "sally" not in play.reasoner.models
    play.stand("sally", (1.0, -0.5, 1.2), (0, -0.5, 0.8)).wait(1.0)
    assert play.where("myself", "ball") == {"isIn bucket"}
    assert play.where("sally", "cup") == {"isOn table"}
    assert not play.about("sally", "ball")
    assert not play.holds("sally", "ball a Ball")


def test_the_scene_is_believed_until_a_frame_says_otherwise(staged: Staged) -> None:
    """What only the scene places is there, also unperceived and in view; Sally learns it by eye."""
    lamp = {"class": "Lamp", "shape": {"box": [0.1, 0.1, 0.3]}, "pose": [0, 0.5, 0.9]}
    vase = {"class": "Artifact", "shape": {"box": [0.1, 0.1, 0.3]}, "pose": [0, -0.5, 0.9]}
    carton = {"class": "Box", "shape": {"box": [0.05, 0.5, 0.6]}, "pose": [0.2, -0.5, 1.05]}
    scene = room({"lamp": lamp, "vase": vase, "carton": carton}, "sally")
    play = staged(scene).stand("sally", (1.5, -0.4, 1.2), (0, 0, 0.8)).wait(3.0)
    for thing in ("lamp", "vase"):
        assert play.holds("myself", f"{thing} isOn table")
        assert play.holds("myself", f"{thing} isInFieldOfView true")
        assert not play.holds("myself", f"{thing} isPerceived true")
    assert play.holds("sally", "lamp isOn table")
    assert not play.about("sally", "vase")
    play.see(lamp=(0, 0.3, 0.9)).wait(0.4).miss("lamp").wait(1.6)
    assert place(play, "myself", "lamp") is None


def test_agents_of_the_scene_are_there(staged: Staged) -> None:
    """An agent whom only the scene places sees and believes, until a frame tells of him."""
    sally: dict[str, object] = {"class": "Human", "head": [1.0, 0.3, 1.4, 0, 0, 1, 0]}
    scene = room({"ball": {"class": "Ball", "shape": {"sphere": 0.04}}}, sally=sally)
    play = staged(scene).see(ball=(0, 0.3, 0.79)).wait(2.0)
    assert play.holds("myself", "sally a Human")
    assert play.holds("sally", "sally sees ball")
    play.stand("sally", (1.0, 0.3, 1.4), (5, 0.3, 1.4)).wait(1.0)
    assert not play.holds("sally", "sally sees ball")


# --- several sources ---


def given(play: Play, source: str, t: float, **places: tuple[float, float, float]) -> None:
    things = {name: Percept(pose_of(at)) for name, at in places.items()}
    play.give(Frame(round(t, 6), source, things))


def test_sources_of_different_rates_tell_of_one_thing(staged: Staged) -> None:
    """A ball that one source tells of 25 and another 10 times a second is one, and still."""
    play = staged(desk())
    frames = [(i * 0.04, "fast") for i in range(100)]
    frames += [(i * 0.1 + 0.013, "slow") for i in range(40)]
    for t, source in sorted(frames):
        given(play, source, t, ball=BALL)
    told = [d for t, d in play.told if t > 1.0]
    assert told == []
    for t, source in sorted(frames):
        x = 0.2 - 0.4 * min(t, 1.0)
        given(play, source, 4.0 + t, ball=(x, 0.0, 0.79))
    moves = [t for t, d in play.told if "ball isMoving true" in (*d.add, *d.retract)]
    assert moves == pytest.approx([4.2, 5.2], abs=0.25)
    assert play.flips("myself", "ball isOn table") == 1


def test_sources_may_tell_at_one_time(staged: Staged) -> None:
    """Each of two sources, always at the same time, tells of one thing: none is ever missed."""
    play = staged(desk())
    for i in range(100):
        given(play, "one", i * STEP, ball=BALL)
        given(play, "two", i * STEP, cup=(0, 0.4, 0.8))
    play.end()
    for thing in ("ball", "cup"):
        assert play.holds("myself", f"{thing} isOn table")
        assert play.flips("myself", f"{thing} isOn table") == 1
        assert play.flips("myself", f"{thing} isPerceived true") == 1


def test_a_hand_and_what_it_holds_may_come_from_two_sources(staged: Staged) -> None:
    """A glove tells of the hand and a camera of the cup, at the same times: the hand holds it."""
    play = staged(desk())
    for i in range(75):
        x = 0.2 - 0.004 * i
        hand = pose_of([x + 0.05, 0, 1.0])
        sally = {"head": pose_of([1, 0, 1.4, 0, 0, 1, 0]), "right_hand": hand}
        play.give(Frame(round(i * STEP, 6), "glove", agents={"sally": sally}))
        given(play, "camera", i * STEP, cup=(x, 0, 1.0))
    play.end()
    assert play.holds("myself", "sally isHolding cup")
    assert play.flips("myself", "sally isHolding cup") == 1
    pose = place(play, "myself", "cup")
    assert pose is not None
    assert pose[0] == pytest.approx(0.2 - 0.004 * 74, abs=0.02)


@pytest.mark.parametrize("is_sure_first", [True, False])
def test_of_two_at_one_time_the_surer_counts(staged: Staged, is_sure_first: bool) -> None:
    """Of two places told for the same time the one with less spread is believed."""
    sure, unsure = Percept(pose_of([0, 0, 0.79])), Percept(pose_of([0, 0.02, 0.79]), cov=np.eye(6))
    play = staged(desk())
    for i in range(50):
        for each in (sure, unsure) if is_sure_first else (unsure, sure):
            play.give(Frame(i * STEP, "sure" if each is sure else "unsure", {"ball": each}))
    play.end()
    pose = place(play, "myself", "ball")
    assert pose is not None
    assert pose[1] == pytest.approx(0.0, abs=0.002)


def test_what_comes_late_changes_nothing_newer(staged: Staged) -> None:
    """A frame from before tells only of what nobody perceived since, and now does not go back."""
    play = staged(desk()).see(ball=BALL).wait(1.0)
    given(play, "slow", 0.5, ball=(0, 0.6, 0.79), cup=(0, -0.4, 0.8))
    assert play.reasoner.now == pytest.approx(0.96)
    play.wait(0.2)
    pose = place(play, "myself", "ball")
    assert pose is not None
    assert pose[:3] == pytest.approx(BALL)
    assert play.holds("myself", "cup isOn table")


# --- what nobody named ---


def strangers(play: Play) -> Play:
    play.strangers.append(Unnamed(sphere(0.04), pose_of(BALL)))
    return play.stand("sally", (1.0, 0, 1.4), (0, 0, 0.8)).wait(1.0)


@pytest.mark.parametrize("is_there", [True, False])
def test_a_stranger_is_recognised(staged: Staged, is_there: bool) -> None:
    """What had no name is the ball from when it is called so, also to who has left meanwhile."""
    play = strangers(staged(desk()))
    for model in ("myself", "sally"):
        assert play.holds(model, "unnamed_1 isOn table")
        assert play.holds(model, "unnamed_1 a Artifact")
    if not is_there:
        play.leave("sally").wait(1.6)
    play.strangers.clear()
    play.see(ball=BALL).wait(1.0)
    for model in ("myself", "sally"):
        assert play.holds(model, "ball isOn table")
        assert play.holds(model, "ball a Ball")
        assert not [fact for fact in play.facts[model] if "unnamed" in fact]


def test_who_never_saw_a_stranger_does_not_know_the_ball(staged: Staged) -> None:
    """In the control Sally left before, and learns nothing when it is recognised."""
    play = staged(desk()).see(cup=(0, 0.4, 0.8)).stand("sally", (1, 0, 1.4), (0, 0, 0.8)).wait(1.0)
    play.leave("sally").wait(1.6)
    play.strangers.append(Unnamed(sphere(0.04), pose_of(BALL)))
    play.wait(1.0).strangers.clear()
    play.see(ball=BALL).wait(1.0)
    assert play.holds("myself", "ball a Ball")
    assert not [fact for fact in play.facts["sally"] if "ball" in fact or "unnamed" in fact]


# --- joints ---


@pytest.mark.parametrize(("angle", "shows"), [(0.0, False), (1.8, True)])
def test_a_door_hides_until_it_is_open(staged: Staged, angle: float, shows: bool) -> None:
    """What is in a cupboard is seen through its open door, and not through the closed one."""
    scene = room(
        {
            "cupboard": {"class": "Cupboard", "urdf": "cupboard.urdf"},
            "ball": {"class": "Ball", "shape": {"sphere": 0.04}},
        },
        "sally",
    )
    play = staged(scene).see(cupboard=(0, 3, 0), ball=(0.05, 3, 0.06))
    play.bend("cupboard", hinge=0.0).stand("sally", (2.5, 3, 0.5), (0, 3, 0.2)).wait(1.0)
    assert not play.about("sally", "ball")
    for share in np.linspace(0, 1, 25).tolist():
        play.bend("cupboard", hinge=angle * share).frame()
    play.wait(0.5)
    assert play.holds("sally", "sally sees ball") == shows
    assert play.holds("myself", "sally sees ball") == shows
    assert play.holds("myself", "sally sees cupboard")


@pytest.mark.parametrize(("kind", "relation"), [("Cupboard", "isIn"), ("Furniture", "isOn")])
def test_what_lies_in_a_drawer_is_in_it_open_and_closed(
    staged: Staged, kind: str, relation: str
) -> None:
    """A drawer made of boxes holds what is put into it and goes along; furniture only carries."""
    scene = room(
        {
            "cupboard": {"class": kind, "urdf": "cupboard.urdf"},
            "ball": {"class": "Ball", "shape": {"sphere": 0.03}},
        }
    )
    play = staged(scene).see(cupboard=(0, 3, 0), ball=(0.32, 3, 0.7)).bend("cupboard", rail=0.3)
    assert not play.wait(0.6).where("myself", "ball")
    play.move(0.4, "ball", (0.32, 3, 0.55)).wait(0.6)
    assert play.where("myself", "ball") == {f"{relation} cupboard"}
    for rail in np.linspace(0.3, 0, 25).tolist():
        play.see(ball=(0.02 + rail, 3, 0.55)).bend("cupboard", rail=rail).frame()
    play.wait(0.6)
    assert play.where("myself", "ball") == {f"{relation} cupboard"}
    assert play.flips("myself", f"ball {relation} cupboard") == 1


# --- how soon, and how steady ---


@pytest.mark.parametrize("rate", [25, 10, 5])
@pytest.mark.parametrize(
    ("cause", "fact"),
    [
        (lambda play: play.see(ball=(0, 0, 0.79)), "ball isIn bucket"),
        (lambda play: play.see(ball=(0.2, 0.6, 0.79)), "ball rightOf sally"),
        (lambda play: play.see(cup=(0.2, -0.4, 0.8)), "ball isNextTo cup"),
        (lambda play: play.look("sally", (5, 0, 1.4)), "ball isInFieldOfView false"),
    ],
)
def test_facts_come_soon(
    staged: Staged, rate: int, cause: Callable[[Play], object], fact: str
) -> None:
    """Within 0.4 s of its cause a fact is there, whatever the rate of the source."""
    play = staged(desk()).see(ball=(0.2, -0.5, 0.79), bucket=(0, 0, 0.875), cup=(0.2, 0.5, 0.8))
    play.stand("sally", (0.9, 0, 1.4), (0, 0, 0.8))
    frames = math.ceil(1.2 * rate)
    for when in range(2):
        for _ in range(frames):
            play.frame()
            play.now = round(play.now - STEP + 1 / rate, 6)
        if when == 0:
            assert not play.holds("myself", fact) or "FieldOfView" in fact
            caused = play.now
            cause(play)
    model = "sally" if "FieldOfView" in fact else "myself"
    assert caused <= play.since(model, fact) <= caused + 0.4
    assert play.holds(model, fact)


def test_a_still_scene_is_silent(staged: Staged) -> None:
    """Under noise of 1.5 mm and 2° nothing is told after the first second, for twenty seconds."""
    noise = np.random.default_rng(4)
    play = staged(nursery("sally", "anne"))
    play.shake(lambda pose: jittered(pose, noise))
    play.see(basket=(0, 0.3, 0.93), box=(0, -0.3, 0.9), ball=(0.25, 0.02, 0.795))
    play.stand("sally", (1.0, 0.3, 1.5), (0, 0, 0.85)).stand("anne", (1.0, -0.6, 1.5), (0, 0, 0.85))
    play.wait(20.0)
    assert [(t, d) for t, d in play.told if t > 1.0] == []


def jittered(pose: Pose, noise: np.random.Generator) -> Pose:
    """A pose as a tracker tells it: 1.5 mm beside, and turned by 2°."""
    turn = noise.normal(0, math.radians(2), 3) / 2
    x, y, z, w = pose[3:]
    a, b, c = turn
    turned = [w * a + x + y * c - z * b, w * b - x * c + y + z * a, w * c + x * b - y * a + z,
              w - x * a - y * b - z * c]  # fmt: skip
    return pose_of([*(pose[:3] + noise.normal(0, 0.0015, 3)), *turned])
