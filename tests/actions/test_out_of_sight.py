"""Hands that go out of sight with what they hold, and what a camera makes of it."""

from dataclasses import replace

import numpy as np
import pytest

from spatial_reasoner.sight.close_ups import CloseUpSight
from spatial_reasoner.values.frames import Frame, Percept
from tests.actions.staging import (
    ASIDE,
    AT_CUP,
    CUP,
    SALLY,
    STAGE,
    UP,
    at_cup,
    hide,
    jittered,
    kinds,
    show,
    thinned,
    told,
)
from tests.physics.plays.rooms import CUP_ON_TABLE, TABLE_TOP, counter, kitchen
from tests.plays.conftest import Staged
from tests.plays.play import Play
from tests.plays.replays import replayed
from tests.plays.rooms import desk
from tests.trials import pairwise

CUP_DOWN = (0.2, -0.3, CUP_ON_TABLE)
AWAY = (-0.04, -0.3)
"""Where a hand is over the middle of the tray, across from the cup that it holds."""


def into(play: Play, deep: float, seed: int | None) -> Play:
    """Sally takes the cup, and with it goes into a box that hides both from half below its rim."""
    play.see(tray=(0, -0.3, TABLE_TOP + deep / 2), cup=CUP).stand("sally", SALLY, STAGE)
    if seed is not None:
        random = np.random.default_rng(seed)
        play.shake(lambda pose: jittered(random, pose))
    rim = TABLE_TOP + deep
    play.wait(1.0).reach("sally", 0.8, AT_CUP).wait(0.3)
    play.reach("sally", 1.2, UP, (*AWAY, rim + 0.2), carries="cup")
    play.reach("sally", 0.4, (*AWAY, rim + 0.02), carries="cup")
    return hide(play.miss("cup"))


@pairwise(deep=[0.16, 0.25, 0.36], seed=[None, 1], every=[slice(0, None), slice(0, None, 2)])
def test_what_a_hand_took_out_of_sight_and_came_back_without_is_there(
    staged: Staged, sight: CloseUpSight, deep: float, seed: int | None, every: slice
) -> None:
    """A cup is put into a box, however deep: nobody saw it fall, nor lie, but the hand come out."""
    play = into(staged(kitchen(deep, "sally")), deep, seed).wait(1.8)
    rim = TABLE_TOP + deep
    show(play, *AWAY, rim + 0.02).reach("sally", 0.4, (*AWAY, rim + 0.3))
    play.reach("sally", 0.8, ASIDE).wait(2.0)
    done, believed = told(play, sight, every)
    assert done == ["pick", "put"]
    assert "cup isIn tray" in believed
    assert not any("Hand" in fact for fact in believed if fact.startswith("cup "))


@pairwise(side=[0.3, -0.3], is_there=[True, False], every=[slice(0, None), slice(0, None, 2)])
def test_what_a_hand_took_behind_something_is_believed_there(
    staged: Staged, sight: CloseUpSight, side: float, is_there: bool, every: slice
) -> None:
    """A cup that goes behind a crate with a hand, which comes out empty at the other side, is on
    the table behind it; where there is no crate, nobody knows where it is."""
    play = staged(counter("sally")).stand("sally", SALLY, STAGE)
    play.see(cup=(0.25, side, CUP_ON_TABLE), **{"crate": (0.05, 0, 0.9)} if is_there else {})
    at, gone = (0.3, side, 0.82), (0.3, side / 2, 0.82)
    play.wait(1.0).reach("sally", 0.8, at).wait(0.3)
    play.reach("sally", 1.0, (0.3, side, 1.0), (0.3, side * 0.7, 0.84), carries="cup")
    hide(play.miss("cup")).wait(1.4)
    show(play, *gone).reach("sally", 0.3, (0.3, -side, 0.9)).reach("sally", 0.6, ASIDE).wait(4.0)
    done, believed = told(play, sight, every)
    assert done == ["pick", "place"]
    assert ("cup isOn table" in believed) == is_there
    assert ("cup isUnaccountedFor true" in believed) == (not is_there)


@pairwise(wait=[0.2, 1.4, 2.5], every=[slice(0, None), slice(0, None, 2)])
def test_what_a_hand_slid_behind_something_is_there(
    staged: Staged, sight: CloseUpSight, wait: float, every: slice
) -> None:
    """A cup that is slid along the table behind a crate, with its hand, and left there was neither
    picked nor placed, and is on the table behind it."""
    play = staged(counter("sally")).stand("sally", SALLY, STAGE)
    play.see(cup=(0.25, 0.4, CUP_ON_TABLE), crate=(0.05, 0, 0.9))
    play.wait(1.0).reach("sally", 0.8, (0.3, 0.4, 0.82)).wait(0.3)
    play.reach("sally", 0.5, (0.3, 0.2, 0.82), carries="cup")
    hide(play.miss("cup")).wait(wait)
    show(play, 0.3, -0.2, 0.82).reach("sally", 0.3, (0.3, -0.4, 0.9)).reach("sally", 0.6, ASIDE)
    done, believed = told(play.wait(4.0), sight, every)
    assert done == []
    assert {"cup isOn table", "cup isOccludedBy crate"} <= believed


@pairwise(seed=[None, 1], every=[slice(0, None), slice(0, None, 2)])
def test_a_hand_that_comes_up_from_behind_something_has_not_taken_up_what_it_slid_there(
    staged: Staged, sight: CloseUpSight, seed: int | None, every: slice
) -> None:
    """A cup that is slid behind a crate, and would still be hidden in the hand that comes up there,
    was not picked, and is where that something hides it."""
    play = staged(counter("sally")).stand("sally", SALLY, STAGE)
    if seed is not None:
        random = np.random.default_rng(seed)
        play.shake(lambda pose: jittered(random, pose))
    play.see(cup=(0.25, 0.4, CUP_ON_TABLE), crate=(0.05, 0, 0.9))
    play.wait(1.0).reach("sally", 0.8, (0.32, 0.4, 0.84)).wait(0.3)
    play.reach("sally", 0.5, (0.32, 0.22, 0.84), carries="cup")
    hide(play.miss("cup")).wait(1.3)
    show(play, 0.36, 0.0, 0.92).reach("sally", 0.3, (0.4, 0.0, 0.94)).wait(0.5)
    play.reach("sally", 1.0, (0.5, -0.4, 0.9)).reach("sally", 0.5, ASIDE)
    done, believed = told(play.wait(3.0), sight, every)
    assert done == []
    assert {"cup isOn table", "cup isOccludedBy crate"} <= believed


@pytest.mark.parametrize("frames", [1, 3])
def test_a_hand_that_is_seen_for_a_moment_has_left_nothing(
    staged: Staged, sight: CloseUpSight, frames: int
) -> None:
    """A hand that is out of sight with a cup, and is perceived without it for less than a third of
    a second, has it still."""
    play = at_cup(staged(counter("sally"))).see(crate=(0.05, 0, 0.9))
    play.reach("sally", 0.6, UP, carries="cup").wait(0.2)
    play.reach("sally", 0.8, (0.3, 0.22, 0.95), carries="cup")
    hide(play.miss("cup")).wait(1.0)
    for _ in range(frames):
        show(play, 0.45, -0.3, 0.95).frame()
    done, believed = told(hide(play).wait(3.0), sight, slice(0, None))
    assert done == ["pick"]
    assert "cup isInHand sally_right_hand" in believed


@pairwise(falls=[True, False], before=[0.0, 0.4], every=[slice(0, None), slice(0, None, 2)])
def test_what_is_seen_to_fall_was_let_go_though_its_hand_is_not_seen(
    staged: Staged, sight: CloseUpSight, falls: bool, before: float, every: slice
) -> None:
    """A cup that falls in plain view was let go; in the control it comes down as hands set down."""
    play = at_cup(staged(desk())).reach("sally", 0.6, UP, carries="cup").wait(0.6)
    hide(play).wait(before)
    if falls:
        for after in np.arange(0.02, 0.24, 0.02):
            play.see(cup=(0.2, 0.5, 1.1 - 4.905 * after**2)).frame()
    else:
        play.move(0.7, "cup", CUP)
    show(play.see(cup=CUP).wait(0.4), *UP).reach("sally", 0.6, ASIDE)
    done = told(play.wait(1.0), sight, every)[0]
    assert done == (["pick", "release", "place"] if falls else ["pick", "place"])


@pytest.mark.parametrize("moves", [True, False])
def test_what_something_hides_only_now_was_not_left_behind_it(
    staged: Staged, sight: CloseUpSight, moves: bool
) -> None:
    """A cup is left behind a crate; when that is moved, and the cup does not show, it is nowhere,
    and not behind the crate's new place; in the control it is behind the crate."""
    play = staged(counter("sally")).stand("sally", SALLY, STAGE)
    play.see(cup=(0.25, 0.4, CUP_ON_TABLE), crate=(0.05, 0, 0.9))
    play.wait(1.0).reach("sally", 0.8, (0.32, 0.4, 0.84)).wait(0.3)
    play.reach("sally", 0.5, (0.32, 0.22, 0.84), carries="cup")
    hide(play.miss("cup")).wait(1.3)
    show(play, 0.5, -0.4, 0.9).reach("sally", 0.5, ASIDE).wait(2.0)
    if moves:
        play.move(0.5, "crate", (0.05, -0.2, 0.9))
    believed = told(play.wait(4.0), sight, slice(0, None))[1]
    assert ("cup isUnaccountedFor true" in believed) == moves
    assert ("cup isOccludedBy crate" in believed) != moves


@pairwise(sinks=[0.0, 0.03, 0.08], every=[slice(0, None), slice(0, None, 2)])
def test_what_a_hand_set_down_behind_something_is_where_that_hides_it(
    staged: Staged, sight: CloseUpSight, sinks: float, every: slice
) -> None:
    """A cup is put behind a crate by a hand that is lost after it, comes up there, and sinks as it
    goes away: it is not where that hand was lowest, and fell from nothing."""
    play = at_cup(staged(counter("sally"))).see(crate=(0.05, 0, 0.9))
    play.reach("sally", 0.6, UP, carries="cup").wait(0.2)
    play.reach("sally", 0.8, (0.3, 0.22, 0.95), carries="cup").miss("cup")
    play.reach("sally", 0.28, (0.3, 0.1, 0.95))
    hide(play).wait(1.0)
    show(play, 0.42, 0.08, 0.93).wait(0.2)
    play.reach("sally", 1.2, (0.5, -0.4, 0.93 - sinks)).reach("sally", 0.5, ASIDE)
    done, believed = told(play.wait(4.0), sight, every)
    assert done == ["pick", "place"]
    assert {"cup isOn table", "cup isOccludedBy crate"} <= believed


@pairwise(away=[0.1, 0.2], every=[slice(0, None), slice(0, None, 2)])
def test_what_falls_away_from_both_hands_is_in_neither(
    staged: Staged, sight: CloseUpSight, away: float, every: slice
) -> None:
    """A cup is pulled over the edge, and lost as it begins to fall: it is on the floor, though her
    other hand is near, and was not picked."""
    play = staged(desk("sally")).see(cup=(0.36, 0.2, CUP_ON_TABLE))
    left = (0.5, 0.2 - away, 0.85)
    play.stand("sally", SALLY, STAGE, right_hand=(0.7, 0.2, 0.9), left_hand=left).wait(1.0)
    play.reach("sally", 0.8, (0.43, 0.2, 0.83)).wait(0.3)
    play.reach("sally", 0.6, (0.53, 0.2, 0.83), carries="cup")
    for sunk in (0.002, 0.018, 0.045):
        play.see(cup=(0.47, 0.2, CUP_ON_TABLE - sunk)).frame()
    play.miss("cup").wait(0.3).reach("sally", 0.6, ASIDE)
    done, believed = told(play.wait(2.0), sight, every)
    assert "pick" not in done
    assert "cup isOn floor" in believed


@pytest.mark.parametrize("seed", [None, 1])
def test_what_it_comes_back_with_was_never_left(
    staged: Staged, sight: CloseUpSight, seed: int | None
) -> None:
    """In the control the hand brings the cup out again, and sets it down on the table."""
    play = into(staged(kitchen(0.25, "sally")), 0.25, seed).wait(1.8)
    show(play, *AWAY, 1.02).see(cup=(AWAY[0] - 0.05, AWAY[1], 1.0))
    play.reach("sally", 1.2, (*AWAY, 1.3), UP, AT_CUP, carries="cup").wait(0.6)
    play.reach("sally", 0.6, ASIDE).wait(1.0)
    done, believed = told(play, sight, slice(0, None))
    assert done == ["pick", "place"]
    assert "cup isOn table" in believed


def test_a_hand_that_is_overlooked_keeps_what_it_covers(staged: Staged) -> None:
    """What a hand covered before it was lost for a while may be in it still."""
    play = at_cup(staged(desk())).reach("sally", 0.6, UP, carries="cup").wait(0.4)
    hide(play.miss("cup").wait(0.6)).wait(0.6)
    show(play, *UP).wait(2.0)
    assert play.where("myself", "cup") == {"isInHand sally_right_hand"}


@pairwise(speed=[0.4, 1.0], every=[slice(0, None), slice(0, None, 2)])
def test_a_hand_that_its_thing_hides_holds_it_all_the_same(
    staged: Staged, sight: CloseUpSight, speed: float, every: slice
) -> None:
    """A cup that hides the hand that carries it is in that hand, over any way, seen or not, and
    when the hand is seen again."""
    play = at_cup(staged(desk())).reach("sally", 0.6, UP, carries="cup").wait(0.3)
    hide(play).move(1.0 / speed, "cup", (0.2, -0.5, 1.1)).wait(1.5)
    assert kinds(play.told) == ["pick"]
    assert play.where("myself", "cup") == {"isInHand sally_right_hand"}
    show(play, 0.25, -0.5, 1.12).reach("sally", 0.6, (0.25, -0.5, 0.82), carries="cup").wait(0.5)
    play.reach("sally", 0.6, ASIDE).wait(1.0)
    done, believed = told(play, sight, every)
    assert done == ["pick", "place"]
    assert "cup isOn table" in believed


@pairwise(seed=[None, 1, 3], every=[slice(0, None), slice(0, None, 2)])
def test_what_a_hidden_hand_sets_down_does_not_fall(
    staged: Staged, sight: CloseUpSight, seed: int | None, every: slice
) -> None:
    """A cup that hides its hand all the way down is placed, and released by nobody."""
    random = np.random.default_rng(seed)
    play = at_cup(staged(desk())).shake(
        lambda pose: pose if seed is None else jittered(random, pose)
    )
    play.reach("sally", 0.6, UP, carries="cup").wait(0.3)
    hide(play).move(1.4, "cup", (0.2, -0.3, 1.0), CUP_DOWN).wait(0.8)
    show(play, 0.26, -0.3, 0.82).reach("sally", 0.6, ASIDE).wait(1.0)
    done, believed = told(play, sight, every)
    assert done == ["pick", "place"]
    assert "cup isOn table" in believed


@pairwise(contact=[0.12, 0.2, 0.4], deep=[0.12, 0.14], every=[slice(0, None), slice(0, None, 2)])
def test_what_is_let_go_at_once_was_put_once(
    staged: Staged, sight: CloseUpSight, contact: float, deep: float, every: slice
) -> None:
    """A cup that is quickly set down in a low box, and lost there, stays when the hand goes."""
    play = staged(kitchen(deep, "sally")).see(tray=(0, -0.3, TABLE_TOP + deep / 2), cup=CUP)
    play.stand("sally", SALLY, STAGE).wait(1.0).reach("sally", 0.8, AT_CUP).wait(0.3)
    over, down = (*AWAY, 1.1), (*AWAY, 0.835)
    play.reach("sally", 0.8, UP, over, carries="cup").reach("sally", 0.32, down, carries="cup")
    play.wait(contact).miss("cup").reach("sally", 0.4, over).wait(0.4)
    play.reach("sally", 0.6, ASIDE).wait(3.0)
    done, believed = told(play, sight, every)
    assert done == ["pick", "put"]
    assert "cup isIn tray" in believed


@pairwise(low=[0.03, 0.045], every=[slice(0, None), slice(0, None, 2)])
def test_what_is_believed_too_low_in_its_hand_is_not_within_what_it_is_on(
    staged: Staged, sight: CloseUpSight, low: float, every: slice
) -> None:
    """A hand that was lost as it took a ball is believed to have it too low; set down in a box, the
    ball does not fall through that, nor through the table."""
    play = staged(kitchen(0.1, "sally")).see(ball=(0.2, 0.5, 0.79))
    play.see(tray=(0, -0.3, TABLE_TOP + 0.05))
    play.stand("sally", SALLY, STAGE, right_hand=(0.21, 0.5, 1.1)).wait(1.0)
    play.reach("sally", 0.8, (0.21, 0.5, 0.81 + low))
    hide(play.miss("ball")).wait(0.8)
    show(play, 0.21, 0.5, 0.9).reach("sally", 0.5, (0.21, 0.5, 1.1))
    play.reach("sally", 1.0, (0.01, -0.3, 1.1), (0.01, -0.3, 0.825)).wait(0.4)
    play.reach("sally", 0.8, (0.01, -0.3, 1.1)).wait(0.9)
    found = thinned(play, sight, every)
    assert kinds(found) == ["pick", "put"]
    added = {fact for _, delta in found if delta.model == "myself" for fact in delta.add}
    assert "ball isIn tray" in added
    assert not {"ball isOn floor", "tray isOn ball", "table isOn ball"} & added


@pairwise(seed=[1, 2], sigma=[0.005, 0.01, 0.015])
def test_noise_that_is_told_lets_nothing_go(
    staged: Staged, sight: CloseUpSight, sigma: float, seed: int
) -> None:
    """A cup that is held up for long, and perceived with much noise and its covariance, is picked
    and placed once, and in the hand all the while."""
    play = at_cup(staged(desk())).reach("sally", 1.0, UP, carries="cup").wait(12.0)
    play.reach("sally", 1.0, AT_CUP, carries="cup").wait(1.0).reach("sally", 0.6, ASIDE).wait(1.0)
    random = np.random.default_rng(seed)
    frames = [doubtful(each, random, sigma) for each in play.recording.frames]
    found = replayed(play.recording.scene, frames, sight)
    assert kinds(found) == ["pick", "place"]
    held = "cup isInHand sally_right_hand"
    flips = [held in (*d.add, *d.retract) for _, d in found if d.model == "myself"]
    assert sum(flips) == 2


def doubtful(frame: Frame, random: np.random.Generator, sigma: float) -> Frame:
    """A frame in which the cup is perceived with noise, and that is told."""
    cov = np.diag([sigma**2] * 3 + [0.05**2] * 3)
    place = frame.objects["cup"].pose.copy()
    place[:3] += random.normal(0, sigma, 3)
    return replace(frame, objects={**frame.objects, "cup": Percept(place, cov=cov)})
