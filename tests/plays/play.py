"""A play: objects and people that a camera perceives 25 times a second, and the resulting beliefs.

A test directs it: it places things, makes people stand, walk, look and carry, and lets time pass.
The frames are recorded, and processed when the test first asks for the reasoner, a delta or a fact;
from then on each frame is processed at once. The facts of each mind are the fold of its deltas.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, Self

import numpy as np

from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.geometry.poses import Pose, pose_of
from spatial_reasoner.scene.scene import Scene
from spatial_reasoner.sight.close_ups import CloseUpSight
from spatial_reasoner.tick.reasoner import SpatialReasoner
from spatial_reasoner.values.delta import BeliefDelta
from spatial_reasoner.values.frames import Frame, Percept, Unnamed

__all__ = ["STEP", "Facts", "Play", "Recording", "facing", "folded"]

STEP: Final = 0.04
_HANGING: Final = {"right": (0.1, -0.3, -0.7), "left": (0.1, 0.3, -0.7)}
"""The poses of hanging hands relative to a head that looks ahead."""
Facts = dict[str, set[str]]
Place = Sequence[float] | Floats
Noise = Callable[[Pose], Pose]


@dataclass(slots=True)
class Recording:
    """The frames of a play, and the times at which beliefs are compared."""

    scene: Scene
    frames: list[Frame] = field(default_factory=list)
    marks: list[float] = field(default_factory=list)


class Play:
    """One play; all verbs answer the play itself."""

    def __init__(self, scene: Scene, sight: CloseUpSight) -> None:
        self.recording: Final = Recording(scene)
        self._sight: Final = sight
        self._reasoner: SpatialReasoner | None = None
        self._deltas: Final[list[tuple[float, BeliefDelta]]] = []
        self._facts: Final[Facts] = {}
        self._waiting: Final[list[Frame | None]] = []
        """The frames and ends (None) that are not processed yet."""
        self.things: Final[dict[str, Percept]] = {}
        """The percepts of the camera, by name."""
        self.strangers: Final[list[Unnamed]] = []
        self.people: Final[dict[str, dict[str, Pose]]] = {}
        self.now = 0.0
        self._noise: Noise = lambda pose: pose

    # --- what there is ---

    def see(self, **places: Place) -> Self:
        """The camera perceives things at places, from the next frame on."""
        for name, place in places.items():
            self.things[name] = Percept(_posed(place))
        return self

    def bend(self, name: str, **joints: float) -> Self:
        """A thing with joints is perceived with them so."""
        self.things[name] = Percept(self.things[name].pose, joints)
        return self

    def miss(self, *names: str) -> Self:
        """The camera perceives things no more."""
        for name in names:
            del self.things[name]
        return self

    def stand(self, who: str, at: Place, toward: Place, **parts: Place) -> Self:
        """Places an agent who looks at a point; hands without a pose hang down."""
        head = facing(at, toward)
        ahead = np.array(toward[:2]) - np.array(at[:2])
        turn = math.atan2(ahead[1], ahead[0])
        hands = {f"{side}_hand": _beside(at, turn, by) for side, by in _HANGING.items()}
        hands |= {part: _posed(place) for part, place in parts.items()}
        self.people[who] = {"head": head, **hands}
        return self

    def look(self, who: str, toward: Place) -> Self:
        """Somebody turns the head."""
        self.people[who]["head"] = facing(self.people[who]["head"][:3], toward)
        return self

    def leave(self, *who: str) -> Self:
        """The camera perceives people no more."""
        for each in who:
            del self.people[each]
        return self

    def shake(self, noise: Noise) -> Self:
        """Adds noise to every pose that the camera reports."""
        self._noise = noise
        return self

    # --- what happens ---

    def wait(self, seconds: float) -> Self:
        """Time passes, and at its end comes a moment to compare."""
        for _ in range(round(seconds / STEP)):
            self.frame()
        self.recording.marks.append(self.now)
        return self

    def move(self, seconds: float, thing: str, *ways: Place) -> Self:
        """A thing moves from place to place."""
        for place in _along(self.things[thing].pose, ways, seconds):
            self.see(**{thing: place})
            self.frame()
        return self

    def reach(
        self, who: str, seconds: float, *ways: Place, carries: str = "", side: str = "right"
    ) -> Self:
        """A hand moves from place to place, and takes along what it carries, seen or not."""
        part = f"{side}_hand"
        start = self.people[who][part]
        by = self.things[carries].pose[:3] - start[:3] if carries in self.things else np.zeros(3)
        for place in _along(start, ways, seconds):
            self.people[who][part] = _posed(place)
            if carries in self.things:
                self.see(**{carries: [*(np.array(place[:3]) + by), *place[3:]]})
            self.frame()
        return self

    def frame(self, *, source: str = "camera", late: float = 0.0) -> Self:
        """Makes one frame of all present percepts, and advances the time by one frame."""
        things = {
            name: Percept(self._noise(each.pose), each.joints) for name, each in self.things.items()
        }
        strangers = tuple(Unnamed(each.shape, self._noise(each.pose)) for each in self.strangers)
        people = {
            who: {part: self._noise(pose) for part, pose in parts.items()}
            for who, parts in self.people.items()
        }
        self.give(Frame(round(self.now - late, 6), source, things, strangers, people))
        self.now = round(self.now + STEP, 6)
        return self

    def give(self, frame: Frame) -> Self:
        """A frame as it is."""
        self.recording.frames.append(frame)
        return self._next(frame)

    def end(self) -> Self:
        """No more frames come."""
        return self._next(None)

    def live(self) -> Self:
        """From now on each frame is processed at once."""
        assert self.reasoner
        return self

    def close(self) -> None:
        """Releases the reasoner, if there is one."""
        if self._reasoner is not None:
            self._reasoner.close()

    # --- what is believed ---

    @property
    def reasoner(self) -> SpatialReasoner:
        """The reasoner, after all frames until now."""
        if self._reasoner is None:
            self._reasoner = SpatialReasoner(self.recording.scene, self._sight)
            self._process(self._reasoner)
        return self._reasoner

    @property
    def told(self) -> list[tuple[float, BeliefDelta]]:
        """Every delta, and when it was published."""
        assert self.reasoner
        return self._deltas

    @property
    def facts(self) -> Facts:
        """The facts of each mind."""
        assert self.reasoner
        return self._facts

    def holds(self, model: str, fact: str) -> bool:
        """Whether a mind believes a fact."""
        return fact in self.facts.get(model, set())

    def about(self, model: str, *words: str) -> set[str]:
        """The facts of a mind that have all of some words, kinds apart."""
        return {
            fact
            for fact in self.facts.get(model, set())
            if set(words) <= set(fact.split()) and fact.split()[1] != "a"
        }

    def where(self, model: str, thing: str) -> set[str]:
        """The places of an object that a mind believes: on, in, or held by something."""
        found = set()
        for fact in self.facts.get(model, set()):
            subject, predicate, value = fact.split()
            if subject == thing and predicate in ("isOn", "isIn", "isInHand"):
                found.add(f"{predicate} {value}")
        return found

    def since(self, model: str, fact: str) -> float:
        """When a fact last began; never is infinite."""
        times = [t for t, each in self.told if each.model == model and fact in each.add]
        return times[-1] if times else math.inf

    def flips(self, model: str, fact: str) -> int:
        """The number of times that a fact began or ceased."""
        return sum(
            fact in each.add or fact in each.retract for _, each in self.told if each.model == model
        )

    def _next(self, frame: Frame | None) -> Self:
        self._waiting.append(frame)
        if self._reasoner is not None:
            self._process(self._reasoner)
        return self

    def _process(self, reasoner: SpatialReasoner) -> None:
        while self._waiting:
            frame = self._waiting.pop(0)
            deltas = reasoner.finish() if frame is None else reasoner.tick(frame)
            self._deltas.extend((reasoner.now, delta) for delta in deltas)
            folded(deltas, self._facts)


def folded(deltas: Sequence[BeliefDelta], facts: Facts) -> Facts:
    """Adds deltas to what is believed: each is net, so nothing begins twice or ceases unheld."""
    for delta in deltas:
        if delta.memory != "long_term":
            continue
        held = facts.setdefault(delta.model, set())
        assert not held.intersection(delta.add), (delta.model, held.intersection(delta.add))
        assert held.issuperset(delta.retract), (delta.model, set(delta.retract) - held)
        held.difference_update(delta.retract)
        held.update(delta.add)
    return facts


def facing(at: Place, toward: Place) -> Pose:
    """The pose of a head at a place that looks straight at another one, upright."""
    x, y, z = (float(b) - float(a) for a, b in zip(at[:3], toward[:3], strict=True))
    yaw, pitch = math.atan2(y, x) / 2, -math.atan2(z, math.hypot(x, y)) / 2
    cy, sy, cp, sp = math.cos(yaw), math.sin(yaw), math.cos(pitch), math.sin(pitch)
    return pose_of([*at[:3], -sy * sp, cy * sp, sy * cp, cy * cp])


def _posed(place: Place) -> Pose:
    return pose_of([float(number) for number in place])


def _beside(at: Place, turn: float, by: Place) -> Pose:
    c, s = math.cos(turn), math.sin(turn)
    x, y, z = by
    return pose_of([at[0] + c * x - s * y, at[1] + s * x + c * y, at[2] + z])


def _along(start: Pose, ways: Sequence[Place], seconds: float) -> list[Floats]:
    """The places on the way from place to place, one a frame, at one speed."""
    places = [np.asarray(start[:3]), *(np.asarray(way[:3], dtype=np.float64) for way in ways)]
    lengths = [float(np.linalg.norm(b - a)) for a, b in pairwise(places)]
    gone = np.concatenate([[0.0], np.cumsum(lengths)])
    at = np.linspace(0, gone[-1], round(seconds / STEP) + 1)[1:]
    return [np.array([np.interp(s, gone, [p[k] for p in places]) for k in range(3)]) for s in at]
