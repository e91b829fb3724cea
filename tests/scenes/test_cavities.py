"""What can be filled has a cavity of the right size, and nothing else has one."""

import numpy as np
import pytest

from spatial_reasoner.geometry.cavities import cavity_of
from spatial_reasoner.geometry.heights import heights_of
from spatial_reasoner.geometry.shapes import Cavity, Shape, bin_shape, box, cylinder, sphere
from spatial_reasoner.tolerances.cavities import USUAL
from tests.scenes.meshes import Surface, divided, joined, mug, turned


def room(cavity: Cavity) -> float:
    """The cubic metres that fit in."""
    assert cavity.floor is not None
    cell = np.prod((cavity.high - cavity.low)[:2] / cavity.floor.shape)
    return float(np.nansum(cavity.high[2] - cavity.floor) * cell)


def moved(shape: Shape, place: tuple[float, float, float]) -> Surface:
    return shape.vertices + place, shape.faces


def found(surface: Surface) -> Cavity:
    cavity = cavity_of(*surface, USUAL)
    assert cavity is not None
    return cavity


MUG = np.pi * 0.04**2 * 0.094


@pytest.mark.parametrize("times", [0, 2])
def test_a_mug_holds_what_it_holds(times: int) -> None:
    """The cavity of a mug is exact to a hundredth, its rim and floor exactly where they are."""
    cavity = found(divided(mug(), times))
    assert room(cavity) == pytest.approx(MUG, rel=0.01)
    assert (cavity.low[2], cavity.high[2]) == pytest.approx((-0.044, 0.05))
    assert np.abs(cavity.high[:2] - 0.04).max() < 0.0015
    assert np.abs(cavity.low[:2] + 0.04).max() < 0.0015


def test_thin_walls_hold_water() -> None:
    """A wall that is thinner than a cell of the grid is a wall all the same."""
    cavity = found(mug(wall=0.0002))
    assert room(cavity) == pytest.approx(np.pi * 0.0448**2 * 0.094, rel=0.01)


def test_a_crate_holds_what_a_bin_of_its_size_does() -> None:
    """The cavity that is measured is the one that a bin is made with, to a cell."""
    made = bin_shape(np.array([0.4, 0.3, 0.2]), 0.02, 0.03)
    cavity = found((made.vertices, made.faces))
    assert made.cavity is not None
    assert np.abs(cavity.low - made.cavity.low).max() < 0.007
    assert np.abs(cavity.high - made.cavity.high).max() < 0.007


def test_a_handle_is_no_hole_and_no_room() -> None:
    """A ring at the side of a mug changes nothing but the size of the cells."""
    around = np.arange(12) * np.pi / 6
    ring = turned([(0.02 + 0.005 * np.cos(a), 0.005 * np.sin(a)) for a in around], 32, closed=True)
    upright = ring[0][:, [0, 2, 1]] + (0.06, 0, 0)
    cavity = found(joined(mug(), (upright, ring[1][:, ::-1])))
    assert room(cavity) == pytest.approx(MUG, rel=0.015)
    assert cavity.high[0] < 0.042


@pytest.mark.parametrize(
    "surface",
    [
        moved(box(np.array([0.4, 0.3, 0.2])), (0, 0, 0)),
        moved(sphere(0.1), (0, 0, 0)),
        moved(cylinder(0.1, 0.2), (1, 2, 3)),
        joined(*[moved(box(np.array([0.05, 0.05, 0.7])), (x, y, -0.36)) for x in (-0.4, 0.4)
                 for y in (-0.2, 0.2)], moved(box(np.array([1, 0.6, 0.03])), (0, 0, 0))),
        turned([(0.05, 0), (0.05, 0.1), (0.045, 0.1), (0.045, 0)], 32, closed=True),
        (mug()[0] * (1, 1, -1), mug()[1]),
        (mug()[0][:, [2, 1, 0]], mug()[1]),
        mug(radius=0.0095),
        (mug()[0] * (1, 1, 0.1), mug()[1]),
        (mug()[0] * (1, 1, 0), mug()[1]),
    ],
    ids=["box", "ball", "cylinder", "table", "tube", "upside down", "on its side", "narrow",
         "shallow", "flat"],
)  # fmt: skip
def test_what_holds_nothing_has_no_cavity(surface: Surface) -> None:
    """Solid things, tables, tubes, what is turned over, and what is hardly hollow have none."""
    assert cavity_of(*surface, USUAL) is None


def drawer(gap: float) -> Surface:
    """Five boards, the floor ending before the front."""
    boards = [
        ((0.34, 0.44, 0.01), (0, 0, 0.005)), ((0.34, 0.01, 0.1), (0, 0.215, 0.05)),
        ((0.01, 0.44, 0.1), (0.165, 0, 0.05)), ((0.01, 0.44, 0.1), (-0.165, 0, 0.05)),
        ((0.36, 0.015, 0.15), (0, -0.2275 - gap, 0.06)),
    ]  # fmt: skip
    return joined(*(moved(box(np.array(size)), at) for size, at in boards))


@pytest.mark.parametrize("gap", [0.0, 0.003, 0.0075])
def test_a_slit_lets_nothing_out(gap: float) -> None:
    """A drawer of boards that leave a slit between floor and front holds things all the same."""
    cavity = found(drawer(gap))
    assert room(cavity) == pytest.approx(0.32 * (0.43 + gap) * 0.09, rel=0.05)
    assert (cavity.low[2], cavity.high[2]) == pytest.approx((0.01, 0.1))


def test_a_drawer_without_a_front_holds_nothing() -> None:
    """What is wider than a slit lets out what was put there."""
    assert cavity_of(*drawer(0.05), USUAL) is None


def test_compartments_are_one_cavity() -> None:
    """Two rooms with one rim are one cavity with a wall in it; the deeper of two rims is not."""
    one = moved(bin_shape(np.array([0.2, 0.2, 0.1]), 0.01, 0.02), (-0.1, 0, 0))
    two = moved(bin_shape(np.array([0.2, 0.2, 0.1]), 0.01, 0.02), (0.1, 0, 0))
    both = found(joined(one, two))
    assert both.floor is not None
    assert room(both) == pytest.approx(2 * 0.16 * 0.16 * 0.09, rel=0.05)
    assert np.isnan(both.floor).any()
    low = moved(bin_shape(np.array([0.2, 0.2, 0.06]), 0.01, 0.02), (0.1, 0, -0.02))
    assert found(joined(one, low)).high[0] < 0


def test_heights_between_the_points_count() -> None:
    """A wall between two points of the grid is in the way between them, and under neither."""
    ground = moved(box(np.array([1.0, 1.0, 0.1])), (0, 0, -0.05))
    wall = moved(box(np.array([0.001, 1.0, 0.5])), (0.001, 0, 0.25))
    heights = heights_of(*joined(ground, wall), 8)
    assert heights.tops == pytest.approx(np.zeros((8, 8)), abs=1e-9)
    assert heights.over_x[4] == pytest.approx(np.full(8, 0.5))
    assert heights.over_x[[1, 2, 3, 5, 6, 7]] == pytest.approx(np.zeros((6, 8)), abs=1e-9)
