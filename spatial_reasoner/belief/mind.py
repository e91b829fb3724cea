"""One mind at work: its world, who looks where in it, and what follows, as steady as can be told.

All minds work alike, the robot's and those it ascribes to others; only what they perceive differs.
"""

from collections.abc import Iterable, Mapping
from typing import Final

import numpy as np

from spatial_reasoner.belief.accounts import Accounts
from spatial_reasoner.belief.company import Company, any_part, company, is_there
from spatial_reasoner.belief.covering import Covering
from spatial_reasoner.belief.doubts import doubt
from spatial_reasoner.belief.dropping import Dropping
from spatial_reasoner.belief.leaving import Leaving
from spatial_reasoner.belief.lingering import leave, lingering, regrip
from spatial_reasoner.belief.missing import Looked, Missing
from spatial_reasoner.belief.news import News
from spatial_reasoner.belief.nooks import Nooks
from spatial_reasoner.belief.occluders import look_past_arms
from spatial_reasoner.belief.parts import Onlookers, parts_in_view
from spatial_reasoner.belief.passing import Passing
from spatial_reasoner.belief.pointwise import look_for_points
from spatial_reasoner.belief.unseen import Unseen
from spatial_reasoner.belief.world import NEVER, Sensed, World
from spatial_reasoner.dynamics.physics import Physics
from spatial_reasoner.geometry.arrays import Flags
from spatial_reasoner.geometry.columns import enlarged
from spatial_reasoner.relations.debouncing import Debouncer
from spatial_reasoner.relations.hands import NO_HAND, Workspace, at_hand, hold
from spatial_reasoner.relations.motion import Trail
from spatial_reasoner.relations.relations import Relations, relate
from spatial_reasoner.relations.situation import FAMILIES, ROWS, FactChange, Situation
from spatial_reasoner.relations.world_geometry import WorldGeometry
from spatial_reasoner.scene.scene import MYSELF
from spatial_reasoner.sight.gazes import Gaze, Seen
from spatial_reasoner.tolerances.tolerances import Tolerances
from spatial_reasoner.values.rendering import Scenery
from spatial_reasoner.values.roster import Roster

__all__ = ["Mind"]

_PLAINLY: Final = 2.0
"""So many times the share that is enough to be seen, no doubt is left."""
_BEHIND_RIM: Final = 0.5
"""What shows less of what is in a container trackers may well lose."""
_RESTING: Final = (
    *("moving", "agent moving", "toward", "may pick", "may put into", "perceived", "plausible"),
)


class Mind:
    """A world and what is noticed in it; `relations`, `company` and `seen` are of the last look."""

    def __init__(
        self, name: str, roster: Roster, tolerances: Tolerances, physics: Physics
    ) -> None:
        self.world: Final = World(name, roster)
        self.roster: Final = roster
        self.tolerances: Final = tolerances
        self.trail: Final = Trail(rows=len(roster))
        self.raw: Final[dict[str, Flags]] = {}
        """What seems so now, by family: the hysteresis of the next look begins here."""
        self.seen: Mapping[int, Seen] = {}
        self.company: Company = company(self.world, is_there(self.world, 0.0, tolerances))
        self.geometry = self._new_geometry()
        self.relations = Relations.none(len(roster))
        self.parts_in_view: Flags = np.zeros((len(roster.agents), len(roster)), dtype=bool)
        """The parts of others in the field of view of each agent, hidden or not."""
        self.missing: Final = Missing(tolerances)
        self.accounts: Final = Accounts(roster, tolerances)
        self.situation: Final = Situation(roster)
        self.last = self.world.last
        """Where all was when this moment began."""
        self.now = NEVER
        """When it last looked."""
        self.sided: Flags = np.zeros(0, dtype=bool)
        """Which things stood upright when that was last asked."""
        self.settled: Mapping[str, Flags] = {}
        """What was told last, by family."""
        self._was = self.world.last
        """Where all was when it was last said how sure that is."""
        self._settling: Final = Debouncer(tolerances.debounce)
        self._is_at_rest = False
        self._onlookers: Final = Onlookers(roster)
        self._is_sure: Final = name != MYSELF
        """Whether its owner perceives whatever shows, as people do, and no camera."""
        hands = roster.hands[:0] if self._is_sure else roster.hands
        self._covering: Final = Covering(hands, len(roster))
        self.passing: Final = Passing(roster, tolerances)
        self._leaving: Final = Leaving(self._is_sure)
        self._dropping: Final = Dropping(tolerances.plunge)
        self._news: Final = News()
        self._nooks: Final = Nooks()
        self.unseen: Final = Unseen(roster, tolerances, physics)

    @property
    def owner(self) -> int:
        """Which agent's mind this is."""
        return self.roster.agent_index[self.world.owner]

    @property
    def dropped(self) -> Flags:
        """What was seen to fall out of a hand a moment ago."""
        return self._dropping.falling(len(self.roster), self.now)

    @property
    def left_behind(self) -> Flags:
        """What a hand seems to have left somewhere, though that is not sure yet."""
        return self._leaving.stays(len(self.roster))

    @property
    def unsure(self) -> Flags:
        """What may be in its hand, or have been left."""
        return self.left_behind | self._leaving.doubtful(len(self.roster))

    @property
    def brought(self) -> Flags:
        """What was left somewhere by a hand that was out of sight with it."""
        return self._leaving.brought(len(self.roster))

    def absorb(self, sensed: Sensed, now: float) -> None:
        """Takes in what its owner perceives."""
        self.world.absorb(sensed, now)
        raw = sensed.poses if sensed.raw is None else sensed.raw
        self.trail.record(now, sensed.rows, raw[:, :3])

    def begin(self) -> None:
        """A new moment."""
        self.last = self.world.last
        self.world.begin()
        self.make_room()

    def adopt(self, row: int, other: int) -> None:
        """What was believed of a row is from now on of another: they are one thing."""
        if not self.world.known[row]:
            return
        self.world.adopt(row, other)
        self.accounts.adopt(row, other, self.world.pose)
        self._is_at_rest = False
        for key, array in self.raw.items():
            changed = array.copy()
            for axis, meaning in enumerate(FAMILIES[key].axes):
                if meaning in ROWS:
                    lines = np.moveaxis(changed, axis, 0)
                    lines[other], lines[row] = lines[row], False
            self.raw[key] = changed

    def make_room(self) -> None:
        """Room for all rows that there are."""
        self.world.make_room()
        self.last = self.world.as_large(self.last)
        count = len(self.roster)
        if count > len(self.geometry):
            self.geometry = self._new_geometry()
            self.relations = self.relations.grown(count)
            self.trail.grow(rows=count)
            self.unseen.make_room()
            self._covering.grow(rows=count)
            for key, array in self.raw.items():
                self.raw[key] = enlarged(array, FAMILIES[key].shape(self.roster))

    def before(self, key: str) -> Flags:
        """What seemed so at the last look, of one family; it is not to be changed."""
        was = self.raw.get(key)
        return np.zeros(FAMILIES[key].shape(self.roster), dtype=bool) if was is None else was

    def said(self, key: str) -> Flags:
        """What was told last of one family; it is not to be changed."""
        shape = FAMILIES[key].shape(self.roster)
        return enlarged(self.settled[key], shape) if self.settled else np.zeros(shape, dtype=bool)

    def gazes(self, now: float) -> list[Gaze]:
        """A new look: who is there, and where they look. `look` takes what they see."""
        world, then, self.now, self._is_at_rest = self.world, self.now, now, False
        there = is_there(world, now, self.tolerances)
        self._covering.note(world, self.relations.on, self.trail, now, self.tolerances)
        self._take_hold(there)
        if not world.holding.is_empty:
            lies, inside = self.lies_yet, self.relations.inside
            leave(world, lies, inside, self.missing.looked, self.tolerances)
            regrip(world, lies)
            self.unseen.lift_out(world, self.geometry.bodies, world.carry(self.left_behind | lies))
        for row in world.joints:
            self.geometry.reshape(row, world.shapes[row])
        self.unseen.move(
            world, self.geometry.bodies, self.last, self.relations.inside, self.relations.on,
            self.trail, self.left_behind | self.dropped, then, now,
        )  # fmt: skip
        seconds = now - then if then > NEVER else 0.0
        doubt(
            world, self.geometry.bodies, self.relations.inside, self._was, seconds, self.tolerances
        )
        self._was = world.last
        world.embody()
        self.company = company(world, there)
        before, edge = self.before("perceives"), self.tolerances.field_edge
        self.parts_in_view = parts_in_view(world, self.company, before, edge)
        everything = self._scenery()
        return [self._gaze(agent, everything) for agent in self._lookers()]

    @property
    def lies_yet(self) -> Flags:
        """What lay still in its hand, and may lie there yet."""
        return self._lingering(self._covering)

    @property
    def lost_lately(self) -> Flags:
        """The same, of what was perceived but a moment ago, or is behind a rim."""
        return self._lingering(None)

    def _lingering(self, covering: Covering | None) -> Flags:
        looked = self.missing.looked
        return lingering(
            self.world, self.relations, looked, self.trail, covering, self.now, self.tolerances
        )

    def look(self, seen: Iterable[Seen]) -> Flags:
        """Takes what is seen in all gazes; the rows that are not where they should be."""
        self.seen = dict(zip(self._lookers(), seen, strict=True))
        lost = self._lost(self.now)
        self._relate()
        looked, last = self.missing.looked, self.last[0]
        self.accounts.seek(self.world, self.relations, looked, last, self.brought, self.now)
        return lost

    def _lookers(self) -> list[int]:
        found: list[int] = np.flatnonzero(self.company.looking).tolist()
        return found

    def shown_parts(self, agent: int) -> Flags:
        """The parts of others that an agent sees."""
        rows = self.parts_in_view[agent]
        return self._onlookers.shown(self.world, agent, rows)

    def steadied(self, now: float, raw: Mapping[str, Flags]) -> Mapping[str, Flags]:
        """What of all that seems so has lasted long enough."""
        self.raw.update(raw)
        entered = self.world.entered
        settled = self._settling.settle(now, raw, entered, any_part(entered, self.roster))
        told = {**settled, **self._own_view(settled), **self.accounts.told}
        reached = settled["toward"] & settled["in hand"].T
        if reached.any():
            told["toward"] = settled["toward"] & ~reached
        self.settled = {**told, "on": self._left(settled)}
        return self.settled

    def _left(self, settled: Mapping[str, Flags]) -> Flags:
        """What is on what; what a hand takes is off only after it is told to be in the hand."""
        held, on = self.raw["in hand"], settled["on"]
        if not self.settled or not held.any():
            return on
        was_held, was_on = (enlarged(self.settled[key], on.shape) for key in ("in hand", "on"))
        is_new: Flags = np.logical_or.reduce(held & ~was_held, axis=1)
        late: Flags = was_on & ~on & is_new[:, None]
        return np.logical_or(on, late) if late.any() else on

    def _own_view(self, settled: Mapping[str, Flags]) -> dict[str, Flags]:
        """What the owner sees and reaches, of all that he knows: true or false.

        It follows from what is settled, so that the two never contradict each other.
        """
        known = self.world.known & self.roster.is_thing
        sees, reaches = (settled[key][self.owner] & known for key in ("sees", "reaches"))
        return {
            "in field": sees,
            "not in field": known & ~sees,
            "reachable": reaches,
            "not reachable": known & ~reaches,
            "effort": settled["effort"] & reaches[:, None],
        }

    def rest(self, now: float) -> FactChange:
        """Its owner is not there: what is told of the last moments only comes to its end."""
        if not self.raw or self._is_at_rest:
            return FactChange((), ())
        ended = {key: np.zeros_like(self.raw[key]) for key in _RESTING}
        raw = {**self.raw, **ended}
        settled = self.steadied(now, raw)
        self._is_at_rest = all(np.array_equal(settled[key], raw[key]) for key in raw)
        return self.told(settled)

    def news(self) -> Flags:
        """The rows of which it is worth saying where they are."""
        return self._news.of(self.world, self.last)

    def told(self, settled: Mapping[str, Flags]) -> FactChange:
        """What is new of it."""
        return self.situation.change(settled, self.world.known, self.company.known)

    def _new_geometry(self) -> WorldGeometry:
        roster = self.roster
        shapes = self.world.shapes
        return WorldGeometry(shapes, roster.is_support, roster.is_container, self.tolerances)

    def _relate(self) -> None:
        """What is on, in and next to what, by where all is now."""
        world = self.world
        held = world.holding.holder != NO_HAND
        self.geometry.update(world.pose, world.placed & self.roster.is_thing, held)
        self.relations = relate(self.geometry, self.relations)

    def _take_hold(self, there: Flags) -> None:
        """Hands take, hand over and let go what is near to them, if they are `there`."""
        world, roster = self.world, self.roster
        there = world.placed & (there | roster.is_thing)
        if world.holding.is_empty and not there[roster.hands].any():
            return
        if world.idle:
            there[list(world.idle)] = False
            world.holding.holder[np.isin(world.holding.holder, list(world.idle))] = NO_HAND
        world.bring_hands()
        rests: Flags = np.logical_or.reduce(self.relations.on, axis=1)
        lies = (rests | np.logical_or.reduce(self.relations.inside, axis=1)) & world.plausible
        self._let_go(there, lies)
        self._dropping.let_go(world, self.now)
        graspable = roster.is_thing & ~roster.is_fixture & ~roster.is_static
        graspable &= ~self.dropped
        seen = self.seen.get(self.owner)
        yet = self.lies_yet
        covered = self._covering.lost(world, lies, yet, seen, self.now, self.tolerances)
        workspace = Workspace(
            world.shapes, world.pose, roster.hands, there, world.fresh, covered,
            graspable & self._at_hand(), rests, lies,
        )  # fmt: skip
        world.holding = hold(workspace, world.holding, self.tolerances)

    def _over_containers(self) -> Flags:
        """What is in a hand that is, or has it, over the opening of a container."""
        holder = self.world.holding.holder
        may_put = np.logical_or.reduce(self.before("may put into"), axis=1)
        over: Flags = (holder != NO_HAND) & may_put[holder]
        return over

    def _at_hand(self) -> Flags:
        """What is so near to a hand that it may be held, or is held: few of all things."""
        world, roster = self.world, self.roster
        near = at_hand(world.pose, roster.hands, roster.radii + self.tolerances.held)
        near |= world.holding.holder != NO_HAND
        return near

    def _let_go(self, there: Flags, lies: Flags) -> None:
        """A hand that is missing itself does not hold what is perceived to lie without it."""
        holder = self.world.holding.holder
        held = np.flatnonzero((holder != NO_HAND) & self.world.fresh & lies)
        for row in held[~there[holder[held]]].tolist():
            if self.trail.pauses(row, self.tolerances):
                holder[row] = NO_HAND

    def _scenery(self) -> Scenery:
        """All that is believed to be somewhere and can be seen."""
        world = self.world
        rows = np.flatnonzero(world.placed & ~self.roster.is_part)
        return Scenery(world.shapes, world.pose, rows)

    def _gaze(self, agent: int, scenery: Scenery) -> Gaze:
        """Nobody's own body is in the way."""
        who = self.roster.agents[agent]
        eye = self.company.heads[agent]
        if agent in self.roster.bodies:
            rows = scenery.rows[scenery.rows != self.roster.bodies[agent]]
            scenery = Scenery(scenery.shapes, scenery.poses, rows)
        return Gaze(eye, who.fov, who.foa, who.turn, scenery, self.roster.is_transparent)

    def _lost(self, now: float) -> Flags:
        """Who should be seen by the owner of this mind, and is not perceived."""
        seen = self.seen.get(self.owner)
        if seen is None:
            self.missing.pause()
            return np.zeros(len(self.world.known), dtype=bool)
        begins = self.tolerances.share[0]
        plainly = seen.share >= _PLAINLY * begins
        in_view = seen.in_view & ~self.lies_yet
        is_in: Flags = np.logical_or.reduce(self.relations.inside, axis=1)
        lying = self.relations.on.any(axis=1) & ~is_in & self.world.plausible
        over = self._over_containers() | is_in
        if not self._is_sure:
            self._leaving.forget(self.passing.notice(self.world, plainly & in_view, now))
        left = self._leaving.notice(self.world, in_view, plainly & in_view, now, is_in, over, lying)
        self.unseen.wake(left)
        looked = Looked(seen.in_view.copy(), seen.share >= np.where(is_in, _BEHIND_RIM, begins))
        look_for_points(self.world, looked, self._onlookers, self.owner)
        look_past_arms(self.world, looked, self.owner)
        lost = self.missing.look_for(self.world, looked, now)
        self.unseen.seek(self.missing.unexplained, self.world, now)
        brought = self.brought
        if lost.any() or brought.any():
            lies = self._nooks.seek(self.world, self.owner, lost, self.relations, brought)
            self.unseen.wake(lies)
            self.missing.excuse(lies)
            lost &= ~lies
            lost &= ~self._leaving.take_back(self.world, lost)
            lost &= ~self._covering.taken(self.world, lost)
            self.world.lose(lost)
        return lost
