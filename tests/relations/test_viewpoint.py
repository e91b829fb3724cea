"""Where things are as seen from an agent."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.geometry.poses import compose
from spatial_reasoner.relations.viewpoint import directions, fronts, in_field, near, pointing
from spatial_reasoner.tolerances.tolerances import Tolerances
from tests.relations.stage import DEFAULTS, about, turned
from tests.trials import law

WORDS = ("left", "right", "front", "behind")
EYE = turned((0, 0, 1.5))


def seen(head: Floats, *places: tuple[float, float, float]) -> list[str]:
    """The directions of each place, in words."""
    before = np.zeros((1, len(places), 4), dtype=bool)
    found = directions(head[None], np.array(places), before, DEFAULTS)[0]
    return [
        " ".join(word for word, holds in zip(WORDS, row, strict=True) if holds) for row in found
    ]


def ring(degrees: float, distance: float = 2.0) -> tuple[float, float, float]:
    """A place at a bearing, to the left of +x."""
    turn = np.radians(degrees)
    return (distance * float(np.cos(turn)), distance * float(np.sin(turn)), 0.5)


EIGHT = {
    0: "front", 45: "left front", 90: "left", 135: "left behind",
    180: "behind", -135: "right behind", -90: "right", -45: "right front",
}  # fmt: skip


@pytest.mark.parametrize("yaw", [0, 30, 100, 179.9, 180, -180, -90, 720])
def test_eight_bearings(yaw: float) -> None:
    """Around an agent who looks anywhere, the axes hold one direction and the diagonals two."""
    head = turned((3, -2, 1.5), about("z", yaw))
    places = [np.add(ring(degrees + yaw), (3, -2, 0)) for degrees in EIGHT]
    assert seen(head, *(tuple(place) for place in places)) == list(EIGHT.values())


@given(st.sampled_from(sorted(EIGHT)), st.floats(-20, 20), st.floats(-1080, 1080))
@law(200)
def test_eight_bearings_with_jitter(axis: int, jitter: float, yaw: float) -> None:
    """Within 20° of each of the eight bearings the directions are the same, at any turn."""
    assert seen(turned((0, 0, 1.5), about("z", yaw)), ring(axis + jitter + yaw)) == [EIGHT[axis]]


def test_left_and_right_are_mirrored_between_two_people_face_to_face() -> None:
    """What is left of one is right of the other, and what is between them is in front of both."""
    sally, anne = turned((-1, 0, 1.5)), turned((1, 0, 1.5), about("z", 180))
    things = ((0, 1, 0.8), (0, -1, 0.8), (0, 0, 0.8))
    assert seen(sally, *things) == ["left front", "right front", "front"]
    assert seen(anne, *things) == ["right front", "left front", "front"]


@pytest.mark.parametrize(("pitch", "roll"), [(20, 60), (20, 90), (45, 45), (-30, 45), (-50, -60)])
def test_bearings_are_those_of_the_gaze_however_the_head_leans(pitch: float, roll: float) -> None:
    """Who looks down and tilts the head sees around him what he would see upright."""
    head = compose(turned((0, 0, 1.5), about("y", pitch)), turned((0, 0, 0), about("x", roll)))
    assert seen(head, *map(ring, EIGHT)) == list(EIGHT.values())


@pytest.mark.parametrize("roll", [-80, -45, -10, 10, 45, 80, 120])
def test_left_and_right_do_not_swap_when_the_head_rolls(roll: float) -> None:
    """A head laid on the shoulder sees left and right as before."""
    head = turned((0, 0, 1.5), about("x", roll))
    assert seen(head, (1, 1, 0), (1, -1, 0), (0, 1, 0)) == ["left front", "right front", "left"]


@pytest.mark.parametrize("pitch", [-80, -40, 40, 80])
def test_looking_up_or_down_changes_no_direction(pitch: float) -> None:
    """Who nods sees what was in front in front, and what was on the left on the left."""
    head = turned((0, 0, 1.5), about("y", pitch))
    assert seen(head, (1, 0, 0), (0, 1, 0), (-1, 0, 3)) == ["front", "left", "behind"]


def test_who_lies_down_has_the_directions_of_sitting_up() -> None:
    """On the back the feet are in front, on the face what the head points to."""
    feet, head_end, one_side, other_side = (1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0)
    # The top of the head points to -x; the eyes look up, down, or level.
    on_back = turned((0, 0, 0.5), about("y", -90))
    assert seen(on_back, feet, head_end, one_side) == ["front", "behind", "left"]
    on_face = turned((0, 0, 0.5), compose_turns(about("z", 180), about("y", 90)))
    assert seen(on_face, head_end, feet, one_side) == ["front", "behind", "right"]
    on_side = turned((0, 0, 0.5), about("x", 90))
    assert seen(on_side, (1, 0, 0), (-1, 0, 0), one_side, other_side) == [
        "front", "behind", "left", "right",
    ]  # fmt: skip


def compose_turns(outer: list[float], inner: list[float]) -> list[float]:
    """One turn after another, the inner one first."""
    return list(compose(turned((0, 0, 0), outer), turned((0, 0, 0), inner))[3:])


def test_who_is_upside_down_keeps_the_directions_that_were() -> None:
    """Within 5° of upside down no direction changes, since none is clear."""
    before = np.array([[[True, False, False, False]]])
    head, place = turned((0, 0, 1), about("x", 178))[None], np.array([[1.0, 0, 0]])
    assert (directions(head, place, before, DEFAULTS) == before).all()
    head = turned((0, 0, 1), about("x", 170))[None]
    assert directions(head, place, before, DEFAULTS).tolist() == [[[False, False, True, False]]]


def test_what_is_right_below_keeps_the_directions_that_it_had() -> None:
    """A thing held at the chest, below the head, does not flicker through all directions."""
    for x, y in ((0.01, 0.0), (0.0, 0.02), (-0.01, -0.01)):
        assert seen(EYE, (x, y, 1.0)) == [""]


def test_directions_let_go_later_than_they_take_hold() -> None:
    """A direction begins within 67.5° and ends beyond 71°."""
    held = np.zeros((1, 1, 4), dtype=bool)
    for degrees, in_front in ((69, False), (67, True), (70, True), (72, False)):
        held = directions(EYE[None], np.array([ring(degrees)]), held, DEFAULTS)
        assert bool(held[0, 0, 2]) is in_front


def test_the_number_of_regions_is_free() -> None:
    """With eight axes and narrow regions each bearing holds one of them."""
    bearings = np.radians([0.0, 45, 90, 135, 180, 225, 270, 315])
    places = np.array([ring(float(np.degrees(bearing)) + 10) for bearing in bearings])
    narrow = Tolerances(direction=(np.radians(22.4), np.radians(25)))
    before = np.zeros((1, 8, 8), dtype=bool)
    assert (directions(EYE[None], places, before, narrow, bearings)[0] == np.eye(8)).all()


@given(st.floats(-720, 720), st.floats(-720, 720), st.floats(0.2, 30))
@law(200)
def test_left_and_right_and_front_and_behind_exclude_each_other(
    yaw: float, bearing: float, distance: float
) -> None:
    """Nothing is on both sides, or in front and behind, and everything is somewhere."""
    head, place = turned((0, 0, 1.5), about("z", yaw)), np.array([ring(bearing, distance)])
    left, right, front, behind = directions(
        head[None], place, np.zeros((1, 1, 4), dtype=bool), DEFAULTS
    )[0, 0]
    assert not (left and right)
    assert not (front and behind)
    assert left or right or front or behind


def test_near_and_far() -> None:
    """Things are near within 5 m, and stay so until 5.15 m."""
    was = np.zeros((1, 1), dtype=bool)
    for distance, expected in ((5.1, False), (4.9, True), (5.1, True), (5.2, False)):
        was = near(EYE[None], np.array([[distance, 0, 1.5]]), was, DEFAULTS)
        assert bool(was[0, 0]) is expected


def test_pointing_goes_by_the_forearm() -> None:
    """A hand points along the line from elbow to wrist, whatever way the hand itself is turned."""
    hand, elbow = turned((0.3, 0, 1), about("z", 90)), np.array([0.0, 0, 1])
    things = np.array([[2.0, 0.1, 1.0], [2, 0.4, 1], [0.3, 2, 1], [-2, 0, 1]])
    none = np.zeros(4, dtype=bool)
    assert pointing(hand, elbow, things, none, DEFAULTS).tolist() == [True, False, False, False]
    assert pointing(hand, None, things, none, DEFAULTS).tolist() == [False, False, True, False]


def test_pointing_lets_go_later_than_it_takes_hold() -> None:
    """What is pointed at stays so until it is 13.5° off the forearm."""
    hand, elbow, was = turned((0, 0, 1)), np.array([-0.25, 0, 1]), np.zeros(1, dtype=bool)
    for degrees, expected in ((12, False), (9, True), (13, True), (14, False)):
        place = np.add([ring(degrees)], (0, 0, 0.5))
        was = pointing(hand, elbow, place, was, DEFAULTS)
        assert bool(was[0]) is expected


def test_the_field_of_view_is_that_of_a_flat_picture() -> None:
    """A point is in a field of 100° by 75° within 50° to a side and 37.5° up or down."""
    fov = (np.radians(100), np.radians(75))
    for degrees, axis, expected in ((49, "z", True), (51, "z", False), (37, "y", True),
                                    (38, "y", False), (180, "z", False)):  # fmt: skip
        eye = turned((1, 2, 1.5), about(axis, degrees))
        assert bool(in_field(eye, fov, np.array([[3.0, 2, 1.5]]))[0]) is expected


def test_a_field_can_be_made_wider() -> None:
    """Who was in the field of view stays in it a little beyond the edge."""
    fov = (np.radians(100), np.radians(75))
    points = np.add([ring(52), ring(52), ring(55)], (0, 0, 1))
    was = np.array([False, True, True])
    wider = was * np.radians(3.5)
    assert in_field(EYE, fov, points, wider).tolist() == [False, True, False]


def test_many_eyes_at_once_see_what_each_sees() -> None:
    """Asked together, eyes with fields of their own have the answers that they have alone."""
    eyes = np.array([EYE, turned((1, 2, 1.5), about("z", 120)), turned((0, 1, 1), about("y", 30))])
    fovs = np.radians([[100, 75], [60, 60], [30, 90]])
    points = np.random.default_rng(4).uniform(-4, 4, (200, 3))
    wider = np.random.default_rng(5).uniform(0, 0.1, (3, 200))
    alone = [in_field(*each) for each in zip(eyes, fovs, [points] * 3, wider, strict=True)]
    assert (in_field(eyes, fovs, points, wider) == np.array(alone)).all()


@given(st.floats(-3, 3), st.floats(-1.4, 1.4), st.floats(-2.9, 2.9))
@law(100)
def test_fronts_point_where_the_naked_rules_say(yaw: float, pitch: float, roll: float) -> None:
    """The front is +x on the plan; where that is steep, after the one turn that brings +z up."""
    turn = about("z", float(np.degrees(yaw)))
    for axis, angle in (("y", pitch), ("x", roll)):
        turn = compose_turns(turn, about(axis, float(np.degrees(angle))))
    pose = turned((0, 0, 0), turn)
    x, up = (compose(pose, turned(axis))[:3] for axis in ((1, 0, 0), (0, 0, 1)))
    axis_of_turn = np.cross(up, (0, 0, 1))
    sine, cosine = float(np.linalg.norm(axis_of_turn)), float(up[2])
    if 1 + cosine < 0.01 or sine < 1e-6:
        return
    k = axis_of_turn / sine
    straight = x * cosine + np.cross(k, x) * sine + k * (k @ x) * (1 - cosine)
    front, clear = fronts(pose[None])
    level = float(np.hypot(x[0], x[1]))
    if level >= 0.6:
        assert np.allclose(front[0], x[:2] / level, atol=1e-6)
    elif level <= 0.3 and clear[0]:
        assert np.allclose(front[0], straight[:2], atol=1e-6)
