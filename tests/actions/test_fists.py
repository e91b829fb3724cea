"""Fists: hands that hide what they take, from the way to it till the way from it."""

import numpy as np
import pytest

from spatial_reasoner.geometry.poses import pose_of
from spatial_reasoner.sight.close_ups import CloseUpSight
from tests.actions.staging import ANNE, ASIDE, CUP, SALLY, STAGE, hide, show, told
from tests.physics.plays.rooms import CUP_ON_TABLE, TABLE_TOP, counter, kitchen
from tests.physics.plays.watching import believed as believed_at
from tests.plays.conftest import Staged
from tests.plays.rooms import desk
from tests.trials import pairwise


@pairwise(seconds=[0.4, 1.2], lost=[0.0, 0.3, 1.0], every=[slice(0, None), slice(0, None, 2)])
def test_what_a_hand_covers_on_its_way_down_goes_along_in_the_fist(
    staged: Staged, sight: CloseUpSight, seconds: float, lost: float, every: slice
) -> None:
    """A ball that is lost under a hand that still comes down lies there till that takes it up."""
    play = staged(desk()).see(ball=(0.2, 0.5, 0.79))
    play.stand("sally", SALLY, STAGE, right_hand=(0.2, 0.5, 1.1)).wait(1.0)
    play.reach("sally", seconds, (0.2, 0.5, 0.88)).miss("ball")
    play.reach("sally", seconds / 4, (0.2, 0.5, 0.83)).wait(0.3)
    hide(play).wait(lost)
    show(play, 0.2, 0.5, 0.83).wait(1.0)
    assert believed_at(play, "ball")[2] > TABLE_TOP + 0.03
    play.reach("sally", 0.6, (0.2, 0.5, 1.1))
    play.reach("sally", 1.0, (0.2, -0.3, 1.1), (0.2, -0.3, 0.83))
    play.see(ball=(0.2, -0.3, 0.79)).wait(0.6).reach("sally", 0.6, ASIDE).wait(1.0)
    done, believed = told(play, sight, every)
    assert done == ["pick", "place"]
    assert "ball isOn table" in believed


@pairwise(takes=[True, False], height=[0.88, 0.95, 1.0], every=[slice(0, None), slice(0, None, 2)])
def test_what_a_hand_covers_from_afar_is_taken_when_it_gets_there(
    staged: Staged, sight: CloseUpSight, takes: bool, height: float, every: slice
) -> None:
    """A ball that is lost to sight under a hand that is still well above it is picked once the hand
    was at it and went with it; in the control it is seen again, and nothing was done."""
    play = staged(desk()).see(ball=(0.2, 0.5, 0.79))
    play.stand("sally", SALLY, STAGE, right_hand=(0.2, 0.5, 1.3)).wait(1.0)
    play.reach("sally", 1.0, (0.2, 0.5, height)).miss("ball")
    play.reach("sally", 0.4, (0.2, 0.5, 0.83)).wait(0.3)
    if not takes:
        play.reach("sally", 0.4, (0.2, 0.5, height)).see(ball=(0.2, 0.5, 0.79))
        assert told(play.reach("sally", 0.6, ASIDE).wait(1.0), sight, every)[0] == []
        return
    play.reach("sally", 0.6, (0.2, 0.5, 1.1))
    play.reach("sally", 1.0, (0.2, -0.3, 1.1), (0.2, -0.3, 0.83)).wait(0.2)
    play.see(ball=(0.2, -0.3, 0.79)).wait(0.6).reach("sally", 0.6, ASIDE).wait(1.0)
    done, believed = told(play, sight, every)
    assert done == ["pick", "place"]
    assert "ball isOn table" in believed


@pairwise(who=["sally", "both", "nobody"], every=[slice(0, None), slice(0, None, 2)])
def test_what_is_gone_is_in_the_only_hand_that_was_lost_with_it(
    staged: Staged, sight: CloseUpSight, who: str, every: slice
) -> None:
    """A ball is lost with a hand on its way to it, and its place is empty when that is found again:
    it is in the hand, and set down from it; where it may be in either of two hands nobody knows,
    and where it shows again nothing was done."""
    play = staged(counter("sally", "anne")).see(ball=(0.2, 0.5, 0.79))
    play.stand("sally", SALLY, STAGE, right_hand=(0.21, 0.5, 1.1))
    play.stand("anne", ANNE, STAGE, right_hand=(0.7, 0.0, 1.0)).wait(1.0)
    if who == "both":
        play.reach("anne", 0.8, (0.2, 0.36, 0.82))
    play.reach("sally", 0.8, (0.21, 0.5, 0.96)).miss("ball")
    for each in ("sally", "anne") if who == "both" else ("sally",):
        del play.people[each]["right_hand"]
    show(play.wait(1.2), 0.21, 0.3, 1.1)
    if who == "both":
        play.people["anne"]["right_hand"] = pose_of((0.7, 0.0, 1.0))
    if who == "nobody":
        play.see(ball=(0.2, 0.5, 0.79)).wait(1.5)
        assert told(play, sight, every)[0] == []
        return
    play.wait(1.5)
    has = {"isInHand sally_right_hand"} if who == "sally" else set()
    assert play.where("myself", "ball") == has
    play.reach("sally", 0.8, (0.21, -0.3, 1.1), (0.21, -0.3, 0.83)).wait(0.3)
    play.see(ball=(0.2, -0.3, 0.79)).reach("sally", 0.8, ASIDE).wait(1.0)
    assert told(play, sight, every)[0] == (["pick", "place"] if who == "sally" else [])


@pairwise(lost=[True, False], every=[slice(0, None), slice(0, None, 2)])
def test_what_shows_below_a_fist_that_was_lost_was_not_let_go(
    staged: Staged, sight: CloseUpSight, lost: bool, every: slice
) -> None:
    """A ball that nobody saw in the fist lies below where that is found again, which may have set
    it down meanwhile; in the control the fist was seen to stay up, and has let it go."""
    play = staged(desk()).see(ball=(0.2, 0.5, 0.79))
    play.stand("sally", SALLY, STAGE, right_hand=(0.2, 0.5, 1.1)).wait(1.0)
    play.reach("sally", 0.8, (0.2, 0.5, 0.83)).miss("ball").wait(0.3)
    play.reach("sally", 0.8, (0.2, 0.5, 1.1), (0.2, -0.3, 1.1))
    if lost:
        hide(play)
    play.wait(1.0)
    show(play.see(ball=(0.2, -0.3, 0.79)), 0.2, -0.3, 1.1).wait(0.6)
    done = told(play.reach("sally", 0.8, ASIDE).wait(1.0), sight, every)[0]
    assert done == (["pick", "place"] if lost else ["pick", "release", "place"])


@pytest.mark.parametrize("every", [slice(0, None), slice(0, None, 2)])
def test_what_is_not_in_its_bin_after_all_is_in_the_fist(
    staged: Staged, sight: CloseUpSight, every: slice
) -> None:
    """A ball is lost under a hand that goes into a low bin to take it, and comes out: it is in the
    bin, until that shows to be empty, and then in the hand."""
    play = staged(kitchen(0.05, "sally")).see(tray=(0, -0.3, TABLE_TOP + 0.025))
    play.see(ball=(0, -0.3, 0.8)).stand("sally", SALLY, STAGE, right_hand=(0, -0.3, 1.1)).wait(1.0)
    play.reach("sally", 0.6, (0, -0.3, 0.9)).miss("ball").reach("sally", 0.3, (0, -0.3, 0.83))
    play.wait(0.4).reach("sally", 0.6, (0, -0.3, 1.15)).reach("sally", 0.6, (0, 0.3, 1.15))
    play.wait(4.0)
    assert play.where("myself", "ball") == {"isInHand sally_right_hand"}
    play.reach("sally", 0.8, (0, 0.3, 0.83)).wait(0.3).see(ball=(0, 0.3, 0.79))
    done, believed = told(play.reach("sally", 0.8, ASIDE).wait(1.0), sight, every)
    assert done == ["pick", "place"]
    assert "ball isOn table" in believed


@pairwise(leaves=[True, False], every=[slice(0, None), slice(0, None, 2)])
def test_what_a_fist_sets_down_and_still_covers_lies_there(
    staged: Staged, sight: CloseUpSight, leaves: bool, every: slice
) -> None:
    """A ball that the fist hides until it has gone up slowly is set down once; in the control the
    fist takes it along again, and that is told when it has gone too far to cover it."""
    play = staged(desk()).see(ball=(0.2, 0.5, 0.79))
    play.stand("sally", SALLY, STAGE, right_hand=(0.2, 0.5, 1.3)).wait(1.0)
    play.reach("sally", 1.0, (0.2, 0.5, 0.93)).miss("ball")
    play.reach("sally", 0.8, (0.2, 0.5, 0.83)).wait(0.3).reach("sally", 1.5, (0.2, 0.5, 1.1))
    play.reach("sally", 2.0, (0.2, -0.3, 1.1), (0.2, -0.3, 0.83)).wait(0.8)
    play.reach("sally", 1.0, (0.2, -0.3, 0.94))
    if leaves:
        play.see(ball=(0.2, -0.3, 0.79))
    done = told(play.reach("sally", 1.5, (0.2, -0.3, 1.2)).wait(1.0), sight, every)[0]
    assert done == (["pick", "place"] if leaves else ["pick", "place", "pick"])


@pairwise(dips=[True, False], deep=[0.14, 0.16], every=[slice(0, None), slice(0, None, 2)])
def test_what_a_fist_takes_into_a_bin_and_leaves_is_in_it(
    staged: Staged, sight: CloseUpSight, dips: bool, deep: float, every: slice
) -> None:
    """A cup that nobody sees in the fist is put into a low bin in which that stops for a moment;
    in the control the fist only passes over the bin, and has it still."""
    rim = TABLE_TOP + deep
    play = staged(kitchen(deep, "sally")).see(tray=(0, -0.3, TABLE_TOP + deep / 2), cup=CUP)
    play.stand("sally", SALLY, STAGE, right_hand=(0.22, 0.5, 1.1)).wait(1.0)
    play.reach("sally", 0.8, (0.22, 0.5, 0.83)).miss("cup").wait(1.0)
    play.reach("sally", 0.6, (0.22, 0.5, 1.1)).reach("sally", 0.8, (0.02, -0.3, 1.1))
    if dips:
        play.reach("sally", 0.6, (0.02, -0.3, rim - 0.02)).wait(0.4)
    play.reach("sally", 0.6, (0.02, -0.3, 1.12)).reach("sally", 0.6, ASIDE).wait(1.0)
    done, believed = told(play, sight, every)
    assert done == (["pick", "put"] if dips else ["pick"])
    assert ("cup isIn tray" if dips else "cup isInHand sally_right_hand") in believed


@pairwise(rises=[0.15, 0.3], opens=[True, False], every=[slice(0, None), slice(0, None, 2)])
def test_what_a_fist_sets_down_in_a_bin_does_not_fall(
    staged: Staged, sight: CloseUpSight, rises: float, opens: bool, every: slice
) -> None:
    """A cup that is seen in a low bin again when the fist has come out of it was put there; in the
    control it is seen in the hand over the bin, and is let go there."""
    rim = TABLE_TOP + 0.1
    play = staged(kitchen(0.1, "sally")).see(tray=(0, -0.3, TABLE_TOP + 0.05), cup=CUP)
    play.stand("sally", SALLY, STAGE, right_hand=(0.22, 0.5, 1.1)).wait(1.0)
    play.reach("sally", 0.8, (0.22, 0.5, 0.83)).miss("cup").wait(1.0)
    play.reach("sally", 0.6, (0.22, 0.5, 1.1)).reach("sally", 0.8, (0.02, -0.3, 1.1))
    play.reach("sally", 0.6, (0.02, -0.3, rim - 0.02)).wait(0.4)
    play.reach("sally", 0.3, (0.02, -0.3, rim + rises))
    lies = (0, -0.3, CUP_ON_TABLE + 0.01)
    if not opens:
        held = rim + rises - 0.03
        play.see(cup=(0, -0.3, held)).wait(0.8)
        play.move(float(np.sqrt((held - lies[2]) * 2 / 9.81)), "cup", lies)
    play.see(cup=lies).reach("sally", 0.6, ASIDE).wait(1.0)
    done, believed = told(play, sight, every)
    assert done == (["pick", "put"] if opens else ["pick", "release", "put"])
    assert "cup isIn tray" in believed


@pairwise(stops=[True, False], lost=[True, False], every=[slice(0, None), slice(0, None, 2)])
def test_what_a_fist_covers_passes_behind_something_in_it(
    staged: Staged, sight: CloseUpSight, stops: bool, lost: bool, every: slice
) -> None:
    """A fist with a ball that nobody sees passes behind a crate, tracked or not, and has it still;
    in the control it stops there for a while, and has left it."""
    play = staged(counter("sally")).see(ball=(0.25, 0.5, 0.79), crate=(0.05, 0, 0.9))
    play.stand("sally", SALLY, STAGE, right_hand=(0.25, 0.5, 1.1)).wait(1.0)
    play.reach("sally", 0.8, (0.25, 0.5, 0.83)).miss("ball").wait(1.2)
    play.reach("sally", 0.4, (0.3, 0.45, 0.9)).reach("sally", 0.6, (0.3, 0.1, 0.85))
    if lost:
        hide(play).wait(2.0 if stops else 0.4)
        show(play, 0.3, -0.1, 0.85)
    else:
        play.reach("sally", 0.2, (0.3, 0, 0.85)).wait(1.6 if stops else 0.0)
        play.reach("sally", 0.2, (0.3, -0.1, 0.85))
    play.reach("sally", 0.6, (0.3, -0.45, 0.9)).wait(1.5)
    assert ("isInHand sally_right_hand" in play.where("myself", "ball")) != stops
    if not stops:
        play.reach("sally", 0.4, (0.3, -0.45, 0.83)).see(ball=(0.3, -0.45, 0.79)).wait(0.6)
    done, believed = told(play.reach("sally", 0.6, ASIDE).wait(1.5), sight, every)
    assert done == ["pick", "place"]
    assert "ball isOn table" in believed
    assert ("ball isOccludedBy crate" in believed) == stops


@pairwise(takes=[True, False], every=[slice(0, None), slice(0, None, 2)])
def test_what_another_hand_hides_as_it_takes_it_is_handed_over(
    staged: Staged, sight: CloseUpSight, takes: bool, every: slice
) -> None:
    """A ball that shows in Sally's hand is lost as Anne's comes to it, and does not show when they
    part, so Anne has it; in the control it shows in Sally's hand again, and nothing was done."""
    play = staged(counter("sally", "anne")).see(ball=(0.2, 0.5, 0.79))
    play.stand("sally", SALLY, STAGE, right_hand=(0.23, 0.5, 1.1))
    play.stand("anne", ANNE, STAGE, right_hand=(0.8, -0.6, 1.0)).wait(1.0)
    play.reach("sally", 0.6, (0.23, 0.5, 0.82)).wait(0.3)
    play.reach("sally", 1.0, (0.23, 0.0, 1.1), carries="ball").wait(0.6)
    play.reach("anne", 1.0, (0.17, -0.12, 1.07)).miss("ball")
    play.reach("anne", 0.3, (0.17, -0.01, 1.07)).wait(0.6)
    if not takes:
        play.reach("sally", 0.2, (0.33, 0.12, 1.1)).see(ball=(0.3, 0.12, 1.07))
        play.reach("sally", 0.6, (0.6, 0.5, 1.1), carries="ball")
        play.reach("anne", 0.8, (0.8, -0.6, 1.0)).wait(0.5)
        assert told(play, sight, every)[0] == ["pick"]
        return
    play.reach("sally", 0.8, (0.6, 0.5, 1.1)).wait(0.5)
    assert play.where("myself", "ball") == {"isInHand anne_right_hand"}
    play.reach("anne", 1.0, (0.17, -0.4, 0.82)).see(ball=(0.2, -0.39, 0.79)).wait(0.6)
    done, believed = told(play.reach("anne", 0.8, (0.8, -0.6, 1.0)).wait(1.0), sight, every)
    assert done == ["pick", "handover", "place"]
    assert "ball isOn table" in believed


@pairwise(takes=[True, False], every=[slice(0, None), slice(0, None, 2)])
def test_what_two_fists_hide_is_handed_over_if_it_shows_at_the_other(
    staged: Staged, sight: CloseUpSight, takes: bool, every: slice
) -> None:
    """A ball that nobody saw since Sally took it was handed over if it shows where Anne's fist has
    come down, that was at Sally's before; in the control it shows where Sally's has."""
    play = staged(counter("sally", "anne")).see(ball=(0.2, 0.5, 0.79))
    play.stand("sally", SALLY, STAGE, right_hand=(0.22, 0.5, 1.1))
    play.stand("anne", ANNE, STAGE, right_hand=(0.8, -0.6, 1.0)).wait(1.0)
    play.reach("sally", 0.8, (0.22, 0.5, 0.83)).miss("ball").wait(0.3)
    play.reach("sally", 1.0, (0.22, 0.5, 1.1), (0.22, 0.0, 1.1))
    play.reach("anne", 1.0, (0.19, -0.03, 1.07)).wait(0.6)
    ways = {"sally": (0.22, 0.4), "anne": (0.19, -0.4)}
    for who, (x, y) in ways.items():
        play.reach(who, 0.8, (x, y, 1.07))
    who = "anne" if takes else "sally"
    x, y = ways[who]
    play.reach(who, 0.6, (x, y, 0.83)).wait(0.3).see(ball=(x, y, 0.79))
    play.reach(who, 0.6, (x, y, 1.1))
    done, believed = told(play.wait(1.0), sight, every)
    assert done == (["pick", "handover", "place"] if takes else ["pick", "place"])
    assert "ball isOn table" in believed
