"""Close-ups by rays, against Bullet's own rays."""

from collections.abc import Sequence

import numpy as np
import pytest

from spatial_reasoner.sight.close_up_rays import close_up_masks
from spatial_reasoner.sight.close_ups import CloseUps, Masks
from spatial_reasoner.sight.ray_sight import RaySight
from spatial_reasoner.values.rendering import Scenery
from tests.sight.places import Thing, ball, block, bowl, ground, looking, pole, scenery, tub

SIZE = 24


def thing(kind: int, pose: Sequence[float]) -> Thing:
    """A thing of one of the kinds there are: a mesh last."""
    makers = (
        lambda: block((0.2, 0.1, 0.3), *pose),
        lambda: ball(0.12, *pose),
        lambda: pole(0.06, 0.3, *pose),
        lambda: tub((0.3, 0.25, 0.2), *pose),
        lambda: bowl(0.15, *pose),
    )
    return makers[kind]()


def crowd(chance: np.random.Generator, kinds: int) -> Scenery:
    """Twelve things about a place, turned anyhow, and the ground far below them."""
    turns = chance.normal(size=(12, 4))
    turns /= np.linalg.norm(turns, axis=1)[:, None]
    poses = np.column_stack([chance.normal(0, 0.35, (12, 3)), turns])
    things = [thing(k % kinds, pose.tolist()) for k, pose in enumerate(poses)]
    return scenery(*things, ground(-1.5))


def close_ups(chance: np.random.Generator, sceneries: Sequence[Scenery]) -> CloseUps:
    """At all things of all sceneries from anywhere about them, anything else being in front."""
    rows = np.tile(np.arange(12), len(sceneries))
    worlds = np.repeat(np.arange(len(sceneries)), 12)
    eyes = []
    for world, row in zip(worlds.tolist(), rows.tolist(), strict=True):
        place = chance.normal(size=3)
        place *= chance.uniform(1.5, 3) / np.linalg.norm(place)
        way = sceneries[world].poses[row, :3] - place
        eyes.append(looking(tuple(way), tuple(place)))
    before = np.repeat(np.arange(len(rows)), 12)
    others = np.array([k for row in rows for k in range(13) if k != row])
    fovs = chance.uniform(0.1, 0.4, (len(rows), 2))
    unsure = np.ones(len(rows), dtype=bool)
    return CloseUps(np.array(eyes), fovs, worlds, rows, before, others, unsure, SIZE)


def test_simple_shapes_show_as_bullets_rays_meet_them() -> None:
    """All but one point in two hundred are as Bullet has them, and nothing is drawn for that."""
    chance, rays = np.random.default_rng(11), RaySight()
    sceneries = [crowd(chance, 4) for _ in range(4)]
    asked = close_ups(chance, sceneries)

    def draws(_: Sequence[Scenery], __: CloseUps) -> tuple[Masks, Masks]:
        pytest.fail("nothing is to be drawn")

    for found, true in zip(
        close_up_masks(sceneries, asked, draws), rays.close_ups(sceneries, asked), strict=True
    ):
        assert 0.1 < true.mean() < 0.9
        assert (found != true).mean() < 0.005
    rays.close()


def test_only_what_has_a_mesh_in_it_is_drawn() -> None:
    """Who draws is asked for the close-ups that a mesh is in, and for no others."""
    chance = np.random.default_rng(12)
    sceneries = [crowd(chance, 4), crowd(chance, 5)]
    asked = close_ups(chance, sceneries)
    drawn: list[CloseUps] = []

    def draws(_: Sequence[Scenery], some: CloseUps) -> tuple[Masks, Masks]:
        drawn.append(some)
        all_of_it = np.ones((len(some.rows), SIZE, SIZE), dtype=bool)
        return all_of_it, all_of_it

    _, shown = close_up_masks(sceneries, asked, draws)
    [some] = drawn
    assert some.worlds.tolist() == [1] * 12
    assert some.rows.tolist() == list(range(12))
    assert some.others.tolist() == asked.others[asked.worlds[asked.before] == 1].tolist()
    assert shown[12:].all()
    assert not shown[:12].all(axis=(1, 2)).any()
