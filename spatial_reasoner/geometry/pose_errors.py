"""Errors of poses: the difference of two poses as a vector of six numbers, and how to add one.

An error is a translation (m) and a rotation vector (rad), both in the world's axes. The operators ⊟
and ⊞ are those of Hertzberg et al., "Integrating generic sensor fusion algorithms with sound state
representations" (Information Fusion 14, 2013): a ⊟ b is the error of a relative to b, and
b ⊞ (a ⊟ b) = a. The functions write into their arguments, for the loops of the filter.
"""

import math

import numpy as np

from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.geometry.poses import product
from spatial_reasoner.kernels.compiled import GIVEN_LINE, compiled

__all__ = ["box_minus", "box_plus", "move_rigidly"]


@compiled(f"({GIVEN_LINE}, {GIVEN_LINE}, f8[:])")
def box_minus(mean: Floats, pose: Floats, error: Floats) -> None:
    """Sets the error δ = pose ⊟ mean: a translation and a rotation vector, by the shorter way."""
    # Translation: δ_p = p − p̄.
    for k in range(3):
        error[k] = pose[k] - mean[k]
    # Rotation: q ⊗ q̄⁻¹ = (v, w), with −q for q if w < 0; v = sin(θ/2) u for the unit axis u.
    x, y, z, real = product(
        (pose[3], pose[4], pose[5], pose[6]), (-mean[3], -mean[4], -mean[5], mean[6])
    )
    sign = -1.0 if real < 0 else 1.0
    error[3], error[4], error[5] = sign * x, sign * y, sign * z
    # δ_θ = θ u with θ = 2 atan2(|v|, |w|), which is exact for small angles, too.
    sine = math.sqrt(error[3] ** 2 + error[4] ** 2 + error[5] ** 2)
    scale = 2 * math.atan2(sine, abs(real)) / sine if sine > 0 else 2.0
    for k in range(3, 6):
        error[k] *= scale


@compiled("(f8[:], f8[:])")
def box_plus(mean: Floats, error: Floats) -> None:
    """Adds an error to a mean, in place: mean ← mean ⊞ error."""
    # exp(δ_θ) as a quaternion: (sin(θ/2) u, cos(θ/2)); sin(θ/2) / θ tends to 1/2.
    angle = math.sqrt(error[3] ** 2 + error[4] ** 2 + error[5] ** 2)
    scale = math.sin(angle / 2) / angle if angle > 1e-12 else 0.5
    turn = scale * error[3], scale * error[4], scale * error[5], math.cos(angle / 2)
    # p̄ ← p̄ + δ_p, and q̄ ← exp(δ_θ) ⊗ q̄, normalised.
    for k in range(3):
        mean[k] += error[k]
    mean[3], mean[4], mean[5], mean[6] = product(turn, (mean[3], mean[4], mean[5], mean[6]))
    length = math.sqrt(mean[3] ** 2 + mean[4] ** 2 + mean[5] ** 2 + mean[6] ** 2)
    for k in range(3, 7):
        mean[k] /= length


@compiled("(f8[:], f8[:])")
def _rotate(error: Floats, vector: Floats) -> None:
    """Rotates a vector by the rotation vector of an error (Rodrigues' formula)."""
    x, y, z = error[3], error[4], error[5]
    angle = math.sqrt(x * x + y * y + z * z)
    if angle == 0.0:
        return
    x, y, z = x / angle, y / angle, z / angle
    a, b, c = vector[0], vector[1], vector[2]
    cos, sin = math.cos(angle), math.sin(angle)
    # a ← cos θ a + sin θ (u × a) + (1 − cos θ) (u · a) u
    along = (1 - cos) * (x * a + y * b + z * c)
    vector[0] = cos * a + sin * (y * c - z * b) + along * x
    vector[1] = cos * b + sin * (z * a - x * c) + along * y
    vector[2] = cos * c + sin * (x * b - y * a) + along * z


@compiled("(f8[:], f8[:], f8[:])")
def move_rigidly(then: Floats, now: Floats, mean: Floats) -> None:
    """Moves a mean as the world moved its object, as one rigid body: T_now T_then⁻¹ mean."""
    turn, arm = np.empty(6), np.empty(3)
    # The rotation from then to now, alone: δ_p = 0.
    box_minus(then, now, turn)
    for k in range(3):
        arm[k] = mean[k] - then[k]
        turn[k] = 0.0
    box_plus(mean, turn)
    # p̄ ← p_now + R (p̄ − p_then)
    _rotate(turn, arm)
    for k in range(3):
        mean[k] = now[k] + arm[k]
