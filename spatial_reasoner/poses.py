"""Poses: where a body is and how it is turned. `X_WB` is body B in world W.

A pose is seven numbers, x y z and the quaternion x y z w; many poses are an array of them. All
functions take one pose or many, and are pure.
"""

from collections.abc import Sequence
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "IDENTITY",
    "Floats",
    "Pose",
    "apply",
    "blended",
    "compose",
    "inverse",
    "pose_of",
    "rotations",
    "tilts",
    "turn_between",
]

Floats: TypeAlias = NDArray[np.float64]
Pose: TypeAlias = Floats
"""Seven numbers: a place, and a quaternion of length one."""

IDENTITY: Final[Pose] = np.array([0.0, 0, 0, 0, 0, 0, 1])
IDENTITY.flags.writeable = False
_FARTHEST: Final = 1e4


def pose_of(numbers: Sequence[float]) -> Pose:
    """The pose that three or seven numbers say; ValueError tells what is wrong with them.

    >>> pose_of([1, 2, 3]).tolist()
    [1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 1.0]
    """
    if len(numbers) not in (3, 7):
        raise ValueError(f"a pose has 3 or 7 numbers, not {len(numbers)}")
    pose = np.array([*numbers, 0, 0, 0, 1][:7], dtype=np.float64)
    if not np.isfinite(pose).all() or np.abs(pose).max() > _FARTHEST:
        raise ValueError(f"a pose has finite numbers, within {_FARTHEST:g} m")
    length = float(np.linalg.norm(pose[3:]))
    if not 0.5 < length < 2.0:
        raise ValueError("a pose's last four numbers are a quaternion x, y, z, w of length 1")
    pose[3:] /= length
    return pose


def rotations(poses: Floats) -> Floats:
    """The rotation matrices (..., 3, 3) of poses (..., 7)."""
    if poses.ndim == 1:
        return _rotation(*poses[3:].tolist())
    x, y, z, w = poses[..., 3], poses[..., 4], poses[..., 5], poses[..., 6]
    out = np.empty((*poses.shape[:-1], 3, 3))
    out[..., 0, 0] = 1 - 2 * (y * y + z * z)
    out[..., 0, 1] = 2 * (x * y - z * w)
    out[..., 0, 2] = 2 * (x * z + y * w)
    out[..., 1, 0] = 2 * (x * y + z * w)
    out[..., 1, 1] = 1 - 2 * (x * x + z * z)
    out[..., 1, 2] = 2 * (y * z - x * w)
    out[..., 2, 0] = 2 * (x * z - y * w)
    out[..., 2, 1] = 2 * (y * z + x * w)
    out[..., 2, 2] = 1 - 2 * (x * x + y * y)
    return out


def _rotation(x: float, y: float, z: float, w: float) -> Floats:
    """Of one quaternion, as plain numbers, which are faster than arrays of one."""
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ])  # fmt: skip


def apply(pose: Pose, points: Floats) -> Floats:
    """Points (..., 3) given in a body's frame, in the frame that its pose is given in."""
    placed: Floats = points @ rotations(pose).T + pose[:3]
    return placed


def compose(outer: Floats, inner: Floats) -> Floats:
    """X_AC from X_AB and X_BC."""
    turned = np.einsum("...ij,...j->...i", rotations(outer), inner[..., :3])
    out = np.empty((*turned.shape[:-1], 7))
    out[..., :3] = outer[..., :3] + turned
    _multiply(outer[..., 3:], inner[..., 3:], out[..., 3:])
    return out


def inverse(poses: Floats) -> Floats:
    """X_BA from X_AB."""
    out = np.empty(poses.shape)
    out[..., 3:] = poses[..., 3:] * (-1.0, -1.0, -1.0, 1.0)
    out[..., :3] = -np.einsum("...ji,...j->...i", rotations(poses), poses[..., :3])
    return out


def blended(old: Floats, new: Floats, share: Floats | float) -> Floats:
    """Poses between old ones (share 0) and new ones (share 1), turned by the shorter way."""
    weight = np.expand_dims(np.asarray(share, dtype=np.float64), -1)
    near = np.where(np.sum(old[..., 3:] * new[..., 3:], axis=-1, keepdims=True) < 0, -1.0, 1.0)
    out: Floats = old + weight * (new * np.concatenate(
        [np.ones((*near.shape[:-1], 3)), np.repeat(near, 4, axis=-1)], axis=-1
    ) - old)  # fmt: skip
    out[..., 3:] /= np.linalg.norm(out[..., 3:], axis=-1, keepdims=True)
    return out


def turn_between(one: Floats, other: Floats) -> Floats:
    """The angle, in radians, by which poses are turned against others."""
    dot = np.abs((one[..., 3:] * other[..., 3:]).sum(axis=-1))
    angle: Floats = 2 * np.arccos(np.minimum(dot, 1.0))
    return angle


def tilts(poses: Floats) -> Floats:
    """The angle between each body's own up and the world's."""
    x, y = poses[..., 3], poses[..., 4]
    tilt: Floats = np.arccos(np.clip(1 - 2 * (x * x + y * y), -1.0, 1.0))
    return tilt


def _multiply(p: Floats, q: Floats, out: Floats) -> None:
    """Sets the products of quaternions."""
    px, py, pz, pw = p[..., 0], p[..., 1], p[..., 2], p[..., 3]
    qx, qy, qz, qw = q[..., 0], q[..., 1], q[..., 2], q[..., 3]
    out[..., 0] = pw * qx + px * qw + py * qz - pz * qy
    out[..., 1] = pw * qy - px * qz + py * qw + pz * qx
    out[..., 2] = pw * qz + px * qy - py * qx + pz * qw
    out[..., 3] = pw * qw - px * qx - py * qy - pz * qz
