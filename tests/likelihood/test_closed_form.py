"""Shares are what can be worked out by hand, where it can."""

import math

import numpy as np
import pytest

from spatial_reasoner.belief.mind import Mind
from spatial_reasoner.dynamics.bullet_dynamics import Dynamics
from spatial_reasoner.dynamics.rigid_bodies import Solid
from spatial_reasoner.dynamics.runs import Fixed, Loose
from spatial_reasoner.geometry.shapes import box, plane
from spatial_reasoner.likelihood.falls import SEED
from spatial_reasoner.likelihood.likelihood import doubt
from spatial_reasoner.tolerances.tolerances import Tolerances
from tests.likelihood.rooms import EDGE, TOP, Believe, Thing, below, shares

DRAWS = 400
SIGMA = 0.05
SURE = (0.0015, 0.0015, 0.0015, 0.0)


def error(share: float, draws: int = DRAWS) -> float:
    """The standard error of a share that ought to be so."""
    return math.sqrt(share * (1 - share) / draws)


@pytest.mark.parametrize("thing", ["ball", "cube"])
@pytest.mark.parametrize("within", [-0.5, 0.0, 1.0, 2.0])
def test_over_an_edge(believe: Believe, dynamics: Dynamics, thing: str, within: float) -> None:
    """What is so many deviations within the edge of a table is on it as often as it is there."""
    half = 0.045 if thing == "ball" else 0.04
    place = (EDGE - within * SIGMA, 0.0, TOP + half)
    mind = believe(**{thing: Thing(place, (SIGMA, 0.001, 0.001, 0.0))})
    share = shares(mind, thing, dynamics, DRAWS)[f"{thing} isOn table"]
    expected = below(within)
    assert abs(share - expected) <= 3 * error(expected)


@pytest.mark.parametrize("deviation", [1e-5, 0.001, 0.05])
def test_however_sure(believe: Believe, deviation: float) -> None:
    """Draws are off by what was told, and by a third of how far beliefs may be off the percepts."""
    told = (deviation, deviation, deviation, 0.0)
    mind = believe(cube=Thing((0.0, 0.0, TOP + 0.04), told))
    about = doubt(mind, mind.roster.row["cube"])
    assert about is not None
    places = about.bodies.drawn(0, DRAWS, SEED)[:, 0, :3]
    expected = math.hypot(deviation, Tolerances().gate / 3)
    assert places.std(axis=0) == pytest.approx(expected, rel=4 / math.sqrt(2 * DRAWS))


@pytest.mark.parametrize("within", [-1.0, 0.0, 1.0])
def test_over_a_box(believe: Believe, dynamics: Dynamics, within: float) -> None:
    """A ball over a box is in it as often as over its mouth, but for the last 5 mm of that."""
    # So near to the wall it may come to lie on the rim, for rolling friction holds it there.
    box_at, wide = (0.0, 0.0, TOP + 0.15), 0.08
    ball = Thing((0.13 - within * wide, 0.0, TOP + 0.4), (wide, 0.002, 0.002, 0.0))
    mind = believe(box=Thing(box_at, SURE), ball=ball)
    share = shares(mind, "ball", dynamics, DRAWS)["ball isIn box"]
    most = below(within) - below(within - 0.26 / wide)
    least = below(within - 0.005 / wide) - below(within - 0.255 / wide)
    assert least - 3 * error(least) <= share <= most + 3 * error(most)


def test_what_is_sure_and_what_cannot_be(believe: Believe, dynamics: Dynamics) -> None:
    """A sure fact has a share of one, an impossible one of zero."""
    mind = believe(
        ball=Thing((0.0, 0.0, TOP + 0.02 + 0.045), (0.01, 0.01, 0.002, 0.0)),
        box=Thing((0.0, 0.0, TOP + 0.15)),
        mug=Thing((-0.3, 0.5, TOP + 0.05)),
    )
    ball, mug = shares(mind, "ball", dynamics, 100), shares(mind, "mug", dynamics, 100)
    assert ball["ball isIn box"] == mug["mug isOn table"] == 1.0
    assert ball["ball isOn table"] == ball["ball isOn floor"] == mug["mug isOn floor"] == 0.0


def test_in_a_mesh(believe: Believe, dynamics: Dynamics) -> None:
    """What is let fall over a hollow mesh is in it, not on it; beside it, it is on the table."""
    tub = Thing((0.0, 0.0, TOP))
    over = Thing((0.0, 0.0, TOP + 0.2), (0.01, 0.01, 0.01, 0.0))
    beside = Thing((0.0, 0.4, TOP + 0.2), (0.01, 0.01, 0.01, 0.0))
    inside = shares(believe(tub=tub, ball=over), "ball", dynamics, 60)
    assert (inside["ball isIn tub"], inside["ball isOn tub"]) == (1.0, 0.0)
    outside = shares(believe(tub=tub, ball=beside), "ball", dynamics, 60)
    assert outside["ball isOn table"] == 1.0


def test_a_container_is_where_its_contents_let_it_be(believe: Believe, dynamics: Dynamics) -> None:
    """What lies in a box does not keep the box from standing on the table."""
    mind = believe(ball=Thing((0.0, 0.0, TOP + 0.02 + 0.045)), box=Thing((0.0, 0.0, TOP + 0.15)))
    assert shares(mind, "box", dynamics, 60)["box isOn table"] == 1.0


def test_one_support_at_a_time(believe: Believe, dynamics: Dynamics) -> None:
    """The shares of being on one thing, on another and in neither sum to one at most."""
    mind = believe(
        ball=Thing((0.15, 0.0, TOP + 0.35), (0.15, 0.15, 0.02, 0.0)),
        box=Thing((0.0, 0.0, TOP + 0.15), SURE),
        crate=Thing((0.32, 0.0, TOP + 0.15), SURE),
        cube=Thing((0.15, 0.3, TOP + 0.04), SURE),
    )
    found = shares(mind, "ball", dynamics)
    on = [share for fact, share in found.items() if " isOn " in fact]
    inside = [found["ball isIn box"], found["ball isIn crate"]]
    assert min(inside) > 0.05
    assert sum(on) <= 1.0
    assert sum(inside) + found["ball isOn table"] <= 1.0


def test_what_is_far_away_does_not_matter(believe: Believe, dynamics: Dynamics) -> None:
    """A thing at the other end of the table changes no share."""
    ball = Thing((0.48, 0.0, TOP + 0.045), (SIGMA, SIGMA, 0.002, 0.0))
    alone = shares(believe(ball=ball), "ball", dynamics, 100)
    far = Thing((-0.3, -0.7, TOP + 0.05), SURE)
    assert shares(believe(far_mug=far, ball=ball), "ball", dynamics, 100) == alone


def test_the_same_again(believe: Believe, dynamics: Dynamics) -> None:
    """The same beliefs have the same shares, each time; by another seed others."""
    mind = believe(ball=Thing((0.48, 0.0, TOP + 0.045), (SIGMA, SIGMA, 0.002, 0.0)))
    first = shares(mind, "ball", dynamics, 100)
    with Dynamics() as another:
        assert shares(mind, "ball", another, 100) == first
    others = [shares(mind, "ball", dynamics, 100, seed) for seed in range(2, 6)]
    assert any(other != first for other in others)


def test_more_draws_are_nearer(believe: Believe, dynamics: Dynamics) -> None:
    """Over some seeds the shares of many draws are nearer to the truth than those of few."""
    mind = believe(cube=Thing((0.45, 0.0, TOP + 0.04), (SIGMA, 0.001, 0.001, 0.0)))

    def off(draws: int) -> float:
        found = [
            shares(mind, "cube", dynamics, draws, SEED + k)["cube isOn table"] for k in range(6)
        ]
        return float(np.abs(np.array(found) - below(1.0)).mean())

    assert off(320) < off(20)


def test_as_the_plain_loop_has_it(believe: Believe, dynamics: Dynamics) -> None:
    """A loop that draws by itself and lets all fall to the end finds the same within the error."""
    mind = believe(cube=Thing((0.46, 0.0, 1.0), (SIGMA, 0.02, 0.02, 0.3)))
    share = shares(mind, "cube", dynamics, DRAWS)["cube isOn table"]
    plain = _plainly(mind, 200)
    assert abs(share - plain) <= 3 * math.hypot(error(share), error(plain, 200))


def _plainly(mind: Mind, draws: int) -> float:
    """Each draw in a room of its own, for two seconds; on the table is what is not below it."""
    chance, on = np.random.default_rng(99), 0
    cov = mind.world.cov[mind.roster.row["cube"]]
    cube, table = box(np.full(3, 0.08)), box(np.array([1.0, 1.6, 0.05]))
    solids = {k: Solid.of(shape, 1.0) for k, shape in enumerate((plane(), table, cube))}
    room = Fixed.still(
        np.array([0, 1]), np.array([[0, 0, 0, 0, 0, 0, 1.0], [0, 0, TOP - 0.025, 0, 0, 0, 1]])
    )
    for _ in range(draws):
        off = chance.multivariate_normal(np.zeros(6), cov)
        angle = float(np.linalg.norm(off[3:]))
        turn = [*(off[3:] / angle * math.sin(angle / 2)), math.cos(angle / 2)]
        pose = np.array([[0.46 + off[0], off[1], 1.0 + off[2], *turn]])
        with Dynamics() as own:
            loose = own.run(solids, Loose.still(np.array([2]), pose), room, 2.0)
        on += bool(loose.poses[0, 2] > TOP)
    return on / draws
