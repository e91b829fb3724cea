"""Reading the agents and the sensors of a scene.

Missing properties have the defaults of an adult or of a common robot, by the agent's class. A robot
without `arm` and `arm_model` has no arm, so it cannot reach anything.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Annotated, Final

from ontology import vocabulary as v
from spatial_reasoner.geometry.poses import Pose
from spatial_reasoner.scene.fields import (
    Spot,
    choice,
    fields,
    mapping,
    number,
    numbers,
    optional,
    pose,
)
from spatial_reasoner.scene.knowledge import Knowledge
from spatial_reasoner.scene.scene import MYSELF, PARTS, Agent, Sensor
from spatial_reasoner.scene.scene_entities import kind_of
from spatial_reasoner.scene.shape_fields import read_shape
from spatial_reasoner.tolerances.units import Limit, Measure

__all__ = ["ARM_MODELS", "read_agent", "read_sensor"]

ARM_MODELS: Final[Mapping[str, Measure]] = {"human": 0.7, "panda": 0.855, "kuka": 0.82, "pr2": 0.82}
"""The default reach of each arm from its shoulder, in metres."""

_LIMBS: Final = tuple(part for part in PARTS if part != "head")
_FIELDS: Final = (
    *("class", "head", "fov", "foa", "turn", "height", "shoulders", "arm", "arm_model", "shape"),
    *_LIMBS,
)
_LENGTHS: Final[tuple[Limit, Limit]] = (0.05, 10.0)
"""Metres: the least and the greatest length of a body or an arm."""
_WIDEST: Final[Limit] = 6.283
"""Radians: the greatest full angle of a field, 360°."""
_NARROWEST: Final[Limit] = 0.01
"""Radians: the least full angle of a field."""
_FARTHEST_TURN: Final[Limit] = 1.6
"""Radians: the greatest head turn to each side."""


@dataclass(frozen=True, slots=True)
class _Build:
    """The defaults of agents of one kind."""

    fov: tuple[float, float]
    foa: tuple[Measure, Measure] = (0.349, 0.262)
    turn: Measure = 0.262
    height: float | None = None
    arm: float | None = None


_LEANING: Final[Measure] = 0.1
"""Metres by which a person reaches farther than their arm, by leaning."""
_PERSON: Final[Annotated[_Build, Measure]] = _Build(
    (1.745, 1.309), height=1.7, arm=ARM_MODELS["human"] + _LEANING
)
"""A field of view of 100° × 75°, a field of attention of 20° × 15°, and head turns of 15°: as in
SPARK and Overworld."""
_ROBOT: Final[Annotated[_Build, Measure]] = _Build((1.047, 0.785))
"""A field of view of 60° × 45°, that of a depth camera."""


def read_agent(spot: Spot, agent: str, value: object, knowledge: Knowledge) -> Agent:
    """Reads one agent of a scene; `spot` is its place, such as `agents.sally`."""
    given = fields(spot, value, _FIELDS)
    kind = kind_of(spot, agent, given, knowledge)
    if not knowledge.is_a(kind, v.AGENT):
        raise (spot / "class").wrong(f"{kind} is no class of agents; Human and Robot are")
    if agent == MYSELF and not knowledge.is_a(kind, v.ROBOT):
        raise (spot / "class").wrong(f"{kind} is no kind of Robot, and myself is the robot")
    build = _ROBOT if knowledge.is_a(kind, v.ROBOT) else _PERSON
    model = optional(given, spot, "arm_model", _arm_model)
    turn = optional(given, spot, "turn", _turn)
    arm = optional(given, spot, "arm", _length)
    return Agent(
        agent,
        kind,
        head=optional(given, spot, "head", pose),
        fov=optional(given, spot, "fov", _angles) or build.fov,
        foa=optional(given, spot, "foa", _angles) or build.foa,
        turn=build.turn if turn is None else turn,
        height=optional(given, spot, "height", _length) or build.height,
        shoulders=optional(given, spot, "shoulders", _shoulders) or {},
        arm=arm or (ARM_MODELS[model] if model else build.arm),
        arm_model=model or "human",
        parts={part: pose(spot / part, given[part]) for part in _LIMBS if part in given},
        shape=optional(given, spot, "shape", read_shape),
    )


def read_sensor(spot: Spot, sensor: str, value: object, agents: Collection[str]) -> Sensor:
    """Reads one sensor of a scene; `spot` is its place, such as `sensors.kinect`."""
    given = fields(spot, value, ("on", "part"))
    return Sensor(
        sensor,
        on=choice(spot / "on", given.get("on", MYSELF), agents, "agent of the scene"),
        part=choice(spot / "part", given.get("part", "head"), PARTS, "part of an agent"),
    )


def _angles(spot: Spot, value: object) -> tuple[float, float]:
    """Reads full angles in radians, horizontal and vertical."""
    wide, high = numbers(spot, value, 2, _NARROWEST, _WIDEST).tolist()
    return wide, high


def _turn(spot: Spot, value: object) -> float:
    return number(spot, value, 0, _FARTHEST_TURN)


def _length(spot: Spot, value: object) -> float:
    return number(spot, value, *_LENGTHS)


def _arm_model(spot: Spot, value: object) -> str:
    return choice(spot, value, ARM_MODELS, "arm")


def _shoulders(spot: Spot, value: object) -> dict[str, Pose]:
    given = mapping(spot, value)
    return {
        choice(spot, side, ("right", "left"), "side"): pose(spot / side, place)
        for side, place in given.items()
    }
