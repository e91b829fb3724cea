"""A room to be pictured: a cube that Sally sees, and a marble that a wall hides from her."""

import math
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.geometry.poses import Pose, pose_of
from spatial_reasoner.geometry.shapes import bin_shape, box, plane, sphere
from spatial_reasoner.pictures.overview import Overview, Painter, Placement
from spatial_reasoner.pictures.palette import colour_of
from spatial_reasoner.pictures.picture_data import minds_of
from spatial_reasoner.scene.scene import Agent, Entity, Scene
from spatial_reasoner.sight.close_ups import CloseUpSight
from spatial_reasoner.tick.reasoner import SpatialReasoner
from spatial_reasoner.values.frames import Frame, Percept

__all__ = ["CUBE", "MOVED", "Room", "look", "scene", "share", "shown"]

CUBE: Final = (0.4, 0.5, 0.3)
MOVED: Final = (-0.4, 0.5, 0.3)
_MARBLE: Final = (-0.5, -0.4, 0.3)
_EYES: Final[Mapping[str, tuple[Sequence[float], Sequence[float]]]] = {
    "myself": ((-2.0, 0.0, 1.2), (0.0, 0.0, 0.3)),
    "sally": ((1.6, 0.3, 1.0), (0.0, 0.2, 0.3)),
}


def scene() -> Scene:
    """The scene; the lamp stands where nobody looks, the pane is of glass."""
    entities = (
        Entity("floor", "Floor", plane(), is_support=True, is_fixture=True, static=True,
               pose=pose_of([0, 0, 0])),
        Entity("table", "Table", box(np.array([1.6, 1.8, 0.2])), is_support=True, static=True,
               is_fixture=True, pose=pose_of([0, 0, 0.1])),
        Entity("wall", "Wall", box(np.array([0.05, 0.9, 0.7])), is_fixture=True, static=True,
               pose=pose_of([-0.2, -0.45, 0.55])),
        Entity("lamp", "Lamp", box(np.array([0.2, 0.2, 0.4])), pose=pose_of([-0.8, 2.4, 0.2])),
        Entity("cube", "Cube", box(np.array([0.2, 0.2, 0.2])), color=(1.0, 0.0, 0.0)),
        Entity("marble", "Ball", sphere(0.1), color=(0.0, 0.7, 0.1)),
        Entity("crate", "Box", bin_shape(np.array([0.3, 0.3, 0.2]), 0.02, 0.02)),
        Entity("pane", "Window", box(np.array([0.02, 0.6, 0.6])), transparent=True,
               color=(0.1, 0.2, 1.0)),
    )  # fmt: skip
    agents = (Agent("myself", "Robot", head=look(*_EYES["myself"])), Agent("sally", "Human"))
    return Scene("room", {e.name: e for e in entities}, {a.name: a for a in agents}, sensors={})


def look(at: Sequence[float], to: Sequence[float]) -> Pose:
    """A head at a place, upright, that looks at another one."""
    x, y, z = (b - a for a, b in zip(at, to, strict=True))
    yaw, pitch = math.atan2(y, x) / 2, -math.atan2(z, math.hypot(x, y)) / 2
    (a, b), (c, d) = ((math.sin(half), math.cos(half)) for half in (yaw, pitch))
    return pose_of([*at, -a * c, b * c, a * d, b * d])


class Room:
    """The room while time goes on, ten frames a second, and its pictures."""

    def __init__(self, sight: CloseUpSight, width: int = 700) -> None:
        self.scene: Final = scene()
        self.reasons: Final = SpatialReasoner(self.scene, sight)
        self.painter: Final = Painter(sight, "room", minds_of(self.scene), width)
        self.t = 0.0

    def wait(self, seconds: float, sally: bool = True, **places: Sequence[float]) -> "Room":
        """Lets time pass; the cube, the marble and the given objects are perceived."""
        for _ in range(round(seconds * 10)):
            self.reasons.tick(self.frame(sally, **places))
        return self

    def frame(self, sally: bool = True, **places: Sequence[float]) -> Frame:
        """The next frame."""
        self.t = round(self.t + 0.1, 3)
        where = {"cube": CUBE, "marble": _MARBLE, **places}
        things = {name: Percept(pose_of([*place])) for name, place in where.items()}
        heads = {"sally": {"head": look(*_EYES["sally"])}} if sally else {}
        return Frame(self.t, "eye", things, agents=heads)

    def sheet(self) -> Overview:
        return self.painter.sheet(self.reasons)

    def colour(self, name: str) -> Floats:
        return np.array(colour_of(self.scene.entities[name]), dtype=float)


def shown(sheet: Overview, model: str, kind: str) -> tuple[Placement, Floats]:
    """A panel of a sheet, and its points."""
    [place] = [one for one in sheet.panels if (one.model, one.kind) == (model, kind)]
    left, top, right, low = place.box
    return place, np.asarray(sheet.image, dtype=float)[top:low, left:right]


def share(points: Floats, colour: Floats) -> float:
    """Which share of points is of a colour, however bright."""
    length = np.linalg.norm(points, axis=-1) * np.linalg.norm(colour)
    return float((points @ colour > 0.9985 * np.maximum(length, 1e-9)).mean())
