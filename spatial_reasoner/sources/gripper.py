"""A gripper as a source of percepts: it observes that something is between its fingers.

It gets its opening (metres) and its effort as readings through the feed:

    {"t": 3.2, "source": "gripper", "reading": {"opening": 0.05, "effort": 6.0}}

A gripper that presses on something holds an object as wide as its opening, and continues to observe
it where no camera does. If an object of similar volume is believed at that place, it is that
object. A reading may give the pose of the hand (`hand`); otherwise the last pose from another
source counts.

The default shape is a guess: a cylinder as high as the opening is wide. Its volume lies between
those of a ball and a cube, so it matches either. For longer objects, set `shape`.
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
from spatial_reasoner.tolerances.units import Limit, Measure
from spatial_reasoner.values.frames import Frame

__all__ = ["Gripper", "make"]

_FIELDS: Final = ("name", "agent", "hand", "grip", "least", "effort", "shape")
_READING: Final = ("opening", "effort", "hand")
_LEAST: Final[Measure] = 0.002
"""Metres: the fingers are at least this far apart when they hold something."""
_WIDEST: Final[Limit] = 1.0
"""Metres: greatest opening."""
_STRONGEST: Final[Limit] = 1e5
"""Greatest effort, in the units of the gripper."""


class Gripper:
    """One gripper, which is a hand of an agent.

    `grip` is the pose between the fingers in the frame of the hand. The gripper holds something
    when the fingers are at least `least` apart (metres) and press with at least `effort` (in the
    units of the gripper). Each reading gives a frame, which may report the hand as empty.
    """

    def __init__(
        self,
        scene: Scene,
        name: str = "gripper",
        agent: str = MYSELF,
        hand: str = "right_hand",
        grip: Pose = IDENTITY,
        least: float = _LEAST,
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
        """Registers for the readings of this source; it sends no frames by itself."""
        feed.heard.append(self.saw)
        feed.translate(self.name, self.read)

    def saw(self, frame: Frame) -> None:
        """Stores the pose of its hand, if the frame has it."""
        hand = frame.agents.get(self._agent, {}).get(self._part)
        if hand is not None:
            self._hand = np.asarray(hand, dtype=np.float64)

    def read(self, t: float, reading: Mapping[str, object]) -> Frame:
        """Makes a frame from a reading; raises FrameError with the invalid field."""
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
            raise where.wrong(f"is missing: no source has observed the {self._part} yet")
        shape = self._shape or cylinder(opening / 2, opening)
        place = compose(self._hand, self._grip)
        return {"shape": written_shape(shape), "pose": place.tolist()}


def make(settings: Mapping[str, object], around: Surroundings) -> Gripper:
    """Makes a gripper from its settings, all optional.

    `name` (gripper), `agent` (myself), `hand` (right_hand), `grip` (a pose in the frame of the
    hand), `least` and `effort`; `shape`, if the objects are not about as long as wide.
    """
    here = spot("gripper")
    given = fields(here, settings, _FIELDS)
    return Gripper(
        around.scene,
        text(here / "name", given.get("name", "gripper")),
        choice(here / "agent", given.get("agent", MYSELF), around.scene.agents, "agent"),
        choice(here / "hand", given.get("hand", "right_hand"), GRASPING, "hand"),
        pose(here / "grip", given.get("grip", IDENTITY.tolist())),
        number(here / "least", given.get("least", _LEAST), 0.0, _WIDEST),
        number(here / "effort", given.get("effort", 1.0), 0.0, _STRONGEST),
        optional(given, here, "shape", read_shape),
    )
