"""What is on what."""

from dataclasses import replace

import numpy as np
import pytest

from spatial_reasoner.geometry.shapes import bin_shape, box, cylinder, plane, sphere
from tests.relations.forms import CHAIR, MUG, SHELF, TABLE, size
from tests.relations.stage import DEFAULTS, Stage, about

CUBE = box(size(0.05, 0.05, 0.05))
BOOK = box(size(0.2, 0.15, 0.02))


def table() -> Stage:
    """A floor, and a table whose top is at 0.75."""
    stage = Stage().put("floor", plane(), (0, 0, 0))
    return stage.stand("table", TABLE, 0, 0, 0.7)


def test_each_thing_of_a_stack_is_on_the_next_one_only() -> None:
    """In a stack of cubes each is on the one right under it and on nothing else."""
    stage = table()
    for k, name in enumerate("abcd"):
        stage.stand(name, CUBE, 0.2, 0.3, 0.75 + 0.05 * k, yaw=20 * k)
    assert stage.said("on") == {"a on table", "b on a", "c on b", "d on c"}


def test_thin_things_stack() -> None:
    """Books of 2 cm, thinner than what is tolerated, stack as cubes do."""
    stage = table()
    for k, name in enumerate("abc"):
        stage.stand(name, BOOK, 0.01 * k, 0, 0.75 + 0.02 * k)
    assert stage.said("on") == {"a on table", "b on a", "c on b"}


def test_cards_stack() -> None:
    """Cards of 1 mm are on each other in their order, and never on each other both ways."""
    card = box(size(0.1, 0.1, 0.001))
    stage = table()
    for k, name in enumerate("abc"):
        stage.stand(name, card, 0, 0, 0.75 + 0.001 * k)
    assert stage.said("on") == {"a on table", "b on a", "c on b"}


def test_a_thing_is_on_what_its_centre_of_mass_is_over() -> None:
    """A book that juts out is on the table until its centre of mass is beyond the edge."""
    stage = table().stand("book", BOOK, 0.44, 0, 0.75)
    assert "book on table" in stage.facts()
    stage = table().stand("book", BOOK, 0.46, 0, 0.75)
    assert not stage.said("on")


def test_a_small_overlap_of_a_long_thing_is_no_support() -> None:
    """A board across two boxes is on neither when its centre of mass is between them."""
    stage = Stage().stand("a", CUBE, -0.2, 0, 0).stand("b", CUBE, 0.2, 0, 0)
    stage.stand("board", box(size(0.6, 0.1, 0.02)), 0, 0, 0.05)
    assert not stage.said("on")


def test_the_centre_of_mass_of_a_mesh_is_not_the_middle_of_its_box() -> None:
    """A mug whose handle juts over the edge is on the table by the weight of its body."""
    stage = table().stand("mug", MUG, 0.44, 0, 0.75)
    middle = stage.geometry().middle[2, 0]
    assert middle > 0.455
    assert "mug on table" in stage.facts()


def test_a_crate_under_a_table_is_on_the_floor() -> None:
    """What stands below a table is on the floor and not on the table."""
    stage = table().stand("crate", bin_shape(size(0.4, 0.3, 0.3), 0.02, 0.02), 0, 0, 0)
    assert stage.said("on") == {"crate on floor"}


def test_a_static_table_carries() -> None:
    """The floor carries the legs of a chair, and a table that never moved what is put on it."""
    stage = table().stand("chair", CHAIR, 1.2, 0, 0)
    stage.put("cup", cylinder(0.04, 0.1), (5, 5, 5), support=False)
    chair_low = float(stage.geometry().bottom[2])
    stage.shift("chair", (0, 0, -chair_low))
    assert stage.said("on") == {"chair on floor"}
    stage.move("cup", (0.1, 0.1, 0.8))
    assert stage.said("on") == {"chair on floor", "cup on table"}


def test_a_thing_on_a_seat_is_on_the_chair() -> None:
    """A mesh carries by each of its tops: a book on the seat is on the chair, below its back."""
    stage = Stage().put("chair", CHAIR, (0, 0, 0), about("z", 77))
    stage.stand("book", BOOK, 0, 0, 0.45)
    assert stage.facts() == {"book on chair"}


def test_what_stands_on_any_board_is_on_the_shelf() -> None:
    """Things on the boards of a shelf are on it, each by its own board; a floating one isn't."""
    stage = Stage().put("shelf", SHELF, (0, 0, 0), about("z", 30))
    for k, low in enumerate((0.02, 0.42, 0.82, 1.22, 0.62)):
        stage.stand(f"cube{k}", CUBE, 0.05 * k, 0.02 * k, low)
    assert stage.said("on") == {f"cube{k} on shelf" for k in range(4)}


def test_a_lid_is_on_its_box() -> None:
    """A lid on a box is on it and not in it, be it as wide as the box or lapping over its rim."""
    for width, low in ((0.3, 0.2), (0.31, 0.18)):
        stage = Stage().stand("box", bin_shape(size(0.3, 0.3, 0.2), 0.01, 0.005), 0, 0, 0, yaw=33)
        stage.stand("lid", box(size(width, width, 0.025)), 0, 0, low, yaw=33)
        assert stage.facts() == {"lid on box"}


def test_a_lid_is_on_a_mug() -> None:
    """The rim of a mesh carries a lid over its cavity."""
    stage = Stage().put("mug", MUG, (0, 0, 0.05))
    stage.stand("lid", box(size(0.08, 0.08, 0.01)), 0, 0, 0.1)
    assert stage.facts() == {"lid on mug"}


def test_what_is_no_support_carries_nothing() -> None:
    """Nothing is on a thing whose class is no support."""
    stage = table().stand("cup", cylinder(0.04, 0.1), 0, 0, 0.75, support=False)
    stage.stand("coin", box(size(0.02, 0.02, 0.002)), 0, 0, 0.85)
    assert stage.said("on") == {"cup on table"}


@pytest.mark.parametrize(("lifted", "on"), [(0.0, True), (0.008, True), (0.035, False)])
def test_what_is_held_rests_where_it_touches(lifted: float, on: bool) -> None:
    """A tray that a hand is about is on the table until it is lifted; what is on it stays on it."""
    stage = table().stand("tray", BOOK, 0, 0, 0.75 + lifted).stand("cup", CUBE, 0, 0, 0.77 + lifted)
    stage.held = {"tray"}
    assert stage.facts() == {"cup on tray"} | ({"tray on table"} if on else set())


def test_what_is_in_a_basket_is_not_on_the_table_below_its_floor() -> None:
    """A ball in a basket rests on nothing outside the basket, though the table is 1 cm below it."""
    stage = table().stand(
        "basket", bin_shape(size(0.3, 0.3, 0.2), 0.01, 0.01), 0, 0, 0.75, support=False
    )
    stage.stand("ball", sphere(0.03), 0, 0, 0.76, support=False)
    assert stage.facts() == {"basket on table", "ball in basket"}


def test_a_basket_put_over_a_ball_takes_it_off_the_table() -> None:
    """Facts of a thing that did not move change when another one comes to contain it."""
    stage = table().stand("ball", sphere(0.03), 0, 0, 0.75, support=False)
    stage.put("basket", bin_shape(size(0.3, 0.3, 0.2), 0.01, 0.01), (3, 0, 0.85), about("x", 180))
    assert stage.facts() == {"ball on table"}
    stage.move("basket", (0, 0, 0.85), about("x", 180))
    assert "ball on table" not in stage.facts()
    assert "ball in basket" in stage.facts()
    stage.move("basket", (3, 0, 0.85), about("x", 180))
    assert stage.facts() == {"ball on table"}


def test_a_bin_put_over_a_flat_thing_is_not_on_it() -> None:
    """What is upside down over a box of 4 cm stands where its rim is, and not on what it covers."""
    stage = table().stand("flat", box(size(0.1, 0.1, 0.04)), 0, 0, 0.75)
    stage.put("bin", bin_shape(size(0.3, 0.3, 0.2), 0.01, 0.01), (0, 0, 0.85), about("x", 180))
    assert stage.facts() == {"bin on table", "flat in bin"}


def test_a_round_table_carries_as_far_as_it_is_round() -> None:
    """A cup over the corner of a round table's box is not on it."""
    stage = Stage().stand("table", cylinder(0.5, 0.04), 0, 0, 0.7)
    stage.stand("inner", CUBE, 0.34, 0.34, 0.74).stand("outer", CUBE, 0.4, -0.4, 0.74)
    assert stage.said("on") == {"inner on table"}


def test_a_turned_table_carries_as_far_as_it_is_long() -> None:
    """A cup beyond the long edge of a turned table is not on it, nor is one past its corner."""
    stage = Stage().stand("table", TABLE, 3, 2, 0.7, yaw=40)
    along = np.array([np.cos(np.radians(130)), np.sin(np.radians(130))])
    across = np.array([np.cos(np.radians(40)), np.sin(np.radians(40))])
    for name, place in {
        "end": along * 0.68, "past": along * 0.72, "edge": across * 0.43, "beyond": across * 0.47,
    }.items():  # fmt: skip
        stage.stand(name, CUBE, 3 + place[0], 2 + place[1], 0.75)
    assert stage.said("on") == {"end on table", "edge on table"}


def test_a_thing_lies_on_a_ramp() -> None:
    """On a board that leans, the top that counts is the one under the centre of mass."""
    ramp = box(size(1.0, 0.4, 0.02))
    stage = Stage().put("ramp", ramp, (0, 0, 1), about("y", 20))
    for name, x in (("low", 0.35), ("high", -0.35)):
        z = 1 - np.tan(np.radians(20)) * x + 0.01 + 0.01 / np.cos(np.radians(20))
        stage.put(name, box(size(0.05, 0.05, 0.02)), (x, 0, z), about("y", 20))
    stage.stand("away", CUBE, 0.35, 0, 1.2)
    assert stage.said("on") == {"low on ramp", "high on ramp"}


def test_between_coming_and_going_a_fact_stays() -> None:
    """A cup 6 cm above the table it stood on is on it, and not above one that it comes down to."""
    stage = table().stand("cup", CUBE, 0, 0, 0.95)
    stage.shift("cup", (0, 0, -0.14))
    assert not stage.said("on")
    stage.shift("cup", (0, 0, -0.06))
    assert stage.said("on") == {"cup on table"}
    stage.shift("cup", (0, 0, 0.06))
    assert stage.said("on") == {"cup on table"}
    stage.shift("cup", (0, 0, 0.02))
    assert not stage.said("on")


def test_what_stands_on_a_floor_stays_on_it_within_the_second_tolerance() -> None:
    """Between the two tolerances a cube comes onto no floor, and one that was on it stays."""
    between = sum(DEFAULTS.on_gap) / 2
    stage = Stage().put("floor", plane(), (0, 0, 0)).stand("cube", CUBE, 0, 0, between)
    assert not stage.said("on")
    stage.shift("cube", (0, 0, -between))
    assert stage.said("on") == {"cube on floor"}
    stage.shift("cube", (0, 0, between))
    assert stage.said("on") == {"cube on floor"}
    stage.shift("cube", (0, 0, DEFAULTS.on_gap[1] - between + 0.001))
    assert not stage.said("on")


def test_what_lies_at_an_edge_stays_on_within_the_second_margin() -> None:
    """A book whose centre is between the two margins comes onto no table, and stays on its own."""
    stage = table().stand("book", BOOK, 0.457, 0, 0.75)
    assert not stage.said("on")
    stage.shift("book", (-0.017, 0, 0))
    assert stage.said("on") == {"book on table"}
    stage.shift("book", (0.017, 0, 0))
    assert stage.said("on") == {"book on table"}
    stage.shift("book", (0.013, 0, 0))
    assert not stage.said("on")


def test_a_cup_slid_on_a_saucer_is_on_the_saucer() -> None:
    """Another top takes over when it is higher by more than noise."""
    stage = Stage(replace(DEFAULTS, on_switch=0.008))
    stage.stand("table", TABLE, 0, 0, 0.7).stand("saucer", box(size(0.15, 0.15, 0.01)), 0, 0, 0.75)
    stage.stand("cup", cylinder(0.04, 0.1), 0.2, 0, 0.75)
    assert "cup on table" in stage.facts()
    stage.shift("cup", (-0.2, 0, 0.01))
    assert {"cup on saucer", "saucer on table"} == stage.said("on")


def test_who_loses_a_place_loses_the_facts_with_it() -> None:
    """What is nowhere is on nothing, and nothing is on it."""
    stage = table().stand("book", BOOK, 0, 0, 0.75).stand("cup", CUBE, 0, 0, 0.77)
    stage.facts()
    stage.lost = {"book"}
    assert stage.facts() == {"cup on table"}


def test_a_tilted_floor_and_a_wall() -> None:
    """A plane that stands upright is a wall and carries nothing."""
    stage = Stage().put("wall", plane(), (0, 0, 0), about("y", 90)).stand("cup", CUBE, 0, 0, 0)
    assert not stage.facts()


def test_what_hangs_over_the_opening_of_a_bin_is_not_on_it() -> None:
    """At the height of the rim only what reaches over a wall rests there."""
    tub = bin_shape(size(0.3, 0.3, 0.2), 0.02, 0.02)
    stage = Stage().stand("tub", tub, 0, 0, 0)
    stage.stand("cup", cylinder(0.04, 0.1), 0, 0, 0.2)
    stage.stand("ball", sphere(0.03), 0.08, 0.05, 0.2)
    assert stage.said("on") == set()
    over = Stage().stand("tub", tub, 0, 0, 0).stand("lid", box(size(0.32, 0.32, 0.01)), 0, 0, 0.2)
    assert over.said("on") == {"lid on tub"}
    across = Stage().stand("tub", tub, 0, 0, 0).stand("bar", box(size(0.4, 0.03, 0.03)), 0, 0, 0.2)
    assert across.said("on") == {"bar on tub"}
    floor = (
        Stage()
        .put("tub", tub, (0, 0, 0.1), about("x", 180))
        .stand("cup", cylinder(0.04, 0.1), 0, 0, 0.2)
    )
    assert floor.said("on") == {"cup on tub"}


@pytest.mark.parametrize("floor", [0.005, 0.015, 0.03])
@pytest.mark.parametrize("rim", [0.02, 0.06])
def test_a_tray_with_a_rim_carries_what_lies_on_its_floor(floor: float, rim: float) -> None:
    """What lies on the floor of a tray is on that, and not on the table; a lid is on the rim; and
    in what contains, it is in."""
    shape, disc = bin_shape(size(0.4, 0.3, floor + rim), floor, 0.01), cylinder(0.06, 0.02)
    tray = table().stand("tray", shape, 0, 0, 0.75, yaw=20, container=False)
    tray.stand("disc", disc, 0.05, 0.03, 0.75 + floor).stand("cup", disc, -0.08, 0, 0.75 + floor)
    assert tray.said("on") == {"tray on table", "disc on tray", "cup on tray"}
    lid = table().stand("tray", shape, 0, 0, 0.75, container=False)
    lid.stand("lid", box(size(0.42, 0.32, 0.01)), 0, 0, 0.75 + floor + rim)
    assert lid.said("on") == {"tray on table", "lid on tray"}
    crate = table().stand("tray", shape, 0, 0, 0.75).stand("disc", disc, 0.05, 0.03, 0.75 + floor)
    assert crate.facts() == {"tray on table", "disc in tray"}


def test_what_hovers_over_the_floor_of_a_tray_is_not_on_it() -> None:
    """In the control it is 12 cm over the floor, and 8 cm under the rim."""
    shape, disc = bin_shape(size(0.4, 0.3, 0.2), 0.01, 0.01), cylinder(0.06, 0.02)
    tray = table().stand("tray", shape, 0, 0, 0.75, container=False)
    assert tray.stand("disc", disc, 0, 0, 0.88).said("on") == {"tray on table"}
