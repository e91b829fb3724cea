"""Acts upon unobserved objects, and the reasons that are reported for their absence."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from spatial_reasoner.belief.explanations import EXPLANATIONS
from spatial_reasoner.geometry.poses import pose_of
from spatial_reasoner.relations.situation import FAMILIES
from tests.plays.play import STEP, Play
from tests.plays.rooms import desk

__all__ = [
    "AWAY",
    "CARTON",
    "CUP",
    "REASONS",
    "carried",
    "carried_on",
    "carry",
    "cellar",
    "displace",
    "fallen",
    "held",
    "hide",
    "reasons",
    "slid",
]

REASONS: Final = {FAMILIES[key].predicate for key in EXPLANATIONS}
"""The predicates of facts that explain a missing object."""
CUP: Final = (0.2, 0.0, 0.8)
CARTON: Final = (0.05, 0.0, 0.95)
"""The place at which a carton occludes the cup for the robot."""
AWAY: Final = pose_of([-1.6, 0, 1.9, 0, 0, 1, 0])
"""A head of the robot that looks to the other side."""


def cellar(*people: str, **agents: dict[str, object]) -> dict[str, object]:
    """The desk, with a tray, and people of whom some have bodies."""
    document = desk(*people)
    entities, known = document["entities"], document["agents"]
    assert isinstance(entities, dict)
    assert isinstance(known, dict)
    entities["tray"] = {"class": "Tray", "shape": {"box": [0.3, 0.3, 0.02]}}
    known.update(agents)
    return document


def hide(play: Play) -> Play:
    """A cup stands on the table, and then behind a carton for two seconds."""
    play.see(cup=CUP).wait(1.0).miss("cup")
    return play.see(carton=CARTON).wait(2.0)


def displace(play: Play, thing: str, place: Sequence[float], model: str = "myself") -> Play:
    """Moves the believed pose of an unobserved object, as physics would."""
    world = play.reasoner.mind(model).world
    world.pose[play.reasoner.roster.row[thing]] = pose_of([float(number) for number in place])
    return play


def carry(play: Play, carrier: str, by: Sequence[float], *things: str) -> Play:
    """Something moves within a second, and things that nobody perceives go along."""
    world, roster = play.reasoner.mind("myself").world, play.reasoner.roster
    rows, at = [roster.row[name] for name in things], roster.row[carrier]
    start, frames = play.things[carrier].pose[:3].copy(), round(1.0 / STEP)
    beside = world.pose[rows, :3] - world.pose[at, :3]
    for frame in range(1, frames + 1):
        play.see(**{carrier: start + np.array(by) * frame / frames}).frame()
        world.pose[rows, :3] = world.pose[at, :3] + beside
    return play


def reasons(play: Play, thing: str, model: str = "myself") -> set[str]:
    """The reasons for a missing object in a model: predicate and object."""
    facts = [fact.split() for fact in play.about(model, thing)]
    return {f"{p} {o}" for s, p, o in facts if s == thing and p in REASONS}


def held(play: Play) -> Play:
    """Sally's hand is at a cup that is not perceived any more."""
    play.see(cup=CUP).stand("sally", (1.0, 0, 1.4), (0, 0, 0.8), right_hand=(0.25, 0, 0.82))
    return play.wait(0.6).miss("cup").wait(1.4)


def carried(play: Play) -> Play:
    """A bucket goes elsewhere with a hidden cup in it."""
    play.see(bucket=(0, 0, 0.875), cup=(0, 0, 0.82)).wait(1.0).miss("cup").wait(1.4)
    return carry(play, "bucket", (0, 0.5, 0), "cup").wait(0.6)


def carried_on(play: Play) -> Play:
    """A tray goes from behind a carton to behind a bucket with a hidden cup on it."""
    play.see(tray=(0.25, 0, 0.76), cup=(0.25, 0, 0.82)).wait(1.0).miss("cup")
    play.see(carton=CARTON, bucket=(0.1, 0.5, 0.875))
    return carry(play.wait(1.4), "tray", (0, 0.5, 0), "cup").wait(0.6)


def fallen(play: Play) -> Play:
    """A hidden cup lies beside the table."""
    return displace(hide(play), "cup", (0.9, 0.0, 0.05)).wait(0.6)


def slid(play: Play) -> Play:
    """A hidden cup stands elsewhere on the table, behind a bucket."""
    play.see(bucket=(0.1, 0.5, 0.875))
    return displace(hide(play), "cup", (0.25, 0.5, 0.8)).wait(0.6)
