"""How far points are from the surfaces of shapes."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.geometry.poses import apply
from spatial_reasoner.geometry.shapes import Piece, Shape, bin_shape, box, cylinder, plane, sphere
from spatial_reasoner.geometry.surface_distances import distance
from tests.relations.forms import MUG, PRISM, TABLE, mesh_of, size
from tests.relations.stage import about, turned
from tests.trials import law

SHAPES = [
    box(size(0.3, 0.1, 0.2)),
    sphere(0.1),
    cylinder(0.05, 0.3),
    bin_shape(size(0.3, 0.2, 0.2), 0.02, 0.01),
]
points = st.tuples(*[st.floats(-0.5, 0.5)] * 3)


def sampled(shape: Shape, point: tuple[float, ...]) -> float:
    """The distance to the nearest of many points of a surface; never too small."""
    shares = np.linspace(0, 1, 25)
    s, t = (grid.ravel() for grid in np.meshgrid(shares, shares))
    s, t = s[s + t <= 1], t[s + t <= 1]
    a, b, c = (shape.vertices[shape.faces[:, k]] for k in range(3))
    surface = a[:, None] + s[:, None] * (b - a)[:, None] + t[:, None] * (c - a)[:, None]
    return float(np.sqrt(((surface - point) ** 2).sum(axis=2).min()))


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: str(shape.kind))
@given(point=points)
@law(40)
def test_distances_are_those_to_the_nearest_point_of_the_surface(
    shape: Shape, point: tuple[float, ...]
) -> None:
    """Outside, the distance is that to the surface as it is drawn."""
    pose = turned((1, 2, 3), about("x", 50))
    found = distance(shape, pose, apply(pose, np.array(point)))
    drawn = sampled(shape, point)
    if found > 0.003:
        assert drawn - 0.012 <= found <= drawn + 1e-9


def test_inside_a_bin_there_is_room() -> None:
    """A hand in a bin is as far from it as its walls and floor are."""
    basket = bin_shape(size(0.4, 0.4, 0.3), 0.02, 0.02)
    assert distance(basket, turned((0, 0, 0)), np.zeros(3)) == pytest.approx(0.13)
    assert distance(basket, turned((0, 0, 0)), np.array([0.19, 0, 0])) == 0


def test_a_plane_is_solid_below() -> None:
    """Above the ground the distance is the height, below it nothing."""
    assert distance(plane(), turned((0, 0, 1)), np.array([4.0, 4, 3])) == pytest.approx(2)
    assert distance(plane(), turned((0, 0, 1)), np.array([4.0, 4, 0])) == 0


@given(points)
@law(200)
def test_hulls_are_as_far_as_the_boxes_that_they_are(point: tuple[float, ...]) -> None:
    """The hull of a box's corners is as far as the box, within a millimetre."""
    hull, place = mesh_of([((0, 0, 0), (0.3, 0.1, 0.2))]), np.array(point)
    true = distance(SHAPES[0], turned((0, 0, 0)), place)
    assert abs(distance(hull, turned((0, 0, 0)), place) - true) < 1e-3


@given(points)
@law(60)
def test_hulls_are_as_far_as_their_surface(point: tuple[float, ...]) -> None:
    """Of a wedge too the nearest point may be on a face, an edge or a corner."""
    found = distance(PRISM, turned((0, 0, 0)), np.array(point))
    if found > 0.002:
        drawn = sampled(PRISM, point)
        assert drawn - 0.008 <= found <= drawn + 1e-3


@given(st.lists(points, min_size=4, max_size=8, unique=True), points)
@law(200)
def test_a_hull_is_as_far_as_the_nearest_triangle_of_its_corners(
    corners: list[tuple[float, ...]], point: tuple[float, ...]
) -> None:
    """Of any corners the hull is as far as the nearest of all triangles between them."""
    places = np.array(corners) * 0.3
    triples = np.array(list(combinations(range(len(corners)), 3)), dtype=np.int32)
    piece = Piece("hull", np.zeros(3), np.zeros(0), places)
    hull = replace(SHAPES[0], kind="mesh", vertices=places, faces=triples, pieces=(piece,))
    found, drawn = distance(hull, turned((0, 0, 0)), np.array(point)), sampled(hull, point)
    if any(_is_in(places[list(four)], point) for four in combinations(range(len(places)), 4)):
        assert found <= 1e-3
    else:
        assert drawn - 0.01 <= found <= drawn + 1e-3


def _is_in(corners: Floats, point: tuple[float, ...]) -> bool:
    """Whether a point is in a tetrahedron: all its shares in the corners are positive."""
    system = np.vstack([corners.T, np.ones(4)])
    if abs(np.linalg.det(system)) < 1e-12:
        return False
    return bool(np.linalg.solve(system, np.append(point, 1.0)).min() >= 0)


def test_hulls_of_large_flat_things_are_exact_too() -> None:
    """A finger above the middle of a table top that is a mesh is right above it."""
    top = mesh_of([((0, 0, 0), (0.9, 1.4, 0.05))])
    for height in (0.03, 0.1, 0.3):
        place = np.array([0.1, 0.2, height])
        true = distance(TABLE, turned((0, 0, 0)), place)
        assert distance(top, turned((0, 0, 0)), place) == pytest.approx(true, abs=1e-3)


def test_a_mesh_of_pieces_is_as_far_as_the_nearest() -> None:
    """A finger in a mug is off its walls by what they are away."""
    assert distance(MUG, turned((0, 0, 0)), np.array([0.02, 0, 0])) == pytest.approx(
        0.015, abs=1e-3
    )
