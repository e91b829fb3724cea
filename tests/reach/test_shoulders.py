"""Shoulders: where arms begin, from where heads are."""

import numpy as np
import pytest

from spatial_reasoner.belief.shoulders import heading, shoulders_of
from spatial_reasoner.dynamics.arms import Side
from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.geometry.poses import Pose, compose, pose_of
from spatial_reasoner.scene.scene import Agent
from tests.reach.rooms import looking
from tests.relations.stage import about, turned


def at(agent: Agent, head: Pose, side: Side) -> Floats:
    """Where a shoulder is when the head is there."""
    upright = heading(head)
    assert upright is not None
    place: Floats = compose(upright, shoulders_of(agent)[side])[:3]
    return place


SALLY = Agent("sally", "Human", height=1.7, arm=0.7)


def test_a_person_has_two_shoulders_below_the_head() -> None:
    """Who faces +x has the right shoulder at -y, two decimetres below the eyes and aside."""
    right, left = (at(SALLY, pose_of([0, 0, 1.6]), side) for side in ("right", "left"))
    assert np.allclose(right, [-0.085, -0.2193, 1.3994])
    assert np.allclose(left, right * [1, -1, 1])


def test_who_turns_takes_the_shoulders_along() -> None:
    """Who faces -x has the right shoulder at +y."""
    right = at(SALLY, turned((0, 0, 1.6), about("z", 180)), "right")
    assert np.allclose(right, [0.085, 0.2193, 1.3994])


@pytest.mark.parametrize("turn", [about("y", 50), about("y", -40), about("x", 30)])
def test_looking_down_or_tilting_the_head_moves_no_shoulder(turn: list[float]) -> None:
    """Shoulders go by the heading of the head alone."""
    assert np.allclose(
        at(SALLY, turned((0, 0, 1.6), turn), "right"), at(SALLY, pose_of([0, 0, 1.6]), "right")
    )


def test_taller_people_have_wider_shoulders() -> None:
    """All is in proportion to the height."""
    tall = Agent("tom", "Human", height=2.0, arm=0.8)
    head = pose_of([0, 0, 1.8])
    ratio = (at(tall, head, "left") - head[:3]) / (at(SALLY, head, "left") - head[:3])
    assert np.allclose(ratio, 2.0 / 1.7)


def test_given_shoulders_follow_the_head() -> None:
    """They are where the scene says while the head is, and go where it goes."""
    head = pose_of(looking([-1.2, 0, 1.5], [0, 0, 0.7]))
    robot = Agent("myself", "Robot", head=head, shoulders={"right": pose_of([-0.65, -0.2, 1.0])},
                  arm=0.75)  # fmt: skip
    assert shoulders_of(robot).keys() == {"right"}
    assert np.allclose(at(robot, head, "right"), [-0.65, -0.2, 1.0])
    elsewhere = turned((3, 1, 1.5), about("z", 90))
    assert np.allclose(at(robot, elsewhere, "right"), [3.2, 1.55, 1.0])


def test_shoulders_without_a_head_are_where_it_is_seen_first() -> None:
    """Of whom the scene does not place the head, the shoulders go where the head went since."""
    robot = Agent("myself", "Robot", shoulders={"right": pose_of([-0.65, 0, 1.0])}, arm=0.75)
    assert not shoulders_of(robot)
    first = turned((-1.0, 0, 1.5), about("z", 90))
    assert np.allclose(shoulders_of(robot, first)["right"][:3], [0, -0.35, -0.5])


def test_a_shoulder_without_a_turn_faces_as_the_head_does() -> None:
    """A shoulder of which three numbers are said has its arm before it, wherever that is."""
    head = turned((0, 0, 1.5), about("z", 90))
    given = {"right": pose_of([0.2, 0, 1.2]), "left": turned((-0.2, 0, 1.2), about("z", 60))}
    robot = Agent("myself", "Robot", head=head, shoulders=given, arm=0.75)
    upright = heading(head)
    assert upright is not None
    right, left = (compose(upright, shoulders_of(robot)[side]) for side in ("right", "left"))
    assert np.allclose(right[3:], about("z", 90))
    assert np.allclose(left[3:], about("z", 60))


def test_who_has_no_arm_has_no_shoulder() -> None:
    """A robot without an arm reaches nothing, whatever else it has."""
    assert not shoulders_of(Agent("myself", "Robot", head=pose_of([0, 0, 1.5])))


def test_upside_down_there_is_no_heading() -> None:
    """Of a head that is upside down nobody can say where the shoulders are."""
    assert heading(turned((0, 0, 1), about("x", 180))) is None
