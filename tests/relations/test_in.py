"""What is in what."""

from dataclasses import replace

import numpy as np
import pytest

from spatial_reasoner.geometry.poses import compose
from spatial_reasoner.geometry.shapes import Cavity, bin_shape, box, cylinder, sphere
from tests.relations.forms import MUG, mesh_of, size
from tests.relations.stage import DEFAULTS, Stage, about, turned

BASKET = bin_shape(size(0.4, 0.2, 0.2), 0.02, 0.02)
BALL = sphere(0.04)
TURNS = [about("z", 0), about("z", 45), about("x", 90), about("y", 135), about("x", 180)]


def within(place: tuple[float, float, float], turn: list[float]) -> Stage:
    """A ball at a place in the frame of a basket that is turned."""
    basket = turned((2, -1, 1), turn)
    stage = Stage().put("basket", BASKET, basket[:3].tolist(), turn)
    return stage.put("ball", BALL, compose(basket, turned(place))[:3].tolist())


@pytest.mark.parametrize("turn", TURNS)
def test_a_ball_in_a_basket_is_in_it_however_that_is_turned(turn: list[float]) -> None:
    """A basket contains what is in it upright, turned, tipped and upside down."""
    for place in ((0, 0, -0.04), (0.14, 0.04, -0.04), (-0.14, 0, 0.05)):
        assert "ball in basket" in within(place, turn).facts()


@pytest.mark.parametrize("turn", TURNS)
def test_a_ball_beside_a_basket_is_not_in_it_however_that_is_turned(turn: list[float]) -> None:
    """What is beside, below or above a basket is not in it, though its turned box reaches there."""
    for place in ((0.25, 0, 0), (0, 0.15, 0), (0, 0, -0.14), (0, 0, 0.145), (0.2, 0.12, 0.05)):
        assert "ball in basket" not in within(place, turn).facts()


def test_what_sticks_out_of_the_top_is_in() -> None:
    """A bottle higher than the basket it stands in is in it, and so is a spoon that leans out."""
    stage = Stage().stand("basket", BASKET, 0, 0, 0)
    stage.stand("bottle", cylinder(0.03, 0.5), 0.1, 0, 0.02)
    stage.put("spoon", box(size(0.02, 0.01, 0.5)), (-0.22, 0, 0.19), about("y", -40))
    assert {"bottle in basket", "spoon in basket"} == stage.said("in")


def test_what_is_level_needs_no_tilt_to_be_forgiven() -> None:
    """What lies level beside a wall of a bin is in it, though no tilt at all be forgiven."""
    stage = Stage(replace(DEFAULTS, level=(0.0, 0.0)))
    stage.put("basket", BASKET, (0, 0, 0.1)).put("box", box(size(0.1, 0.1, 0.1)), (-0.14, 0, 0.1))
    assert "box in basket" in stage.said("in")


def test_what_overflows_is_in_while_it_reaches_below_the_rim() -> None:
    """Of balls heaped in a basket, those that lie on others above the rim are not in it."""
    stage = Stage().stand("basket", BASKET, 0, 0, 0)
    stage.stand("lowest", BALL, 0, 0, 0.02)
    stage.stand("half", BALL, 0, 0, 0.18)
    stage.stand("above", BALL, 0.1, 0, 0.205)
    assert stage.said("in") == {"lowest in basket", "half in basket"}


def test_what_is_in_a_cup_in_a_box_is_in_both() -> None:
    """Containers may be in containers."""
    stage = Stage().stand("box", BASKET, 0, 0, 0)
    stage.put("mug", MUG, (0, 0, 0.07), about("z", 30)).stand(
        "die", box(size(0.02, 0.02, 0.02)), 0, 0, 0.025
    )
    assert stage.said("in") == {"mug in box", "die in box", "die in mug"}


def test_a_mesh_contains_in_its_cavity_alone() -> None:
    """What touches a mug's handle, or is in its wall, is not in the mug."""
    stage = Stage().put("mug", MUG, (0, 0, 0.05))
    stage.stand("die", box(size(0.01, 0.01, 0.01)), 0, 0, 0.006)
    stage.stand("ring", box(size(0.01, 0.01, 0.01)), 0.06, 0.015, 0.04)
    stage.stand("ant", box(size(0.002, 0.002, 0.002)), -0.034, 0, 0.04)
    assert stage.said("in") == {"die in mug"}


def test_what_a_basket_stands_on_is_not_in_it() -> None:
    """A card right under the floor of a basket is as near to its cavity as one that lies in it."""
    card = box(size(0.1, 0.1, 0.001))
    stage = Stage().stand("below", card, 0, 0, 0).stand("basket", BASKET, 0, 0, 0.001)
    stage.stand("inside", card, 0, 0, 0.021)
    assert stage.said("in") == {"inside in basket"}
    stage.shift("inside", (0, 0, -0.005))
    stage.shift("below", (0, 0, 0.005))
    assert stage.said("in") == {"inside in basket"}


def test_what_is_wider_than_the_cavity_is_not_in() -> None:
    """A board that lies across a basket is not in it, and neither is the table around it."""
    stage = Stage().stand("basket", BASKET, 0, 0, 0)
    stage.stand("board", box(size(0.6, 0.1, 0.02)), 0, 0, 0.19)
    stage.stand("table", box(size(2, 2, 0.05)), 0, 0, 0.1)
    assert not stage.said("in")


def test_only_containers_contain() -> None:
    """Neither a cavity of what is no container nor a box without a cavity contains anything."""
    stage = Stage().stand("tray", BASKET, 0, 0, 0, container=False).stand("ball", BALL, 0, 0, 0.02)
    stage.stand("block", box(size(0.4, 0.4, 0.4)), 3, 0, 0).stand("other", BALL, 3, 0, 0.1)
    assert not stage.said("in")


def test_a_thing_stays_in_until_it_is_a_centimetre_out() -> None:
    """At the rim a thing keeps what it had: taken out by half a centimetre it is still in."""
    stage = Stage().stand("basket", BASKET, 0, 0, 0).stand("ball", BALL, 0, 0, 0.25)
    for low, expected in ((0.195, set()), (0.185, {"ball in basket"}), (0.195, {"ball in basket"}),
                          (0.205, set())):  # fmt: skip
        stage.move("ball", (0, 0, low + 0.04))
        assert stage.said("in") == expected


def test_a_thing_in_another_is_not_next_to_it() -> None:
    """What is in a basket is next to what else is in there, but not to the basket."""
    stage = Stage().stand("basket", BASKET, 0, 0, 0)
    stage.stand("a", BALL, -0.05, 0, 0.02).stand("b", BALL, 0.05, 0, 0.02)
    assert stage.said("by") == {"a by b"}


@pytest.mark.parametrize("origin", [(0, 0, 0), (0, 0, -0.5), (0.3, -0.2, 0.9), (0, 0, 4)])
def test_what_is_in_a_mesh_is_in_it_wherever_its_origin_is(origin: tuple[float, ...]) -> None:
    """A crate whose file has its origin at the foot, or anywhere, holds what lies on its floor."""
    at = -np.array(origin)
    parts = [(at + size(0, 0, -0.09), (0.3, 0.3, 0.02))]
    parts += [(at + size(side, 0, 0), (0.02, 0.3, 0.2)) for side in (-0.14, 0.14)]
    parts += [(at + size(0, side, 0), (0.26, 0.02, 0.2)) for side in (-0.14, 0.14)]
    low, high = at + size(-0.13, -0.13, -0.08), at + size(0.13, 0.13, 0.1)
    crate = mesh_of(parts, Cavity(low, high, np.full((9, 9), low[2])))
    stage = Stage().put("crate", crate, (1 - at).tolist())
    stage.put("ball", BALL, (1, 1, 0.96)).put("below", BALL, (1, 1, 0.86))
    assert stage.said("in") == {"ball in crate"}
