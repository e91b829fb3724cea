"""Poses: the position and rotation of a body. `X_WB` is the pose of body B in world W.

A pose is seven numbers: x, y, z in metres, and a unit quaternion x, y, z, w. Many poses are an
array of them. All functions are pure; most take one pose or many.
"""

import math
from collections.abc import Sequence
from typing import Final, TypeAlias

import numpy as np

from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.kernels.compiled import GIVEN_TABLE, compiled
from spatial_reasoner.tolerances.units import Limit

__all__ = [
    "FARTHEST",
    "IDENTITY",
    "Pose",
    "Quaternion",
    "Rotation",
    "apply",
    "compose",
    "inverse",
    "pose_of",
    "product",
    "rotation",
    "rotations",
    "separation",
    "set_quaternion",
    "tilts",
    "turn_between",
]

Pose: TypeAlias = Floats
Quaternion: TypeAlias = tuple[float, float, float, float]
"""x, y, z, w."""
Rotation: TypeAlias = tuple[
    tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]
]
"""The rows of a rotation matrix."""

IDENTITY: Final[Pose] = np.array([0.0, 0, 0, 0, 0, 0, 1])
IDENTITY.flags.writeable = False
FARTHEST: Final[Limit] = 1e4
"""Metres: the greatest coordinate of a pose."""


def pose_of(numbers: Sequence[float]) -> Pose:
    """The pose with three or seven given numbers; ValueError names what is wrong with them.

    >>> pose_of([1, 2, 3]).tolist()
    [1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 1.0]
    """
    if len(numbers) not in (3, 7):
        raise ValueError(f"a pose has 3 or 7 numbers, not {len(numbers)}")
    pose = np.array([*numbers, 0, 0, 0, 1][:7], dtype=np.float64)
    if not np.isfinite(pose).all() or np.abs(pose).max() > FARTHEST:
        raise ValueError(f"a pose must be finite, with coordinates within ±{FARTHEST:g} m")
    length = math.hypot(*pose[3:])
    if not 0.5 < length < 2.0:
        raise ValueError("the last four numbers of a pose must be a unit quaternion x, y, z, w")
    pose[3:] /= length
    return pose


def rotations(poses: Floats) -> Floats:
    """The rotation matrices (..., 3, 3) of poses (..., 7)."""
    out = np.empty((*poses.shape[:-1], 3, 3))
    _rotations(poses.reshape(-1, 7), out.reshape(-1, 3, 3))
    return out


def apply(pose: Pose, points: Floats) -> Floats:
    """Points (..., 3) of a body's frame, expressed in the frame of its pose."""
    placed: Floats = points @ rotations(pose).T + pose[:3]
    return placed


def compose(outer: Floats, inner: Floats) -> Floats:
    """X_AC from X_AB and X_BC."""
    if outer.shape != inner.shape:
        shape = np.broadcast_shapes(outer.shape, inner.shape)
        outer, inner = np.broadcast_to(outer, shape), np.broadcast_to(inner, shape)
    out = np.empty(outer.shape)
    _compose(outer.reshape(-1, 7), inner.reshape(-1, 7), out.reshape(-1, 7))
    return out


def inverse(poses: Floats) -> Floats:
    """X_BA from X_AB."""
    out = np.empty(poses.shape)
    _inverse(poses.reshape(-1, 7), out.reshape(-1, 7))
    return out


def turn_between(one: Floats, other: Floats) -> Floats:
    """The angles, in radians, between the rotations of poses and those of others."""
    dot = np.abs((one[..., 3:] * other[..., 3:]).sum(axis=-1))
    angle: Floats = 2 * np.arccos(np.minimum(dot, 1.0))
    return angle


def tilts(poses: Floats) -> Floats:
    """The angle, in radians, between each body's z axis and the world's."""
    x, y = poses[..., 3], poses[..., 4]
    tilt: Floats = np.arccos(np.clip(1 - 2 * (x * x + y * y), -1.0, 1.0))
    return tilt


@compiled("UniTuple(UniTuple(f8, 3), 3)(f8, f8, f8, f8)")
def rotation(x: float, y: float, z: float, w: float) -> Rotation:
    """The rows of the rotation matrix of a unit quaternion, for other compiled loops."""
    return (
        (1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)),
        (2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)),
        (2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)),
    )


@compiled("UniTuple(f8, 4)(UniTuple(f8, 4), UniTuple(f8, 4))")
def product(p: Quaternion, q: Quaternion) -> Quaternion:
    """The quaternion product p ⊗ q (first q, then p), for other compiled loops."""
    return (
        p[3] * q[0] + p[0] * q[3] + p[1] * q[2] - p[2] * q[1],
        p[3] * q[1] - p[0] * q[2] + p[1] * q[3] + p[2] * q[0],
        p[3] * q[2] + p[0] * q[1] - p[1] * q[0] + p[2] * q[3],
        p[3] * q[3] - p[0] * q[0] - p[1] * q[1] - p[2] * q[2],
    )


@compiled("void(f8[:,:], f8[:])")
def set_quaternion(turn: Floats, pose: Floats) -> None:
    """Sets the quaternion of a pose from a rotation matrix, by its largest part (Shepperd 1978)."""
    # The largest of trace and R_kk decides which part of q is the largest; 3 stands for w.
    trace = turn[0, 0] + turn[1, 1] + turn[2, 2]
    largest = 3
    for k in range(3):
        if turn[k, k] > (trace if largest == 3 else turn[largest, largest]):
            largest = k
    # w is the largest: q ∝ (R_32 − R_23, R_13 − R_31, R_21 − R_12, 1 + tr R).
    if largest == 3:
        for k in range(3):
            pose[3 + k] = turn[(k + 2) % 3, (k + 1) % 3] - turn[(k + 1) % 3, (k + 2) % 3]
        pose[6] = 1 + trace
    else:
        # q_i is the largest: q_i ∝ 1 + R_ii − R_jj − R_kk, q_j ∝ R_ji + R_ij, q_k ∝ R_ki + R_ik,
        # and w ∝ R_kj − R_jk.
        i, j, k = largest, (largest + 1) % 3, (largest + 2) % 3
        pose[3 + i] = 1 + turn[i, i] - turn[j, j] - turn[k, k]
        pose[3 + j] = turn[j, i] + turn[i, j]
        pose[3 + k] = turn[k, i] + turn[i, k]
        pose[6] = turn[k, j] - turn[j, k]
    # Normalise to |q| = 1.
    length = math.sqrt(pose[3] ** 2 + pose[4] ** 2 + pose[5] ** 2 + pose[6] ** 2)
    for k in range(3, 7):
        pose[k] /= length


@compiled("UniTuple(f8, 2)(f8[:], f8[:])")
def separation(one: Pose, other: Pose) -> tuple[float, float]:
    """The squared distance (m²) and the angle (rad) between two poses, for other compiled loops."""
    # θ = 2 arccos |q₁ · q₂|
    square, dot = 0.0, 0.0
    for k in range(3):
        square += (other[k] - one[k]) ** 2
    for k in range(3, 7):
        dot += one[k] * other[k]
    return square, 2 * math.acos(min(abs(dot), 1.0))


@compiled(f"({GIVEN_TABLE}, f8[:,:,::1])")
def _rotations(poses: Floats, out: Floats) -> None:
    """Sets rotation matrices."""
    for k in range(len(poses)):
        turned = rotation(poses[k, 3], poses[k, 4], poses[k, 5], poses[k, 6])
        for i in range(3):
            for j in range(3):
                out[k, i, j] = turned[i][j]


@compiled(f"({GIVEN_TABLE}, {GIVEN_TABLE}, f8[:,::1])")
def _compose(outer: Floats, inner: Floats, out: Floats) -> None:
    """Sets X_AC = X_AB X_BC: p = p_AB + R_AB p_BC, and the quaternion product q_AB ⊗ q_BC."""
    for k in range(len(outer)):
        p = outer[k, 3], outer[k, 4], outer[k, 5], outer[k, 6]
        turned = rotation(p[0], p[1], p[2], p[3])
        for i in range(3):
            out[k, i] = outer[k, i] + (
                turned[i][0] * inner[k, 0] + turned[i][1] * inner[k, 1] + turned[i][2] * inner[k, 2]
            )
        out[k, 3], out[k, 4], out[k, 5], out[k, 6] = product(
            p, (inner[k, 3], inner[k, 4], inner[k, 5], inner[k, 6])
        )


@compiled(f"({GIVEN_TABLE}, f8[:,::1])")
def _inverse(poses: Floats, out: Floats) -> None:
    """Sets X_BA from X_AB: p = −Rᵀ p_AB, and the conjugate quaternion."""
    for k in range(len(poses)):
        turned = rotation(poses[k, 3], poses[k, 4], poses[k, 5], poses[k, 6])
        for i in range(3):
            out[k, i] = -(
                turned[0][i] * poses[k, 0] + turned[1][i] * poses[k, 1] + turned[2][i] * poses[k, 2]
            )
            out[k, 3 + i] = -poses[k, 3 + i]
        out[k, 6] = poses[k, 6]
