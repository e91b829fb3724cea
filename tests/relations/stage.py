"""A stage: objects placed by name, and the relations between them in words."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.geometry.poses import Pose
from spatial_reasoner.geometry.shapes import Shape
from spatial_reasoner.relations.relations import Relations, relate
from spatial_reasoner.relations.world_geometry import WorldGeometry
from spatial_reasoner.tolerances.tolerances import Tolerances

__all__ = ["DEFAULTS", "Stage", "about", "turned"]

DEFAULTS: Final = Tolerances()


def about(axis: str, degrees: float) -> list[float]:
    """The quaternion of a turn about x, y or z."""
    half = np.radians(degrees) / 2
    return [*(np.sin(half) * np.eye(3)["xyz".index(axis)]).tolist(), float(np.cos(half))]


def turned(place: Sequence[float], turn: Sequence[float] = (0, 0, 0, 1)) -> Pose:
    """A pose of a place and a quaternion."""
    return np.array([*place, *turn], dtype=np.float64)


class Stage:
    """Things by name; relations are carried on from one look to the next."""

    def __init__(self, tolerances: Tolerances = DEFAULTS) -> None:
        self.tolerances: Final = tolerances
        self.names: list[str] = []
        self.shapes: list[Shape | None] = []
        self.poses: list[Pose] = []
        self.supports: list[bool] = []
        self.containers: list[bool] = []
        self.held: set[str] = set()
        self.lost: set[str] = set()
        self._geometry: WorldGeometry | None = None
        self._relations = Relations.none(0)

    def put(
        self,
        name: str,
        shape: Shape,
        place: Sequence[float],
        turn: Sequence[float] = (0, 0, 0, 1),
        *,
        support: bool = True,
        container: bool = True,
    ) -> "Stage":
        """Adds an object; its shape determines whether it has a cavity."""
        self.names.append(name)
        self.shapes.append(shape)
        self.poses.append(turned(place, turn))
        self.supports.append(support)
        self.containers.append(container)
        return self

    def stand(
        self, name: str, shape: Shape, x: float, y: float, low: float, yaw: float = 0, **flags: bool
    ) -> "Stage":
        """Adds a thing that stands upright with its underside at a height."""
        return self.put(name, shape, (x, y, low + shape.half[2]), about("z", yaw), **flags)

    def move(self, name: str, place: Sequence[float], turn: Sequence[float] = (0, 0, 0, 1)) -> None:
        """Puts a thing elsewhere."""
        self.poses[self.names.index(name)] = turned(place, turn)

    def shift(self, name: str, by: Sequence[float]) -> None:
        """Moves a thing without turning it."""
        self.poses[self.names.index(name)][:3] += by

    def geometry(self) -> WorldGeometry:
        """The geometry of now; one for the whole life of the stage."""
        if self._geometry is None or len(self._geometry) != len(self.names):
            flags = np.array(self.supports), np.array(self.containers)
            self._geometry = WorldGeometry(self.shapes, *flags, self.tolerances)
            self._relations = self._relations.grown(len(self.names))
        held, lost = (
            np.array([n in these for n in self.names]) for these in (self.held, self.lost)
        )
        poses: Floats = np.array(self.poses)
        self._geometry.update(poses, ~lost, held)
        return self._geometry

    def relations(self) -> Relations:
        """The relations that hold now."""
        geometry = self.geometry()
        self._relations = relate(geometry, self._relations)
        return self._relations

    def facts(self) -> set[str]:
        """The facts that hold now, such as "cup on table"; a symmetric one stands once, sorted."""
        now = self.relations()
        return {
            f"{self.names[a]} {word} {self.names[b]}"
            for word, matrix in (("on", now.on), ("in", now.inside), ("by", now.next_to))
            for a, b in np.argwhere(matrix).tolist()
            if word != "by" or self.names[a] < self.names[b]
        }

    def said(self, word: str) -> set[str]:
        """The facts of one relation."""
        return {fact for fact in self.facts() if fact.split()[1] == word}
