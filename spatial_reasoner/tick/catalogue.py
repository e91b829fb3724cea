"""What is to be shown of a scene, and what of it changes: things that appear, joints that move.

Things without a name come when they are perceived, and go when somebody knows who they are. The
joints are those of the robot's world: there is one look of a thing, whoever thinks of it.
"""

from collections.abc import Collection, Mapping
from typing import Final

from spatial_reasoner.belief.world import World
from spatial_reasoner.values.appearance import agent_look, thing_look
from spatial_reasoner.values.delta import Look
from spatial_reasoner.values.roster import Roster

__all__ = ["Catalogue"]


class Catalogue:
    """The looks of all in a roster. Nothing is made before somebody asks for it."""

    def __init__(self, roster: Roster, world: World) -> None:
        self._roster: Final = roster
        self._world: Final = world
        self._rows = len(roster)
        self._joints: Final[dict[int, Mapping[str, float]]] = {}
        self._gone: Final[set[int]] = set()
        self._changed: Final[set[int]] = set()

    def begin(self) -> None:
        """A new tick: what changes from now on is what has changed."""
        self._changed.clear()

    def look(self) -> None:
        """Looks for what came, and for joints that stand differently; the cost is theirs."""
        while self._rows < len(self._roster):
            self._changed.add(self._rows)
            self._rows += 1
        for row, joints in self._world.joints.items():
            if self._joints.get(row) is not joints:
                self._joints[row] = joints
                self._changed.add(row)

    def forget(self, rows: Collection[int]) -> None:
        """These are others: what had no name has one."""
        self._gone.update(rows)
        self._changed.update(rows)

    def looks(self) -> dict[str, Look]:
        """How all looks now."""
        rows = (row for row in range(self._rows) if row not in self._gone)
        named = {self._roster.names[row]: self._look(row) for row in rows}
        agents = {agent.name: agent_look(agent) for agent in self._roster.agents}
        return {name: look for name, look in named.items() if look is not None} | agents

    def changed(self) -> dict[str, Look | None]:
        """What looks different since `begin`; None for what is no more."""
        return {self._roster.names[row]: self._look(row) for row in sorted(self._changed)}

    def _look(self, row: int) -> Look | None:
        """A row's look; one that is part of an agent has none, it is among those of its parts."""
        entity = self._roster.entities[row]
        if entity is None or row in self._gone:
            return None
        return thing_look(entity, self._world.joints.get(row))
