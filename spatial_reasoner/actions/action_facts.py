"""Turns recognised actions into facts, in the models of the agents who know of them.

The robot recognises actions in its own world. In the world of a mind, an agent knows of an action
if they saw the object at that time, performed the action or received the object. The rule is the
same at every depth. An action is one individual with the same name in all models.
"""

from collections.abc import Iterator, Mapping
from typing import Final

import numpy as np

from spatial_reasoner.actions.action_names import ActionNames
from spatial_reasoner.actions.actions import Actions, Witness
from spatial_reasoner.actions.perspective_taking import children_of
from spatial_reasoner.belief.mind import Mind
from spatial_reasoner.geometry.arrays import Flags, Floats, Rows
from spatial_reasoner.geometry.columns import enlarged
from spatial_reasoner.relations.relations import NOWHERE, innermost
from spatial_reasoner.tolerances.tolerances import Tolerances
from spatial_reasoner.values.action_recognition import Action, ActionKind
from spatial_reasoner.values.delta import BeliefDelta
from spatial_reasoner.values.roster import Roster

__all__ = ["ActionFacts", "witness"]

_DIGITS: Final = 6
"""Decimals of times in facts: microseconds."""


class ActionFacts:
    """Records who saw which objects when, and names the actions."""

    def __init__(self, roster: Roster, tolerances: Tolerances) -> None:
        self._roster: Final = roster
        self._tolerances: Final = tolerances
        self._actions: Final = Actions(tolerances)
        self._seen: Final[dict[str, Floats]] = {}
        """When each agent last saw each object, in the world of each mind: (a, n)."""
        self._names: Final = ActionNames()

    def name_actions(self, prefix: str, after: Mapping[ActionKind, int]) -> None:
        """Sets the prefix of the names, and the number after which each kind continues."""
        self._names.begin(prefix, after)

    def observe(self, mind: Mind) -> None:
        """Notes who sees what in a mind, after its update."""
        sees = mind.raw["sees"]
        seen = self._seen.setdefault(mind.world.name, np.full(sees.shape, -np.inf))
        seen = self._seen[mind.world.name] = enlarged(seen, sees.shape, -np.inf)
        seen[sees] = mind.now

    def adopt(self, row: int, other: int) -> None:
        """Merges a row into another: they are one object."""
        self._actions.adopt(row, other)
        for seen in self._seen.values():
            if max(row, other) < seen.shape[1]:
                seen[:, other] = np.maximum(seen[:, other], seen[:, row])

    def deltas(self, minds: Mapping[str, Mind], robot: Mind, depth: int) -> Iterator[BeliefDelta]:
        """The actions recognised by now, as a delta for each mind that knows of them, parents
        first."""
        for action in self._actions.notice(witness(robot)):
            yield from self._deltas(action, self._named(action), minds, robot, depth)

    def _deltas(
        self, action: Action, name: str, minds: Mapping[str, Mind], mind: Mind, depth: int
    ) -> Iterator[BeliefDelta]:
        yield BeliefDelta(mind.world.name, self._facts(action, name, mind), (), "episodic")
        for model, agent in children_of(mind, depth):
            if model in minds and self._knows(action, mind, agent):
                yield from self._deltas(action, name, minds, minds[model], depth)

    def _knows(self, action: Action, mind: Mind, agent: int) -> bool:
        """Whether an agent in the world of a mind saw an action, performed it, or received its
        object."""
        if agent in (action.performer, action.receiver) and mind.company.present[agent]:
            return True
        seen = self._seen.get(mind.world.name)
        if seen is None or action.thing >= seen.shape[1]:
            return False
        return bool(seen[agent, action.thing] >= action.start - self._tolerances.around)

    def _named(self, action: Action) -> str:
        """A name for an action that no object and no agent has."""
        roster = self._roster
        return self._names.next(
            action.kind, lambda name: name in roster.row or name in roster.agent_index
        )

    def _facts(self, action: Action, name: str, mind: Mind) -> tuple[str, ...]:
        """The facts of an action, with the objects and agents that a mind knows."""
        things, agents = mind.world.known, mind.company.known
        names, people = self._roster.names, [agent.name for agent in self._roster.agents]
        roles = (
            ("actsOnObject", action.thing, names, things),
            ("fromLocation", action.source, names, things),
            ("toLocation", action.goal, names, things),
            ("performedBy", action.performer, people, agents),
            ("receivedBy", action.receiver, people, agents),
        )
        facts = [
            f"{name} {role} {called[number]}"
            for role, number, called, known in roles
            if number is not None and known[number]
        ]
        times = (("startTime", action.start), ("endTime", action.end))
        facts += [f'{name} {role} "{round(t, _DIGITS)}"^^xsd:double' for role, t in times]
        return tuple(sorted([f"{name} a {action.kind}", *facts]))


def witness(mind: Mind) -> Witness:
    """The quantities in the world of a mind that actions depend on, after its update."""
    world, roster, geometry = mind.world, mind.roster, mind.geometry
    solid = geometry.solid
    said = (mind.settled["on"] | mind.settled["in"]) if mind.settled else mind.relations.on
    return Witness(
        now=mind.now,
        pose=world.pose,
        centre=np.where(solid[:, None], geometry.middle, world.pose[:, :3]),
        bottom=np.where(solid, geometry.bottom, world.pose[:, 2]),
        raised=np.where(
            world.fresh, np.maximum(world.perceived[:, 2] - world.pose[:, 2], 0.0), 0.0
        ),
        reach=np.where(np.isfinite(roster.radii), roster.radii, 0.0),
        movable=roster.is_thing & ~roster.is_fixture & ~roster.is_static & ~roster.is_ground,
        placed=world.placed,
        perceived=(mind.now - world.seen < mind.tolerances.perceived) & world.known,
        last=world.seen,
        plausible=world.plausible,
        on=_first(mind.relations.on),
        inside=innermost(mind.relations.inside),
        said=said,
        holder=world.holding.holder,
        unsure=mind.unsure,
        dropped=mind.dropped,
        brought=mind.brought,
        passed=mind.passing.passed(len(roster)),
        hands=roster.hands,
        there=mind.company.there,
        owner=roster.owner,
        agents=len(roster.agents),
    )


def _first(relation: Flags) -> Rows:
    """The first row that each row has a relation to; NOWHERE if none."""
    found: Rows = np.where(relation.any(axis=1), relation.argmax(axis=1), NOWHERE)
    return found
