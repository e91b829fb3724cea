"""Hands that approach, hold, carry and release; things that move and stop."""

import pytest

from spatial_reasoner.values.frames import Frame
from tests.plays.conftest import Staged
from tests.plays.rooms import desk
from tests.plays.stories import rolls, takes_along


@pytest.mark.parametrize("is_seen", [True, False])
def test_a_hand_takes_a_thing_along(staged: Staged, is_seen: bool) -> None:
    """A hand comes, holds, carries, seen or not, and lets go; each is told when it is so."""
    play = takes_along(staged(desk()), is_seen)
    for model in ("myself", "sally"):
        moving = play.since(model, "sally_right_hand hasHandMovingToward cup")
        held = play.since(model, "sally isHolding cup")
        assert 1.0 < moving < held < 2.8
        assert play.since(model, "cup isInHand sally_right_hand") == held
        assert not play.about(model, "isHolding")
        assert play.where(model, "cup") == {"isOn table"}
        assert play.flips(model, "sally isHolding cup") == 2
        assert play.flips(model, "cup isOn table") in (2, 3)


def test_what_is_carried_unseen_is_where_the_hand_is(staged: Staged) -> None:
    """A cup that is not perceived in the hand goes where the hand goes, for as long as it takes."""
    play = staged(desk())
    play.see(cup=(0.2, 0.5, 0.8)).stand("sally", (1.0, 0, 1.4), (0, 0, 0.8)).wait(1.0)
    play.reach("sally", 1.0, (0.25, 0.5, 0.82)).wait(0.4).miss("cup")
    play.reach("sally", 1.6, (0.25, 0, 1.2), (0.25, -0.5, 1.0)).wait(3.0)
    for model in ("myself", "sally"):
        assert play.holds(model, "sally isHolding cup")
        placed = play.reasoner.placed(model)["cup"].pose
        assert placed is not None
        assert placed[:3] == pytest.approx([0.2, -0.5, 0.98], abs=0.01)


def test_a_hand_that_passes_holds_nothing(staged: Staged) -> None:
    """In the control a hand goes by at some distance: it moves toward and holds nothing."""
    play = staged(desk()).see(cup=(0.2, 0.5, 0.8)).stand("sally", (1.0, 0, 1.4), (0, 0, 0.8))
    play.wait(1.0).reach("sally", 2.0, (0.2, -0.5, 1.2), (-0.3, -0.6, 1.2)).wait(0.5)
    assert play.flips("myself", "sally isHolding cup") == 0
    assert play.flips("myself", "sally_right_hand hasHandMovingToward cup") == 0


def test_a_thing_moves_and_stops(staged: Staged) -> None:
    """What moves at 10 cm/s is told to move, within 0.4 s of begin and end; what lies is not."""
    play = rolls(staged(desk()))
    flips = [t for t, d in play.told if "ball isMoving true" in (*d.add, *d.retract)]
    assert flips == pytest.approx([1.0, 6.0], abs=0.4)
    assert flips[0] > 1.0
    assert flips[1] > 6.0
    assert play.flips("myself", "cup isMoving true") == 0


def test_who_walks_moves(staged: Staged) -> None:
    """An agent whose head moves is moving; one who stands is not."""
    play = staged(desk()).see(cup=(0, 0, 0.8)).stand("anne", (1, 1, 1.5), (0, 0, 0.8))
    for i in range(50):
        play.stand("sally", (2 - 0.03 * i, -1, 1.5), (0, 0, 0.8)).frame()
    assert play.holds("myself", "sally isMoving true")
    assert not play.holds("myself", "anne isMoving true")
    play.wait(0.6)
    assert not play.holds("myself", "sally isMoving true")


def test_a_gripper_that_opens_has_let_go(staged: Staged) -> None:
    """A hand that is said to be empty holds nothing, however near a thing is, for a second."""
    play = staged(desk()).see(cup=(0.2, 0.5, 0.8))
    play.stand("sally", (1.0, 0, 1.4), (0, 0, 0.8), right_hand=(0.25, 0.5, 0.82)).wait(0.6)
    assert play.holds("myself", "sally isHolding cup")
    opened = play.now
    for _ in range(10):
        play.give(Frame(play.now, "gripper", empty={"sally": ("right_hand",)})).frame()
    assert play.since("myself", "cup isOn table") < opened
    assert not play.holds("myself", "sally isHolding cup")
    assert play.wait(1.4).holds("myself", "sally isHolding cup")


def test_a_gripper_that_closes_again_holds(staged: Staged) -> None:
    """The newest word of a gripper counts."""
    play = staged(desk()).see(cup=(0.2, 0.5, 0.8))
    play.stand("sally", (1.0, 0, 1.4), (0, 0, 0.8), right_hand=(0.25, 0.5, 0.82))
    play.give(Frame(0.0, "gripper", empty={"sally": ("right_hand",)})).wait(0.3)
    assert not play.holds("myself", "sally isHolding cup")
    play.give(Frame(play.now, "gripper")).wait(0.3)
    assert play.holds("myself", "sally isHolding cup")


def test_who_reaches_into_a_bucket_does_not_hold_it(staged: Staged) -> None:
    """A hand near the wall of a bucket has it from outside, and not from within."""
    play = staged(desk()).see(bucket=(0, -0.4, 0.875)).stand("sally", (1.0, 0, 1.4), (0, 0, 0.8))
    down, up = (0, -0.4, 0.85), (0, -0.4, 1.2)
    play.wait(0.6).reach("sally", 1.0, up, down, (0.06, -0.4, 0.85)).wait(0.8)
    play.reach("sally", 0.6, down, up).wait(0.4)
    assert play.flips("myself", "bucket isInHand sally_right_hand") == 0
    play.reach("sally", 1.0, (0.6, -0.4, 1.0), (0.16, -0.4, 0.9)).wait(0.4)
    assert play.holds("myself", "bucket isInHand sally_right_hand")
