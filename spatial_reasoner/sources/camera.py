"""A simulated camera: observes the ground truth with occlusion and noise, as a tracker does.

The ground truth is a recording of all poses. The camera renders it from its own pose, with the
renderers that also compute what agents see. Its frame leaves out objects that are occluded or
outside its field of view, and adds noise to the poses of the others. The same seed gives the same
frames.
"""

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, Literal

import numpy as np

from spatial_reasoner.errors import shown
from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.geometry.poses import Pose, compose
from spatial_reasoner.geometry.shapes import Shape, sphere
from spatial_reasoner.percepts.feed import Feed
from spatial_reasoner.percepts.frame_file import read_frame
from spatial_reasoner.percepts.recording import frames_in, lines_of
from spatial_reasoner.scene.fields import (
    choice,
    fields,
    number,
    numbers,
    optional,
    pose,
    text,
    whole,
)
from spatial_reasoner.scene.scene import MYSELF, Scene
from spatial_reasoner.sources.protocol import Surroundings, spot
from spatial_reasoner.sources.recorded import Pace
from spatial_reasoner.tolerances.units import Limit, Measure
from spatial_reasoner.values.frames import Frame
from spatial_reasoner.values.rendering import NOTHING, Eye, Scenery, Sight

__all__ = ["Camera", "Jitter", "make"]

_FIELDS: Final = ("name", "on", "pose", "fov", "truth", "speed", "noise", "turn_noise", "seed")
_SPEEDS: Final = ("max", "real")
_PART: Final[Annotated[Shape, Measure]] = sphere(0.06)
"""The shape that stands for a head, a hand or an elbow."""
_FOV: Final[tuple[Measure, Measure]] = (1.745, 1.309)
"""Radians: the field of view, horizontal and vertical: 100° × 75°."""
_TOO_NEAR: Final[Measure] = 0.15
"""Metres: parts closer than this belong to the mount of the camera and are not rendered."""
_NARROWEST: Final[Limit] = 0.01
"""Radians: least field of view."""
_WIDEST: Final[Limit] = 3.0
"""Radians: greatest field of view of a perspective camera."""
_NOISIEST: Final[Limit] = 1.0
"""Metres and radians: greatest standard deviation of the noise."""


@dataclass(frozen=True, slots=True)
class Jitter:
    """Standard deviations of the noise: position in metres, rotation in radians."""

    place: Measure = 0.0015
    turn: Measure = 0.035


class Camera:
    """A camera in a scene. `eye` is its pose; without it, the head of the agent `on`.

    `look` takes the ground truth at one time and returns the frame of the visible objects. The
    parts of the agent `on` are reported without noise, as proprioception.
    """

    def __init__(
        self,
        scene: Scene,
        sight: Sight,
        name: str = "camera",
        on: str = MYSELF,
        eye: Pose | None = None,
        fov: tuple[float, float] = _FOV,
        jitter: Jitter | None = None,
        seed: int = 0,
    ) -> None:
        self.name: Final = name
        self._scene: Final = scene
        self._sight: Final = sight
        self._on: Final = on
        self._eye: Final = eye
        self._fov: Final = fov
        self._jitter: Final = jitter or Jitter()
        self._random: Final = np.random.default_rng(seed)
        self._things: Final = {n: e.pose for n, e in scene.entities.items() if e.pose is not None}
        self._joints: Final[dict[str, Mapping[str, float]]] = {}
        self._parts: Final = dict(_given_parts(scene))

    def observe(self, truth: Frame) -> Frame:
        """The visible objects at the time of the truth. Objects left out there have not moved."""
        self._things.update({name: each.pose for name, each in truth.objects.items()})
        self._joints.update({n: each.joints for n, each in truth.objects.items() if each.joints})
        for agent, poses in truth.agents.items():
            self._parts.update({(agent, part): place for part, place in poses.items()})
        eye = self._eye if self._eye is not None else self._parts.get((self._on, "head"))
        things, parts = self._shown(eye)
        objects = {name: self._reported(name) for name in things}
        agents: dict[str, dict[str, list[float]]] = {}
        for agent, part in parts:
            place = self._parts[agent, part]
            felt = place if agent == self._on else self._jittered(place)
            agents.setdefault(agent, {})[part] = felt.tolist()
        said = {"t": truth.t, "source": self.name, "objects": objects, "agents": agents}
        return read_frame(said, self._scene)

    def _shown(self, eye: Pose | None) -> tuple[list[str], list[tuple[str, str]]]:
        """The visible objects and parts of agents, and the parts known by proprioception."""
        felt = [key for key in self._parts if key[0] == self._on]
        if eye is None:
            return [], felt
        things = list(self._things)
        others = [key for key in self._parts if key not in felt and self._is_apart(key, eye)]
        shapes = [self._shape(name) for name in things] + [_PART] * len(others)
        places = [self._things[n] for n in things] + [self._parts[key] for key in others]
        if not shapes:
            return [], felt
        scenery = Scenery(shapes, np.array(places), np.arange(len(shapes), dtype=np.intp))
        picture = self._sight.render(Eye(eye, self._fov), scenery)
        seen = [row for row in np.unique(picture).tolist() if row != NOTHING]
        count = len(things)
        return [things[row] for row in seen if row < count], felt + [
            others[row - count] for row in seen if row >= count
        ]

    def _shape(self, name: str) -> Shape:
        entity = self._scene.entities[name]
        if entity.articulated is not None and name in self._joints:
            return entity.articulated.shape(self._joints[name])
        return entity.shape

    def _is_apart(self, key: tuple[str, str], eye: Pose) -> bool:
        return bool(np.linalg.norm(self._parts[key][:3] - eye[:3]) > _TOO_NEAR)

    def _reported(self, name: str) -> object:
        """The reported pose of an object; a static one stays where the scene puts it."""
        entity, place = self._scene.entities[name], self._things[name]
        at = (place if entity.static else self._jittered(place)).tolist()
        return {"pose": at, "joints": self._joints[name]} if name in self._joints else at

    def _jittered(self, place: Pose) -> Floats:
        """A pose with the noise of a tracker."""
        moved = self._random.normal(0.0, self._jitter.place, 3)
        turned = self._random.normal(0.0, self._jitter.turn, 3) / 2
        small = np.concatenate([np.zeros(3), turned, [1.0]])
        small[3:] /= np.linalg.norm(small[3:])
        noisy = compose(place, small)
        noisy[:3] += moved
        return noisy


class _Watched:
    """A camera on a ground truth read from a file."""

    def __init__(self, camera: Camera, truth: Path, speed: Literal["max", "real"]) -> None:
        self.name: Final = camera.name
        self._camera: Final = camera
        self._truth: Final = truth
        self._speed: Final = speed

    async def run(self, feed: Feed) -> None:
        pace = Pace()
        with self._truth.open("rb") as file:
            for truth in frames_in(lines_of(file), feed.scene):
                if self._speed == "real":
                    await pace.due(truth.t)
                await feed.put(self._camera.observe(truth))
                await asyncio.sleep(0)


def make(settings: Mapping[str, object], around: Surroundings) -> _Watched:
    """Makes a camera from its settings.

    `truth` is a recording. The optional ones: `name` (camera), `on` (myself), `pose` (the head of
    `on`), `fov`, `speed` (real), `noise` in metres, `turn_noise` in radians, `seed` (0).
    """
    here = spot("camera")
    given = fields(here, settings, _FIELDS)
    truth = given.get("truth")
    if not isinstance(truth, str) or not truth:
        raise (here / "truth").wrong(f"must be the name of a file, not {shown(truth)}")
    on = choice(here / "on", given.get("on", MYSELF), around.scene.agents, "agent")
    default = Jitter()
    jitter = Jitter(
        number(here / "noise", given.get("noise", default.place), 0.0, _NOISIEST),
        number(here / "turn_noise", given.get("turn_noise", default.turn), 0.0, _NOISIEST),
    )
    fov = given.get("fov", list(around.scene.agents[on].fov))
    wide, high = numbers(here / "fov", fov, 2, _NARROWEST, _WIDEST).tolist()
    camera = Camera(
        around.scene,
        around.sight(),
        text(here / "name", given.get("name", "camera")),
        on,
        optional(given, here, "pose", pose),
        (wide, high),
        jitter,
        whole(here / "seed", given.get("seed", 0), 0, 2**32),
    )
    speed = choice(here / "speed", given.get("speed", "real"), _SPEEDS, "speed")
    return _Watched(camera, Path(truth), "max" if speed == "max" else "real")


def _given_parts(scene: Scene) -> Iterator[tuple[tuple[str, str], Pose]]:
    for agent in scene.agents.values():
        if agent.head is not None:
            yield (agent.name, "head"), agent.head
        for part, place in agent.parts.items():
            yield (agent.name, part), place
