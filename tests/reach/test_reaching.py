"""Reaching for one thing: what is in the way, and what isn't."""

from collections.abc import Iterator, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spatial_reasoner.geometry.poses import compose, pose_of
from spatial_reasoner.geometry.shapes import bin_shape, box, plane, sphere
from tests.reach.stage import LENGTHS, TABLE, Stage, size
from tests.relations.forms import mesh_of
from tests.relations.stage import about, turned
from tests.trials import law

BALL = sphere(0.03)
SEATED = (0, 0, 1.05)


@pytest.fixture
def stage() -> Iterator[Stage]:
    """Somebody sits at a table, on the floor of a room, and faces +x."""
    with Stage() as stage:
        stage.put("floor", plane(), [0, 0, 0])
        stage.put("table", TABLE, [0.65, 0, 0.725], on="floor").person(SEATED)
        yield stage


def test_what_lies_before_one_is_in_reach_and_what_lies_far_is_not(stage: Stage) -> None:
    """On a table, a ball at half an arm's length is in reach and one across it isn't."""
    stage.put("near", BALL, [0.45, -0.1, 0.78], on="table")
    stage.put("far", BALL, [1.0, -0.1, 0.78], on="table")
    assert stage.can("near")
    assert not stage.can("far")
    assert stage.can("table")
    assert not stage.can("floor")


@pytest.mark.parametrize(("beyond", "can"), [(-0.03, True), (0.03, False)])
def test_an_arm_ends_where_it_ends(beyond: float, can: bool) -> None:
    """Three centimetres before the end of the arm a thing is in reach, three beyond it isn't."""
    with Stage() as stage:
        stage.arm([0, 0, 1.2])
        stage.put("ball", BALL, [0.7 + 0.03 + beyond, 0, 1.2])
        assert stage.can("ball") == can


def test_what_is_in_reach_stays_so_a_little_beyond() -> None:
    """Two centimetres beyond the arm a thing stays in reach that was, and does not come into it."""
    with Stage() as stage:
        stage.arm([0, 0, 1.2]).put("ball", BALL, [0.75, 0, 1.2])
        assert not stage.reach("ball", stays=False).can
        assert stage.reach("ball", stays=True).can


@pytest.mark.parametrize("model", sorted(LENGTHS))
def test_every_arm_takes_a_ball_from_a_table(model: str) -> None:
    """Each arm model gets to a ball on a table before it, and not to one behind a screen."""
    with Stage() as stage:
        stage.put("table", TABLE, [0.75, 0, 0.725]).arm([0, 0, 1.1], model=model)
        stage.put("ball", BALL, [0.5, 0, 0.78], on="table")
        assert stage.can("ball")
        stage.put("screen", box(size(0.02, 1.4, 1.2)), [0.4, 0, 1.2])
        assert not stage.can("ball")


def test_behind_glass_nothing_is_in_reach(stage: Stage) -> None:
    """A pane between somebody and a ball keeps him from it; the pane itself he can touch."""
    stage.put("ball", BALL, [0.45, 0, 0.78], on="table")
    assert stage.can("ball")
    stage.put("pane", box(size(0.01, 1.4, 0.9)), [0.35, 0, 1.2], on="table")
    assert not stage.can("ball")
    assert "pane" in stage.blockers("ball")
    assert stage.can("pane")


def test_a_low_pane_is_reached_over(stage: Stage) -> None:
    """Over a pane of a hand's breadth the arm gets."""
    stage.put("ball", BALL, [0.5, 0, 0.78], on="table")
    stage.put("pane", box(size(0.01, 1.4, 0.08)), [0.35, 0, 0.79], on="table")
    assert stage.can("ball")


def test_the_table_is_in_the_way_of_what_lies_under_it() -> None:
    """Who stands at a low table gets to what lies on it and not to what lies under it."""
    with Stage() as stage:
        stage.put("floor", plane(), [0, 0, 0]).person((0, 0, 0.7))
        stage.put("table", TABLE, [0.4, 0, 0.425], on="floor")
        stage.put("under", BALL, [0.3, 0, 0.35], on="floor").put("on", BALL, [0.3, 0, 0.48])
        assert not stage.can("under")
        assert "table" in stage.blockers("under")
        assert stage.can("on")
        stage.put("table", TABLE, [1.2, 0, 0.425])
        assert stage.can("under")


def test_an_open_bin_is_reached_into_and_a_closed_one_is_not(stage: Stage) -> None:
    """From above there is a way to a ball in a bin, until a lid is on it; the lid is in reach."""
    stage.put("bin", bin_shape(size(0.3, 0.3, 0.2), 0.02, 0.02), [0.45, 0, 0.85], on="table")
    stage.put("ball", BALL, [0.45, 0, 0.8], on="bin")
    assert stage.can("ball")
    assert stage.can("bin")
    stage.put("lid", box(size(0.32, 0.32, 0.02)), [0.45, 0, 0.96], on="bin")
    assert not stage.can("ball")
    assert {"lid", "bin"} <= stage.blockers("ball")
    assert stage.can("lid")
    assert stage.can("bin")


def test_a_bin_turned_to_one_is_reached_into_from_the_side(stage: Stage) -> None:
    """A bin on its side is open to who sits before its mouth, and closed to who sits behind it."""
    tube = bin_shape(size(0.25, 0.25, 0.3), 0.02, 0.02)
    stage.put("ball", BALL, [0.45, 0, 0.83], on="bin")
    stage.put("bin", tube, [0.45, 0, 0.875, *about("y", -90)], on="table")
    assert stage.can("ball")
    stage.put("bin", tube, [0.45, 0, 0.875, *about("y", 90)])
    assert not stage.can("ball")


def test_a_shelf_is_reached_into_from_the_front(stage: Stage) -> None:
    """What stands between two boards is got to level; not with a back toward one."""
    stage.put("board", box(size(0.3, 0.8, 0.02)), [0.5, 0, 1.1])
    stage.put("upper", box(size(0.3, 0.8, 0.02)), [0.5, 0, 1.4])
    stage.put("cup", box(size(0.08, 0.08, 0.1)), [0.45, -0.1, 1.16], on="board")
    assert stage.can("cup")
    stage.put("back", box(size(0.02, 0.8, 0.3)), [0.34, 0, 1.25])
    assert not stage.can("cup")


def test_a_high_shelf_is_out_of_reach(stage: Stage) -> None:
    """What is higher than an arm over the shoulder is out of reach, and what is lower isn't."""
    stage.put("low", BALL, [0.3, -0.2, 1.6]).put("high", BALL, [0.3, -0.2, 2.0])
    assert stage.can("low")
    assert not stage.can("high")


def test_nobody_reaches_behind_himself() -> None:
    """Joints have limits: what is half a metre right behind a shoulder is out of reach."""
    with Stage() as stage:
        stage.arm([0, 0, 1.2])
        stage.put("ahead", BALL, [0.35, 0, 1.2]).put("behind", BALL, [-0.5, 0, 1.2])
        assert stage.can("ahead")
        assert not stage.can("behind")
        assert stage.reach("behind").blockers.size == 0


def test_a_pen_is_picked_up(stage: Stage) -> None:
    """The table that a flat thing lies on does not keep it from the hand."""
    stage.put("pen", box(size(0.14, 0.01, 0.01)), [0.45, -0.2, 0.755], on="table")
    assert stage.can("pen")


def test_a_pen_is_not_picked_up_through_the_table() -> None:
    """From below, a thin board keeps a hand from what lies on it."""
    with Stage() as stage:
        stage.put("board", box(size(1.2, 1.4, 0.018)), [0.6, 0, 1.241]).arm([0, 0, 0.95])
        stage.put("pen", box(size(0.14, 0.01, 0.01)), [0.45, 0, 1.255], on="board")
        assert not stage.can("pen")
        assert stage.can("board")


def test_what_one_sits_in_is_in_nobodys_way(stage: Stage) -> None:
    """A chair that is said to be a box, and has its owner within it, does not hold his arms."""
    stage.put("ball", BALL, [0.45, -0.1, 0.78], on="table")
    stage.put("chair", box(size(0.5, 0.5, 1.0)), [0, 0, 0.5])
    assert stage.can("ball")


def test_what_is_shut_in_glass_is_out_of_reach(stage: Stage) -> None:
    """Four panes and a roof around a ball: no way leads in."""
    stage.put("ball", BALL, [0.45, 0, 0.78], on="table")
    for number, (x, y) in enumerate(((0.15, 0), (-0.15, 0), (0, 0.15), (0, -0.15))):
        extents = size(0.01, 0.31, 0.2) if x else size(0.31, 0.01, 0.2)
        stage.put(f"pane{number}", box(extents), [0.45 + x, y, 0.85])
    assert stage.can("ball")
    stage.put("roof", box(size(0.32, 0.32, 0.01)), [0.45, 0, 0.955])
    assert not stage.can("ball")


def test_a_mesh_is_as_hollow_as_it_is(stage: Stage) -> None:
    """A box of boards that is a mesh is reached into from above, and not once it has a lid."""
    boards: list[tuple[Sequence[float], Sequence[float]]] = [
        ((0, 0, 0.01), (0.3, 0.3, 0.02)),
        *(((x, 0, 0.1), (0.02, 0.3, 0.2)) for x in (-0.14, 0.14)),
        *(((0, y, 0.1), (0.3, 0.02, 0.2)) for y in (-0.14, 0.14)),
    ]
    stage.put("ball", BALL, [0.45, 0, 0.8], on="open").put("open", mesh_of(boards), [0.45, 0, 0.75])
    assert stage.can("ball")
    with Stage() as other:
        other.put("table", TABLE, [0.65, 0, 0.725]).person(SEATED)
        shut = mesh_of([*boards, ((0, 0, 0.21), (0.3, 0.3, 0.02))])
        other.put("ball", BALL, [0.45, 0, 0.8], on="shut").put("shut", shut, [0.45, 0, 0.75])
        assert not other.can("ball")


@law(15)
@given(st.floats(-3, 3), st.floats(-3, 3), st.floats(-180, 180))
def test_where_all_this_is_does_not_matter(x: float, y: float, turn: float) -> None:
    """Shifted and turned, a scene has the same things in reach."""
    moved = turned((x, y, 0), about("z", turn))
    places = {"a": (0.4, -0.11, 0.78), "b": (0.5, 0.31, 0.78), "c": (0.9, 0.1, 0.78),
              "d": (0.45, 0.02, 0.45), "e": (0.31, 0.4, 1.31)}  # fmt: skip

    def at(place: Sequence[float]) -> list[float]:
        return [float(each) for each in compose(moved, pose_of(place))]

    with Stage() as stage:
        stage.put("table", TABLE, at((0.65, 0, 0.725)))
        stage.arm(at((0, -0.22, 1.05))).arm(at((0, 0.22, 1.05)), side="left")
        for name, place in places.items():
            stage.put(name, BALL, at(place))
        stage.rests.update({"a": "table", "b": "table"})
        assert {name for name in places if stage.can(name)} == {"a", "b", "e"}


def test_effort_is_little_at_rest_and_much_at_full_stretch() -> None:
    """Where the hand rests there is little effort, and more the farther away; it is 0 to 1."""
    with Stage() as stage:
        stage.arm([0, 0, 1.2])
        rest = stage.limbs[0].postures.arm
        rest.stand(stage.limbs[0].shoulder)
        rest.bend(rest.rest)
        hand, _ = rest.pointing()
        stage.put("here", sphere(0.02), (hand + 0.01).tolist())
        stage.put("up", sphere(0.02), [0.3, -0.2, 1.75])
        assert stage.reach("here").effort < 0.05
        assert 0.1 < stage.reach("up").effort < 1


def test_an_answer_does_not_depend_on_the_questions_before(stage: Stage) -> None:
    """Asked in any order, and after other things stood around, the answers are the same."""
    chance = np.random.default_rng(4)
    names = []
    for number in range(10):
        x, y = chance.uniform([0.25, -0.5], [0.8, 0.5])
        names.append(f"ball{number}")
        stage.put(names[-1], BALL, [x, y, 0.78], on="table")
    first = {name: stage.reach(name) for name in names}
    with Stage() as other:
        other.put("floor", plane(), [0, 0, 0])
        other.put("table", TABLE, [0.65, 0.2, 0.725], on="floor").person(SEATED)
        for name, pose in zip(stage.names[2:], stage.poses[2:], strict=True):
            other.put(name, BALL, np.add(pose, np.eye(7)[0] / 20).tolist(), on="table")
            other.reach(name)
        other.put("table", TABLE, [0.65, 0, 0.725])
        for name, pose in zip(stage.names[2:], stage.poses[2:], strict=True):
            other.put(name, BALL, pose.tolist())
        for name in reversed(names):
            again = other.reach(name)
            assert (again.can, again.effort) == (first[name].can, first[name].effort)
            assert again.blockers.tolist() == first[name].blockers.tolist()
