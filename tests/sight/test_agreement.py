"""The renderers agree about who is seen, whatever there is and from wherever one looks."""

from typing import Final

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spatial_reasoner.dynamics.bullet import Bullet
from spatial_reasoner.sight.gazes import Seen
from spatial_reasoner.sight.gl_sight import GlSight
from spatial_reasoner.sight.ray_sight import RaySight
from spatial_reasoner.sight.tiny_sight import TinySight
from spatial_reasoner.sight.visibility import Visibility
from spatial_reasoner.tolerances.tolerances import Tolerances
from tests.sight.places import Thing, ball, block, bowl, gaze, ground, looking, pole, scenery, tub
from tests.trials import law

KINDS: Final = 5


def crowded(seed: int, number: int) -> list[Thing]:
    """Things of all kinds and sizes at random, on and over a table on the ground."""
    draw = np.random.default_rng(seed)
    things: list[Thing] = [ground(0), block((1.2, 1.2, 0.04), 0, 0, 0.7)]
    for k in range(number):
        size = draw.uniform(0.01, 0.2, 3).tolist()
        turn = draw.normal(size=4)
        pose = (
            *draw.uniform(-0.6, 0.6, 2),
            draw.uniform(0.72, 1.1),
            *(turn / np.linalg.norm(turn)),
        )
        things.append(
            (
                block(size, *pose),
                ball(size[0] / 2, *pose),
                pole(size[0] / 2, size[1], *pose),
                tub((0.05 + size[0], 0.05 + size[1], 0.03 + size[2]), *pose),
                bowl(size[0] / 2 + 0.01, *pose),
            )[k % KINDS]
        )
    return things


def decided(one: Seen, other: Seen) -> bool:
    """Nobody is seen by the one whom the other does not even keep, nor the other way round."""
    begins, stays = Tolerances().share
    clash = (one.share >= begins + 0.03) & (other.share < stays - 0.01)
    clash |= (other.share >= begins + 0.03) & (one.share < stays - 0.01)
    return not clash.any()


@law(8)
@given(seed=st.integers(0, 10_000), angle=st.floats(-3.1, 3.1), out=st.floats(0.8, 4.0),
       high=st.floats(0.9, 2.0), roll=st.floats(-1.5, 1.5))  # fmt: skip
@pytest.mark.parametrize("name", ["gl", "tiny"])
def test_a_crowded_table(
    request: pytest.FixtureRequest,
    bullet: Bullet,
    name: str,
    seed: int,
    angle: float,
    out: float,
    high: float,
    roll: float,
) -> None:
    """On a crowded table, seen from anywhere, what rays see the renderer sees, and nothing else."""
    if name == "gl":
        gl: GlSight = request.getfixturevalue("gl")
        drawn = Visibility(gl, Tolerances())
    else:
        drawn = Visibility(TinySight(bullet), Tolerances())
    there = scenery(*crowded(seed, 20))
    eye = looking((0, 0, 0.8), (out * np.cos(angle), out * np.sin(angle), high), roll)
    looks = [gaze(eye, there, transparent=(3, 9))]
    referee = RaySight(bullet)
    referee.detail, referee.closeness = 48, 24
    [one], [rays] = drawn.see(looks), Visibility(referee, Tolerances()).see(looks)
    assert decided(one, rays)
    assert (one.in_view == rays.in_view).mean() > 0.95
    assert (np.abs(one.share - rays.share) < 0.4).mean() > 0.9
