"""Ray casting: where rays from one point enter a shape, exactly for boxes, spheres and cylinders.

A ray that starts inside a piece of a shape does not hit that piece. Meshes have too many triangles
for this method; Bullet casts the rays to them.
"""

from functools import lru_cache
from math import inf, tan
from typing import Final

import numpy as np

from spatial_reasoner.dynamics.bullet import FAR, NEAR, Bullet
from spatial_reasoner.geometry.arrays import Flags, Floats, Rows
from spatial_reasoner.geometry.poses import Pose, rotation, rotations
from spatial_reasoner.geometry.shapes import Shape
from spatial_reasoner.kernels.compiled import compiled
from spatial_reasoner.tolerances.units import Numeric
from spatial_reasoner.values.rendering import Eye, Scenery

__all__ = ["cast", "down_to", "entries", "met", "pieces_of", "ways_of"]

_ALMOST_LEVEL: Final[Numeric] = 1e-9
"""The least downward component of a ray that hits the ground."""
_ALMOST_NOTHING: Final[Numeric] = 1e-300
"""The least divisor, so that no division is by zero."""
_BOX: Final[Numeric] = 0.0
_SPHERE: Final[Numeric] = 1.0
_CYLINDER: Final[Numeric] = 2.0
_FORMS: Final = {"box": _BOX, "sphere": _SPHERE, "cylinder": _CYLINDER}
_FORM: Final = 0
_CENTRE: Final = 1
_SIZE: Final = 4
"""The first columns of a piece's numbers: its form (1), centre (3) and size (3)."""
_ORIGIN: Final = 0
_AHEAD: Final = 1
_LEFT: Final = 2
_UP: Final = 3
"""The lines of an eye's frame: its place, and its axes."""


def ways_of(eye: Eye) -> Floats:
    """The vector from an eye to the centre of each pixel on the picture plane at 1 m depth."""
    across, up = _middles(eye)
    ahead = np.ones((eye.height, eye.width, 3))
    ahead[..., 1], ahead[..., 2] = across, up[:, None]
    ways: Floats = ahead.reshape(-1, 3) @ rotations(eye.pose).T
    return ways


def _middles(eye: Eye) -> tuple[Floats, Floats]:
    """The offsets of pixel centres to the left and up, on the picture plane at 1 m depth."""
    across = np.tan(eye.fov[0] / 2) * (1 - (np.arange(eye.width) + 0.5) * 2 / eye.width)
    up = np.tan(eye.fov[1] / 2) * (1 - (np.arange(eye.height) + 0.5) * 2 / eye.height)
    return across, up


def down_to(ground: Shape, pose: Pose, eye: Eye) -> Floats:
    """The depth (m) at which each pixel's ray hits the top of a ground plane, inf if none: (h, w).

    The result equals that of `entries` for an eye above the ground, and takes a fraction of the
    time.
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
    """The multiple of its vector at which each ray first hits a row; inf if it does not.

    Rays to meshes are cast by Bullet, which must already be arranged for the scenery.
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
    """The multiple of its vector at which each ray enters a shape, inf if none; not for meshes."""
    turned = rotations(pose)
    origin, along = (start - pose[:3]) @ turned, np.ascontiguousarray((ways @ turned).T)
    first, pieces = np.empty(len(ways)), pieces_of(shape)
    (x, y, z), (ahead, left, up) = origin.tolist(), along
    _enter(pieces, 0, len(pieces), x, y, z, ahead, left, up, *reach, first)
    return first


@lru_cache(maxsize=4096)
def pieces_of(shape: Shape) -> Floats:
    """The pieces of a shape as numbers, (n, 7); not for meshes."""
    found = np.zeros((len(shape.pieces), 7))
    for line, piece in zip(found, shape.pieces, strict=True):
        line[_FORM], line[_CENTRE : _CENTRE + 3] = _FORMS[piece.kind], piece.centre
        line[_SIZE : _SIZE + len(piece.size)] = piece.size
    return found


@compiled("f8(f8)")
def _steep(along: float) -> float:
    """The reciprocal of a component of a ray; a very large number for zero."""
    return 1.0 / (along if abs(along) > _ALMOST_NOTHING else _ALMOST_NOTHING)


@compiled(
    "void(f8[:,::1], i8, i8, f8, f8, f8, f8[::1], f8[::1], f8[::1], f8, f8, f8[::1])"
)
def _enter(
    pieces: Floats,
    begin: int,
    end: int,
    x: float,
    y: float,
    z: float,
    along: Floats,
    aside: Floats,
    up: Floats,
    near: float,
    far: float,
    first: Floats,
) -> None:
    """Sets the parameter t at which rays from (x, y, z) enter the first of some pieces, else inf.

    A hit counts between `near` and `far`. The inner loops have no branches, so the compiler
    vectorises them over rays.
    """
    for n in range(len(first)):
        first[n] = inf
    for p in range(begin, end):
        form, centre, size = pieces[p, _FORM], pieces[p, _CENTRE:_SIZE], pieces[p, _SIZE:]
        a, b, c = size[0], size[1], size[2]
        ox, oy, oz = x - centre[0], y - centre[1], z - centre[2]
        # Box: the slab method. Each axis gives an interval of t; their intersection is the hit.
        if form == _BOX:
            for n in range(len(first)):
                ix, iy, iz = _steep(along[n]), _steep(aside[n]), _steep(up[n])
                wide, deep, high = abs(ix) * a, abs(iy) * b, abs(iz) * c
                enters = max(max(-ox * ix - wide, -oy * iy - deep), -oz * iz - high)
                leaves = min(min(-ox * ix + wide, -oy * iy + deep), -oz * iz + high)
                is_seen = (enters <= leaves) & (enters >= near) & (enters <= far)
                first[n] = min(first[n], enters if is_seen else inf)
            continue
        # Sphere, or infinite cylinder in two dimensions: |o + t d|² = r², a quadratic equation in t
        # with the roots toward ± half. A cylinder is also cut by the slab of its height.
        is_ball = 1.0 if form == _SPHERE else 0.0
        reach = ox * ox + oy * oy + is_ball * oz * oz - a * a
        for n in range(len(first)):
            rise = is_ball * up[n]
            square = along[n] * along[n] + aside[n] * aside[n] + rise * rise
            square = max(square, _ALMOST_NOTHING)
            toward = -(ox * along[n] + oy * aside[n] + oz * rise) / square
            rest = toward * toward - reach / square
            half = np.sqrt(max(rest, 0.0))
            iz = _steep(up[n])
            high = abs(iz) * b if form == _CYLINDER else inf
            enters = max(toward - half, -oz * iz - high)
            leaves = min(toward + half, -oz * iz + high)
            is_seen = (rest >= 0) & (enters <= leaves) & (enters >= near) & (enters <= far)
            first[n] = min(first[n], enters if is_seen else inf)


@compiled("void(f8[:], f8[:], f8[:], f8[:,:])")
def _seen_by(eye: Floats, fov: Floats, body: Floats, frame: Floats) -> None:
    """Sets the eye's origin and its axes (ahead, left, up) in the frame of a body.

    The axes to the left and up are scaled to the edges of the picture plane at 1 m depth.
    """
    wide, high = tan(fov[0] / 2), tan(fov[1] / 2)
    axes = rotation(eye[3], eye[4], eye[5], eye[6])
    own = rotation(body[3], body[4], body[5], body[6])
    frame[:] = 0.0
    for j in range(3):
        ahead, left, up = axes[j]
        for i in range(3):
            frame[_ORIGIN, i] += own[j][i] * (eye[j] - body[j])
            frame[_AHEAD, i] += own[j][i] * ahead
            frame[_LEFT, i] += own[j][i] * left * wide
            frame[_UP, i] += own[j][i] * up * high


@compiled(
    "void(f8[:,::1], i8[:,:], f8[:,:,:], f8[:,:], f8[:,:], i8[:], i8[:], i8[:], i8[:], b1[:],"
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
    """Casts a ray for each pixel of some pictures (n, size, size), each of one row of a world.

    Sets the masks of the row without any occluder (`alone`) and with its occluders (`shown`).
    Occluder `others[i]` belongs to picture `before[i]`, in rising order. `begins` has the index of
    the first piece of each row (worlds, rows + 1). Pictures that are `left_out` are skipped.
    """
    size, other = alone.shape[1], 0
    frame, own, at = np.empty((4, 3)), np.empty(size * size), np.empty(size * size)
    along, aside, rise = np.empty(size * size), np.empty(size * size), np.empty(size * size)
    for k in range(len(rows)):
        # The row itself first, then each of its occluders: a pixel shows the row if no occluder is
        # nearer.
        w, row, is_own = worlds[k], rows[k], True
        while True:
            if not left_out[k]:
                _seen_by(eyes[k], fovs[k], poses[w, row], frame)
                origin, ahead = frame[_ORIGIN], frame[_AHEAD]
                leftward, upward = frame[_LEFT], frame[_UP]
                for v in range(size):
                    up = 1 - (v + 0.5) * 2 / size
                    for u in range(size):
                        n, left = v * size + u, 1 - (u + 0.5) * 2 / size
                        along[n] = ahead[0] + left * leftward[0] + up * upward[0]
                        aside[n] = ahead[1] + left * leftward[1] + up * upward[1]
                        rise[n] = ahead[2] + left * leftward[2] + up * upward[2]
                _enter(
                    pieces, begins[w, row], begins[w, row + 1], origin[0], origin[1], origin[2],
                    along, aside, rise, NEAR, FAR, own if is_own else at,
                )  # fmt: skip
                for v in range(size):
                    for u in range(size):
                        n = v * size + u
                        if is_own:
                            alone[k, v, u] = shown[k, v, u] = own[n] < inf
                        else:
                            shown[k, v, u] &= own[n] <= at[n]
            if other == len(others) or before[other] != k:
                break
            row, is_own = others[other], False
            other += 1
