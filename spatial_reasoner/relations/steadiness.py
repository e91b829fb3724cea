"""Steadiness: poses are smoothed, and what follows from them must last before it is told.

Both go by the time of the percepts, so that a recording gives the same facts at any speed, and a
source the same at any rate. Between the two stands the hysteresis of each relation, in its own
file: neither a filter nor a delay alone keeps a thing at a threshold from flickering.
"""

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from spatial_reasoner.geometry.polygons import Rows
from spatial_reasoner.geometry.poses import Floats
from spatial_reasoner.kernels.compiled import compiled
from spatial_reasoner.values.tolerances import Tolerances

__all__ = ["Debounce", "Smoother"]

Flags = NDArray[np.bool_]

_ROUNDING: Final = 1e-4
"""Seconds: a time since 1970 is known to a quarter of a microsecond, and three frames of 0.04 s
are 0.12 s."""


_SETTLES: Final = 0.25
"""Seconds: what has not gone beyond noise for so long is still; at 2 cm/s it would have."""
_STEADY: Final = 0.5
"""The share of its smoothing that a speed takes in: with all of it a mean would swing."""
_PAUSE: Final = 0.3
"""Seconds: over a longer time nothing is carried on."""


class Debounce:
    """An array of truths that change only after they have been other for a while.

    >>> steady = Debounce((1,), hold=0.12)
    >>> [bool(steady.settle(t, np.array([t > 0.5]))[0]) for t in (0.5, 0.55, 0.6, 0.67)]
    [False, False, False, True]
    """

    def __init__(self, shape: tuple[int, ...], hold: float) -> None:
        self.hold: Final = hold
        self.settled: Flags = np.zeros(shape, dtype=bool)
        """What was true when that was last asked: it changes in place."""
        self._since: Floats = np.full(shape, np.inf)
        """Since when the settled truth has been contradicted; infinite where it is not."""
        self._last = -np.inf
        self._fit()

    def _fit(self) -> None:
        """What follows from how large it is: all as lists of layers, along the first axis."""
        layers = len(self.settled)
        self._is_new: Flags = np.zeros(layers, dtype=bool)
        self._waiting: Rows = np.isfinite(self._since).reshape(layers, -1).sum(axis=1)
        """How many truths of each layer are contradicted."""
        self._flat = (layers, self.settled[0].size)
        self._layers = self.settled.reshape(self._flat), self._since.reshape(self._flat)
        self._nowhere: Flags = np.zeros(self._flat, dtype=bool)

    def settle(self, now: float, fresh: Flags, entered: Flags | None = None) -> Flags:
        """What is true now that `fresh` is what seems so; the answer is good until the next one.

        Where something just entered, and where percepts come seldom, it is believed at once: a
        source that speaks every 0.12 s has nothing to wait for.
        """
        enough = self.hold - _ROUNDING
        least = -np.inf if now - self._last >= enough else enough
        self._last = now
        at_once = self._nowhere
        if entered is not None:
            at_once = np.array(np.broadcast_to(entered, fresh.shape), order="C")
        fresh = np.ascontiguousarray(fresh)
        flat = fresh.reshape(self._flat), at_once.reshape(self._flat)
        _settle(now, least, *flat, *self._layers, self._waiting, self._is_new)
        return self.settled

    def news(self) -> list[int]:
        """In which layers, along the first axis, something changed at the last settling."""
        return [layer for layer, is_new in enumerate(self._is_new.tolist()) if is_new]

    def grow(self, shape: tuple[int, ...]) -> None:
        """Makes room for more rows."""
        more = [(0, new - old) for new, old in zip(shape, self.settled.shape, strict=True)]
        self.settled = np.pad(self.settled, more)
        self._since = np.pad(self._since, more, constant_values=np.inf)
        self._fit()


@compiled("(f8, f8, b1[:,::1], b1[:,::1], b1[:,::1], f8[:,::1], i8[::1], b1[::1])")
def _settle(
    now: float, least: float, fresh: Flags, at_once: Flags,
    settled: Flags, since: Floats, waiting: Rows, is_new: Flags,
) -> None:  # fmt: skip
    """Changes what was contradicted for `least` seconds, and is `at_once` where that is set.

    A layer that is as it was, and where nothing waits, is only compared: that is most of them.
    """
    for layer in range(len(fresh)):
        is_new[layer] = differs = False
        for k in range(fresh.shape[1]):
            differs |= fresh[layer, k] != settled[layer, k]
        if not differs and not waiting[layer]:
            continue
        waiting[layer] = 0
        for k in range(fresh.shape[1]):
            if fresh[layer, k] == settled[layer, k]:
                since[layer, k] = np.inf
                continue
            since[layer, k] = min(since[layer, k], now)
            if at_once[layer, k] or now - since[layer, k] >= least:
                settled[layer, k], since[layer, k] = fresh[layer, k], np.inf
                is_new[layer] = True
            else:
                waiting[layer] += 1


class Smoother:
    """Poses of rows, averaged over the last tenth of a second, that stay still while they may.

    A percept farther from the average than any noise is a move, and taken as it is. What moves on
    is carried on at its speed, and followed at a distance that noise has, at any rate of percepts.
    """

    def __init__(self, count: int, tolerances: Tolerances) -> None:
        self.tolerances: Final = tolerances
        still = [0.0, 0, 0, 0, 0, 0, 1]
        self.poses: Floats = np.tile(still, (count, 1))
        """Where each row is believed to be."""
        self._mean: Floats = self.poses.copy()
        self._calm: Floats = self.poses.copy()
        """Averaged over longer, for as long as it moves no more than noise does."""
        self._still: Floats = np.zeros(count)
        """For how many seconds that was so."""
        self._last: Floats = np.full(count, -np.inf)
        self.stirs: Flags = np.zeros(count, dtype=bool)
        """What moved by more than noise a moment ago."""
        self._speeds: Floats = np.zeros((count, 3))
        """How fast that goes on."""

    def smooth(self, now: float, rows: Rows, poses: Floats) -> Rows:
        """Takes in percepts (k, 7) of some rows; the rows whose `poses` changed are returned."""
        tolerances = self.tolerances
        told: Rows = _smooth(
            now, rows, poses, tolerances.smoothing, tolerances.calming,
            (tolerances.jump, tolerances.jump_turn), (tolerances.behind, tolerances.behind_turn),
            (tolerances.stirred, tolerances.stirred_turn), (tolerances.gate, tolerances.gate_turn),
            self.poses, self._mean, self._calm, self._still, self._last, self.stirs, self._speeds,
        )  # fmt: skip
        return told

    def believe(self, rows: Rows, poses: Floats) -> None:
        """Takes poses (k, 7) that a filter made; what is still stays where it was, all the same."""
        tolerances = self.tolerances
        _believe(rows, poses, (tolerances.gate, tolerances.gate_turn), self.poses)

    def forget(self, rows: Rows) -> None:
        """The next percept of some rows is taken as it is."""
        self._last[rows] = -np.inf

    def grow(self, count: int) -> None:
        """Makes room for more rows."""
        more = Smoother(count - len(self._last), self.tolerances)
        self.poses = np.concatenate([self.poses, more.poses])
        self._mean = np.concatenate([self._mean, more._mean])
        self._calm = np.concatenate([self._calm, more._calm])
        self._still = np.concatenate([self._still, more._still])
        self._last = np.concatenate([self._last, more._last])
        self.stirs = np.concatenate([self.stirs, more.stirs])
        self._speeds = np.concatenate([self._speeds, more._speeds])


@compiled("b1(f8[:], f8[:], UniTuple(f8, 2))")
def _differ(one: Floats, other: Floats, limits: tuple[float, float]) -> bool:
    """Whether two poses are farther apart than a distance, or turned by more than an angle."""
    square, dot = 0.0, 0.0
    for k in range(3):
        square += (other[k] - one[k]) ** 2
    for k in range(3, 7):
        dot += one[k] * other[k]
    return square > limits[0] ** 2 or 2 * math.acos(min(abs(dot), 1.0)) > limits[1]


@compiled("(i8[:], f8[:,:], UniTuple(f8, 2), f8[:,::1])")
def _believe(rows: Rows, made: Floats, gate: tuple[float, float], poses: Floats) -> None:
    """Moves rows to where they were made out to be, if that is far enough away."""
    for k in range(len(rows)):
        if _differ(poses[rows[k]], made[k], gate):
            poses[rows[k]] = made[k]


@compiled("(f8[:], f8[:], f8, f8)")
def _blend(old: Floats, new: Floats, share: float, turn_share: float) -> None:
    """Brings a pose nearer to a new one (share 1: to there), turned by the shorter way."""
    dot, square = 0.0, 0.0
    for k in range(3, 7):
        dot += old[k] * new[k]
    for k in range(7):
        near = -1.0 if k >= 3 and dot < 0 else 1.0
        old[k] += (turn_share if k >= 3 else share) * (near * new[k] - old[k])
    for k in range(3, 7):
        square += old[k] ** 2
    for k in range(3, 7):
        old[k] /= math.sqrt(square)


@compiled("UniTuple(f8, 2)(f8[:], f8[:], f8, UniTuple(f8, 2))")
def _shares(
    mean: Floats, percept: Floats, share: float, behind: tuple[float, float]
) -> tuple[float, float]:
    """How far to go toward a percept, in place and in turn, so that no more is left than may be."""
    square, dot = 0.0, 0.0
    for k in range(3):
        square += (percept[k] - mean[k]) ** 2
    for k in range(3, 7):
        dot += mean[k] * percept[k]
    away, turned = math.sqrt(square), 2 * math.acos(min(abs(dot), 1.0))
    place = turn = share
    if away > behind[0]:
        place = max(share, 1.0 - behind[0] / away)
    if turned > behind[1]:
        turn = max(share, 1.0 - behind[1] / turned)
    return place, turn


@compiled("(f8[:], f8[:], f8[:], f8, f8, UniTuple(f8, 2))")
def _follow(
    mean: Floats, percept: Floats, speed: Floats, gone: float, smoothing: float,
    behind: tuple[float, float],
) -> None:  # fmt: skip
    """Carries a mean on at its speed and brings it nearer to a percept; the speed goes by that."""
    start, share = mean[:3].copy(), 1.0 - math.exp(-gone / smoothing)
    for k in range(3):
        mean[k] += speed[k] * gone
    place, turn = _shares(mean, percept, share, behind)
    _blend(mean, percept, place, turn)
    for k in range(3):
        speed[k] += _STEADY * share * ((mean[k] - start[k]) / gone - speed[k])


@compiled(
    "i8[::1](f8, i8[:], f8[:,:], f8, f8, UniTuple(f8, 2), UniTuple(f8, 2), UniTuple(f8, 2),"
    " UniTuple(f8, 2), f8[:,::1], f8[:,::1], f8[:,::1], f8[::1], f8[::1], b1[::1], f8[:,::1])"
)
def _smooth(
    now: float, rows: Rows, percepts: Floats, smoothing: float, calming: float,
    jump: tuple[float, float], behind: tuple[float, float], stirred: tuple[float, float],
    gate: tuple[float, float],
    poses: Floats, means: Floats, calms: Floats, still: Floats, last: Floats, stirs: Flags,
    speeds: Floats,
) -> Rows:  # fmt: skip
    """Takes in percepts; which rows are believed elsewhere now.

    What is still is where it was in the mean of all that time. A head that jitters would else shake
    what lies at the edge of its attention in and out, and a thing that does, the little that shows
    of it behind another. What stirs is where its mean is, until that has not moved for a while;
    meanwhile `calms` is where it was when it last had.
    """
    told, count = np.empty(len(rows), dtype=np.int64), 0
    for k in range(len(rows)):
        row, percept, gone = rows[k], percepts[k], now - last[rows[k]]
        mean, calm = means[row], calms[row]
        is_new = gone == np.inf or smoothing <= 0.0 or gone <= 0.0
        if is_new or (not stirs[row] and _differ(mean, percept, jump)):
            _blend(mean, percept, 1.0, 1.0)
            speeds[row] = 0.0
        else:
            if not stirs[row] or gone > _PAUSE:
                speeds[row] = 0.0
            _follow(mean, percept, speeds[row], gone, smoothing, behind)
        if gone == np.inf or _differ(calm, mean, stirred):
            calm[:] = mean
            still[row], stirs[row] = 0.0, gone < np.inf
        else:
            still[row] += gone
            if stirs[row] and still[row] >= _SETTLES:
                calm[:] = mean
                stirs[row] = False
            elif not stirs[row]:
                share = min(gone / max(min(still[row], calming), _ROUNDING), 1.0)
                _blend(calm, percept, share, share)
        believed = mean if stirs[row] else calm
        if gone == np.inf or stirs[row] or _differ(poses[row], believed, gate):
            poses[row] = believed
            told[count] = row
            count += 1
        last[row] = now
    return told[:count]
