"""Pictures of one eye that differ in a few things: only where they do is drawn, and rightly."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from spatial_reasoner.sight.close_ups import CloseUps, CloseUpSight, Masks
from spatial_reasoner.sight.gl_sight import GlSight
from spatial_reasoner.sight.visibility import Visibility
from spatial_reasoner.tolerances.tolerances import Tolerances
from spatial_reasoner.values.rendering import Eye, Picture, PixelRectangle, Scenery
from tests.sight.places import ball, block, bowl, gaze, looking, scenery, tub

HEAD = looking((1, 0, -0.2))
MANY = 70
"""More eyes than pictures are kept."""
A_POINT = {"gl": 0.01, "tiny": 0.01, "rays": 0.1}
"""So much of a small thing is one point of it; whether a ray that grazes it meets it may depend on
what Bullet was asked before."""


def scattered(seed: int, count: int = 16) -> Scenery:
    """A table, and things of all forms about it."""
    chance = np.random.default_rng(seed)
    sizes, turns = chance.uniform(0.03, 0.25, (count, 3)), chance.uniform(-1, 1, (count, 2))
    made = [
        lambda s, x, y: ball(s[0] / 2, 1.5 + 0.5 * x, 0.7 * y, -0.2),
        lambda s, x, y: block(tuple(s), 1.5 + 0.5 * x, 0.7 * y, -0.2),
        lambda s, x, y: tub(tuple(s), 1.5 + 0.5 * x, 0.7 * y, -0.2),
        lambda s, x, y: bowl(s[0] / 2, 1.5 + 0.5 * x, 0.7 * y, -0.2),
    ]
    things = [made[k % 4](sizes[k], *turns[k]) for k in range(count)]
    return scenery(block((1, 1.5, 0.05), 1.5, 0, -0.35), *things)


def changed(there: Scenery, chance: np.random.Generator) -> Scenery:
    """The same when some things moved, and some came or went."""
    poses = there.poses.copy()
    moved = chance.choice(np.arange(1, len(poses)), 2, replace=False)
    poses[moved, :2] += chance.normal(0, 0.1, (2, 2))
    present = np.isin(np.arange(len(poses)), there.rows)
    present[chance.integers(1, len(poses))] ^= True
    return replace(there, poses=poses, rows=np.flatnonzero(present))


class Watched:
    """A sight that notes what it is asked to draw."""

    def __init__(self, sight: CloseUpSight) -> None:
        self.name, self.detail, self.closeness = sight.name, sight.detail, sight.closeness
        self.parts: list[PixelRectangle] = []
        self.rows: list[int] = []
        self._sight = sight

    def render(self, eye: Eye, scenery: Scenery) -> Picture:
        return self._sight.render(eye, scenery)

    def looks(
        self, eyes: Sequence[Eye], sceneries: Sequence[Scenery], parts: Sequence[PixelRectangle]
    ) -> list[Picture]:
        self.parts += parts
        self.rows += [len(each.rows) for each in sceneries]
        return self._sight.looks(eyes, sceneries, parts)

    def close_ups(self, sceneries: Sequence[Scenery], close_ups: CloseUps) -> tuple[Masks, Masks]:
        return self._sight.close_ups(sceneries, close_ups)

    def close(self) -> None:
        self._sight.close()


@pytest.mark.parametrize("seed", range(6))
def test_a_story_ends_as_if_it_were_seen_for_the_first_time(sight: CloseUpSight, seed: int) -> None:
    """After many small changes, each drawn in part, all that shows is what shows to who only came
    for the end."""
    chance, there = np.random.default_rng(seed), scattered(seed)
    lasting = Visibility(sight, Tolerances())
    for _ in range(8):
        there = changed(there, chance)
        glass = (1, 2) if chance.random() < 0.4 else ()
        [after] = lasting.see([gaze(HEAD, there, transparent=glass)])
        [alone] = Visibility(sight, Tolerances()).see([gaze(HEAD, there, transparent=glass)])
        assert after.share == pytest.approx(alone.share, abs=A_POINT[sight.name])
        assert np.array_equal(after.in_view, alone.in_view)


def test_only_what_differs_is_drawn(sight: CloseUpSight) -> None:
    """One ball that moved costs a small part of a picture, and few of its things."""
    there, watched = scattered(1), Watched(sight)
    visibility = Visibility(watched, Tolerances())
    visibility.see([gaze(HEAD, there)])
    poses = there.poses.copy()
    poses[1, 1] += 0.02
    visibility.see([gaze(HEAD, replace(there, poses=poses))])
    [whole, part], [all_rows, few] = watched.parts, watched.rows
    assert part.width * part.height < 0.2 * whole.width * whole.height
    assert few < all_rows


def test_what_is_not_in_the_picture_is_not_drawn(sight: CloseUpSight) -> None:
    """What moves above all that a picture shows changes nothing in it."""
    there = scenery(ball(0.1, 2, 0, 0), ball(0.1, 1.2, 0, 1.9))
    poses = there.poses.copy()
    poses[1, 1] += 0.01
    visibility = Visibility(sight, Tolerances())
    [first] = visibility.see([gaze(HEAD, there)])
    [second] = visibility.see([gaze(HEAD, replace(there, poses=poses))])
    assert visibility.drawn == 1
    assert np.array_equal(first.share, second.share)


def test_more_eyes_than_pictures_are_kept(sight: CloseUpSight) -> None:
    """Each of very many eyes has two minds that differ: all are answered."""
    there = scenery(ball(0.1, 2, 0, 0), ball(0.1, 2, 0.3, 0))
    without = replace(there, rows=there.rows[:1])
    eyes = [looking((1, 0.01 * k, 0)) for k in range(MANY)]
    asked = [gaze(eye, each) for each in (there, without) for eye in eyes]
    seen = Visibility(sight, Tolerances()).see(asked)
    assert all((each.share[:2] > 0).all() for each in seen[:MANY])
    assert all(each.share[0] > 0 and each.share[1] == 0 for each in seen[MANY:])


@pytest.mark.parametrize("seed", range(8))
def test_a_picture_is_the_same_wherever_it_is_drawn(gl: GlSight, seed: int) -> None:
    """Alone or below others on a sheet, it is the same to the point."""
    there, chance = scattered(seed, 40), np.random.default_rng(seed)
    eyes = [Eye(looking((1, y, -0.2)), (1.6, 1.2), 171, 117) for y in chance.normal(0, 0.2, 5)]
    part = PixelRectangle(0, 0, 171, 117)
    together = gl.looks(eyes, [there] * 5, [part] * 5)
    for eye, picture in zip(eyes, together, strict=True):
        assert np.array_equal(gl.render(eye, there), picture)
