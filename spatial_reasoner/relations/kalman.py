"""The loops of the Kalman filter: predict, gate, update and initialise the poses of many rows.

A state x is a pose: position (m) and unit quaternion. Its error is a vector of six numbers in the
world's axes: a translation (m) and a rotation vector (rad), whose covariance P is 6 × 6. `fuse`
does these steps for each percept:

1. Predict: x moves on at its velocity, and P ← P + Q, the process noise.
2. Innovation ν = z ⊟ x of the percept z, with the covariance S = P + R (H = I).
3. Gate: a percept whose squared Mahalanobis distance νᵀ S⁻¹ ν is too large is an outlier.
4. Update: K = P S⁻¹, x ← x ⊞ Kν, and P in Joseph's form.
5. A second outlier in a row initialises the filter again.

The operators ⊞ and ⊟ are in `geometry/pose_errors.py`. All else is from Bar-Shalom, Li,
Kirubarajan, "Estimation with Applications to Tracking and Navigation" (2001), chapters 5 and 11.

The danger: P loses its symmetry or its positive definiteness by rounding. Every update therefore
ends in `_make_definite`. The loops write into the arrays of the filter, row by row. The road not
taken is numpy, whose calls cost more than the arithmetic on 6 × 6 matrices: there are fifty rows at
25 Hz.
"""

import math
from typing import Final

import numpy as np

from spatial_reasoner.geometry.arrays import Floats, Rows
from spatial_reasoner.geometry.pose_errors import box_minus, box_plus, move_rigidly
from spatial_reasoner.kernels.compiled import compiled
from spatial_reasoner.tolerances.units import Numeric

__all__ = ["fuse", "predict_covs"]

_TENFOLD: Final[Numeric] = 10.0
"""The factor between two attempts to make a matrix definite."""
_LEAST_S: Final[Numeric] = 1e-3
"""Seconds: percepts that are closer in time than this give no velocity."""


# --- covariances ---


@compiled("(f8[:,:], f8, f8, f8, UniTuple(f8, 4))")
def _predict_cov(
    cov: Floats, moved: float, turned: float, seconds: float,
    rates: tuple[float, float, float, float],
) -> None:  # fmt: skip
    """Adds the process noise of some time and motion to a covariance: P ← P + Q.

    Position and rotation are random walks (Wiener processes), so variances add up: those of
    `rates` are m² per second, rad² per second, m² per metre, and rad² per metre or radian.
    """
    place = rates[0] * seconds + rates[2] * moved
    turn = rates[1] * seconds + rates[3] * (moved + turned)
    for k in range(3):
        cov[k, k] += place
        cov[3 + k, 3 + k] += turn


@compiled("(f8[:,:,::1], f8[::1], f8[::1], f8[::1], UniTuple(f8, 4))")
def predict_covs(
    covs: Floats, moved: Floats, turned: Floats, seconds: Floats,
    rates: tuple[float, float, float, float],
) -> None:  # fmt: skip
    """Adds process noise to each covariance (n, 6, 6), by metres, radians and seconds (n)."""
    for row in range(len(covs)):
        _predict_cov(covs[row], moved[row], turned[row], seconds[row], rates)


@compiled("b1(f8[:,:], f8[:,:])")
def _cholesky(matrix: Floats, lower: Floats) -> bool:
    """Sets the Cholesky factor L of a matrix A = L Lᵀ; returns whether A is positive definite."""
    # L_ij = (A_ij − Σ_k<j L_ik L_jk) / L_jj, and L_ii is the root of A_ii − Σ_k<i L_ik². A pivot
    # below 1e-14 of A_ii, or NaN, is not positive.
    for i in range(6):
        for j in range(i + 1):
            rest = matrix[i, j]
            for k in range(j):
                rest -= lower[i, k] * lower[j, k]
            if i > j:
                lower[i, j] = rest / lower[j, j]
            elif rest <= 1e-14 * matrix[i, i] or not rest > 0.0:
                return False
            else:
                lower[i, i] = math.sqrt(rest)
    return True


@compiled("(f8[:,:], f8[:,:])")
def _make_definite(matrix: Floats, lower: Floats) -> None:
    """Makes a matrix symmetric and positive definite, and sets its Cholesky factor.

    It adds 1e-13 of the largest element to the diagonal, then ten times as much and so on, until
    the matrix has a factor.
    """
    # A ← (A + Aᵀ) / 2
    largest = 1e-12
    for i in range(6):
        for j in range(i):
            matrix[i, j] = matrix[j, i] = (matrix[i, j] + matrix[j, i]) / 2
            largest = max(largest, abs(matrix[i, j]))
        largest = max(largest, abs(matrix[i, i]))
    added = 1e-13 * largest
    while not _cholesky(matrix, lower) and added < math.inf:
        for k in range(6):
            matrix[k, k] += added
        added *= _TENFOLD


@compiled("f8(f8[:,:], f8[:])")
def _mahalanobis_squared(lower: Floats, error: Floats) -> float:
    """The squared Mahalanobis distance νᵀ S⁻¹ ν of an error ν; `lower` is the factor L of S."""
    # Forward substitution: L y = ν, then νᵀ S⁻¹ ν = yᵀ y.
    total, solution = 0.0, np.empty(6)
    for i in range(6):
        rest = error[i]
        for k in range(i):
            rest -= lower[i, k] * solution[k]
        solution[i] = rest / lower[i, i]
        total += solution[i] * solution[i]
    return total


@compiled("(f8[:,:], f8[:,:], f8[:,:])")
def _set_gain(cov: Floats, lower: Floats, gain: Floats) -> None:
    """Sets the Kalman gain K = P S⁻¹ (H = I); `lower` is the factor L of S = L Lᵀ."""
    # Each row of K L Lᵀ = P: forward substitution L y = Pᵀ_row, then back substitution Lᵀ k = y.
    for row in range(6):
        for i in range(6):
            rest = cov[row, i]
            for k in range(i):
                rest -= lower[i, k] * gain[row, k]
            gain[row, i] = rest / lower[i, i]
        for back in range(6):
            i = 5 - back
            rest = gain[row, i]
            for k in range(i + 1, 6):
                rest -= lower[k, i] * gain[row, k]
            gain[row, i] = rest / lower[i, i]


@compiled("(f8[:,:], f8[:,:], f8[:,:], f8[:,:])")
def _joseph_update(cov: Floats, gain: Floats, noise: Floats, lower: Floats) -> None:
    """Updates a covariance: P ← (I − K) P (I − K)ᵀ + K R Kᵀ.

    This is Joseph's form, which keeps P positive definite for any gain.
    """
    rest, rest_cov, gain_cov = np.empty((6, 6)), np.empty((6, 6)), np.empty((6, 6))
    # I − K
    for i in range(6):
        for j in range(6):
            rest[i, j] = (1.0 if i == j else 0.0) - gain[i, j]
    # (I − K) P and K R
    for i in range(6):
        for j in range(6):
            rest_cov[i, j] = gain_cov[i, j] = 0.0
            for k in range(6):
                rest_cov[i, j] += rest[i, k] * cov[k, j]
                gain_cov[i, j] += gain[i, k] * noise[k, j]
    # (I − K) P · (I − K)ᵀ + K R · Kᵀ
    for i in range(6):
        for j in range(6):
            cov[i, j] = 0.0
            for k in range(6):
                cov[i, j] += rest_cov[i, k] * rest[j, k] + gain_cov[i, k] * gain[j, k]
    _make_definite(cov, lower)


# --- a percept ---


@compiled("f8(f8[:], f8[:,:], f8[:], f8[:,:], f8)")
def _average_innovation(
    bias: Floats, bias_cov: Floats, innovation: Floats, innovation_cov: Floats, weight: float
) -> float:
    """Updates the bias, the exponentially averaged innovation.

    Returns its squared Mahalanobis distance from zero. The covariance of the bias is averaged with
    it, because precise and imprecise percepts may alternate. It assumes that innovations are
    independent, as those of a consistent filter are. `weight` is α, that of the newest one.
    """
    definite, lower = np.empty((6, 6)), np.empty((6, 6))
    # ν̄ ← ν̄ + α (ν − ν̄), with the covariance C ← (1 − α)² C + α² S
    for i in range(6):
        bias[i] += weight * (innovation[i] - bias[i])
        for j in range(6):
            bias_cov[i, j] *= (1 - weight) ** 2
            bias_cov[i, j] += weight**2 * innovation_cov[i, j]
    # ν̄ᵀ C⁻¹ ν̄
    definite[:] = bias_cov
    _make_definite(definite, lower)
    return _mahalanobis_squared(lower, bias)


@compiled("b1(f8[:], f8[:,:], f8[:], f8[:,:], f8[:], f8[:,:], f8, f8)")
def _update(
    mean: Floats, cov: Floats, percept: Floats, noise: Floats, bias: Floats, bias_cov: Floats,
    gate: float, weight: float,
) -> bool:  # fmt: skip
    """Updates a state with a percept; returns False, and changes nothing, if it is an outlier.

    A significant bias is not noise: the mean lags behind, as behind a manoeuvring target
    (Bar-Shalom et al. 2001, chapter 11). The covariance is then inflated by the square of the bias,
    so the mean catches up in that direction.
    """
    innovation, innovation_cov = np.empty(6), np.empty((6, 6))
    lower, gain = np.empty((6, 6)), np.empty((6, 6))
    # ν = z ⊟ x, S = P + R, and the gate: νᵀ S⁻¹ ν ≤ γ²
    box_minus(mean, percept, innovation)
    innovation_cov[:] = cov + noise
    _make_definite(innovation_cov, lower)
    if _mahalanobis_squared(lower, innovation) > gate * gate:
        return False
    # P ← P + ν̄ ν̄ᵀ if the mean lags behind
    bias_square = _average_innovation(bias, bias_cov, innovation, innovation_cov, weight)
    if bias_square > gate * gate:
        for i in range(6):
            for j in range(6):
                cov[i, j] += bias[i] * bias[j]
        bias[:], bias_cov[:], innovation_cov[:] = 0.0, 0.0, cov + noise
        _make_definite(innovation_cov, lower)
    # K = P S⁻¹, x ← x ⊞ Kν, and P in Joseph's form
    _set_gain(cov, lower, gain)
    correction = np.zeros(6)
    for i in range(6):
        for k in range(6):
            correction[i] += gain[i, k] * innovation[k]
    box_plus(mean, correction)
    _joseph_update(cov, gain, noise, lower)
    return True


@compiled("(f8[:], f8[:,:], f8[:], f8[:,:], f8[:], f8[:,:])")
def _initialise(
    mean: Floats, cov: Floats, bias: Floats, bias_cov: Floats, percept: Floats, noise: Floats
) -> None:
    """Initialises a state with a percept: x = z, P = R, and no bias."""
    mean[:], cov[:], bias[:], bias_cov[:] = percept, noise, 0.0, 0.0


@compiled("(f8[:], f8[:], f8, f8, f8[:])")
def _average_velocity(
    start: Floats, mean: Floats, dt: float, smoothing: float, velocity: Floats
) -> None:
    """Updates the averaged velocity (m/s) by how far a mean went from `start`."""
    # v ← v + (1 − exp(−Δt/τ)) (Δp/Δt − v): a low-pass filter with the time constant τ.
    if dt > _LEAST_S:
        for k in range(3):
            velocity[k] += (1 - math.exp(-dt / smoothing)) * (
                (mean[k] - start[k]) / dt - velocity[k]
            )


@compiled("f8(f8[:], f8[:], f8[:,:], f8, f8, f8, f8, f8)")
def _predict_mean(
    mean: Floats, velocity: Floats, cov: Floats, dt: float, smoothing: float, window: float,
    least_speed: float, clearly: float,
) -> float:  # fmt: skip
    """Moves a mean on at its velocity, if that is significant; returns the distance in metres.

    A velocity counts for `window` seconds, from `least_speed` on, and if the distance during the
    smoothing time is `clearly` standard deviations of the position.
    """
    speed = math.sqrt(velocity[0] ** 2 + velocity[1] ** 2 + velocity[2] ** 2)
    # σ² is the mean variance of x, y and z.
    spread = math.sqrt((cov[0, 0] + cov[1, 1] + cov[2, 2]) / 3)
    if dt > window:
        velocity[:] = 0.0
    if not 0.0 < dt <= window or speed < least_speed or speed * smoothing < clearly * spread:
        return 0.0
    # p̄ ← p̄ + v Δt
    for k in range(3):
        mean[k] += velocity[k] * dt
    return speed * dt


@compiled("(f8[:], f8[:], f8[:,:], f8[:,:], f8, f8, f8, f8[:])")
def _start_velocity(
    percept: Floats, outlier: Floats, noise: Floats, outlier_cov: Floats, dt: float,
    gate: float, window: float, velocity: Floats,
) -> None:  # fmt: skip
    """Sets the velocity of a state that is initialised again, from its last two percepts.

    This is two-point differencing (Bar-Shalom et al. 2001, chapter 5). The velocity is zero if the
    two percepts agree within the gate, or are too close or too far from each other in time.
    """
    # d = z₂ ⊟ z₁ with the covariance R₁ + R₂; v = Δp/Δt.
    difference, difference_cov, lower = np.empty(6), np.empty((6, 6)), np.empty((6, 6))
    box_minus(outlier, percept, difference)
    difference_cov[:] = noise + outlier_cov
    _make_definite(difference_cov, lower)
    has_moved = _mahalanobis_squared(lower, difference) > gate * gate
    is_known = _LEAST_S < dt <= window and has_moved
    for k in range(3):
        velocity[k] = (percept[k] - outlier[k]) / dt if is_known else 0.0


@compiled(
    "(i8[:], f8[:], f8[:,::1], f8[:,:,::1], f8, f8[:,:], f8, f8, f8, f8, f8, f8,"
    " UniTuple(f8, 2), UniTuple(f8, 4),"
    " f8[:,::1], f8[:,::1], f8[:,:,::1], f8[:,::1], f8[:,::1], f8[:,:,::1], f8[::1],"
    " f8[:,::1], f8[:,:,::1], f8[::1])"
)
def fuse(
    rows: Rows, times: Floats, percepts: Floats, noises: Floats, predicted: float, world: Floats,
    gate: float, weight: float, smoothing: float, window: float, least_speed: float,
    clearly: float, least_sigmas: tuple[float, float],
    rates: tuple[float, float, float, float], world_then: Floats, means: Floats, covs: Floats,
    velocities: Floats, biases: Floats, bias_covs: Floats, last: Floats,
    outliers: Floats, outlier_covs: Floats, outlier_times: Floats,
) -> None:  # fmt: skip
    """Updates the states of rows with percepts, one after the other; all arrays change in place.

    A percept has a row, a time (s), a pose z, and a covariance R in `noises`. `predicted` is the
    time (s) of the last prediction of `covs`. `world` are the poses that the world has now, and
    `world_then` those that it had right after the last percept. `gate` is in standard deviations,
    `smoothing` and `window` in seconds, `least_speed` in m/s, `clearly` as for `_predict_mean`,
    `least_sigmas` in m and rad, and `rates` as for `_predict_cov`.
    `outlier_times` is −∞ in rows whose last percept was not an outlier.
    """
    noise, lower, start = np.empty((6, 6)), np.empty((6, 6)), np.empty(3)
    for k in range(len(rows)):
        row, t, percept, dt = rows[k], times[k], percepts[k], times[k] - last[rows[k]]
        # R, at least that of a calibrated camera
        noise[:] = noises[k]
        for i in range(6):
            noise[i, i] += least_sigmas[i // 3] ** 2
        _make_definite(noise, lower)
        last[row] = max(last[row], t)
        # The first percept of a row
        if dt == math.inf:
            _initialise(means[row], covs[row], biases[row], bias_covs[row], percept, noise)
            outlier_times[row], velocities[row] = -math.inf, 0.0
            continue
        # A hand or the simulation has moved the object since.
        if (world_then[row] != world[row]).any():
            move_rigidly(world_then[row], world[row], means[row])
            world_then[row], velocities[row] = world[row], 0.0
        # Predict: x, then P ← P + Q for the time since the last prediction.
        start[:] = means[row, :3]
        distance = _predict_mean(
            means[row], velocities[row], covs[row], dt, smoothing, window, least_speed, clearly
        )
        _predict_cov(covs[row], distance, 0.0, min(max(t - predicted, 0.0), max(dt, 0.0)), rates)
        # Innovation, gate, update
        if _update(
            means[row], covs[row], percept, noise, biases[row], bias_covs[row], gate, weight
        ):
            outlier_times[row] = -math.inf
            _average_velocity(start, means[row], dt, smoothing, velocities[row])
        elif outlier_times[row] == -math.inf:
            # The first outlier waits for a second one.
            outlier_times[row], outliers[row], outlier_covs[row] = t, percept, noise
        else:
            # The second outlier in a row: initialise again.
            apart, outlier_times[row] = t - outlier_times[row], -math.inf
            _initialise(means[row], covs[row], biases[row], bias_covs[row], percept, noise)
            _start_velocity(
                percept, outliers[row], noise, outlier_covs[row], apart, gate, window,
                velocities[row],
            )  # fmt: skip
            # Two sensors at one time: both percepts are of the new pose.
            if abs(apart) <= _LEAST_S:
                _update(
                    means[row], covs[row], outliers[row], outlier_covs[row], biases[row],
                    bias_covs[row], gate, weight,
                )  # fmt: skip
