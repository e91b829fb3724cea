"""Grasps: the point nearest to a shoulder, and where hands come to otherwise."""

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spatial_reasoner.dynamics.bullet import Bullet
from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.geometry.poses import pose_of, rotations
from spatial_reasoner.geometry.shapes import Shape, bin_shape, box, cylinder, plane, sphere
from spatial_reasoner.geometry.surface_distances import distance
from spatial_reasoner.reach.grasps import grasp, nearest_point
from spatial_reasoner.reach.postures import Approach
from spatial_reasoner.tolerances.reach import ReachTolerances
from spatial_reasoner.values.rendering import Scenery
from tests.reach.stage import TABLE, size
from tests.relations.forms import MUG
from tests.relations.stage import about, turned
from tests.trials import law

SHAPES = {
    "box": box(size(0.3, 0.2, 0.1)),
    "bin": bin_shape(size(0.3, 0.4, 0.36), 0.06, 0.02),
    "sphere": sphere(0.08),
    "cylinder": cylinder(0.05, 0.2),
    "mug": MUG,
    "plane": plane(),
}
place = st.floats(-0.8, 0.8)


@law(200)
@given(st.sampled_from(sorted(SHAPES)), st.tuples(place, place, place), place)
def test_the_nearest_point_is_as_near_as_the_surface(
    name: str, at: tuple[float, float, float], lean: float
) -> None:
    """It is as far away as `surface_distances` says of the shape, up to its triangles."""
    shape, pose = SHAPES[name], turned((0.1, -0.2, 0.3), about("x", 90 * lean))
    point = np.array(at)
    far = distance(shape, pose, point)
    if far > 0.001:
        near = nearest_point(shape, pose[:3], rotations(pose), point)
        assert np.linalg.norm(near - point) == pytest.approx(far, abs=0.002)


@pytest.fixture(scope="module")
def bullet() -> Iterator[Bullet]:
    with Bullet() as bullet:
        yield bullet


def grasped(
    bullet: Bullet, shape: Shape, at: Floats, shoulder: Floats, approach: Approach
) -> Floats | None:
    pose = pose_of(at.tolist())
    bullet.arrange(Scenery([shape], pose[None], np.array([0])))
    near = nearest_point(shape, at, np.eye(3), shoulder)
    corners = at - shape.half, at + shape.half
    return grasp(bullet, 0, corners, near, shoulder, approach, ReachTolerances())


def test_a_small_thing_is_grasped_at_its_top_and_side(bullet: Bullet) -> None:
    """A ball before somebody is got to from above, on from the side, and straight on."""
    at, shoulder = np.array([0.5, 0, 0.8]), np.array([0, 0, 1.2])
    ball = sphere(0.03)
    above = grasped(bullet, ball, at, shoulder, "above")
    level = grasped(bullet, ball, at, shoulder, "level")
    straight = grasped(bullet, ball, at, shoulder, "straight")
    assert above is not None
    assert np.allclose(above, [0.5, 0, 0.83], atol=0.002)
    assert level is not None
    assert np.allclose(level, [0.47, 0, 0.805], atol=0.006)
    assert straight is not None
    assert np.linalg.norm(straight - at) == pytest.approx(0.03)


def test_a_large_thing_is_grasped_at_its_edge(bullet: Bullet) -> None:
    """A hand comes down on a table three centimetres from the edge that is nearest."""
    above = grasped(bullet, TABLE, np.array([0.8, 0, 0.7]), np.array([0, 0.1, 1.2]), "above")
    assert above is not None
    assert above[2] == pytest.approx(0.725)
    assert np.hypot(*(above[:2] - [0.35, 0.1])) == pytest.approx(0.03, abs=1e-6)


def test_a_flat_thing_has_no_side(bullet: Bullet) -> None:
    """Between a pen and the table no hand fits, so it is not grasped from the side."""
    pen = box(size(0.14, 0.01, 0.01))
    found = grasped(bullet, pen, np.array([0.5, 0, 0.755]), np.array([0, 0, 1.2]), "level")
    assert found is None
