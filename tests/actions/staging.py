"""The hands and objects of these plays, and the actions that were reported."""

import math
from typing import Final

import numpy as np

from spatial_reasoner.geometry.poses import Pose, compose, pose_of
from spatial_reasoner.sight.close_ups import CloseUpSight
from spatial_reasoner.values.delta import BeliefDelta
from tests.plays.play import Facts, Play, folded
from tests.plays.replays import replayed

__all__ = [
    "ANNE",
    "ASIDE",
    "AT_CUP",
    "CUP",
    "SALLY",
    "STAGE",
    "UP",
    "at_cup",
    "hide",
    "jittered",
    "kinds",
    "show",
    "thinned",
    "told",
    "worded",
]

CUP: Final = (0.2, 0.5, 0.8)
AT_CUP: Final = (0.25, 0.5, 0.82)
SALLY: Final = (1.0, 0.0, 1.4)
ANNE: Final = (1.0, -0.6, 1.5)
STAGE: Final = (0.0, 0.0, 0.8)
UP: Final = (0.25, 0.5, 1.12)
ASIDE: Final = (0.8, 0.2, 0.9)


def worded(told: list[tuple[float, BeliefDelta]], model: str = "myself") -> list[str]:
    """The actions reported to a model, each in one line without its times."""
    found = []
    for _, delta in told:
        if delta.model == model and delta.memory == "episodic":
            assert not delta.retract
            parted = [fact.split(" ", 2) for fact in delta.add]
            [name] = {subject for subject, _, _ in parted}
            roles = [f"{p} {o}" for _, p, o in parted if p not in ("a", "startTime", "endTime")]
            found.append(" ".join([name, *roles]))
    return found


def kinds(told: list[tuple[float, BeliefDelta]]) -> list[str]:
    """The kinds of actions in the robot's model."""
    return [each.split("_")[0] for each in worded(told)]


def at_cup(play: Play, *, anne: bool = False) -> Play:
    """A cup on the table, and Sally's hand at it; Anne may watch."""
    play.see(cup=CUP).stand("sally", SALLY, STAGE)
    if anne:
        play.stand("anne", ANNE, STAGE)
    return play.wait(1.0).reach("sally", 0.8, AT_CUP).wait(0.3)


def jittered(random: np.random.Generator, pose: Pose) -> Pose:
    """A pose with a tracker's noise: 1.5 mm and 2°."""
    axis = random.normal(0, 1, 3)
    half = random.normal(0, math.radians(2)) / 2
    turn = [*(math.sin(half) * axis / np.linalg.norm(axis)), math.cos(half)]
    found: Pose = compose(pose, np.array([0, 0, 0, *turn]))
    found[:3] += random.normal(0, 0.0015, 3)
    return found


def hide(play: Play) -> Play:
    """Sally's hand is perceived no more, wherever it goes."""
    del play.people["sally"]["right_hand"]
    return play


def show(play: Play, *place: float) -> Play:
    """It is perceived again, at a place."""
    play.people["sally"]["right_hand"] = pose_of(place)
    return play


def thinned(play: Play, sight: CloseUpSight, every: slice) -> list[tuple[float, BeliefDelta]]:
    """The deltas of a play that is over, when only some of its frames come."""
    if every == slice(0, None):
        return play.end().told
    return replayed(play.recording.scene, play.recording.frames[every], sight)


def told(play: Play, sight: CloseUpSight, every: slice) -> tuple[list[str], set[str]]:
    """The actions, and the robot's beliefs at the end, when only some frames come."""
    found = thinned(play, sight, every)
    facts: Facts = {}
    folded([delta for _, delta in found], facts)
    return kinds(found), facts["myself"]
