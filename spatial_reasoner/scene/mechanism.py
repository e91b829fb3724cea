"""Articulated bodies (links and joints) as values, and their shapes at joint positions.

The visuals of links are rendered, and their collisions are solid; a link that has only one of them
uses it for both. A cavity belongs to a group of links that are fixed to each other: a drawer takes
its cavity along, and a lid that closes a box does not fill it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple, dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import Final, Literal

import numpy as np

from spatial_reasoner.geometry.arrays import Floats, Indices
from spatial_reasoner.geometry.cavities import cavity_of
from spatial_reasoner.geometry.poses import IDENTITY, Pose, apply, compose, inverse, turn_between
from spatial_reasoner.geometry.shapes import Cavity, Shape
from spatial_reasoner.scene.mesh import assembled
from spatial_reasoner.tolerances.cavities import USUAL, CavityTolerances
from spatial_reasoner.tolerances.units import Measure, Numeric

__all__ = ["Inertial", "Joint", "JointKind", "Link", "LinkGeometry", "Mechanism", "Mimic", "Tree"]

JointKind = Literal["fixed", "revolute", "continuous", "prismatic"]
_STEP: Final[Numeric] = 1e-3
"""Radians or metres to which joint positions are rounded, which is finer than percepts."""
_KEPT: Final = 256
"""The number of shapes that are cached for each body."""
_TURNED: Final[Numeric] = 0.02
"""Radians: a cavity that is rotated by more against its body is no box along the body's axes."""


@dataclass(frozen=True, slots=True, eq=False)
class LinkGeometry:
    """A shape at a pose on a link."""

    shape: Shape
    origin: Pose


@dataclass(frozen=True, slots=True, eq=False)
class Inertial:
    """The mass of a link (kg), its centre of mass, and its inertia there (kg m², 3 × 3)."""

    mass: float
    origin: Pose
    inertia: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Link:
    """A rigid part of a body."""

    name: str
    visuals: tuple[LinkGeometry, ...] = ()
    collisions: tuple[LinkGeometry, ...] = ()
    inertial: Inertial | None = None


@dataclass(frozen=True, slots=True)
class Mimic:
    """A joint that follows another one: its position is `multiplier` · position + `offset`."""

    joint: str
    multiplier: Measure = 1.0
    offset: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Joint:
    """The joint between two links; the axis is a unit vector in the joint's own frame."""

    name: str
    kind: JointKind
    parent: str
    child: str
    origin: Pose
    axis: Floats
    low: float = 0.0
    high: float = 0.0
    mimic: Mimic | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Tree:
    """Links by name, and joints by name from the root outwards (parents before children)."""

    name: str
    root: str
    links: Mapping[str, Link]
    joints: Mapping[str, Joint] = field(default_factory=dict)


class Mechanism:
    """An articulated body, given by a tree of links; it implements `scene.Articulated`.

    >>> import numpy as np
    >>> from spatial_reasoner.geometry.shapes import box
    >>> tree = Tree("brick", "it", {"it": Link("it", (LinkGeometry(box(np.ones(3)), IDENTITY),))})
    >>> Mechanism(tree, "brick").shape({}).volume
    1.0
    """

    def __init__(self, tree: Tree, key: str, tolerances: CavityTolerances = USUAL) -> None:
        self._tolerances: Final = tolerances.cavities
        self.tree: Final = tree
        self.joints: Final[Mapping[str, tuple[float, float]]] = MappingProxyType(
            {
                joint.name: (joint.low, joint.high)
                for joint in tree.joints.values()
                if joint.kind != "fixed" and joint.mimic is None
            }
        )
        self.slides: Final = frozenset(
            joint.name for joint in tree.joints.values() if joint.kind == "prismatic"
        )
        self._key: Final = ("urdf", key, *astuple(self._tolerances))
        self._shapes: Final[Callable[[tuple[float, ...]], Shape]] = lru_cache(_KEPT)(self._made)
        self._rest: Final = self.poses({})
        self._cavities: Final = tuple(self._measured())

    @property
    def mass(self) -> float | None:
        """The mass of all links with a known mass, in kg; None if there is none."""
        masses = [link.inertial.mass for link in self.tree.links.values() if link.inertial]
        return sum(masses) or None

    def shape(self, joints: Mapping[str, float]) -> Shape:
        """The shape of the whole body at joint positions, which are clipped to their limits.

        Joints without a position are as near to zero as possible. Equal positions give the same
        shape.
        """
        return self._shapes(tuple(round(v / _STEP) * _STEP for v in self._values(joints).values()))

    def shown(self, joints: Mapping[str, float]) -> list[tuple[Shape, Pose]]:
        """The visible shapes at joint positions; the shapes are constant, and only poses change."""
        poses = self.poses(joints)
        return [
            (each.shape, compose(poses[name], each.origin))
            for name, link in self.tree.links.items()
            for each in _shown(link)
        ]

    def poses(self, joints: Mapping[str, float]) -> dict[str, Pose]:
        """The pose of each link in the frame of the root (forward kinematics)."""
        values = self._values(joints)
        found = {self.tree.root: IDENTITY}
        for joint in self.tree.joints.values():
            moved = compose(joint.origin, _moved(joint, _value(joint, values)))
            found[joint.child] = compose(found[joint.parent], moved)
        return found

    def _values(self, joints: Mapping[str, float]) -> dict[str, float]:
        return {
            name: min(max(joints.get(name, 0.0), low), high)
            for name, (low, high) in self.joints.items()
        }

    def _made(self, values: tuple[float, ...]) -> Shape:
        poses = self.poses(dict(zip(self.joints, values, strict=True)))
        links = self.tree.links
        parts = tuple(
            (each.shape, compose(poses[name], each.origin))
            for name in links
            for each in _solid(links[name])
        )
        surface = self._surface(tuple(links), poses)
        cavity = self._cavity(poses)
        return assembled((*self._key, *values), *surface, parts, cavity)

    def _surface(self, names: Sequence[str], poses: Mapping[str, Pose]) -> tuple[Floats, Indices]:
        """The visible surface of some links."""
        links = self.tree.links
        shown = [(each, poses[name]) for name in names for each in _shown(links[name])]
        if not shown:
            return np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int32)
        vertices = [apply(compose(pose, each.origin), each.shape.vertices) for each, pose in shown]
        begins = np.cumsum([0, *map(len, vertices)])
        faces = [each.shape.faces + at for (each, _), at in zip(shown, begins, strict=False)]
        return np.concatenate(vertices), np.concatenate(faces).astype(np.int32)

    def _measured(self) -> list[tuple[str, Cavity, float]]:
        """The cavities of rigid groups of links at rest, the largest first."""
        found = []
        for names in self._rigid():
            vertices, faces = self._surface(names, self._rest)
            cavity = cavity_of(vertices, faces, self._tolerances) if len(faces) else None
            if cavity is not None:
                found.append((names[0], cavity, _room(cavity)))
        return sorted(found, key=lambda each: -each[2])

    def _rigid(self) -> list[list[str]]:
        """The groups of links that are fixed to each other."""
        groups = {self.tree.root: [self.tree.root]}
        for joint in self.tree.joints.values():
            is_fixed = joint.kind == "fixed"
            group = groups[joint.parent] if is_fixed else []
            group.append(joint.child)
            groups[joint.child] = group
        return list({id(group): group for group in groups.values()}.values())

    def _cavity(self, poses: Mapping[str, Pose]) -> Cavity | None:
        """The largest cavity that is still parallel to the axes of the body."""
        for link, cavity, _ in self._cavities:
            motion = compose(poses[link], inverse(self._rest[link]))
            if turn_between(motion, IDENTITY) < _TURNED:
                shift = motion[:3]
                floor = None if cavity.floor is None else cavity.floor + shift[2]
                return Cavity(cavity.low + shift, cavity.high + shift, floor)
        return None


def _value(joint: Joint, values: Mapping[str, float]) -> float:
    if joint.mimic is not None:
        return joint.mimic.multiplier * values[joint.mimic.joint] + joint.mimic.offset
    return values.get(joint.name, 0.0)


def _moved(joint: Joint, value: float) -> Pose:
    """The motion of a joint's child at a position."""
    if joint.kind == "prismatic":
        return np.array([*(value * joint.axis), 0, 0, 0, 1])
    return np.array([0, 0, 0, *(np.sin(value / 2) * joint.axis), np.cos(value / 2)])


def _shown(link: Link) -> tuple[LinkGeometry, ...]:
    return link.visuals or link.collisions


def _solid(link: Link) -> tuple[LinkGeometry, ...]:
    return link.collisions or link.visuals


def _room(cavity: Cavity) -> float:
    sides = (cavity.high - cavity.low)[:2]
    if cavity.floor is None:
        return float(np.prod(cavity.high - cavity.low))
    return float(np.nansum(cavity.high[2] - cavity.floor) * np.prod(sides / cavity.floor.shape))
