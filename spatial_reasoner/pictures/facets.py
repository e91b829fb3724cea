"""Facets: the flat parts of shapes, each rendered as a body of its own.

A renderer reports which body is visible at each pixel, and nothing else. Here each group of
triangles with the same normal is a body, so shading and edges follow from the ids. Any renderer can
be used, and a picture shows exactly what agents see.

The road not taken: depth and normals from each renderer, which would need code in all three.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from spatial_reasoner.geometry.arrays import Flags, Floats, Indices, Rows
from spatial_reasoner.geometry.poses import rotations
from spatial_reasoner.geometry.shapes import Shape, ShapeKind
from spatial_reasoner.values.rendering import Scenery

__all__ = ["FacetScene", "stage"]

_LIGHT: Final[Floats] = np.array([0.42, 0.25, 0.87]) / np.linalg.norm([0.42, 0.25, 0.87])
"""Direction of the light: no two sides of an upright box are equally bright."""
_DARKEST: Final = 0.62
"""Brightness of a facet that faces away from the light."""
_LIGHT_UP: Final[Floats] = np.array([-0.25, 0.42, 0.0, 1.87])
"""Quaternion (not normalised) that turns the pole of a sphere to the light."""
_ALIKE: Final = 3
"""Normals of mesh triangles are grouped in this many steps to each side."""


@dataclass(frozen=True, slots=True, eq=False)
class _Facet:
    shape: Shape
    normal: Floats


@dataclass(frozen=True, slots=True, eq=False)
class FacetScene:
    """A world made of facets. The first rows are empty, so that no facet has the row of an object.

    `row` is the object of each facet, `shade` its brightness, `normal` its normal in the world.
    """

    shapes: Sequence[Shape | None]
    poses: Floats
    row: Rows
    shade: Floats
    normal: Floats
    ground: Flags
    """Marks the rows that are ground."""

    @property
    def first(self) -> int:
        """The row of the first facet."""
        return len(self.shapes) - len(self.row)

    def scenery(self, rows: Flags) -> Scenery:
        """The facets of some rows."""
        there = np.flatnonzero(rows[self.row]) + self.first
        return Scenery(self.shapes, self.poses, there)


def stage(shapes: Sequence[Shape | None], poses: Floats) -> FacetScene:
    """The facets of all shapes, at their poses."""
    parts = [() if shape is None else _facets(shape) for shape in shapes]
    row = np.repeat(np.arange(len(shapes)), [len(some) for some in parts])
    facets = [one for some in parts for one in some]
    round_ones, meshes = _of_kind("sphere", shapes), _of_kind("mesh", shapes)
    at = poses[row]
    at[round_ones[row], 3:] = _LIGHT_UP / np.linalg.norm(_LIGHT_UP)
    normal = np.array([one.normal for one in facets]).reshape(-1, 3)
    normal = np.einsum("nij,nj->ni", rotations(at), normal)
    lit = normal @ _LIGHT
    lit = np.where(meshes[row], np.abs(lit), lit)
    return FacetScene(
        (*[None] * len(shapes), *[one.shape for one in facets]),
        np.concatenate([poses, at]),
        row,
        _DARKEST + (1 - _DARKEST) * (lit + 1) / 2,
        normal,
        _of_kind("plane", shapes),
    )


def _of_kind(kind: ShapeKind, shapes: Sequence[Shape | None]) -> Flags:
    return np.array([shape is not None and shape.kind == kind for shape in shapes], dtype=bool)


@lru_cache(maxsize=1024)
def _facets(shape: Shape) -> tuple[_Facet, ...]:
    """The parts of a shape with equal normals; for a sphere, rings around the pole that is lit."""
    corners = shape.vertices[shape.faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    length = np.linalg.norm(normals, axis=1)
    real = length > 1e-15
    faces, normals = shape.faces[real], normals[real] / length[real, None]
    which = np.unique(_alike(shape, faces, normals), axis=0, return_inverse=True)[1].ravel()
    return tuple(
        _Facet(_part(shape, number, faces[which == number]), _mean(normals[which == number]))
        for number in range(int(which.max(initial=-1)) + 1)
    )


def _alike(shape: Shape, faces: Indices, normals: Floats) -> Floats:
    """A key that is equal for triangles of the same facet."""
    if shape.kind == "sphere":
        return np.round(normals[:, 2:], 2)
    if shape.kind == "mesh":
        return np.round(normals * _ALIKE)
    out = np.einsum("ij,ij->i", normals, shape.vertices[faces[:, 0]])
    found: Floats = np.column_stack([np.round(normals, 3), np.round(out, 4)])
    return found + 0.0  # -0 and 0 are equal


def _part(shape: Shape, number: int, faces: Indices) -> Shape:
    used, new = np.unique(faces, return_inverse=True)
    vertices = shape.vertices[used]
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    return Shape(
        kind="mesh",
        key=("facet", number, *shape.key),
        half=(high - low) / 2,
        centre=(high + low) / 2,
        corners=vertices,
        vertices=vertices,
        faces=new.reshape(-1, 3).astype(np.int32),
        pieces=(),
        volume=0.0,
    )


def _mean(normals: Floats) -> Floats:
    total: Floats = normals.sum(axis=0)
    length = float(np.linalg.norm(total))
    return np.array(total / length if length > 1e-9 else normals[0])
