"""Points of interest: in view or not, in front or at the back, hidden or not."""

import numpy as np
import pytest

from spatial_reasoner.bullet import Bullet
from spatial_reasoner.point_sight import points_seen, points_shown
from tests.sight.places import (
    FOV,
    Thing,
    ball,
    block,
    bowl,
    looking,
    pole,
    scenery,
    see_through,
    tub,
    turned_about,
)

AHEAD = looking((1, 0, 0))
TAGS = np.array(
    [[-0.1, 0.08, 0.08], [-0.1, -0.08, 0.08], [-0.1, 0.08, -0.08], [-0.1, -0.08, -0.08]]
)


def test_the_front_shows_and_the_back_does_not(bullet: Bullet) -> None:
    """Tags on the side of a box that faces the eye show; turned round, its body hides them."""
    front = scenery(block((0.2, 0.2, 0.2), 2, 0, 0))
    assert points_shown(bullet, AHEAD, FOV, TAGS, front, 0).all()
    back = scenery(block((0.2, 0.2, 0.2), 2, 0, 0, *turned_about(2, np.pi)))
    assert not points_shown(bullet, AHEAD, FOV, TAGS, back, 0).any()


@pytest.mark.parametrize("board", [
    block((0.02, 0.5, 1), 1, 0.25, 0), ball(0.3, 1, 0.3, 0), pole(0.3, 2, 1, 0.3, 0),
    bowl(0.3, 1, 0.3, 0, *turned_about(1, -np.pi / 2)), tub((0.6, 0.6, 0.6), 1, 0.3, 0),
])  # fmt: skip
def test_what_stands_in_front_hides(bullet: Bullet, board: Thing) -> None:
    """A thing of any form on the left hides the left tags only; of glass it hides none."""
    there = scenery(block((0.2, 0.2, 0.2), 2, 0, 0), board)
    seen = points_seen(bullet, AHEAD, FOV, TAGS, there, 0)
    assert seen.in_view.all()
    assert seen.blocked.tolist() == [True, False, True, False]
    glass = see_through(there, 1)
    assert points_shown(bullet, AHEAD, FOV, TAGS, there, 0, glass).all()


def test_out_of_the_field(bullet: Bullet) -> None:
    """Points beyond the field, and behind the head, are not in view."""
    there = scenery(block((0.2, 0.2, 0.2), 0, 0, 0))
    points = np.array([[2, 2.3, 0], [2, 2.5, 0], [-2, 0, 0], [2, 0, 1.5], [2, 0, 1.6]])
    eye = looking((1, 0, 0))
    seen = points_seen(bullet, eye, FOV, points, there, 0)
    assert seen.in_view.tolist() == [True, False, False, True, False]


def test_what_lies_behind_a_point_does_not_hide_it(bullet: Bullet) -> None:
    """A tag that is stuck to a wall, or lies a little within its own body, shows."""
    there = scenery(block((0.2, 0.2, 0.2), 2, 0, 0), block((0.1, 3, 3), 2.15, 0, 0))
    deep = np.array([[-0.095, 0.0, 0.0], [-0.07, 0.0, 0.0]])
    assert points_shown(bullet, AHEAD, FOV, deep, there, 0).tolist() == [True, False]
    assert points_shown(bullet, AHEAD, FOV, np.array([[-0.05, 1.0, 1.0]]), there, 1).all()


def test_from_another_place(bullet: Bullet) -> None:
    """A rolled head elsewhere sees the side that faces it."""
    there = scenery(block((0.2, 0.2, 0.2), 2, 1, 0.5, *turned_about(2, 0.4)))
    sides = np.array(
        [[0.1, 0, 0], [-0.1, 0, 0], [0, 0.1, 0], [0, -0.1, 0], [0, 0, 0.1], [0, 0, -0.1]]
    )
    eye = looking((2, 1, 0.5), (2, 1, 3), roll=1.0)
    assert points_shown(bullet, eye, FOV, sides, there, 0).tolist() == [False] * 4 + [True, False]


def test_no_points(bullet: Bullet) -> None:
    """Of no points none shows."""
    there = scenery(block((0.2, 0.2, 0.2), 2, 0, 0))
    assert len(points_shown(bullet, AHEAD, FOV, np.zeros((0, 3)), there, 0)) == 0
