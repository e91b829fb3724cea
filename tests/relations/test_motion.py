"""How fast things move, by what was perceived of them."""

from collections.abc import Iterable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.relations.motion import Trail, Velocities, is_moving
from spatial_reasoner.relations.steadiness import Debounce
from tests.relations.stage import DEFAULTS
from tests.trials import law

ROW = np.array([0])
START = 1.7e9
"""Recordings have times since 1970."""


def every(rate: float, seconds: float) -> Iterable[float]:
    """Times at a rate."""
    return (START + k / rate for k in range(int(seconds * rate) + 1))


def uneven(seconds: float, seed: int) -> Iterable[float]:
    """Times from 15 to 100 ms apart."""
    gaps = np.random.default_rng(seed).uniform(0.015, 0.1, int(seconds / 0.0575))
    return (START + float(passed) for passed in np.cumsum(gaps))


def lines(trail: Trail, now: float) -> list[Floats]:
    """The velocities of a trail by all its lines."""
    found = trail.velocities(now, DEFAULTS)
    return [found.quick, found.steady, found.mean]


def flips(times: Iterable[float], speed: float, seed: int, sd: float = 0.0015) -> list[float]:
    """When isMoving changed for something at a speed, perceived with noise and debounced."""
    noise, trail = np.random.default_rng(seed), Trail(rows=1)
    raw, steady, told, when = np.zeros(1, dtype=bool), Debounce((1,), 0.08), False, []
    for now in times:
        place = np.array([[speed * (now - START), 0, 1.0]]) + noise.normal(0, sd, (1, 3))
        trail.record(now, ROW, place)
        raw = is_moving(trail.velocities(now, DEFAULTS), raw, DEFAULTS)
        if bool(steady.settle(now, raw)[0]) is not told:
            told = not told
            when.append(now - START)
    return when


@pytest.mark.parametrize("rate", [5, 10, 25, 60])
def test_what_is_still_never_moves(rate: float) -> None:
    """A minute of noise of 1.5 mm starts no motion, at any rate."""
    assert flips(every(rate, 60), 0.0, 1) == []


def test_what_is_still_never_moves_at_uneven_times() -> None:
    """Nor do percepts that come at no rate in particular start one."""
    assert flips(uneven(60, 2), 0.0, 3) == []


@pytest.mark.parametrize("rate", [5, 10, 25, 60])
def test_what_moves_moves_within_0_4_s(rate: float) -> None:
    """A thing at 10 cm/s is moving within 0.4 s of what can be known of it, and goes on to."""
    when = flips(every(rate, 20), 0.1, 4)
    assert len(when) == 1
    assert when[0] <= (0.4 if rate > 5 else 0.6)


def test_what_moves_at_uneven_times_moves() -> None:
    """A thing at 10 cm/s is moving when percepts come at no rate in particular."""
    when = flips(uneven(20, 5), 0.1, 6)
    assert len(when) == 1
    assert when[0] <= 0.55


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("speed", "changes"), [(0.03, 0), (0.055, 1)])
def test_what_creeps_does_not_flicker(speed: float, changes: int, seed: int) -> None:
    """For a minute 3 cm/s is no motion, and 5.5 cm/s is one, whatever the noise."""
    assert len(flips(every(25, 60), speed, seed)) == changes


@pytest.mark.parametrize("speed", [0.05, 0.06, 0.3])
def test_what_begins_to_move_is_soon_told(speed: float) -> None:
    """Something that lay still for two seconds is moving 0.28 s after it begins to, and goes on."""
    trail, moving = Trail(rows=1), np.zeros(1, dtype=bool)
    changes = []
    for now in every(25, 6):
        was = bool(moving[0])
        trail.record(now, ROW, np.array([[speed * max(now - START - 2, 0), 0, 0]]))
        moving = is_moving(trail.velocities(now, DEFAULTS), moving, DEFAULTS)
        if bool(moving[0]) is not was:
            changes.append(now - START - 2)
    assert len(changes) == 1
    assert changes[0] <= 0.4 - DEFAULTS.debounce


def test_moving_stops() -> None:
    """What stops is still again within 0.4 s."""
    trail, moving = Trail(rows=1), np.zeros(1, dtype=bool)
    stopped = None
    for now in every(25, 3):
        trail.record(now, ROW, np.array([[0.2 * min(now - START, 1.0), 0, 0]]))
        moving = is_moving(trail.velocities(now, DEFAULTS), moving, DEFAULTS)
        if now - START > 1 and not moving[0] and stopped is None:
            stopped = now - START - 1
    assert stopped is not None
    assert stopped <= 0.3


def test_moving_begins_faster_than_it_ends() -> None:
    """A thing moves from 4 cm/s on, until it is slower than 3.3 cm/s."""
    was = np.zeros(1, dtype=bool)
    for speed, expected in ((0.03, False), (0.05, True), (0.035, True), (0.03, False)):
        velocity = np.array([[0.0, speed, 0]])
        was = is_moving(Velocities(velocity, velocity, velocity), was, DEFAULTS)
        assert bool(was[0]) is expected


def test_what_is_perceived_no_more_does_not_move() -> None:
    """Half a second after its last percept a thing has no speed."""
    trail = Trail(rows=1)
    for now in every(25, 1):
        trail.record(now, ROW, np.array([[now - START, 0, 0]]))
    assert all(each.any() for each in lines(trail, START + 1.1))
    assert not any(each.any() for each in lines(trail, START + 1.6))


def test_rows_have_times_of_their_own() -> None:
    """Two sources at different rates give two things the same speed."""
    trail = Trail(rows=2)
    for k in range(100):
        now = START + k / 50
        rows = np.array([0, 1] if k % 5 == 0 else [0])
        trail.record(now, rows, np.tile([0.3 * k / 50, 0, 0], (len(rows), 1)))
    for velocities in lines(trail, now):
        assert np.allclose(velocities, [[0.3, 0, 0]] * 2)


def test_a_trail_grows() -> None:
    """Rows that come later start without a past."""
    trail = Trail(rows=1)
    for now in every(25, 1):
        trail.record(now, ROW, np.array([[now - START, 0, 0]]))
    trail.grow(rows=2)
    for velocities in lines(trail, now):
        assert velocities.any(axis=1).tolist() == [True, False]


vectors = st.tuples(*[st.floats(-2, 2)] * 3)


@given(vectors, vectors, st.lists(st.floats(0.02, 0.06), min_size=30, max_size=30))
@law(60)
def test_a_straight_motion_has_its_velocity(
    place: tuple[float, ...], velocity: tuple[float, ...], gaps: list[float]
) -> None:
    """Whatever the times, the line through places on a line is that line."""
    trail, now = Trail(rows=1), START
    for gap in gaps:
        now += gap
        trail.record(now, ROW, np.add(place, np.multiply(velocity, now - START))[None])
    for found in lines(trail, now):
        assert np.allclose(found[0], velocity, atol=1e-4)
