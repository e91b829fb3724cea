"""Reach in whole ticks: what is believed of who reaches what, when it begins, and what it costs."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import pytest

from spatial_reasoner.geometry.poses import pose_of
from spatial_reasoner.geometry.shapes import bin_shape, box, sphere
from spatial_reasoner.reach.reach import Reacher
from spatial_reasoner.scene.scene import Agent, Entity, Scene
from tests.reach.rooms import STEP, Believed, looking, paper_scene, room, running, table, tape
from tests.reach.stage import size

HEAD: Final = looking([-0.75, 0, 1.3], [0, 0, 0.75])
"""Somebody sits at the table, and looks at its middle."""
AWAY: Final = looking([-3, 0, 1.3], [0, 0, 0.75])
OVER: Final = looking([0, 1.8, 1.6], [0, 0, 0.75])
"""The robot looks on from the side."""
ROBOT: Final = Agent("myself", "Robot", head=pose_of(OVER), fov=(1.7, 1.3))
SALLY: Final = Agent("sally", "Human", head=pose_of(HEAD), height=1.7, arm=0.7)
BALL: Final = sphere(0.03)
NEAR: Final = [-0.35, 0.0, 0.78]
FAR: Final = [0.35, 0.0, 0.78]


def ball(at: Sequence[float] | None = None) -> Entity:
    return Entity("ball", "Ball", BALL, pose=None if at is None else pose_of(at))


def many(count: int, middle: float = -0.25) -> list[Entity]:
    """Things all over one side of the table."""
    chance = np.random.default_rng(5)
    places = chance.uniform([middle - 0.15, -0.6], [middle + 0.15, 0.6], (count, 2))
    return [
        Entity(f"ball{k}", "Ball", BALL, pose=pose_of([x, y, 0.78]))
        for k, (x, y) in enumerate(places.tolist())
    ]


def sally_and(*things: Entity) -> Scene:
    return room([table(), *things], [ROBOT, SALLY])


def reacher_of(believed: Believed) -> Reacher:
    """Another reacher with the same rows and tolerances, which remembers nothing."""
    return Reacher(believed.reasoner.roster, believed.reasoner.tolerances)


def reach_facts(believed: Believed, model: str) -> set[str]:
    return {fact for fact in believed.facts[model] if "each" in fact}


def test_the_table_of_the_paper() -> None:
    """Each of two at a table reaches what lies before him, sees all, and is known to (table 1)."""
    with running(paper_scene()) as believed:
        believed.tick()
        reached = {"PINK_BOX": "human", "WHITE_TAPE": "human", "BLACK_TAPE": "myself",
                   "GREY_TAPE": "myself"}  # fmt: skip
        for model in ("myself", "human"):
            for name, who in reached.items():
                can = str(who == model).lower()
                assert (model, f"{name} isReachable {can}") in believed
                other = str(who != model).lower()
                assert (model, f"{name} isReachable {other}") not in believed
            for color in ("WHITE", "BLACK", "GREY"):
                assert (model, f"{color}_TAPE isInFieldOfView true") in believed
                assert (model, f"{color}_TAPE isOn table") in believed
        for name, who in reached.items():
            able = {agent for agent in ("myself", "human")
                   if ("myself", f"{agent} canReach {name}") in believed}  # fmt: skip
            assert able == {who}


def test_who_has_no_arm_reaches_nothing() -> None:
    """Of a robot without an arm nothing is said but that all it knows is out of reach."""
    with running(sally_and(ball(NEAR))) as believed:
        believed.tick(count=4)
        assert reach_facts(believed, "myself") >= {
            "ball isReachable false",
            "table isReachable false",
        }
        assert not {f for f in believed.facts["myself"] if f.startswith("myself canReach")}
        assert ("myself", "sally canReach ball") in believed
        assert ("sally", "ball isReachable true") in believed


def test_who_reaches_something_knows_how_hard_that_is() -> None:
    """It is a tenth more for what lies aside; none is held of what is out of reach."""
    with running(sally_and(ball(NEAR))) as believed:
        believed.tick(count=10)
        assert efforts(believed, "sally") == {"ball reachEffort 0.0"}
        believed.tick({"ball": [-0.3, 0.5, 0.78]}, count=10)
        assert efforts(believed, "sally") == {"ball reachEffort 0.1"}
        assert not efforts(believed, "myself")
        believed.tick({"ball": FAR}, count=10)
        assert not efforts(believed, "sally")


def efforts(believed: Believed, model: str) -> set[str]:
    """What a mind holds of the effort for the ball."""
    return {fact for fact in believed.facts[model] if fact.startswith("ball reachEffort")}


def test_facts_appear_and_end_within_two_fifths_of_a_second() -> None:
    """A ball put near to somebody is soon in her reach, and out of it once it is far away."""
    with running(sally_and(ball())) as believed:
        believed.tick({"ball": FAR}, count=10)
        assert ("sally", "ball isReachable false") in believed
        for at, can in ((NEAR, True), (FAR, False), (NEAR, True)):
            believed.tick({"ball": at}, count=int(0.4 / STEP))
            assert ("sally", f"ball isReachable {str(can).lower()}") in believed
            assert (("myself", "sally canReach ball") in believed) == can


def test_who_steps_up_to_a_table_soon_reaches_what_lies_there() -> None:
    """Of twenty things all are known to be in reach or not 0.4 s after somebody came."""
    scene = sally_and(*many(20))
    with running(scene) as believed, reacher_of(believed) as fresh:
        believed.tick(agents={"sally": {"head": AWAY}}, count=5)
        believed.tick(agents={"sally": {"head": HEAD}}, count=int(0.4 / STEP))
        mind = believed.reasoner.mind("myself")
        can = fresh.reaches(mind, believed.now).can[1]
        told = {name for name in scene.entities if ("myself", f"sally canReach {name}") in believed}
        assert told == {mind.roster.names[row] for row in np.flatnonzero(can).tolist()}
        assert 5 < len(told) < 20


def test_no_tick_takes_many_tries() -> None:
    """However much has changed, a tick tries twelve postures and what one more thing takes."""
    scene = sally_and(*many(25))
    with running(scene) as believed, reacher_of(believed) as reacher:
        mind = believed.reasoner.mind("myself")
        believed.tick(agents={"sally": {"head": AWAY}}, count=2)
        reacher.reaches(mind, believed.now)
        counts = []
        for _ in range(20):
            believed.tick(agents={"sally": {"head": HEAD}})
            before = reacher.tried
            reacher.reaches(mind, believed.now)
            counts.append(reacher.tried - before)
        assert max(counts) <= 12 + 60
        assert sum(counts) > 40
        assert counts[-1] == 0


def test_what_was_lived_through_leaves_no_trace() -> None:
    """After much coming and going the answers are those of one who was never asked before."""
    scene = sally_and(*many(8), Entity("bin", "Bin", bin_shape(size(0.3, 0.3, 0.2), 0.02, 0.02)))
    chance = np.random.default_rng(6)
    names = [f"ball{k}" for k in range(8)]
    with running(scene) as believed:
        for _ in range(2):
            places = chance.uniform([-0.4, -0.5], [0.1, 0.5], (8, 2)).tolist()
            objects = {n: [x, y, 0.78] for n, (x, y) in zip(names, places, strict=True)}
            objects["bin"] = [*chance.uniform(-0.3, 0.3, 2).tolist(), 0.85]
            believed.tick(objects, {"sally": {"head": AWAY}}, count=3)
            believed.tick(objects, {"sally": {"head": HEAD}}, count=15)
            mind = believed.reasoner.mind("myself")
            with reacher_of(believed) as fresh:
                can = fresh.reaches(mind, believed.now).can[1]
            told = {n for n in scene.entities if ("myself", f"sally canReach {n}") in believed}
            assert told == {mind.roster.names[row] for row in np.flatnonzero(can).tolist()}


def test_a_lid_shuts_a_bin_and_opens_it_again() -> None:
    """What a thing's being in reach depends on is noticed: a lid that comes, and one that goes."""
    things = [
        Entity("bin", "Bin", bin_shape(size(0.3, 0.3, 0.2), 0.02, 0.02), is_container=True,
               pose=pose_of([-0.38, 0, 0.85])),
        Entity("lid", "Lid", box(size(0.32, 0.32, 0.02)), is_support=True),
        ball([-0.38, 0, 0.8]),
    ]  # fmt: skip
    with running(sally_and(*things)) as believed:
        for lid, can in (([0, 0.5, 0.76], True), ([-0.38, 0, 0.96], False), ([0, 0.5, 0.76], True)):
            believed.tick({"lid": lid}, count=15)
            assert (("myself", "sally canReach ball") in believed) == can
            assert ("myself", "sally canReach bin") in believed


def test_behind_glass_things_are_seen_and_not_reached() -> None:
    """A pane hides nothing and keeps every hand away."""
    pane = Entity("pane", "Window", box(size(0.01, 1.4, 0.8)), transparent=True, static=True,
                  pose=pose_of([-0.42, 0, 1.15]))  # fmt: skip
    with running(sally_and(ball([-0.3, 0, 0.78]), pane)) as believed:
        believed.tick(count=4)
        assert ("myself", "sally sees ball") in believed
        assert ("sally", "ball isInFieldOfView true") in believed
        assert ("sally", "ball isReachable false") in believed
        assert ("myself", "sally canReach pane") in believed


def test_what_one_holds_is_in_reach() -> None:
    """What is in somebody's own hand is in her reach, wherever trackers say that this hand is."""
    held = {"head": HEAD, "right_hand": [0.3, -0.1, 1.0]}
    with running(sally_and(ball())) as believed:
        believed.tick({"ball": [0.3, -0.1, 0.97]}, {"sally": held}, count=10)
        assert ("myself", "sally isHolding ball") in believed
        assert ("myself", "sally canReach ball") in believed
        believed.tick({"ball": FAR}, {"sally": {"head": HEAD}}, count=60)
        assert ("myself", "sally canReach ball") not in believed


def test_who_is_gone_reaches_nothing() -> None:
    """A second after somebody was perceived last, it is not said any more what she reaches."""
    with running(sally_and(ball(NEAR))) as believed:
        believed.tick(agents={"sally": {"head": HEAD}}, count=10)
        assert ("myself", "sally canReach ball") in believed
        believed.tick({"ball": NEAR}, count=32)
        assert not {f for f in believed.facts["myself"] if "canReach" in f}


@pytest.mark.parametrize("edge", [-0.02, 0.0, 0.02])
def test_noise_makes_no_reach_come_and_go(edge: float) -> None:
    """At the very end of an arm, jitter of 1.5 mm and 2° changes nothing in eight seconds."""
    chance = np.random.default_rng(7)
    reach = np.sqrt(0.7**2 - 0.22**2 - 0.32**2)
    place = np.array([-0.835 + reach + 0.03 + edge, 0.0, 0.78])

    def jittered(pose: Sequence[float]) -> list[float]:
        given = pose_of(pose)
        turn = np.append(chance.normal(0, np.radians(2) / 2, 3), 1.0)
        given[:3] += chance.normal(0, 0.0015, 3)
        given[3:] = given[3:] + np.array([turn[0], turn[1], turn[2], 0])
        noisy: list[float] = given.tolist()
        return noisy

    blind = Agent("sally", "Human", fov=(0.02, 0.02), foa=(0.02, 0.02), turn=0, height=1.7, arm=0.7)
    scene = Scene(
        "air", {"ball": ball()}, {a.name: a for a in (Agent("myself", "Robot"), blind)}, {}
    )
    with running(scene) as believed:
        for _ in range(int(8 / STEP)):
            believed.tick({"ball": jittered(place.tolist())}, {"sally": {"head": jittered(HEAD)}})
        late = [change for change in believed.changes if change[0] > 1.0 and "each" in change[2]]
        assert len(late) <= 1


def test_what_is_still_costs_nothing() -> None:
    """While nothing moves no arm is bent, and the answer is the very same."""
    with running(sally_and(*many(10))) as believed, reacher_of(believed) as reacher:
        heads = {"sally": {"head": HEAD}}
        believed.tick(agents=heads, count=3)
        mind = believed.reasoner.mind("myself")
        first = reacher.reaches(mind, believed.now)
        asked = reacher.asked
        assert asked > 0
        for _ in range(5):
            believed.tick(agents=heads)
            assert reacher.reaches(mind, believed.now) is first
        assert reacher.asked == asked


def test_minds_that_believe_the_same_share_their_answers() -> None:
    """Two who see the same things make no more work than one."""
    scene = room([table(), *many(6)], [ROBOT, SALLY, Agent("anne", "Human", head=pose_of(OVER))])
    with running(scene) as believed, reacher_of(believed) as reacher:
        believed.tick(count=2)
        one, other = (believed.reasoner.mind(model) for model in ("sally", "anne"))
        first = reacher.reaches(one, believed.now)
        asked = reacher.asked
        assert asked > 0
        assert (reacher.reaches(other, believed.now).can == first.can).all()
        assert reacher.asked == asked


def test_a_far_change_opens_nothing_near() -> None:
    """Of ten things in reach none is looked at again when one that is far away moves."""
    scene = sally_and(*many(10), tape("tape", [0.3, 0.5, 0.765]))
    with running(scene) as believed, reacher_of(believed) as reacher:
        mind = believed.reasoner.mind("myself")
        believed.tick({"tape": [0.3, 0.5, 0.765]}, count=3)
        reacher.reaches(mind, believed.now)
        asked = reacher.asked
        believed.tick({"tape": [0.3, 0.1, 0.765]}, count=3)
        reacher.reaches(mind, believed.now)
        assert reacher.asked <= asked + 1


def test_efforts_come_in_steps_and_stay_in_them() -> None:
    """An effort is a tenth, nearest to how far from rest the arm is; none where nobody reaches."""
    with running(sally_and(*many(12), ball(FAR))) as believed:
        with reacher_of(believed) as reacher:
            believed.tick(count=2)
            told = reacher.reaches(believed.reasoner.mind("myself"), believed.now)
        assert (np.isfinite(told.effort) == told.can).all()
        efforts = told.effort[told.can]
        assert np.allclose(efforts, np.round(efforts, 1))
        assert efforts.size > 3
        assert ((efforts >= 0) & (efforts <= 1)).all()


def test_minds_reach_by_what_they_believe() -> None:
    """Sally does not see that the ball was taken from before her: to her it is within reach."""
    screen = Entity("screen", "Artifact", box(size(0.02, 0.6, 0.5)))
    hidden = [-0.45, 0, 1.0]
    with running(sally_and(ball(), screen)) as believed:
        heads = {"sally": {"head": HEAD}}
        believed.tick({"ball": NEAR, "screen": [0.3, 0.6, 1.0]}, heads, count=15)
        assert ("sally", "ball isReachable true") in believed
        believed.tick({"ball": NEAR, "screen": hidden}, heads, count=15)
        believed.tick({"ball": [0.38, -0.02, 0.78], "screen": hidden}, heads, count=5)
        assert ("myself", "sally canReach ball") not in believed
        mind = believed.reasoner.mind("sally")
        assert mind.world.pose[mind.roster.row["ball"], 0] == pytest.approx(NEAR[0])


@pytest.mark.parametrize("is_placed", [True, False])
def test_a_built_arm_reaches_in_a_scene(is_placed: bool) -> None:
    """A robot with a panda on a table reaches a ball there, and not one beside the table."""
    shoulders = {"right": pose_of([-0.35, 0, 0.75 + 0.333])}
    robot = Agent("myself", "Robot", head=pose_of(HEAD) if is_placed else None,
                  shoulders=shoulders, arm=0.855, arm_model="panda", fov=(1.7, 1.3))  # fmt: skip
    other = Entity("other", "Ball", BALL, pose=pose_of([0.9, 0.3, 0.03]))
    with running(room([table(), ball([0.1, 0.1, 0.78]), other], [robot])) as believed:
        believed.tick(agents={} if is_placed else {"myself": {"head": HEAD}}, count=2)
        assert ("myself", "ball isReachable true") in believed
        assert ("myself", "myself canReach ball") in believed
        assert ("myself", "other isReachable false") in believed
