"""Which points are seen from a place."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.geometry.poses import pose_of
from spatial_reasoner.geometry.shapes import Shape, bin_shape, box, cylinder, sphere
from spatial_reasoner.sight.lines_of_sight import NO_ROW, Obstacles, are_clear, first_met
from tests.trials import law

EYE = np.zeros(3)
FORMS = {
    "box": box(np.array([0.4, 0.6, 0.8])),
    "sphere": sphere(0.3),
    "cylinder": cylinder(0.3, 0.5),
    "bin": bin_shape(np.array([0.5, 0.5, 0.5]), 0.02, 0.02),
}


def before(shape: Shape, at: list[float]) -> Obstacles:
    """One thing at a place."""
    return Obstacles([shape], pose_of(at)[None], np.array([shape.radius]), np.array([0]))


def as_mesh(shape: Shape) -> Shape:
    """The same surface, known by its triangles only."""
    return replace(shape, kind="mesh", pieces=())


def seen(obstacles: Obstacles, *points: list[float], spared: float = 0.0) -> list[bool]:
    ends: Floats = np.array(points)
    found: list[bool] = are_clear(EYE, ends, np.full(len(ends), spared), obstacles).tolist()
    return found


@pytest.mark.parametrize("name", FORMS)
def test_a_thing_in_between_hides(name: str) -> None:
    """What is behind a thing is hidden, what is before or beside it is seen."""
    thing = before(FORMS[name], [2, 0, 0])
    assert seen(thing, [4, 0, 0.05], [1, 0, 0], [4, 3, 0], [-4, 0, 0]) == [False, True, True, True]


def test_the_end_of_a_line_may_be_in_something() -> None:
    """A wrist in a hand, or a tag on its thing, is seen: the last bit of the line is spared."""
    thing = before(FORMS["box"], [2, 0, 0])
    assert seen(thing, [1.84, 0, 0]) == [False]
    assert seen(thing, [1.84, 0, 0], spared=0.05) == [True]
    assert seen(thing, [1.95, 0, 0], spared=0.05) == [False]


def test_with_nothing_there_all_is_seen() -> None:
    """No things, or no points, are no trouble."""
    nothing = Obstacles([None], np.zeros((1, 7)), np.zeros(1), np.empty(0, dtype=np.intp))
    assert seen(nothing, [1, 0, 0]) == [True]
    assert are_clear(EYE, np.empty((0, 3)), np.empty(0), nothing).tolist() == []


@law(60)
@given(
    name=st.sampled_from(["box", "bin"]),
    turn=st.tuples(*[st.floats(-1, 1)] * 4).filter(lambda q: sum(x * x for x in q) > 0.3),
    to=st.tuples(st.floats(2.5, 5), st.floats(-1, 1), st.floats(-1, 1)),
)
def test_meshes_hide_what_their_solid_twins_hide(
    name: str, turn: tuple[float, ...], to: tuple[float, ...]
) -> None:
    """A surface of triangles is met where the same body of exact parts is."""
    length = float(np.linalg.norm(turn))
    at = [2.0, 0.0, 0.0, *(x / length for x in turn)]
    one, other = (before(form, at) for form in (FORMS[name], as_mesh(FORMS[name])))
    assert seen(one, list(to)) == seen(other, list(to))


def begins(end: list[float], row: int, obstacles: Obstacles) -> float:
    """How much of a line there is until it meets a row, by halving: all beyond that is hidden."""
    alone, low, high = replace(obstacles, rows=np.array([row])), 0.0, 1.0
    if seen(alone, end)[0]:
        return np.inf
    while high - low > 1e-9:
        middle = (low + high) / 2
        is_seen = seen(alone, [middle * each for each in end])[0]
        low, high = (middle, high) if is_seen else (low, middle)
    return high


@law(40)
@given(
    places=st.lists(
        st.tuples(st.floats(1, 4), st.floats(-0.5, 0.5), st.floats(-0.5, 0.5)),
        min_size=4, max_size=4,
    ),
    end=st.tuples(st.just(5.0), st.floats(-1, 1), st.floats(-1, 1)),
    own=st.sampled_from([NO_ROW, 1]),
)  # fmt: skip
def test_a_line_meets_the_nearest_first(
    places: list[tuple[float, ...]], end: tuple[float, ...], own: int
) -> None:
    """Of several things in a line the nearest is met, and none behind the thing that is meant."""
    shapes = list(FORMS.values())
    poses = np.array([pose_of(list(place)) for place in places])
    rows = np.array([row for row in range(4) if row != own])
    every = Obstacles(shapes, poses, np.array([shape.radius for shape in shapes]), rows)
    met = int(first_met(EYE, np.array([end]), np.zeros(1), own, every)[0])
    where = [begins(list(end), row, every) for row in range(4)]
    nearest = int(np.argmin(where))
    is_met = where[nearest] < 1 and nearest != own
    assert met == (nearest if is_met else NO_ROW)
