"""Steadiness: poses are smoothed, and relations are debounced before they become facts.

Both use the times of the percepts, so a recording gives the same facts at any speed of playback,
and a source gives the same facts at any rate. Between the two stands the hysteresis of each
relation, in its own file. All three are needed: with smoothing or a delay alone, relations near a
threshold would flicker.
"""

import math
from typing import Final

import numpy as np

from spatial_reasoner.geometry.arrays import Flags, Floats, Rows
from spatial_reasoner.geometry.columns import Columns, column, enlarged
from spatial_reasoner.geometry.poses import IDENTITY, separation
from spatial_reasoner.kernels.compiled import compiled
from spatial_reasoner.tolerances.tolerances import Tolerances
from spatial_reasoner.tolerances.units import Numeric

__all__ = ["Debounce", "Smoother"]

_ROUNDING: Final[Numeric] = 1e-4
"""Seconds: a tolerance for the rounding of times. A time since 1970 is precise to a quarter of a
microsecond, and three frames of 0.04 s must count as 0.12 s."""




class Debounce:
    """An array of truth values, each of which changes once the opposite has held for a while.

    >>> steady = Debounce((1,), hold=0.12)
    >>> [bool(steady.settle(t, np.array([t > 0.5]))[0]) for t in (0.5, 0.55, 0.6, 0.67)]
    [False, False, False, True]
    """

    def __init__(self, shape: tuple[int, ...], hold: float) -> None:
        self.hold: Final = hold
        self.settled: Flags = np.zeros(shape, dtype=bool)
        """The debounced truth values; `settle` changes them in place."""
        self._since: Floats = np.full(shape, np.inf)
        """Since when each settled truth value has been contradicted; infinite where it is not."""
        self._last = -np.inf
        self._fit()

    def _fit(self) -> None:
        """Makes flat views of all arrays, one row for each layer along the first axis."""
        layers = len(self.settled)
        self._is_new: Flags = np.zeros(layers, dtype=bool)
        self._waiting: Rows = np.isfinite(self._since).reshape(layers, -1).sum(axis=1)
        """The number of contradicted truth values in each layer."""
        self._flat = (layers, self.settled[0].size)
        self._layers = self.settled.reshape(self._flat), self._since.reshape(self._flat)
        self._nowhere: Flags = np.zeros(self._flat, dtype=bool)

    def settle(self, now: float, fresh: Flags, entered: Flags | None = None) -> Flags:
        """The debounced truth values, given the raw ones in `fresh`; valid until the next call.

        Raw values count at once where `entered` is set, and everywhere if the last call was at
        least `hold` seconds ago: there is nothing to wait for between two such percepts.
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
        """The layers along the first axis in which the last `settle` changed something."""
        return [layer for layer, is_new in enumerate(self._is_new.tolist()) if is_new]

    def grow(self, shape: tuple[int, ...]) -> None:
        """Makes room for more rows."""
        self.settled = enlarged(self.settled, shape)
        self._since = enlarged(self._since, shape, np.inf)
        self._fit()


@compiled("(f8, f8, b1[:,::1], b1[:,::1], b1[:,::1], f8[:,::1], i8[::1], b1[::1])")
def _settle(
    now: float, least: float, fresh: Flags, at_once: Flags,
    settled: Flags, since: Floats, waiting: Rows, is_new: Flags,
) -> None:  # fmt: skip
    """Flips truth values that were contradicted for `least` seconds, or where `at_once` is set.

    Most layers have no change and no contradicted value; these are only compared.
    """
    for layer in range(len(fresh)):
        # 1. Skip a layer without a change.
        is_new[layer] = differs = False
        for k in range(fresh.shape[1]):
            differs |= fresh[layer, k] != settled[layer, k]
        if not differs and not waiting[layer]:
            continue
        # 2. Note since when each value has been contradicted, and flip it after `least` seconds.
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


class Smoother(Columns):
    """Smooths the poses of rows without covariances; the pose of an object at rest stays constant.

    | state | percept | believed pose |
    |---|---|---|
    | at rest | within the noise | the average over `calming` seconds |
    | at rest | farther than `jump` | the percept |
    | moves (`stirs`) | any | predicted by the velocity, and at most `behind` the percept |

    An object begins to move when its smoothed pose leaves the average by `stirred`. It is at rest
    again when the smoothed pose has stayed within `stirred` for `calm_after` seconds.
    """

    poses: Floats = column(IDENTITY)
    """The believed pose of each row."""
    _mean: Floats = column(IDENTITY)
    _calm: Floats = column(IDENTITY)
    """The average over a longer time, as long as the pose stays within the noise."""
    _still: Floats = column(0.0)
    """For how many seconds the pose has stayed within the noise."""
    _last: Floats = column(-np.inf)
    stirs: Flags = column(False)
    """Which rows move: they left the noise less than `calm_after` seconds ago."""
    _speeds: Floats = column(np.zeros(3))
    """The velocities of the rows that move, in m/s."""

    def __init__(self, count: int, tolerances: Tolerances) -> None:
        super().__init__(rows=count)
        self.tolerances: Final = tolerances

    def smooth(self, now: float, rows: Rows, poses: Floats) -> Rows:
        """Smooths percepts (k, 7) of some rows; returns the rows whose `poses` changed."""
        tolerances = self.tolerances
        changed: Rows = _smooth(
            now, rows, poses, tolerances.smoothing, tolerances.calming, tolerances.calm_after,
            (tolerances.velocity_gain, tolerances.velocity_gap),
            (tolerances.jump, tolerances.jump_turn), (tolerances.behind, tolerances.behind_turn),
            (tolerances.stirred, tolerances.stirred_turn), (tolerances.gate, tolerances.gate_turn),
            self.poses, self._mean, self._calm, self._still, self._last, self.stirs, self._speeds,
        )  # fmt: skip
        return changed

    def believe(self, rows: Rows, poses: Floats) -> None:
        """Takes filtered poses (k, 7); a pose that would change by less than `gate` stays."""
        tolerances = self.tolerances
        _believe(rows, poses, (tolerances.gate, tolerances.gate_turn), self.poses)

    def forget(self, rows: Rows) -> None:
        """Forgets the states of rows: their next percepts are taken unsmoothed."""
        self._last[rows] = -np.inf


@compiled("b1(f8[:], f8[:], UniTuple(f8, 2))")
def _differ(one: Floats, other: Floats, limits: tuple[float, float]) -> bool:
    """Whether two poses differ by more than a distance (m) or by more than an angle (rad)."""
    square, angle = separation(one, other)
    return square > limits[0] ** 2 or angle > limits[1]


@compiled("(i8[:], f8[:,:], UniTuple(f8, 2), f8[:,::1])")
def _believe(rows: Rows, made: Floats, gate: tuple[float, float], poses: Floats) -> None:
    """Sets the poses of rows that differ from the new ones by more than `gate`."""
    for k in range(len(rows)):
        if _differ(poses[rows[k]], made[k], gate):
            poses[rows[k]] = made[k]


@compiled("(f8[:], f8[:], f8, f8)")
def _blend(old: Floats, new: Floats, share: float, turn_share: float) -> None:
    """Interpolates a pose toward a new one, in place; with a share of 1 it becomes the new one.

    Rotations are interpolated linearly and normalised (nlerp), by the shorter way.
    """
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
    """The shares by which to move toward a percept, for position and for rotation.

    Both are at least `share`, and large enough that the mean is at most `behind` the percept.
    """
    square, turned = separation(mean, percept)
    away = math.sqrt(square)
    place = turn = share
    if away > behind[0]:
        place = max(share, 1.0 - behind[0] / away)
    if turned > behind[1]:
        turn = max(share, 1.0 - behind[1] / turned)
    return place, turn


@compiled("(f8[:], f8[:], f8[:], f8, f8, f8, UniTuple(f8, 2))")
def _follow(
    mean: Floats, percept: Floats, speed: Floats, gone: float, smoothing: float, gain: float,
    behind: tuple[float, float],
) -> None:  # fmt: skip
    """Predicts a mean by its velocity, corrects it by a percept, and updates the velocity.

    This is an α-β filter whose gain follows from the time since the last percept.
    """
    # α = 1 − exp(−Δt/τ), p ← p + v Δt
    start, share = mean[:3].copy(), 1.0 - math.exp(-gone / smoothing)
    for k in range(3):
        mean[k] += speed[k] * gone
    # p ← p + α' (z − p), with α' ≥ α
    place, turn = _shares(mean, percept, share, behind)
    _blend(mean, percept, place, turn)
    # v ← v + g α (Δp/Δt − v), with the gain g
    for k in range(3):
        speed[k] += gain * share * ((mean[k] - start[k]) / gone - speed[k])


@compiled(
    "i8[::1](f8, i8[:], f8[:,:], f8, f8, f8, UniTuple(f8, 2), UniTuple(f8, 2), UniTuple(f8, 2),"
    " UniTuple(f8, 2), UniTuple(f8, 2), f8[:,::1], f8[:,::1], f8[:,::1], f8[::1], f8[::1],"
    " b1[::1], f8[:,::1])"
)
def _smooth(
    now: float, rows: Rows, percepts: Floats, smoothing: float, calming: float,
    calm_after: float, velocity: tuple[float, float],
    jump: tuple[float, float], behind: tuple[float, float], stirred: tuple[float, float],
    gate: tuple[float, float],
    poses: Floats, means: Floats, calms: Floats, still: Floats, last: Floats, stirs: Flags,
    speeds: Floats,
) -> Rows:  # fmt: skip
    """Smooths percepts; returns the rows whose believed poses changed.

    An object at rest is believed at its average over the time at rest. Without that, the jitter of
    a head would move objects at the edge of its attention in and out, and the jitter of an object
    would change how much of it is visible behind another one. An object that moves is believed at
    its smoothed pose, in `means`; meanwhile `calms` is the pose that it has to leave by `stirred`
    within `calm_after` to count as moving on. `velocity` has the gain of the velocity, and the
    time (s) without percepts after which it is zero.
    """
    changed, count = np.empty(len(rows), dtype=np.int64), 0
    for k in range(len(rows)):
        row, percept, gone = rows[k], percepts[k], now - last[rows[k]]
        mean, calm = means[row], calms[row]
        # 1. The smoothed pose: the percept itself after a gap or a jump, else filtered
        is_new = gone == np.inf or smoothing <= 0.0 or gone <= 0.0
        if is_new or (not stirs[row] and _differ(mean, percept, jump)):
            _blend(mean, percept, 1.0, 1.0)
            speeds[row] = 0.0
        else:
            if not stirs[row] or gone > velocity[1]:
                speeds[row] = 0.0
            _follow(mean, percept, speeds[row], gone, smoothing, velocity[0], behind)
        # 2. Rest or motion, and the average at rest: a ← a + (p − a) Δt / T
        if gone == np.inf or _differ(calm, mean, stirred):
            calm[:] = mean
            still[row], stirs[row] = 0.0, gone < np.inf
        else:
            still[row] += gone
            if stirs[row] and still[row] >= calm_after:
                calm[:] = mean
                stirs[row] = False
            elif not stirs[row]:
                share = min(gone / max(min(still[row], calming), _ROUNDING), 1.0)
                _blend(calm, percept, share, share)
        # 3. The believed pose, which changes by more than `gate` or not at all
        believed = mean if stirs[row] else calm
        if gone == np.inf or stirs[row] or _differ(poses[row], believed, gate):
            poses[row] = believed
            changed[count] = row
            count += 1
        last[row] = now
    return changed[:count]
