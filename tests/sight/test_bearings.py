"""Where things lie as seen from heads, against what the fields say themselves."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from spatial_reasoner.geometry.poses import rotations
from spatial_reasoner.sight.bearings import Bearings, object_bearings
from spatial_reasoner.sight.fields_of_view import EyeFields, bearings, eye_fields
from spatial_reasoner.sight.outlines import outlines
from tests.sight.places import ball, block, looking, scenery, tub
from tests.trials import law

NORMAL = eye_fields((1.745, 1.309), (0.35, 0.26), 0.262, 0.061, 80)
WIDE = eye_fields((4.5, 1.2), (0.35, 0.26), 0.3, 0.061, 80)


def lying(seed: int, one: EyeFields) -> tuple[Bearings, np.ndarray, np.ndarray]:
    """Forty things about a head that looks somewhere, and where their middles are for it."""
    chance = np.random.default_rng(seed)
    places = chance.normal(0, 2, (40, 3))
    sizes = chance.uniform(0.02, 0.6, (40, 3))
    made = (
        lambda s, p: ball(s[0] / 2, *p),
        lambda s, p: block(tuple(s), *p),
        lambda s, p: tub(tuple(s), *p),
    )
    there = scenery(*(made[k % 3](sizes[k], places[k]) for k in range(40)))
    eye = looking(tuple(chance.normal(0, 1, 3)), tuple(chance.normal(0, 0.5, 3)))
    about = outlines([there])
    where = object_bearings(about, eye[None], np.zeros(1, dtype=np.intp), [one])
    offsets = (there.poses[:, :3] - eye[:3]) @ rotations(eye)
    return where, offsets, about.outsides.radii[0]


@law(60)
@given(seed=st.integers(0, 10_000), one=st.sampled_from([NORMAL, WIDE]))
def test_fields_hold_what_lies_in_them(seed: int, one: EyeFields) -> None:
    """Of the ball about a thing some, all or the middle is in a field as that itself says."""
    where, offsets, radii = lying(seed, one)
    azimuth, elevation = bearings(offsets)
    distance = np.linalg.norm(offsets, axis=1)
    sine, level = radii / distance, np.cos(elevation)
    width = np.where(sine < 1, np.arcsin(np.minimum(sine, 1)), np.pi)
    side = np.where(sine < level, np.arcsin(np.minimum(sine / level, 1)), np.pi)
    assert np.allclose(where.azimuth[0], azimuth)
    assert np.allclose(where.width[0], width)
    for n, field in enumerate(one.fields):
        found = where.some[0, n], where.whole[0, n], where.middle[0, n]
        asked = ((-side, -width), (side, width), (0 * side, 0 * width))
        for flags, (wide, high) in zip(found, asked, strict=True):
            assert np.array_equal(flags, field.inside(azimuth, elevation, wide, high))


@law(60)
@given(seed=st.integers(0, 10_000))
def test_outlines_are_as_large_as_balls_of_their_size(seed: int) -> None:
    """What a thing would show is something, and little more than the ball about it would."""
    where, offsets, radii = lying(seed, NORMAL)
    distance = np.linalg.norm(offsets, axis=1)
    clear = where.some[0, -1] & (distance > 4 * radii) & (np.abs(where.azimuth[0]) < 0.7)
    off = offsets[:, 0] / distance
    most = np.pi * radii**2 * NORMAL.density**2 / distance**2 / off**3
    assert (where.points[0][clear] <= 1.4 * most[clear]).all()
    assert (where.points[0][clear] > 0).all()
    balls = clear & (np.arange(40) % 3 == 0) & (distance > 8 * radii)
    assert np.allclose(where.points[0][balls], most[balls], rtol=0.15)
