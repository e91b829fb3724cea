"""How things and agents look, as values for people's eyes: JSON that a page can draw.

A look says what stays while a thing moves; where it is the poses say. Shapes are in the frame of
the pose. Numbers are rounded to what shows, and a look has at most some four thousand triangles.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from math import floor, log10
from typing import Any, Final

import numpy as np

from spatial_reasoner.geometry.poses import IDENTITY, Floats, Pose, compose
from spatial_reasoner.geometry.proxies import proxy
from spatial_reasoner.geometry.shapes import Indices, Shape, Surface
from spatial_reasoner.scene.scene import PARTS, Agent, Entity, part_name
from spatial_reasoner.values.delta import Look

__all__ = ["agent_look", "shape_look", "thing_look"]

_FACES: Final = 4000
"""Triangles of one look, all parts of it together."""
_FEWEST: Final = 50
"""A part that may have fewer is shown as its box."""
_DIGITS: Final = 6
_FINE_DIGITS: Final = 4
"""Of the extent of a mesh, its corners are told to so many: a ten-thousandth does not show."""
_KEPT: Final = 512

Form = Mapping[str, Any]


def thing_look(entity: Entity, joints: Mapping[str, float] | None = None) -> Look:
    """A thing, its joints as they are.

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
    """An agent: whose mind is its own, how wide it sees, and what its parts are called."""
    return {
        "kind": "agent",
        "class": agent.kind,
        "owner": agent.name,
        "fov": _numbers(agent.fov),
        "parts": {part: part_name(agent.name, part) for part in PARTS},
    }


@lru_cache(_KEPT)
def shape_look(shape: Shape, faces: int = _FACES) -> Form:
    """A rigid shape; a mesh has at most so many triangles."""
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


def _form_of(entity: Entity, joints: Mapping[str, float]) -> Form:
    if entity.articulated is None:
        return shape_look(entity.shape)
    return _parts(entity.articulated.shown(joints))


def _parts(shown: Sequence[tuple[Shape, Pose]]) -> Form:
    """Several shapes; their meshes share the triangles that one look may have."""
    meshes = sum(shape.kind == "mesh" for shape, _ in shown)
    faces = _FACES // max(meshes, 1)
    return {"parts": [_part(shape, pose, faces) for shape, pose in shown]}


def _part(shape: Shape, pose: Pose, faces: int) -> Form:
    if shape.kind == "mesh" and faces < _FEWEST:
        middle = np.concatenate([shape.centre, IDENTITY[3:]])
        return {"shape": {"box": _numbers(2 * shape.half)}, "pose": _numbers(compose(pose, middle))}
    return {"shape": shape_look(shape, faces), "pose": _numbers(pose)}


def _bin(shape: Shape) -> Form:
    """What a bin was made of: the room in it says how thick its floor and its walls are."""
    room = shape.cavity
    assert room is not None
    return {
        "size": _numbers(2 * shape.half),
        "floor": _number(room.low[2] + shape.half[2]),
        "wall": _number(shape.half[0] - room.high[0]),
    }


def _mesh(shape: Shape, most: int) -> Form:
    vertices, faces = _surface(shape, most)
    extent = float(np.ptp(vertices, axis=0).max()) or 1.0
    digits = max(_FINE_DIGITS - floor(log10(extent)), 0)
    corners = np.round(vertices, digits) + 0.0  # without -0.0
    return {"mesh": {"vertices": corners.tolist(), "faces": faces.tolist()}}


def _surface(shape: Shape, most: int) -> tuple[Floats, Indices]:
    """What shows of a mesh, in at most so many triangles; corners that none has are left out."""
    fine = shape.fine or Surface(shape.vertices, shape.faces, is_closed=True)
    vertices, faces = fine.vertices, fine.faces
    if not fine.is_closed:
        most //= 2
    if len(faces) > most:
        # A proxy may have twice as many as are asked for, and a hull a few more.
        vertices, faces = proxy(vertices, faces, most // 2 - 8)
    if not fine.is_closed:
        # Who draws triangles from their front alone sees all of it, too.
        faces = np.concatenate([faces, faces[:, ::-1]])
    used, which = np.unique(faces, return_inverse=True)
    return vertices[used], which.reshape(-1, 3).astype(np.int32)


def _number(number: float) -> float:
    return round(float(number), _DIGITS)


def _numbers(numbers: Iterable[float]) -> list[float]:
    return [_number(number) + 0.0 for number in numbers]
