"""A gripper as a source: what is between its fingers, though nobody knows what that is.

It is told its opening and its effort, as readings in the feed:

    {"t": 3.2, "source": "gripper", "reading": {"opening": 0.05, "effort": 6.0}}

A gripper that presses on something has a thing as wide as its opening between its fingers, and goes
on having it where no camera sees it. Where something of that size is believed to be, it is that.
A reading may say where the hand is (`hand`, a pose); else it is where others last perceived it.

The shape is a guess: a cylinder as high as the opening is wide lies between a ball and a cube, so
it is taken for either. What is longer is told in the settings.
"""

from collections.abc import Mapping
from typing import Final

import numpy as np

from spatial_reasoner.errors import FrameError
from spatial_reasoner.geometry.poses import IDENTITY, Pose, compose
from spatial_reasoner.geometry.shapes import Shape, cylinder
from spatial_reasoner.percepts.feed import Feed
from spatial_reasoner.percepts.frame_file import read_frame
from spatial_reasoner.scene.fields import Spot, choice, fields, number, optional, pose, text
from spatial_reasoner.scene.scene import GRASPING, MYSELF, Scene
from spatial_reasoner.scene.shape_fields import read_shape, written_shape
from spatial_reasoner.sources.protocol import Surroundings, spot
from spatial_reasoner.values.frames import Frame

__all__ = ["Gripper", "make"]

_FIELDS: Final = ("name", "agent", "hand", "grip", "least", "effort", "shape")
_READING: Final = ("opening", "effort", "hand")
_WIDEST: Final = 1.0
_STRONGEST: Final = 1e5


class Gripper:
    """One gripper, which is a hand of an agent.

    `grip` is the place between the fingers as the hand sees it. Something is there when the
    fingers are at least `least` apart (metres) and press with at least `effort` (as the gripper
    tells it). Each reading gives a frame, which may say that the hand is empty.
    """

    def __init__(
        self,
        scene: Scene,
        name: str = "gripper",
        agent: str = MYSELF,
        hand: str = "right_hand",
        grip: Pose = IDENTITY,
        least: float = 0.002,
        effort: float = 1.0,
        shape: Shape | None = None,
    ) -> None:
        self.name: Final = name
        self._scene: Final = scene
        self._agent: Final = agent
        self._part: Final = hand
        self._grip: Final = grip
        self._least: Final = least
        self._effort: Final = effort
        self._shape: Final = shape
        given = scene.agents[agent].parts.get(hand)
        self._hand: Pose | None = given

    async def run(self, feed: Feed) -> None:
        """Reads from now on what is told under its name; it has nothing to give by itself."""
        feed.heard.append(self.saw)
        feed.translate(self.name, self.read)

    def saw(self, frame: Frame) -> None:
        """Remembers where its hand was perceived."""
        hand = frame.agents.get(self._agent, {}).get(self._part)
        if hand is not None:
            self._hand = np.asarray(hand, dtype=np.float64)

    def read(self, t: float, reading: Mapping[str, object]) -> Frame:
        """What a reading says; FrameError names the field that is wrong."""
        here = Spot("reading", FrameError)
        given = fields(here, reading, _READING)
        opening = number(here / "opening", given.get("opening"), 0.0, _WIDEST)
        effort = number(here / "effort", given.get("effort"), -_STRONGEST, _STRONGEST)
        hand = optional(given, here, "hand", pose)
        said: dict[str, object] = {"t": t, "source": self.name}
        if hand is not None:
            self._hand = hand
            said["agents"] = {self._agent: {self._part: hand.tolist()}}
        if opening >= self._least and abs(effort) >= self._effort:
            said["unnamed"] = [self._held(here / "hand", opening)]
        else:
            said["empty"] = {self._agent: [self._part]}
        return read_frame(said, self._scene)

    def _held(self, where: Spot, opening: float) -> dict[str, object]:
        if self._hand is None:
            raise where.wrong(f"is missing: nobody has perceived the {self._part} yet")
        shape = self._shape or cylinder(opening / 2, opening)
        place = compose(self._hand, self._grip)
        return {"shape": written_shape(shape), "pose": place.tolist()}


def make(settings: Mapping[str, object], around: Surroundings) -> Gripper:
    """Settings: `name` (gripper), `agent` (myself), `hand` (right_hand), `grip`, a pose in the
    hand, `least` and `effort`, and `shape`, when what it takes is not about as long as wide.
    """
    here = spot("gripper")
    given = fields(here, settings, _FIELDS)
    return Gripper(
        around.scene,
        text(here / "name", given.get("name", "gripper")),
        choice(here / "agent", given.get("agent", MYSELF), around.scene.agents, "agent"),
        choice(here / "hand", given.get("hand", "right_hand"), GRASPING, "hand"),
        pose(here / "grip", given.get("grip", IDENTITY.tolist())),
        number(here / "least", given.get("least", 0.002), 0.0, _WIDEST),
        number(here / "effort", given.get("effort", 1.0), 0.0, _STRONGEST),
        optional(given, here, "shape", read_shape),
    )
