"""Reading URDF: from the text to a checked tree of links and joints.

The danger: Bullet's own reader crashes on two roots, silently drops cycles, and loads any path that
a mesh names. So the text is read and checked only here, and meshes are read from the scene's folder
only. Elements that do not concern form or motion (materials, transmissions, extensions of
simulators) are ignored.
"""

import hashlib
import math
from collections.abc import Iterable, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import PurePosixPath
from typing import Final, TypeVar, get_args
from xml.etree.ElementTree import Element

import numpy as np

from spatial_reasoner.errors import MeshRefused, like
from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.geometry.poses import IDENTITY, Pose
from spatial_reasoner.geometry.shapes import Shape
from spatial_reasoner.scene.fields import Spot, number
from spatial_reasoner.scene.folder import Folder
from spatial_reasoner.scene.mechanism import (
    Inertial,
    Joint,
    JointKind,
    Link,
    LinkGeometry,
    Mechanism,
    Mimic,
    Tree,
)
from spatial_reasoner.scene.mesh import read_mesh
from spatial_reasoner.scene.plain_xml import read_xml
from spatial_reasoner.scene.shape_fields import read_shape
from spatial_reasoner.tolerances.cavities import USUAL
from spatial_reasoner.tolerances.units import Limit

__all__ = ["LARGEST", "read_urdf"]

LARGEST: Final = 5 * 2**20
"""Bytes of a URDF at most."""
_MOST_LINKS: Final = 500
"""Links, and joints, of a body at most."""
_MOST_GEOMETRIES: Final = 2000
"""Shapes of a body at most."""
_MOVES: Final[Mapping[str, JointKind]] = {kind: kind for kind in get_args(JointKind)}
_LIMITED: Final = ("revolute", "prismatic")
_FAR: Final[Limit] = 1e6
"""The greatest number in a URDF."""
_MOST_TURNS: Final[Limit] = 1e3
"""Radians: the greatest angle of an origin."""

N = TypeVar("N", Link, Joint)


def read_urdf(text: str | bytes, folder: Folder | None, where: str) -> Mechanism:
    """Reads the body that a URDF describes; names of meshes are relative to `folder`.

    Raises MeshRefused, and PathRefused for a mesh outside the folder. Errors name `where` (the
    entity and the field), and the link or joint.
    """
    if len(text) > LARGEST:
        raise MeshRefused(where, f"is larger than {LARGEST} bytes")
    spot = Spot(where, MeshRefused)
    root = read_xml(text, where)
    if root.tag != "robot":
        raise spot.wrong(f"is a <{root.tag}>, not a <robot>")
    if len(root.findall(".//geometry")) > _MOST_GEOMETRIES:
        raise spot.wrong(f"has more than {_MOST_GEOMETRIES} shapes")
    links = _by_name(spot, "link", (_link(spot, each, folder) for each in root.findall("link")))
    joints = _by_name(spot, "joint", (_joint(spot, each) for each in root.findall("joint")))
    tree = _tree(spot, root.get("name", ""), links, joints)
    if not any(link.visuals or link.collisions for link in links.values()):
        raise spot.wrong("has no link with a shape")
    content = text if isinstance(text, bytes) else text.encode()
    tolerances = USUAL if folder is None else folder.tolerances
    return Mechanism(tree, hashlib.sha256(content).hexdigest(), tolerances)


def _by_name(spot: Spot, kind: str, found: Iterable[N]) -> dict[str, N]:
    named: dict[str, N] = {}
    for each in found:
        if each.name in named:
            raise (spot / each.name).wrong(f"is the name of two {kind}s")
        named[each.name] = each
        if len(named) > _MOST_LINKS:
            raise spot.wrong(f"has more than {_MOST_LINKS} {kind}s")
    return named


def _tree(spot: Spot, name: str, links: dict[str, Link], joints: dict[str, Joint]) -> Tree:
    """The tree of links; MeshRefused if a link has two parents, or if there is not one root."""
    if not links:
        raise spot.wrong("has no link")
    hangs: dict[str, Joint] = {}
    for joint in joints.values():
        for end in (joint.parent, joint.child):
            if end not in links:
                raise (spot / joint.name).wrong(f"there is no link {end!r}{like(end, links)}")
        if joint.child in hangs:
            raise (spot / joint.child).wrong("is the child of two joints; a link has one parent")
        hangs[joint.child] = joint
        _check_mimic(spot / joint.name, joint, joints)
    try:
        order = [*TopologicalSorter({n: {j.parent} for n, j in hangs.items()}).static_order()]
    except CycleError as error:
        raise spot.wrong(f"has a cycle: {' – '.join(error.args[1])}") from None
    roots = [link for link in links if link not in hangs]
    if len(roots) > 1:
        raise spot.wrong(
            f"has {len(roots)} roots, {roots[0]!r} and {roots[1]!r}; there must be one"
        )
    outward = {hangs[link].name: hangs[link] for link in order if link in hangs}
    return Tree(name, roots[0], links, outward)


def _check_mimic(spot: Spot, joint: Joint, joints: Mapping[str, Joint]) -> None:
    if joint.mimic is None:
        return
    leader = joints.get(joint.mimic.joint)
    if leader is None:
        raise spot.wrong(f"follows {joint.mimic.joint!r}, which does not exist")
    if leader.kind == "fixed" or leader.mimic is not None:
        raise spot.wrong(f"follows {leader.name!r}, which does not move by itself")


def _link(spot: Spot, element: Element, folder: Folder | None) -> Link:
    name = _text(spot, element, "name")
    return Link(
        name,
        tuple(_geometry(spot / name, each, folder) for each in element.findall("visual")),
        tuple(_geometry(spot / name, each, folder) for each in element.findall("collision")),
        _inertial(spot / name / "inertial", element.find("inertial")),
    )


def _geometry(spot: Spot, element: Element, folder: Folder | None) -> LinkGeometry:
    kinds = list(_child(spot, element, "geometry"))
    if len(kinds) != 1:
        raise spot.wrong(f"has a geometry of {len(kinds)} shapes; it must be one")
    shape = _shape(spot / kinds[0].tag, kinds[0], folder)
    return LinkGeometry(shape, _origin(spot, element))


def _shape(spot: Spot, element: Element, folder: Folder | None) -> Shape:
    form = Spot(spot.where.rpartition(".")[0], MeshRefused)
    if element.tag == "box":
        return read_shape(form, {"box": _numbers(spot, element, "size", 3).tolist()})
    if element.tag == "sphere":
        return read_shape(form, {"sphere": _number(spot, element, "radius")})
    if element.tag == "cylinder":
        sizes = [_number(spot, element, "radius"), _number(spot, element, "length")]
        return read_shape(form, {"cylinder": sizes})
    if element.tag == "mesh":
        return _mesh(spot, element, folder)
    raise spot.wrong("is not a shape of a URDF; supported are box, cylinder, sphere and mesh")


def _mesh(spot: Spot, element: Element, folder: Folder | None) -> Shape:
    name = _text(spot, element, "filename")
    scale = [1.0] * 3 if element.get("scale") is None else _scale(spot, element)
    if folder is None:
        raise spot.wrong(f"{name!r} can't be read: the scene has no folder")
    kind = PurePosixPath(name).suffix[1:].lower()
    content = folder.read(name, spot.where)
    return read_mesh(content, kind, spot.where, scale, folder.tolerances)


def _scale(spot: Spot, element: Element) -> list[float]:
    scale = _numbers(spot, element, "scale", 3)
    if not np.abs(scale).min() > 0:
        raise spot.wrong("has a scale of zero")
    return [float(each) for each in scale]


def _inertial(spot: Spot, element: Element | None) -> Inertial | None:
    if element is None:
        return None
    mass = _number(spot, _child(spot, element, "mass"), "value")
    if mass < 0:
        raise (spot / "mass").wrong(f"is {mass:g} kg, less than zero")
    found = element.find("inertia")
    values = dict.fromkeys(("ixx", "iyy", "izz", "ixy", "ixz", "iyz"), 0.0)
    if found is not None:
        values = {each: _number(spot, found, each, "0") for each in values}
    xx, yy, zz, xy, xz, yz = values.values()
    inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return Inertial(mass, _origin(spot, element), inertia)


def _joint(spot: Spot, element: Element) -> Joint:
    name = _text(spot, element, "name")
    spot = spot / name
    kind = _MOVES.get(element.get("type", ""))
    if kind is None:
        kinds = ", ".join(_MOVES)
        raise spot.wrong(f"has the unsupported type {element.get('type')!r}; supported are {kinds}")
    low, high = _limits(spot, element, kind)
    return Joint(
        name,
        kind,
        _text(spot, _child(spot, element, "parent"), "link"),
        _text(spot, _child(spot, element, "child"), "link"),
        _origin(spot, element),
        _axis(spot, element.find("axis")),
        low,
        high,
        _mimic(spot, element.find("mimic")),
    )


def _limits(spot: Spot, element: Element, kind: JointKind) -> tuple[float, float]:
    if kind not in _LIMITED:
        return (-math.inf, math.inf) if kind == "continuous" else (0.0, 0.0)
    limit = _child(spot, element, "limit")
    low, high = (_number(spot, limit, each, "0") for each in ("lower", "upper"))
    if low > high:
        raise spot.wrong(f"has a lower limit of {low:g} above the upper one of {high:g}")
    return low, high


def _axis(spot: Spot, element: Element | None) -> Floats:
    axis = np.array([1.0, 0, 0]) if element is None else _numbers(spot, element, "xyz", 3)
    length = float(np.linalg.norm(axis))
    if length < 1e-9:
        raise spot.wrong("has an axis without a direction")
    return axis / length


def _mimic(spot: Spot, element: Element | None) -> Mimic | None:
    if element is None:
        return None
    return Mimic(
        _text(spot, element, "joint"),
        _number(spot, element, "multiplier", "1"),
        _number(spot, element, "offset", "0"),
    )


def _origin(spot: Spot, element: Element) -> Pose:
    """Reads a pose from its xyz (m) and its roll, pitch and yaw about fixed axes (rad)."""
    origin = element.find("origin")
    if origin is None:
        return IDENTITY
    place = _numbers(spot, origin, "xyz", 3, "0 0 0")
    turns = _numbers(spot, origin, "rpy", 3, "0 0 0")
    if np.abs(place).max() > _FAR or np.abs(turns).max() > _MOST_TURNS:
        raise spot.wrong("has an origin that is too far away")
    (sx, sy, sz), (cx, cy, cz) = np.sin(turns / 2), np.cos(turns / 2)
    quaternion = (
        sx * cy * cz - cx * sy * sz,
        cx * sy * cz + sx * cy * sz,
        cx * cy * sz - sx * sy * cz,
        cx * cy * cz + sx * sy * sz,
    )
    return np.array([*place, *quaternion])


def _child(spot: Spot, element: Element, tag: str) -> Element:
    found = element.find(tag)
    if found is None:
        raise spot.wrong(f"has no <{tag}>")
    return found


def _text(spot: Spot, element: Element, field: str) -> str:
    given = element.get(field, "")
    if not given or len(given) > 1000 or not given.isprintable():
        raise spot.wrong(f"has a <{element.tag}> without a {field}")
    return given


def _number(spot: Spot, element: Element, field: str, default: str | None = None) -> float:
    return float(_numbers(spot, element, field, 1, default)[0])


def _numbers(
    spot: Spot, element: Element, field: str, count: int, default: str | None = None
) -> Floats:
    given = element.get(field, default)
    words = [] if given is None else given.split()
    if len(words) != count:
        raise (spot / field).wrong(f"must be {count} numbers, not {given!r}"[:200])
    try:
        values = [float(word) for word in words]
    except ValueError:
        raise (spot / field).wrong(f"must be {count} numbers, not {given!r}"[:200]) from None
    return np.array([number(spot / field, value, -_FAR, _FAR) for value in values])
