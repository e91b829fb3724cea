"""A choreography: poses over time, and the percept frames that a camera makes of them.

Objects are placed; people enter, look, walk, grasp and carry; time passes. Each verb is a method
that returns the choreography itself. It makes only frames, 25 a second. All beliefs come from
the reasoner.

>>> made = Choreography().put(ball=(0.3, 0, 0.8)).enter("sally", (1, 0, 1.5), (0, 0, 0.8))
>>> frames = made.wait(1.0).frames
>>> len(frames), sorted(frames[-1].agents["sally"])
(25, ['head', 'left_hand', 'right_hand'])
"""

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, Self

import numpy as np

from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.geometry.poses import Pose, pose_of
from spatial_reasoner.values.frames import Frame, Percept

__all__ = ["STEP", "Choreography", "Place"]

STEP: Final = 0.04
"""Seconds from frame to frame."""
_SOURCE: Final = "camera"
_HANGING: Final = {"right_hand": (0.1, -0.3, -0.7), "left_hand": (0.1, 0.3, -0.7)}
"""Where hands hang, relative to a head that looks ahead."""
_GRIP: Final = (0.05, 0.035)
"""Metres from an object's centre to a hand that grips it: sideways to its owner, and up."""
Place = Sequence[float] | Floats
"""A position `x, y, z`, or a pose with a quaternion."""


class Choreography:
    """A scene over time; `frames` are all frames so far."""

    def __init__(self) -> None:
        self.frames: Final[list[Frame]] = []
        self.now = 0.0
        self._things: Final[dict[str, Percept]] = {}
        self._people: Final[dict[str, dict[str, Pose]]] = {}
        self._held: Final[dict[str, tuple[str, Floats]]] = {}
        """By person: the object in the right hand, and its offset from the hand."""

    # --- objects and people ---

    def put(self, **places: Place) -> Self:
        """Places objects, from the next frame on."""
        for name, place in places.items():
            self._things[name] = Percept(_posed(place))
        return self

    def bend(self, name: str, **joints: float) -> Self:
        """Sets the joints of an object."""
        self._things[name] = Percept(self._things[name].pose, joints)
        return self

    def miss(self, *names: str) -> Self:
        """Objects are not perceived any more."""
        for name in names:
            del self._things[name]
        return self

    def enter(self, who: str, at: Place, toward: Place) -> Self:
        """A person appears with the head `at` a position, looking toward another; the hands
        hang."""
        self._people[who] = {"head": _facing(at, toward), **_hanging(at, toward)}
        return self

    def look(self, who: str, toward: Place) -> Self:
        """A person turns only the head."""
        parts = self._people[who]
        self._people[who] = {**parts, "head": _facing(parts["head"][:3], toward)}
        return self

    def leave(self, *who: str) -> Self:
        """People are not perceived any more."""
        for each in who:
            del self._people[each]
        return self

    # --- movements ---

    def wait(self, seconds: float) -> Self:
        """Time passes."""
        for _ in range(round(seconds / STEP)):
            self._frame()
        return self

    def move(self, thing: str, *ways: Place, seconds: float) -> Self:
        """An object moves from position to position by itself."""
        old = self._things[thing]
        for place in _along(old.pose, ways, seconds):
            self._things[thing] = Percept(_posed([*place, *old.pose[3:]]), old.joints)
            self._frame()
        return self

    def walk(self, who: str, *ways: Place, toward: Place | None = None, seconds: float) -> Self:
        """A person walks from position to position and looks ahead, at the end toward a position.

        An object in the hand moves along.
        """
        start = self._people[who]["head"]
        before = np.asarray(start[:3])
        for place in _along(start, ways, seconds):
            self.enter(who, place, place + (place - before) if (place != before).any() else place)
            self._take_along(who)
            before = place
            self._frame()
        if toward is not None:
            self.enter(who, before, toward)
            self._take_along(who)
        return self

    def reach(self, who: str, *ways: Place, seconds: float) -> Self:
        """The right hand moves from position to position, together with the object it holds."""
        for place in _along(self._people[who]["right_hand"], ways, seconds):
            self._people[who] = {**self._people[who], "right_hand": _posed(place)}
            self._take_along(who)
            self._frame()
        return self

    def take(self, who: str, thing: str, *over: Place, seconds: float = 0.8) -> Self:
        """The right hand reaches for an object, via some positions, and grips it."""
        at = np.asarray(self._things[thing].pose[:3])
        hand = at + self._grip(who, at)
        self.reach(who, *over, hand, seconds=seconds).wait(0.2)
        self._held[who] = (thing, at - hand)
        return self

    def carry(self, who: str, *ways: Place, seconds: float = 1.6) -> Self:
        """The hand moves the object it holds from position to position."""
        _, by = self._held[who]
        return self.reach(who, *(np.asarray(way[:3]) - by for way in ways), seconds=seconds)

    def let_go(self, who: str, *over: Place, seconds: float = 0.8) -> Self:
        """The hand releases its object, and returns via some positions to where it hangs."""
        del self._held[who]
        head = self._people[who]["head"]
        ahead = _turned(head)
        return self.wait(0.2).reach(
            who, *over, _beside(head, ahead, _HANGING["right_hand"]), seconds=seconds
        )

    # --- frames ---

    def _take_along(self, who: str) -> None:
        if who in self._held:
            thing, by = self._held[who]
            old = self._things[thing]
            at = np.asarray(self._people[who]["right_hand"][:3]) + by
            self._things[thing] = Percept(_posed([*at, *old.pose[3:]]), old.joints)

    def _grip(self, who: str, at: Floats) -> Floats:
        """The offset from an object to the hand that grips it."""
        aside, above = _GRIP
        away = np.asarray(self._people[who]["head"][:2]) - at[:2]
        x, y = aside * away / max(float(np.linalg.norm(away)), aside)
        return np.array([x, y, above])

    def _frame(self) -> None:
        """Adds a frame of everything perceived now, and advances the time."""
        people = {who: dict(parts) for who, parts in self._people.items()}
        self.frames.append(Frame(self.now, _SOURCE, dict(self._things), (), people))
        self.now = round(self.now + STEP, 6)


def _facing(at: Place, toward: Place) -> Pose:
    """The upright pose of a head at a position that looks straight at another one."""
    x, y, z = (float(b) - float(a) for a, b in zip(at[:3], toward[:3], strict=True))
    yaw, pitch = math.atan2(y, x) / 2, -math.atan2(z, math.hypot(x, y)) / 2
    cy, sy, cp, sp = math.cos(yaw), math.sin(yaw), math.cos(pitch), math.sin(pitch)
    return pose_of([*at[:3], -sy * sp, cy * sp, sy * cp, cy * cp])


def _hanging(at: Place, toward: Place) -> dict[str, Pose]:
    turn = math.atan2(float(toward[1]) - float(at[1]), float(toward[0]) - float(at[0]))
    return {part: _beside(at, turn, by) for part, by in _HANGING.items()}


def _turned(head: Pose) -> float:
    """The yaw of a head in radians."""
    x, y, z, w = head[3:]
    return math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))


def _beside(at: Place, turn: float, by: Place) -> Pose:
    c, s = math.cos(turn), math.sin(turn)
    x, y, z = by
    return pose_of([at[0] + c * x - s * y, at[1] + s * x + c * y, at[2] + z])


def _posed(place: Place) -> Pose:
    return pose_of([float(number) for number in place])


def _along(start: Pose, ways: Sequence[Place], seconds: float) -> Iterator[Floats]:
    """Positions along a path, one a frame, at constant speed."""
    places = [np.asarray(start[:3]), *(np.asarray(way[:3], dtype=np.float64) for way in ways)]
    lengths = [float(np.linalg.norm(b - a)) for a, b in pairwise(places)]
    gone = np.concatenate([[0.0], np.cumsum(lengths)])
    for s in np.linspace(0, gone[-1], round(seconds / STEP) + 1)[1:]:
        yield np.array([np.interp(s, gone, [p[k] for p in places]) for k in range(3)])
