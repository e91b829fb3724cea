"""What seems so in a world at this moment: an array of truths for each family of facts.

Each row of the table says what one look tells of some families; together they are all of them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from spatial_reasoner.company import HANDS, is_there
from spatial_reasoner.gazes import seen_after
from spatial_reasoner.hands import NO_HAND, moving_toward
from spatial_reasoner.mind import Mind, as_large
from spatial_reasoner.motion import is_moving
from spatial_reasoner.poses import Floats
from spatial_reasoner.reach import Reaches
from spatial_reasoner.roster import Flags
from spatial_reasoner.scene import MYSELF
from spatial_reasoner.situation import EFFORTS, FAMILIES
from spatial_reasoner.viewpoint import directions, near, pointing

__all__ = ["Moment", "noticed"]

Bits = dict[str, Flags]


@dataclass(frozen=True, slots=True, eq=False)
class Moment:
    """One mind, now; `parts_seen` says whose parts each agent perceives (a, a)."""

    mind: Mind
    now: float
    parts_seen: Flags
    reaches: Reaches

    def before(self, key: str) -> Flags:
        """What seemed so at the last look, with room for all rows of now."""
        shape = FAMILIES[key].shape(self.mind.roster)
        was = self.mind.raw.get(key)
        return np.zeros(shape, dtype=bool) if was is None else as_large(was, shape)

    @property
    def there(self) -> Flags:
        """The things whose place is known."""
        flags: Flags = self.mind.world.placed & self.mind.roster.is_thing
        return flags

    @property
    def empty(self) -> Flags:
        """Nothing, of agents and rows."""
        return np.zeros((len(self.mind.roster.agents), len(self.mind.roster)), dtype=bool)


def noticed(moment: Moment) -> Bits:
    """All families."""
    bits: Bits = {}
    for look in _LOOKS:
        bits.update(look(moment))
    return bits


def _resting(moment: Moment) -> Bits:
    relations = moment.mind.relations
    return {"on": relations.on, "in": relations.inside, "next to": relations.next_to}


def _around(moment: Moment) -> Bits:
    """Where things are as each agent sees it; the ground is everywhere."""
    mind = moment.mind
    heads = mind.company.heads
    centres = _centres(mind)
    keys = ("left", "right", "front", "behind")
    before = np.stack([moment.before(key) for key in keys], axis=2)
    has_place = moment.there & ~mind.roster.is_ground
    ours = mind.company.looking[:, None] & has_place
    found = directions(heads, centres, before, mind.tolerances) & ours[:, :, None]
    close = near(heads, centres, moment.before("near"), mind.tolerances)
    sides = {key: found[:, :, i] for i, key in enumerate(keys)}
    return {**sides, "near": close & ours, "far": ~close & ours}


def _in_sight(moment: Moment) -> Bits:
    """Who sees what; people perceive all that they see, so what they don't perceive isn't seen."""
    mind, tolerances = moment.mind, moment.mind.tolerances
    sees, turned, looks = moment.empty, moment.empty, moment.empty
    was, was_turned = moment.before("sees"), moment.before("turned")
    for agent, seen in mind.seen.items():
        sees[agent] = seen_after(seen.share, was[agent], tolerances, seen.kept)
        turned[agent] = seen_after(seen.turned, was_turned[agent], tolerances, seen.turned_kept)
        stays = moment.before("looks")[agent] & seen.attended_kept
        looks[agent] = seen.attended | stays
    if mind.world.name != MYSELF:
        sees[mind.owner] &= mind.world.fresh
    ours = moment.there & mind.world.known
    return {
        "sees": sees & ours,
        "turned": (turned | sees) & ours,
        "looks": looks & sees & ours,
        "perceives": moment.parts_seen,
    }


def _in_reach(moment: Moment) -> Bits:
    """Who reaches what, and how hard that is for the owner of the mind."""
    can, effort = moment.reaches.can, moment.reaches.effort[moment.mind.owner]
    steps = np.zeros(FAMILIES["effort"].shape(moment.mind.roster), dtype=bool)
    there = np.flatnonzero(can[moment.mind.owner])
    steps[there, np.rint(effort[there] * (len(EFFORTS) - 1)).astype(np.intp)] = True
    return {"reaches": can, "effort": steps}


def _held(moment: Moment) -> Bits:
    mind = moment.mind
    roster, holder = mind.roster, mind.world.holding.holder
    count = len(roster)
    in_hand = np.zeros((count, count), dtype=bool)
    held = np.flatnonzero((holder != NO_HAND) & mind.world.known)
    in_hand[held, holder[held]] = True
    holds = moment.empty
    holds[roster.owner[holder[held]], held] = True
    return {"in hand": in_hand, "holds": holds}


def _moving(moment: Moment) -> Bits:
    """What moves; and which hands move toward what: only those that are perceived.

    What is carried unseen moves as its hand does.
    """
    mind, tolerances = moment.mind, moment.mind.tolerances
    world, roster = mind.world, mind.roster
    velocities = mind.trail.velocities(moment.now, tolerances)
    fresh = world.placed & (moment.now - world.seen < tolerances.moving_window)
    toward = _toward(moment, fresh, velocities.mean)
    carried = np.flatnonzero((world.holding.holder != NO_HAND) & ~fresh & world.placed)
    hands = world.holding.holder[carried]
    fresh[carried] = fresh[hands]
    for each in (velocities.quick, velocities.steady):
        each[carried] = each[hands]
    rows = roster.heads
    was = moment.before("moving").copy()
    was[rows] = moment.before("agent moving")
    moves = is_moving(velocities, was, tolerances) & fresh
    return {
        "moving": moves & roster.is_thing,
        "agent moving": moves[rows] & mind.company.present,
        "toward": toward,
    }


def _toward(moment: Moment, fresh: Flags, mean: Floats) -> Flags:
    mind, tolerances = moment.mind, moment.mind.tolerances
    world, roster = mind.world, mind.roster
    count, hands = len(roster), roster.hands
    toward = np.zeros((count, count), dtype=bool)
    in_hand = world.holding.holder[None] == hands[:, None]
    found = moving_toward(world.pose[hands, :3], mean[hands], _centres(mind), in_hand, tolerances)
    movable = moment.there & ~roster.is_fixture
    toward[hands] = found & fresh[hands][:, None] & movable
    return toward


def _pointed(moment: Moment) -> Bits:
    """What each agent points at, with either arm; not what that hand holds."""
    mind = moment.mind
    world, roster = mind.world, mind.roster
    centres, was, points = _centres(mind), moment.before("points"), moment.empty
    fresh = is_there(world, moment.now, mind.tolerances)
    for agent in np.flatnonzero(mind.company.present).tolist():
        name = roster.agents[agent].name
        for hand, elbow in HANDS:
            wrist, bend = roster.part(name, hand), roster.part(name, elbow)
            if not world.placed[wrist] or not fresh[wrist]:
                continue
            from_elbow = world.pose[bend, :3] if world.placed[bend] else None
            at = pointing(world.pose[wrist], from_elbow, centres, was[agent], mind.tolerances)
            points[agent] |= at & (world.holding.holder != wrist)
    return {"points": points & (moment.there & ~mind.roster.is_ground)}


def _perceived(moment: Moment) -> Bits:
    world, roster = moment.mind.world, moment.mind.roster
    lately = moment.now - world.seen < moment.mind.tolerances.perceived
    return {"perceived": lately & world.known & roster.is_thing}


_LOOKS: Final[tuple[Callable[[Moment], Mapping[str, Flags]], ...]] = (
    _resting,
    _around,
    _in_sight,
    _in_reach,
    _held,
    _moving,
    _pointed,
    _perceived,
)


def _centres(mind: Mind) -> Floats:
    """The middles of all rows; of those without a shape, where they are."""
    found = mind.world.pose[:, :3].copy()
    solid = mind.geometry.solid
    found[solid] = mind.geometry.middle[solid]
    return found
