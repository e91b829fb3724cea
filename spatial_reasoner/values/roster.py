"""Who is in which row: every world has the same rows, for things first and then parts of agents.

After them come the bodies of those agents to whom the scene gives one: a body is no thing and no
part, for nobody perceives it or tells of it; it is where its head is, and hides what is behind it.

The roster grows when something unnamed is perceived, and never shrinks: a row means the same
thing for as long as the program runs.
"""

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from spatial_reasoner.geometry.poses import Floats
from spatial_reasoner.geometry.shapes import Shape
from spatial_reasoner.scene.scene import PARTS, Agent, Entity, Scene, part_name

__all__ = ["Roster"]

Flags = NDArray[np.bool_]
Rows = NDArray[np.intp]
_BODY: Final = ".body"
"""No entity can have such a name."""


class Roster:
    """The rows of a scene; `entities` has an entry for each row that is a thing, else None."""

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
        """A row for one more thing."""
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
        """What fills space in a row: a thing, or the body of an agent."""
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
        """The flags of all rows; those of parts of agents are all false but `is_part`."""
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
        """Of the ball about the origin of each row that holds it all, however its joints stand."""
        hands = [row for (_, part), row in self.row_of_part.items() if part.endswith("_hand")]
        self.hands: Rows = np.array(hands, dtype=np.intp)
        no_front = np.full(3, np.nan)
        self.fronts: Floats = np.array(
            [no_front if e is None or e.front is None else e.front for e in things]
        ).reshape(-1, 3)
        """The front of each row, in its own frame; NaN of what has none."""

    def _radius(self, row: int) -> float:
        entity, shape = self.entities[row], self.shape(row)
        if entity is not None and entity.articulated:
            return np.inf
        return 0.0 if shape is None else shape.radius + float(np.sqrt(shape.centre @ shape.centre))


def _flags(each: Iterable[bool]) -> Flags:
    return np.array(list(each), dtype=bool)
