"""Where things are to each other, as somebody sees it and by their own sides."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.relations.object_directions import deictic, has_sides, intrinsic
from tests.relations.stage import DEFAULTS, about, turned
from tests.trials import law

SEEN = ("left", "right", "front", "behind")
PENS, HOUSES = np.full(2, 0.14), np.full(2, 10.0)


def as_seen(eye: Floats, a: tuple[float, ...], b: tuple[float, ...], size: float = 1.0) -> set[str]:
    """How a is to b as seen from an eye."""
    found = deictic(eye, np.array([a, b]), np.full(2, size), DEFAULTS)[0, 1]
    return {word for word, holds in zip(SEEN, found, strict=True) if holds}


def at_side(chair: Floats, place: tuple[float, ...], *, was: bool = False) -> set[str]:
    """At which sides of a chair with a front a place is."""
    poses = np.array([turned(place), chair])
    forward = np.array([[np.nan] * 3, [1.0, 0, 0]])
    sided = has_sides(poses, forward, np.array([False, was]), DEFAULTS)
    found = intrinsic(poses, forward, sided, poses[:, :3], np.full(2, 0.7), DEFAULTS)
    assert not found[1, 0].any()
    return {word for word, holds in zip(SEEN, found[0, 1], strict=True) if holds}


def test_left_of_is_as_the_viewer_sees_it() -> None:
    """Two viewers face to face see left and right mirrored, and near and far too."""
    sally, robot = turned((2, 0, 1.4), about("z", 180)), turned((-2, 0, 1.5))
    assert as_seen(robot, (0, 0.5, 1), (0, -0.5, 1)) == {"left"}
    assert as_seen(sally, (0, 0.5, 1), (0, -0.5, 1)) == {"right"}
    assert as_seen(robot, (-0.5, 0, 1), (0.5, 0, 1)) == {"front"}
    assert as_seen(sally, (-0.5, 0, 1), (0.5, 0, 1)) == {"behind"}
    assert as_seen(robot, (-0.5, 0.5, 1), (0.5, -0.5, 1)) == {"left", "front"}


def test_the_line_of_sight_is_to_the_middle_between_the_two() -> None:
    """Seen from the side, what is farther along the line of sight is behind."""
    eye = turned((-5, 2, 1))
    assert as_seen(eye, (-3, 4.5, 1), (-3.5, 4, 1)) == {"behind"}
    assert as_seen(eye, (-2, 2, 1), (-2.5, 2.5, 1)) == {"right", "behind"}


@pytest.mark.parametrize("axis", ["x", "y", "z"])
def test_a_viewer_who_lies_down_sees_left_and_right_by_gravity(axis: str) -> None:
    """How the head is turned or rolled changes nothing about what is left of what."""
    for degrees in (0, 30, 90, 170):
        eye = turned((-2, 0, 0.5), about(axis, degrees))
        assert as_seen(eye, (0, 0.5, 1), (0, -0.5, 1)) == {"left"}


def test_who_looks_down_from_above_sees_by_the_own_front() -> None:
    """From above there is no line of sight on the plan, so the front decides."""
    assert as_seen(turned((0, 0, 2)), (0, 0.3, 0), (0, -0.3, 0)) == {"left"}
    assert as_seen(turned((0, 0, 2), about("z", 90)), (0, 0.3, 0), (0, -0.3, 0)) == {"behind"}


def test_between_things_far_apart_for_their_size_there_are_no_sides() -> None:
    """Houses 5 m from each other are left and right, pens are not."""
    centres = np.array([[0.0, 2.5, 0], [0, -2.5, 0]])
    assert deictic(turned((-20, 0, 1)), centres, HOUSES, DEFAULTS)[0, 1].tolist()[0]
    assert not deictic(turned((-20, 0, 1)), centres, PENS, DEFAULTS).any()


def test_all_that_is_on_a_table_has_sides() -> None:
    """Pens at the two ends of a table of two metres are left and right of each other."""
    centres = np.array([[0.0, 1, 0], [0, -1, 0]])
    assert deictic(turned((-2, 0, 1)), centres, PENS, DEFAULTS)[0, 1].tolist()[0]


def test_what_is_on_top_is_at_no_side() -> None:
    """Of two things one above the other neither is left of the other."""
    assert not as_seen(turned((-2, 0, 1)), (0, 0.01, 1), (0, 0, 0.9))


places = st.tuples(st.floats(-2, 2), st.floats(-2, 2), st.floats(0, 1))


@given(places, places, places)
@law(200)
def test_what_is_seen_has_its_converse(
    eye: tuple[float, ...], a: tuple[float, ...], b: tuple[float, ...]
) -> None:
    """What is left of another thing has that on its right, and what is in front has it behind."""
    found = deictic(turned(eye), np.array([a, b]), np.ones(2), DEFAULTS)
    assert (found[0, 1, [0, 1, 2, 3]] == found[1, 0, [1, 0, 3, 2]]).all()


@pytest.mark.parametrize("yaw", [0, 90, 200, -45])
def test_a_chair_has_sides_of_its_own(yaw: float) -> None:
    """Where a thing is by the front of a chair does not depend on who looks."""
    turn = np.radians(yaw)
    ahead, left = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
    chair = turned((1, 1, 0.45), about("z", yaw))
    for side, word in ((ahead, "front"), (-ahead, "behind"), (left, "left"), (-left, "right")):
        assert at_side(chair, (*(side * 0.8 + 1), 0.2)) == {word}


def test_a_tilted_chair_has_sides_while_it_stands_within_30_degrees() -> None:
    """A chair has sides at 20° of tilt and none at 45° or on its side."""
    for axis in ("x", "y"):
        for degrees, expected in ((20, {"left"}), (-28, {"left"}), (45, set()), (90, set())):
            assert at_side(turned((0, 0, 0.45), about(axis, degrees)), (0, 0.8, 0.2)) == expected


def test_a_chair_keeps_its_sides_until_33_degrees() -> None:
    """Between 30° and 33° of tilt a chair has sides if it had."""
    chair = turned((0, 0, 0.45), about("x", 31.5))
    assert at_side(chair, (0, 0.8, 0.2), was=True) == {"left"}
    assert at_side(chair, (0, 0.8, 0.2), was=False) == set()


def test_what_has_no_front_has_no_sides() -> None:
    """A thing without a front of its own, such as a ball, has nothing at its left side."""
    poses = np.array([turned((0, 0, 0)), turned((0.5, 0, 0))])
    forward = np.full((2, 3), np.nan)
    sided = has_sides(poses, forward, np.zeros(2, dtype=bool), DEFAULTS)
    assert not intrinsic(poses, forward, sided, poses[:, :3], np.ones(2), DEFAULTS).any()
