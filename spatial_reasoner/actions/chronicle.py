"""The chronicle: actions that were recognised, as facts, in the models of those who know of them.

The robot recognises what is done, in its own world. Somebody within a mind knows of it who, in the
world of that mind, saw the thing about then, or did it, or received the thing: the same at every
depth. Each action is an individual that has the same name in all models.
"""

from collections.abc import Iterator, Mapping
from typing import Final

import numpy as np

from spatial_reasoner.actions.action_names import ActionNames
from spatial_reasoner.actions.actions import Actions, Witness
from spatial_reasoner.actions.feeding import children_of
from spatial_reasoner.belief.mind import Mind
from spatial_reasoner.geometry.polygons import Rows
from spatial_reasoner.geometry.poses import Floats
from spatial_reasoner.relations.relations import NOWHERE, innermost
from spatial_reasoner.values.delta import Delta
from spatial_reasoner.values.glimpses import Action, Kind
from spatial_reasoner.values.roster import Flags, Roster
from spatial_reasoner.values.tolerances import Tolerances

__all__ = ["Chronicle", "witness"]

_DIGITS: Final = 6


class Chronicle:
    """What was done so far: who saw which things when, and which names are taken."""

    def __init__(self, roster: Roster, tolerances: Tolerances) -> None:
        self._roster: Final = roster
        self._tolerances: Final = tolerances
        self._actions: Final = Actions(tolerances)
        self._seen: Final[dict[str, Floats]] = {}
        """When each agent saw each thing last, in the world of each mind: (a, n)."""
        self._names: Final = ActionNames()

    def name_actions(self, prefix: str, after: Mapping[Kind, int]) -> None:
        """Has actions named so from now on: with a prefix, and after a number of each kind."""
        self._names.begin(prefix, after)

    def look(self, mind: Mind) -> None:
        """Notes who sees what, of a mind that has just looked."""
        sees = mind.raw["sees"]
        seen = self._seen.setdefault(mind.world.name, np.full(sees.shape, -np.inf))
        more = sees.shape[1] - seen.shape[1]
        if more:
            seen = np.pad(seen, ((0, 0), (0, more)), constant_values=-np.inf)
            self._seen[mind.world.name] = seen
        seen[sees] = mind.now

    def adopt(self, row: int, other: int) -> None:
        """What was of a row is from now on of another: they are one thing."""
        self._actions.adopt(row, other)
        for seen in self._seen.values():
            if max(row, other) < seen.shape[1]:
                seen[:, other] = np.maximum(seen[:, other], seen[:, row])

    def told(self, minds: Mapping[str, Mind], robot: Mind, depth: int) -> Iterator[Delta]:
        """What was done in the robot's world by now, told to all who know of it, parents first."""
        for action in self._actions.notice(witness(robot)):
            yield from self._told(action, self._named(action), minds, robot, depth)

    def _told(
        self, action: Action, name: str, minds: Mapping[str, Mind], mind: Mind, depth: int
    ) -> Iterator[Delta]:
        yield Delta(mind.world.name, self._facts(action, name, mind), (), "episodic")
        for model, agent in children_of(mind, depth):
            if model in minds and self._knows(action, mind, agent):
                yield from self._told(action, name, minds, minds[model], depth)

    def _knows(self, action: Action, mind: Mind, agent: int) -> bool:
        """Whether an agent, as a mind has it, saw an action, did it, or received its object."""
        if agent in (action.performer, action.receiver) and mind.company.present[agent]:
            return True
        seen = self._seen.get(mind.world.name)
        if seen is None or action.thing >= seen.shape[1]:
            return False
        return bool(seen[agent, action.thing] >= action.start - self._tolerances.around)

    def _named(self, action: Action) -> str:
        """A name of its own, that no thing and no agent has."""
        roster = self._roster
        return self._names.next(
            action.kind, lambda name: name in roster.row or name in roster.agent_index
        )

    def _facts(self, action: Action, name: str, mind: Mind) -> tuple[str, ...]:
        """An action in words, as far as a mind knows who and what has to do with it."""
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
    """What shows of actions in the world of a mind that has just looked."""
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
    """What each row stands in a relation to; NOWHERE for none."""
    found: Rows = np.where(relation.any(axis=1), relation.argmax(axis=1), NOWHERE)
    return found
