"""What becomes of things that nobody perceives: facts over time, and controls without the cause."""

import math

import numpy as np
import pytest

from spatial_reasoner.geometry.poses import rotations
from spatial_reasoner.sight.close_ups import CloseUpSight
from tests.actions.staging import kinds
from tests.physics.plays.rooms import (
    BALL_ON_TABLE,
    BEHIND,
    CUP_ON_TABLE,
    TABLE_TOP,
    back_room,
    bedroom,
    counter,
    kitchen,
    pantry,
    sill,
    workshop,
)
from tests.physics.plays.stories import (
    BEYOND,
    STAGE,
    anne_looks_away,
    behind_the_back,
    carried_at,
    drawer_closes,
    falls_between,
    falls_in,
    foot_is_pulled,
    foot_is_taken,
    is_poured,
    lost_between,
    occluder_slides,
    pulled_off,
    takes_a_jar,
)
from tests.physics.plays.watching import believed, inside, watched
from tests.plays.conftest import Staged
from tests.plays.play import Play
from tests.plays.test_perceiving import jittered
from tests.trials import pairwise

# --- pushed ---


def test_a_cup_pulled_off_the_table_unseen_is_on_the_floor(staged: Staged) -> None:
    """What hides a cup takes it over the edge: it is on the floor once it fell, not before."""
    play = pulled_off(staged(counter()))
    assert play.where("myself", "cup") == {"isOn floor"}
    off = [t for t, d in play.told if d.model == "myself" and "cup isOn table" in d.retract]
    assert len(off) == 1
    assert 3.4 < off[0] < 4.9
    assert off[0] <= play.since("myself", "cup isOn floor") < 5.4
    assert play.flips("myself", "cup isOn floor") == 1


def test_a_cup_behind_what_stays_is_on_the_table(staged: Staged) -> None:
    """In the control nothing pushes the cup, and it stays, hidden by the crate."""
    play = pulled_off(staged(counter()), is_pushed=False)
    assert play.where("myself", "cup") == {"isOn table"}
    assert play.flips("myself", "cup isOn table") == 1
    assert believed(play, "cup")[:3] == pytest.approx(BEHIND, abs=0.01)


@pytest.mark.parametrize("gaze", [0.6, 0.9, 1.2, 1.5])
def test_what_falls_out_of_view_goes_on_falling(staged: Staged, gaze: float) -> None:
    """Sally stands behind the table, and sees more or less of how the cup comes down: to her, too,
    it lies on the floor."""
    play = staged(counter("sally")).stand("sally", (1.4, 0, 1.5), (0.4, 0, gaze))
    pulled_off(play)
    assert play.where("myself", "cup") == play.where("sally", "cup") == {"isOn floor"}
    assert believed(play, "cup", "sally")[2] < 0.055


@pairwise(lost=[3, 4, 5], drop=[0.3, 0.4, 0.5])
def test_what_falls_behind_something_lies_on_the_table(
    staged: Staged, drop: float, lost: int
) -> None:
    """A ball that falls behind a crate, and is lost on its way, is on the table and not below."""
    play = staged(counter("sally")).see(crate=(0, 0, TABLE_TOP + 0.15))
    x, y, z = 0.25, 0.0, BALL_ON_TABLE + drop
    play.stand("sally", (1.4, 0, 1.5), (0, 0, 0.8), right_hand=(x + 0.02, y, z + 0.06))
    play.see(ball=(x, y, z)).wait(1.0)
    for frame in range(lost):
        play.see(ball=(x, y, z - 4.905 * (0.04 * frame) ** 2)).frame()
    lowest = z
    play.miss("ball")
    for _ in range(60):
        play.frame()
        lowest = min(lowest, believed(play, "ball")[2])
    assert lowest > BALL_ON_TABLE - 0.01
    assert play.where("myself", "ball") == {"isOn table"}


@pairwise(tilt=[0.0, 36.0, 41.0, 80.0], last=[0.3, 0.15, 0.1, 0.08])
def test_what_is_lost_above_the_floor_comes_down_to_it(
    staged: Staged, last: float, tilt: float
) -> None:
    """A cup that falls is not perceived any more a hand's breadth above the floor, and lies there
    flat, or stands: it neither hovers nor balances on its rim."""
    play = staged(counter()).see(cup=(0.2, -0.5, CUP_ON_TABLE)).wait(1.0)
    half = math.radians(tilt) / 2
    turn = (math.sin(half), 0, 0, math.cos(half))
    heights = (CUP_ON_TABLE - 4.905 * (0.04 * k) ** 2 for k in range(20))
    for height in (each for each in heights if each > last):
        play.see(cup=(0.65, -0.5, height, *turn)).frame()
    play.see(cup=(0.65, -0.5, last, *turn)).frame().miss("cup").wait(3.0)
    assert play.where("myself", "cup") == {"isOn floor"}
    upright = abs(rotations(believed(play, "cup"))[2, 2])
    assert believed(play, "cup")[2] == pytest.approx(0.05 if upright > 0.5 else 0.04, abs=0.002)
    assert upright == pytest.approx(round(upright), abs=0.03)


@pytest.mark.parametrize("seconds", [2.0, 1.0, 0.4])
def test_what_is_slid_onto_a_cup_does_not_swallow_it(
    staged: Staged, sight: CloseUpSight, seconds: float
) -> None:
    """A crate that meets a hidden cup pushes it along; never is the cup within the crate."""
    play = occluder_slides(staged(counter()), 0.2, seconds)
    assert play.where("myself", "cup") == {"isOn table"}
    assert believed(play, "cup")[0] > 0.14 + 0.05 + 0.03
    assert believed(play, "cup")[2] == pytest.approx(CUP_ON_TABLE, abs=0.06)
    deepest = max(inside(mind, "crate", "cup") for _, mind in watched(play.recording, sight))
    assert deepest < -0.02


def test_what_is_slid_away_leaves_a_cup_alone(staged: Staged) -> None:
    """In the control the crate goes the other way, and the cup stays where it was."""
    play = occluder_slides(staged(counter()), -0.06)
    assert believed(play, "cup")[:3] == pytest.approx((0.1, 0, CUP_ON_TABLE), abs=0.01)
    assert play.flips("myself", "cup isOn table") == 1


# --- into bins, in them, and out of them ---


def test_a_ball_released_above_a_box_is_in_it(staged: Staged) -> None:
    """Who saw a ball only in the air above a box believes it in the box soon after."""
    play = falls_in(staged(workshop()))
    assert play.where("myself", "ball") == {"isIn box"}
    assert 1.6 < play.since("myself", "ball isIn box") < 2.6
    assert play.flips("myself", "ball isIn box") == 1
    assert believed(play, "ball")[2] == pytest.approx(TABLE_TOP + 0.06, abs=0.01)


def test_a_ball_released_behind_a_box_is_on_the_table(staged: Staged) -> None:
    """In the control the box is not below, and the ball ends on the table behind it."""
    play = falls_in(staged(workshop()), is_above=False)
    assert play.where("myself", "ball") == {"isOn table"}
    assert play.flips("myself", "ball isIn box") == 0


@pytest.mark.parametrize("thing", ["ball", "cup"])
def test_what_is_not_where_it_was_in_a_box_lies_behind_its_wall(staged: Staged, thing: str) -> None:
    """A ball in the far corner of a tray shows; when it does not, it rolled to where the wall hides
    it, and is in there all the while."""
    play = in_a_tray(staged, thing, deep=0.18)
    play.miss(thing).wait(4.0)
    assert play.where("myself", thing) == {"isIn tray"}
    assert play.flips("myself", f"{thing} isIn tray") == 1
    assert play.holds("myself", f"{thing} isOccludedBy tray")
    assert believed(play, thing)[0] < 0.03
    play.move(1.0, "tray", (-0.2, 0.3, TABLE_TOP + 0.1)).wait(2.0)
    assert play.where("myself", thing) == {"isIn tray"}


def test_what_no_wall_hides_is_nowhere(staged: Staged) -> None:
    """In one control the tray is so flat that all of it shows: who took the ball nobody knows."""
    play = in_a_tray(staged, "ball", deep=0.06)
    play.miss("ball").wait(4.0)
    assert play.where("myself", "ball") == set()
    assert play.holds("myself", "ball isUnaccountedFor true")


def test_what_is_not_behind_the_wall_either_is_nowhere(staged: Staged) -> None:
    """In another one the tray is tilted towards who looks for the ball, and it is not in there."""
    play = in_a_tray(staged, "ball", deep=0.2)
    play.miss("ball").wait(4.0).move(1.0, "tray", (-0.4, 0.3, 1.2))
    for angle in np.linspace(0, math.radians(43), 25):
        play.see(tray=(-0.4, 0.3, 1.2, 0, -math.sin(angle / 2), 0, math.cos(angle / 2))).frame()
    play.wait(3.0)
    assert play.where("myself", "ball") == set()


def in_a_tray(staged: Staged, thing: str, deep: float) -> Play:
    """The robot sees a thing in the far corner of a box without a lid."""
    play = staged(kitchen(deep)).see(tray=(0, 0.3, TABLE_TOP + deep / 2))
    play.see(**{thing: (0.09, 0.39, TABLE_TOP + 0.01 + (0.04 if thing == "ball" else 0.05))})
    return play.wait(1.5)


def test_what_is_poured_is_in_what_it_is_poured_into(staged: Staged) -> None:
    """A ball goes with the jar it is in, and out of it into the vat, though nobody ever sees it."""
    play = is_poured(staged(workshop()))
    assert play.where("myself", "ball") == {"isIn vat"}
    out = [t for t, d in play.told if "ball isIn jar" in d.retract]
    assert len(out) == 1
    assert 3.2 < out[0] <= play.since("myself", "ball isIn vat") + 0.2 < 6.0
    assert play.flips("myself", "ball isIn vat") == 1


def test_what_is_poured_elsewhere_is_elsewhere(staged: Staged) -> None:
    """In one control the jar is turned behind the table, and the ball is on the floor there."""
    play = is_poured(staged(workshop()), BEYOND)
    assert play.where("myself", "ball") == {"isOn floor"}
    assert play.flips("myself", "ball isIn vat") == 0


def test_what_is_not_poured_stays_in_the_jar(staged: Staged) -> None:
    """In another one the jar is held over the vat and not turned: the ball is in it."""
    play = is_poured(staged(workshop()), angle=0.0)
    assert play.where("myself", "ball") == {"isIn jar"}
    assert play.flips("myself", "ball isIn jar") == 1
    assert believed(play, "ball")[:2] == pytest.approx((-0.1, 0.1), abs=0.06)


@pairwise(speed=[0.1, 0.3, 1.0, 2.0], is_noisy=[False, True])
def test_what_is_carried_in_a_box_stays_in_it(staged: Staged, speed: float, is_noisy: bool) -> None:
    """At whatever speed a box is carried, and stopped, the ball in it is never out of it."""
    play = staged(workshop())
    if is_noisy:
        noise = np.random.default_rng(6)
        play.shake(lambda pose: jittered(pose, noise))
    carried_at(play, speed)
    assert play.where("myself", "ball") == {"isIn box"}
    assert play.flips("myself", "ball isIn box") == 1
    away = believed(play, "ball")[:3] - believed(play, "box")[:3]
    assert math.hypot(*away[:2]) < 0.14
    assert away[2] == pytest.approx(-0.09, abs=0.03)


def test_what_is_in_another_box_does_not_go_along(staged: Staged) -> None:
    """In the control the ball is in a bucket beside, and stays where it is."""
    play = carried_at(staged(workshop()), 0.5, is_in="bucket")
    assert play.where("myself", "ball") == {"isIn bucket"}
    assert believed(play, "ball")[:3] == pytest.approx((-0.15, 0.62, TABLE_TOP + 0.06), abs=0.01)


@pytest.mark.parametrize("y", [0.0, 0.003, -0.003])
def test_what_is_lost_over_a_wall_is_in_neither(staged: Staged, y: float) -> None:
    """A ball that is lost over the wall between two bins, as far as percepts go, is in none."""
    play = lost_between(staged(workshop()), y)
    assert play.flips("myself", "ball isIn box") == play.flips("myself", "ball isIn bucket") == 0


@pytest.mark.parametrize("y", [0.0, 0.004, -0.006])
def test_what_is_seen_to_fall_onto_a_wall_is_in_neither(staged: Staged, y: float) -> None:
    """A ball that is seen to fall to the wall between two bins was let go, and is in none."""
    play = falls_between(staged(pantry("sally")), y)
    assert play.where("myself", "ball") == set()
    assert play.holds("myself", "ball isUnaccountedFor true")
    assert play.flips("myself", "ball isIn box") == play.flips("myself", "ball isIn bucket") == 0
    assert kinds(play.told) == ["release"]


@pytest.mark.parametrize(("y", "where"), [(-0.1, "isIn box"), (0.1, "isIn bucket")])
def test_what_is_seen_to_fall_into_one_is_in_it(staged: Staged, y: float, where: str) -> None:
    """In the control the ball falls over the middle of one of them."""
    play = falls_between(staged(pantry("sally")), y)
    assert play.where("myself", "ball") == {where}
    assert kinds(play.told) == ["release", "put"]


@pytest.mark.parametrize("beside", [0.01, 0.03])
def test_what_is_seen_to_fall_onto_another_in_a_bin_is_in_it(staged: Staged, beside: float) -> None:
    """Where it rolls to hangs on little, but not what it is in."""
    play = staged(pantry("sally")).see(other=(0, -0.1 + beside, TABLE_TOP + 0.05))
    assert falls_between(play, -0.1).where("myself", "ball") == {"isIn box"}
    assert kinds(play.told) == ["release", "put"]


@pytest.mark.parametrize("beside", [0.0, 0.02, 0.04])
def test_what_is_put_where_another_lies_does_not_push_it_out_of_the_bin(
    staged: Staged, beside: float
) -> None:
    """A ball lies in a bin, hidden by its wall, and a cup is lowered onto it by hand: both are in
    the bin, wherever the ball has rolled to."""
    low = TABLE_TOP + 0.09
    play = staged(pantry("sally")).see(box=(0, 0, low), ball=(0.03, 0, TABLE_TOP + 0.04))
    play.stand("sally", (1.0, 0, 1.4), STAGE, right_hand=(0.5, 0.3, 1.0)).wait(0.6).miss("ball")
    play.see(cup=(0.03 + beside, 0.5, 1.1)).wait(0.6)
    play.reach("sally", 0.6, (0.08 + beside, 0.5, 1.13))
    play.reach("sally", 0.8, (0.08 + beside, 0, 1.13), carries="cup")
    play.reach("sally", 1.0, (0.08 + beside, 0, 0.85), carries="cup").wait(0.3)
    play.reach("sally", 0.8, (0.5, 0.3, 1.0)).wait(1.5)
    assert play.where("myself", "ball") == {"isIn box"}
    assert play.flips("myself", "ball isIn box") == 1


@pytest.mark.parametrize(("y", "where"), [(-0.151, "isIn box"), (0.151, "isIn bucket")])
def test_what_is_lost_over_one_is_in_it(staged: Staged, y: float, where: str) -> None:
    """In the control the ball is over the middle of one of them."""
    assert lost_between(staged(workshop()), y).where("myself", "ball") == {where}


@pairwise(closes=[True, False], frames=[30, 6])
def test_what_is_in_a_drawer_goes_along(staged: Staged, closes: bool, frames: int) -> None:
    """A ball in a drawer is in it when it was closed, or slammed; in one that stays open, too."""
    play = drawer_closes(staged(bedroom()), closes, frames)
    assert play.where("myself", "ball") == {"isIn chest"}
    x, y, z = believed(play, "ball")[:3].tolist()
    assert x == pytest.approx(0.13 if closes else -0.12, abs=0.06)
    assert abs(y) < 0.14
    assert z == pytest.approx(TABLE_TOP + 0.065, abs=0.01)


# --- in hands, and without ---


def test_what_is_behind_a_back_in_a_hand_stays_in_it(staged: Staged) -> None:
    """A hand that is tracked though a body hides it has what it took there, however long."""
    play = behind_the_back(staged(back_room()))
    assert play.holds("myself", "sally isHolding cup")
    assert play.where("myself", "cup") == {"isInHand sally_right_hand"}
    hand = play.people["sally"]["right_hand"][:3]
    assert np.linalg.norm(believed(play, "cup")[:3] - hand) < 0.12
    assert play.flips("myself", "cup isOn floor") == 0


def test_what_is_in_what_a_hand_has_goes_along(staged: Staged) -> None:
    """A ball in a jar that a hand takes behind a back is in the jar there, though both are hid."""
    play = takes_a_jar(staged(back_room()))
    assert play.holds("myself", "sally isHolding jar")
    assert play.where("myself", "ball") == {"isIn jar"}
    assert play.flips("myself", "ball isIn jar") == 1
    away = believed(play, "ball")[:3] - believed(play, "jar")[:3]
    assert np.linalg.norm(away) < 0.09
    assert believed(play, "jar")[0] == pytest.approx(1.3, abs=0.05)


def test_what_is_behind_a_back_without_a_hand_falls(staged: Staged) -> None:
    """In the control no hand is perceived near the cup, and it falls behind her."""
    play = behind_the_back(staged(back_room()), is_held=False)
    assert not play.about("myself", "isHolding")
    assert play.where("myself", "cup") == {"isOn floor"}
    assert 2.6 < play.since("myself", "cup isOn floor") < 4.2


def test_a_tower_without_its_foot_comes_down(staged: Staged) -> None:
    """Of a hidden tower whose foot turns up in a hand, what is left is as low as it can be."""
    play = foot_is_taken(staged(sill()))
    assert "isOn foot" not in play.where("myself", "middle")
    assert play.where("myself", "middle") == {"isOn table"}
    assert play.where("myself", "top") <= {"isOn middle", "isOn table"}
    assert believed(play, "top")[2] < TABLE_TOP + 0.15
    assert play.holds("myself", "sally isHolding foot")


def test_what_stood_on_what_was_pulled_away_does_not_go_with_it(staged: Staged) -> None:
    """What is seen to begin to fall as its hidden foot is pulled out is on the table, and not on
    the foot that turns up elsewhere."""
    play = foot_is_pulled(staged(sill()))
    assert play.where("myself", "top") == {"isOn table"}
    assert play.holds("myself", "top isOccludedBy carton")
    assert play.holds("myself", "sally isHolding foot")
    assert believed(play, "top")[0] < 0.25


def test_a_tower_with_its_foot_stands(staged: Staged) -> None:
    """In the control the hand comes back with nothing, and the tower stands as it did."""
    play = foot_is_taken(staged(sill()), is_taken=False)
    for fact in ("top isOn middle", "middle isOn foot", "foot isOn table"):
        assert play.holds("myself", fact)
        assert play.flips("myself", fact) == 1


# --- in the minds of others ---


def test_what_goes_along_does_so_in_the_minds_of_those_who_see_it(staged: Staged) -> None:
    """In Sally's mind the ball went with its box; in Anne's, who looked away, both are where they
    were, and so Sally thinks."""
    play = anne_looks_away(staged(workshop("sally", "anne", depth=2)))
    places = {"myself": 0.3, "sally": 0.3, "anne": -0.3, "sally.anne": -0.3, "anne.sally": -0.3}
    for model, y in places.items():
        assert play.where(model, "ball") == {"isIn box"}, model
        assert believed(play, "ball", model)[1] == pytest.approx(y, abs=0.12), model
        assert believed(play, "box", model)[1] == pytest.approx(y, abs=0.02), model


def test_what_all_see_goes_along_in_all_minds(staged: Staged) -> None:
    """In the control Anne watches, and nobody thinks otherwise."""
    play = anne_looks_away(staged(workshop("sally", "anne", depth=2)), watches=True)
    for model in ("myself", "sally", "anne", "sally.anne", "anne.sally"):
        assert play.where(model, "ball") == {"isIn box"}, model
        assert believed(play, "ball", model)[1] == pytest.approx(0.3, abs=0.12), model
