"""Benchmarks of parts of a tick: all relations of a room, one view of it, the filter.

Beside each stand Bullet's own calls for the same. The targets are those that the parts were
designed for.
"""

import math
import statistics
import time
from collections.abc import Callable, Iterable
from contextlib import closing
from itertools import count
from typing import Final, TypeVar

import numpy as np

from benchmarks.figures import at_most, milliseconds
from benchmarks.measures import Figure, Measure
from benchmarks.places import Place, place
from benchmarks.plain_bullet import HIGH, SIZE, PlainWorld
from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.geometry.poses import IDENTITY, Pose
from spatial_reasoner.relations.filtering import Filter, Measurement
from spatial_reasoner.relations.relations import Relations, relate
from spatial_reasoner.relations.world_geometry import WorldGeometry
from spatial_reasoner.scene.scene import MYSELF
from spatial_reasoner.sight.renderers import chosen_sight
from spatial_reasoner.tolerances.tolerances import Tolerances
from spatial_reasoner.values.rendering import Eye, Scenery
from spatial_reasoner.values.roster import Roster
from spatial_reasoner.values.uncertainty import UNTOLD

__all__ = ["MEASURES"]

T = TypeVar("T")
_TIMES: Final = 400
_WARM: Final = 50
"""Repetitions that are not counted, since everything is new in the first ones."""
_FEW: Final = 3
_JITTER: Final = 0.0015


def eyes_relations() -> list[Figure]:
    """The relations on, in and next to of fifty objects, of which all moved, or three."""
    room = place(50, 3)
    with closing(PlainWorld(room)) as plain:
        plain.move(room.things)
        theirs = _median(lambda _: plain.resting(), range(_TIMES))
    against = f"plain PyBullet, box against box, {milliseconds(theirs)}"
    every, few = (_relations(room, count) for count in (len(room.things), _FEW))
    return [
        at_most("relations of 50 objects, all moved", every, 5e-5, against),
        at_most("relations of 50 objects, three moved", few, 5e-5, against),
    ]


def eyes_view() -> list[Figure]:
    """One picture of fifty objects, all of which have moved."""
    room = place(50, 3)
    eye = room.eyes[MYSELF]
    with closing(PlainWorld(room)) as plain:
        plain.move(room.things)
        theirs = _median(lambda _: plain.drawn(eye), range(_TIMES // 4))
    name = f"one view of 50 objects, {SIZE[0]} × {SIZE[1]} pixels"
    return [at_most(name, _view(room, eye), 1.6e-4, f"TinyRenderer {milliseconds(theirs)}")]


def eyes_fusing() -> list[Figure]:
    """Fusing percepts of fifty objects, each with a covariance, with their predictions."""
    room = place(50, 3)
    theirs = _median(_plainly_fused(), _moved(room, Roster(room.scene), len(room.things)))
    against = f"only gains and covariances, in numpy, {milliseconds(theirs)}"
    return [at_most("50 percepts with covariances fused", _fusing(room), 2e-4, against)]


MEASURES: Final[tuple[Measure, ...]] = (eyes_relations, eyes_view, eyes_fusing)


def _fusing(room: Place) -> float:
    """The median time to fuse one percept of every object."""
    roster = Roster(room.scene)
    rows = [roster.row[name] for name in room.things]
    known, cov = Filter(len(roster), Tolerances()), np.tile(UNTOLD, (len(roster), 1, 1))
    times = count()

    def fused(poses: Floats) -> None:
        t = next(times) / 25
        measurements = [Measurement(row, t, poses[row], UNTOLD) for row in rows]
        known.fuse(measurements, cov, known.poses, t)

    taken = _median(fused, _moved(room, roster, len(rows)))
    assert (known.last[rows] > 0).all()
    return taken


def _plainly_fused() -> Callable[[Floats], object]:
    """A function that updates as many covariances as there are poses, and does nothing else."""
    noise, cov = UNTOLD, UNTOLD

    def fused(poses: Floats) -> None:
        all_of_them = np.tile(cov, (len(poses), 1, 1))
        gain = all_of_them @ np.linalg.inv(all_of_them + noise)
        kept = np.eye(6) - gain
        kept @ all_of_them @ kept.swapaxes(1, 2) + gain @ noise @ gain.swapaxes(1, 2)

    return fused


def _relations(room: Place, count: int) -> float:
    """The median time to find all relations after a number of objects have moved."""
    roster = Roster(room.scene)
    shapes = [roster.shape(row) for row in range(len(roster))]
    geometry = WorldGeometry(shapes, roster.is_support, roster.is_container, Tolerances())
    placed, nothing = roster.is_thing, np.zeros(len(roster), dtype=bool)
    found = Relations.none(len(roster))

    def related(poses: Floats) -> None:
        nonlocal found
        geometry.update(poses, placed, nothing)
        found = relate(geometry, found)

    taken = _median(related, _moved(room, roster, count))
    assert found.on.any()
    return taken


def _view(room: Place, eye: Pose) -> float:
    """The median time to render one view."""
    roster = Roster(room.scene)
    shapes = [roster.shape(row) for row in range(len(roster))]
    rows = np.flatnonzero(roster.is_thing)
    high = math.radians(HIGH)
    wide = 2 * math.atan(SIZE[0] / SIZE[1] * math.tan(high / 2))
    looking = Eye(eye, (wide, high), *SIZE)
    moved = _moved(room, roster, len(rows))
    with closing(chosen_sight("gl", lambda _: None)) as sight:
        return _median(lambda poses: sight.render(looking, Scenery(shapes, poses, rows)), moved)


def _moved(room: Place, roster: Roster, count: int) -> list[Floats]:
    """Yields poses of all objects; some are displaced a little, the others are not."""
    chance = np.random.default_rng(1)
    rows = [roster.row[name] for name in room.things]
    still = np.tile(IDENTITY, (len(roster), 1))
    still[rows] = list(room.things.values())
    found = []
    for _ in range(_TIMES):
        poses = still.copy()
        poses[rows[-count:], :3] += chance.normal(0, _JITTER, (count, 3))
        found.append(poses)
    return found


def _median(act: Callable[[T], object], each: Iterable[T]) -> float:
    """The median time of a call over a series of arguments."""
    found = []
    for one in each:
        start = time.perf_counter()
        act(one)
        found.append(time.perf_counter() - start)
    return statistics.median(found[_WARM:])
