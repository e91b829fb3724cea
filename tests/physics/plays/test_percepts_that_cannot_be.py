"""What is perceived and can't be so: what would not stay, what overlaps, sinks and floats."""

import math
import time

import numpy as np
import pytest

from tests.physics.plays.rooms import BALL_ON_TABLE, CUP_ON_TABLE, TABLE_TOP, counter
from tests.physics.plays.stories import rests_and_hovers, sinks
from tests.physics.plays.watching import believed
from tests.plays.conftest import Staged
from tests.plays.play import Play
from tests.plays.rooms import room
from tests.trials import pairwise

STAYS = "{} isPhysicallyPlausible true"
EDGE = 0.5
"""Where the table ends, away from the robot."""
_SAME = 0.002
"""Metres: what is parted and set down is so within this."""


def stays(play: Play, thing: str) -> bool:
    return play.holds("myself", STAYS.format(thing))


def test_what_hovers_is_implausible_and_what_rests_is_not(staged: Staged) -> None:
    """A cup on the table would stay, and a ball in the air would not; it does when it lies."""
    play = rests_and_hovers(staged(counter()))
    assert stays(play, "cup")
    assert not stays(play, "ball")
    assert play.flips("myself", STAYS.format("ball")) == 0
    assert believed(play, "ball")[2] == pytest.approx(BALL_ON_TABLE + 0.2, abs=_SAME)
    play.see(ball=(0, -0.3, BALL_ON_TABLE)).wait(1.0)
    assert stays(play, "ball")
    assert play.flips("myself", STAYS.format("cup")) == 1


@pairwise(under=["table", "floor"], gap=[0.02, 0.04, 0.05, 0.06, 0.07, 0.3])
def test_what_hangs_alone_in_the_air_is_not_simulated(
    staged: Staged, gap: float, under: str
) -> None:
    """What is more than 45 mm above all else would not stay; where nothing is within as far as it
    may fall, and 2 cm more, that is known without a step of physics."""
    y, height = (-0.3, TABLE_TOP) if under == "table" else (-2.0, 0.0)
    play = staged(counter()).see(ball=(0, y, height + 0.04 + gap)).wait(0.5)
    assert stays(play, "ball") == (gap < 0.045)
    assert (play.reasoner.steps == 0) == (gap > 0.065)


def test_percepts_that_overlap_are_parted(staged: Staged) -> None:
    """Boxes that are perceived in each other, in the table or above it are believed beside each
    other and on it; what was perceived is there to be read."""
    play = sinks(staged(counter()))
    one, other, cup = (believed(play, name) for name in ("other", "cube", "cup"))
    assert abs(other[1] - one[1]) > 0.2 - _SAME
    assert one[2] == pytest.approx(TABLE_TOP + 0.05, abs=_SAME)
    assert other[2] == pytest.approx(TABLE_TOP + 0.05, abs=_SAME)
    assert cup[2] == pytest.approx(CUP_ON_TABLE, abs=_SAME)
    placed = play.reasoner.placed("myself")
    for name, percept in play.things.items():
        raw = placed[name].perceived
        assert raw is not None
        assert np.array_equal(raw, percept.pose)
        assert play.holds("myself", f"{name} isOn table")
        assert stays(play, name)


def test_many_in_one_place_cost_little(staged: Staged) -> None:
    """A hundred cubes perceived a centimetre apart can't be there, and take no time; what stands
    beside them stays."""
    cube: dict[str, object] = {"class": "Cube", "shape": {"box": [0.06, 0.06, 0.06]}}
    crowd = {f"c{k}": (0.01 * (k % 10), 0.01 * (k // 10), TABLE_TOP + 0.03) for k in range(100)}
    play = staged(room(dict.fromkeys((*crowd, "left"), cube)))
    begin = time.process_time()
    play.see(**crowd, left=(0, -0.07, TABLE_TOP + 0.03)).wait(0.4)
    assert time.process_time() - begin < 10
    assert [name for name in play.things if stays(play, name)] == ["left"]


@pairwise(gap=[0.0, 0.001], apart=[0.0, 0.002, 0.01])
def test_what_can_not_be_parted_disturbs_nothing(staged: Staged, apart: float, gap: float) -> None:
    """Two cubes perceived at the same place can't both be there: neither would stay, and both are
    believed where they are perceived; what stands beside them stays, and what stands on that."""
    cube: dict[str, object] = {"class": "Cube", "shape": {"box": [0.06, 0.06, 0.06]}}
    play = staged(room(dict.fromkeys(("one", "same", "left", "right", "top"), cube)))
    z, side = TABLE_TOP + 0.03, 0.06 + gap
    play.see(one=(0, 0, z), same=(0, apart, z), left=(0, -side, z), right=(side, 0, z))
    play.see(top=(0, -side, z + 0.06)).wait(1.5)
    for name, percept in play.things.items():
        assert stays(play, name) == (name not in ("one", "same"))
        assert believed(play, name) == pytest.approx(percept.pose, abs=_SAME)
    assert play.where("myself", "top") == {"isOn left"}


def test_percepts_that_can_be_are_believed_as_they_are(staged: Staged) -> None:
    """In the control nothing overlaps, and all is believed where it is perceived."""
    play = staged(counter()).see(other=(0, 0, TABLE_TOP + 0.05), cube=(0, 0.25, TABLE_TOP + 0.05))
    play.wait(2.0)
    for name, percept in play.things.items():
        assert believed(play, name) == pytest.approx(percept.pose, abs=_SAME)
        assert stays(play, name)


TIPS = {
    "cube beyond the edge": ("cube", (0.015, TABLE_TOP + 0.05)),
    "ball beyond the edge": ("ball", (0.02, BALL_ON_TABLE)),
    "cup that leans too far": ("cup", (-0.3, CUP_ON_TABLE + 0.005, math.radians(55))),
}
STANDS = {
    "cube at the edge": ("cube", (-0.015, TABLE_TOP + 0.05)),
    "ball at the edge": ("ball", (-0.01, BALL_ON_TABLE)),
    "cup that leans a little": ("cup", (-0.3, CUP_ON_TABLE + 0.001, math.radians(4))),
}


def set_at(play: Play, thing: str, beyond: float, height: float, lean: float = 0.0) -> Play:
    """Something is perceived so far beyond the edge of the table, leaning so far."""
    turn = (0.0, math.sin(lean / 2), 0.0, math.cos(lean / 2))
    return play.see(**{thing: (EDGE + beyond, 0.0, height, *turn)}).wait(1.5)


@pytest.mark.parametrize("name", TIPS)
def test_what_would_tip_over_or_roll_off_is_implausible(staged: Staged, name: str) -> None:
    """It moves little at first, and is gone half a second later; it is believed as perceived."""
    thing, where = TIPS[name]
    play = set_at(staged(counter()), thing, *where)
    assert not stays(play, thing)
    assert believed(play, thing) == pytest.approx(play.things[thing].pose, abs=_SAME)


@pytest.mark.parametrize("name", STANDS)
def test_what_stands_though_only_just_is_plausible(staged: Staged, name: str) -> None:
    """In the control the middle is over the table, or over the foot."""
    thing, where = STANDS[name]
    assert stays(set_at(staged(counter()), thing, *where), thing)


def test_what_stands_on_what_a_hand_holds_would_stay(staged: Staged) -> None:
    """A still tray that hovers in a hand could not stay, but what stands on it could, and on that;
    what leans too far could not."""
    entities: dict[str, object] = {
        "tray": {"class": "Tray", "shape": {"box": [0.3, 0.3, 0.02]}},
        "cup": {"class": "Cup", "shape": {"cylinder": [0.04, 0.1]}},
        "leaning": {"class": "Bottle", "shape": {"cylinder": [0.03, 0.15]}},
        "cube": {"class": "Cube", "shape": {"box": [0.06, 0.06, 0.06]}},
        "top": {"class": "Cube", "shape": {"box": [0.06, 0.06, 0.06]}},
    }
    play = staged(room(entities, "sally"))
    play.stand("sally", (1.0, 0.3, 1.5), (0, 0, 1.0), right_hand=(0.18, 0, 1.1))
    turn = (0.0, math.sin(0.3), 0.0, math.cos(0.3))
    play.see(tray=(0, 0, 1.1), cup=(0, 0, 1.16), cube=(0, 0.1, 1.14), top=(0, 0.1, 1.2))
    play.see(leaning=(-0.02, -0.09, 1.17, *turn)).wait(1.5)
    assert play.holds("myself", "sally isHolding tray")
    assert not stays(play, "tray")
    assert [stays(play, name) for name in ("cup", "cube", "top")] == [True] * 3
    assert not stays(play, "leaning")
