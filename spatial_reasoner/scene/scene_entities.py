"""Reading the entities of a scene, such as `{class: Ball, shape: {sphere: 0.045}, mass: 0.03}`.

| property | source |
|---|---|
| class, simple shape, mass | the scene, else the facts of the board about the thing |
| transparency | the scene, else the class |
| support, container, furniture | the class alone |
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

import numpy as np

from ontology import vocabulary as v
from spatial_reasoner.errors import MeshRefused, like, shown
from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.geometry.poses import IDENTITY, Pose
from spatial_reasoner.geometry.shapes import Shape, plane
from spatial_reasoner.scene.fields import (
    Spot,
    class_name,
    fields,
    flag,
    mapping,
    name,
    number,
    numbers,
    optional,
    pose,
    sequence,
)
from spatial_reasoner.scene.folder import Folder
from spatial_reasoner.scene.knowledge import Knowledge
from spatial_reasoner.scene.mesh import read_mesh
from spatial_reasoner.scene.scene import Articulated, Entity
from spatial_reasoner.scene.shape_fields import LARGEST, SMALLEST, read_shape
from spatial_reasoner.scene.urdf import LARGEST as LARGEST_URDF
from spatial_reasoner.scene.urdf import read_urdf
from spatial_reasoner.tolerances.units import Limit, Numeric

__all__ = ["kind_of", "read_entity"]

_FIELDS: Final = (
    *("class", "shape", "plane", "mesh", "urdf", "pose", "static", "mass", "color", "front"),
    *("points", "transparent"),
)
_FORMS: Final = ("shape", "plane", "mesh", "urdf")
_FIXTURES: Final = (v.FURNITURE, v.FLOOR, v.WALL, v.DOOR, v.WINDOW, v.VEHICLE)
_LONGEST: Final[Limit] = 1e3
"""The greatest component of the direction of a front."""
_HEAVIEST: Final[Limit] = 1e5
"""Kilograms: the greatest mass of an object."""
_MOST_POINTS: Final = 1000
"""Points of interest with one name at most."""
_UPRIGHT: Final[Numeric] = 1e-3
"""The sine of the angle to the vertical: a steeper front does not define sides."""


@dataclass(frozen=True, slots=True, eq=False)
class _Form:
    """The shape of an entity, its joints, and its mass if a file states it."""

    shape: Shape
    articulated: Articulated | None = None
    mass: float | None = None


def read_entity(
    spot: Spot, thing: str, value: object, folder: Folder | None, knowledge: Knowledge
) -> Entity:
    """Reads one entity of a scene; `spot` is its place, such as `entities.ball`."""
    given = fields(spot, value, _FIELDS)
    kind = kind_of(spot, thing, given, knowledge)
    _check_kind(spot, kind, knowledge)
    form = _form(spot, thing, given, folder, knowledge)
    static = optional(given, spot, "static", flag) or False
    transparent = optional(given, spot, "transparent", flag)
    is_glass = knowledge.is_a(kind, v.TRANSPARENT_OBJECT)
    return Entity(
        thing,
        kind,
        form.shape,
        is_support=knowledge.is_a(kind, v.SUPPORT),
        is_container=form.shape.cavity is not None and knowledge.is_a(kind, v.CONTAINER),
        is_fixture=static or any(knowledge.is_a(kind, each) for each in _FIXTURES),
        articulated=form.articulated,
        mass=_mass(spot, thing, given, knowledge) or form.mass,
        color=optional(given, spot, "color", _color),
        pose=_pose(spot, given, form.shape),
        static=static,
        transparent=is_glass if transparent is None else transparent,
        front=optional(given, spot, "front", _front),
        points=optional(given, spot, "points", _points) or {},
    )


def _pose(spot: Spot, given: Mapping[str, object], shape: Shape) -> Pose | None:
    """The initial pose; the default for a plane is the origin."""
    place = optional(given, spot, "pose", pose)
    return IDENTITY if place is None and shape.kind == "plane" else place


def kind_of(spot: Spot, thing: str, given: Mapping[str, object], knowledge: Knowledge) -> str:
    """The class that is given, or the class of the thing on the board."""
    if knowledge.is_class(thing):
        raise spot.wrong(f"has the name of a class; call the object {thing.lower()}, for example")
    if "class" in given:
        kind = given["class"]
        if isinstance(kind, str) and knowledge.is_class(class_name(spot / "class", kind)):
            return kind
        known = knowledge.classes()
        raise (spot / "class").wrong(
            f"{shown(kind)} is no class of the ontology{like(kind, known)}"
        )
    kinds = knowledge.kinds(thing)
    if len(kinds) == 1:
        return next(iter(kinds))
    if kinds:
        raise spot.wrong(f"is a {' and a '.join(kinds)} on the board; give one of them as class")
    raise spot.wrong(f"has no class, and the board has no class of {thing}; write class: Artifact")


def _check_kind(spot: Spot, kind: str, knowledge: Knowledge) -> None:
    if knowledge.is_a(kind, v.AGENT):
        raise (spot / "class").wrong(f"{kind} is a class of agents; write it in the section agents")
    if any(knowledge.is_a(kind, each) for each in (v.TEMPORAL_THING, v.QUALITY)):
        raise (spot / "class").wrong(f"{kind} is not a class of objects with a pose")


def _form(
    spot: Spot,
    thing: str,
    given: Mapping[str, object],
    folder: Folder | None,
    knowledge: Knowledge,
) -> _Form:
    forms = [each for each in _FORMS if each in given and given[each] is not False]
    if len(forms) > 1:
        raise spot.wrong(f"has a {' and a '.join(forms)}; give only one of them")
    if not forms:
        return _Form(_known_shape(spot, thing, knowledge))
    (field,) = forms
    if field == "shape":
        return _Form(read_shape(spot / field, given[field]))
    if field == "plane":
        flag(spot / field, given[field])
        return _Form(plane())
    return _loaded(spot / field, field, given[field], folder)


def _loaded(spot: Spot, field: str, path: object, folder: Folder | None) -> _Form:
    """Reads a form from a mesh or URDF file."""
    if not isinstance(path, str):
        raise spot.wrong(f"must be the path of a file in the scene's folder, not {shown(path)}")
    if folder is None:
        raise MeshRefused(spot.where, f"{path!r} can't be read: this scene has no folder")
    if field == "mesh":
        kind = PurePosixPath(path).suffix[1:].lower()
        content = folder.read(path, spot.where)
        return _Form(read_mesh(content, kind, spot.where, tolerances=folder.tolerances))
    text = folder.read(path, spot.where, LARGEST_URDF)
    body = read_urdf(text, folder.beside(path, spot.where), spot.where)
    return _Form(body.shape({}), body, body.mass)


def _known_shape(spot: Spot, thing: str, knowledge: Knowledge) -> Shape:
    """The shape on the board: a sphere or cube with a known size."""
    size = _known_number(thing, v.HAS_MAIN_DIMENSION, SMALLEST, LARGEST, knowledge)
    kind = knowledge.value(thing, v.HAS_SHAPE)
    if size is not None and kind == v.SPHERE:
        return read_shape(spot / "shape", {"sphere": size / 2})
    if size is not None and kind == v.CUBE_SHAPE:
        return read_shape(spot / "shape", {"box": [size] * 3})
    raise spot.wrong(
        f"has no shape: give it one of {', '.join(_FORMS)}, such as shape: {{box: [0.1, 0.1, 0.1]}}"
    )


def _mass(
    spot: Spot, thing: str, given: Mapping[str, object], knowledge: Knowledge
) -> float | None:
    if "mass" not in given:
        return _known_number(thing, v.HAS_WEIGHT, 1e-9, _HEAVIEST, knowledge)
    mass = number(spot / "mass", given["mass"], 0, _HEAVIEST)
    if not mass > 0:
        raise (spot / "mass").wrong("must be above 0 kg; an object that never moves is static")
    return mass


def _known_number(
    thing: str, relation: str, low: float, high: float, knowledge: Knowledge
) -> float | None:
    """A measure of a thing on the board, in metres or kg; None if it is out of range."""
    try:
        value = float(knowledge.value(thing, relation) or "nan")
    except ValueError:
        return None
    return value if low <= value <= high else None


def _color(spot: Spot, value: object) -> tuple[float, float, float]:
    red, green, blue = numbers(spot, value, 3, 0, 1).tolist()
    return red, green, blue


def _front(spot: Spot, value: object) -> Floats:
    front = numbers(spot, value, 3, -_LONGEST, _LONGEST)
    length = float(np.linalg.norm(front))
    if not length > 0 or np.hypot(front[0], front[1]) < _UPRIGHT * length:
        raise spot.wrong(
            "must be a horizontal direction, such as [1, 0, 0]; up is +z and can't be a front"
        )
    front = front / length
    front.flags.writeable = False
    return front


def _points(spot: Spot, value: object) -> dict[str, Floats]:
    """Reads points of interest: lists of positions on the thing, by name."""
    found: dict[str, Floats] = {}
    for each, places in mapping(spot, value).items():
        at = spot / name(spot, each)
        listed = sequence(at, places, _MOST_POINTS)
        if not listed:
            raise at.wrong("has no point")
        found[each] = np.array(
            [numbers(at.item(i), p, 3, -LARGEST, LARGEST) for i, p in enumerate(listed)]
        )
        found[each].flags.writeable = False
    return found
