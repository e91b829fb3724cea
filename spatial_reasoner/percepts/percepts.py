"""Turns frames into observations of the robot: identifies, filters and fuses percepts.

1. A named percept belongs to the object of that name.
2. An unnamed percept belongs to the object of similar volume that is believed at that place. If
   there is none, it becomes a new object with a generated name. Once an object without a place so
   far is observed by name at that place, the two are merged, and the past of the unnamed object is
   kept.
3. Several sources may observe one object. The newest percept counts; among percepts of the same
   tick, the one with the smallest covariance. All percepts with a covariance are fused. A percept
   without a covariance replaces those before it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from spatial_reasoner.belief.world import NEVER, Sensed, World
from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.geometry.poses import Pose, turn_between
from spatial_reasoner.geometry.shapes import Shape
from spatial_reasoner.relations.filtering import Measurement
from spatial_reasoner.scene.scene import Entity, Scene
from spatial_reasoner.tolerances.percepts import PerceptTolerances
from spatial_reasoner.values.frames import Frame, Percept, Unnamed
from spatial_reasoner.values.roster import Roster
from spatial_reasoner.values.uncertainty import UNTOLD

__all__ = ["HIDDEN", "Merger", "PerceptSettings", "plain_measurements"]

HIDDEN: Final = "unnamed"
"""Prefix of generated names; a number follows."""
_ARTIFACT: Final = "Artifact"
_NONE: Final[Floats] = np.empty(0)


@dataclass(frozen=True, slots=True)
class PerceptSettings:
    """Limits beyond which percepts are ignored; by default there are none.

    `outlier` is a speed in m/s: if an object appears to move faster, a second percept near the
    first one must confirm it. `still_sensor` is a speed in m/s: percepts of a sensor that moves
    faster itself are ignored.
    """

    outlier: float | None = None
    still_sensor: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class _Doubt:
    """An outlier that waits for a second percept to confirm it."""

    t: float
    place: Floats


class Merger:
    """Turns frames into the observations that the robot's world absorbs."""

    def __init__(
        self, scene: Scene, roster: Roster, settings: PerceptSettings, tolerances: PerceptTolerances
    ) -> None:
        self._tolerances: Final = tolerances
        self._scene: Final = scene
        self._roster: Final = roster
        self._settings: Final = settings
        self._doubts: Final[dict[int, _Doubt]] = {}
        self._sensors: Final[dict[str, tuple[float, Floats]]] = {}
        self._spread: Final[dict[int, float]] = {}
        self._weighed: Final[dict[int, list[Measurement]]] = {}
        """Percepts with a covariance since the last call of `weighed`, by row."""
        self._unsure: Final[set[int]] = set()
        """Rows whose newest percept has a covariance."""
        self._hidden = 0

    def merge(self, frame: Frame, world: World) -> tuple[Sensed, list[tuple[int, int]]]:
        """Returns the observations of a frame, and pairs of rows (unnamed, named) to merge.

        A late frame counts only for objects that nobody observed since.
        """
        if self._is_shaken(frame, world):
            return Sensed(np.empty(0, dtype=np.intp), np.empty((0, 7))), []
        found = [(row, percept) for row, percept in self._named(frame) if self._counts(
            row, percept, frame.t, world)]  # fmt: skip
        adopted = self._recognised({row for row, _ in found}, found, world) if self._hidden else []
        if frame.unnamed:
            found += list(self._unnamed(frame, {row for row, _ in found}, world))
        rows = np.array([row for row, _ in found], dtype=np.intp)
        poses = np.concatenate([_NONE, *[percept.pose for _, percept in found]]).reshape(-1, 7)
        joints = {row: percept.joints for row, percept in found if percept.joints}
        return Sensed(rows, poses, joints=joints), adopted

    def weighed(self) -> Sequence[Measurement]:
        """Returns the percepts with covariances since the last call."""
        measurements = [each for found in self._weighed.values() for each in found]
        self._weighed.clear()
        return measurements

    def _is_shaken(self, frame: Frame, world: World) -> bool:
        """Whether the sensor moved too fast for its percepts to be trusted."""
        limit = self._settings.still_sensor
        sensor = self._scene.sensor(frame.source)
        if limit is None or (sensor.on, sensor.part) not in self._roster.row_of_part:
            return False
        row = self._roster.part(sensor.on, sensor.part)
        said = frame.agents.get(sensor.on, {}).get(sensor.part)
        place = world.pose[row].copy() if said is None else said
        t, before = self._sensors.get(frame.source, (NEVER, place))
        self._sensors[frame.source] = (frame.t, place.copy())
        way = float(np.linalg.norm(place[:3] - before[:3]))
        way += float(turn_between(place[None], before[None])[0])
        return bool(way > limit * (frame.t - t))

    def _named(self, frame: Frame) -> Iterator[tuple[int, Percept]]:
        """The percepts of objects and agents that the frame names."""
        for name, percept in frame.objects.items():
            yield self._roster.row[name], percept
        for agent, parts in frame.agents.items():
            for part, pose in parts.items():
                yield self._roster.part(agent, part), Percept(pose)

    def _counts(self, row: int, percept: Percept, t: float, world: World) -> bool:
        """Whether this percept is the newest and surest of a row, and no outlier."""
        spread = float(np.trace(percept.cov)) if percept.cov is not None else 0.0
        seen = world.seen.item(row)
        is_together = t == seen or world.fresh.item(row)
        is_surest = t >= seen and not (is_together and spread > self._spread.get(row, 0.0))
        is_fused = percept.cov is not None and row in self._unsure
        is_fused &= t >= seen - self._tolerances.together
        if not is_surest and not is_fused:
            return False
        if self._is_outlier(row, percept.pose, t, world):
            return False
        self._weigh(row, percept, t)
        if is_surest:
            self._spread[row] = spread
        return is_surest or (t >= seen and not world.fresh.item(row))

    def _weigh(self, row: int, percept: Percept, t: float) -> None:
        """Stores a percept with a covariance for fusion; a percept without one discards those
        stored."""
        if percept.cov is None:
            self._weighed.pop(row, None)
            self._unsure.discard(row)
        else:
            measurement = Measurement(row, t, percept.pose, percept.cov)
            self._weighed.setdefault(row, []).append(measurement)
            self._unsure.add(row)

    def _is_outlier(self, row: int, pose: Pose, t: float, world: World) -> bool:
        limit = self._settings.outlier
        if limit is None or not world.placed[row] or world.seen[row] == NEVER:
            return False
        doubt = self._doubts.pop(row, None)
        if np.linalg.norm(pose[:3] - world.pose[row, :3]) <= limit * (t - world.seen[row]):
            return False
        if doubt is not None and np.linalg.norm(pose[:3] - doubt.place) <= limit * (t - doubt.t):
            return False
        self._doubts[row] = _Doubt(t, pose[:3].copy())
        return True

    def _recognised(
        self, named: set[int], found: list[tuple[int, Percept]], world: World
    ) -> list[tuple[int, int]]:
        """Unnamed rows where a named object is now observed: the nearest pairs first."""
        pairs = [
            (float(np.linalg.norm(world.pose[hidden, :3] - percept.pose[:3])), hidden, row)
            for hidden in self._hidden_rows(world)
            for row, percept in found
            if row in named and self._is_same(hidden, row, percept.pose, world)
        ]
        adopted: dict[int, int] = {}
        for _, hidden, row in sorted(pairs):
            if hidden not in adopted and row not in adopted.values():
                adopted[hidden] = row
        return [*adopted.items()]

    def _hidden_rows(self, world: World) -> list[int]:
        rows = (self._roster.row[f"{HIDDEN}_{i + 1}"] for i in range(self._hidden))
        return [row for row in rows if row < len(world.known) and world.known[row]]

    def _is_same(self, hidden: int, row: int, pose: Pose, world: World) -> bool:
        """Whether an unnamed object is the named one observed there, which had no place so far."""
        one, other = self._roster.entities[hidden], self._roster.entities[row]
        if one is None or other is None or world.placed[row] or not world.placed[hidden]:
            return False
        alike = self._are_alike(one.shape, other.shape)
        return alike and self._is_near(world.pose[hidden], pose, other)

    def _unnamed(
        self, frame: Frame, taken: set[int], world: World
    ) -> Iterator[tuple[int, Percept]]:
        for each in frame.unnamed:
            row = self._meant(each, taken, world)
            if row is None:
                row = self._new_row(each)
            taken.add(row)
            yield row, Percept(each.pose)

    def _meant(self, each: Unnamed, taken: set[int], world: World) -> int | None:
        """The nearest object of similar volume at the place of an unnamed percept."""
        best, nearest = None, np.inf
        for row in np.flatnonzero(world.placed & ~self._roster.is_part[: len(world.placed)]):
            entity = self._roster.entities[row]
            if entity is None or int(row) in taken:
                continue
            if not self._are_alike(entity.shape, each.shape):
                continue
            away = float(np.linalg.norm(world.pose[row, :3] - each.pose[:3]))
            if self._is_near(world.pose[row], each.pose, entity) and away < nearest:
                best, nearest = int(row), away
        return best

    def _are_alike(self, one: Shape, other: Shape) -> bool:
        """Whether two shapes may be those of one object, by their volumes."""
        return _ratio(one.volume, other.volume) <= self._tolerances.alike_volume

    def _is_near(self, one: Pose, other: Pose, entity: Entity) -> bool:
        """Whether two percepts may be of one object, by their places."""
        away, tolerances = float(np.linalg.norm(one[:3] - other[:3])), self._tolerances
        size = 2 * float(entity.shape.half.max())
        return away <= max(tolerances.same_place, tolerances.same_share * size)

    def _new_row(self, each: Unnamed) -> int:
        self._hidden += 1
        return self._roster.add(Entity(f"{HIDDEN}_{self._hidden}", _ARTIFACT, each.shape))


def plain_measurements(world: World, measurements: Sequence[Measurement]) -> Iterator[Measurement]:
    """Percepts without a covariance, of objects that also have percepts with one.

    Each gets the default covariance of a tracker.
    """
    weighed = {each.row for each in measurements}
    for row in np.flatnonzero(world.fresh & world.told).tolist():
        if row not in weighed:
            yield Measurement(row, float(world.seen[row]), world.perceived[row].copy(), UNTOLD)


def _ratio(one: float, other: float) -> float:
    return max(one, other) / max(min(one, other), 1e-12)
