"""What keeps facts from flickering."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.geometry.poses import turn_between
from spatial_reasoner.relations.steadiness import Debounce, Smoother
from tests.relations.stage import DEFAULTS, about, turned
from tests.trials import law

START = 1.7e9
ROW = np.array([0])


def settled(times: list[float], truths: list[bool], *, start: float = START) -> list[bool]:
    """What a debounce of 0.12 s says of one truth."""
    steady = Debounce((1,), 0.12)
    return [
        bool(steady.settle(start + t, np.array([truth]))[0])
        for t, truth in zip(times, truths, strict=True)
    ]


def test_a_truth_must_last_before_it_is_told() -> None:
    """At 25 Hz a change is told after three more frames, and a shorter one never."""
    times = [0.04 * k for k in range(9)]
    assert (
        settled(times, [False, True, True, True, False, False, False, False, False]) == [False] * 9
    )
    assert settled(times, [False] + [True] * 8) == [False] * 4 + [True] * 5


def test_seldom_percepts_are_believed_at_once() -> None:
    """Where 0.12 s pass between percepts nothing waits; at 10 Hz a change waits for one more."""
    assert settled([0, 0.2, 0.4], [False, True, False]) == [False, True, False]
    assert settled([0, 0.12, 0.24], [False, True, False]) == [False, True, False]
    assert settled([0, 0.1, 0.2, 0.3], [False, True, True, True]) == [False, False, False, True]


def test_what_just_entered_is_believed_at_once() -> None:
    """The first facts of a thing do not wait, those of the others do."""
    steady = Debounce((2,), 0.12)
    steady.settle(START, np.array([False, False]))
    found = steady.settle(START + 0.04, np.array([True, True]), np.array([False, True]))
    assert found.tolist() == [False, True]


def test_the_first_frame_is_believed() -> None:
    """A recording of one frame has facts."""
    assert settled([0], [True]) == [True]


def test_a_debounce_grows() -> None:
    """Rows that come later were false so far, and those there are stay as they are."""
    steady = Debounce((1, 1), 0.12)
    steady.settle(START, np.array([[True]]))
    steady.grow((2, 2))
    assert steady.settle(START + 0.04, steady.settled).tolist() == [[True, False], [False, False]]


@given(st.lists(st.booleans(), min_size=1, max_size=60), st.sampled_from([1.0, 1.0e3, 1.7e9]))
@law(100)
def test_a_shift_of_time_changes_nothing(truths: list[bool], start: float) -> None:
    """A recording made later gives the same facts at the same frames."""
    times = [0.04 * k for k in range(len(truths))]
    assert settled(times, truths, start=start) == settled(times, truths, start=0.0)


@given(st.lists(st.integers(1, 6), min_size=1, max_size=12), st.sampled_from([0.5, 1.0, 2.0, 3.0]))
@law(100)
def test_what_lasts_is_told_at_any_speed(lasts: list[int], scale: float) -> None:
    """Played faster or slower, truths that last 0.3 s at least come out all, in their order."""
    truths = [k % 2 == 1 for k, last in enumerate(lasts) for _ in range(last * 20)]
    told = settled([0.04 * scale * k for k in range(len(truths))], truths)
    changes = [told[0], *(b for a, b in pairwise(told) if a is not b)]
    assert changes == [k % 2 == 1 for k in range(len(lasts))]


gaps = st.sampled_from([0.01, 0.04, 0.1, 0.12, 0.3])
frames = st.tuples(gaps, st.lists(st.booleans(), min_size=3, max_size=3))


@given(st.lists(frames, min_size=1, max_size=40))
@law(100)
def test_an_array_is_debounced_as_its_entries_are(frames: list[tuple[float, list[bool]]]) -> None:
    """Each truth of an array comes out as it would alone, by the rule spelt out one by one."""
    steady, now, last = Debounce((3,), 0.12), START, -np.inf
    said, since = [False] * 3, [np.inf] * 3
    for gap, frame in frames:
        now += gap
        for k, truth in enumerate(frame):
            since[k] = min(since[k], now) if truth is not said[k] else np.inf
            if truth is not said[k] and (now - since[k] >= 0.1199 or now - last >= 0.1199):
                said[k], since[k] = truth, np.inf
        last = now
        assert steady.settle(now, np.array(frame)).tolist() == said


def noisy(rate: float, seconds: float, seed: int) -> Floats:
    """The smoothed poses of a thing at rest, perceived with 1.5 mm and 2°, after half a second."""
    noise, smoother, found = np.random.default_rng(seed), Smoother(1, DEFAULTS), []
    for k in range(int(rate * seconds)):
        turn = noise.normal(0, np.radians(2), 3) / 2
        pose = turned(
            noise.normal(0, 0.0015, 3).tolist(), [*turn.tolist(), float(np.sqrt(1 - turn @ turn))]
        )
        smoother.smooth(START + k / rate, ROW, pose[None])
        found.append(smoother.poses[0].copy())
    return np.array(found[int(rate / 2) :])


def test_smoothing_halves_the_noise() -> None:
    """At 25 Hz half the noise of places and turns is gone."""
    found = noisy(25, 60, 1)
    assert found[:, :3].std(axis=0).max() < 0.00075 * 1.3
    assert turn_between(found, np.tile(turned((0, 0, 0)), (len(found), 1))).max() < np.radians(6)


def test_a_row_in_no_noise_stands_still() -> None:
    """What is perceived within 1 mm of where it is does not change at all."""
    smoother = Smoother(1, DEFAULTS)
    assert smoother.smooth(START, ROW, turned((1, 2, 3))[None]).tolist() == [0]
    for k in range(1, 200):
        shaken = turned((1 + 0.001 * (-1) ** k, 2, 3), about("z", 0.5 * (-1) ** k))
        assert smoother.smooth(START + 0.04 * k, ROW, shaken[None]).size == 0
    assert (smoother.poses[0] == turned((1, 2, 3))).all()


def test_the_first_percept_always_counts() -> None:
    """A row that is first perceived is told of, wherever that is."""
    smoother = Smoother(1, DEFAULTS)
    assert smoother.smooth(START, ROW, smoother.poses.copy()).tolist() == [0]
    assert smoother.smooth(START + 0.04, ROW, smoother.poses.copy()).tolist() == []


def test_a_move_is_taken_at_once() -> None:
    """A percept 4 cm or 15° away is no noise, and is believed where it is."""
    for elsewhere in (turned((0.04, 0, 0)), turned((0, 0, 0), about("z", 15))):
        smoother = Smoother(1, DEFAULTS)
        smoother.smooth(START, ROW, turned((0, 0, 0))[None])
        assert smoother.smooth(START + 0.04, ROW, elsewhere[None]).tolist() == [0]
        assert np.allclose(smoother.poses[0], elsewhere)


@pytest.mark.parametrize("rate", [10, 25, 100])
def test_smoothing_takes_the_same_time_at_any_rate(rate: float) -> None:
    """0.22 s after a step of 5 mm, a thing is 86 % of the way, however many percepts there were."""
    smoother = Smoother(1, replace(DEFAULTS, gate=0.0))
    smoother.smooth(START, ROW, turned((0, 0, 0))[None])
    for k in range(1, round(0.22 * rate) + 1):
        smoother.smooth(START + k / rate, ROW, turned((0.005, 0, 0))[None])
    now = round(0.22 * rate) / rate
    way = 0.005 * (1 - np.exp(-now / 0.11))
    assert smoother.poses[0, 0] == pytest.approx(way, abs=DEFAULTS.stirred / 4)


@pytest.mark.parametrize("rate", [10, 25, 50, 100])
@pytest.mark.parametrize("speed", [0.05, 0.1, 0.3, 0.6, 1.0, 2.0])
def test_what_moves_is_followed_without_leaps(rate: int, speed: float) -> None:
    """It is believed at most 12 mm behind its percept, and goes on evenly once it has begun."""
    smoother, ways = Smoother(1, DEFAULTS), []
    for k in range(-rate, rate):
        x = max(k, 0) / rate * speed
        smoother.smooth(START + k / rate, ROW, turned((x, 0, 0))[None])
        assert -0.002 <= x - smoother.poses[0, 0] < 0.012
        if k > 0.2 * rate:
            ways.append(float(smoother.poses[0, 0]))
    if speed / rate > 1e-3:
        assert np.diff(ways) == pytest.approx(speed / rate, rel=0.25)


@pytest.mark.parametrize("settings", [{}, {"calming": 0.0}, {"smoothing": 0.0}])
@pytest.mark.parametrize("every", [0.04, 0.5, 1.0, 2.0])
def test_a_mean_is_never_off_by_more_than_the_noise(settings: dict[str, Any], every: float) -> None:
    """However seldom something is perceived, it is believed within what was perceived."""
    smoother = Smoother(1, replace(DEFAULTS, **settings))
    noise = np.random.default_rng(5).normal(0, 0.0015, (200, 3))
    for k, shift in enumerate(noise):
        smoother.smooth(START + every * k, ROW, turned(shift)[None])
        assert np.abs(smoother.poses[0, :3]).max() <= np.abs(noise[: k + 1]).max() + 1e-12


def test_a_quaternion_and_its_negative_are_one_turn() -> None:
    """A tracker that changes the sign of its quaternions turns nothing."""
    smoother, pose = Smoother(1, DEFAULTS), turned((0, 0, 0), about("z", 40))
    smoother.smooth(START, ROW, pose[None])
    pose[3:] *= -1
    assert smoother.smooth(START + 0.04, ROW, pose[None]).size == 0


def test_a_smoother_grows_and_forgets() -> None:
    """Rows that come later start where they are first perceived, and so do those forgotten."""
    smoother = Smoother(1, DEFAULTS)
    smoother.smooth(START, ROW, turned((0, 0, 0))[None])
    smoother.grow(rows=2)
    smoother.smooth(START + 0.04, np.array([1]), turned((0.01, 0, 0))[None])
    smoother.forget(ROW)
    smoother.smooth(START + 0.04, ROW, turned((0.01, 0, 0))[None])
    assert smoother.poses[:, 0].tolist() == [0.01, 0.01]


@pytest.mark.parametrize("seed", range(4))
def test_what_is_still_is_left_where_it_is(seed: int) -> None:
    """What jitters by 1.5 mm and 2° is moved only now and then, when two seconds are over."""
    found = noisy(25, 60, seed)[38:]
    moves = (found[1:] != found[:-1]).any(axis=1).sum()
    assert moves <= 6
    assert turn_between(found[-1:], turned((0, 0, 0))[None])[0] < np.radians(3)


@pytest.mark.parametrize(("speed", "turning"), [(0.005, 0), (0.05, 0), (0.5, 0), (0, 4), (0, 60)])
def test_what_creeps_is_followed(speed: float, turning: float) -> None:
    """However slowly a thing moves or turns, it is believed within what its noise may be."""
    smoother = Smoother(1, DEFAULTS)
    for k in range(100):
        true = turned((0.04 * k * speed, 0, 0), about("z", 0.04 * k * turning))
        smoother.smooth(START + 0.04 * k, ROW, true[None])
        lag = smoother.poses[0, 0] - true[0], turn_between(smoother.poses, true[None])[0]
        behind = 0.11 * np.array([speed, np.radians(turning)])
        assert abs(lag[0]) <= behind[0] + DEFAULTS.stirred + DEFAULTS.gate
        assert lag[1] <= behind[1] + DEFAULTS.stirred_turn + DEFAULTS.gate_turn
