"""Where rays from one place enter a shape: exact, for its boxes, balls and cylinders.

A ray that starts inside a part does not see it. Meshes have too many triangles for this; their
rays are cast by Bullet.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from spatial_reasoner.bullet import FAR, NEAR, Bullet
from spatial_reasoner.poses import Floats, Pose, rotations
from spatial_reasoner.shapes import Piece, Shape
from spatial_reasoner.sight import Eye, Scenery

__all__ = ["down_to", "entries", "met", "ways_of"]

_ALMOST_LEVEL: Final = 1e-9
_ALMOST_NOTHING: Final = 1e-300


def ways_of(eye: Eye) -> Floats:
    """The way from an eye to the middle of each point of its picture, as far as 1 m ahead of it."""
    across, up = _middles(eye)
    ahead = np.ones((eye.height, eye.width, 3))
    ahead[..., 1], ahead[..., 2] = across, up[:, None]
    ways: Floats = ahead.reshape(-1, 3) @ rotations(eye.pose).T
    return ways


def _middles(eye: Eye) -> tuple[Floats, Floats]:
    """How far to the left the middles of an eye's points are, and how far up, 1 m ahead of it."""
    across = np.tan(eye.fov[0] / 2) * (1 - (np.arange(eye.width) + 0.5) * 2 / eye.width)
    up = np.tan(eye.fov[1] / 2) * (1 - (np.arange(eye.height) + 0.5) * 2 / eye.height)
    return across, up


def down_to(ground: Shape, pose: Pose, eye: Eye) -> Floats:
    """How many times its way each ray of an eye goes until it meets the top of a ground (h, w).

    It is what `entries` says for an eye above the ground, several times faster.
    """
    turned, (across, up) = rotations(pose), _middles(eye)
    origin = (eye.pose[:3] - pose[:3]) @ turned
    forward, left, above = (rotations(eye.pose).T @ turned)[..., None, None]
    x, y, z = forward + left * across + above * up[:, None]
    way: Floats = origin[2] / np.maximum(-z, _ALMOST_LEVEL)
    inside = (np.abs(origin[0] + way * x) <= ground.half[0]) & (way >= NEAR)
    inside &= (np.abs(origin[1] + way * y) <= ground.half[1]) & (way <= FAR)
    way[~inside] = np.inf
    return way


def met(
    bullet: Bullet,
    scenery: Scenery,
    row: int,
    start: Floats,
    ways: Floats,
    reach: tuple[float, float] = (NEAR, FAR),
) -> Floats:
    """How many times its way each ray goes until it meets a row: inf where it does not.

    Bullet is to have been arranged for the scenery; it is asked about meshes.
    """
    shape = scenery.shapes[row]
    if shape is None:
        return np.full(len(ways), np.inf)
    if shape.kind != "mesh":
        return entries(shape, scenery.poses[row], start, ways, reach)
    rows, share = bullet.rays(start + reach[0] * ways, start + reach[1] * ways, [row])
    return np.where(rows == row, reach[0] + share * (reach[1] - reach[0]), np.inf)


def entries(
    shape: Shape, pose: Pose, start: Floats, ways: Floats, reach: tuple[float, float] = (NEAR, FAR)
) -> Floats:
    """How many times its way each ray goes until it enters a shape that is no mesh."""
    turned = rotations(pose)
    origin, along = (start - pose[:3]) @ turned, np.ascontiguousarray((ways @ turned).T)
    along[np.abs(along) < _ALMOST_NOTHING] = _ALMOST_NOTHING
    with np.errstate(over="ignore"):
        inverse = 1.0 / along
    rays = _Rays(along, inverse, np.abs(inverse))
    first = np.full(len(ways), np.inf)
    for piece in shape.pieces:
        enters, leaves = _SPANS[piece.kind](piece, origin - piece.centre, rays)
        seen = (enters <= leaves) & (enters >= reach[0]) & (enters <= reach[1])
        np.minimum(first, enters, out=first, where=seen)
    return first


@dataclass(frozen=True, slots=True, eq=False)
class _Rays:
    """The ways of rays (3, n), one over them, and the amount of that."""

    along: Floats
    inverse: Floats
    steep: Floats


_Span = tuple[Floats, Floats]
"""When each ray enters, and when it leaves."""


def _box(piece: Piece, origin: Floats, rays: _Rays) -> _Span:
    with np.errstate(over="ignore"):
        middle, wide = origin[:, None] * -rays.inverse, piece.size[:, None] * rays.steep
    return (middle - wide).max(axis=0), (middle + wide).min(axis=0)


def _sphere(piece: Piece, origin: Floats, rays: _Rays) -> _Span:
    return _round(float(piece.size[0]), origin, rays.along)


def _cylinder(piece: Piece, origin: Floats, rays: _Rays) -> _Span:
    sides = _round(float(piece.size[0]), origin[:2], rays.along[:2])
    with np.errstate(over="ignore"):
        middle, wide = -origin[2] * rays.inverse[2], piece.size[1] * rays.steep[2]
    return np.maximum(sides[0], middle - wide), np.minimum(sides[1], middle + wide)


def _round(radius: float, origin: Floats, along: Floats) -> _Span:
    """Of a ball or, in two dimensions, a circle."""
    square = np.maximum((along * along).sum(axis=0), _ALMOST_NOTHING)
    towards = -(origin @ along) / square
    rest = towards * towards - (origin @ origin - radius * radius) / square
    hit: NDArray[np.bool_] = rest >= 0
    half = np.sqrt(np.where(hit, rest, 0.0))
    return np.where(hit, towards - half, np.inf), np.where(hit, towards + half, -np.inf)


_SPANS: Final[Mapping[str, Callable[[Piece, Floats, _Rays], _Span]]] = {
    "box": _box,
    "sphere": _sphere,
    "cylinder": _cylinder,
}
