"""The appearance of objects and agents, as JSON that a page can draw.

A look has what stays constant while an object moves; poses are published separately. Shapes are in
the frame of the pose. Numbers are rounded to visible precision, and a look has at most about four
thousand triangles.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from math import floor, log10
from typing import Any, Final

import numpy as np

from spatial_reasoner.geometry.arrays import Floats, Indices
from spatial_reasoner.geometry.poses import IDENTITY, Pose, compose
from spatial_reasoner.geometry.proxies import proxy
from spatial_reasoner.geometry.shapes import Shape, Surface
from spatial_reasoner.scene.scene import PARTS, Agent, Entity, part_name
from spatial_reasoner.values.delta import Look

__all__ = ["agent_look", "shape_look", "thing_look"]

_FACES: Final = 4000
"""The greatest number of triangles of one look, all its parts together."""
_FEWEST: Final = 50
"""A part that may have fewer triangles than this is shown as its bounding box."""
_DIGITS: Final = 6
"""Decimal places of all other numbers."""
_FINE_DIGITS: Final = 4
"""Digits of vertices relative to the extent of a mesh, because a ten-thousandth is invisible."""
_KEPT: Final = 512
"""Looks of shapes in the cache."""

ShapeJson = Mapping[str, Any]


def thing_look(entity: Entity, joints: Mapping[str, float] | None = None) -> Look:
    """The look of an object with the given joint positions.

    >>> from spatial_reasoner.geometry.shapes import sphere
    >>> thing_look(Entity("ball", "Ball", sphere(0.045), color=(1, 1, 0)))["shape"]
    {'sphere': 0.045}
    """
    return {
        "kind": "thing",
        "class": entity.kind,
        "shape": _form_of(entity, joints or {}),
        "color": None if entity.color is None else _numbers(entity.color),
        "static": entity.static,
        "transparent": entity.transparent,
    }


def agent_look(agent: Agent) -> Look:
    """The look of an agent: its mind, its field of view, and the names of its parts."""
    return {
        "kind": "agent",
        "class": agent.kind,
        "owner": agent.name,
        "fov": _numbers(agent.fov),
        "parts": {part: part_name(agent.name, part) for part in PARTS},
    }


@lru_cache(_KEPT)
def shape_look(shape: Shape, faces: int = _FACES) -> ShapeJson:
    """The look of a rigid shape; a mesh has at most `faces` triangles."""
    if shape.kind == "sphere":
        return {"sphere": _number(shape.half[0])}
    if shape.kind == "box":
        return {"box": _numbers(2 * shape.half)}
    if shape.kind == "cylinder":
        return {"cylinder": [_number(shape.half[0]), _number(2 * shape.half[2])]}
    if shape.kind == "plane":
        return {"plane": True}
    if shape.kind == "bin":
        return {"bin": _bin(shape)}
    return _mesh(shape, faces)


def _form_of(entity: Entity, joints: Mapping[str, float]) -> ShapeJson:
    if entity.articulated is None:
        return shape_look(entity.shape)
    return _parts(entity.articulated.shown(joints))


def _parts(shown: Sequence[tuple[Shape, Pose]]) -> ShapeJson:
    """The look of several shapes; their meshes share the triangles of one look."""
    meshes = sum(shape.kind == "mesh" for shape, _ in shown)
    faces = _FACES // max(meshes, 1)
    return {"parts": [_part(shape, pose, faces) for shape, pose in shown]}


def _part(shape: Shape, pose: Pose, faces: int) -> ShapeJson:
    if shape.kind == "mesh" and faces < _FEWEST:
        middle = np.concatenate([shape.centre, IDENTITY[3:]])
        return {"shape": {"box": _numbers(2 * shape.half)}, "pose": _numbers(compose(pose, middle))}
    return {"shape": shape_look(shape, faces), "pose": _numbers(pose)}


def _bin(shape: Shape) -> ShapeJson:
    """The parameters of a bin; the thickness of floor and walls follows from the cavity."""
    room = shape.cavity
    assert room is not None
    return {
        "size": _numbers(2 * shape.half),
        "floor": _number(room.low[2] + shape.half[2]),
        "wall": _number(shape.half[0] - room.high[0]),
    }


def _mesh(shape: Shape, most: int) -> ShapeJson:
    vertices, faces = _surface(shape, most)
    extent = float(np.ptp(vertices, axis=0).max()) or 1.0
    digits = max(_FINE_DIGITS - floor(log10(extent)), 0)
    corners = np.round(vertices, digits) + 0.0  # without -0.0
    return {"mesh": {"vertices": corners.tolist(), "faces": faces.tolist()}}


def _surface(shape: Shape, most: int) -> tuple[Floats, Indices]:
    """The surface of a mesh in at most `most` triangles, without unused vertices."""
    fine = shape.fine or Surface(shape.vertices, shape.faces, is_closed=True)
    vertices, faces = fine.vertices, fine.faces
    if not fine.is_closed:
        most //= 2
    if len(faces) > most:
        # A proxy may have twice the wanted triangles, and a hull a few more.
        vertices, faces = proxy(vertices, faces, most // 2 - 8)
    if not fine.is_closed:
        # So a renderer that draws only front faces shows both sides.
        faces = np.concatenate([faces, faces[:, ::-1]])
    used, which = np.unique(faces, return_inverse=True)
    return vertices[used], which.reshape(-1, 3).astype(np.int32)


def _number(number: float) -> float:
    return round(float(number), _DIGITS)


def _numbers(numbers: Iterable[float]) -> list[float]:
    return [_number(number) + 0.0 for number in numbers]
