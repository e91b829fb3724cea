"""A small room for the tests of worlds: values, with no file behind them."""

from collections.abc import Mapping

import numpy as np

from spatial_reasoner.geometry.poses import pose_of
from spatial_reasoner.geometry.shapes import box, sphere
from spatial_reasoner.scene.scene import Agent, Entity, Scene
from spatial_reasoner.values.frames import Frame, Percept
from spatial_reasoner.values.roster import Roster

__all__ = ["frame", "roster", "scene"]


def scene() -> Scene:
    """A table that can't move, a ball and a cube on it, the robot and Sally."""
    entities = (
        Entity("table", "Table", box(np.array([1.0, 1.0, 0.05])), is_support=True,
               pose=pose_of([0, 0, 0.7]), static=True, is_fixture=True),
        Entity("ball", "Ball", sphere(0.05)),
        Entity("cube", "Cube", box(np.array([0.1, 0.1, 0.1])), is_support=True),
    )  # fmt: skip
    agents = (Agent("myself", "Robot"), Agent("sally", "Human"))
    return Scene("room", {e.name: e for e in entities}, {a.name: a for a in agents}, sensors={})


def roster() -> Roster:
    return Roster(scene())


def frame(t: float, **places: list[float]) -> Frame:
    """Things perceived at some places by a source called `eye`."""
    seen: Mapping[str, Percept] = {name: Percept(pose_of(at)) for name, at in places.items()}
    return Frame(t, "eye", seen)
