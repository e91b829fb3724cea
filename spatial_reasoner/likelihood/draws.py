"""Draws poses from beliefs; the random numbers come from outside or from a given seed.

A covariance (6×6) is that of the error in x, y, z (metres), and of the rotation vector about the
world's axes (radians) from the believed orientation.
"""

import zlib

import numpy as np

from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.geometry.poses import compose

__all__ = ["drawn", "normals", "roots"]


def normals(seed: int, name: str, begin: int, end: int) -> Floats:
    """Six normal numbers for each of the draws `begin` to `end` of an object: (k, 6).

    They depend only on the seed, the name and the number of the draw. They do not depend on
    other objects, or on how many draws are made at once.

    >>> whole = normals(1, "ball", 0, 5)
    >>> bool((normals(1, "ball", 3, 5) == whole[3:]).all())
    True
    """
    stream = np.random.default_rng([seed, zlib.crc32(name.encode())])
    found: Floats = stream.standard_normal((end, 6))[begin:]
    return found


def roots(covariances: Floats) -> Floats:
    """A symmetric square root of each covariance (k, 6, 6): it turns normal numbers into errors.

    >>> roots(np.diag([4.0, 0, 0, 0, 0, 0])[None])[0, 0, 0].item()
    2.0
    """
    sizes, axes = np.linalg.eigh(covariances)
    found: Floats = axes * np.sqrt(np.maximum(sizes, 0.0))[:, None, :] @ np.swapaxes(axes, 1, 2)
    return found


def drawn(poses: Floats, errors: Floats) -> Floats:
    """Poses (k, 7) with errors (n, k, 6) applied: (n, k, 7)."""
    angles = np.linalg.norm(errors[..., 3:], axis=-1, keepdims=True)
    turns = np.zeros((*errors.shape[:-1], 7))
    turns[..., 3:6] = errors[..., 3:] * np.sinc(angles / (2 * np.pi)) / 2
    turns[..., 6:] = np.cos(angles / 2)
    still = poses.copy()
    still[:, :3] = 0.0
    found = compose(turns, np.ascontiguousarray(np.broadcast_to(still, turns.shape)))
    found[..., :3] = poses[:, :3] + errors[..., :3]
    return found
