"""The part of a picture in which something is: nothing shows outside it."""

import numpy as np
import pytest

from spatial_reasoner.geometry.poses import compose, pose_of
from spatial_reasoner.sight.bearings import object_bearings
from spatial_reasoner.sight.close_ups import CloseUpSight
from spatial_reasoner.sight.fields_of_view import eye_fields
from spatial_reasoner.sight.outlines import outlines
from spatial_reasoner.sight.picture_parts import Enclosing
from spatial_reasoner.values.rendering import NOTHING, Eye, PixelRectangle, Scenery
from tests.sight.places import ball, block, bowl, looking, scenery, tub


def scattered(seed: int) -> Scenery:
    """Things of all forms and sizes all around, some of them about the eye."""
    chance = np.random.default_rng(seed)
    sizes, places = chance.uniform(0.02, 1.2, (24, 3)), chance.normal(0, 1.5, (24, 3))
    made = [
        lambda s, p: ball(s[0] / 2, *p),
        lambda s, p: block(tuple(s), *p),
        lambda s, p: tub(tuple(s), *p),
        lambda s, p: bowl(s[0] / 2, *p),
    ]
    return scenery(*(made[k % 4](sizes[k], places[k]) for k in range(24)))


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("wide", [1.745, 3.0, 6.28])
def test_nothing_shows_outside(sight: CloseUpSight, seed: int, wide: float) -> None:
    """All that a panel's picture shows of some rows is in the part that is said to hold them, and
    what it shows of each in its own box."""
    there = scattered(seed)
    rows = np.arange(seed % 5, 24, 1 + seed % 7)
    gaze = looking((1, 0.3 * np.sin(seed), 0.2), (0.0, 0.0, 0.1 * seed))
    fields = eye_fields((wide, 1.309), (0.35, 0.26), 0.262, 0.061, 40)
    about, world = outlines([there]), np.zeros(1, dtype=np.intp)
    where = object_bearings(about, gaze[None], world, [fields])
    enclosing = Enclosing(gaze[None], world, about, where)
    for panel in fields.panels:
        turn = pose_of([0, 0, 0, 0, 0, np.sin(panel.yaw / 2), np.cos(panel.yaw / 2)])
        eye = Eye(compose(gaze, turn), panel.fov, panel.width, panel.height)
        picture = sight.render(eye, Scenery(there.shapes, there.poses, rows))
        boxes, part = enclosing.boxes(0, rows, panel)
        shown = picture != NOTHING
        if part is not None:
            shown[part.top : part.bottom, part.left : part.right] = False
        assert not shown.any()
        for row, (left, top, right, bottom) in zip(rows, boxes, strict=True):
            shown = picture == row
            shown[top:bottom, left:right] = False
            assert not shown.any()


def test_parts_are_cut_out_of_whole_pictures(sight: CloseUpSight) -> None:
    """A part of a picture shows what the whole one shows there."""
    there, eye = scattered(3), Eye(looking((1, 0.2, 0)), (1.6, 1.2), 120, 90)
    whole = sight.render(eye, there)
    parts = [
        PixelRectangle(0, 0, 120, 90),
        PixelRectangle(10, 5, 70, 60),
        PixelRectangle(90, 30, 91, 90),
        PixelRectangle(0, 80, 120, 81),
    ]
    cut = sight.looks([eye] * 4, [there] * 4, parts)
    for part, picture in zip(parts, cut, strict=True):
        here = whole[part.top : part.bottom, part.left : part.right]
        assert picture.shape == here.shape
        assert (picture != here).mean() <= 0.01
