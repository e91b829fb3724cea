"""Who believes what of where a thing is: what was seen, and by whom."""

import pytest

from tests.plays.conftest import Staged
from tests.plays.rooms import desk, nursery, room
from tests.plays.stories import (
    OVER_BOX,
    an_onlooker,
    falls_in,
    in_the_basket,
    john_peeks,
    mary_moves_it,
    sally_and_anne,
    sally_looks,
    what_is_in_the_bucket,
)

IN_BASKET = {"isIn basket"}
IN_BOX = {"isIn box"}


def test_sally_believes_what_she_did(staged: Staged) -> None:
    """Who puts a thing into a basket knows that it is there, though nobody sees it in there."""
    play = in_the_basket(staged(nursery()))
    for model in ("myself", "sally", "anne"):
        assert play.where(model, "ball") == IN_BASKET
        assert play.holds(model, "ball isInFieldOfView false")


def test_who_was_away_believes_what_was(staged: Staged) -> None:
    """Sally did not see the ball moved, and believes it in the basket; all others know better."""
    play = sally_and_anne(staged(nursery()))
    assert play.where("sally", "ball") == IN_BASKET
    assert play.where("anne", "ball") == play.where("myself", "ball") == IN_BOX


def test_who_watched_knows(staged: Staged) -> None:
    """In the control Sally watches, and knows that the ball is in the box."""
    play = sally_and_anne(staged(nursery()), watches=True)
    assert play.where("sally", "ball") == play.where("anne", "ball") == IN_BOX


def test_who_looks_finds_out(staged: Staged) -> None:
    """Sally looks into the basket: the ball is no longer there, but exists; then she sees where."""
    play = sally_looks(staged(nursery()))
    assert play.where("sally", "ball") == set()
    assert not play.about("sally", "ball") - {
        "ball isInFieldOfView false",
        "ball isReachable false",
        "ball isUnaccountedFor true",
    }
    assert play.holds("sally", "ball a Ball")
    assert play.holds("sally", "ball isInFieldOfView false")
    play.stand("sally", *OVER_BOX).wait(0.4)
    assert play.where("sally", "ball") == IN_BOX
    assert play.holds("sally", "ball isInFieldOfView true")


def test_who_looks_finds_it_there(staged: Staged) -> None:
    """In the control nobody moved the ball: Sally looks into the basket, and sees it there."""
    play = sally_looks(staged(nursery()), is_moved=False)
    assert play.where("sally", "ball") == IN_BASKET
    assert play.holds("sally", "sally sees ball")


@pytest.mark.parametrize("watches", [True, False])
def test_an_onlooker_knows_what_he_saw(staged: Staged, watches: bool) -> None:
    """Max saw Anne move the ball, and knows where it is; had he looked away he would not."""
    play = an_onlooker(staged(nursery("sally", "anne", "max")), watches)
    assert (play.where("max", "ball") == IN_BOX) == watches
    assert play.where("sally", "ball") == IN_BASKET


@pytest.mark.parametrize("watches", [True, False])
def test_what_vanishes_over_a_basket_is_in_it(staged: Staged, watches: bool) -> None:
    """Who sees a ball go into a basket believes it there, hand or not; else it is lost."""
    play = falls_in(staged(nursery()), watches)
    assert play.where("myself", "ball") == IN_BASKET
    assert play.where("sally", "ball") == (IN_BASKET if watches else set())


def test_mary_knows_that_john_does_not_know(staged: Staged) -> None:
    """What Mary thinks that John thinks: that the ball is where he put it, for he was away."""
    play = mary_moves_it(staged(nursery("mary", "john", depth=2)))
    assert play.where("mary", "ball") == IN_BOX
    assert play.where("john", "ball") == play.where("mary.john", "ball") == IN_BASKET


@pytest.mark.parametrize("is_seen", [False, True])
def test_mary_may_be_wrong_about_john(staged: Staged, is_seen: bool) -> None:
    """John peeks behind Mary's back, and she thinks that he does not know; unless she sees him."""
    play = john_peeks(staged(nursery("mary", "john", depth=2)), is_seen)
    assert play.where("john", "ball") == play.where("mary", "ball") == IN_BOX
    assert play.where("mary.john", "ball") == (IN_BOX if is_seen else IN_BASKET)


@pytest.mark.parametrize("sally_looks", [False, True])
def test_who_never_looked_in_does_not_know_what_is_in(staged: Staged, sally_looks: bool) -> None:
    """What is in a bucket is nothing at all to Sally, unless she looked; and Anne knows of it."""
    play = what_is_in_the_bucket(staged(desk(depth=2)), sally_looks)
    assert play.where("anne", "pencil") == {"isIn bucket"}
    for model in ("sally", "anne.sally"):
        assert play.where(model, "pencil") == ({"isIn bucket"} if sally_looks else set())
        assert play.holds(model, "pencil a Artifact") == sally_looks


def test_every_two_have_a_mind_of_each_other(staged: Staged) -> None:
    """The scene's depth makes the minds within the minds of those who are there, met or not."""
    play = staged(nursery("mary", "john", depth=2)).stand("mary", (1, 0, 1.5), (2, 0, 1)).wait(0.2)
    assert play.reasoner.models == ("myself", "mary", "mary.myself", "mary.john")
    assert play.about("mary.john") == set()


def test_what_a_sensor_of_hers_perceives_sally_knows(staged: Staged) -> None:
    """A source that is on Sally speaks for her senses, though by geometry she looks away."""
    scene = {**desk("sally"), "sensors": {"glasses": {"on": "sally"}}}
    play = staged(scene).see(cup=(0, 0, 0.8)).stand("sally", (1, 0, 1.5), (2, 0, 1.5))
    assert "cup isOn table" not in play.wait(0.4).facts["sally"]
    for _ in range(5):
        play.frame(source="glasses")
    assert play.holds("sally", "cup a Cup")
    assert not play.holds("sally", "sally sees cup")


def test_no_mind_thinks_somebody_there_for_longer_than_the_robot_does(staged: Staged) -> None:
    """Who is perceived no more learns nothing after a second, in whosever mind."""
    play = staged(desk(depth=2)).see(ball=(0, 0.3, 0.79), cup=(0, 0, 0.8))
    play.stand("sally", (1, 0.3, 1.5), (0, 0, 0.8)).stand("anne", (-0.5, 1.4, 1.5), (0, 0, 0.8))
    play.wait(1.0).leave("sally").wait(1.2).see(cup=(0, -0.4, 0.8)).wait(1.0)
    places = {m: play.reasoner.placed(m)["cup"].pose for m in ("anne", "sally", "anne.sally")}
    assert [None if p is None else round(float(p[1]), 2) for p in places.values()] == [-0.4, 0, 0]


def test_the_floor_has_no_end(staged: Staged) -> None:
    """Sixty metres from the middle the floor is seen and carries as it does there."""
    robot: dict[str, object] = {"class": "Robot", "head": [60, 0, 1.5, 0, 0.2588, 0, 0.9659]}
    crate: dict[str, object] = {"class": "Crate", "shape": {"box": [0.3, 0.3, 0.3]}}
    play = staged(room({"crate": crate}, myself=robot)).see(crate=(61.5, 0, 0.15)).wait(0.4)
    assert play.holds("myself", "crate isOn floor")
    assert play.holds("myself", "floor isInFieldOfView true")
