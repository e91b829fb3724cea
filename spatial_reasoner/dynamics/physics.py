"""What all minds share of physics: the laws of motion, and what the things are made of."""

from collections.abc import Mapping
from functools import cached_property
from typing import Final

from spatial_reasoner.dynamics.bullet_dynamics import Dynamics
from spatial_reasoner.dynamics.leashes import FREE, Leash
from spatial_reasoner.dynamics.matter import Matter, Shapes, Solid
from spatial_reasoner.dynamics.runs import Fixed, Loose
from spatial_reasoner.values.roster import Roster

__all__ = ["Physics"]


class Physics:
    """One place to simulate in, opened when something is first let go."""

    def __init__(self, roster: Roster) -> None:
        self.matter: Final = Matter(roster)

    @cached_property
    def dynamics(self) -> Dynamics:
        """The laws of motion."""
        return Dynamics()

    def run(
        self,
        loose: Loose,
        fixed: Fixed,
        solids: Mapping[int, Solid],
        shapes: Shapes,
        seconds: float,
        leash: Leash = FREE,
        ends_at_rest: bool = False,
    ) -> Loose:
        """What becomes of loose rows of some shapes, among fixed bodies made of some solids."""
        mine = self.matter.solids(loose.rows.tolist(), shapes)
        made = {**solids, **mine}
        return self.dynamics.run(made, loose, fixed, seconds, leash, ends_at_rest)

    def depth(
        self, one: Loose, fixed: Fixed, solids: Mapping[int, Solid], shapes: Shapes
    ) -> float:
        """How deep one loose row begins in what is fixed, in metres."""
        row = int(one.rows[0])
        made = {**solids, **self.matter.solids([row], shapes)}
        return float(self.dynamics.depths(made, row, one.poses[0], fixed).max(initial=0.0))

    def __getstate__(self) -> dict[str, object]:
        """Without the place: what comes out of a run does not depend on those before."""
        return {"matter": self.matter}

    @property
    def steps(self) -> int:
        """How many steps were made so far."""
        return self.dynamics.steps if "dynamics" in self.__dict__ else 0

    def close(self) -> None:
        """Gives back what it holds, if it holds anything."""
        if "dynamics" in self.__dict__:
            self.dynamics.close()
