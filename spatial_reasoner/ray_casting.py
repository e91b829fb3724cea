"""Where rays from one place enter a shape: exact, for its boxes, balls and cylinders.

A ray that starts inside a part does not see it. Meshes have too many triangles for this; their
rays are cast by Bullet.
"""

from functools import lru_cache
from math import inf, sqrt, tan
from typing import Final

import numpy as np
from numpy.typing import NDArray

from spatial_reasoner.bullet import FAR, NEAR, Bullet
from spatial_reasoner.compiled import compiled
from spatial_reasoner.poses import Floats, Pose, rotations
from spatial_reasoner.shapes import Shape
from spatial_reasoner.sight import Eye, Scenery

__all__ = ["cast", "down_to", "entered", "entries", "met", "pieces_of", "ways_of"]

Flags = NDArray[np.bool_]
Rows = NDArray[np.intp]
_ALMOST_LEVEL: Final = 1e-9
_ALMOST_NOTHING: Final = 1e-300
_BOX: Final = 0.0
_SPHERE: Final = 1.0
_CYLINDER: Final = 2.0
_FORMS: Final = {"box": _BOX, "sphere": _SPHERE, "cylinder": _CYLINDER}


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
    origin, along = (start - pose[:3]) @ turned, ways @ turned
    first = np.empty(len(ways))
    _enter(pieces_of(shape), origin, along, *reach, first)
    return first


@lru_cache(maxsize=4096)
def pieces_of(shape: Shape) -> Floats:
    """The pieces of a shape that is no mesh, as numbers: (n, 7), its form, centre and size."""
    found = np.zeros((len(shape.pieces), 7))
    for line, piece in zip(found, shape.pieces, strict=True):
        line[0], line[1:4] = _FORMS[piece.kind], piece.centre
        line[4 : 4 + len(piece.size)] = piece.size
    return found


@compiled("UniTuple(f8, 2)(f8, f8, f8)")
def _between(origin: float, along: float, half: float) -> tuple[float, float]:
    """When a ray is between two planes that are so far to both sides of zero."""
    if abs(along) < _ALMOST_NOTHING:
        return (-inf, inf) if abs(origin) < half else (inf, -inf)
    one, other = (-half - origin) / along, (half - origin) / along
    return min(one, other), max(one, other)


@compiled("f8(f8[:,:], f8, f8, f8, f8, f8, f8, f8, f8)")
def entered(
    pieces: Floats,
    x: float,
    y: float,
    z: float,
    along: float,
    aside: float,
    up: float,
    near: float,
    far: float,
) -> float:
    """When a ray from x, y, z enters the first of some pieces, inf if it enters none."""
    first = inf
    for form, cx, cy, cz, a, b, c in pieces:
        enters, leaves = -inf, inf
        ox, oy, oz = x - cx, y - cy, z - cz
        if form != _SPHERE:  # between two planes across z
            one, other = _between(oz, up, c if form == _BOX else b)
            enters, leaves = max(enters, one), min(leaves, other)
        if form == _BOX:
            one, other = _between(ox, along, a)
            enters, leaves = max(enters, one), min(leaves, other)
            one, other = _between(oy, aside, b)
            enters, leaves = max(enters, one), min(leaves, other)
        else:  # a ball or, in two dimensions, a circle
            high, rise = (oz, up) if form == _SPHERE else (0.0, 0.0)
            square = max(along * along + aside * aside + rise * rise, _ALMOST_NOTHING)
            toward = -(ox * along + oy * aside + high * rise) / square
            rest = toward * toward - (ox * ox + oy * oy + high * high - a * a) / square
            if rest < 0:
                continue
            half = sqrt(rest)
            enters, leaves = max(enters, toward - half), min(leaves, toward + half)
        if enters <= leaves and near <= enters <= far:
            first = min(first, enters)
    return first


@compiled("void(f8[:,:], f8[:], f8[:,:], f8, f8, f8[:])")
def _enter(
    pieces: Floats, origin: Floats, along: Floats, near: float, far: float, first: Floats
) -> None:
    """Sets when rays, as the body has them, enter its first piece; inf where they don't."""
    for n in range(len(along)):
        first[n] = entered(pieces, origin[0], origin[1], origin[2], along[n, 0], along[n, 1],
                           along[n, 2], near, far)  # fmt: skip


@compiled("f8(f8[:], i8, i8)")
def _turned(pose: Floats, line: int, column: int) -> float:
    """A number of the rotation matrix of a pose."""
    x, y, z, w = pose[3], pose[4], pose[5], pose[6]
    one, other = float(pose[3 + line]), float(pose[3 + column])
    if line == column:
        return 1.0 - 2 * float(x * x + y * y + z * z - one * other)
    sign = 1.0 if (line - column) % 3 == 1 else -1.0
    return 2 * (one * other + sign * float(pose[6 - line - column] * w))


@compiled("void(f8[:], f8[:], f8[:], f8[:,:])")
def _seen_by(eye: Floats, fov: Floats, body: Floats, frame: Floats) -> None:
    """Sets where an eye is in the frame of a body, and its ways ahead, to the left and up there."""
    wide, high = tan(fov[0] / 2), tan(fov[1] / 2)
    for i in range(3):
        for line in range(4):
            frame[line, i] = 0.0
    for j in range(3):
        away = eye[j] - body[j]
        ahead, left, up = _turned(eye, j, 0), _turned(eye, j, 1), _turned(eye, j, 2)
        for i in range(3):
            turn = _turned(body, j, i)
            frame[0, i] += turn * away
            frame[1, i] += turn * ahead
            frame[2, i] += turn * left * wide
            frame[3, i] += turn * up * high


@compiled(
    "void(f8[:,:], i8[:,:], f8[:,:,:], f8[:,:], f8[:,:], i8[:], i8[:], i8[:], i8[:], b1[:],"
    " b1[:,:,:], b1[:,:,:])"
)
def cast(
    pieces: Floats,
    begins: Rows,
    poses: Floats,
    eyes: Floats,
    fovs: Floats,
    worlds: Rows,
    rows: Rows,
    before: Rows,
    others: Rows,
    left_out: Flags,
    alone: Flags,
    shown: Flags,
) -> None:
    """Casts a ray for each point of some pictures (n, size, size), each of a row of a world.

    Sets where the row shows with nothing in front, and where with what is `before` which picture.
    `begins` say where the pieces of each row begin (worlds, rows + 1).
    """
    size, other = alone.shape[1], 0
    frame, own = np.empty((4, 3)), np.empty((size, size))
    for k in range(len(rows)):
        w, row, is_own = worlds[k], rows[k], True
        while True:
            if not left_out[k]:
                _seen_by(eyes[k], fovs[k], poses[w, row], frame)
                part = pieces[begins[w, row] : begins[w, row + 1]]
                for v in range(size):
                    up = 1 - (v + 0.5) * 2 / size
                    for u in range(size):
                        if not (is_own or shown[k, v, u]):
                            continue
                        left = 1 - (u + 0.5) * 2 / size
                        at = entered(
                            part, frame[0, 0], frame[0, 1], frame[0, 2],
                            frame[1, 0] + left * frame[2, 0] + up * frame[3, 0],
                            frame[1, 1] + left * frame[2, 1] + up * frame[3, 1],
                            frame[1, 2] + left * frame[2, 2] + up * frame[3, 2],
                            NEAR, FAR,
                        )  # fmt: skip
                        if is_own:
                            own[v, u], alone[k, v, u] = at, at < inf
                            shown[k, v, u] = at < inf
                        elif at < own[v, u]:
                            shown[k, v, u] = False
            if other == len(others) or before[other] != k:
                break
            row, is_own = others[other], False
            other += 1
