"""Evaluates the geometry of a world at one time: a boolean array for each family of facts.

Each function in the table `_LOOKS` computes some families. `Mind.steadied` adds the others after
the debounce: the field of view and the reach of the mind's owner, and why objects are missing.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from spatial_reasoner.actions.action_prediction import may_pick, may_put_into
from spatial_reasoner.belief.company import HANDS
from spatial_reasoner.belief.mind import Mind
from spatial_reasoner.geometry.arrays import Flags, Floats
from spatial_reasoner.reach.reach import Reaches
from spatial_reasoner.relations.hands import NO_HAND, moving_toward
from spatial_reasoner.relations.motion import Velocities, is_moving
from spatial_reasoner.relations.situation import EFFORTS
from spatial_reasoner.relations.viewpoint import directions, near, pointing
from spatial_reasoner.scene.scene import MYSELF
from spatial_reasoner.sight.gazes import find_seen

__all__ = ["MindState", "evaluated"]

Bits = dict[str, Flags]


@dataclass(frozen=True, eq=False)
class MindState:
    """One mind at one time; `parts_seen` is whose parts each agent perceives (a, a)."""

    mind: Mind
    now: float
    parts_seen: Flags
    reaches: Reaches

    @cached_property
    def there(self) -> Flags:
        """The objects with a known place."""
        flags: Flags = self.mind.world.placed & self.mind.roster.is_thing
        return flags

    @cached_property
    def centres(self) -> Floats:
        """The box centres of all rows; for rows without a shape, their positions."""
        geometry = self.mind.geometry
        return np.where(geometry.solid[:, None], geometry.middle, self.mind.world.pose[:, :3])

    @property
    def empty(self) -> Flags:
        """An empty array of agents and rows."""
        return np.zeros((len(self.mind.roster.agents), len(self.mind.roster)), dtype=bool)


def evaluated(moment: MindState) -> Bits:
    """The families that follow from this moment; `Mind.steadied` adds the others."""
    bits: Bits = {}
    for look in _LOOKS:
        bits.update(look(moment))
    return bits


def _resting(moment: MindState) -> Bits:
    relations = moment.mind.relations
    return {"on": relations.on, "in": relations.inside, "next to": relations.next_to}


def _around(moment: MindState) -> Bits:
    """The directions of objects as seen from each agent; the ground has none."""
    mind = moment.mind
    heads, centres = mind.company.heads, moment.centres
    keys = ("left", "right", "front", "behind")
    before = np.array([mind.before(key) for key in keys]).transpose(1, 2, 0)
    has_place = moment.there & ~mind.roster.is_ground
    ours = mind.company.looking[:, None] & has_place
    found = directions(heads, centres, before, mind.tolerances)
    close = near(heads, centres, mind.before("near"), mind.tolerances)
    arrays = np.array([*found.transpose(2, 0, 1), close, ~close]) & ours
    return dict(zip((*keys, "near", "far"), arrays, strict=True))


def _in_sight(moment: MindState) -> Bits:
    """The objects that each agent sees, turns to and looks at; the owner's must be perceived."""
    mind, share = moment.mind, moment.mind.tolerances.share
    sees, turned, looks = moment.empty, moment.empty, moment.empty
    was_seen, was_turned, was_looked = (mind.before(key) for key in ("sees", "turned", "looks"))
    for agent, seen in mind.seen.items():
        find_seen(seen.share, seen.kept, was_seen[agent], *share, sees[agent])
        find_seen(seen.turned, seen.turned_kept, was_turned[agent], *share, turned[agent])
        looks[agent] = seen.attended | (was_looked[agent] & seen.attended_kept)
    if mind.world.name != MYSELF:
        sees[mind.owner] &= mind.world.fresh
    ours = moment.there & mind.world.known
    return {
        "sees": sees & ours,
        "turned": (turned | sees) & ours,
        "looks": looks & sees & ours,
        "perceives": moment.parts_seen,
    }


def _in_reach(moment: MindState) -> Bits:
    """The objects that each agent can reach, and the effort of the mind's owner."""
    can, effort = moment.reaches.can, moment.reaches.effort[moment.mind.owner]
    steps = np.zeros((len(moment.mind.roster), len(EFFORTS)), dtype=bool)
    there = np.flatnonzero(can[moment.mind.owner])
    steps[there, np.rint(effort[there] * (len(EFFORTS) - 1)).astype(np.intp)] = True
    return {"reaches": can, "effort": steps}


def _held(moment: MindState) -> Bits:
    mind = moment.mind
    roster, holder = mind.roster, mind.world.holding.holder
    count = len(roster)
    in_hand = np.zeros((count, count), dtype=bool)
    if mind.world.holding.is_empty:
        return {"in hand": in_hand, "holds": moment.empty}
    held = np.flatnonzero((holder != NO_HAND) & mind.world.known)
    in_hand[held, holder[held]] = True
    holds = moment.empty
    holds[roster.owner[holder[held]], held] = True
    return {"in hand": in_hand, "holds": holds}


def _moving(moment: MindState) -> Bits:
    """Which objects and agents move, and which hands move toward what; only if observed.

    An object that is carried unobserved moves as its hand does.
    """
    mind, tolerances = moment.mind, moment.mind.tolerances
    world, roster = mind.world, mind.roster
    velocities = mind.trail.velocities(moment.now, tolerances)
    fresh = world.placed & (moment.now - world.seen < tolerances.moving_window)
    toward = _toward(moment, fresh, velocities)
    if not world.holding.is_empty:
        carried = np.flatnonzero((world.holding.holder != NO_HAND) & ~fresh & world.placed)
        hands = world.holding.holder[carried]
        fresh[carried] = fresh[hands]
        for each in (velocities.quick, velocities.steady):
            each[carried] = each[hands]
    rows = roster.heads
    was = mind.before("moving").copy()
    was[rows] = mind.before("agent moving")
    moves = is_moving(velocities, was, tolerances) & fresh
    return {
        "moving": moves & roster.is_thing,
        "agent moving": moves[rows] & mind.company.present,
        "toward": toward,
    }


def _toward(moment: MindState, fresh: Flags, velocities: Velocities) -> Flags:
    """Which hands move toward what.

    A hand that has just arrived still moves toward its object until `isInHand` is asserted. So the
    approach is asserted first, however short it was.
    """
    mind, tolerances = moment.mind, moment.mind.tolerances
    world, roster = mind.world, mind.roster
    count, hands = len(roster), roster.hands
    toward = np.zeros((count, count), dtype=bool)
    if not fresh[hands].any():
        return toward
    in_hand = world.holding.holder[None] == hands[:, None]
    found = np.zeros_like(in_hand)
    for each in (velocities.quick, velocities.mean):
        found |= moving_toward(world.pose[hands, :3], each[hands], moment.centres, tolerances)
    came = in_hand & mind.before("toward")[hands] & ~mind.said("in hand")[:, hands].T
    movable = moment.there & ~roster.is_fixture
    toward[hands] = (found & ~in_hand | came) & fresh[hands][:, None] & movable
    return toward


def _pointed(moment: MindState) -> Bits:
    """The objects that each agent points at with either arm, without those that its hand holds."""
    mind = moment.mind
    world, roster = mind.world, mind.roster
    was, points, fresh = mind.before("points"), moment.empty, mind.company.there
    if not (fresh & world.placed)[roster.hands].any():
        return {"points": points}
    for agent in np.flatnonzero(mind.company.present).tolist():
        name = roster.agents[agent].name
        for hand, elbow in HANDS:
            wrist, bend = roster.part(name, hand), roster.part(name, elbow)
            if not world.placed[wrist] or not fresh[wrist]:
                continue
            from_elbow = world.pose[bend, :3] if world.placed[bend] else None
            at = pointing(
                world.pose[wrist], from_elbow, moment.centres, was[agent], mind.tolerances
            )
            points[agent] |= at & (world.holding.holder != wrist)
    return {"points": points & (moment.there & ~mind.roster.is_ground)}


def _about_to(moment: MindState) -> Bits:
    """The possible next actions of hands."""
    return {"may pick": may_pick(moment.mind), "may put into": may_put_into(moment.mind)}


def _perceived(moment: MindState) -> Bits:
    world, roster = moment.mind.world, moment.mind.roster
    lately = moment.now - world.seen < moment.mind.tolerances.perceived
    perceived = lately & world.known & roster.is_thing
    return {"perceived": perceived, "plausible": perceived & world.plausible}


_LOOKS: Final[tuple[Callable[[MindState], Mapping[str, Flags]], ...]] = (
    _resting,
    _around,
    _in_sight,
    _in_reach,
    _held,
    _moving,
    _pointed,
    _about_to,
    _perceived,
)
