"""The appearance of each object in a scene, and which of it changes: new objects, moved joints.

An unnamed object appears when it is perceived, and disappears when it is identified. Joint
positions are those of the robot's world: an object has one appearance for all minds.
"""

from collections.abc import Collection, Mapping
from typing import Final

from spatial_reasoner.belief.world import World
from spatial_reasoner.values.appearance import agent_look, thing_look
from spatial_reasoner.values.delta import Look
from spatial_reasoner.values.roster import Roster

__all__ = ["AppearanceChanges"]


class AppearanceChanges:
    """The appearance of everything in a roster; computed only on request."""

    def __init__(self, roster: Roster, world: World) -> None:
        self._roster: Final = roster
        self._world: Final = world
        self._rows = len(roster)
        self._joints: Final[dict[int, Mapping[str, float]]] = {}
        self._gone: Final[set[int]] = set()
        self._changed: Final[set[int]] = set()

    def begin(self) -> None:
        """Starts a new tick: clears the set of changes."""
        self._changed.clear()

    def update(self) -> None:
        """Notes new rows and changed joints; the cost follows their number."""
        while self._rows < len(self._roster):
            self._changed.add(self._rows)
            self._rows += 1
        for row, joints in self._world.joints.items():
            if self._joints.get(row) is not joints:
                self._joints[row] = joints
                self._changed.add(row)

    def forget(self, rows: Collection[int]) -> None:
        """Removes rows that turned out to be other, named objects."""
        self._gone.update(rows)
        self._changed.update(rows)

    def looks(self) -> dict[str, Look]:
        """The present appearance of everything."""
        rows = (row for row in range(self._rows) if row not in self._gone)
        named = {self._roster.names[row]: self._appearance(row) for row in rows}
        agents = {agent.name: agent_look(agent) for agent in self._roster.agents}
        return {name: look for name, look in named.items() if look is not None} | agents

    def changed(self) -> dict[str, Look | None]:
        """The appearances that changed since `begin`; None for an object that is removed."""
        return {self._roster.names[row]: self._appearance(row) for row in sorted(self._changed)}

    def _appearance(self, row: int) -> Look | None:
        """The appearance of a row; None for a part of an agent, which appears with the agent."""
        entity = self._roster.entities[row]
        if entity is None or row in self._gone:
            return None
        return thing_look(entity, self._world.joints.get(row))
