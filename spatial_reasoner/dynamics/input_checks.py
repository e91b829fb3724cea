"""Input checks before Bullet, which on wrong input may crash or be silently wrong."""

from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from spatial_reasoner.errors import MeshRefused
from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.geometry.poses import FARTHEST
from spatial_reasoner.geometry.shapes import Shape
from spatial_reasoner.kernels.compiled import GIVEN_TABLE, compiled
from spatial_reasoner.tolerances.units import Limit, Numeric

__all__ = ["checked_fov", "checked_points", "checked_poses", "checked_shape"]

_VERTICES: Final = 131_072
"""The greatest number of vertices of a mesh."""
_LARGEST: Final[Limit] = 200.0
"""Metres: the greatest coordinate of a vertex."""
_WIDEST: Final[Limit] = 3.1
"""Radians: the greatest field of view of a flat picture, which must be narrower than 180°."""
_ROUGHLY: Final[Numeric] = 0.01
"""The greatest error of the squared length of a unit quaternion."""
_HUGE: Final[Limit] = 1e100
"""A limit on quaternion components, so that their squares are finite."""
_AWAY: Final = 1
_NO_TURN: Final = 2
"""The faults of a pose: too far away or not finite, and not a rotation."""


def checked_shape(shape: Shape) -> Shape:
    """The shape itself; MeshRefused if Bullet would crash on it or be silently wrong."""
    vertices, faces = shape.vertices, shape.faces
    sizes = [piece.size for piece in shape.pieces] if shape.kind != "mesh" else []
    wrong = {
        "its numbers are not finite": not np.isfinite(vertices).all(),
        "it has no triangles": vertices.ndim != 2 or faces.ndim != 2 or not len(faces),
        f"it has more than {_VERTICES} vertices": len(vertices) > _VERTICES,
        "a triangle names a vertex that does not exist": bool(
            len(faces) and (faces.min() < 0 or faces.max() >= len(vertices))
        ),
        f"it is larger than {_LARGEST:g} m": bool(
            len(vertices) and not np.abs(vertices).max() <= _LARGEST
        ),
        "a part of it has no volume": any(not (size > 0).all() for size in sizes),
    }
    for message, so in wrong.items():
        if so:
            raise MeshRefused(shape.kind, message)
    return shape


def checked_poses(poses: ArrayLike) -> Floats:
    """Poses as an array (n, 7); ValueError if one is not finite, too far away, or no rotation."""
    given = np.ascontiguousarray(poses, dtype=np.float64).reshape(-1, 7)
    wrong = _wrong_pose(given)
    if wrong == _AWAY:
        raise ValueError(f"a pose must be finite, with coordinates within ±{FARTHEST:g} m")
    if wrong == _NO_TURN:
        raise ValueError("the last four numbers of a pose must be a unit quaternion x, y, z, w")
    return given


@compiled("i8(" + GIVEN_TABLE + ")")
def _wrong_pose(poses: Floats) -> int:
    """The fault of the first wrong pose, _AWAY or _NO_TURN; 0 if all are correct."""
    for k in range(len(poses)):
        length = 0.0
        for i in range(7):
            if not abs(poses[k, i]) <= (FARTHEST if i < 3 else _HUGE):  # also true for NaN
                return _AWAY
            length += poses[k, i] * poses[k, i] if i > 2 else 0.0
        if abs(length - 1.0) > _ROUGHLY:
            return _NO_TURN
    return 0


def checked_points(points: ArrayLike) -> Floats:
    """Points as an array (n, 3); ValueError if one is not finite or too far away."""
    given = np.ascontiguousarray(points, dtype=np.float64).reshape(-1, 3)
    if not np.isfinite(given).all() or np.abs(given).max(initial=0.0) > 2 * FARTHEST:
        limit = f"{2 * FARTHEST:g} m"
        raise ValueError(f"rays must have finite ends, with coordinates within ±{limit}")
    return given


def checked_fov(fov: tuple[float, float]) -> Floats:
    """The two full angles of a flat picture, in radians; ValueError if one is out of range."""
    given = np.asarray(fov, dtype=np.float64)
    if not ((given > 0) & (given < _WIDEST)).all():
        raise ValueError(f"the field of a flat picture must be above 0 and below {_WIDEST} rad")
    return given
