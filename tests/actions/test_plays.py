"""Actions in plays: what the real reasoner tells of them, in whose models, and in what order."""

import numpy as np
import pytest

from spatial_reasoner.geometry.poses import pose_of
from spatial_reasoner.geometry.shapes import sphere
from spatial_reasoner.relations.relations import NOWHERE, innermost
from spatial_reasoner.sight.close_ups import CloseUpSight
from spatial_reasoner.values.delta import BeliefDelta
from spatial_reasoner.values.frames import Unnamed
from tests.actions.staging import (
    ANNE,
    ASIDE,
    AT_CUP,
    CUP,
    SALLY,
    STAGE,
    UP,
    at_cup,
    jittered,
    kinds,
    thinned,
    worded,
)
from tests.physics.plays.rooms import kitchen
from tests.plays.conftest import Staged
from tests.plays.play import STEP, Facts, Play, folded
from tests.plays.replays import as_by_camera, replayed
from tests.plays.rooms import desk, nursery
from tests.plays.stories import STORIES
from tests.trials import pairwise


def actions(play: Play, model: str = "myself") -> list[str]:
    """What a mind was told of actions, each in one line without its times."""
    return worded(play.told, model)


def of(play: Play, name: str) -> BeliefDelta:
    """What the robot was told of one action."""
    ours = [delta for _, delta in play.told if delta.model == "myself"]
    [delta] = [delta for delta in ours if any(fact.startswith(f"{name} a ") for fact in delta.add)]
    return delta


def lasted(play: Play, name: str) -> tuple[float, float]:
    """When an action began and ended."""
    times = {fact.split()[1]: fact.split('"')[1] for fact in of(play, name).add if "Time" in fact}
    return float(times["startTime"]), float(times["endTime"])


def descend(play: Play, height: float, seconds: float) -> Play:
    """A hand that rests above a cup comes down to it, as smoothly as people move."""
    frames = round(seconds / STEP)
    for frame in range(1, frames + 1):
        u = frame / frames
        share = u**3 * (10 - 15 * u + 6 * u**2)
        play.people["sally"]["right_hand"] = pose_of([0.2, 0.5, 0.86 + height * (1 - share)])
        play.frame()
    return play.wait(0.6)


@pytest.mark.parametrize(
    ("height", "seconds"), [(0.15, 0.72), (0.15, 1.2), (0.25, 0.52), (0.25, 1.2), (0.4, 0.6)]
)
@pytest.mark.parametrize("seed", [None, 1, 2])
def test_a_hand_from_above_is_told_to_come_before_it_holds(
    staged: Staged, height: float, seconds: float, seed: int | None
) -> None:
    """However short its way was, the hand moves toward the cup, then has it, and moves toward it
    no more; noise changes nothing of that."""
    play = staged(desk()).see(cup=CUP)
    play.stand("sally", SALLY, STAGE, right_hand=(0.2, 0.5, 0.86 + height))
    if seed is not None:
        noise = np.random.default_rng(seed)
        play.shake(lambda pose: jittered(noise, pose))
    descend(play.wait(1.0), height, seconds)
    told = [(t, d) for t, d in play.told if d.model == "myself"]
    toward, held = "sally_right_hand hasHandMovingToward cup", "cup isInHand sally_right_hand"
    begins = [t for t, d in told if toward in d.add]
    ends = [t for t, d in told if toward in d.retract]
    taken = [t for t, d in told if held in d.add]
    assert begins
    assert taken
    assert begins[0] < taken[0]
    assert ends[-1] <= taken[0]


def test_a_hand_picks_and_places(staged: Staged) -> None:
    """A cup that a hand takes up and sets down elsewhere is picked, then placed."""
    play = at_cup(staged(desk()))
    lifted = play.now
    play.reach("sally", 1.6, UP, (0.25, -0.3, 1.12), (0.25, -0.3, 0.82), carries="cup")
    placed = play.now
    play.wait(0.4).reach("sally", 0.6, (0.25, -0.3, 1.2), ASIDE).wait(0.6)
    for model in ("myself", "sally"):
        assert actions(play, model) == [
            "pick_1 actsOnObject cup fromLocation table performedBy sally",
            "place_1 actsOnObject cup performedBy sally toLocation table",
        ]
    start, end = lasted(play, "pick_1")
    assert lifted - STEP <= start < end < lifted + 0.4
    start, end = lasted(play, "place_1")
    assert placed - 0.2 < start < end < placed + 0.2


def test_what_passes_away_is_episodic(staged: Staged) -> None:
    """An action is an individual of its kind with its roles and times, in the episodic memory."""
    play = at_cup(staged(desk())).reach("sally", 0.6, UP, carries="cup").wait(0.4)
    told = of(play, "pick_1")
    assert told.memory == "episodic"
    assert {fact for fact in told.add if "Time" not in fact} == {
        "pick_1 a Pick",
        "pick_1 actsOnObject cup",
        "pick_1 fromLocation table",
        "pick_1 performedBy sally",
    }
    assert sum("Time" in fact for fact in told.add) == 2


def test_a_lift_of_two_centimetres_is_no_pick(staged: Staged) -> None:
    """A cup that is lifted by 2 cm, held there, and set down again was not picked."""
    play = at_cup(staged(desk())).reach("sally", 0.3, (0.25, 0.5, 0.84), carries="cup").wait(1.0)
    play.reach("sally", 0.3, AT_CUP, carries="cup").wait(0.3)
    play.reach("sally", 0.8, ASIDE).wait(1.0)
    assert actions(play) == []


@pytest.mark.parametrize("seed", [None, 1, 2])
def test_a_dip_to_two_centimetres_is_no_place(staged: Staged, seed: int | None) -> None:
    """A picked cup that is lowered to 2 cm above the table, and raised again, was not put down."""
    play = at_cup(staged(desk()))
    if seed is not None:
        random = np.random.default_rng(seed)
        play.shake(lambda pose: jittered(random, pose))
    play.reach("sally", 0.6, UP, carries="cup").wait(0.5)
    play.reach("sally", 0.8, (0.25, 0.5, 0.84), carries="cup").wait(0.5)
    play.reach("sally", 0.5, UP, carries="cup").wait(0.8)
    assert kinds(play.told) == ["pick"]


@pairwise(every=[slice(0, None), slice(0, None, 2), slice(1, None, 2)], seed=[None, 1, 2])
def test_a_fall_of_eight_centimetres_is_a_release(
    staged: Staged, sight: CloseUpSight, seed: int | None, every: slice
) -> None:
    """Though it is over before the next percept when a camera tells of 12.5 frames a second."""
    play = at_cup(staged(desk()))
    if seed is not None:
        random = np.random.default_rng(seed)
        play.shake(lambda pose: jittered(random, pose))
    play.reach("sally", 0.6, (0.25, 0.5, 0.9), carries="cup").wait(0.6)
    falls(play, "cup", 0.8).reach("sally", 0.6, ASIDE).wait(0.6)
    told = thinned(play, sight, every)
    assert kinds(told) == ["pick", "release", "place"]


@pytest.mark.parametrize("seed", range(4))
def test_what_seems_to_hang_is_not_set_down(staged: Staged, seed: int) -> None:
    """A cup perceived 42 mm above the table, give or take 4 mm: no verdict on it is an action."""
    random = np.random.default_rng(seed)
    play = staged(desk()).see(cup=(0.2, 0.5, 0.842))
    play.shake(lambda pose: np.concatenate([pose[:3] + random.normal(0, 0.004, 3), pose[3:]]))
    assert actions(play.wait(20.0)) == []


@pairwise(after=[0.0, 0.12, 0.24], gap=[0.24, 0.4, 0.6], every=[slice(0, None), slice(0, None, 2)])
def test_what_an_arm_is_before_for_a_moment_stays(
    staged: Staged, sight: CloseUpSight, after: float, gap: float, every: slice
) -> None:
    """A cup that was set down, and is not perceived while the hand goes away, was not taken again,
    in nobody's mind."""
    random = np.random.default_rng(1)
    play = at_cup(staged(desk())).shake(lambda pose: jittered(random, pose))
    play.reach("sally", 0.6, UP, carries="cup").wait(0.3)
    play.reach("sally", 0.6, AT_CUP, carries="cup").wait(0.2)
    cup, way = play.things["cup"], round(0.8 / STEP)
    for k in range(way):
        play.miss("cup") if k == round(after / STEP) else None
        if k == round((after + gap) / STEP):
            play.things["cup"] = cup
        done = (k + 1) / way
        place = np.array(AT_CUP) + done * (np.array(ASIDE) - AT_CUP)
        play.people["sally"]["right_hand"] = pose_of(place.tolist())
        play.frame()
    play.things["cup"] = cup
    play.wait(1.0)
    told = thinned(play, sight, every)
    for model in ("myself", "sally"):
        assert [each.split("_")[0] for each in worded(told, model)] == ["pick", "place"]


@pairwise(seed=[None, 1], every=[slice(0, None), slice(0, None, 2)])
def test_what_a_rim_half_hides_was_put_once(
    staged: Staged, sight: CloseUpSight, seed: int | None, every: slice
) -> None:
    """A cup set down in a low box, and lost there by the camera, stays there when the hand goes."""
    play = staged(kitchen(0.12, "sally")).see(tray=(0, -0.3, 0.81), cup=CUP)
    play.stand("sally", SALLY, STAGE)
    if seed is not None:
        random = np.random.default_rng(seed)
        play.shake(lambda pose: jittered(random, pose))
    play.wait(1.0).reach("sally", 0.8, AT_CUP).wait(0.3)
    over, down = (-0.04, -0.3, 1.1), (-0.04, -0.3, 0.83)
    play.reach("sally", 1.2, UP, over, carries="cup").reach("sally", 0.6, down, carries="cup")
    play.wait(0.4).miss("cup").reach("sally", 0.8, over, ASIDE).wait(3.0)
    told = thinned(play, sight, every)
    assert kinds(told) == ["pick", "put"]
    facts: Facts = {}
    folded([delta for _, delta in told], facts)
    assert {"cup isIn tray", "cup isOccludedBy tray"} <= facts["myself"]


def test_a_slide_is_no_pick(staged: Staged) -> None:
    """A cup that a hand pushes over the table is in it, and moves, and is not picked."""
    play = at_cup(staged(desk())).reach("sally", 1.5, (0.25, -0.4, 0.82), carries="cup").wait(0.4)
    assert play.flips("myself", "cup isInHand sally_right_hand") == 1
    play.reach("sally", 0.6, ASIDE).wait(1.0)
    assert actions(play) == []


def test_two_picks_in_one_second_are_two(staged: Staged) -> None:
    """Up, down and up again within a second is told as a Pick, a Place and a Pick."""
    play = at_cup(staged(desk()))
    begun = play.now
    play.reach("sally", 0.28, (0.25, 0.5, 0.97), carries="cup")
    play.reach("sally", 0.24, AT_CUP, carries="cup").wait(0.2)
    play.reach("sally", 0.24, (0.25, 0.5, 0.97), carries="cup")
    assert play.now - begun <= 1.0
    play.wait(0.6)
    assert [each.split()[0] for each in actions(play)] == ["pick_1", "place_1", "pick_2"]


def test_two_things_are_two_picks(staged: Staged) -> None:
    """Each hand picks what it takes."""
    play = staged(desk()).see(cup=CUP, ball=(0.2, -0.5, 0.79)).stand("sally", SALLY, STAGE)
    play.stand("anne", ANNE, STAGE).wait(1.0)
    play.reach("sally", 0.6, AT_CUP).reach("anne", 0.6, (0.25, -0.5, 0.82)).wait(0.3)
    play.reach("sally", 0.36, UP, carries="cup")
    play.reach("anne", 0.36, (0.25, -0.5, 1.12), carries="ball").wait(0.5)
    assert actions(play) == [
        "pick_1 actsOnObject cup fromLocation table performedBy sally",
        "pick_2 actsOnObject ball fromLocation table performedBy anne",
    ]


def test_a_handover_is_one(staged: Staged) -> None:
    """A cup that goes from hand to hand is handed over: nobody places or picks it meanwhile."""
    play = at_cup(staged(desk()), anne=True)
    play.reach("sally", 1.2, UP, (0.5, 0, 1.2), carries="cup").wait(0.3)
    play.reach("anne", 0.8, (0.4, 0, 1.2)).wait(0.3)
    play.reach("sally", 0.6, (0.9, 0.3, 1.1)).wait(0.3)
    play.reach("anne", 1.2, (0.4, -0.5, 1.2), (0.4, -0.5, 0.82), carries="cup").wait(0.3)
    assert actions(play) == [
        "pick_1 actsOnObject cup fromLocation table performedBy sally",
        "handover_1 actsOnObject cup performedBy sally receivedBy anne",
        "place_1 actsOnObject cup performedBy anne toLocation table",
    ]


def falls(play: Play, thing: str, bottom: float) -> Play:
    """A thing is perceived to fall until its middle is at a height."""
    x, y, z = play.things[thing].pose[:3]
    after = 0.0
    while z - 4.905 * after**2 > bottom:
        play.see(**{thing: (x, y, z - 4.905 * after**2)}).frame()
        after += STEP
    return play.see(**{thing: (x, y, bottom)}).wait(0.8)


@pytest.mark.parametrize("is_over", [True, False])
def test_what_is_dropped_is_released_and_comes_to_rest(staged: Staged, is_over: bool) -> None:
    """A ball that falls out of a hand into a bucket, or on the floor, is let go, then at rest."""
    play = staged(desk()).see(ball=(0.2, 0.5, 0.79), bucket=(0, -0.4, 0.875))
    play.stand("sally", SALLY, STAGE).wait(1.0).reach("sally", 0.8, (0.25, 0.5, 0.82)).wait(0.3)
    goal = (0.05, -0.4, 1.23) if is_over else (0.65, 0.4, 1.1)
    play.reach("sally", 1.6, (0.25, 0.5, 1.23), goal, carries="ball").wait(0.4)
    assert [each.split()[0] for each in actions(play)] == ["pick_1"]
    let_go = play.now
    falls(play, "ball", 0.82 if is_over else 0.04)
    end = "put_1" if is_over else "place_1"
    place = "bucket" if is_over else "floor"
    for model in ("myself", "sally"):
        assert actions(play, model)[1:] == [
            "release_1 actsOnObject ball performedBy sally",
            f"{end} actsOnObject ball performedBy sally toLocation {place}",
        ]
    assert lasted(play, "release_1")[0] == pytest.approx(let_go, abs=0.1)
    assert lasted(play, end)[1] == pytest.approx(let_go + 0.4, abs=0.25)


@pytest.mark.parametrize("is_pushed", [True, False])
def test_what_falls_off_the_table_is_not_picked(staged: Staged, is_pushed: bool) -> None:
    """A ball that rolls over the edge, or is pushed there by a hand, is not picked, nor placed."""
    play = staged(desk()).see(ball=(0.2, 0.5, 0.79)).stand("sally", SALLY, STAGE).wait(1.0)
    if is_pushed:
        play.reach("sally", 0.8, (0.14, 0.5, 0.8)).wait(0.3)
        play.reach("sally", 1.0, (0.46, 0.5, 0.8), carries="ball")
        assert play.holds("myself", "ball isInHand sally_right_hand")
    else:
        play.move(1.0, "ball", (0.52, 0.5, 0.79))
    falls(play, "ball", 0.04)
    assert play.where("myself", "ball") == {"isOn floor"}
    assert actions(play) == []


@pairwise(seed=[None, 1, 2], every=[slice(0, None), slice(0, None, 2)])
def test_what_is_pushed_off_the_far_edge_does_not_come_back(
    staged: Staged, sight: CloseUpSight, seed: int | None, every: slice
) -> None:
    """The robot sees hardly any of the fall; the hand that pushed comes back without the cup."""
    play = staged(desk()).see(cup=(0.3, 0.3, 0.8)).stand("sally", (-0.8, 0.3, 1.5), STAGE)
    if seed is not None:
        random = np.random.default_rng(seed)
        play.shake(lambda pose: jittered(random, pose))
    play.wait(1.0).reach("sally", 0.8, (0.24, 0.3, 0.82)).wait(0.3)
    play.reach("sally", 0.8, (0.45, 0.3, 0.82), carries="cup")
    for drop in (0.008, 0.031):
        play.see(cup=(0.515 + drop, 0.3, 0.8 - drop))
        play.reach("sally", STEP, (0.45 - 2 * drop, 0.3, 0.82 + drop))
    play.miss("cup").reach("sally", 0.6, (0.0, 0.3, 0.95)).wait(2.0)
    told = thinned(play, sight, every)
    facts: Facts = {}
    folded([delta for _, delta in told], facts)
    assert kinds(told) == []
    assert "cup isOn floor" in facts["myself"]
    assert {f for f in facts["myself"] if f.startswith("cup hasFallenFrom")}


def test_noise_for_a_minute_is_no_action(staged: Staged) -> None:
    """A minute of 1.5 mm and 2° tells of no action, of things on, in, and in a hand."""
    random = np.random.default_rng(5)
    play = staged(desk()).see(cup=CUP, ball=(0, -0.4, 0.82), bucket=(0, -0.4, 0.875))
    play.see(carton=(-0.2, 0, 0.95))
    play.stand("sally", SALLY, STAGE, right_hand=AT_CUP).shake(lambda pose: jittered(random, pose))
    play.wait(60.0)
    assert play.holds("myself", "cup isInHand sally_right_hand")
    assert play.holds("myself", "ball isIn bucket")
    assert actions(play) == []
    play.reach("sally", 0.6, UP, carries="cup").wait(20.0)
    assert [each.split()[0] for each in actions(play)] == ["pick_1"]


@pytest.mark.parametrize("watches", [True, False])
def test_who_looked_away_knows_of_nothing(staged: Staged, watches: bool) -> None:
    """Anne's model has the Pick if she saw it, and not if she looked away; Sally's has it."""
    play = staged(desk(depth=2)).stand("anne", (-0.9, -0.6, 1.5), STAGE)
    at_cup(play)
    if not watches:
        play.look("anne", (-5, 0, 1.5)).wait(0.8)
    play.reach("sally", 0.6, UP, carries="cup").wait(0.6)
    told = ["pick_1 actsOnObject cup fromLocation table performedBy sally"]
    assert actions(play) == actions(play, "sally") == told
    seen = told if watches else []
    for model in ("anne", "sally.anne", "anne.sally"):
        assert actions(play, model) == seen


def test_who_was_away_knows_of_nothing(staged: Staged) -> None:
    """Whoever has left is told of none of what Anne does then, and Anne is."""
    play = staged(nursery())
    STORIES["sally and anne"].act(play)
    first = ["pick_1", "put_1"]
    both = [*first, "pick_2", "put_2"]
    assert [each.split()[0] for each in actions(play)] == both
    assert [each.split()[0] for each in actions(play, "anne")] == both
    assert [each.split()[0] for each in actions(play, "sally")] == first
    assert actions(play)[1] == "put_1 actsOnObject ball performedBy sally toLocation basket"
    assert actions(play)[2] == "pick_2 actsOnObject ball fromLocation basket performedBy anne"


@pytest.mark.parametrize("name", ["sally and anne", "john peeks"])
def test_a_camera_that_can_not_see_into_a_basket_tells_the_same(
    staged: Staged, sight: CloseUpSight, name: str
) -> None:
    """What a hand leaves in a basket unseen was put there, by the same, a second later at most."""
    play = staged(STORIES[name].room())
    STORIES[name].act(play)
    scene, frames = play.recording.scene, play.recording.frames
    told = replayed(scene, as_by_camera(scene, frames, sight), sight)
    by_camera = [(t, d) for t, d in told if d.model == "myself" and d.memory == "episodic"]
    plainly = [(t, d) for t, d in play.told if d.model == "myself" and d.memory == "episodic"]
    for (late, one), (t, other) in zip(by_camera, plainly, strict=True):
        assert [f for f in one.add if "Time" not in f] == [f for f in other.add if "Time" not in f]
        assert late - t < 1.6


@pytest.mark.parametrize("is_two", [False, True])
def test_of_two_candidates_none_is_said(staged: Staged, is_two: bool) -> None:
    """A cup rises with hands 15 cm from it: of one it is said to have done it, of two of none."""
    play = staged(desk()).see(cup=CUP).stand("sally", SALLY, STAGE, right_hand=(0.4, 0.5, 0.82))
    if is_two:
        play.stand("anne", ANNE, STAGE, right_hand=(0.0, 0.5, 0.82))
    play.wait(1.0).move(0.6, "cup", (0.2, 0.5, 1.1)).wait(0.6)
    who = "" if is_two else " performedBy sally"
    assert actions(play) == [f"pick_1 actsOnObject cup fromLocation table{who}"]


@pytest.mark.parametrize("seed", range(3))
def test_a_hand_that_stays_took_nothing(staged: Staged, seed: int) -> None:
    """Two hands are just so near that either may seem to have the cup; it goes up without them."""
    random = np.random.default_rng(seed)
    play = staged(desk()).see(cup=CUP).shake(lambda pose: jittered(random, pose))
    play.stand("sally", SALLY, STAGE, right_hand=(0.2, 0.62, 0.9))
    play.stand("anne", ANNE, STAGE, right_hand=(0.32, 0.5, 0.9))
    play.wait(1.0).move(0.7, "cup", (0.2, 0.5, 1.1)).wait(0.6)
    assert actions(play) == ["pick_1 actsOnObject cup fromLocation table"]


@pytest.mark.parametrize("seconds", [0.2, 0.3, 0.5, 1.0])
def test_the_facts_of_a_pick_come_in_order(staged: Staged, seconds: float) -> None:
    """A hand moves toward a cup, has it, then that is off the table, then picked: in each model."""
    play = staged(desk()).see(cup=CUP).stand("sally", SALLY, STAGE).wait(1.0)
    play.reach("sally", 0.8, AT_CUP).reach("sally", seconds, UP, carries="cup").wait(0.6)
    for model in ("myself", "sally"):
        moves, held, off, picked = order(play, model)
        assert moves < held < off < picked


def order(play: Play, model: str) -> list[int]:
    """Which deltas of a model tell of the steps of a pick, by their numbers."""
    steps = (
        ("add", "sally_right_hand hasHandMovingToward cup"),
        ("add", "cup isInHand sally_right_hand"),
        ("retract", "cup isOn table"),
        ("add", "pick_1 a Pick"),
    )
    deltas = [delta for _, delta in play.told if delta.model == model]
    return [
        next(n for n, delta in enumerate(deltas) if fact in getattr(delta, op))
        for op, fact in steps
    ]


@pytest.mark.parametrize("late", [0.0, 0.08])
def test_what_a_hand_snatches_is_in_it_first(staged: Staged, late: float) -> None:
    """Be the hand perceived at the cup only after that went up, isInHand comes before isOn goes."""
    play = staged(desk()).see(cup=CUP)
    play.stand("sally", SALLY, STAGE, right_hand=(0.4, 0.5, 0.9)).wait(1.0)
    play.see(cup=(0.2, 0.5, 0.9))
    play.wait(late).stand("sally", SALLY, STAGE, right_hand=(0.25, 0.5, 0.92)).wait(0.6)
    deltas = [delta for _, delta in play.told if delta.model == "myself"]
    held = next(n for n, d in enumerate(deltas) if "cup isInHand sally_right_hand" in d.add)
    off = next(n for n, d in enumerate(deltas) if "cup isOn table" in d.retract)
    assert held < off


def test_hands_may_pick_and_put(staged: Staged) -> None:
    """An empty hand near a cup may pick it; with the cup over a bucket, it may put it in there."""
    play = staged(desk()).see(cup=CUP, bucket=(0, -0.4, 0.875)).stand("sally", SALLY, STAGE).wait(1)
    assert not play.about("myself", "mayPick")
    play.reach("sally", 0.8, (0.4, 0.5, 0.85)).wait(0.4)
    for model in ("myself", "sally"):
        assert play.about(model, "mayPick") == {"sally_right_hand mayPick cup"}
    play.reach("sally", 0.4, AT_CUP).wait(0.3)
    assert not play.about("myself", "mayPick")
    play.reach("sally", 1.2, UP, (0.05, -0.4, 1.2), carries="cup").wait(0.4)
    for model in ("myself", "sally"):
        assert play.about(model, "mayPutInto") == {"sally_right_hand mayPutInto bucket"}
        assert not play.about(model, "mayPick")
    play.reach("sally", 0.6, (0.25, 0.3, 1.2), carries="cup").wait(0.4)
    assert not play.about("myself", "mayPutInto")


def test_what_is_recognised_in_the_hand_is_the_same_thing(staged: Staged) -> None:
    """A stranger is picked; recognised while it is up, it is that thing which is placed."""
    play = staged(desk()).stand("sally", SALLY, STAGE)
    play.strangers.append(Unnamed(sphere(0.04), pose_of([0.2, 0.5, 0.79])))
    play.wait(1.0).reach("sally", 0.8, (0.25, 0.5, 0.82)).wait(0.3)
    for height in np.linspace(0, 0.3, 15):
        lifted(play, height)
    play.wait(0.3).strangers.clear()
    play.see(ball=(0.2, 0.5, 1.09)).wait(0.4)
    play.reach("sally", 0.8, (0.25, 0.5, 0.82), carries="ball").wait(0.4)
    assert actions(play) == [
        "pick_1 actsOnObject unnamed_1 fromLocation table performedBy sally",
        "place_1 actsOnObject ball performedBy sally toLocation table",
    ]


def lifted(play: Play, height: float) -> None:
    """One frame of the stranger and Sally's hand that much higher."""
    play.strangers[:] = [Unnamed(sphere(0.04), pose_of([0.2, 0.5, 0.79 + height]))]
    play.people["sally"]["right_hand"] = pose_of([0.25, 0.5, 0.82 + height])
    play.frame()


def test_a_thing_in_a_cup_in_a_bucket_is_in_the_cup() -> None:
    """Of several containers the innermost counts, however they are numbered."""
    inside = np.zeros((4, 4), dtype=bool)
    inside[0, 1] = inside[0, 2] = inside[2, 1] = True
    assert innermost(inside).tolist() == [2, NOWHERE, 1, NOWHERE]
    assert innermost(np.zeros((2, 2), dtype=bool)).tolist() == [NOWHERE, NOWHERE]


def test_no_name_of_an_action_is_that_of_a_thing(staged: Staged) -> None:
    """A scene may have a thing that is called pick_1: the first Pick is then another number."""
    document = desk()
    entities = document["entities"]
    assert isinstance(entities, dict)
    entities["pick_1"] = {"class": "Artifact", "shape": {"sphere": 0.02}}
    play = at_cup(staged(document)).reach("sally", 0.6, UP, carries="cup").wait(0.5)
    assert [each.split()[0] for each in actions(play)] == ["pick_2"]


def test_a_pick_is_told_once(staged: Staged) -> None:
    """What is held up for long, and carried about, was picked once."""
    play = at_cup(staged(desk())).reach("sally", 0.6, UP, carries="cup").wait(5.0)
    play.reach("sally", 3.0, (0.25, -0.5, 1.12), UP, carries="cup").wait(2.0)
    assert [each.split()[0] for each in actions(play)] == ["pick_1"]
