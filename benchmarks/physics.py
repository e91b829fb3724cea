"""Benchmarks of unobserved objects: rooms in which bins with hidden balls are carried about."""

import statistics
from collections.abc import Mapping
from contextlib import closing
from typing import Final

import numpy as np

from benchmarks.eyes import each_frame, p95, rate, shares, staged_ticks, ticks
from benchmarks.figures import at_most, milliseconds
from benchmarks.measures import Figure, Measure
from benchmarks.places import Place, frames, place
from benchmarks.plain_bullet_published import Published
from spatial_reasoner.geometry.poses import Pose, apply, inverse
from spatial_reasoner.scene.scene import MYSELF
from spatial_reasoner.sight.renderers import chosen_sight
from spatial_reasoner.tick.reasoner import SpatialReasoner

__all__ = ["MEASURES"]

_SECONDS: Final = 8.0
_THEIRS: Final = 4.0
_FASTER: Final = 3
_SAME: Final = ("plausibility", "hidden objects", "relations")
"""The stages of a tick that compute the same as the published algorithm."""


def physics_tick() -> list[Figure]:
    """A tick of the main room with one more object, which is carried about unseen.

    Beside it stands the published algorithm on the same frames. It computes neither visibility nor
    reach, so it is compared with the whole tick, and with the stages that compute the same.
    """
    room = place(50, 3, hidden=1)
    ours, stages = staged_ticks(room, "gl", _SECONDS)
    with closing(Published(room, tuple(room.eyes))) as published:
        theirs = each_frame(room, published.tick, _THEIRS)
        lost = _kept(room, published.poses(MYSELF))
    same = sum(stages[stage] for stage in _SAME) / len(ours)
    name = "tick, one hidden object moving, 95th percentile"
    beside = f"{_kept(room, _believed(room))}; {shares(stages, sum(ours))}"
    return [
        at_most(name, p95(ours), 0.015, beside),
        _faster(
            "tick, one hidden object moving, median",
            statistics.median(ours),
            statistics.median(theirs),
            lost,
        ),
        _faster(
            "tick, one hidden object moving, physics and relations only, mean",
            same,
            statistics.mean(theirs),
            lost,
        ),
    ]


def physics_hidden() -> list[Figure]:
    """Twenty hidden objects, each in a bin that is carried about."""
    room = place(22, 3, hidden=20, only_bins=True)
    seconds, stages = ticks(room, "gl", _SECONDS / 2)
    name = "ticks a second, 20 hidden objects in moving bins, 3 agents"
    return [rate(name, seconds, 25, f"{_kept(room, _believed(room))}; {stages}")]


MEASURES: Final[tuple[Measure, ...]] = (physics_tick, physics_hidden)


def _faster(name: str, ours: float, theirs: float, lost: str) -> Figure:
    """The figure against the published algorithm."""
    against = f"published algorithm, run plainly, {milliseconds(theirs)}; {lost}"
    ratio = theirs / ours
    wanted = f"≥ {_FASTER}× faster"
    return Figure(name, milliseconds(ours), against, ratio, wanted, ratio >= _FASTER)


def _believed(room: Place) -> dict[str, Pose]:
    """The poses that the robot believes after some seconds."""
    sight = chosen_sight("gl", lambda _: None)
    reasoner = SpatialReasoner(room.scene, sight)
    with closing(sight), closing(reasoner):
        for frame in frames(room, _THEIRS):
            reasoner.tick(frame)
        placed = reasoner.placed(MYSELF).items()
        return {name: each.pose for name, each in placed if each.pose is not None}


def _kept(room: Place, poses: Mapping[str, Pose]) -> str:
    """The number of hidden objects that are believed to be in their bins."""
    kept = 0
    for name, around in room.hidden.items():
        if name in poses and around in poses:
            at = apply(inverse(poses[around]), poses[name][:3])
            kept += bool((np.abs(at) <= room.scene.entities[around].shape.half).all())
    return f"{kept} of {len(room.hidden)} in its bin"
