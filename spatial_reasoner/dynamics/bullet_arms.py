"""Arms in Bullet: inverse kinematics, forward kinematics, and collisions of arms with bodies.

An arm is loaded into an existing `Bullet` client. Rays pass through it; no picture may be drawn in
that client. Bullet loads arms from files only, caches them by name and splits long lines, so a
temporary file is written for each load.

Bullet's inverse kinematics depends on the pose of the arm and on its arguments alone, and does not
move the arm. The danger: it may exceed joint limits. Its solutions are therefore clipped to the
limits, and the error is measured again by forward kinematics.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any, Final

import numpy as np

from spatial_reasoner.dynamics.arms import ArmForm
from spatial_reasoner.dynamics.bullet import Bullet
from spatial_reasoner.dynamics.captured_output import captured_output
from spatial_reasoner.errors import MeshRefused
from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.geometry.poses import Pose, compose, inverse
from spatial_reasoner.tolerances.units import Numeric

with captured_output():  # PyBullet prints its build time
    import pybullet

__all__ = ["Arm", "Bump"]

_GUEST: Final = 4
"""The collision group of arms, which rays ignore."""
_FINE: Final[Numeric] = 1e-3
"""Metres: the residual at which inverse kinematics stops."""
_AWAY: Final[Annotated[Pose, Numeric]] = np.array([0.0, 0, 1e5, 0, 0, 0, 1])
"""The pose at which an unused arm is stored."""
_MESH: Final = re.compile(r'filename="(?:package://)?')


@dataclass(frozen=True, slots=True)
class Bump:
    """How deep a hand and the rest of an arm are in the body of a row, in metres; else zero."""

    row: int
    hand: float
    arm: float


class Arm:
    """One arm in a `Bullet`, shared by all agents with equal arms and placed at the one in use.

    >>> from spatial_reasoner.dynamics.arms import arm_form
    >>> from spatial_reasoner.geometry.poses import IDENTITY
    >>> with Bullet() as bullet:
    ...     arm = Arm(bullet, arm_form("human", 0.7, "right"))
    ...     arm.stand(IDENTITY)
    ...     joints, miss = arm.solve(np.array([0.4, -0.2, -0.2]), arm.rest)
    ...     bool(miss < 0.02), bool((joints <= arm.high).all())
    (True, True)
    """

    def __init__(self, bullet: Bullet, form: ArmForm) -> None:
        self.form: Final = form
        self._bullet: Final = bullet
        self._generation = -1
        self._shoulder: Pose | None = None
        self._offset: Final = inverse(np.array([*form.shoulder, 0, 0, 0, 1]))
        self._load()
        count = len(form.rest)
        limits = [self._info(joint)[8:10] for joint in self._joints[:count]]
        self.low: Final[Floats] = np.array([low for low, _ in limits], dtype=np.float64)
        self.high: Final[Floats] = np.array([high for _, high in limits], dtype=np.float64)
        self.range: Final[Floats] = self.high - self.low
        self.rest: Final[Floats] = np.clip(np.array(form.rest), self.low, self.high)
        spans = self.low, self.high, self.range
        self._limits: Final = [self._padded(each).tolist() for each in spans]

    def stand(self, shoulder: Pose) -> None:
        """Places the arm by the pose of its shoulder in the world."""
        if self._generation != self._bullet.generation:
            self._load()
        if self._shoulder is None or not np.array_equal(shoulder, self._shoulder):
            self._put(compose(shoulder, self._offset))
            self._shoulder = shoulder

    def solve(self, target: Floats, seed: Floats, steps: int = 100) -> tuple[Floats, float]:
        """Joint positions within limits that bring the tip near a point, and the error in metres.

        The arm has these positions afterwards. The search begins at `seed` and prefers solutions
        near it. If Bullet finds no finite solution, the result is the rest position and an infinite
        error.
        """
        self.bend(seed)
        found = pybullet.calculateInverseKinematics(
            self._body,
            self._tip,
            np.asarray(target, dtype=np.float64).tolist(),
            lowerLimits=self._limits[0],
            upperLimits=self._limits[1],
            jointRanges=self._limits[2],
            restPoses=self._padded(seed).tolist(),
            maxNumIterations=steps,
            residualThreshold=_FINE,
            physicsClientId=self._bullet.client,
        )
        joints = np.clip(np.array(found[: len(self.rest)]), self.low, self.high)
        if not np.isfinite(joints).all():
            return self.rest, np.inf
        self.bend(joints)
        away = self.pointing()[0] - target
        return joints, float(np.sqrt(away @ away))

    def bend(self, joints: Floats) -> None:
        """Sets the joint positions of the arm."""
        pybullet.resetJointStatesMultiDof(
            self._body,
            self._joints,
            self._padded(joints)[:, None].tolist(),
            physicsClientId=self._bullet.client,
        )

    def pointing(self) -> tuple[Floats, Floats]:
        """The position of the tip in the world, and the unit vector along which the hand points."""
        state = pybullet.getLinkState(
            self._body,
            self._tip,
            computeForwardKinematics=True,
            physicsClientId=self._bullet.client,
        )
        turn = pybullet.getMatrixFromQuaternion(state[5])
        return np.array(state[4]), np.array(turn[self.form.pointing :: 3])

    def elbow(self) -> Floats:
        """The position of the second solid link in the world."""
        state = pybullet.getLinkState(
            self._body, self._solid[1], physicsClientId=self._bullet.client
        )
        return np.array(state[4])

    def box(self) -> tuple[Floats, Floats]:
        """The lowest and the highest corner of the bounding box of its solid links."""
        boxes = np.array(
            [
                pybullet.getAABB(self._body, link, physicsClientId=self._bullet.client)
                for link in self._solid
            ]
        )
        return boxes[:, 0].min(axis=0), boxes[:, 1].max(axis=0)

    def bumps(self, rows: Sequence[int]) -> list[Bump]:
        """The rows, of those given, whose bodies the arm penetrates, and how deep."""
        return [bump for row in rows if (bump := self._bump(row)) is not None]

    def _bump(self, row: int) -> Bump | None:
        found = pybullet.getClosestPoints(
            self._body, self._bullet.body(row), 0.0, physicsClientId=self._bullet.client
        )
        hand = arm = 0.0
        for point in found:
            link, depth = point[3], -float(point[8])
            if link in self._hand:
                hand = max(hand, depth)
            elif link in self._solid:
                arm = max(arm, depth)
        return Bump(row, hand, arm) if hand or arm else None

    def _padded(self, joints: Floats) -> Floats:
        """The joint positions with those of the fingers, which stay open."""
        more = len(self._joints) - len(joints)
        return np.concatenate([joints, np.full(more, self.form.open)]) if more else joints

    def _put(self, base: Pose) -> None:
        pybullet.resetBasePositionAndOrientation(
            self._body, base[:3].tolist(), base[3:].tolist(), physicsClientId=self._bullet.client
        )

    def _info(self, joint: int) -> tuple[Any, ...]:
        info: tuple[Any, ...] = pybullet.getJointInfo(
            self._body, joint, physicsClientId=self._bullet.client
        )
        return info

    def _load(self) -> None:
        """Loads the arm into Bullet; this is necessary again after each reset of the client."""
        self._body: int = _read(self._bullet.client, self.form)
        self._generation = self._bullet.generation
        count = pybullet.getNumJoints(self._body, physicsClientId=self._bullet.client)
        infos = [self._info(joint) for joint in range(count)]
        links: Mapping[str, int] = {info[12].decode(): info[0] for info in infos}
        self._joints: list[int] = [i[0] for i in infos if i[2] != pybullet.JOINT_FIXED]
        self._tip: int = links[self.form.tip]
        self._hand: frozenset[int] = frozenset(links[name] for name in self.form.hand)
        self._solid: tuple[int, ...] = tuple(links[name] for name in self.form.solid)
        for link in range(-1, count):
            pybullet.setCollisionFilterGroupMask(
                self._body, link, _GUEST, _GUEST, physicsClientId=self._bullet.client
            )
        self._put(_AWAY)
        self._shoulder = None


def _read(client: int, form: ArmForm) -> int:
    """Bullet's number for a new arm; MeshRefused if Bullet cannot load it."""
    text = form.urdf
    if form.file:
        path = Path(pybullet.__file__).with_name("pybullet_data") / form.file
        text = path.read_text("utf-8").replace("</robot>", f"{form.urdf}</robot>")
        text = _MESH.sub(f'filename="{path.parent.as_posix()}/', text)
    with TemporaryDirectory(prefix="arm-") as folder, captured_output() as said:
        file = Path(folder, "arm.urdf")
        file.write_text(text, encoding="utf-8")
        pybullet.setPhysicsEngineParameter(enableFileCaching=0, physicsClientId=client)
        try:
            body: int = pybullet.loadURDF(
                str(file),
                useFixedBase=True,
                flags=pybullet.URDF_IGNORE_VISUAL_SHAPES,
                physicsClientId=client,
            )
        except pybullet.error as error:
            raise MeshRefused(form.name, f"Bullet can't read this arm: {error}") from None
    if body < 0:
        raise MeshRefused(form.name, f"Bullet can't read this arm: {said.text}")
    return body
