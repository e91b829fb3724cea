"""One suite over every renderer: what a picture shows, and where in it."""

from collections.abc import Sequence

import numpy as np
import pytest

from spatial_reasoner.dynamics.bullet import Bullet
from spatial_reasoner.sight.close_ups import CloseUpSight
from spatial_reasoner.sight.ray_casting import down_to, entries, ways_of
from spatial_reasoner.sight.ray_sight import RaySight
from spatial_reasoner.values.rendering import NOTHING, Picture, Scenery
from tests.sight.places import (
    Thing,
    ball,
    block,
    bowl,
    ground,
    looking,
    pole,
    scenery,
    tub,
    turned_about,
    view,
)

AHEAD = looking((1, 0, 0))


def middle(picture: Picture, row: int) -> tuple[float, float]:
    """Where a row shows: line and column."""
    lines, columns = np.nonzero(picture == row)
    return float(lines.mean()), float(columns.mean())


def test_left_is_left_and_up_is_up(sight: CloseUpSight) -> None:
    """What is to the left of the eye and above it shows left of the middle and above it."""
    there = scenery(block((0.2, 0.2, 0.2), 2, 0.5, 0), block((0.2, 0.2, 0.2), 2, 0, 0.5))
    picture = sight.render(view(AHEAD), there)
    assert middle(picture, 0) == pytest.approx((59.5, 62), abs=1)
    assert middle(picture, 1) == pytest.approx((39, 79.5), abs=1)


def test_a_rolled_head_sees_the_world_rolled(sight: CloseUpSight) -> None:
    """A head that leans to its right, by a quarter turn, sees what is above it on its left."""
    there = scenery(block((0.2, 0.2, 0.2), 2, 0, 0.5))
    picture = sight.render(view(looking((1, 0, 0), roll=np.pi / 2)), there)
    assert middle(picture, 0) == pytest.approx((59.5, 62), abs=1)


@pytest.mark.parametrize("yaw", [0.0, 1.1, 2.5, -2.0, np.pi])
def test_a_turned_head_sees_the_same(sight: CloseUpSight, yaw: float) -> None:
    """When all is turned about the eye, and the eye too, the picture hardly changes."""
    there = scenery(block((0.3, 0.2, 0.2), 2, 0.5, 0.2))
    turn = turned_about(2, yaw)
    x, y = 2 * np.cos(yaw) - 0.5 * np.sin(yaw), 2 * np.sin(yaw) + 0.5 * np.cos(yaw)
    about = scenery(block((0.3, 0.2, 0.2), x, y, 0.2, *turn))
    eye = looking((np.cos(yaw), np.sin(yaw), 0))
    same = sight.render(view(AHEAD), there) == sight.render(view(eye), about)
    assert same.mean() > 0.999


def test_what_is_behind_does_not_show(sight: CloseUpSight) -> None:
    """What lies behind the eye, beside its field or nowhere is not in the picture."""
    there = scenery(block((1, 1, 1), -2, 0, 0), ball(0.3, 0, 3, 0), ball(0.3, 2, 0, 0))
    picture = sight.render(view(AHEAD), there)
    assert set(np.unique(picture)) == {NOTHING, 2}


def test_what_is_not_there_does_not_show(sight: CloseUpSight) -> None:
    """A row that is not among those there is not drawn, and hides nothing."""
    there = scenery(ball(0.3, 2, 0, 0), ball(0.3, 1, 0, 0))
    only = type(there)(there.shapes, there.poses, there.rows[:1])
    assert set(np.unique(sight.render(view(AHEAD), there))) == {NOTHING, 1}
    assert set(np.unique(sight.render(view(AHEAD), only))) == {NOTHING, 0}


def test_an_empty_place_shows_nothing(sight: CloseUpSight) -> None:
    """Where nothing is, nothing shows."""
    there = scenery(ball(0.3, 2, 0, 0))
    empty = type(there)(there.shapes, there.poses, there.rows[:0])
    assert (sight.render(view(AHEAD), empty) == NOTHING).all()


def test_what_is_in_front_hides(sight: CloseUpSight) -> None:
    """A box hides the ball behind it, and a smaller one leaves its border."""
    hidden = scenery(ball(0.2, 3, 0, 0), block((0.1, 1, 1), 2, 0, 0))
    assert not (sight.render(view(AHEAD), hidden) == 0).any()
    ring = scenery(ball(0.4, 3, 0, 0), block((0.1, 0.2, 0.2), 2, 0, 0))
    picture = sight.render(view(AHEAD), ring)
    assert picture[60, 80] == 1
    assert (picture == 0).sum() > (picture == 1).sum()


def test_from_inside_a_box_one_sees_out(sight: CloseUpSight) -> None:
    """An eye inside a solid thing sees what is outside, and not the thing."""
    there = scenery(block((1, 1, 1), 0, 0, 0), ball(0.3, 2, 0, 0))
    assert set(np.unique(sight.render(view(AHEAD), there))) == {NOTHING, 1}


@pytest.mark.parametrize("hollow", [tub((0.4, 0.4, 0.3), 1, 0, 0), bowl(0.2, 1, 0, 0.05)])
def test_a_container_is_open(sight: CloseUpSight, hollow: Thing) -> None:
    """From above one sees what lies in a bin or a bowl, from beside its wall."""
    there = scenery(hollow, ball(0.05, 1, 0, -0.05))
    above = sight.render(view(looking((1, 0, 0), (1, 0.01, 1))), there)
    assert (above == 1).sum() > 20
    assert (above == 0).sum() > 5 * (above == 1).sum()
    beside = sight.render(view(looking((1, 0, 0))), there)
    assert not (beside == 1).any()
    assert (beside == 0).sum() > 300


def test_a_bin_hides_from_inside(sight: CloseUpSight) -> None:
    """The far inner wall of a bin hides what is behind the bin."""
    there = scenery(tub((0.4, 0.4, 0.3), 1, 0, 0), ball(0.05, 1.5, 0, -0.1))
    assert not (sight.render(view(looking((1, 0, 0), (0.6, 0, 0.4))), there) == 1).any()


def test_the_floor_ends_at_the_horizon(sight: CloseUpSight) -> None:
    """A plane fills the picture up to just below the middle, and nothing above it."""
    picture = sight.render(view(AHEAD), scenery(ground(-1.5)))
    assert (picture[:60] == NOTHING).all()
    assert (picture[70:] == 0).all()


@pytest.mark.parametrize("roll", [0.0, 0.7, 3.0])
def test_the_ground_is_reckoned_as_any_box(roll: float) -> None:
    """From above, how far ahead the ground is follows without casting rays at it."""
    shape, place = ground(-1.5)
    leaning = np.array([*place, *turned_about(1, 0.1)])
    for toward in ((1, 0, 0), (0.3, 1, -0.5), (-0.2, 0.1, -1)):
        eye = view(looking(toward, (0.3, 0.2, 0.1), roll=roll))
        cast = entries(shape, leaning, eye.pose[:3], ways_of(eye))
        assert np.allclose(down_to(shape, leaning, eye).ravel(), cast)


def test_the_ground_hides_what_is_below_it(sight: CloseUpSight) -> None:
    """A plane hides what is under it from above, and what is over it from below."""
    there = scenery(ground(0), ball(0.2, 2, -0.5, -0.3), ball(0.2, 2, 0.5, 0.3))
    above = sight.render(view(looking((2, 0, 0), (0, 0, 1))), there)
    assert set(np.unique(above).tolist()) == {NOTHING, 0, 2}
    below = sight.render(view(looking((2, 0, 0), (0, 0, -1))), there)
    assert set(np.unique(below).tolist()) == {NOTHING, 0, 1}


def test_two_equal_looks_are_equal_to_the_bit(sight: CloseUpSight) -> None:
    """The same look gives the same picture, whatever was looked at in between."""
    there = mixed()
    first = sight.render(view(looking((0, 0, 0.8), (-1.5, 0.2, 1.4))), there)
    sight.render(view(looking((0, 0, 0.8), (0, 1.5, 1.4))), scenery(ball(0.2, 0, 0, 1)))
    again = sight.render(view(looking((0, 0, 0.8), (-1.5, 0.2, 1.4))), there)
    assert np.array_equal(first, again)


def mixed() -> Scenery:
    """A table with all kinds of things on it, on the ground."""
    things: list[Thing] = [ground(0), block((1.2, 1.2, 0.05), 0, 0, 0.7)]
    kinds: Sequence[Thing] = (
        block((0.2, 0.1, 0.3), 0, 0, 0), ball(0.1, 0, 0, 0), pole(0.06, 0.3, 0, 0, 0),
        tub((0.25, 0.2, 0.15), 0, 0, 0), bowl(0.12, 0, 0, 0),
    )  # fmt: skip
    for k in range(15):
        shape, _ = kinds[k % 5]
        angle = 2.4 * k
        out = 0.05 + 0.035 * k
        turn = turned_about(k % 3, 0.7 * k)
        things.append((shape, (out * np.cos(angle), out * np.sin(angle), 0.9, *turn)))
    return scenery(*things)


@pytest.mark.parametrize(
    "place", [(-1.5, 0.2, 1.4), (0.3, 1.3, 0.9), (0.1, -0.9, 2.0), (0.5, 0.4, 0.2)]
)
def test_the_renderers_draw_the_same(
    sight: CloseUpSight, bullet: Bullet, place: tuple[float, float, float]
) -> None:
    """All but one in a hundred points show what a ray meets there, whatever the kind of thing."""
    there, eye = mixed(), view(looking((0, 0, 0.8), place))
    assert (sight.render(eye, there) == RaySight(bullet).render(eye, there)).mean() > 0.99
