"""Reading meshes: from the bytes of a file to a checked shape with few triangles.

Only this module uses trimesh's readers. They get bytes and no path, so they cannot follow paths in
a file (`mtllib ../…`, textures). The danger: from a damaged file they may make an empty or
incomplete mesh, so their results are checked.

The unit of a COLLADA file is applied. Its `up_axis` is ignored, as in RViz and Gazebo, because
common exporters write one that does not match the coordinates.
"""

import hashlib
import io
import math
import re
from collections.abc import Sequence
from dataclasses import astuple, replace
from functools import lru_cache
from typing import Final
from xml.etree.ElementTree import Element

import numpy as np
import trimesh
from trimesh.convex import convex_hull

from spatial_reasoner.errors import MeshRefused
from spatial_reasoner.geometry.arrays import Floats, Indices
from spatial_reasoner.geometry.cavities import cavity_of
from spatial_reasoner.geometry.poses import FARTHEST, Pose
from spatial_reasoner.geometry.proxies import farthest, proxy
from spatial_reasoner.geometry.shapes import Cavity, Piece, Shape, Surface, placed
from spatial_reasoner.scene.plain_xml import read_xml
from spatial_reasoner.tolerances.cavities import USUAL, CavityTolerances
from spatial_reasoner.tolerances.units import Limit

__all__ = ["KINDS", "assembled", "hull", "read_mesh"]

KINDS: Final = ("obj", "stl", "dae")
_MOST_FACES: Final = 500_000
"""Triangles of a file at most, which limits the time of reading."""
_DRAWN: Final = 400
"""Triangles of the surface that is rendered, because rendering time grows with them."""
_MEASURED: Final = 4000
"""Triangles of the surface in which the cavity is measured."""
_FINE: Final = 2000
"""Triangles of the surface that people are shown; a proxy has at most twice as many."""
_CORNERS: Final = 250
"""Corners of a convex hull at most."""
_EXTENT: Final[tuple[Limit, Limit]] = (1e-4, 100.0)
"""Metres: the least and the greatest extent of a mesh along an axis."""
_UNITS: Final[tuple[Limit, Limit]] = (1e-6, 1e3)
"""Metres: the least and the greatest unit of a COLLADA file."""
_MOST_INSTANCES: Final = 10_000
"""Geometry instances of a COLLADA file at most."""
_NO_CORNER: Final = re.compile(rb"^f(?:[ \t]+\S+)*?[ \t]+0(?=[/\s]|\Z)", re.MULTILINE)
"""A face of an OBJ file with vertex 0, which the reader would take for the last vertex."""


def read_mesh(
    content: bytes,
    kind: str,
    where: str,
    scale: Sequence[float] = (1.0, 1.0, 1.0),
    tolerances: CavityTolerances = USUAL,
) -> Shape:
    """The shape of a mesh file's content; `kind` is obj, stl or dae, and `where` is for errors.

    Its frame is that of the file. Equal contents give the same shape. `tolerances` decide whether
    it has a cavity. Raises MeshRefused.

    >>> cube = trimesh.creation.box((0.1, 0.1, 0.1)).export(file_type="stl")
    >>> round(read_mesh(cube, "stl", "entities.cube.mesh").volume, 6)
    0.001
    """
    if kind not in KINDS:
        raise MeshRefused(where, f"is of an unsupported kind; supported are {', '.join(KINDS)}")
    try:
        return _read(content, kind, tuple(scale), tolerances)
    except MeshRefused as error:
        raise MeshRefused(where, error.message) from None


@lru_cache(16)
def _read(
    content: bytes, kind: str, scale: tuple[float, ...], tolerances: CavityTolerances
) -> Shape:
    vertices, faces = _checked(*_surface(content, kind, scale))
    key = ("mesh", hashlib.sha256(content).hexdigest(), kind, *scale, *astuple(tolerances))
    piece, filled = hull(vertices)
    inside = _inside(vertices, faces)
    fine = proxy(vertices, faces, _MEASURED)
    points, drawn = proxy(*fine, _DRAWN)
    shown = _turned_out(*proxy(*fine, _FINE), inside)
    if inside is None:
        # The outside of an open surface is undefined, so both sides are rendered.
        drawn = np.concatenate([drawn, drawn[:, ::-1]])
    elif inside < 0:
        drawn = drawn[:, ::-1]
    volume = filled if inside is None else abs(inside)
    cavity = cavity_of(*fine, tolerances)
    return _made(key, points, drawn, (piece,), volume, cavity, shown)


def assembled(
    key: tuple[object, ...],
    vertices: Floats,
    faces: Indices,
    parts: tuple[tuple[Shape, Pose], ...],
    cavity: Cavity | None,
) -> Shape:
    """The shape of a body made of a visible surface and of solid shapes at poses."""
    pieces = tuple(placed(piece, pose) for part, pose in parts for piece in part.pieces)
    volume = sum(part.volume for part, _ in parts)
    return replace(_made(key, vertices, faces, pieces, volume, cavity), parts=parts)


def _made(
    key: tuple[object, ...],
    vertices: Floats,
    faces: Indices,
    pieces: tuple[Piece, ...],
    volume: float,
    cavity: Cavity | None,
    fine: Surface | None = None,
) -> Shape:
    """The shape with a visible surface and solid pieces."""
    corners = np.concatenate([piece.corners for piece in pieces])
    if len(corners) > _CORNERS:
        corners = farthest(corners, _CORNERS)
    low, high = corners.min(axis=0), corners.max(axis=0)
    centre = (low + high) / 2
    radius = float(np.linalg.norm(corners - centre, axis=1).max())
    return Shape("mesh", key, (high - low) / 2, centre, corners, vertices, faces, pieces, volume,
                 cavity, radius, fine)  # fmt: skip


def _turned_out(vertices: Floats, faces: Indices, inside: float | None) -> Surface:
    """A surface with triangles that are counter-clockwise as seen from outside."""
    is_inside_out = inside is not None and inside < 0
    return Surface(vertices, faces[:, ::-1] if is_inside_out else faces, inside is not None)


def hull(points: Floats) -> tuple[Piece, float]:
    """The convex hull of points, from at most some 250 extreme points, and its volume."""
    found = convex_hull(farthest(points, _CORNERS))
    corners = np.asarray(found.vertices, dtype=np.float64)
    low, high = corners.min(axis=0), corners.max(axis=0)
    return Piece("hull", (low + high) / 2, (high - low) / 2, corners), float(found.volume)


def _surface(content: bytes, kind: str, scale: Sequence[float]) -> tuple[Floats, Indices]:
    """The scaled vertices and triangles of a file, as its reader returns them."""
    unit = _unit(read_xml(content, "")) if kind == "dae" else 1.0
    if kind == "obj" and _NO_CORNER.search(content):
        raise MeshRefused("", "can't be read as obj: a triangle has vertex 0, and the first is 1")
    try:
        found = trimesh.load_mesh(io.BytesIO(content), file_type=kind, process=False)
        vertices, faces = np.array(found.vertices, dtype=np.float64), np.array(found.faces)
    except IndexError as error:
        reason = f"can't be read as {kind}: a triangle has a vertex that does not exist ({error})"
        raise MeshRefused("", reason[:250]) from None
    except Exception as error:  # for a damaged file, readers raise errors of any type
        reason = f"{type(error).__name__}: {error}"[:200]
        raise MeshRefused("", f"can't be read as {kind} ({reason})") from None
    if vertices.shape[1:] != (3,) or faces.shape[1:] != (3,):
        raise MeshRefused("", "has vertices that are not three numbers, or no triangles")
    if len(faces) and (faces.min() < 0 or faces.max() >= len(vertices)):
        raise MeshRefused("", "has a triangle with a vertex that does not exist")
    if math.prod(scale) < 0:
        faces = faces[:, ::-1]
    return vertices * unit * scale, faces.astype(np.int32)


def _checked(vertices: Floats, faces: Indices) -> tuple[Floats, Indices]:
    """The surface with equal vertices merged and without degenerate triangles, if it is valid."""
    if len(faces) > _MOST_FACES:
        raise MeshRefused("", f"has {len(faces)} triangles; at most {_MOST_FACES} are read")
    if not (np.abs(vertices) < FARTHEST).all():
        raise MeshRefused("", "has a vertex that is not finite or too far away")
    mesh = trimesh.Trimesh(vertices, faces, process=False)
    mesh.merge_vertices(merge_tex=True, merge_norm=True)
    mesh.update_faces(mesh.nondegenerate_faces())
    mesh.remove_unreferenced_vertices()
    if len(mesh.faces) < 4:
        raise MeshRefused("", "has less than four triangles: it is empty, or cut off")
    extents = np.ptp(mesh.vertices, axis=0)
    if not _EXTENT[0] <= extents.min() <= extents.max() <= _EXTENT[1]:
        size = " × ".join(f"{extent:.4g}" for extent in extents)
        raise MeshRefused("", f"is {size} m; each must be from {_EXTENT[0]} to {_EXTENT[1]:g} m")
    return np.asarray(mesh.vertices, dtype=np.float64), np.asarray(mesh.faces, dtype=np.int32)


def _inside(vertices: Floats, faces: Indices) -> float | None:
    """The volume inside a surface, negative if it is inside out; None if it is not closed."""
    mesh = trimesh.Trimesh(vertices, faces, process=False)
    return float(mesh.volume) if mesh.is_watertight and mesh.is_winding_consistent else None


def _unit(root: Element) -> float:
    """The unit of a COLLADA file in metres."""
    if _instances(root) > _MOST_INSTANCES:
        raise MeshRefused("", "has more instances of its parts than can be rendered")
    found = root.find("asset/unit")
    given = "1" if found is None else found.get("meter", "1")
    try:
        unit = float(given)
    except ValueError:
        unit = math.nan
    if not _UNITS[0] <= unit <= _UNITS[1]:
        raise MeshRefused("", f"measures in units of {given[:20]!r} m")
    return unit


def _instances(root: Element) -> float:
    """The number of geometry instances, nested ones included; infinite for a cycle."""
    nodes = {node.get("id"): node for node in root.iter("node") if node.get("id")}
    counted: dict[str | None, float] = {}

    def count(node: Element) -> float:
        own = sum(1.0 for each in node.iter() if each.tag == "instance_geometry")
        return own + sum(named((each.get("url") or "")[1:]) for each in node.iter("instance_node"))

    def named(name: str) -> float:
        if name not in counted and name in nodes:
            counted[name] = math.inf
            counted[name] = count(nodes[name])
        return counted.get(name, 0.0)

    return sum(count(scene) for scene in root.iter("visual_scene"))
