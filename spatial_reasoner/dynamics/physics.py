"""Physics shared by all minds: one simulator, and the solids of all objects."""

from collections.abc import Mapping
from functools import cached_property
from typing import Final

from spatial_reasoner.dynamics.bullet_dynamics import Dynamics
from spatial_reasoner.dynamics.motion_limits import FREE, MotionLimits
from spatial_reasoner.dynamics.rigid_bodies import RigidBodies, Shapes, Solid
from spatial_reasoner.dynamics.runs import Fixed, Loose
from spatial_reasoner.values.roster import Roster

__all__ = ["Physics"]


class Physics:
    """The simulator, which is opened on the first run, and the solids of the roster."""

    def __init__(self, roster: Roster) -> None:
        self.matter: Final = RigidBodies(roster)

    @cached_property
    def dynamics(self) -> Dynamics:
        """The Bullet client for simulation runs."""
        return Dynamics()

    def run(
        self,
        loose: Loose,
        fixed: Fixed,
        solids: Mapping[int, Solid],
        shapes: Shapes,
        seconds: float,
        limits: MotionLimits = FREE,
        ends_at_rest: bool = False,
    ) -> Loose:
        """Simulates loose rows among fixed bodies, as `Dynamics.run` does.

        `shapes` are those of all rows, and `solids` are those of the fixed bodies.
        """
        mine = self.matter.solids(loose.rows.tolist(), shapes)
        made = {**solids, **mine}
        return self.dynamics.run(made, loose, fixed, seconds, limits, ends_at_rest)

    def depth(
        self, one: Loose, fixed: Fixed, solids: Mapping[int, Solid], shapes: Shapes
    ) -> float:
        """The greatest penetration depth of one loose row where it begins, in metres."""
        row = int(one.rows[0])
        made = {**solids, **self.matter.solids([row], shapes)}
        return float(self.dynamics.depths(made, row, one.poses[0], fixed).max(initial=0.0))

    def __getstate__(self) -> dict[str, object]:
        """The state without the simulator, because a run does not depend on earlier runs."""
        return {"matter": self.matter}

    @property
    def steps(self) -> int:
        """The number of simulation steps so far."""
        return self.dynamics.steps if "dynamics" in self.__dict__ else 0

    def close(self) -> None:
        """Closes the simulator, if it was opened."""
        if "dynamics" in self.__dict__:
            self.dynamics.close()
