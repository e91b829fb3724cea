"""A stage for reach: objects placed by name, and an agent with one or two arms."""

from collections.abc import Sequence
from types import TracebackType
from typing import Final

import numpy as np

from spatial_reasoner.dynamics.arms import Side, arm_form
from spatial_reasoner.dynamics.bullet import Bullet
from spatial_reasoner.dynamics.bullet_arms import Arm
from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.geometry.poses import Pose, apply, pose_of, rotations
from spatial_reasoner.geometry.shapes import Shape, box
from spatial_reasoner.reach.postures import Postures
from spatial_reasoner.reach.reaching import Limb, Reached, Reaching, Room, passed_through
from spatial_reasoner.tolerances.reach import ReachTolerances
from spatial_reasoner.values.rendering import Scenery

__all__ = ["LENGTHS", "TABLE", "Stage", "size"]

LENGTHS: Final = {"human": 0.7, "pr2": 0.82, "panda": 0.855, "kuka": 0.82}


def size(*extents: float) -> Floats:
    """Extents as shapes take them."""
    return np.array(extents)


TABLE: Final = box(size(0.9, 1.4, 0.05))


class Stage:
    """Objects, and an agent who reaches; they face +x unless their shoulders are turned."""

    def __init__(self, tolerances: ReachTolerances | None = None) -> None:
        self.tolerances: Final = tolerances or ReachTolerances()
        self.names: Final[list[str]] = []
        self.shapes: Final[list[Shape | None]] = []
        self.poses: Final[list[Pose]] = []
        self.rests: Final[dict[str, str]] = {}
        self.limbs: Final[list[Limb]] = []
        self._bullet: Final = Bullet()

    def __enter__(self) -> "Stage":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: object, trace: TracebackType | None
    ) -> None:
        self._bullet.close()

    def put(self, name: str, shape: Shape, place: Sequence[float], on: str = "") -> "Stage":
        """Adds or moves an object; `on` is its support or container."""
        if on:
            self.rests[name] = on
        if name in self.names:
            self.poses[self.names.index(name)] = pose_of(place)
        else:
            self.names.append(name)
            self.shapes.append(shape)
            self.poses.append(pose_of(place))
        return self

    def arm(
        self, shoulder: Sequence[float], model: str = "human", side: Side = "right",
        length: float | None = None,
    ) -> "Stage":  # fmt: skip
        """Adds an arm."""
        long = LENGTHS[model] if length is None else length
        arm = Arm(self._bullet, arm_form(model, long, side))
        pose = pose_of(shoulder)
        self.limbs.append(Limb(Postures(arm, self.tolerances), long, pose, rotations(pose)))
        return self

    def person(self, shoulders: Sequence[float]) -> "Stage":
        """Two arms of a grown person facing +x, about a place between the shoulders."""
        x, y, z = shoulders
        return self.arm([x, y - 0.22, z]).arm([x, y + 0.22, z], side="left")

    def reach(self, name: str, stays: bool = False) -> Reached:
        """Whether the arms get to a thing."""
        room = self._room()
        rows = np.flatnonzero(room.solid)
        self._bullet.arrange(Scenery(room.shapes, room.poses, rows))
        passing = passed_through(room, self.limbs, self.tolerances)
        reaching = Reaching(self._bullet, room, self.tolerances, passing)
        rests = [self.names.index(self.rests[name])] if name in self.rests else []
        return reaching.reach(self.limbs, self.names.index(name), rests, stays)

    def can(self, name: str) -> bool:
        """The same in a word."""
        return self.reach(name).can

    def blockers(self, name: str) -> set[str]:
        """The obstacles that blocked the arm."""
        return {self.names[row] for row in self.reach(name).blockers.tolist()}

    def _room(self) -> Room:
        poses = np.array(self.poses)
        solids = [shape for shape in self.shapes if shape is not None]
        middles = [apply(pose, shape.centre) for pose, shape in zip(poses, solids, strict=True)]
        radii = np.array([shape.radius for shape in solids])
        solid = np.ones(len(poses), dtype=bool)
        return Room(self.shapes, poses, rotations(poses), np.array(middles), radii, solid)
