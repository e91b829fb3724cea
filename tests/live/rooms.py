"""The room that the edges are tried in, and frames of it."""

import json
from typing import Any, Final

from kb_server import Blackboard
from spatial_reasoner.percepts.frame_file import read_frame
from spatial_reasoner.scene.knowledge import BoardKnowledge
from spatial_reasoner.scene.scene import Scene
from spatial_reasoner.scene.scene_file import scene_of
from spatial_reasoner.values.frames import Frame

__all__ = ["ROOM", "frame", "line", "room", "said"]

ROOM: Final[dict[str, Any]] = {
    "name": "room",
    "depth": 2,
    "entities": {
        "table": {
            "class": "Table",
            "shape": {"box": [0.9, 1.4, 0.05]},
            "pose": [0, 0, 0.725],
            "static": True,
        },
        "box": {"class": "Box", "shape": {"bin": {"size": [0.3, 0.3, 0.3], "floor": 0.02,
                                                  "wall": 0.02}}},
        "ball": {"class": "Ball", "shape": {"sphere": 0.045}},
        "mug": {"class": "Mug", "shape": {"cylinder": [0.04, 0.1]}},
    },
    "agents": {
        "myself": {"class": "Robot", "head": [-1.2, 0, 1.5, 0, 0.28, 0, 0.96]},
        "sally": {"class": "Human", "head": [1.2, 0, 1.4, 0, 0, 1, 0]},
        "anne": {"class": "Human"},
    },
}  # fmt: skip


def room() -> Scene:
    """The room, read by common sense."""
    with Blackboard.local() as kb:
        return scene_of(ROOM, None, BoardKnowledge(kb))


def said(t: float, *things: str, source: str = "camera", **agents: list[float]) -> dict[str, Any]:
    """A frame as it is sent: things stand one beside the other in the order of their names."""
    return {
        "t": t,
        "source": source,
        "objects": {name: [0.1 * len(name), 0.1, 0.8] for name in things},
        "agents": {name: {"head": pose} for name, pose in agents.items()},
    }


def line(t: float, *things: str, **more: Any) -> str:
    """The same as a line of JSON."""
    return json.dumps(said(t, *things, **more))


def frame(scene: Scene, t: float, *things: str, **more: Any) -> Frame:
    """The same as it is read."""
    return read_frame(said(t, *things, **more), scene)
