"""Replayed plays: the same frames, or the same scene elsewhere, through a new reasoner."""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

import numpy as np

from spatial_reasoner.geometry.poses import Pose, compose
from spatial_reasoner.percepts.recording import delta_line
from spatial_reasoner.scene.scene import Scene
from spatial_reasoner.sight.close_ups import CloseUpSight
from spatial_reasoner.tick.reasoner import SpatialReasoner
from spatial_reasoner.values.delta import BeliefDelta
from spatial_reasoner.values.frames import Frame
from tests.plays.play import Facts, folded

__all__ = [
    "as_by_camera",
    "at_marks",
    "lines",
    "moved_frame",
    "moved_scene",
    "replayed",
    "turned_about",
]

Move = Callable[[Pose], Pose]


def replayed(
    scene: Scene, frames: Iterable[Frame], sight: CloseUpSight
) -> list[tuple[float, BeliefDelta]]:
    """All deltas of some frames, and when they came."""
    reasoner = SpatialReasoner(scene, sight)
    told = [(reasoner.now, delta) for frame in frames for delta in reasoner.tick(frame)]
    told += [(reasoner.now, delta) for delta in reasoner.finish()]
    reasoner.close()
    return told


def lines(told: Iterable[tuple[float, BeliefDelta]], model: str = "") -> list[str]:
    """Deltas as they are written down; of one model, if one is named."""
    return [delta_line(delta, t) for t, delta in told if model in ("", delta.model)]


def at_marks(told: Iterable[tuple[float, BeliefDelta]], marks: Iterable[float]) -> list[Facts]:
    """The facts of all models at some times."""
    facts: Facts = {}
    waiting, found = list(told), []
    for mark in marks:
        folded([delta for t, delta in waiting if t < mark], facts)
        waiting = [(t, delta) for t, delta in waiting if t >= mark]
        found.append({model: set(held) for model, held in facts.items()})
    return found


def turned_about(angle: float, shift: tuple[float, float]) -> Move:
    """A turn of everything about z, and a shift along the ground."""
    whole = np.array([*shift, 0, 0, 0, math.sin(angle / 2), math.cos(angle / 2)])
    return lambda pose: compose(whole, pose)


def moved_scene(scene: Scene, move: Move) -> Scene:
    """A scene with all that it places somewhere else."""
    entities = {
        name: each if each.pose is None else replace(each, pose=move(each.pose))
        for name, each in scene.entities.items()
    }
    agents = {
        name: replace(
            each,
            head=None if each.head is None else move(each.head),
            parts=_moved(each.parts, move),
            shoulders=_moved(each.shoulders, move),
        )
        for name, each in scene.agents.items()
    }
    return replace(scene, entities=entities, agents=agents)


def moved_frame(frame: Frame, move: Move, later: float = 0.0) -> Frame:
    """A frame of the same, somewhere else and later."""
    return replace(
        frame,
        t=round(frame.t + later, 6),
        objects={n: replace(each, pose=move(each.pose)) for n, each in frame.objects.items()},
        unnamed=tuple(replace(each, pose=move(each.pose)) for each in frame.unnamed),
        agents={name: _moved(parts, move) for name, parts in frame.agents.items()},
    )


def _moved(poses: Mapping[str, Pose], move: Move) -> dict[str, Pose]:
    return {name: move(pose) for name, pose in poses.items()}


def as_by_camera(scene: Scene, frames: Iterable[Frame], sight: CloseUpSight) -> list[Frame]:
    """The frames of a camera in the robot's head, without the objects that it does not see."""
    truth = SpatialReasoner(scene, sight)
    seen = []
    for frame in frames:
        truth.tick(frame)
        mind = truth.mind("myself")
        shows = mind.raw["sees"][mind.owner]
        things = {n: each for n, each in frame.objects.items() if shows[truth.roster.row[n]]}
        seen.append(replace(frame, objects=things))
    truth.close()
    return seen
