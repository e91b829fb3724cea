"""Shapes as values, in the frame of their body: surface, solid pieces and cavity.

Each shape consists of convex pieces. Its triangles are rendered. Its corners span its convex hull;
those of round shapes are sampled finely enough for millimetres at the size of a hand. Its cavity is
the space into which objects can be put.
"""

from dataclasses import dataclass, field
from typing import Final, Literal

import numpy as np

from spatial_reasoner.geometry.arrays import Floats, Indices
from spatial_reasoner.geometry.poses import Pose, apply
from spatial_reasoner.tolerances.units import Numeric

__all__ = [
    "Cavity",
    "Piece",
    "Shape",
    "ShapeKind",
    "Surface",
    "bin_shape",
    "box",
    "box_piece",
    "cylinder",
    "placed",
    "plane",
    "sphere",
]

ShapeKind = Literal["box", "bin", "sphere", "cylinder", "plane", "mesh"]

_ROUND: Final = 32
"""Vertices around a sphere or a cylinder."""
_RINGS: Final = 16
"""Intervals between the poles of a sphere."""
_THICK: Final[Numeric] = 0.1
"""Metres: the thickness of a ground plane as it is rendered."""
_PLANE: Final[Numeric] = 200.0
"""Metres: half the extent of a ground plane as it is rendered, which hides its edge."""


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """A convex piece: a box, sphere or cylinder around its own centre, or the hull of its corners.

    `size` has the half extents of a box, the radius of a sphere, or the radius and half height of a
    cylinder. `corners` are in the frame of the body.
    """

    kind: Literal["box", "sphere", "cylinder", "hull"]
    centre: Floats
    size: Floats
    corners: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Cavity:
    """The cavity of a container: a box along the axes of the body, open at its rim.

    `low` and `high` are its corners; `high[2]` is the height of the rim. If the cavity is not a
    box, `floor` has the height of its bottom at each cell of a grid from low to high (NaN in a
    wall).
    """

    low: Floats
    high: Floats
    floor: Floats | None = None

    def floor_at(self, place: Floats) -> float:
        """The height of the floor at an offset from the centre, in the body; NaN in a wall."""
        if self.floor is None:
            return float(self.low[2])
        shares = place / (self.high - self.low)[:2] + 0.5
        cell = np.clip((shares * self.floor.shape).astype(int), 0, np.array(self.floor.shape) - 1)
        return float(self.floor[cell[0], cell[1]])


@dataclass(frozen=True, slots=True, eq=False)
class Surface:
    """Triangles; if a surface is not closed, its outside is undefined."""

    vertices: Floats
    faces: Indices
    is_closed: bool


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """The shape of a body; equal shapes have equal keys, so that results can be shared."""

    kind: ShapeKind
    key: tuple[object, ...]
    half: Floats
    """Half the extents of its own box."""
    centre: Floats
    """The centre of that box, in the frame of the body: zero, except for meshes."""
    corners: Floats
    vertices: Floats
    faces: Indices
    """Triangles, three vertices each, counter-clockwise as seen from outside."""
    pieces: tuple[Piece, ...]
    volume: float
    cavity: Cavity | None = None
    radius: float = field(default=0.0)
    """The radius of the bounding sphere around `centre`."""
    fine: Surface | None = None
    """The surface of a mesh with more triangles than the rendered ones, to show to people."""
    parts: tuple[tuple["Shape", Pose], ...] = ()
    """The solid links of an articulated body, with their poses in it."""


def box(size: Floats) -> Shape:
    """A box with the given full extents."""
    half = np.asarray(size, dtype=np.float64) / 2
    zero = np.zeros(3)
    corners = _corners(-half, half)
    surface = Surface(corners, _BOX_FACES, is_closed=True)
    return _made("box", ("box", *half), corners, surface, (box_piece(zero, half),),
                 float(np.prod(size)))  # fmt: skip


def bin_shape(size: Floats, floor: float, wall: float) -> Shape:
    """An open container: a floor and four walls, open at the top."""
    half = np.asarray(size, dtype=np.float64) / 2
    x, y, z = half
    low, mid = -z + floor, floor / 2
    pieces = (
        box_piece(np.array([0, 0, -z + mid]), np.array([x, y, mid])),
        box_piece(np.array([x - wall / 2, 0, mid]), np.array([wall / 2, y, z - mid])),
        box_piece(np.array([wall / 2 - x, 0, mid]), np.array([wall / 2, y, z - mid])),
        box_piece(np.array([0, y - wall / 2, mid]), np.array([x - wall, wall / 2, z - mid])),
        box_piece(np.array([0, wall / 2 - y, mid]), np.array([x - wall, wall / 2, z - mid])),
    )
    inner = np.array([x - wall, y - wall, z])
    cavity = Cavity(np.array([-inner[0], -inner[1], low]), inner)
    surface = Surface(*_bin_surface(half, inner, low), is_closed=True)
    solid = float(sum(8 * np.prod(piece.size) for piece in pieces))
    return _made("bin", ("bin", *half, floor, wall), _corners(-half, half), surface, pieces, solid,
                 cavity)  # fmt: skip


def sphere(radius: float) -> Shape:
    """A ball."""
    surface = Surface(*_ball(radius), is_closed=True)
    piece = Piece("sphere", np.zeros(3), np.array([radius]), surface.vertices)
    return _made("sphere", ("sphere", radius), surface.vertices, surface, (piece,),
                 4 / 3 * np.pi * radius**3)  # fmt: skip


def cylinder(radius: float, height: float) -> Shape:
    """A cylinder around its z axis."""
    surface = Surface(*_tube(radius, height / 2), is_closed=True)
    ring = surface.vertices[:-2]
    piece = Piece("cylinder", np.zeros(3), np.array([radius, height / 2]), ring)
    return _made("cylinder", ("cylinder", radius, height), ring, surface, (piece,),
                 np.pi * radius**2 * height)  # fmt: skip


def plane() -> Shape:
    """The ground: the half space below z = 0 of its body, rendered as a very large square."""
    half = np.array([_PLANE, _PLANE, _THICK / 2])
    low, high = np.array([-_PLANE, -_PLANE, -_THICK]), np.array([_PLANE, _PLANE, 0.0])
    corners = _corners(low, high)
    piece = Piece("box", (low + high) / 2, half, corners)
    solid = float(np.prod(2 * half))
    surface = Surface(corners, _BOX_FACES, is_closed=True)
    return _made("plane", ("plane",), corners, surface, (piece,), solid)


def _made(
    kind: ShapeKind,
    key: tuple[object, ...],
    corners: Floats,
    surface: Surface,
    pieces: tuple[Piece, ...],
    volume: float,
    cavity: Cavity | None = None,
) -> Shape:
    low, high = corners.min(axis=0), corners.max(axis=0)
    centre = (low + high) / 2
    radius = float(np.linalg.norm(corners - centre, axis=1).max())
    half = (high - low) / 2
    return Shape(
        kind, key, half, centre, corners, surface.vertices, surface.faces, pieces, volume, cavity,
        radius,
    )  # fmt: skip


def box_piece(centre: Floats, half: Floats) -> Piece:
    """A box around a point, along the axes of its body."""
    return Piece("box", centre, half, _corners(centre - half, centre + half))


def placed(piece: Piece, pose: Pose) -> Piece:
    """A piece moved by a pose; a rotated box and a tilted cylinder become convex hulls."""
    corners, centre = apply(pose, piece.corners), apply(pose, piece.centre)
    is_upright = abs(pose[3]) + abs(pose[4]) < 1e-9
    if piece.kind == "sphere" or (is_upright and (piece.kind == "cylinder" or abs(pose[5]) < 1e-9)):
        return Piece(piece.kind, centre, piece.size, corners)
    low, high = corners.min(axis=0), corners.max(axis=0)
    return Piece("hull", (low + high) / 2, (high - low) / 2, corners)


def _corners(low: Floats, high: Floats) -> Floats:
    """The eight corners; bits 0, 1 and 2 of the index choose x, y and z."""
    bits = (np.arange(8)[:, None] >> np.arange(3)) & 1
    return np.where(bits == 1, high, low).astype(np.float64)


_BOX_FACES: Final[Indices] = np.array(
    [
        (0, 4, 6), (0, 6, 2), (1, 3, 7), (1, 7, 5), (0, 1, 5), (0, 5, 4),
        (2, 6, 7), (2, 7, 3), (0, 2, 3), (0, 3, 1), (4, 5, 7), (4, 7, 6),
    ],
    dtype=np.int32,
)  # fmt: skip


def _bin_surface(half: Floats, inner: Floats, low: float) -> tuple[Floats, Indices]:
    """The surface of a bin: outside and inside without their tops, and the rim between them."""
    outer = _corners(-half, half)
    inside = _corners(np.array([-inner[0], -inner[1], low]), inner)
    top = {4, 5, 6, 7}
    outside = [f for f in _BOX_FACES.tolist() if not set(f) <= top]
    hollow = [[a + 8, c + 8, b + 8] for a, b, c in outside]
    ring = [4, 5, 7, 6]
    rim = []
    for one, other in zip(ring, [*ring[1:], ring[0]], strict=True):
        rim += [[one, other, other + 8], [one, other + 8, one + 8]]
    return np.concatenate([outer, inside]), np.array(outside + hollow + rim, dtype=np.int32)


def _ball(radius: float) -> tuple[Floats, Indices]:
    """A sphere made of rings; its poles are the last two vertices."""
    tilt = np.linspace(0, np.pi, _RINGS + 1)[1:-1, None]
    turn = np.linspace(0, 2 * np.pi, _ROUND, endpoint=False)[None]
    x, y, z = np.sin(tilt) * np.cos(turn), np.sin(tilt) * np.sin(turn), np.cos(tilt)
    rings = np.stack(np.broadcast_arrays(x, y, z), -1).reshape(-1, 3)
    vertices = radius * np.concatenate([rings, [[0, 0, 1.0], [0, 0, -1.0]]])
    return vertices, _rings_closed(_RINGS - 1)


def _tube(radius: float, half: float) -> tuple[Floats, Indices]:
    """Two rings; the centres of top and bottom are the last two vertices."""
    turn = np.linspace(0, 2 * np.pi, _ROUND, endpoint=False)
    ring = radius * np.stack([np.cos(turn), np.sin(turn)], -1)
    top, low = (np.column_stack([ring, np.full(_ROUND, z)]) for z in (half, -half))
    return np.concatenate([top, low, [[0, 0, half], [0, 0, -half]]]), _rings_closed(2)


def _rings_closed(rings: int) -> Indices:
    """The faces of rings from top to bottom, closed by one vertex above and one below."""
    above, below = rings * _ROUND, rings * _ROUND + 1
    here = np.arange(_ROUND)
    after = (here + 1) % _ROUND
    last = (rings - 1) * _ROUND
    faces = [
        np.column_stack([np.full(_ROUND, above), here, after]),
        np.column_stack([np.full(_ROUND, below), last + after, last + here]),
    ]
    for ring in range(rings - 1):
        one, two = ring * _ROUND, (ring + 1) * _ROUND
        faces += [
            np.column_stack([one + here, two + here, two + after]),
            np.column_stack([one + here, two + after, one + after]),
        ]
    return np.concatenate(faces).astype(np.int32)
