"""Bodies among others: what falls, stays, is carried and is held back."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spatial_reasoner.dynamics.bullet_dynamics import Dynamics
from spatial_reasoner.dynamics.motion_limits import MotionLimits
from spatial_reasoner.dynamics.rigid_bodies import Solid
from spatial_reasoner.dynamics.runs import Fixed, Loose
from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.geometry.poses import turn_between
from spatial_reasoner.geometry.shapes import Shape, bin_shape, box, cylinder, plane, sphere
from spatial_reasoner.scene.mesh import read_mesh
from tests.trials import law

GROUND, TABLE, BIN, BALL, CUP, OTHER = range(6)
_SHAPES = {
    TABLE: box(np.array([1.0, 1.6, 0.05])),
    BIN: bin_shape(np.array([0.3, 0.3, 0.3]), 0.02, 0.02),
    BALL: sphere(0.045),
    CUP: cylinder(0.04, 0.1),
    OTHER: bin_shape(np.array([0.3, 0.3, 0.3]), 0.02, 0.02),
}
SOLIDS = {
    GROUND: Solid.of(plane(), 1.0),
    **{row: Solid.of(shape, 0.1) for row, shape in _SHAPES.items()},
}
TOP = 0.75


@pytest.fixture(scope="module")
def dynamics() -> Iterator[Dynamics]:
    """One place for all tests, as it is one for all minds."""
    with Dynamics() as made:
        yield made


def at(*places: tuple[float, float, float]) -> Floats:
    """Upright poses."""
    return np.array([[*place, 0, 0, 0, 1] for place in places], dtype=np.float64)


def room(*rows: int, **places: tuple[float, float, float]) -> Fixed:
    """The ground and a table, and more that stays."""
    where = at((0, 0, 0), (0, 0, TOP - 0.025), *places.values())
    return Fixed.still(np.array([GROUND, TABLE, *rows]), where)


def one(row: int, x: float, y: float, z: float) -> Loose:
    """A thing that is loose."""
    return Loose.still(np.array([row]), at((x, y, z)))


def test_what_is_let_go_falls_onto_what_is_below(dynamics: Dynamics) -> None:
    """A ball over the table lands on it, and beside the table on the ground."""
    landed = dynamics.run(SOLIDS, one(BALL, 0, 0, 1.2), room(), 1.0)
    assert landed.poses[0, 2] == pytest.approx(TOP + 0.045, abs=0.002)
    beside = dynamics.run(SOLIDS, one(BALL, 0.8, 0, 1.2), room(), 1.5)
    assert beside.poses[0, 2] == pytest.approx(0.045, abs=0.002)


def test_falling_is_as_fast_as_it_is(dynamics: Dynamics) -> None:
    """After a tenth of a second in the air a thing is 5 cm lower, and goes at 1 m/s."""
    fallen = dynamics.run(SOLIDS, one(BALL, 0, 0, 3), room(), 0.1)
    assert 3 - fallen.poses[0, 2] == pytest.approx(0.5 * 9.81 * 0.1**2, rel=0.06)
    assert fallen.velocities[0, 2] == pytest.approx(-0.981, rel=0.02)


def test_what_stands_stays(dynamics: Dynamics) -> None:
    """A cup on the table is where it was after five seconds."""
    stood = dynamics.run(SOLIDS, one(CUP, 0.2, 0.1, TOP + 0.05), room(), 5.0)
    assert np.linalg.norm(stood.poses[0, :3] - (0.2, 0.1, TOP + 0.05)) < 0.003


def test_containers_are_open(dynamics: Dynamics) -> None:
    """What falls into a bin lies on its floor, and not on its rim."""
    fallen = dynamics.run(SOLIDS, one(BALL, 0, 0, 1.3), room(BIN, bin=(0, 0, 0.9)), 1.0)
    assert fallen.poses[0, 2] == pytest.approx(TOP + 0.02 + 0.045, abs=0.002)


@pytest.mark.parametrize("speed", [0.1, 0.3, 1.0, 2.0, 3.0])
def test_what_is_in_a_bin_goes_along(dynamics: Dynamics, speed: float) -> None:
    """A ball in a bin that is carried for a second is in it still, at whatever speed."""
    loose, x = one(BALL, 0, 0, 1.2 - 0.085), 0.0
    for _ in range(25):
        further = x + speed * 0.04
        rows = np.array([GROUND, TABLE, BIN])
        begin, end = (at((0, 0, 0), (0, 0, 0.725), (to, 0, 1.2)) for to in (x, further))
        loose = dynamics.run(SOLIDS, loose, Fixed(rows, begin, end), 0.04)
        x = further
    assert abs(loose.poses[0, 0] - x) < 0.09
    assert loose.poses[0, 2] == pytest.approx(1.2 - 0.085, abs=0.01)


def test_what_jumps_drags_nothing_along_and_what_moves_does(dynamics: Dynamics) -> None:
    """A cup on a tray goes where the tray goes, for the tray has a speed while it moves."""
    loose, tray = one(CUP, 0, 0, TOP + 0.05), np.array([TABLE])
    for step in range(50):
        begin, end = (at((0.2 * s * 0.04, 0, TOP - 0.025)) for s in (step, step + 1))
        loose = dynamics.run(SOLIDS, loose, Fixed(tray, begin, end), 0.04)
    assert loose.poses[0, 0] == pytest.approx(0.4, abs=0.02)


def test_what_stops_does_not_drag_on(dynamics: Dynamics) -> None:
    """A thing on a tray that has stopped stays."""
    tray = np.array([TABLE])
    moved = Fixed(tray, at((0, 0, TOP - 0.025)), at((0.01, 0, TOP - 0.025)))
    loose = dynamics.run(SOLIDS, one(CUP, 0, 0, TOP + 0.05), moved, 0.04)
    still = Fixed.still(tray, at((0.01, 0, TOP - 0.025)))
    first = dynamics.run(SOLIDS, loose, still, 0.5)
    later = dynamics.run(SOLIDS, first, still, 1.0)
    assert np.linalg.norm(later.poses - first.poses) < 1e-3


@pytest.mark.parametrize("depth", [0.003, 0.01, 0.02, 0.04])
def test_what_is_sunk_comes_up_and_is_not_thrown(dynamics: Dynamics, depth: float) -> None:
    """A thing that overlaps the table comes out of it, and never higher than onto it."""
    loose = one(CUP, 0, 0, TOP + 0.05 - depth)
    highest = -np.inf
    for _ in range(60):
        loose = dynamics.run(SOLIDS, loose, room(), 1 / 240)
        highest = max(highest, float(loose.poses[0, 2]))
    assert highest < TOP + 0.053
    assert loose.poses[0, 2] > TOP + 0.05 - 0.003


def test_a_body_that_exceeds_its_limits_is_held_where_it_was(dynamics: Dynamics) -> None:
    """A body that would go too far is held where it began, and disturbs nothing from then on; what
    it is told is how far it got."""
    rows = np.array([BALL, CUP])
    loose = Loose.still(rows, at((0, 0, 1.5), (0, 0, 1.2)))
    held = dynamics.run(SOLIDS, loose, room(), 0.2, MotionLimits(0.045))
    fell = loose.poses - held.poses
    assert np.isnan(held.velocities).all()
    assert ((fell[:, 2] > 0.045) & (fell[:, 2] < 0.055)).all()
    fell[:, 2] = 0.0
    assert not fell.any()
    steps = dynamics.steps
    dynamics.run(SOLIDS, loose, room(), 10.0, MotionLimits(0.045))
    assert dynamics.steps - steps < 30


def test_only_those_that_are_named_are_there(dynamics: Dynamics) -> None:
    """Bodies of an earlier run are in nobody's way."""
    dynamics.run(SOLIDS, one(BALL, 0, 0, 1.2), room(BIN, OTHER, a=(0, 0, 0.9), b=(0, 0, 0.4)), 0.1)
    fallen = dynamics.run(SOLIDS, one(BALL, 0, 0, 1.2), room(), 1.0)
    assert fallen.poses[0, 2] == pytest.approx(TOP + 0.045, abs=0.002)


@given(
    first=st.tuples(*[st.floats(-0.1, 0.1)] * 2, st.floats(1.1, 1.4)),
    second=st.tuples(*[st.floats(-0.4, 0.4)] * 2, st.floats(1.5, 1.9)),
)
@law(20)
def test_runs_forget_each_other(
    dynamics: Dynamics,
    first: tuple[float, float, float],
    second: tuple[float, float, float],
) -> None:
    """What comes out of a run depends on what goes in, and not on other runs."""
    fixed = room(BIN, bin=(0, 0, 0.9))
    loose = Loose.still(np.array([CUP, BALL]), at(first, (first[0], first[1], 1.0)))
    before = dynamics.run(SOLIDS, loose, fixed, 0.3).poses
    dynamics.run(SOLIDS, Loose.still(np.array([CUP, BALL]), at(second, first)), fixed, 0.5)
    assert np.abs(dynamics.run(SOLIDS, loose, fixed, 0.3).poses - before).max() == 0.0


def test_a_run_made_twice_is_the_same(dynamics: Dynamics) -> None:
    """What touched in one run, and was pressed apart, is met anew in the next one."""
    loose = Loose.still(np.array([CUP, BALL]), at((0, 0, TOP + 0.048), (0.075, 0, TOP + 0.043)))
    first, again = (dynamics.run(SOLIDS, loose, room(), 0.125) for _ in range(2))
    assert np.array_equal(first.poses, again.poses)
    assert np.array_equal(first.velocities, again.velocities)


def test_poses_that_are_none_are_refused(dynamics: Dynamics) -> None:
    """What isn't finite is an error, and never reaches Bullet."""
    with pytest.raises(ValueError, match="finite"):
        dynamics.run(SOLIDS, one(BALL, 0, 0, float("nan")), room(), 0.1)


def test_shapes_may_change(dynamics: Dynamics) -> None:
    """A row of another shape is another body."""
    small: Shape = sphere(0.01)
    solids = {**SOLIDS, BALL: Solid.of(small, 0.1)}
    fallen = dynamics.run(solids, one(BALL, 0, 0, 1.0), room(), 1.0)
    assert fallen.poses[0, 2] == pytest.approx(TOP + 0.01, abs=0.002)
    again = dynamics.run(SOLIDS, one(BALL, 0, 0, 1.0), room(), 1.0)
    assert again.poses[0, 2] == pytest.approx(TOP + 0.045, abs=0.002)


def test_what_was_saved_goes_on_the_same(dynamics: Dynamics) -> None:
    """What is said of loose bodies is all there is: elsewhere they go on alike, in 2 mm and 2°."""
    rows = np.array([OTHER, CUP, BALL])
    loose = Loose.still(rows, at((0, 0, 1.1), (0, 0, 1.4), (0.05, 0, 1.7)))
    saved = dynamics.run(SOLIDS, loose, room(), 0.4)
    on = dynamics.run(SOLIDS, saved, room(), 0.8)
    with Dynamics() as elsewhere:
        restored = elsewhere.run(SOLIDS, saved, room(), 0.8)
    assert np.abs(restored.poses[:, :3] - on.poses[:, :3]).max() < 0.002
    assert turn_between(restored.poses, on.poses).max() < np.radians(2)


def test_what_is_inside_goes_back_with_what_is_held(dynamics: Dynamics) -> None:
    """A bin in the air that can't stay is held, and the ball in it is in it still."""
    rows = np.array([BIN, BALL])
    loose = Loose.still(rows, at((0, 0, 1.5), (0, 0, 1.5 - 0.085)))
    limits = MotionLimits(0.045, contents={BIN: [BALL]})
    held = dynamics.run(SOLIDS, loose, room(), 0.125, limits)
    assert np.isnan(held.velocities[0]).all()
    assert held.poses[1, 2] == pytest.approx(1.5 - 0.085, abs=0.003)
    assert not np.isnan(held.velocities[1]).any()


def test_forms_are_not_kept_for_ever() -> None:
    """A door that swings has another shape each time; a thousand of them are no burden."""
    with Dynamics() as dynamics:
        for number in range(1100):
            small = box(np.array([0.1, 0.1, 0.1 + number * 1e-5]))
            solids = {**SOLIDS, CUP: Solid.of(small, 0.1)}
            dynamics.run(solids, one(CUP, 0, 0, 1.0), room(), 1 / 240)
        assert dynamics.forms < 600
        assert dynamics.run(SOLIDS, one(CUP, 0, 0, 1), room(), 1.0).poses[0, 2] == pytest.approx(
            TOP + 0.05, abs=0.002
        )


def test_a_mesh_that_is_hollow_is_so_in_physics(dynamics: Dynamics) -> None:
    """What falls into a mug that was read from a file lies in it, and not on its rim."""
    file = Path(__file__).parent.parent / "scenes" / "files" / "mug.obj"
    mug = read_mesh(file.read_bytes(), "obj", "mug")
    assert mug.cavity is not None
    room = float((mug.cavity.high - mug.cavity.low)[:2].min())
    pea = sphere(room / 5)
    solids = {CUP: Solid.of(mug, 0.2), BALL: Solid.of(pea, 0.01)}
    middle = (mug.cavity.low + mug.cavity.high) / 2
    loose = one(BALL, middle[0], middle[1], mug.cavity.high[2] + 0.05)
    fixed = Fixed.still(np.array([CUP]), at((0, 0, 0)))
    fallen = dynamics.run(solids, loose, fixed, 0.8)
    assert fallen.poses[0, 2] < mug.cavity.low[2] + 2 * room / 5
    assert fallen.poses[0, 2] > mug.cavity.low[2]


@pytest.mark.parametrize(
    ("z", "in_ground", "in_table", "in_bin"),
    [
        (TOP + 0.1, 0.0, 0.0, 0.0),
        (TOP + 0.055, 0.0, 0.0, 0.01),
        (TOP + 0.015, 0.0, 0.03, 0.05),
        (0.035, 0.01, 0.0, 0.0),
        (-1.0, 1.045, 0.0, 0.0),
    ],
)
def test_how_deep_a_thing_would_be(
    dynamics: Dynamics, z: float, in_ground: float, in_table: float, in_bin: float
) -> None:
    """How deep a thing would be in each of the others is told, in a bin by its floor."""
    there = room(BIN, bin=(0, 0, TOP + 0.15))
    found = dynamics.depths(SOLIDS, BALL, at((0, 0, z))[0], there)
    assert found == pytest.approx([in_ground, in_table, in_bin], abs=2e-3)
