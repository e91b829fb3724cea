"""What is next to what."""

import numpy as np
import pytest

from spatial_reasoner.geometry.shapes import box, cylinder, plane, sphere
from tests.relations.forms import TABLE, mesh_of, size
from tests.relations.stage import Stage, about

CABINET = box(size(0.8, 0.5, 1.5))
PEN = box(size(0.14, 0.01, 0.01))
CUBE = box(size(0.1, 0.1, 0.1))


def test_nearness_goes_by_size() -> None:
    """Cabinets 30 cm apart are next to each other and pens 30 cm apart are not."""
    stage = Stage().stand("left", CABINET, 0, 0, 0).stand("right", CABINET, 1.1, 0, 0)
    stage.stand("pen", PEN, 5, 0, 0).stand("pencil", PEN, 5, 0.31, 0).stand(
        "quill", PEN, 5, -0.05, 0
    )
    assert stage.facts() == {"left by right", "pen by quill"}


def test_nearness_wants_the_same_height() -> None:
    """A cup on the table is not next to the one on the floor below, however near on the plan."""
    stage = Stage().stand("above", CUBE, 0, 0, 0.75).stand("below", CUBE, 0.12, 0, 0)
    assert not stage.facts()


def test_a_chair_pushed_under_a_table_is_next_to_it() -> None:
    """Things whose footprints overlap are next to each other where their heights do."""
    stage = (
        Stage().stand("table", TABLE, 0, 0, 0.7).stand("chair", box(size(0.5, 0.5, 0.9)), 0.6, 0, 0)
    )
    assert stage.facts() == {"chair by table"}


def test_what_is_on_something_on_a_table_is_not_next_to_the_table() -> None:
    """Things one above the other are not next to each other, with or without something between."""
    stage = Stage().put("floor", plane(), (0, 0, 0)).stand("table", TABLE, 0, 0, 0.7)
    stage.stand("card", box(size(0.1, 0.1, 0.001)), 0, 0, 0.75).stand("coin", PEN, 0, 0, 0.751)
    stage.stand("plate", cylinder(0.1, 0.02), 0.3, 0, 0.75, support=False)
    stage.stand("dome", sphere(0.05), 0.3, 0, 0.77)
    assert not stage.said("by")


@pytest.mark.parametrize("yaw", [0, 10, 20, 33, 45, 70, 90])
def test_the_long_edge_of_a_table_is_straight(yaw: float) -> None:
    """How far a cup is from a long table does not depend on how that is turned."""
    turn = np.radians(yaw)
    across = np.array([np.cos(turn), np.sin(turn)])
    # Half of the root of 0.06 times 2.5 is 19.4 cm.
    for gap, expected in ((0.185, {"cup by table"}), (0.2, set())):
        stage = Stage().stand("table", box(size(0.6, 2.5, 0.75)), 1, 1, 0, yaw=yaw)
        x, y = across * (0.33 + gap) + 1
        stage.stand("cup", cylinder(0.03, 0.1), x, y, 0.5)
        assert stage.said("by") == expected


@pytest.mark.parametrize("yaw", [0, 15, 30, 45, 60])
def test_the_distance_between_corners_is_exact(yaw: float) -> None:
    """Cubes corner to corner are as far apart as their corners, however both are turned."""
    turn = np.radians(yaw)
    diagonal = np.array([np.cos(turn), np.sin(turn)]) * np.sqrt(2)
    for gap, expected in ((0.0495, {"a by b"}), (0.0505, set())):
        stage = Stage().stand("a", CUBE, 0, 0, 0, yaw=yaw - 45)
        x, y = diagonal * (0.1 + gap / np.sqrt(2))
        stage.stand("b", CUBE, x, y, 0, yaw=yaw - 45)
        assert stage.said("by") == expected


def test_a_box_does_not_grow_when_it_is_turned_or_moves() -> None:
    """Turned by 45° in its place, or moved and moved back, a thing has the neighbours it had."""
    stage = Stage().stand("a", CUBE, 0, 0, 0).stand("b", CUBE, 0.155, 0, 0)
    assert not stage.facts()
    for yaw in (0, 90, 180, -90, 360):
        stage.move("b", (0.155, 0, 0.05), about("z", yaw))
        assert not stage.facts()
    stage.move("b", (0.5, 0.5, 0.05))
    assert not stage.facts()
    stage.move("b", (0.155, 0, 0.05))
    assert not stage.facts()


def test_distances_do_not_count_from_the_origin() -> None:
    """Neighbours are the same far from the origin, and for a mesh with its origin elsewhere."""
    moved = mesh_of([((3.0, -2.0, 1.0), (0.1, 0.1, 0.1))])
    for x, y in ((0, 0), (50, -70)):
        stage = Stage().stand("a", CUBE, x, y, 0)
        stage.put("b", moved, (x - 3 + 0.14, y + 2, 0.05 - 1))
        stage.put("c", moved, (x - 3, y + 2 + 0.17, 0.05 - 1))
        assert stage.facts() == {"a by b"}
        turned_about_itself = (x + 0.14 + 2, y - 3 + 0.0, 0.05 - 1)
        stage.move("b", (turned_about_itself[0] - 4, turned_about_itself[1], -0.95), about("z", 90))
        assert stage.facts() == {"a by b"}


def test_who_is_held_is_next_to_what_is_near() -> None:
    """A hand about a thing changes nothing of what it is next to."""
    stage = Stage().stand("a", CUBE, 0, 0, 0).stand("b", CUBE, 0.12, 0, 0)
    stage.held = {"a"}
    assert stage.facts() == {"a by b"}


def test_neighbours_part_later_than_they_meet() -> None:
    """Neighbours stay so until they are 15 % farther apart, and 1.5 cm, than they had to come."""
    stage = Stage().stand("a", CUBE, 0, 0, 0).stand("b", CUBE, 0.2, 0, 0)
    for gap, expected in ((0.06, set()), (0.049, {"a by b"}), (0.064, {"a by b"}), (0.066, set())):
        stage.move("b", (0.1 + gap, 0, 0.05))
        assert stage.facts() == expected


def test_leaning_and_lying_things_have_neighbours() -> None:
    """Outlines of cylinders and boxes that lean are those of their shadows."""
    pole = cylinder(0.02, 1.0)
    stage = Stage().put("pole", pole, (0, 0, 0.5), about("y", 30)).stand("cup", CUBE, 0.42, 0, 0.8)
    assert stage.said("by") == {"cup by pole"}
    stage.move("cup", (0.42, 0.5, 0.85))
    assert not stage.said("by")
    stage.move("pole", (0, 0.4, 0.85), about("y", 90))
    assert stage.said("by") == {"cup by pole"}
    stage.move("pole", (0, 0.2, 0.85), about("y", 90))
    assert not stage.said("by")
