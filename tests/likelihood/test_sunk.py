"""What is drawn into something solid begins where it may be, however unsure its height is."""

import numpy as np
import pytest

from spatial_reasoner.belief.mind import Mind
from spatial_reasoner.dynamics.bullet_dynamics import Dynamics
from spatial_reasoner.likelihood.draws import drawn, normals
from spatial_reasoner.likelihood.falls import jobs
from spatial_reasoner.likelihood.likelihood import doubt
from tests.likelihood.rooms import TOP, Believe, Thing, shares

DRAWS = 200
LOW = (0.01, 0.01, 0.03, 0.02)
"""Deviations: the height is the least sure."""
HALF = {"ball": 0.045, "cube": 0.04, "mug": 0.05, "box": 0.15}


@pytest.mark.parametrize("name", HALF)
@pytest.mark.parametrize(("x", "z", "support"), [(1.5, 0.0, "floor"), (0.0, TOP, "table")])
def test_what_rests_on_something(
    believe: Believe, dynamics: Dynamics, name: str, x: float, z: float, support: str
) -> None:
    """What stands on a floor or a table is on it, although many draws of it begin within that."""
    mind = believe(**{name: Thing((x, 0.0, z + HALF[name]), LOW)})
    assert shares(mind, name, dynamics, DRAWS)[f"{name} isOn {support}"] >= 0.99


@pytest.mark.parametrize("box", [None, LOW])
@pytest.mark.parametrize(("x", "z"), [(1.5, 0.0), (0.0, TOP)])
def test_what_is_in_a_box(
    believe: Believe,
    dynamics: Dynamics,
    box: tuple[float, float, float, float] | None,
    x: float,
    z: float,
) -> None:
    """What lies in a box is in it, be the box's own height sure or not."""
    within = Thing((x, 0.0, z + 0.02 + HALF["ball"]), LOW)
    mind = believe(ball=within, box=Thing((x, 0.0, z + 0.15), box))
    assert shares(mind, "ball", dynamics, DRAWS)["ball isIn box"] >= 0.99


def test_in_a_mesh_and_on_a_board(believe: Believe, dynamics: Dynamics) -> None:
    """The same in a hollow mesh, and on a board that itself lies on the table."""
    ball, tub = Thing((0.0, 0.0, TOP + 0.07), LOW), Thing((0.0, 0.0, TOP))
    assert shares(believe(tub=tub, ball=ball), "ball", dynamics, DRAWS)["ball isIn tub"] >= 0.98
    mug = Thing((0.0, 0.0, TOP + 0.03 + HALF["mug"]), LOW)
    mind = believe(mug=mug, shelf=Thing((0.0, 0.0, TOP + 0.015), LOW))
    assert shares(mind, "mug", dynamics, DRAWS)["mug isOn shelf"] >= 0.99


def test_what_hovers(believe: Believe, dynamics: Dynamics) -> None:
    """What is believed in the air falls on what is below it, as do those draws that are in that."""
    mind = believe(ball=Thing((0.0, 0.0, TOP + 0.125), (0.01, 0.01, 0.06, 0.0)))
    assert shares(mind, "ball", dynamics, DRAWS)["ball isOn table"] >= 0.99


def test_what_may_be_below_a_board_may_be_there(believe: Believe, dynamics: Dynamics) -> None:
    """Draws in the air below a table are on the floor: only those in it are taken over it."""
    mind = believe(ball=Thing((0.0, 0.0, TOP + 0.045), (0.01, 0.01, 0.2, 0.0)))
    found = shares(mind, "ball", dynamics, DRAWS)
    assert 0.15 < found["ball isOn floor"] < 0.35
    assert found["ball isOn floor"] + found["ball isOn table"] >= 0.99


def test_beside_the_edge_it_falls(believe: Believe, dynamics: Dynamics) -> None:
    """What is unsure to the side as well is on the table as often as it is over it."""
    mind = believe(ball=Thing((0.5 - 0.05, 0.0, TOP + 0.045), (0.05, 0.001, 0.03, 0.0)))
    share = shares(mind, "ball", dynamics, 400)["ball isOn table"]
    assert abs(share - 0.841) <= 3 * np.sqrt(0.841 * 0.159 / 400)


def test_few_millimetres_are_left_to_physics(believe: Believe, dynamics: Dynamics) -> None:
    """Where heights are surer than a few millimetres each thing begins where it is drawn."""
    mind = believe(ball=Thing((0.0, 0.0, TOP + 0.045), (0.01, 0.01, 0.0005, 0.0)))
    assert _rises(mind, dynamics) == pytest.approx(_drawn(mind), abs=0.004)


def test_the_same_in_any_order(believe: Believe, dynamics: Dynamics) -> None:
    """A draw comes out the same, whichever ones were tried before it, and in another place."""
    mind = believe(ball=Thing((0.0, 0.0, TOP + 0.065), LOW), box=Thing((0.0, 0.0, TOP + 0.15), LOW))
    about = doubt(mind, mind.roster.row["ball"])
    assert about is not None
    wanted = list(jobs(about.bodies, 60))
    first = [job.done(dynamics) for job in wanted]
    with Dynamics() as another:
        again = [job.done(another) for job in reversed(wanted)][::-1]
    assert all(np.array_equal(one, other) for one, other in zip(first, again, strict=True))


def _rises(mind: Mind, dynamics: Dynamics) -> list[float]:
    """How high the ball comes to rest in some draws."""
    about = doubt(mind, mind.roster.row["ball"])
    assert about is not None
    [job] = jobs(about.bodies, 10)
    found: list[float] = job.done(dynamics)[:, 0, 2].tolist()
    return found


def _drawn(mind: Mind) -> list[float]:
    """How high it is drawn."""
    row = mind.roster.row["ball"]
    errors = normals(1, "ball", 0, 10)[:, None] * np.sqrt(np.diag(mind.world.cov[row]))
    found: list[float] = drawn(mind.world.pose[[row]], errors)[:, 0, 2].tolist()
    return found
