"""A table 1 m by 1.6 m, its top at 0.75 m, and what else a mind believes to be somewhere."""

import asyncio
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np

from spatial_reasoner.belief.mind import Mind
from spatial_reasoner.dynamics.bullet_dynamics import Dynamics
from spatial_reasoner.likelihood.falls import SEED, jobs
from spatial_reasoner.likelihood.likelihood import RELATIONS, Tally, doubt, tallied
from spatial_reasoner.likelihood.likelihoods import Likelihoods
from spatial_reasoner.percepts.frame_file import read_frame
from spatial_reasoner.scene.folder import Folder
from spatial_reasoner.scene.knowledge import BoardKnowledge
from spatial_reasoner.scene.scene import MYSELF, Scene
from spatial_reasoner.scene.scene_file import scene_of
from spatial_reasoner.sight.ray_sight import RaySight
from spatial_reasoner.tick.reasoner import SpatialReasoner
from spatial_reasoner.values.likelihood import Likelihood

__all__ = ["EDGE", "TOP", "Believe", "Thing", "below", "doubted", "hidden", "likely",
           "scene_with", "shares"]  # fmt: skip

TOP: Final = 0.75
EDGE: Final = 0.5
KINDS: Final[Mapping[str, dict[str, Any]]] = {
    "ball": {"class": "Ball", "shape": {"sphere": 0.045}},
    "cube": {"class": "Cube", "shape": {"box": [0.08, 0.08, 0.08]}},
    "box": {"class": "Box", "shape": {"bin": {"size": [0.3, 0.3, 0.3], "floor": 0.02,
                                              "wall": 0.02}}},
    "crate": {"class": "Box", "shape": {"bin": {"size": [0.3, 0.3, 0.3], "floor": 0.02,
                                                "wall": 0.02}}},
    "can": {"class": "Box", "shape": {"bin": {"size": [0.12, 0.12, 0.08], "floor": 0.01,
                                              "wall": 0.005}}},
    "mug": {"class": "Mug", "shape": {"cylinder": [0.04, 0.1]}},
    "tub": {"class": "Box", "mesh": "meshes/crate.obj"},
    "far_mug": {"class": "Mug", "shape": {"cylinder": [0.04, 0.1]}},
    "shelf": {"class": "Shelf", "shape": {"box": [0.3, 0.3, 0.03]}},
}  # fmt: skip
_FILES: Final = Path(__file__).parent.parent / "scenes" / "files"
_FURNITURE: Final[dict[str, dict[str, Any]]] = {
    "floor": {"class": "Floor", "plane": True},
    "table": {"class": "Table", "shape": {"box": [1.0, 1.6, 0.05]}, "pose": [0, 0, TOP - 0.025],
              "static": True},
}  # fmt: skip


@dataclass(frozen=True)
class Thing:
    """A believed pose, and the standard deviations of x, y, z and of the rotation, if given."""

    place: tuple[float, float, float]
    deviations: tuple[float, float, float, float] | None = None


class Believe(Protocol):
    """Makes a mind."""

    def __call__(self, **things: Thing) -> Mind: ...


def scene_with(knowledge: BoardKnowledge, *names: str) -> Scene:
    """A floor, a table and some things; somebody stands at the other side of the table."""
    things = {name: KINDS[name] for name in names}
    agents = {
        "myself": {"class": "Robot", "head": [-1.6, 0, 1.9, 0, 0.2588, 0, 0.9659]},
        "sally": {"class": "Human"},
    }
    document = {"name": "room", "entities": {**_FURNITURE, **things}, "agents": agents}
    return scene_of(document, Folder(_FILES), knowledge)


def believing(knowledge: BoardKnowledge, things: Mapping[str, Thing]) -> Mind:
    """A mind that has perceived some things."""
    scene = scene_with(knowledge, *things)
    sight = RaySight()
    reasoner = SpatialReasoner(scene, sight)
    objects = {name: list(thing.place) for name, thing in things.items()}
    reasoner.tick(read_frame({"t": 0.0, "source": "camera", "objects": objects}, scene))
    reasoner.finish()
    mind = reasoner.mind(MYSELF)
    for name, thing in things.items():
        doubted(mind, name, thing.deviations)
    reasoner.close()
    sight.close()
    return mind


def doubted(mind: Mind, name: str, deviations: tuple[float, float, float, float] | None) -> None:
    """Has a mind know how sure it is of a thing."""
    if deviations is not None:
        x, y, z, turn = deviations
        row = mind.roster.row[name]
        mind.world.cov[row] = np.diag([x, y, z, turn, turn, turn]) ** 2
        mind.world.told[row] = True


def hidden(mind: Mind, *names: str) -> Mind:
    """Has a mind not have perceived some things for a while."""
    mind.world.seen[[mind.roster.row[name] for name in names]] = mind.now - 10.0
    return mind


def shares(
    mind: Mind, name: str, dynamics: Dynamics, draws: int = 300, seed: int = SEED
) -> dict[str, float]:
    """The share of draws in which each fact about an object holds."""
    about = doubt(mind, mind.roster.row[name])
    assert about is not None
    poses = [job.done(dynamics) for job in jobs(about.bodies, draws, seed)]
    tally = Tally.sum([tallied(about, each) for each in poses])
    assert tally.draws == draws
    return {
        f"{name} {relation} {other}": float(tally.held[number, k]) / draws
        for number, relation in enumerate(RELATIONS)
        for k, other in enumerate(about.bodies.names[1:], 1)
    }


def likely(answers: Likelihoods, mind: Mind, fact: str) -> Likelihood:
    """The likelihood of a fact, without a time limit."""
    subject, relation, value = fact.split()
    found = asyncio.run(answers.likely(mind, (subject, relation, value), math.inf))
    assert found is not None
    return found


def below(number: float) -> float:
    """The cumulative standard normal distribution."""
    return 0.5 * (1 + math.erf(number / math.sqrt(2)))
