"""Synthetic rooms of any size for the spatial reasoner, and the frames of a camera in them.

People stand around tables full of objects. They sway and look about, some objects are pushed
along, and every percept has the noise of a real camera. Bins may be carried about, each with a
ball that is not perceived after the first moments.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import cycle, islice
from typing import Final

import numpy as np

from kb_server import Blackboard
from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.geometry.poses import Pose, compose, pose_of
from spatial_reasoner.scene.knowledge import BoardKnowledge
from spatial_reasoner.scene.scene import MYSELF, Scene
from spatial_reasoner.scene.scene_file import scene_of
from spatial_reasoner.values.frames import Frame, Percept

__all__ = ["RATE", "Place", "frames", "place"]

RATE: Final = 25
"""Frames a second."""
_NOISE: Final = (0.0015, math.radians(2))
_TOP: Final = 0.75
_TABLE: Final = (1.2, 0.8, 0.04)
_APART: Final = 1.9
_ON_EACH: Final = 14
_PUSHED: Final = 3
_KINDS: Final[tuple[tuple[str, dict[str, object], float], ...]] = (
    ("Cup", {"cylinder": [0.04, 0.1]}, 0.05),
    ("Book", {"box": [0.14, 0.1, 0.03]}, 0.015),
    ("Ball", {"sphere": 0.035}, 0.035),
    ("Bin", {"bin": {"size": [0.14, 0.14, 0.16], "floor": 0.02, "wall": 0.01}}, 0.08),
    ("Cube", {"box": [0.06, 0.06, 0.06]}, 0.03),
)
"""The kinds of objects: class, shape, and height of the centre (m)."""
_BINS: Final = _KINDS[3:4]
_MARBLE: Final = 0.03
_IN_BIN: Final = _MARBLE + 0.02 - 0.08
"""The height (m) of a ball in a bin relative to the bin's centre; `_MARBLE` is its radius (m)."""
_SHOWN: Final = 0.4
_CARRIED: Final = (0.6, 1.6)
"""Seconds at which a bin sets off and is up; until `_SHOWN` its ball is perceived."""


@dataclass(frozen=True, slots=True)
class Place:
    """A scene, the poses of its objects, and those of the agents' heads, the robot's among them."""

    document: dict[str, object]
    scene: Scene
    things: dict[str, Pose]
    eyes: dict[str, Pose]
    hidden: Mapping[str, str] = field(default_factory=dict)
    """The bin of each hidden object; the object's own pose is not perceived."""


def place(things: int, agents: int, hidden: int = 0, *, only_bins: bool = False) -> Place:
    """A room with a number of objects, tables among them, and a number of agents.

    The `hidden` objects are added to them, each in a bin that is carried about.
    """
    entities, poses = _furnished(things, _BINS if only_bins else _KINDS)
    inside = _filled(entities, poses, hidden)
    middle = np.mean([pose[:3] for pose in poses.values()], axis=0)
    eyes = {
        who: _standing(i, agents, middle)
        for i, who in enumerate([MYSELF, *(f"person{i}" for i in range(1, agents))])
    }
    people = {
        who: {"class": "Robot" if who == MYSELF else "Human", "head": pose.tolist()}
        for who, pose in eyes.items()
    }
    document: dict[str, object] = {"name": "room", "entities": entities, "agents": people}
    with Blackboard.local() as kb:
        scene = scene_of(document, None, BoardKnowledge(kb))
    return Place(document, scene, poses, eyes, inside)


def frames(room: Place, seconds: float) -> Iterator[Frame]:
    """The frames of a camera in the room."""
    chance = np.random.default_rng(1)
    pushed = [name for name in room.things if name.startswith("cup")][:_PUSHED]
    fixed = {name for name in room.things if name.startswith("table")}
    for i in range(round(seconds * RATE)):
        t = i / RATE
        there = {n: pose.copy() for n, pose in room.things.items() if n not in fixed}
        for name in pushed:
            there[name][1] += 0.06 * math.sin(1.5 * t)
        for name, around in room.hidden.items():
            there[around][:3] += _aloft(t)
            if t >= _SHOWN:
                del there[name]
        objects = {name: Percept(_noisy(pose, chance)) for name, pose in there.items()}
        agents = {
            who: {"head": _noisy(_swaying(eye, t + n), chance)}
            for n, (who, eye) in enumerate(room.eyes.items())
        }
        yield Frame(round(t, 6), "camera", objects, (), agents)


def _aloft(t: float) -> Floats:
    """The displacement (m) of a bin that is lifted and carried in circles at 30 cm/s."""
    begins, ends = _CARRIED
    share = min(max(t - begins, 0.0) / (ends - begins), 1.0)
    around = 1.5 * max(t - begins, 0.0)
    return share * 0.2 * np.array([math.sin(around), 1 - math.cos(around), 1.0])


def _filled(document: dict[str, object], poses: dict[str, Pose], count: int) -> dict[str, str]:
    """Puts a ball into each of the first bins; returns the bin of each ball."""
    bins = [name for name in poses if name.startswith("bin")][:count]
    if len(bins) < count:
        raise ValueError(f"there are {len(bins)} bins for {count} balls")
    inside = {f"marble{n}": around for n, around in enumerate(bins)}
    for name, around in inside.items():
        document[name] = {"class": "Ball", "shape": {"sphere": _MARBLE}}
        poses[name] = poses[around].copy()
        poses[name][2] += _IN_BIN
    return inside


def _furnished(
    things: int, lying: tuple[tuple[str, dict[str, object], float], ...]
) -> tuple[dict[str, object], dict[str, Pose]]:
    """The entities of a scene and their poses: each table with the objects that fit on it."""
    document: dict[str, object] = {}
    poses: dict[str, Pose] = {}
    tables = max(1, math.ceil(things / (_ON_EACH + 1)))
    across = math.ceil(math.sqrt(tables))
    kinds = cycle(lying)
    for n in range(tables):
        x, y = _APART * (n // across), _APART * (n % across)
        name = f"table{n}"
        poses[name] = pose_of([x, y, _TOP - _TABLE[2] / 2])
        document[name] = {
            "class": "Table",
            "shape": {"box": list(_TABLE)},
            "pose": poses[name].tolist(),
            "static": True,
        }
        for slot, (kind, shape, high) in enumerate(islice(kinds, _ON_EACH)):
            if len(poses) == things:
                break
            thing = f"{kind.lower()}{n}_{slot}"
            dx, dy = 0.16 * (slot % 7) - 0.48, 0.3 * (slot // 7) - 0.15
            poses[thing] = pose_of([x + dx, y + dy, _TOP + high])
            document[thing] = {"class": kind, "shape": shape}
    return document, poses


def _standing(i: int, agents: int, middle: Floats) -> Pose:
    """The head of an agent on a circle, looking at its centre and down at the tables."""
    around = 2 * math.pi * i / agents + 0.4
    away = 1.5 + 0.6 * float(np.abs(middle[:2]).max())
    x, y = middle[:2] + away * np.array([math.cos(around), math.sin(around)])
    down = pose_of([0, 0, 0, 0, math.sin(0.2), 0, math.cos(0.2)])
    return compose(compose(pose_of([x, y, 1.6]), _turn(around + math.pi)), down)


def _swaying(eye: Pose, t: float) -> Pose:
    """A head that sways by 2 cm and turns by 10° to each side."""
    turned = compose(_turn(math.radians(10) * math.sin(0.7 * t)), eye)
    shift = 0.02 * np.array([math.sin(0.5 * t), math.cos(0.5 * t), 0])
    return pose_of([*(eye[:3] + shift), *turned[3:]])


def _turn(angle: float) -> Pose:
    """A rotation about the vertical."""
    return pose_of([0, 0, 0, 0, 0, math.sin(angle / 2), math.cos(angle / 2)])


def _noisy(pose: Pose, chance: np.random.Generator) -> Pose:
    """A pose with noise in position and rotation."""
    shift, turn = chance.normal(0, _NOISE[0], 3), chance.normal(0, _NOISE[1] / math.sqrt(3), 3)
    turned = compose(pose, pose_of([0, 0, 0, *(turn / 2), 1.0]))
    return pose_of([*(turned[:3] + shift), *turned[3:]])
