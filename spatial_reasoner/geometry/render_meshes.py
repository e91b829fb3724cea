"""Render meshes: the few triangle meshes from which all shapes are scaled for rendering.

All boxes are one cube, all balls one sphere, and all cylinders one tube, scaled by numbers of each
instance. A bin is a cube with a second cube in it, which has its own scale. Only meshes have a form
each. So fifty objects are rendered with four draw calls. Round forms have a coarser version for
objects that are only a few pixels wide.

The road not taken is a form for each shape, which needs fifty draw calls for fifty boxes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np

from spatial_reasoner.geometry.arrays import Floats, Indices, Singles
from spatial_reasoner.geometry.shapes import Shape, bin_shape, box

__all__ = ["RenderMesh", "Stretched", "drawn", "is_round", "render_mesh_of", "stretched"]

_SIDES: Final = (12, 6)
"""The sides of a cylinder, fine and coarse. A ball has 80 or 20 triangles, a cylinder 48 or 24.
This is enough for pictures of a few hundred pixels, and rendering time grows with the triangles."""
_TWENTY: Final = [
    (0, 11, 5), (0, 5, 1), (0, 1, 7), (0, 7, 10), (0, 10, 11), (1, 5, 9), (5, 11, 4),
    (11, 10, 2), (10, 7, 6), (7, 1, 8), (3, 9, 4), (3, 4, 2), (3, 2, 6), (3, 6, 8), (3, 8, 9),
    (4, 9, 5), (2, 4, 11), (6, 2, 10), (8, 6, 7), (9, 8, 1),
]  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class RenderMesh:
    """Triangles to be scaled; `vertices` (n, 4) are x, y, z, and 1 for those of a cavity.

    If `careless`, triangles may be oriented inwards, so both sides must be rendered.
    """

    vertices: Singles
    faces: Indices
    careless: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Stretched:
    """The scale and the shift from its form to each shape; cavities have a second scale."""

    keys: tuple[tuple[object, ...], ...]
    scale: Floats
    shift: Floats
    inside: Floats


def _key(shape: Shape) -> tuple[object, ...]:
    """The key of the form of a shape."""
    if shape.kind == "mesh":
        return shape.key
    return ("box",) if shape.kind == "plane" else (shape.kind,)


def render_mesh_of(shape: Shape, is_coarse: bool = False) -> RenderMesh:
    """The form from which a shape is scaled."""
    if shape.kind == "mesh":
        return _plain(shape.vertices, shape.faces, careless=True)
    return _form(_key(shape)[0], is_coarse)


def is_round(shape: Shape) -> bool:
    """Whether it has a coarse form."""
    return shape.kind in ("sphere", "cylinder")


def stretched(shapes: Sequence[Shape]) -> Stretched:
    """The scales and shifts of many shapes."""
    meshes = np.array([shape.kind == "mesh" for shape in shapes], dtype=bool)
    halves = np.array([shape.half for shape in shapes]).reshape(-1, 3)
    centres = np.array([shape.centre for shape in shapes]).reshape(-1, 3)
    halves[meshes], centres[meshes] = 1.0, 0.0
    inside = np.array([_inside(shape) for shape in shapes]).reshape(-1, 3)
    return Stretched(tuple(map(_key, shapes)), halves, centres, inside)


def _inside(shape: Shape) -> Floats:
    """The scale of a bin's cavity (x, y, and depth of the floor) relative to the outside."""
    if shape.kind != "bin" or shape.cavity is None:
        return np.ones(3)
    low, high = shape.cavity.low, shape.cavity.high
    return np.array([high[0], high[1], -low[2]]) / shape.half


def drawn(shape: Shape) -> tuple[Floats, Indices]:
    """The triangles by which a shape is rendered, in its body's frame; round shapes have few."""
    form = render_mesh_of(shape)
    if not is_round(shape):
        return shape.vertices, shape.faces
    return form.vertices[:, :3] * shape.half + shape.centre, form.faces


@cache
def _form(kind: object, is_coarse: bool) -> RenderMesh:
    if kind == "sphere":
        return _plain(*_ball(is_coarse))
    if kind == "bin":
        made = bin_shape(np.full(3, 2.0), 0.5, 0.5)
        vertices = np.sign(made.vertices)
        flags = np.repeat([0.0, 1.0], 8)
        return RenderMesh(np.column_stack([vertices, flags]).astype(np.float32), made.faces)
    if kind == "cylinder":
        return _plain(*_tube(_SIDES[is_coarse]))
    made = box(np.full(3, 2.0))
    return _plain(made.vertices, made.faces)


def _plain(vertices: Floats, faces: Indices, careless: bool = False) -> RenderMesh:
    flagged = np.column_stack([vertices, np.zeros(len(vertices))])
    return RenderMesh(flagged.astype(np.float32), faces.astype(np.int32), careless)


def _ball(is_coarse: bool) -> tuple[Floats, Indices]:
    """An icosahedron, with each triangle divided into four unless coarse.

    It is scaled so that its mean projected area is that of the sphere.
    """
    long = (1 + 5**0.5) / 2
    corners = [(-1, long, 0), (1, long, 0), (-1, -long, 0), (1, -long, 0),
               (0, -1, long), (0, 1, long), (0, -1, -long), (0, 1, -long),
               (long, 0, -1), (long, 0, 1), (-long, 0, -1), (-long, 0, 1)]  # fmt: skip
    vertices = [np.array(corner) / np.linalg.norm(corner) for corner in corners]
    made = _TWENTY if is_coarse else _cut(vertices, _TWENTY)
    faces = np.array(made, dtype=np.int32)
    points = np.array(vertices)
    flat = points[faces]
    surface = np.linalg.norm(np.cross(flat[:, 1] - flat[:, 0], flat[:, 2] - flat[:, 0]), axis=1)
    # The mean projected area of a convex body is a quarter of its surface (Cauchy).
    return points * np.sqrt(8 * np.pi / surface.sum()), faces


def _tube(sides: int) -> tuple[Floats, Indices]:
    """A prism whose top and bottom have the area of the circles that they replace."""
    turn = np.linspace(0, 2 * np.pi, sides, endpoint=False)
    radius = np.sqrt(np.pi / (sides / 2 * np.sin(2 * np.pi / sides)))
    ring = radius * np.stack([np.cos(turn), np.sin(turn)], -1)
    rings = [np.column_stack([ring, np.full(sides, z)]) for z in (1.0, -1.0)]
    here = np.arange(sides)
    after = (here + 1) % sides
    top, low = np.full(sides, 2 * sides), np.full(sides, 2 * sides + 1)
    faces = [
        np.column_stack([top, here, after]),
        np.column_stack([low, sides + after, sides + here]),
        np.column_stack([here, sides + here, sides + after]),
        np.column_stack([here, sides + after, after]),
    ]
    middles = [[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]]
    return np.concatenate([*rings, middles]), np.concatenate(faces).astype(np.int32)


def _cut(
    vertices: list[Floats], faces: list[tuple[int, int, int]]
) -> list[tuple[int, int, int]]:
    middles: dict[tuple[int, int], int] = {}

    def middle(one: int, other: int) -> int:
        pair = (min(one, other), max(one, other))
        if pair not in middles:
            between = vertices[one] + vertices[other]
            middles[pair] = len(vertices)
            vertices.append(between / np.linalg.norm(between))
        return middles[pair]

    cut = []
    for a, b, c in faces:
        ab, bc, ca = middle(a, b), middle(b, c), middle(c, a)
        cut += [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
    return cut
