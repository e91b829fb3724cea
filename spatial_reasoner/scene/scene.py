"""A scene as values: entities that may exist, agents that perceive, and sensors.

`scene_file` reads and checks a scene file; these are the results.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.geometry.poses import Pose
from spatial_reasoner.geometry.shapes import Shape
from spatial_reasoner.tolerances.units import Measure

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
"""The parts of an agent whose poses a frame can contain."""


def part_name(agent: str, part: str) -> str:
    """The name of a part of an agent in poses and facts, such as `sally_right_hand`."""
    return f"{agent}_{part}"


class Articulated(Protocol):
    """A body with joints, such as a cupboard with a door."""

    @property
    def joints(self) -> Mapping[str, tuple[float, float]]:
        """The movable joints with their lower and upper limits."""

    @property
    def slides(self) -> Collection[str]:
        """The prismatic joints, in metres; all others are in radians."""

    def shape(self, joints: Mapping[str, float]) -> Shape:
        """The whole body at joint positions; joints without one are as near to zero as possible."""

    def shown(self, joints: Mapping[str, float]) -> Sequence[tuple[Shape, Pose]]:
        """The visible shapes at joint positions, with their poses in the body's frame."""


@dataclass(frozen=True, slots=True, eq=False)
class Entity:
    """An object that may exist; support, containment and the like follow from its class."""

    name: str
    kind: str
    shape: Shape
    is_support: bool = False
    is_container: bool = False
    is_fixture: bool = False
    """Whether it is furniture, a floor or the like, which hands do not carry."""
    articulated: Articulated | None = None
    mass: float | None = None
    color: tuple[float, float, float] | None = None
    pose: Pose | None = None
    static: bool = False
    transparent: bool = False
    front: Floats | None = None
    """The unit vector of its front, in its own frame."""
    points: Mapping[str, Floats] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Agent:
    """An agent that perceives; angles are full angles in radians, horizontal and vertical."""

    name: str
    kind: str
    head: Pose | None = None
    fov: tuple[Measure, Measure] = (1.745, 1.309)
    foa: tuple[Measure, Measure] = (0.35, 0.26)
    turn: Measure = 0.262
    """Radians by which the head turns to each side for `seesWithHeadMovement`."""
    height: float | None = None
    shoulders: Mapping[str, Pose] = field(default_factory=dict)
    """Poses by side (right, left) in the world, while the head is at its pose in the scene."""
    arm: float | None = None
    arm_model: str = "human"
    parts: Mapping[str, Pose] = field(default_factory=dict)
    """Poses of hands and elbows in the scene."""
    shape: Shape | None = None
    """The shape of its body, which occludes other objects; None unless the scene has one."""


@dataclass(frozen=True, slots=True)
class Sensor:
    """A source of percepts, and the agent and part on which it is mounted."""

    name: str
    on: str = MYSELF
    part: str = "head"


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """All entities, agents and sensors, in the order of the file."""

    name: str
    entities: Mapping[str, Entity]
    agents: Mapping[str, Agent]
    sensors: Mapping[str, Sensor]
    depth: int = 1

    def sensor(self, source: str) -> Sensor:
        """The sensor of a source; a source that is not in the scene is on the robot's head."""
        return self.sensors.get(source) or Sensor(source)
