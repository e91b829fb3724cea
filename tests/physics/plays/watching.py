"""Looking into minds at every frame of a recording, and recordings at other rates."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from spatial_reasoner.geometry.poses import Pose, apply, inverse, pose_of
from spatial_reasoner.sight.close_ups import CloseUpSight
from spatial_reasoner.tick.reasoner import SpatialReasoner
from spatial_reasoner.values.frames import Frame, Percept
from tests.plays.play import Play, Recording

__all__ = ["believed", "doings", "doubled", "halved", "inside", "performers", "told_of", "watched"]


def watched(recording: Recording, sight: CloseUpSight) -> Iterator[tuple[Frame, SpatialReasoner]]:
    """Each frame, and a reasoner that has just taken it in."""
    reasoner = SpatialReasoner(recording.scene, sight)
    for frame in recording.frames:
        reasoner.tick(frame)
        yield frame, reasoner
    reasoner.close()


def believed(play: Play, thing: str, model: str = "myself") -> Pose:
    """The pose of an object that a mind believes."""
    pose = play.reasoner.placed(model)[thing].pose
    assert pose is not None, (model, thing)
    return pose


def inside(reasoner: SpatialReasoner, box: str, thing: str) -> float:
    """The believed depth (m) of an object's centre inside a box; negative outside."""
    mind = reasoner.mind("myself")
    poses = [mind.world.pose[mind.roster.row[name]] for name in (box, thing)]
    shape = mind.world.shapes[mind.roster.row[box]]
    assert shape is not None
    at = apply(inverse(poses[0]), poses[1][:3])
    return float((shape.half - np.abs(at - shape.centre)).min())


def told_of(play: Play, model: str = "myself") -> set[str]:
    """All facts ever asserted in a model, in any memory; actions are asserted and not retracted."""
    return {fact for _, delta in play.told if delta.model == model for fact in delta.add}


def doings(play: Play, kind: str, model: str = "myself") -> set[str]:
    """The actions of a kind that a mind knows of."""
    told = (fact.split() for fact in told_of(play, model))
    return {words[0] for words in told if words[1:] == ["a", kind]}


def performers(play: Play, thing: str, model: str = "myself") -> set[str]:
    """The agents that are reported to have acted on an object."""
    told = [fact.split(" ", 2) for fact in told_of(play, model)]
    about = {words[0] for words in told if words[1:] == ["actsOnObject", thing]}
    return {words[2] for words in told if words[0] in about and words[1] == "performedBy"}


def halved(frames: Sequence[Frame]) -> list[Frame]:
    """Every other frame, the last one among them."""
    return list(frames[::-1][::2][::-1])


def doubled(frames: Sequence[Frame]) -> list[Frame]:
    """Twice as many frames: halfway between two frames, one with the objects of both."""
    found = [frames[0]]
    for one, other in pairwise(frames):
        found += [_between(one, other), other]
    return found


def _between(one: Frame, other: Frame) -> Frame:
    both = one.objects.keys() & other.objects.keys()
    who = one.agents.keys() & other.agents.keys()
    objects = {
        name: Percept(
            _halfway(one.objects[name].pose, other.objects[name].pose), other.objects[name].joints
        )
        for name in one.objects
        if name in both
    }
    agents = {
        name: {
            part: _halfway(pose, other.agents[name][part])
            for part, pose in one.agents[name].items()
            if part in other.agents[name]
        }
        for name in one.agents
        if name in who
    }
    return replace(other, t=round((one.t + other.t) / 2, 6), objects=objects, agents=agents)


def _halfway(one: Pose, other: Pose) -> Pose:
    turn = one[3:] + other[3:] * (1.0 if one[3:] @ other[3:] >= 0 else -1.0)
    return pose_of([*((one[:3] + other[:3]) / 2), *(turn / np.linalg.norm(turn))])
