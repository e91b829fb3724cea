"""Rooms for the tests of reach in whole ticks: scenes as values, frames, and what is believed."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from typing import Final

import numpy as np

from spatial_reasoner.geometry.poses import pose_of
from spatial_reasoner.geometry.shapes import bin_shape, box, plane
from spatial_reasoner.scene.scene import Agent, Entity, Scene
from spatial_reasoner.sight.ray_sight import RaySight
from spatial_reasoner.tick.reasoner import SpatialReasoner
from spatial_reasoner.values.frames import Frame, Percept
from tests.reach.stage import TABLE, size

__all__ = ["STEP", "Believed", "looking", "paper_scene", "room", "running", "table", "tape"]

STEP: Final = 0.04


def looking(at: Sequence[float], to: Sequence[float]) -> list[float]:
    """The pose of a head somewhere that looks to somewhere."""
    away = np.subtract(to, at)
    yaw, pitch = np.arctan2(away[1], away[0]) / 2, -np.arctan2(away[2], np.hypot(*away[:2])) / 2
    cy, sy, cp, sp = np.cos(yaw), np.sin(yaw), np.cos(pitch), np.sin(pitch)
    return [*at, -sy * sp, cy * sp, sy * cp, cy * cp]


def table(at: Sequence[float] = (0, 0, 0.725)) -> Entity:
    """A table whose top is at 0.75, unless it is put elsewhere."""
    return Entity("table", "Table", TABLE, is_support=True, pose=pose_of(at), static=True,
                  is_fixture=True)  # fmt: skip


def tape(name: str, at: Sequence[float]) -> Entity:
    """A video tape that lies somewhere."""
    return Entity(name, "VideoTape", box(size(0.19, 0.1, 0.03)), is_support=True, pose=pose_of(at))


def room(entities: Iterable[Entity], agents: Iterable[Agent]) -> Scene:
    """A scene of some things and agents; the floor is always there."""
    floor = Entity("floor", "Floor", plane(), is_support=True, pose=pose_of([0, 0, 0]), static=True,
                   is_fixture=True)  # fmt: skip
    things = [floor, *entities]
    return Scene("room", {e.name: e for e in things}, {a.name: a for a in agents}, sensors={})


def paper_scene() -> Scene:
    """Two sit at a table, face to face, and each has two things before him (Lemaignan, fig. 6)."""
    pink = Entity("PINK_BOX", "Box", bin_shape(size(0.3, 0.22, 0.15), 0.01, 0.01),
                  is_support=True, is_container=True, pose=pose_of([0.3, -0.2, 0.825]))  # fmt: skip
    shoulders = {side: pose_of([-0.7, y, 1.0]) for side, y in (("right", -0.19), ("left", 0.19))}
    robot = Agent("myself", "Robot", head=pose_of(looking([-0.8, 0, 1.4], [0, 0, 0.75])),
                  shoulders=shoulders, arm=0.82, arm_model="pr2")  # fmt: skip
    human = Agent("human", "Human", head=pose_of(looking([0.8, 0, 1.3], [0, 0, 0.75])), height=1.7,
                  arm=0.7)  # fmt: skip
    tapes = [
        tape("WHITE_TAPE", [0.3, 0.15, 0.765]),
        tape("BLACK_TAPE", [-0.3, 0.15, 0.765]),
        tape("GREY_TAPE", [-0.3, -0.15, 0.765]),
    ]
    return room([table(), pink, *tapes], [robot, human])


class Believed:
    """A reasoner, and the facts that each model holds."""

    def __init__(self, reasoner: SpatialReasoner) -> None:
        self.reasoner: Final = reasoner
        self.facts: Final[dict[str, set[str]]] = {}
        self.changes: Final[list[tuple[float, str, str]]] = []
        """When, in which model, what began or (with a minus before it) ended."""
        self.now = 0.0

    def __contains__(self, told: tuple[str, str]) -> bool:
        """Whether a fact holds in a model."""
        model, fact = told
        return fact in self.facts.get(model, set())

    def tick(
        self,
        objects: Mapping[str, Sequence[float]] | None = None,
        agents: Mapping[str, Mapping[str, Sequence[float]]] | None = None,
        count: int = 1,
    ) -> None:
        """Runs identical frames at 25 Hz."""
        seen = {name: Percept(pose_of(at)) for name, at in (objects or {}).items()}
        parts = {
            agent: {part: pose_of(at) for part, at in each.items()}
            for agent, each in (agents or {}).items()
        }
        for _ in range(count):
            frame = Frame(round(self.now, 3), "eye", seen, agents=parts)
            for delta in self.reasoner.tick(frame):
                self._take(delta.model, delta.add, delta.retract)
            self.now += STEP

    def _take(self, model: str, add: Iterable[str], retract: Iterable[str]) -> None:
        held = self.facts.setdefault(model, set())
        held.difference_update(retract)
        held.update(add)
        self.changes.extend((self.now, model, f"-{fact}") for fact in retract)
        self.changes.extend((self.now, model, fact) for fact in add)


@contextmanager
def running(scene: Scene) -> Iterator[Believed]:
    """A reasoner on a scene; sight is by rays, which need nothing that isn't always there."""
    with closing(RaySight()) as sight, closing(SpatialReasoner(scene, sight)) as reasoner:
        yield Believed(reasoner)
