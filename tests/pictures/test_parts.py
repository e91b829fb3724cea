"""The parts that pictures are made of: colours, facets, lenses, names."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.geometry.poses import IDENTITY
from spatial_reasoner.geometry.shapes import Shape, bin_shape, box, cylinder, plane, sphere
from spatial_reasoner.pictures.facets import stage
from spatial_reasoner.pictures.labels import Named, font, labelled, printable
from spatial_reasoner.pictures.palette import colour_named, colour_of, greyed
from spatial_reasoner.pictures.picture_data import minds_of
from spatial_reasoner.pictures.projection import Projection
from spatial_reasoner.pictures.top_view import Ground, eye_above
from spatial_reasoner.scene.scene import Agent, Entity, Scene
from spatial_reasoner.sight.ray_casting import ways_of
from spatial_reasoner.values.rendering import Eye
from tests.pictures.rooms import look
from tests.trials import law

_SHAPES = {
    "box": (box(np.ones(3)), 6),
    "plane": (plane(), 6),
    "bin": (bin_shape(np.ones(3), 0.1, 0.1), 11),
    "cylinder": (cylinder(0.1, 0.2), 34),
    "ball": (sphere(0.1), 16),
}


@law(60)
@given(st.text(max_size=12), st.tuples(*[st.floats(0, 1)] * 3) | st.none(), st.booleans())
def test_what_is_seen_is_never_grey(
    name: str, color: tuple[float, float, float] | None, is_fixture: bool
) -> None:
    """The colour of a thing is never neutral, whatever the scene says; a grey always is."""
    entity = Entity(name, "Cube", box(np.ones(3)), color=color, is_fixture=is_fixture)
    colour = np.array(colour_of(entity), dtype=float)
    assert np.ptp(colour) >= 25
    grey = greyed(colour)
    assert np.ptp(grey) == 0
    assert 140 < grey[0] < 240


def test_a_colour_goes_by_name() -> None:
    """A name has the same colour always, and names differ."""
    assert colour_named("ball") == colour_named("ball")
    assert len({colour_named(f"thing {number}") for number in range(30)}) > 20


@pytest.mark.parametrize(("shape", "count"), _SHAPES.values(), ids=_SHAPES)
def test_facets_are_the_whole_shape(shape: Shape, count: int) -> None:
    """A shape's facets have all of its surface, and none the row of a thing."""
    staged = stage([None, shape], np.array([IDENTITY, IDENTITY]))
    assert staged.first == 2
    assert staged.row.tolist() == [1] * count
    parts = [one for one in staged.shapes[2:] if one is not None]
    assert sum(area(one) for one in parts) == pytest.approx(area(shape))
    assert staged.scenery(np.array([True, False])).rows.tolist() == []
    assert staged.scenery(np.array([True, True])).rows.tolist() == list(range(2, 2 + count))


def area(shape: Shape) -> float:
    corners = shape.vertices[shape.faces]
    sides = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    return float(np.linalg.norm(sides, axis=1).sum() / 2)


def test_a_side_is_bright_by_where_it_faces() -> None:
    """The six sides of a box are of six brightnesses, its top is the brightest."""
    staged = stage([box(np.ones(3))], IDENTITY[None])
    assert len(np.unique(staged.shade.round(3))) == 6
    assert staged.normal[staged.shade.argmax()].tolist() == [0, 0, 1]


@law(60)
@given(st.floats(-3, 3), st.floats(-3, 3), st.floats(0.1, 3), st.floats(0.3, 2.0))
def test_a_lens_agrees_with_rays(x: float, y: float, z: float, fov: float) -> None:
    """What lies on the ray of a point shows in the middle of that point, and so far ahead."""
    eye = Eye(look((x, y, z), (0.1, 0.2, 0.0)), (fov, 0.8 * fov), 8, 6)
    projection = Projection(eye)
    ways = ways_of(eye)
    np.testing.assert_allclose(projection.ways().reshape(-1, 3), ways, atol=1e-12)
    places, ahead = projection.shown(eye.pose[:3] + 2.5 * ways)
    middles = np.stack(np.meshgrid(np.arange(8), np.arange(6)), axis=-1).reshape(-1, 2) + 0.5
    np.testing.assert_allclose(places, middles, atol=1e-9)
    np.testing.assert_allclose(ahead, 2.5, atol=1e-12)
    assert np.isnan(projection.shown(eye.pose[:3] - ways)[0]).all()


@law(60)
@given(st.floats(-9, 9), st.floats(0, 30), st.floats(-9, 9), st.floats(0, 30), st.floats(0, 4))
def test_all_of_the_ground_shows_from_above(
    left: float, wide: float, low: float, deep: float, top: float
) -> None:
    """The corners of a ground show, x to the right and y up, at every height up to its top."""
    ground = Ground(left, left + wide, low, low + deep, top)
    eye = eye_above(ground, 90, 60)
    corners = np.array([(ground.left, ground.low, 0.0), (ground.right, ground.high, top)])
    places, _ = Projection(eye).shown(corners)
    assert (places >= 0).all()
    assert (places <= [90, 60]).all()
    assert places[0, 0] <= places[1, 0]
    assert places[0, 1] >= places[1, 1]


def test_a_name_is_written_in_its_box() -> None:
    """All ink of a name lies in the box that is told, which is not much larger."""
    paper = Image.new("RGB", (200, 100), (255, 255, 255))
    [label] = labelled(paper, [Named("gypsum", (100.0, 50.0))], nothing(100, 200), font(13))
    y, x = np.nonzero(np.asarray(paper.convert("L")) < 200)
    left, top, right, low = label.box
    assert left <= x.min() <= left + 6
    assert right - 6 <= x.max() < right
    assert top <= y.min()
    assert low - 6 <= y.max() < low


def test_a_name_avoids_what_is_to_be_seen() -> None:
    """A name goes where nothing is, close to what it names."""
    busy = nothing(100, 200)
    busy[:, :120] = 1.0
    paper = Image.new("RGB", (200, 100))
    [label] = labelled(paper, [Named("cube", (110.0, 50.0))], busy, font(13))
    assert 120 <= label.box[0] <= 126


@law(60)
@given(st.lists(st.tuples(st.integers(0, 299), st.integers(0, 199)), min_size=1, max_size=12))
def test_names_keep_clear_of_each_other(places: list[tuple[int, int]]) -> None:
    """However close twelve things are, their names do not overlap, and each is in the picture."""
    names = [Named(f"thing_{number}", place) for number, place in enumerate(places)]
    paper = Image.new("RGB", (300, 200))
    taken = nothing(200, 300)
    for label in labelled(paper, names, nothing(200, 300), font(11)):
        left, top, right, low = label.box
        assert 0 <= left < right <= 300
        assert 0 <= top < low <= 200
        taken[top:low, left:right] += 1
    assert taken.max() == 1


def nothing(height: int, width: int) -> Floats:
    return np.zeros((height, width))


def test_a_name_that_can_not_be_printed() -> None:
    """What does not print is left out, and what is too long is cut."""
    assert printable("a\tb\x00c") == "a b c"
    assert printable("x" * 50, 10) == "x" * 9 + "…"


def test_all_minds_of_a_scene() -> None:
    """The minds are the robot's and those within, as deep as the scene goes or as is asked."""
    people = {name: Agent(name, "Human") for name in ("myself", "sally", "anne")}
    found = Scene("room", {}, people, {}, depth=2)
    assert minds_of(found, 1) == ["myself", "sally", "anne"]
    assert minds_of(found) == [
        *("myself", "sally", "anne"),
        *("sally.myself", "sally.anne", "anne.myself", "anne.sally"),
    ]
