"""What nobody perceives: it falls, is pushed and goes along, in every mind's world."""

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np
import pytest

from spatial_reasoner.geometry.poses import pose_of
from spatial_reasoner.geometry.shapes import box
from spatial_reasoner.sight.close_ups import CloseUpSight
from spatial_reasoner.tick.reasoner import SpatialReasoner
from spatial_reasoner.values.frames import Frame, Unnamed
from tests.physics.plays.rooms import workshop
from tests.physics.plays.watching import believed, doings, doubled, halved
from tests.plays.conftest import Staged
from tests.plays.play import Play, folded
from tests.plays.replays import replayed
from tests.plays.rooms import desk, nursery
from tests.plays.test_perceiving import jittered
from tests.trials import pairwise

RATES: Final[Mapping[float, Callable[[list[Frame]], list[Frame]]]] = {
    12.5: halved, 25: list, 50: doubled,
}  # fmt: skip
SALLY = (1.0, 0.3, 1.5)
STAGE = (0.0, 0.0, 0.85)


def carried(play: Play, speed: float, height: float = 0.9) -> Play:
    """A ball in a box that nobody can look into is carried 60 cm to the side and put down."""
    play.see(box=(0, -0.3, 0.9), ball=(0, -0.3, 0.815)).wait(1.0).miss("ball").wait(1.0)
    play.move(0.4, "box", (0, -0.3, height))
    return play.move(0.6 / speed, "box", (0, 0.3, height)).move(0.4, "box", (0, 0.3, 0.9)).wait(0.6)


@pairwise(height=[0.9, 1.1], speed=[0.1, 0.4, 1.0, 2.0])
def test_what_is_in_a_box_goes_along(staged: Staged, speed: float, height: float) -> None:
    """A ball in a box that is pushed or carried, at whatever speed, is in it all the time."""
    play = carried(staged(nursery()), speed, height)
    assert play.where("myself", "ball") == {"isIn box"}
    assert play.flips("myself", "ball isIn box") == 1
    placed = play.reasoner.placed("myself")["ball"].pose
    assert placed is not None
    assert placed[1] == pytest.approx(0.3, abs=0.1)
    assert placed[2] == pytest.approx(0.815, abs=0.01)


def test_what_is_not_in_the_box_stays(staged: Staged) -> None:
    """In the control a ball lies hidden behind the basket while the box is carried."""
    play = staged(nursery())
    play.see(basket=(0, 0.4, 0.93), box=(0, -0.3, 0.9), ball=(0.25, 0.4, 0.795)).wait(1.0)
    play.miss("ball").wait(1.0).move(1.0, "box", (0, -0.3, 1.1), (0, 0.0, 1.1)).wait(1.0)
    assert play.where("myself", "ball") == {"isOn table"}
    placed = play.reasoner.placed("myself")["ball"].pose
    assert placed is not None
    assert placed[:3] == pytest.approx([0.25, 0.4, 0.795], abs=1e-3)


def test_what_is_let_go_over_a_box_is_in_it(staged: Staged) -> None:
    """A ball perceived in the air over a box, and never again, has fallen into it."""
    play = staged(nursery()).see(box=(0, -0.3, 0.9), ball=(0, -0.3, 1.2)).wait(1.0)
    assert not play.holds("myself", "ball isPhysicallyPlausible true")
    play.miss("ball").wait(1.2)
    assert play.where("myself", "ball") == {"isIn box"}


def test_what_is_let_go_beside_it_is_not(staged: Staged) -> None:
    """In the control it is perceived in the air beside the box, and is not in it."""
    play = staged(nursery()).see(box=(0, -0.3, 0.9), ball=(0, 0.2, 1.2)).wait(1.0)
    play.miss("ball").wait(0.9)
    assert play.where("myself", "ball") == {"isOn table"}


def test_what_hovers_is_implausible_and_what_stands_is_not(staged: Staged) -> None:
    """A cup in the air could not stay, one on the table could; neither when it isn't perceived."""
    play = staged(desk()).see(cup=(0, 0, 0.8), ball=(0, 0.4, 0.95)).wait(1.0)
    assert play.holds("myself", "cup isPhysicallyPlausible true")
    assert not play.holds("myself", "ball isPhysicallyPlausible true")
    play.miss("cup").wait(0.6)
    assert play.holds("myself", "cup isPhysicallyPlausible true")
    play.wait(0.5)
    assert not play.holds("myself", "cup isPhysicallyPlausible true")


def test_what_is_perceived_in_each_other_is_parted(staged: Staged) -> None:
    """Two things 1 cm in each other, and one 1 cm in the table, are believed beside and on it."""
    play = staged(desk())
    play.see(cup=(0, 0, 0.8), carton=(0.055, 0, 0.95), ball=(0, 0.5, 0.78)).wait(1.0)
    placed = play.reasoner.placed("myself")
    cup, carton, ball = (placed[name].pose for name in ("cup", "carton", "ball"))
    assert cup is not None
    assert carton is not None
    assert ball is not None
    assert carton[0] - cup[0] > 0.063
    assert ball[2] == pytest.approx(0.79, abs=0.002)
    raw = placed["ball"].perceived
    assert raw is not None
    assert raw[2] == pytest.approx(0.78)


def test_an_occluder_pushes_what_is_behind_it(staged: Staged) -> None:
    """A carton slid onto a hidden cup pushes it along, and does not swallow it."""
    play = staged(desk()).see(carton=(-0.1, 0, 0.95), cup=(0.0, 0, 0.8)).wait(1.0).miss("cup")
    play.wait(1.0).move(1.0, "carton", (0.1, 0, 0.95)).wait(0.5)
    cup = play.reasoner.placed("myself")["cup"].pose
    assert cup is not None
    assert cup[0] == pytest.approx(0.1 + 0.025 + 0.04, abs=0.02)
    assert cup[2] == pytest.approx(0.8, abs=0.01)


def test_what_is_pushed_over_the_edge_is_on_the_floor(staged: Staged) -> None:
    """A carton pushes a hidden cup off the table: it is on the floor then."""
    play = staged(desk()).see(carton=(0.3, 0, 0.95), cup=(0.4, 0, 0.8)).wait(1.0).miss("cup")
    play.wait(1.0).move(1.5, "carton", (0.47, 0, 0.95)).wait(1.0)
    assert play.where("myself", "cup") == {"isOn floor"}


def test_a_box_is_emptied_into_another(staged: Staged) -> None:
    """A ball that nobody sees goes from the box into the basket when it is turned over it."""
    play = staged(nursery())
    play.see(box=(0, -0.3, 0.9), basket=(0, 0.3, 0.93), ball=(0, -0.3, 0.815)).wait(1.0)
    play.miss("ball").wait(1.0).move(0.5, "box", (0, -0.3, 1.5)).move(0.5, "box", (0, 0.05, 1.5))
    for turn in np.linspace(0, 2.2, 30):
        half = -turn / 2
        play.see(box=(0, 0.05, 1.5, np.sin(half), 0, 0, np.cos(half))).frame()
    play.wait(1.0)
    assert play.where("myself", "ball") == {"isIn basket"}


def test_each_mind_has_its_own(staged: Staged) -> None:
    """Sally sees the box with the ball in it carried off, Anne looked away: to her it is where it
    was."""
    play = staged(nursery()).stand("sally", SALLY, STAGE).stand("anne", (1.0, -0.6, 1.5), STAGE)
    play.see(box=(0, -0.3, 0.9), ball=(0, -0.3, 1.0)).wait(0.2).see(ball=(0, -0.3, 0.815)).wait(1.0)
    play.look("anne", (5, 0, 1.5)).miss("ball").wait(1.0)
    play.move(0.4, "box", (0, -0.3, 1.1)).move(1.0, "box", (0, 0.3, 1.1)).wait(0.5)
    for who, y in (("myself", 0.3), ("sally", 0.3), ("anne", -0.3)):
        placed = play.reasoner.placed(who)["ball"].pose
        assert placed is not None
        assert placed[1] == pytest.approx(y, abs=0.1)
        assert play.where(who, "ball") == {"isIn box"}


def test_what_rests_is_not_simulated(staged: Staged) -> None:
    """What lies unseen in a box that stands sleeps: no step is made for it."""
    play = staged(nursery()).see(box=(0, -0.3, 0.9), ball=(0, -0.3, 0.815)).wait(1.0)
    play.miss("ball").wait(1.0)
    before = play.reasoner.steps
    play.wait(1.0)
    assert play.reasoner.steps == before


def test_percepts_that_come_seldom_leave_nothing_unseen(staged: Staged) -> None:
    """A ball held in the air by nobody known, perceived twice a second, does not fall between."""
    play = staged(nursery()).see(ball=(0, 0.2, 1.2))
    for _ in range(8):
        play.frame()
        play.now = round(play.now + 0.46, 6)
    placed = play.reasoner.placed("myself")["ball"].pose
    assert placed is not None
    assert placed[2] == pytest.approx(1.2)
    assert not play.about("myself", "ball", "isOn")


@pytest.mark.parametrize("period", [12, 18, 25])
def test_what_is_perceived_now_and_then_does_not_fall_between(staged: Staged, period: int) -> None:
    """Nor does it while a faster camera tells of other things, once its rhythm is known."""
    play = staged(nursery()).see(box=(0, -0.3, 0.9))
    for frame in range(5 * period):
        if frame % period == 0:
            play.see(ball=(0, 0.2, 1.2)).frame().miss("ball")
            continue
        play.frame()
        if frame > period:
            assert believed(play, "ball")[2] == pytest.approx(1.2)


def between_two_bins(play: Play, x: float) -> Play:
    """A ball is perceived in the air over two buckets that stand side by side, and then no more."""
    play.see(bucket=(0, 0.125, 0.875), tank=(0, -0.125, 0.875), ball=(0, x, 1.2)).wait(1.0)
    return play.miss("ball").wait(0.9)


def test_where_a_thing_fell_that_may_have_fallen_either_way_is_unknown(staged: Staged) -> None:
    """Over the edge of a wall a ball may lie on that or fall in: it is in nothing, and nowhere."""
    play = between_two_bins(staged(desk()), 0.022)
    assert play.where("myself", "ball") == set()
    assert play.reasoner.placed("myself")["ball"].pose is None


@pytest.mark.parametrize(("y", "where"), [(0.1, "bucket"), (-0.1, "tank")])
def test_over_one_of_them_it_is_in_that(staged: Staged, y: float, where: str) -> None:
    """In the control it is over one of them, and in it."""
    assert between_two_bins(staged(desk()), y).where("myself", "ball") == {f"isIn {where}"}


@pytest.mark.parametrize("carried", [False, True])
def test_something_new_may_come_while_something_is_unseen(staged: Staged, carried: bool) -> None:
    """A nameless block appears beside a box with an unseen ball in it: the ball stays in that."""
    play = staged(nursery()).see(box=(0, -0.3, 0.9), ball=(0, -0.3, 0.815)).wait(0.5)
    play.miss("ball").wait(0.6)
    if carried:
        play.move(0.2, "box", (0, -0.2, 0.9))
    play.strangers.append(Unnamed(box(np.full(3, 0.1)), pose_of([0, 0.1, 0.8])))
    play.see(box=(0, -0.18 if carried else -0.3, 0.9)).wait(0.4)
    assert play.where("myself", "ball") == {"isIn box"}


@pytest.mark.parametrize("height", [0.05, 0.1, 0.2])
def test_what_falls_out_of_a_hand_does_not_go_off_with_it(staged: Staged, height: float) -> None:
    """A ball that a hand drops into a box, and that shows for some frames only, is in the box."""
    play = staged(nursery()).see(box=(0, -0.3, 0.9), ball=(0.3, 0, 0.795))
    play.stand("sally", (1.0, -0.3, 1.5), STAGE).wait(0.6)
    play.reach("sally", 0.6, (0.35, 0, 0.83)).wait(0.3)
    over = 1.05 + 0.045 + height
    play.reach("sally", 1.2, (0.35, 0, over + 0.3), (0.05, -0.3, over + 0.035), carries="ball")
    play.wait(0.4)
    assert play.holds("myself", "sally isHolding ball")
    for tick in range(1, 12):
        fallen = over - 9.81 * (0.04 * tick) ** 2 / 2
        if fallen < 1.05:
            play.miss("ball")
            break
        play.see(ball=(0, -0.3, fallen)).frame()
    play.wait(0.6).reach("sally", 0.6, (0.8, 0.2, 1.2)).wait(1.0)
    assert play.where("myself", "ball") == {"isIn box"}
    assert not play.holds("myself", "sally isHolding ball")
    mine = [d for _, d in play.told if d.memory == "episodic" and d.model == "myself"]
    told = [fact for each in mine for fact in each.add]
    assert [fact.split()[2] for fact in told if " a " in fact] == ["Pick", "Release", "Put"]


def test_what_is_set_down_slowly_is_still_held(staged: Staged) -> None:
    """In the control the hand goes down with the ball, and has it."""
    play = staged(nursery()).see(ball=(0.3, 0, 0.795)).stand("sally", (1.0, -0.3, 1.5), STAGE)
    play.wait(0.6).reach("sally", 0.6, (0.35, 0, 0.83)).wait(0.3)
    play.reach("sally", 0.8, (0.35, 0, 1.2), carries="ball")
    play.reach("sally", 0.5, (0.35, 0, 0.9), carries="ball")
    assert play.holds("myself", "sally isHolding ball")
    assert play.flips("myself", "sally isHolding ball") == 1


def test_a_trip_in_a_box_makes_nothing_less_sure_in_there(staged: Staged) -> None:
    """However far a box is carried, what lies in it is sure to be between its walls."""
    play = carried(staged(nursery()), 0.4, 1.1)
    mind = play.reasoner.mind("myself")
    sigma = np.sqrt(np.diagonal(mind.world.cov[mind.roster.row["ball"]]))
    assert sigma[:3].max() < (0.13 - 0.045) / 3


@pytest.mark.parametrize("has_floor", [True, False])
def test_what_stands_on_what_nobody_knows_stays(staged: Staged, has_floor: bool) -> None:
    """A bin with a ball in it, out of sight for a while, stays where it is without a floor, too."""
    document = workshop()
    entities = document["entities"]
    assert isinstance(entities, dict)
    if not has_floor:
        del entities["floor"]
    play = staged(document).see(box=(-0.75, 0, 0.15), ball=(-0.75, 0, 0.06)).wait(1.0)
    there = dict(play.things)
    play.miss("box", "ball").wait(0.5)
    for name, percept in there.items():
        assert believed(play, name) == pytest.approx(percept.pose, abs=0.005)
    play.see(**{name: percept.pose for name, percept in there.items()}).wait(1.0)
    assert play.where("myself", "ball") == {"isIn box"}
    assert doings(play, "Release") == set()


def test_a_percept_ends_what_an_explanation_was_sought_for(staged: Staged) -> None:
    """A thing that was late and came again is not let go for that time when it is hidden later."""

    def pushed(late: float) -> int:
        play = staged(desk()).see(bucket=(0, 0.2, 0.875), ball=(0, 0.4, 0.79)).wait(0.6)
        ball = play.things["ball"].pose
        play.miss("ball").wait(late).see(ball=ball).wait(0.6)
        play.see(carton=(-0.15, 0.4, 0.95)).miss("ball").wait(0.6)
        before = play.reasoner.steps
        play.see(bucket=(0, 0.23, 0.875)).frame().frame()
        return play.reasoner.steps - before

    assert pushed(0.12) == pushed(0.0)


def lowered(play: Play, late: int) -> Play:
    """Sally sets a cup down, 25 cm in 0.6 s; the hand is perceived some frames late."""
    play.see(cup=(0.3, 0, 0.8)).stand("sally", (1.0, 0.3, 1.5), STAGE).wait(0.6)
    play.reach("sally", 0.6, (0.36, 0, 0.82)).wait(0.3)
    play.reach("sally", 0.8, (0.36, 0, 1.07), carries="cup").wait(0.4)
    heights = [*np.linspace(1.05, 0.8, 16), *[0.8] * 10]
    for tick, height in enumerate(heights):
        hand = heights[max(tick - late, 0)] + 0.02
        play.see(cup=(0.3, 0, height))
        play.people["sally"]["right_hand"] = pose_of([0.36, 0, hand])
        play.frame()
    return play.wait(0.6)


@pytest.mark.parametrize("late", [0, 1, 2])
def test_a_hand_that_is_perceived_late_drops_nothing(staged: Staged, late: int) -> None:
    """What is set down at a usual pace is placed and not let go, though its hand comes late."""
    play = lowered(staged(desk()), late)
    done = [d for _, d in play.told if d.memory == "episodic" and d.model == "myself"]
    told = [fact.split()[2] for each in done for fact in each.add if " a " in fact]
    assert told == ["Pick", "Place"]


def test_what_nobody_tracked_has_hold_of_does_not_fall_when_it_blinks(staged: Staged) -> None:
    """A ball in the air, in a hand that nobody perceives, is where it was after half a second."""
    play = staged(desk()).see(ball=(0, 0.3, 1.2)).wait(1.0).miss("ball").wait(0.48)
    placed = play.reasoner.placed("myself")["ball"].pose
    assert placed is not None
    assert placed[2] == pytest.approx(1.2, abs=0.005)
    play.see(ball=(0, 0.3, 1.2)).wait(0.6)
    assert not any(" a Release" in fact for _, d in play.told for fact in d.add)
    assert play.flips("myself", "ball isOn table") == 0


def put_in(play: Play) -> Play:
    """Sally lowers a ball to the floor of a box that nobody can look into, and lets go of it."""
    play.see(box=(0, -0.3, 0.9), ball=(0.3, 0, 0.795)).stand("sally", (1.0, -0.3, 1.5), STAGE)
    play.wait(0.6).reach("sally", 0.6, (0.35, 0, 0.83)).wait(0.3)
    play.reach("sally", 1.0, (0.35, 0, 1.35), (0.05, -0.3, 1.25), carries="ball")
    play.reach("sally", 0.2, (0.05, -0.3, 1.12), carries="ball")
    return play.miss("ball").reach("sally", 0.4, (0.05, -0.3, 0.86)).wait(0.1)


@pytest.mark.parametrize("rate", [12.5, 25, 50])
def test_what_was_just_put_into_a_box_goes_along(
    staged: Staged, sight: CloseUpSight, rate: float
) -> None:
    """The box is lifted as soon as the hand is out of it: the ball is in it, and in no hand."""
    play = put_in(staged(nursery())).reach("sally", 0.3, (0.05, -0.3, 1.2))
    play.reach("sally", 0.2, (0.4, -0.3, 1.2)).move(0.4, "box", (0, -0.3, 1.1)).wait(0.4)
    play.move(0.6, "box", (0, 0.2, 1.1)).wait(1.2)
    told = replayed(play.recording.scene, RATES[rate](play.recording.frames), sight)
    held = folded([delta for _, delta in told], {})["myself"]
    assert {"ball isIn box", "ball isCarriedIn box"} <= held
    assert not any(fact.startswith("ball isInHand") for fact in held)


def test_what_a_hand_left_in_a_box_is_hidden_by_that(staged: Staged) -> None:
    """It was put there, once; that it is not perceived is due to the box, and not to the hand."""
    play = put_in(staged(nursery()))
    play.reach("sally", 0.5, (0.05, -0.3, 1.3), (0.6, 0.1, 1.2)).wait(2.0)
    assert play.holds("myself", "ball isOccludedBy box")
    assert not play.holds("myself", "ball hasFallenFrom sally_right_hand")
    assert (len(doings(play, "Put")), len(doings(play, "Release"))) == (1, 0)


def test_what_a_hand_takes_out_again_is_in_it(staged: Staged) -> None:
    """In the control the hand comes out with the ball, and the box is lifted without it."""
    play = put_in(staged(nursery())).reach("sally", 0.3, (0.05, -0.3, 1.2))
    play.see(ball=play.people["sally"]["right_hand"][:3] - np.array([0.05, 0, 0.035]))
    play.reach("sally", 0.3, (0.4, -0.3, 1.2), carries="ball").wait(0.2)
    play.move(0.4, "box", (0, -0.3, 1.1)).wait(0.6)
    assert play.holds("myself", "sally isHolding ball")
    assert "isIn box" not in play.where("myself", "ball")


@pytest.mark.parametrize("rate", [12.5, 25, 50])
def test_who_only_reaches_into_a_box_puts_nothing_there(
    staged: Staged, sight: CloseUpSight, rate: float
) -> None:
    """A hand that comes out with what it went in with has had it all the time."""
    play = put_in(staged(nursery())).wait(0.6).reach("sally", 0.3, (0.05, -0.3, 1.2))
    play.see(ball=play.people["sally"]["right_hand"][:3] - np.array([0.05, 0, 0.035]))
    play.reach("sally", 0.4, (0.4, -0.3, 1.3), carries="ball").wait(0.6)
    told = [d for _, d in replayed(play.recording.scene, RATES[rate](play.recording.frames), sight)]
    mine = [d for d in told if d.memory == "episodic" and d.model == "myself"]
    assert [f.split()[2] for d in mine for f in d.add if " a " in f] == ["Pick"]
    assert "sally isHolding ball" in folded(told, {})["myself"]


@pairwise(seed=[None, 1], rate=[12.5, 25, 50])
def test_what_stands_in_a_box_that_slides_hardly_slips(
    staged: Staged, sight: CloseUpSight, rate: float, seed: int | None
) -> None:
    """Pushed along by 60 cm at 10 cm/s, a box takes along what stands in it, within 3 cm."""
    play = staged(nursery()).see(box=(0, -0.3, 0.9), ball=(0.05, -0.3, 0.815)).wait(1.0)
    play.miss("ball")
    if seed is not None:
        chance = np.random.default_rng(seed)
        play.shake(lambda pose: jittered(pose, chance))
    play.wait(1.0).move(6.0, "box", (0, 0.3, 0.9)).wait(0.6)
    reasoner = SpatialReasoner(play.recording.scene, sight)
    for frame in RATES[rate](play.recording.frames):
        reasoner.tick(frame)
    ball, around = (reasoner.placed("myself")[name].pose for name in ("ball", "box"))
    assert ball is not None
    assert around is not None
    assert np.linalg.norm((ball - around)[:2]) < 0.13
    assert ball[2] == pytest.approx(0.815, abs=0.01)
    reasoner.close()


@pytest.mark.parametrize("rate", [12.5, 25, 50])
def test_what_is_let_go_just_over_a_rim_is_in_the_box(
    staged: Staged, sight: CloseUpSight, rate: float
) -> None:
    """A ball that falls out of sight within two frames is in the box, not in the hand."""
    play = staged(nursery()).see(box=(0, -0.3, 0.9), ball=(0.3, 0, 0.795))
    play.stand("sally", (1.0, -0.3, 1.5), STAGE).wait(0.6).reach("sally", 0.6, (0.35, 0, 0.83))
    play.wait(0.3).reach("sally", 1.2, (0.35, 0, 1.35), (0.05, -0.3, 1.14), carries="ball")
    play.wait(0.4).miss("ball").wait(0.2).reach("sally", 0.5, (0.6, 0.1, 1.2)).wait(1.6)
    told = replayed(play.recording.scene, RATES[rate](play.recording.frames), sight)
    held = folded([delta for _, delta in told], {})["myself"]
    assert "ball isIn box" in held
    assert not any(fact.startswith("ball isInHand") for fact in held)


@pairwise(seed=[None, 1, 2, 3], rate=[12.5, 25, 50])
def test_what_is_in_a_small_jar_stays_in_it_when_that_is_lifted(
    staged: Staged, sight: CloseUpSight, rate: float, seed: int | None
) -> None:
    """Lifted by 15 cm in 0.4 s, gently at both ends, at any rate, and with noise."""
    play = staged(workshop()).see(jar=(0, 0, 0.85), ball=(0, 0, 0.81)).wait(1.0).miss("ball")
    if seed is not None:
        chance = np.random.default_rng(seed)
        play.shake(lambda pose: jittered(pose, chance))
    play.wait(1.0)
    for k in range(1, 11):
        play.see(jar=(0, 0, 0.85 + 0.15 * (1 - np.cos(np.pi * k / 10)) / 2)).frame()
    play.wait(0.6)
    told = [d for _, d in replayed(play.recording.scene, RATES[rate](play.recording.frames), sight)]
    assert "ball isIn jar" in folded(told, {})["myself"]
    assert sum("ball isIn jar" in delta.add for delta in told if delta.model == "myself") == 1
