"""Limits: what must not reach Bullet, which would crash, or be silently wrong."""

from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from spatial_reasoner.errors import MeshRefused
from spatial_reasoner.geometry.poses import Floats
from spatial_reasoner.geometry.shapes import Shape
from spatial_reasoner.kernels.compiled import GIVEN_TABLE, compiled

__all__ = ["checked_fov", "checked_points", "checked_poses", "checked_shape"]

_VERTICES: Final = 131_072
_LARGEST: Final = 200.0
_FARTHEST: Final = 1e4
_WIDEST: Final = 3.1
_ROUGHLY: Final = 0.01
_HUGE: Final = 1e100
_AWAY: Final = 1
_NO_TURN: Final = 2


def checked_shape(shape: Shape) -> Shape:
    """The shape; MeshRefused for what Bullet would crash on, or silently get wrong."""
    vertices, faces = shape.vertices, shape.faces
    sizes = [piece.size for piece in shape.pieces] if shape.kind != "mesh" else []
    wrong = {
        "its numbers are not finite": not np.isfinite(vertices).all(),
        "it has no triangles": vertices.ndim != 2 or faces.ndim != 2 or not len(faces),
        f"it has more than {_VERTICES} vertices": len(vertices) > _VERTICES,
        "a triangle names a vertex that isn't there": bool(
            len(faces) and (faces.min() < 0 or faces.max() >= len(vertices))
        ),
        f"it is larger than {_LARGEST:g} m": bool(
            len(vertices) and not np.abs(vertices).max() <= _LARGEST
        ),
        "a part of it has no extent": any(not (size > 0).all() for size in sizes),
    }
    for message, so in wrong.items():
        if so:
            raise MeshRefused(shape.kind, message)
    return shape


def checked_poses(poses: ArrayLike) -> Floats:
    """Poses (n, 7): finite, not too far away, and with rotations of length 1."""
    given = np.ascontiguousarray(poses, dtype=np.float64).reshape(-1, 7)
    wrong = _wrong_pose(given)
    if wrong == _AWAY:
        raise ValueError(f"poses have finite numbers, within {_FARTHEST:g} m")
    if wrong == _NO_TURN:
        raise ValueError("a pose's last four numbers are a quaternion x, y, z, w of length 1")
    return given


@compiled("i8(" + GIVEN_TABLE + ")")
def _wrong_pose(poses: Floats) -> int:
    """What is wrong with the first pose that is; 0 when all are right."""
    for k in range(len(poses)):
        length = 0.0
        for i in range(7):
            if not abs(poses[k, i]) <= (_FARTHEST if i < 3 else _HUGE):  # nor is what is no number
                return _AWAY
            length += poses[k, i] * poses[k, i] if i > 2 else 0.0
        if abs(length - 1.0) > _ROUGHLY:
            return _NO_TURN
    return 0


def checked_points(points: ArrayLike) -> Floats:
    """Points (n, 3): finite, and not too far away."""
    given = np.ascontiguousarray(points, dtype=np.float64).reshape(-1, 3)
    if not np.isfinite(given).all() or np.abs(given).max(initial=0.0) > 2 * _FARTHEST:
        raise ValueError(f"rays start and end at finite places, within {2 * _FARTHEST:g} m")
    return given


def checked_fov(fov: tuple[float, float]) -> Floats:
    """The two full angles of a picture, which is flat and so narrower than 180°."""
    given = np.asarray(fov, dtype=np.float64)
    if not ((given > 0) & (given < _WIDEST)).all():
        raise ValueError(f"a flat picture's field is wider than 0 and narrower than {_WIDEST}")
    return given
