"""A scene as values: what may exist, who perceives, and through what.

`scene_file` reads one; here is what it says once it is read and checked.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from spatial_reasoner.geometry.poses import Floats, Pose
from spatial_reasoner.geometry.shapes import Shape

__all__ = [
    "GRASPING",
    "MYSELF",
    "PARTS",
    "Agent",
    "Articulated",
    "Entity",
    "Scene",
    "Sensor",
    "part_name",
]

MYSELF: Final = "myself"
GRASPING: Final = ("right_hand", "left_hand")
PARTS: Final = ("head", *GRASPING, "right_elbow", "left_elbow")
"""The parts of an agent that a frame can tell of."""


def part_name(agent: str, part: str) -> str:
    """What a part of an agent is called, among the poses and in facts: `sally_right_hand`."""
    return f"{agent}_{part}"


class Articulated(Protocol):
    """A body with joints, such as a cupboard with a door."""

    @property
    def joints(self) -> Mapping[str, tuple[float, float]]:
        """The joints that move, with the least and the most that each can be."""

    @property
    def slides(self) -> Collection[str]:
        """The joints that are told in metres; the others turn."""

    def shape(self, joints: Mapping[str, float]) -> Shape:
        """The whole body with its joints so; one that is not named is at zero, or nearest to it."""

    def shown(self, joints: Mapping[str, float]) -> Sequence[tuple[Shape, Pose]]:
        """All that shows of it with its joints so, and where each of it is in its frame."""


@dataclass(frozen=True, slots=True, eq=False)
class Entity:
    """A thing that may exist. What its class can do, support and contain, the ontology says."""

    name: str
    kind: str
    shape: Shape
    is_support: bool = False
    is_container: bool = False
    is_fixture: bool = False
    """Furniture, floors and the like, which no hand takes along."""
    articulated: Articulated | None = None
    mass: float | None = None
    color: tuple[float, float, float] | None = None
    pose: Pose | None = None
    static: bool = False
    transparent: bool = False
    front: Floats | None = None
    """The direction of its own front, of length one, in its own frame."""
    points: Mapping[str, Floats] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Agent:
    """Somebody who perceives; angles are full ones, horizontal and vertical."""

    name: str
    kind: str
    head: Pose | None = None
    fov: tuple[float, float] = (1.745, 1.309)
    foa: tuple[float, float] = (0.35, 0.26)
    turn: float = 0.262
    """How far to each side the head turns when it looks around a little."""
    height: float | None = None
    shoulders: Mapping[str, Pose] = field(default_factory=dict)
    """By side, right or left, in the world, while the head is where the scene says."""
    arm: float | None = None
    arm_model: str = "human"
    parts: Mapping[str, Pose] = field(default_factory=dict)
    """Hands and elbows that the scene gives."""
    shape: Shape | None = None
    """What its body hides and is; none unless the scene gives one."""


@dataclass(frozen=True, slots=True)
class Sensor:
    """A source of percepts: whose sense it is."""

    name: str
    on: str = MYSELF
    part: str = "head"


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """What may exist; in the order in which the file names it."""

    name: str
    entities: Mapping[str, Entity]
    agents: Mapping[str, Agent]
    sensors: Mapping[str, Sensor]
    depth: int = 1

    def sensor(self, source: str) -> Sensor:
        """The sensor of a source; one that the scene does not name is the robot's head."""
        return self.sensors.get(source) or Sensor(source)
