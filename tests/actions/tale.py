"""Tales: the poses of a ball, a cup and some hands at each time, sampled for a detector.

Support and containment are decided in the simplest way: the table is flat, the box is a square
region in the air above it, and a hand holds an object if the tale says so.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Self

import numpy as np

from spatial_reasoner.actions.actions import Actions, Witness
from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.geometry.poses import compose
from spatial_reasoner.relations.hands import NO_HAND
from spatial_reasoner.relations.relations import NOWHERE
from spatial_reasoner.tolerances.tolerances import Tolerances
from spatial_reasoner.values.action_recognition import Action

__all__ = ["AWAY", "BOX", "SPOT", "Tale", "on_table"]

NAMES: Final = ("table", "box", "ball", "cup", "sally_right", "sally_left", "anne_right")
AGENTS: Final = ("sally", "anne")
OWNERS: Final = np.array([-1, -1, -1, -1, 0, 0, 1])
TOP: Final = 0.75
HALF: Final = 0.04
"""The ball and the cup reach so far from their middles."""
BOX: Final = (0.4, 0.0)
SPOT: Final = (0.0, 0.0)
AWAY: Final = (0.0, 2.0, 0.9)
"""A place of a hand that is far from everything."""
_FREE: Final = 9.81 / 2
Place = Sequence[float]


def on_table(at: tuple[float, float] = SPOT, lift: float = 0.0) -> tuple[float, float, float]:
    """The centre of an object that stands on the table, or is lifted from it by `lift` metres."""
    return (*at, TOP + HALF + lift)


@dataclass(slots=True)
class Tale:
    """Tracks of things and hands, and who holds what from when on."""

    tracks: dict[str, list[tuple[float, Place]]] = field(default_factory=dict)
    held: dict[str, list[tuple[float, str]]] = field(default_factory=dict)
    unseen: dict[str, tuple[float, float]] = field(default_factory=dict)
    floats: set[str] = field(default_factory=set)
    """The objects that would fall without a hand or a support."""
    noise: float = 0.0
    now: float = 0.0
    tolerances: Tolerances = field(default_factory=Tolerances)

    def at(self, name: str, place: Place) -> Self:
        """Something is somewhere now."""
        self.tracks.setdefault(name, []).append((self.now, place))
        return self

    def wait(self, seconds: float) -> Self:
        """Time passes, and all stays where it is."""
        for track in self.tracks.values():
            track.append((self.now, track[-1][1]))
        self.now = round(self.now + seconds, 6)
        for track in self.tracks.values():
            track.append((self.now, track[-1][1]))
        return self

    def go(self, seconds: float, **places: Place) -> Self:
        """Some go somewhere, straight; the others stay."""
        before = {name: track[-1][1] for name, track in self.tracks.items()}
        for name, place in before.items():
            self.at(name, place)
        self.now = round(self.now + seconds, 6)
        for name, place in before.items():
            self.at(name, places.get(name, place))
        return self

    def fall(self, name: str, bottom: float) -> Self:
        """Something falls until its middle is at a height."""
        x, y, z = self.tracks[name][-1][1]
        begin, lasts = self.now, math.sqrt((z - bottom) / _FREE)
        for share in np.linspace(0, 1, 30)[1:]:
            after = float(share) * lasts
            self.now = round(begin + after, 6)
            self.at(name, (x, y, z - _FREE * after**2))
        return self

    def take(self, hand: str, name: str) -> Self:
        """A hand holds something from now on; "" for none."""
        self.held.setdefault(name, []).append((self.now, hand))
        return self

    def lift(self, hand: str, name: str, *ways: Place, seconds: float = 0.4) -> Self:
        """A hand that holds something takes it along."""
        for way in ways:
            thing, there = self.tracks[name][-1][1], self.tracks[hand][-1][1]
            grip = np.subtract(there, thing)
            self.go(seconds, **{name: way, hand: tuple(np.add(way, grip))})
        return self

    def told(
        self, hz: float = 25.0, turn: float = 0.0, shift: Place = (0, 0, 0), later: float = 0.0
    ) -> list[Action]:
        """The actions that are recognised in it, by the whole shifted, turned, later."""
        actions, found = Actions(self.tolerances), []
        whole = np.array([*shift, 0, 0, math.sin(turn / 2), math.cos(turn / 2)])
        random = np.random.default_rng(7)
        for tick in range(int(self.now * hz) + 1):
            found += actions.notice(self._witness(tick / hz, whole, later, random))
        return found

    def words(self, hz: float = 25.0) -> list[str]:
        """The same in words."""
        return [worded(action) for action in self.told(hz)]

    def _witness(
        self, t: float, whole: Floats, later: float, random: np.random.Generator
    ) -> Witness:
        count = len(NAMES)
        place = np.array([self._place(name, t) for name in NAMES])
        place += random.normal(0, self.noise, place.shape) if self.noise else 0.0
        holder = np.array([self._holder(name, t) for name in NAMES])
        on, inside = _resting(place)
        poses = np.hstack([place, np.tile([0.0, 0, 0, 1], (count, 1))])
        poses = compose(np.tile(whole, (count, 1)), poses)
        thing = np.isin(np.arange(count), [2, 3])
        seen = np.array([not self._is_unseen(name, t) for name in NAMES])
        said = np.zeros((count, count), dtype=bool)
        floats = np.array([name in self.floats for name in NAMES])
        is_up = (on == NOWHERE) & (inside == NOWHERE) & (holder == NO_HAND)
        return Witness(
            now=t + later, pose=poses, centre=poses[:, :3],
            bottom=np.where(thing, poses[:, 2] - HALF, poses[:, 2]),
            raised=np.zeros(len(poses)),
            reach=np.where(thing, HALF, 0.0), movable=thing,
            placed=np.array([name in self.tracks or name in ("table", "box") for name in NAMES]),
            perceived=seen, last=np.where(seen, t + later, -np.inf),
            plausible=~(floats & is_up), on=on, inside=inside, said=said,
            holder=holder, unsure=np.zeros(count, dtype=bool),
            dropped=np.zeros(count, dtype=bool), brought=np.zeros(count, dtype=bool),
            passed=np.full(count, -np.inf), hands=np.array([4, 5, 6]),
            there=seen, owner=OWNERS, agents=2,
        )  # fmt: skip

    def _place(self, name: str, t: float) -> Place:
        if name not in self.tracks:
            return {"table": (0, 0, TOP), "box": (*BOX, TOP + 0.1)}.get(name, (9, 9, 9))
        track = self.tracks[name]
        times = [each[0] for each in track]
        return [float(np.interp(t, times, [each[1][k] for each in track])) for k in range(3)]

    def _holder(self, name: str, t: float) -> int:
        hands = [hand for since, hand in self.held.get(name, ()) if since <= t + 1e-9]
        return NAMES.index(hands[-1]) if hands and hands[-1] else NO_HAND

    def _is_unseen(self, name: str, t: float) -> bool:
        begin, end = self.unseen.get(name, (math.inf, math.inf))
        return begin <= t < end


def worded(action: Action) -> str:
    """An action in words: `Pick ball by sally from table`."""
    parts: Mapping[str, str | None] = {
        "by": None if action.performer is None else AGENTS[action.performer],
        "to": None if action.receiver is None else AGENTS[action.receiver],
        "from": None if action.source is None else NAMES[action.source],
        "at": None if action.goal is None else NAMES[action.goal],
    }
    told = [f"{word} {who}" for word, who in parts.items() if who is not None]
    return " ".join([action.kind, NAMES[action.thing], *told])


def _resting(place: Floats) -> tuple[np.ndarray, np.ndarray]:
    """The supports and the containers of the ball and the cup."""
    on, inside = np.full((2, len(place)), NOWHERE)
    for row in (2, 3):
        x, y, z = place[row]
        if abs(x - BOX[0]) < 0.1 and abs(y - BOX[1]) < 0.1 and TOP <= z < TOP + 0.2:
            inside[row] = 1
        elif abs(x) < 1 and abs(y) < 1 and abs(z - HALF - TOP) <= 0.03:
            on[row] = 0
    return on, inside
