"""What somebody did, by what became of things: once each, and nothing where nobody did anything."""

from typing import Final

import numpy as np
import pytest

from tests.physics.plays.rooms import BIN_ON_TABLE, CUP_ON_TABLE, TABLE_TOP, counter, workshop
from tests.physics.plays.stories import (
    ANNE,
    SALLY,
    carried_at,
    falls_in,
    hands_over,
    is_lowered,
    is_poured,
    lifts,
    puts_in,
    takes_two,
    two_hands_near,
)
from tests.physics.plays.watching import doings, performers, told_of
from tests.plays.conftest import Staged
from tests.plays.play import Play
from tests.plays.test_perceiving import jittered

KINDS: Final = ("Pick", "Place", "Put", "Release", "Handover")
"""The kinds of actions that are inferred."""

_LEFT: Final = (0.0, 0.35, 0.8)
_RIGHT: Final = (0.0, -0.35, 0.8)
"""Where people look who have nothing on the edges of their fields of view and attention."""


def done(play: Play, model: str = "myself") -> dict[str, int]:
    """How many actions there were of each kind."""
    found = {kind: len(doings(play, kind, model)) for kind in KINDS}
    return {kind: count for kind, count in found.items() if count}


def test_a_cup_that_is_lifted_and_set_down_was_picked_and_placed(staged: Staged) -> None:
    """A hand takes a cup 20 cm up and sets it down: one Pick and one Place, of that cup, by her."""
    play = lifts(staged(counter("sally")), 0.2)
    for model in ("myself", "sally"):
        assert done(play, model) == {"Pick": 1, "Place": 1}
        assert performers(play, "cup", model) == {"sally"}
        (pick,) = doings(play, "Pick", model)
        assert f"{pick} actsOnObject cup" in told_of(play, model)
        assert f"{pick} performedBy sally" in told_of(play, model)
        assert f"{pick} fromLocation table" in told_of(play, model)
        (placed,) = doings(play, "Place", model)
        assert f"{placed} toLocation table" in told_of(play, model)


def test_a_pick_goes_from_reaching_over_holding_to_lifting(staged: Staged) -> None:
    """The hand moves toward, then holds, then the cup is no longer on: in this order."""
    play = lifts(staged(counter("sally")), 0.2)
    toward = play.since("myself", "sally_right_hand hasHandMovingToward cup")
    held = play.since("myself", "sally isHolding cup")
    off = [t for t, d in play.told if d.model == "myself" and "cup isOn table" in d.retract]
    assert toward < held < off[0]
    (pick,) = doings(play, "Pick")
    assert held < play.since("myself", f"{pick} a Pick") < 5.0


def test_two_centimetres_are_no_pick(staged: Staged) -> None:
    """In the control the cup is lifted by 2 cm, and nothing was done."""
    play = lifts(staged(counter("sally")), 0.02)
    assert done(play) == done(play, "sally") == {}


def test_two_picks_within_a_second_are_two(staged: Staged) -> None:
    """A cup and a ball are picked half a second apart: two Picks, each of one of them."""
    play = takes_two(staged(counter("sally")))
    assert done(play) == {"Pick": 2}
    picks = doings(play, "Pick")
    objects = {
        f.split()[2] for f in told_of(play) if f.split()[:2] in [[p, "actsOnObject"] for p in picks]
    }
    assert objects == {"cup", "ball"}
    times = [play.since("myself", f"{pick} a Pick") for pick in picks]
    assert max(times) - min(times) < 1.0


def test_a_handover_is_one(staged: Staged) -> None:
    """Sally gives Anne what she has: a Pick by Sally and one Handover, to all who are there."""
    play = hands_over(staged(counter("sally", "anne")))
    for model in ("myself", "sally", "anne"):
        assert done(play, model) == {"Pick": 1, "Handover": 1}
        (given,) = doings(play, "Handover", model)
        assert f"{given} performedBy sally" in told_of(play, model)
        assert f"{given} receivedBy anne" in told_of(play, model)
        assert f"{given} actsOnObject ball" in told_of(play, model)


def test_who_keeps_a_thing_hands_nothing_over(staged: Staged) -> None:
    """In the control Anne's hand comes near and goes without the ball."""
    play = hands_over(staged(counter("sally", "anne")), takes=False)
    assert done(play) == {"Pick": 1}


@pytest.mark.parametrize("is_in", [True, False])
def test_what_is_put_into_a_box_was_put(staged: Staged, is_in: bool) -> None:
    """A hand takes a ball into a box and comes out without it: one Put; beside it, one Place."""
    play = puts_in(staged(workshop("sally")), is_in)
    assert done(play) == {"Pick": 1, "Put" if is_in else "Place": 1}
    assert performers(play, "ball") == {"sally"}
    assert play.where("myself", "ball") == {"isIn box" if is_in else "isOn table"}


@pytest.mark.parametrize("seconds", [3.0, 4.0, 6.0])
def test_what_is_lowered_is_put_and_not_let_go(staged: Staged, seconds: float) -> None:
    """A ball that goes down into a box at less than half a metre a second was not dropped."""
    play = is_lowered(staged(workshop()), seconds)
    assert done(play) == {"Pick": 1, "Put": 1}
    assert performers(play, "ball") == set()


def test_of_two_who_may_have_let_go_none_is_named(staged: Staged) -> None:
    """A ball that is lost between two hands falls, and it is not told who did it."""
    play = two_hands_near(staged(counter("sally", "anne")))
    assert play.where("myself", "ball") == {"isOn floor"}
    assert performers(play, "ball") == set()


def test_the_only_one_who_may_have_let_go_is_named(staged: Staged) -> None:
    """In the control one hand only is near, and whatever was done was done by that."""
    play = two_hands_near(staged(counter("sally", "anne")), both=False)
    assert play.where("myself", "ball") == {"isOn floor"}
    assert performers(play, "ball") == {"sally"}


def test_nobody_is_named_where_no_hand_is(staged: Staged) -> None:
    """What falls, is poured or carried with no hand about was done by nobody who is known."""
    for act in (falls_in, is_poured, lambda play: carried_at(play, 0.5)):
        play = act(staged(workshop()))
        assert not any("performedBy" in fact for fact in told_of(play))


def test_what_only_falls_by_was_let_go_by_nobody(staged: Staged) -> None:
    """A ball that is perceived first as it falls into a bin, with no hand near, was not let go."""
    play = staged(workshop("sally")).see(box=(0, 0, BIN_ON_TABLE))
    play.stand("sally", SALLY, _LEFT)
    for after in (0.0, 0.04, 0.08, 0.12, 0.16, 0.2):
        play.see(ball=(0, 0, 1.2 - 4.905 * after**2)).frame()
    play.miss("ball").wait(2.5)
    assert play.where("myself", "ball") == {"isIn box"}
    assert not done(play)


def noisy(play: Play, seed: int) -> Play:
    """A still scene as a tracker tells of it: a pile, a bin with things in it, and people."""
    noise = np.random.default_rng(seed)
    play.shake(lambda pose: jittered(pose, noise))
    play.see(box=(0, 0.35, BIN_ON_TABLE), ball=(0.02, 0.37, TABLE_TOP + 0.06))
    play.see(bucket=(0, -0.35, BIN_ON_TABLE), cup=(0.3, -0.05, CUP_ON_TABLE))
    return play.stand("sally", SALLY, _LEFT).stand("anne", ANNE, _RIGHT)


def test_noise_for_a_minute_is_no_action(staged: Staged) -> None:
    """A minute of noise tells nothing after its first second, and that nobody did anything."""
    play = noisy(staged(workshop("sally", "anne")), 8).wait(60.0)
    assert [(t, d) for t, d in play.told if t > 1.0] == []
    assert all(done(play, model) == {} for model in ("myself", "sally", "anne"))


def test_noise_about_what_is_hidden_is_silent(staged: Staged) -> None:
    """What lies unseen in a bin that seems to tremble lies there still, and nothing is told."""
    play = noisy(staged(workshop("sally", "anne")), 9).wait(1.0).miss("ball").wait(20.0)
    assert [(t, d) for t, d in play.told if t > 3.5] == []
    assert play.where("myself", "ball") == {"isIn box"}
    assert done(play) == {}
