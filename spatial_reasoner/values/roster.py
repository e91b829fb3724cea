"""The roster: the meaning of each row. Every world has the same rows.

First come the objects of the scene, then the parts of agents, then the bodies of agents that have
one in the scene. A body is neither an object nor a part: it is not perceived and has no facts. It
has the pose of its head, and occludes objects behind it.

The roster grows when an unnamed object is perceived, and never shrinks: a row keeps its meaning as
long as the program runs.
"""

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np

from spatial_reasoner.geometry.arrays import Flags, Floats, Rows
from spatial_reasoner.geometry.shapes import Shape
from spatial_reasoner.scene.scene import PARTS, Agent, Entity, Scene, part_name

__all__ = ["Roster"]

_BODY: Final = ".body"
"""The suffix of a body's name, which no entity can have."""


class Roster:
    """The rows of a scene; `entities` has the entity of each row that is an object, else None."""

    def __init__(self, scene: Scene) -> None:
        self.names: Final[list[str]] = []
        self.entities: Final[list[Entity | None]] = []
        self.row: Final[dict[str, int]] = {}
        self.agents: Final[tuple[Agent, ...]] = tuple(scene.agents.values())
        self.agent_index: Final = {agent.name: i for i, agent in enumerate(self.agents)}
        self.row_of_part: Final[dict[tuple[str, str], int]] = {}
        self.bodies: Final[dict[int, int]] = {}
        """The rows of bodies, by agent."""
        self._owners: Final[list[int]] = []
        for entity in scene.entities.values():
            self.add(entity)
        for agent in self.agents:
            for part in PARTS:
                self.row_of_part[agent.name, part] = self._add(part_name(agent.name, part), None)
                self._owners[-1] = self.agent_index[agent.name]
        for number, agent in enumerate(self.agents):
            if agent.shape is not None:
                self.bodies[number] = self._add(f"{agent.name}{_BODY}", None)
                self._owners[-1] = number
        rows = [[self.row_of_part[each.name, part] for part in PARTS] for each in self.agents]
        self.part_rows: Final[Rows] = np.array(rows, dtype=np.intp)
        """The rows of the parts of all agents, in their order: (a, parts)."""
        self.heads: Final[Rows] = self.part_rows[:, PARTS.index("head")]
        self.fovs: Final[Floats] = np.array([each.fov for each in self.agents], dtype=np.float64)
        """The fields of view of all agents, full angles: (a, 2)."""
        self._fill()

    def __len__(self) -> int:
        return len(self.names)

    def add(self, entity: Entity) -> int:
        """Adds an object; returns its row."""
        row = self._add(entity.name, entity)
        self._fill()
        return row

    def part(self, agent: str, part: str) -> int:
        """The row of a part of an agent."""
        return self.row_of_part[agent, part]

    def parts(self, agent: str) -> Sequence[int]:
        """The rows of all parts of an agent."""
        return [self.row_of_part[agent, part] for part in PARTS]

    def shape(self, row: int) -> Shape | None:
        """The shape of an object or of an agent's body; None for a part of an agent."""
        entity = self.entities[row]
        if entity is not None:
            return entity.shape
        owner = self._owners[row]
        return self.agents[owner].shape if self.bodies.get(owner) == row else None

    def _add(self, name: str, entity: Entity | None) -> int:
        self.row[name] = len(self.names)
        self.names.append(name)
        self.entities.append(entity)
        self._owners.append(-1)
        return self.row[name]

    def _fill(self) -> None:
        """Computes the flags of all rows; for parts of agents all except `is_part` are false."""
        things = self.entities
        self.owner: Rows = np.array(self._owners, dtype=np.intp)
        self.is_thing: Flags = self.owner < 0
        self.is_part: Flags = ~self.is_thing
        self.is_part[list(self.bodies.values())] = False
        self.is_support = _flags(e is not None and e.is_support for e in things)
        self.is_container = _flags(e is not None and e.is_container for e in things)
        self.is_fixture = _flags(e is not None and e.is_fixture for e in things)
        self.is_static = _flags(e is not None and e.static for e in things)
        self.is_ground = _flags(e is not None and e.shape.kind == "plane" for e in things)
        self.is_transparent = _flags(e is not None and e.transparent for e in things)
        self.is_opaque: Flags = ~self.is_part & ~self.is_transparent
        self.has_points = _flags(e is not None and bool(e.points) for e in things)
        self.radii: Floats = np.array([self._radius(row) for row in range(len(things))])
        """The radii of bounding spheres around origins, for all joint positions (inf if any)."""
        hands = [row for (_, part), row in self.row_of_part.items() if part.endswith("_hand")]
        self.hands: Rows = np.array(hands, dtype=np.intp)
        no_front = np.full(3, np.nan)
        self.fronts: Floats = np.array(
            [no_front if e is None or e.front is None else e.front for e in things]
        ).reshape(-1, 3)
        """The front of each row in its own frame; NaN if it has none."""

    def _radius(self, row: int) -> float:
        entity, shape = self.entities[row], self.shape(row)
        if entity is not None and entity.articulated:
            return np.inf
        return 0.0 if shape is None else shape.radius + float(np.sqrt(shape.centre @ shape.centre))


def _flags(each: Iterable[bool]) -> Flags:
    return np.array(list(each), dtype=bool)
