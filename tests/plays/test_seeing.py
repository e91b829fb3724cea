"""What each sees, looks at and points at, and where that is as they see it."""

import math

import pytest

from spatial_reasoner.geometry.poses import pose_of
from tests.plays.conftest import Staged
from tests.plays.rooms import desk, room, shelf
from tests.plays.stories import (
    behind_a_carton,
    director,
    face_to_face,
    in_bins,
    points_and_looks,
)


def test_a_thing_may_be_hidden_from_one(staged: Staged) -> None:
    """A carton hides the ball from Sally and not from Anne: she knows nothing of it."""
    play = behind_a_carton(staged(desk()))
    assert play.holds("myself", "anne sees ball")
    assert not play.holds("myself", "sally sees ball")
    assert play.holds("anne", "ball isInFieldOfView true")
    assert not play.facts["sally"] & {"ball a Ball", "ball isInFieldOfView false"}
    assert play.holds("sally", "cup isInFieldOfView true")


def test_what_is_not_hidden_is_seen(staged: Staged) -> None:
    """In the control the carton stands aside, and Sally sees the ball."""
    play = behind_a_carton(staged(desk())).see(carton=(0.2, 0.9, 0.95)).wait(0.4)
    assert play.holds("sally", "sally sees ball")


def test_one_sees_through_glass(staged: Staged) -> None:
    """What is in a glass tank is seen, what is in a bucket is not; both are in."""
    play = in_bins(staged(desk()))
    assert play.where("sally", "cup") == {"isIn tank"}
    assert play.holds("sally", "sally sees cup")
    assert play.where("myself", "ball") == {"isIn bucket"}
    assert not play.about("sally", "ball")


def test_a_cell_is_closed_to_one_side(staged: Staged) -> None:
    """The director does not know the taper, in a cell that is closed to his side."""
    play = director(staged(shelf()))
    assert play.holds("director", "director sees candle")
    assert not play.holds("director", "taper a Artifact")
    assert play.holds("myself", "myself sees taper")


def test_one_may_point_at_one_thing_and_look_at_another(staged: Staged) -> None:
    """Pointing goes by the forearm, looking by the head."""
    play = points_and_looks(staged(desk()))
    assert play.about("myself", "sally", "pointsAt") == {"sally pointsAt cup"}
    assert play.holds("myself", "sally looksAt ball")
    assert not play.holds("myself", "sally looksAt cup")


def test_left_is_right_to_who_sits_opposite(staged: Staged) -> None:
    """Who face each other have left and right exchanged, and both have all in front."""
    play = face_to_face(staged(desk()))
    for model in ("myself", "sally", "anne"):
        assert play.holds(model, "ball rightOf sally")
        assert play.holds(model, "ball leftOf anne")
        assert play.holds(model, "cup leftOf sally")
        assert play.holds(model, "cup rightOf anne")
        assert play.holds(model, "cup inFrontOf anne")
    assert not any(" sally leftOf" in f or "sally rightOf" in f for f in play.facts["anne"])


def test_between_things_left_is_as_the_owner_sees_it(staged: Staged) -> None:
    """What is left of something to Sally is right of it to Anne; by its own front it is to all."""
    mug = {"class": "Mug", "shape": {"cylinder": [0.04, 0.1]}, "front": [1, 0, 0]}
    ball = {"class": "Ball", "shape": {"sphere": 0.04}}
    play = staged(room({"mug": mug, "ball": ball}, "sally", "anne"))
    play.see(mug=(0, 0, 0.8), ball=(0, 0.2, 0.79))
    play.stand("sally", (0.8, 0, 1.3), (0, 0, 0.8)).stand("anne", (-0.8, 0, 1.3), (0, 0, 0.8))
    play.wait(0.4)
    told = play.reasoner.computed
    right = ["ball isAtRightOf mug"]
    assert told("sally", "isAtRightOf", "ball", "mug") == right
    assert told("anne", "isAtRightOf", "ball", "mug") == []
    assert told("anne", "isAtLeftOf", None, "mug") == ["ball isAtLeftOf mug"]
    assert told("sally", "isAtLeftOf", "mug", None) == ["mug isAtLeftOf ball"]
    for model in play.reasoner.models:
        assert told(model, "atLeftSideOf", None, None) == ["ball atLeftSideOf mug"]
    play.see(mug=(0, 0, 0.79, 0.7071, 0, 0, 0.7071)).wait(0.4)
    assert told("sally", "atLeftSideOf", None, None) == []


@pytest.mark.parametrize("crown", [-1, 1])
def test_who_lies_has_left_and_right(staged: Staged, crown: int) -> None:
    """Who lies on his back has his left where it is when he sits up, by his feet."""
    play = staged(desk("sally")).see(ball=(1.0, 0.6, 0.04), cup=(1.0, -0.6, 0.05))
    half = math.sqrt(0.5)
    turn = (0, -half, 0, half) if crown < 0 else (half, 0, half, 0)
    play.people["sally"] = {"head": pose_of([1.0, 0, 0.2, *turn])}
    play.wait(1.0)
    left, right = ("ball", "cup") if crown < 0 else ("cup", "ball")
    facts = play.about("myself", "sally")
    assert {f"{left} leftOf sally", f"{right} rightOf sally"} <= facts
    assert not {f"{left} rightOf sally", f"{right} leftOf sally"} & facts


def test_of_agents_no_direction_is_told(staged: Staged) -> None:
    """Where agents are to each other is not said in directions: inverses would be false."""
    play = face_to_face(staged(desk()))
    agents = {"sally", "anne", "myself"}
    for facts in play.facts.values():
        for fact in facts:
            subject, predicate, value = fact.split()
            assert predicate == "perceives" or subject not in agents or value not in agents


@pytest.mark.parametrize("facing_her", [True, False])
def test_who_has_somebody_in_view_perceives_her(staged: Staged, facing_her: bool) -> None:
    """Anne perceives Sally when she looks her way, and knows then that she is there."""
    play = staged(desk()).see(cup=(0, 0, 0.8))
    play.stand("sally", (1, 1, 1.5), (0, 0, 0.8))
    play.stand("anne", (1, -1, 1.5), (1, 1, 1.4) if facing_her else (1, -5, 1.4)).wait(1)
    assert play.holds("myself", "anne perceives sally") == facing_her
    assert play.holds("anne", "anne perceives sally") == facing_her
    assert play.holds("anne", "sally a Human") == facing_her


@pytest.mark.parametrize("is_between", [True, False])
def test_nobody_is_known_through_a_wall(staged: Staged, is_between: bool) -> None:
    """Who is behind a wall is not known to who is before it, wherever that one looks."""
    wall = {"class": "Wall", "shape": {"box": [4, 0.1, 3]}, "static": True,
            "pose": [1, 0 if is_between else 3, 1.5]}  # fmt: skip
    play = staged(room({"wall": wall}, "sally", "anne"))
    play.stand("sally", (1, 1, 1.5), (1, -1, 1.5)).stand("anne", (1, -1, 1.5), (1, 1, 1.5)).wait(1)
    assert play.holds("anne", "sally a Human") != is_between
    assert play.holds("myself", "sally a Human")


@pytest.mark.parametrize("has_body", [True, False])
def test_a_body_hides_what_is_behind_it(staged: Staged, has_body: bool) -> None:
    """A body that the scene gives hides things from others, and nothing from its own head."""
    sally: dict[str, object] = {"class": "Human"}
    if has_body:
        sally["shape"] = {"box": [0.3, 0.5, 1.7]}
    scene = room({"ball": {"class": "Ball", "shape": {"sphere": 0.04}}}, "anne", sally=sally)
    play = staged(scene).see(ball=(0, 0, 0.79))
    play.stand("sally", (1, 0, 1.6), (0, 0, 0.8)).stand("anne", (2.5, 0, 1.5), (0, 0, 0.8)).wait(1)
    assert play.holds("myself", "sally sees ball")
    assert play.holds("myself", "anne sees ball") != has_body
    assert play.holds("sally", "ball isOn table")
    assert not any("body" in fact for facts in play.facts.values() for fact in facts)


def test_what_is_over_what_is_told_when_asked(staged: Staged) -> None:
    """A lamp over a table is above it, and a crate under the table is under both."""
    things: dict[str, object] = {
        "lamp": {"class": "Lamp", "shape": {"box": [0.2, 0.2, 0.2]}},
        "crate": {"class": "Crate", "shape": {"box": [0.3, 0.3, 0.3]}},
        "cup": {"class": "Cup", "shape": {"cylinder": [0.04, 0.1]}},
    }
    play = staged(room(things)).see(lamp=(0, 0, 1.5), crate=(0, 0, 0.15), cup=(0, 0.6, 0.8))
    told = play.wait(0.2).reasoner.computed
    assert told("myself", "isAbove", None, "table") == ["lamp isAbove table", "cup isAbove table"]
    assert told("myself", "isUnder", "crate", None) == ["crate isUnder table", "crate isUnder lamp"]
    assert told("myself", "isBelow", "table", "lamp") == ["table isBelow lamp"]
    assert told("myself", "isAbove", "crate", None) == []
