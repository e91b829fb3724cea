"""The peer of the spatial reasoner: PyBullet's own calls, in a loop, for the same questions.

Bullet's bounding boxes decide on, in and next to; one TinyRenderer picture for each agent decides
what it sees; each mind has a world. It handles neither noise nor rotated boxes, so it is a floor.
"""

import math
from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import Any, Final

import pybullet

from benchmarks.places import Place
from spatial_reasoner.geometry.arrays import Indices
from spatial_reasoner.geometry.poses import Pose, rotations
from spatial_reasoner.scene.scene import MYSELF
from spatial_reasoner.values.frames import Frame

__all__ = ["HIGH", "SIZE", "PlainBullet", "PlainWorld"]

SIZE: Final = (160, 120)
HIGH: Final = 75.0
"""The vertical field of view in degrees; `SIZE` is the picture in pixels."""
_GAP: Final = 0.05
_NEAR: Final = 0.1


class PlainBullet:
    """A world for each mind, the robot's first; `tick` returns the facts of a frame in each."""

    def __init__(self, room: Place, minds: Sequence[str]) -> None:
        self._fixed: Final = room.things
        self._worlds: Final = {mind: PlainWorld(room) for mind in minds}
        self._worlds[MYSELF].move(room.things)

    def close(self) -> None:
        """Closes the worlds."""
        for world in self._worlds.values():
            world.close()

    def tick(self, frame: Frame) -> dict[str, set[str]]:
        """The facts in each mind: the robot's world takes the frame, the others what their
        owners see in it."""
        eyes = {agent: parts["head"] for agent, parts in frame.agents.items()}
        observed = {name: percept.pose for name, percept in frame.objects.items()}
        there = {**self._fixed, **observed}
        found, views = self._worlds[MYSELF].tick(observed, eyes)
        facts = {MYSELF: found}
        for mind in self._worlds.keys() - {MYSELF}:
            seen = {name: there[name] for name in views[mind]}
            facts[mind], _ = self._worlds[mind].tick(seen, eyes)
        return facts


class PlainWorld:
    """A Bullet world of a room; an object is added when it is first placed."""

    def __init__(self, room: Place) -> None:
        self._client: Final = pybullet.connect(pybullet.DIRECT)
        self._scene: Final = room.scene
        self._bodies: Final[dict[str, int]] = {}
        self._named: Final[dict[int, str]] = {}

    def close(self) -> None:
        """Closes the world."""
        pybullet.disconnect(self._client)

    def tick(
        self, things: Mapping[str, Pose], eyes: Mapping[str, Pose]
    ) -> tuple[set[str], dict[str, set[str]]]:
        """Moves all objects, and computes all facts and views anew."""
        self.move(things)
        views = {agent: self.seen(eye) for agent, eye in eyes.items()}
        sees = {f"{agent} sees {name}" for agent, view in views.items() for name in view}
        return self.resting() | sees, views

    def move(self, things: Mapping[str, Pose]) -> None:
        """Moves objects to their present poses."""
        for name, pose in things.items():
            if name not in self._bodies:
                self._bodies[name] = self._body(name)
                self._named[self._bodies[name]] = name
            place, turn = pose[:3].tolist(), pose[3:].tolist()
            pybullet.resetBasePositionAndOrientation(
                self._bodies[name], place, turn, physicsClientId=self._client
            )

    def resting(self) -> set[str]:
        """The relations on, in and next to, for all pairs of boxes."""
        boxes = {
            name: pybullet.getAABB(body, physicsClientId=self._client)
            for name, body in self._bodies.items()
        }
        return {
            f"{one} {relation} {other}"
            for one, other in permutations(boxes, 2)
            for relation in _between(boxes[one], boxes[other])
        }

    def seen(self, eye: Pose) -> set[str]:
        """The objects that are visible in one picture."""
        return {self._named[body] for body in set(self.drawn(eye).ravel().tolist()) if body >= 0}

    def drawn(self, eye: Pose) -> Indices:
        """One picture: the body at each pixel, -1 where there is none."""
        ahead, up = rotations(eye)[:, 0], rotations(eye)[:, 2]
        view = pybullet.computeViewMatrix(eye[:3].tolist(), (eye[:3] + ahead).tolist(), up.tolist())
        lens = pybullet.computeProjectionMatrixFOV(HIGH, SIZE[0] / SIZE[1], 0.05, 100)
        picture = pybullet.getCameraImage(
            *SIZE, view, lens, shadow=0, renderer=pybullet.ER_TINY_RENDERER,
            physicsClientId=self._client,
        )  # fmt: skip
        bodies: Indices = picture[4]
        return bodies

    def _body(self, name: str) -> int:
        shape = self._scene.entities[name].shape
        form: int = pybullet.createCollisionShape(
            pybullet.GEOM_BOX, halfExtents=shape.half.tolist(), physicsClientId=self._client
        )
        body: int = pybullet.createMultiBody(0, form, -1, physicsClientId=self._client)
        return body


def _between(one: Any, other: Any) -> list[str]:
    """The relations of one box to another: on, in, next to."""
    (low, high), (low2, high2) = one, other
    over = all(low[i] < high2[i] and low2[i] < high[i] for i in (0, 1))
    gap = math.hypot(*(max(low2[i] - high[i], low[i] - high2[i], 0.0) for i in (0, 1)))
    found = []
    if over and abs(low[2] - high2[2]) < _GAP:
        found.append("isOn")
    within = all(low2[i] <= low[i] and high[i] <= high2[i] for i in (0, 1))
    if within and low2[2] < low[2] < high2[2]:
        found.append("isIn")
    if not over and gap < _NEAR and low[2] < high2[2] and low2[2] < high[2]:
        found.append("isNextTo")
    return found
