"""The data for the picture of one mind at one time."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from spatial_reasoner.belief.mind import Mind
from spatial_reasoner.geometry.arrays import Flags, Floats
from spatial_reasoner.geometry.poses import rotations
from spatial_reasoner.scene.scene import MYSELF, PARTS, Agent, Scene
from spatial_reasoner.tick.reasoner import SpatialReasoner

__all__ = ["PictureData", "minds_of", "picture_data_of", "shown_rows"]


@dataclass(frozen=True, slots=True, eq=False)
class PictureData:
    """One mind, the mind in whose world its owner looks (for the robot, its own), and the robot's.

    `agent` is the number of its owner. `is_looking` is true if the owner is present and has eyes.
    The mind of an absent owner rests: what it saw last is not what it sees now.
    """

    mind: Mind
    around: Mind
    reality: Mind
    agent: int
    is_looking: bool

    @property
    def who(self) -> Agent:
        return self.mind.roster.agents[self.agent]

    @property
    def seen_around(self) -> Flags:
        """The rows that the owner sees, in the world in which the owner looks."""
        return self._sees(self.around)

    @property
    def seen(self) -> Flags:
        """The rows that the owner sees, in the world of the mind."""
        return self._sees(self.mind)

    @property
    def ghosts(self) -> Flags:
        """The rows that are believed at a place where, according to the robot, they are not.

        Objects and heads; agents know the pose of their own head.
        """
        own, real = self.mind.world, self.reality.world
        away = np.linalg.norm(_middles(self.mind) - _middles(self.reality), axis=1)
        missed = ~real.placed | (away > self.mind.tolerances.jump)
        heads = np.zeros(len(own.known), dtype=bool)
        heads[[own.roster.part(agent.name, PARTS[0]) for agent in own.roster.agents]] = True
        heads &= own.roster.owner != self.agent
        ghosts: Flags = own.placed & real.known & missed & (shown_rows(self.mind) | heads)
        return ghosts

    def _sees(self, mind: Mind) -> Flags:
        sees = np.zeros(len(mind.world.known), dtype=bool)
        bits = mind.raw.get("sees")
        if bits is not None and self.is_looking:
            sees[: bits.shape[1]] = bits[self.agent]
        return sees


def picture_data_of(reasons: SpatialReasoner, model: str) -> PictureData | None:
    """The data for the picture of a mind; None while the mind does not exist."""
    if model not in reasons.models:
        return None
    mind = reasons.mind(model)
    around = reasons.mind(_around(model))
    return PictureData(
        mind, around, reasons.mind(MYSELF), mind.owner, _is_looking(reasons, model)
    )


def minds_of(scene: Scene, depth: int | None = None) -> list[str]:
    """All minds that a scene can have, parents before nested minds."""
    others = [name for name in scene.agents if name != MYSELF]
    found, level = [MYSELF, *others], others
    for _ in range(1, scene.depth if depth is None else min(depth, scene.depth)):
        level = [*_within(level, scene)]
        found += level
    return found


def shown_rows(mind: Mind) -> Flags:
    """The rows of objects with a believed place."""
    has_shape = np.array([shape is not None for shape in mind.world.shapes], dtype=bool)
    shown: Flags = mind.world.placed & has_shape
    return shown


def _around(model: str) -> str:
    """The mind in whose world the owner of another mind stands."""
    return model.rpartition(".")[0] or MYSELF


def _is_looking(reasons: SpatialReasoner, model: str) -> bool:
    """Whether the owner is present and has eyes, and so have the owners of all parent minds."""
    around = _around(model)
    looks = bool(reasons.mind(around).company.looking[reasons.mind(model).owner])
    return looks and (around == MYSELF or _is_looking(reasons, around))


def _within(models: Sequence[str], scene: Scene) -> Iterator[str]:
    for model in models:
        owner = model.rpartition(".")[2]
        yield from (f"{model}.{name}" for name in scene.agents if name != owner)


def _middles(mind: Mind) -> Floats:
    """The box centres of all rows; for rows without a shape, their positions."""
    world = mind.world
    offsets = np.array([np.zeros(3) if one is None else one.centre for one in world.shapes])
    turned = np.einsum("nij,nj->ni", rotations(world.pose), offsets)
    middles: Floats = world.pose[:, :3] + turned
    return middles
