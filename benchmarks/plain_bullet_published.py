"""The peer of the physics: Underworlds' physics reasoner, implemented as published.

Each mind has a Bullet world in which every movable object is dynamic. At each tick:

1. Perceived objects are put at their percepts.
2. The world is simulated ahead. After every step the pose of every object is read.
3. An object too far from its percept is put back there, with all that it contains.
4. Support and containment follow from Bullet's bounding boxes.

These are the algorithms 1 and 2 and table I of the paper. It has no visibility: every mind
receives all percepts.
"""

import math
from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import Any, Final

import numpy as np
import pybullet

from benchmarks.places import Place
from spatial_reasoner.geometry.poses import Pose, pose_of
from spatial_reasoner.geometry.shapes import Shape
from spatial_reasoner.values.frames import Frame

__all__ = ["Published", "PublishedWorld"]

_PERCEIVED: Final = 0.7
_SIMULATED: Final = 0.045
_JUMP: Final = 0.032
_HORIZON: Final = 0.08
_STEP: Final = 0.00416
"""The values of table I, in seconds and metres."""
_GRAVITY: Final = 9.81
_MASS: Final = 0.2
_GAP: Final = 0.05
_Place = tuple[float, float, float]
_FORMS: Final = {
    "box": pybullet.GEOM_BOX,
    "sphere": pybullet.GEOM_SPHERE,
    "cylinder": pybullet.GEOM_CYLINDER,
}


class Published:
    """A world for each mind; `tick` returns the facts of a frame in each."""

    def __init__(self, room: Place, minds: Sequence[str]) -> None:
        self._worlds: Final = {mind: PublishedWorld(room) for mind in minds}

    def close(self) -> None:
        """Closes the worlds."""
        for world in self._worlds.values():
            world.close()

    def poses(self, mind: str) -> dict[str, Pose]:
        """The poses that a mind believes."""
        return self._worlds[mind].poses()

    def tick(self, frame: Frame) -> dict[str, set[str]]:
        """The facts of a frame in each mind."""
        observed = {name: percept.pose for name, percept in frame.objects.items()}
        return {mind: world.tick(frame.t, observed) for mind, world in self._worlds.items()}


class PublishedWorld:
    """A world of a room; a movable object is added when it is first perceived."""

    def __init__(self, room: Place) -> None:
        self._client: Final = pybullet.connect(pybullet.DIRECT)
        self._scene: Final = room.scene
        self._bodies: Final[dict[str, int]] = {}
        self._seen: Final[dict[str, float]] = {}
        self._percepts: Final[dict[str, Pose]] = {}
        self._contents: dict[str, list[str]] = {}
        pybullet.setGravity(0, 0, -_GRAVITY, physicsClientId=self._client)
        pybullet.setTimeStep(_STEP, physicsClientId=self._client)
        for name, entity in room.scene.entities.items():
            if entity.static:
                self._put(name, room.things[name])

    def close(self) -> None:
        """Closes the world."""
        pybullet.disconnect(self._client)

    def poses(self) -> dict[str, Pose]:
        """The present poses of all objects."""
        return {
            name: pose_of([*self._pose(name)[0], *self._pose(name)[1]]) for name in self._bodies
        }

    def tick(self, now: float, observed: Mapping[str, Pose]) -> set[str]:
        """Algorithm 2: the facts after percepts of some objects."""
        for name, pose in observed.items():
            self._perceive(name, pose, now)
        perceived = [name for name, seen in self._seen.items() if now - seen < _PERCEIVED]
        implausible = self._run(perceived)
        for name in implausible:
            self._put(name, self._percepts[name])
        facts, self._contents = self._resting()
        facts |= {f"{name} isPerceived true" for name in perceived}
        stable = set(perceived) - implausible
        return facts | {f"{name} isPhysicallyPlausible true" for name in stable}

    def _perceive(self, name: str, pose: Pose, now: float) -> None:
        """Puts an object at its percept; its contents move along if it jumps."""
        if name in self._percepts:
            jump = pose[:3] - self._percepts[name][:3]
            if float(np.linalg.norm(jump)) > _JUMP:
                self._shift(name, jump)
        self._put(name, pose)
        self._percepts[name], self._seen[name] = pose, now

    def _run(self, perceived: Sequence[str]) -> set[str]:
        """Algorithm 1: simulates ahead; returns the objects that would leave their percepts."""
        implausible: set[str] = set()
        for _ in range(round(_HORIZON / _STEP)):
            pybullet.stepSimulation(physicsClientId=self._client)
            for name in self._bodies:
                place, _ = self._pose(name)
                if name not in perceived:
                    continue
                percept = self._percepts[name]
                if math.dist(place, percept[:3]) > _SIMULATED:
                    implausible.add(name)
                if name in implausible:
                    self._put(name, percept)
                    self._shift(name, percept[:3] - np.array(place))
        return implausible

    def _shift(self, name: str, way: Any) -> None:
        """Moves the unperceived contents of an object."""
        for inside in self._contents.get(name, ()):
            place, turn = self._pose(inside)
            self._put(inside, np.array([*(np.array(place) + way), *turn]))

    def _put(self, name: str, pose: Pose) -> None:
        if name not in self._bodies:
            self._bodies[name] = self._body(name)
        pybullet.resetBasePositionAndOrientation(
            self._bodies[name], pose[:3].tolist(), pose[3:].tolist(), physicsClientId=self._client
        )

    def _pose(self, name: str) -> tuple[_Place, tuple[float, float, float, float]]:
        pose: tuple[_Place, tuple[float, float, float, float]] = (
            pybullet.getBasePositionAndOrientation(self._bodies[name], physicsClientId=self._client)
        )
        return pose

    def _resting(self) -> tuple[set[str], dict[str, list[str]]]:
        """The relations on and in, for all pairs of boxes, and the contents of each object."""
        boxes = {
            name: pybullet.getAABB(body, physicsClientId=self._client)
            for name, body in self._bodies.items()
        }
        facts: set[str] = set()
        contents: dict[str, list[str]] = {}
        for one, other in permutations(boxes, 2):
            if _is_in(boxes[one], boxes[other]):
                facts.add(f"{one} isIn {other}")
                contents.setdefault(other, []).append(one)
            elif _is_on(boxes[one], boxes[other]):
                facts.add(f"{one} isOnTop {other}")
        return facts, contents

    def _body(self, name: str) -> int:
        entity = self._scene.entities[name]
        body: int = pybullet.createMultiBody(
            0.0 if entity.static else _MASS, self._form(entity.shape), -1,
            physicsClientId=self._client,
        )  # fmt: skip
        return body

    def _form(self, shape: Shape) -> int:
        """A compound shape of the pieces."""
        pieces = shape.pieces
        form: int = pybullet.createCollisionShapeArray(
            shapeTypes=[_FORMS[piece.kind] for piece in pieces],
            halfExtents=[piece.size.tolist() for piece in pieces],
            radii=[float(piece.size[0]) for piece in pieces],
            lengths=[2 * float(piece.size[-1]) for piece in pieces],
            collisionFramePositions=[piece.centre.tolist() for piece in pieces],
            physicsClientId=self._client,
        )
        return form


def _is_in(one: Any, other: Any) -> bool:
    (low, high), (low2, high2) = one, other
    within = all(low2[i] <= low[i] and high[i] <= high2[i] for i in (0, 1))
    return bool(within and low2[2] <= low[2] < high2[2])


def _is_on(one: Any, other: Any) -> bool:
    (low, high), (low2, high2) = one, other
    over = all(low[i] < high2[i] and low2[i] < high[i] for i in (0, 1))
    return bool(over and abs(low[2] - high2[2]) < _GAP)
