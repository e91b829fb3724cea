"""What the eyes are measured against: PyBullet's own calls, in a loop, for the same questions.

Boxes of Bullet for what is on, in and next to what, and one picture of TinyRenderer for each agent
for what it sees. It knows no minds, no noise and no turned boxes; it is a floor.
"""

import math
from itertools import permutations
from typing import Any, Final

import pybullet

from benchmarks.places import Place
from spatial_reasoner.frames import Frame
from spatial_reasoner.poses import Pose, rotations

__all__ = ["PlainBullet"]

_SIZE: Final = (160, 120)
_GAP: Final = 0.05
_NEAR: Final = 0.1


class PlainBullet:
    """A room as a Bullet world; `tick` answers the facts of a frame."""

    def __init__(self, room: Place) -> None:
        self._client: Final = pybullet.connect(pybullet.DIRECT)
        self._bodies: Final = {
            name: self._body(room.scene.entities[name].shape.half.tolist(), pose)
            for name, pose in room.things.items()
        }
        self._named: Final = {body: name for name, body in self._bodies.items()}

    def close(self) -> None:
        """Ends the world."""
        pybullet.disconnect(self._client)

    def tick(self, frame: Frame) -> set[str]:
        """Moves all, and asks Bullet for everything anew."""
        for name, percept in frame.objects.items():
            place, turn = percept.pose[:3].tolist(), percept.pose[3:].tolist()
            pybullet.resetBasePositionAndOrientation(
                self._bodies[name], place, turn, physicsClientId=self._client
            )
        facts = self._resting()
        for agent, parts in frame.agents.items():
            facts |= {f"{agent} sees {name}" for name in self._seen(parts["head"])}
        return facts

    def _body(self, half: list[float], pose: Pose) -> int:
        form: int = pybullet.createCollisionShape(
            pybullet.GEOM_BOX, halfExtents=half, physicsClientId=self._client
        )
        body: int = pybullet.createMultiBody(
            0, form, -1, pose[:3].tolist(), pose[3:].tolist(), physicsClientId=self._client
        )
        return body

    def _resting(self) -> set[str]:
        boxes = {
            name: pybullet.getAABB(body, physicsClientId=self._client)
            for name, body in self._bodies.items()
        }
        return {
            f"{one} {relation} {other}"
            for one, other in permutations(boxes, 2)
            for relation in _between(boxes[one], boxes[other])
        }

    def _seen(self, eye: Pose) -> set[str]:
        ahead, up = rotations(eye)[:, 0], rotations(eye)[:, 2]
        view = pybullet.computeViewMatrix(
            eye[:3].tolist(), (eye[:3] + ahead).tolist(), up.tolist()
        )
        lens = pybullet.computeProjectionMatrixFOV(75, _SIZE[0] / _SIZE[1], 0.05, 100)
        picture = pybullet.getCameraImage(
            *_SIZE, view, lens, shadow=0, renderer=pybullet.ER_TINY_RENDERER,
            physicsClientId=self._client,
        )  # fmt: skip
        return {self._named[body] for body in set(picture[4].ravel().tolist()) if body >= 0}


def _between(one: Any, other: Any) -> list[str]:
    """What a box is to another: on it, in it, next to it."""
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
