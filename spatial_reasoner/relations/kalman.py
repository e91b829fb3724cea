"""The arithmetic of the filter: how percepts are taken in, and how covariances grow.

An error is a way and a rotation vector, six numbers in the world's axes; a root is the lower one of
a covariance (Cholesky). All works in place, a row after the other, for there are fifty at 25 Hz.
"""

import math
from typing import Final

import numpy as np

from spatial_reasoner.geometry.polygons import Rows
from spatial_reasoner.geometry.poses import Floats
from spatial_reasoner.kernels.compiled import compiled

__all__ = ["fuse", "widen"]

_DRIFTING: Final = 0.3
"""The share of each percept in what percepts lately had in common: four of them count."""
_SUREST: Final = (1e-4, 1.75e-3)
"""No percept is surer than 0.1 mm and 0.1°, whatever it says: cameras are not calibrated better."""
_CLEARLY: Final = 3.0
"""So many deviations of its place a thing must go while its speed is averaged: else it's noise."""
_MOMENT: Final = 1e-3
"""Seconds: what comes sooner after another percept tells nothing of a speed."""


# --- poses and their errors ---


@compiled("(f8[:], f8[:], f8[:])")
def _off(mean: Floats, pose: Floats, error: Floats) -> None:
    """Sets by how much a pose is off a mean: a way, and a rotation vector, by the shorter way."""
    for k in range(3):
        error[k] = pose[k] - mean[k]
    a, b, c, d = mean[3], mean[4], mean[5], mean[6]
    x, y, z, w = pose[3], pose[4], pose[5], pose[6]
    real = w * d + x * a + y * b + z * c
    sign = -1.0 if real < 0 else 1.0
    error[3] = sign * (-w * a + x * d - y * c + z * b)
    error[4] = sign * (-w * b + x * c + y * d - z * a)
    error[5] = sign * (-w * c - x * b + y * a + z * d)
    sine = math.sqrt(error[3] ** 2 + error[4] ** 2 + error[5] ** 2)
    scale = 2 * math.atan2(sine, abs(real)) / sine if sine > 0 else 2.0
    for k in range(3, 6):
        error[k] *= scale


@compiled("(f8[:], f8[:])")
def _shift(mean: Floats, error: Floats) -> None:
    """Moves and turns a mean by an error."""
    angle = math.sqrt(error[3] ** 2 + error[4] ** 2 + error[5] ** 2)
    scale = math.sin(angle / 2) / angle if angle > 1e-12 else 0.5
    x, y, z, w = scale * error[3], scale * error[4], scale * error[5], math.cos(angle / 2)
    a, b, c, d = mean[3], mean[4], mean[5], mean[6]
    for k in range(3):
        mean[k] += error[k]
    mean[3] = w * a + x * d + y * c - z * b
    mean[4] = w * b - x * c + y * d + z * a
    mean[5] = w * c + x * b - y * a + z * d
    mean[6] = w * d - x * a - y * b - z * c
    length = math.sqrt(mean[3] ** 2 + mean[4] ** 2 + mean[5] ** 2 + mean[6] ** 2)
    for k in range(3, 7):
        mean[k] /= length


@compiled("(f8[:], f8[:])")
def _swing(error: Floats, arm: Floats) -> None:
    """Turns an arm by the rotation of an error."""
    x, y, z = error[3], error[4], error[5]
    angle = math.sqrt(x * x + y * y + z * z)
    if angle == 0.0:
        return
    x, y, z = x / angle, y / angle, z / angle
    a, b, c = arm[0], arm[1], arm[2]
    cos, sin = math.cos(angle), math.sin(angle)
    along = (1 - cos) * (x * a + y * b + z * c)
    arm[0] = cos * a + sin * (y * c - z * b) + along * x
    arm[1] = cos * b + sin * (z * a - x * c) + along * y
    arm[2] = cos * c + sin * (x * b - y * a) + along * z


@compiled("(f8[:], f8[:], f8[:])")
def _follow(left: Floats, now: Floats, mean: Floats) -> None:
    """Moves a mean as the world moved what it is the mean of, as one body."""
    error, arm = np.empty(6), np.empty(3)
    _off(left, now, error)
    for k in range(3):
        arm[k] = mean[k] - left[k]
        error[k] = 0.0
    _shift(mean, error)
    _swing(error, arm)
    for k in range(3):
        mean[k] = now[k] + arm[k]


# --- covariances ---


@compiled("(f8[:,:], f8, f8, f8, UniTuple(f8, 4))")
def _grow(
    cov: Floats, moved: float, turned: float, seconds: float,
    growth: tuple[float, float, float, float],
) -> None:  # fmt: skip
    place = growth[0] * seconds + growth[2] * moved
    turn = growth[1] * seconds + growth[3] * (moved + turned)
    for k in range(3):
        cov[k, k] += place
        cov[3 + k, 3 + k] += turn


@compiled("(f8[:,:,::1], f8[::1], f8[::1], f8[::1], UniTuple(f8, 4))")
def widen(
    cov: Floats, moved: Floats, turned: Floats, seconds: Floats,
    growth: tuple[float, float, float, float],
) -> None:  # fmt: skip
    for row in range(len(cov)):
        _grow(cov[row], moved[row], turned[row], seconds[row], growth)


@compiled("b1(f8[:,:], f8[:,:])")
def _root(matrix: Floats, root: Floats) -> bool:
    """Sets the lower root of a matrix (Cholesky); whether it is positive definite at all."""
    for i in range(6):
        for j in range(i + 1):
            rest = matrix[i, j]
            for k in range(j):
                rest -= root[i, k] * root[j, k]
            if i > j:
                root[i, j] = rest / root[j, j]
            elif rest <= 1e-14 * matrix[i, i] or not rest > 0.0:
                return False
            else:
                root[i, i] = math.sqrt(rest)
    return True


@compiled("(f8[:,:], f8[:,:])")
def _firm(matrix: Floats, root: Floats) -> None:
    """Makes a matrix symmetric, and positive definite by as little as that takes."""
    most = 1e-12
    for i in range(6):
        for j in range(i):
            matrix[i, j] = matrix[j, i] = (matrix[i, j] + matrix[j, i]) / 2
            most = max(most, abs(matrix[i, j]))
        most = max(most, abs(matrix[i, i]))
    more = 1e-13 * most
    while not _root(matrix, root) and more < math.inf:
        for k in range(6):
            matrix[k, k] += more
        more *= 10.0


@compiled("f8(f8[:,:], f8[:])")
def _surprise(root: Floats, error: Floats) -> float:
    """How far off an error is, in squared deviations; `root` is that of its covariance."""
    total, found = 0.0, np.empty(6)
    for i in range(6):
        rest = error[i]
        for k in range(i):
            rest -= root[i, k] * found[k]
        found[i] = rest / root[i, i]
        total += found[i] * found[i]
    return total


@compiled("(f8[:,:], f8[:,:], f8[:,:])")
def _gain(cov: Floats, root: Floats, gain: Floats) -> None:
    """Sets what share of an error is to be believed: cov times the inverse of root rootᵀ."""
    for row in range(6):
        for i in range(6):
            rest = cov[row, i]
            for k in range(i):
                rest -= root[i, k] * gain[row, k]
            gain[row, i] = rest / root[i, i]
        for back in range(6):
            i = 5 - back
            rest = gain[row, i]
            for k in range(i + 1, 6):
                rest -= root[k, i] * gain[row, k]
            gain[row, i] = rest / root[i, i]


@compiled("(f8[:,:], f8[:,:], f8[:,:], f8[:,:])")
def _settle(cov: Floats, gain: Floats, noise: Floats, root: Floats) -> None:
    """What is left of a covariance after an update (Joseph's form: it stays positive)."""
    kept, half, made = np.empty((6, 6)), np.empty((6, 6)), np.empty((6, 6))
    for i in range(6):
        for j in range(6):
            kept[i, j] = (1.0 if i == j else 0.0) - gain[i, j]
    for i in range(6):
        for j in range(6):
            half[i, j] = made[i, j] = 0.0
            for k in range(6):
                half[i, j] += kept[i, k] * cov[k, j]
                made[i, j] += gain[i, k] * noise[k, j]
    for i in range(6):
        for j in range(6):
            cov[i, j] = 0.0
            for k in range(6):
                cov[i, j] += half[i, k] * kept[j, k] + made[i, k] * gain[j, k]
    _firm(cov, root)


# --- a percept ---


@compiled("f8(f8[:], f8[:,:], f8[:], f8[:,:])")
def _drift(drift: Floats, drift_cov: Floats, error: Floats, off: Floats) -> float:
    """Averages an error that is off so much into the last ones; how surprising their mean is.

    The covariance of that mean is averaged with it, for vague percepts and sure ones come in turn.
    """
    sum_cov, root = np.empty((6, 6)), np.empty((6, 6))
    for i in range(6):
        drift[i] += _DRIFTING * (error[i] - drift[i])
        for j in range(6):
            drift_cov[i, j] *= (1 - _DRIFTING) ** 2
            drift_cov[i, j] += _DRIFTING**2 * off[i, j]
    sum_cov[:] = drift_cov
    _firm(sum_cov, root)
    return _surprise(root, drift)


@compiled("b1(f8[:], f8[:,:], f8[:], f8[:,:], f8[:], f8[:,:], f8)")
def _update(
    mean: Floats, cov: Floats, percept: Floats, noise: Floats, drift: Floats, drift_cov: Floats,
    surprise: float,
) -> bool:  # fmt: skip
    """Takes a percept in, unless it is too surprising; whether it was.

    What percepts have in common for a while is no noise: then the mean is as unsure in that
    direction as it is behind, and catches up.
    """
    error, off = np.empty(6), np.empty((6, 6))
    root, gain = np.empty((6, 6)), np.empty((6, 6))
    _off(mean, percept, error)
    off[:] = cov + noise
    _firm(off, root)
    if _surprise(root, error) > surprise * surprise:
        return False
    if _drift(drift, drift_cov, error, off) > surprise * surprise:
        for i in range(6):
            for j in range(6):
                cov[i, j] += drift[i] * drift[j]
        drift[:], drift_cov[:], off[:] = 0.0, 0.0, cov + noise
        _firm(off, root)
    _gain(cov, root, gain)
    step = np.zeros(6)
    for i in range(6):
        for k in range(6):
            step[i] += gain[i, k] * error[k]
    _shift(mean, step)
    _settle(cov, gain, noise, root)
    return True


@compiled("(f8[:], f8[:,:], f8[:], f8[:,:], f8[:], f8[:,:])")
def _begin(
    mean: Floats, cov: Floats, drift: Floats, drift_cov: Floats, percept: Floats, noise: Floats
) -> None:
    """Takes a percept as it is."""
    mean[:], cov[:], drift[:], drift_cov[:] = percept, noise, 0.0, 0.0


@compiled("(f8[:], f8[:], f8, f8, f8[:])")
def _hasten(start: Floats, mean: Floats, gone: float, smoothing: float, speed: Floats) -> None:
    """Averages a speed over as long as poses are."""
    if gone > _MOMENT:
        for k in range(3):
            speed[k] += (1 - math.exp(-gone / smoothing)) * ((mean[k] - start[k]) / gone - speed[k])


@compiled("f8(f8[:], f8[:], f8[:,:], f8, f8, f8, f8)")
def _carry(
    mean: Floats, speed: Floats, cov: Floats, gone: float, smoothing: float, window: float,
    moving: float,
) -> float:  # fmt: skip
    """Carries a mean on at its speed, if that is sure enough; how far."""
    fast = math.sqrt(speed[0] ** 2 + speed[1] ** 2 + speed[2] ** 2)
    spread = math.sqrt((cov[0, 0] + cov[1, 1] + cov[2, 2]) / 3)
    if gone > window:
        speed[:] = 0.0
    if not 0.0 < gone <= window or fast < moving or fast * smoothing < _CLEARLY * spread:
        return 0.0
    for k in range(3):
        mean[k] += speed[k] * gone
    return fast * gone


@compiled("(f8[:], f8[:], f8[:,:], f8[:,:], f8, f8, f8, f8[:])")
def _leap(
    percept: Floats, doubt: Floats, noise: Floats, doubts_cov: Floats, gone: float,
    surprise: float, window: float, speed: Floats,
) -> None:  # fmt: skip
    """Sets the speed of what was perceived far off twice: none, unless it went on meanwhile."""
    error, off, root = np.empty(6), np.empty((6, 6)), np.empty((6, 6))
    _off(doubt, percept, error)
    off[:] = noise + doubts_cov
    _firm(off, root)
    goes_on = _surprise(root, error) > surprise * surprise
    is_sure = _MOMENT < gone <= window and goes_on
    for k in range(3):
        speed[k] = (percept[k] - doubt[k]) / gone if is_sure else 0.0


@compiled(
    "(i8[:], f8[:], f8[:,::1], f8[:,:,::1], f8, f8[:,:], f8, f8, f8, f8, UniTuple(f8, 4),"
    " f8[:,::1], f8[:,::1], f8[:,:,::1], f8[:,::1], f8[:,::1], f8[:,:,::1], f8[::1],"
    " f8[:,::1], f8[:,:,::1], f8[::1])"
)
def fuse(
    rows: Rows, times: Floats, percepts: Floats, covs: Floats, looked: float, before: Floats,
    surprise: float, smoothing: float, window: float, moving: float,
    growth: tuple[float, float, float, float], left: Floats, means: Floats, cov: Floats,
    speeds: Floats, drifts: Floats, drifts_cov: Floats, last: Floats,
    doubts: Floats, doubts_cov: Floats, doubted: Floats,
) -> None:  # fmt: skip
    """Takes percepts in, one after the other."""
    noise, root, start = np.empty((6, 6)), np.empty((6, 6)), np.empty(3)
    for k in range(len(rows)):
        row, t, percept, gone = rows[k], times[k], percepts[k], times[k] - last[rows[k]]
        noise[:] = covs[k]
        for i in range(6):
            noise[i, i] += _SUREST[i // 3] ** 2
        _firm(noise, root)
        last[row] = max(last[row], t)
        if gone == math.inf:
            _begin(means[row], cov[row], drifts[row], drifts_cov[row], percept, noise)
            doubted[row], speeds[row] = -math.inf, 0.0
            continue
        if (left[row] != before[row]).any():
            _follow(left[row], before[row], means[row])
            left[row], speeds[row] = before[row], 0.0
        start[:] = means[row, :3]
        way = _carry(means[row], speeds[row], cov[row], gone, smoothing, window, moving)
        _grow(cov[row], way, 0.0, min(max(t - looked, 0.0), max(gone, 0.0)), growth)
        if _update(means[row], cov[row], percept, noise, drifts[row], drifts_cov[row], surprise):
            doubted[row] = -math.inf
            _hasten(start, means[row], gone, smoothing, speeds[row])
        elif doubted[row] == -math.inf:
            doubted[row], doubts[row], doubts_cov[row] = t, percept, noise
        else:
            since, doubted[row] = t - doubted[row], -math.inf
            _begin(means[row], cov[row], drifts[row], drifts_cov[row], percept, noise)
            _leap(
                percept, doubts[row], noise, doubts_cov[row], since, surprise, window, speeds[row]
            )
            if abs(since) <= _MOMENT:
                _update(
                    means[row], cov[row], doubts[row], doubts_cov[row], drifts[row],
                    drifts_cov[row], surprise,
                )  # fmt: skip
