"""Reach: who can get a hand to what, and how far from rest that is.

A thing is in reach if an arm of somebody gets there by inverse kinematics, its joints within their
limits, and bumps into nothing, neither there nor on the last ten centimetres of a straight way. All
goes by what a mind believes is where, so it can be wrong about that.

What was found out holds until something that it depends on has moved by more than trackers jitter.
Then it is looked at again: the oldest first, as many in a tick as its time is worth, so that nobody
who walks through a room holds up the others. Which these are depends on the percepts alone.

The road not taken: the distance to the hand, as if arms had no shoulders and things no fronts.
"""

import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from spatial_reasoner.belief.mind import Mind
from spatial_reasoner.belief.shoulders import heading, shoulders_of
from spatial_reasoner.dynamics.arms import ArmForm, arm_form
from spatial_reasoner.dynamics.bullet import Bullet
from spatial_reasoner.dynamics.bullet_arms import Arm
from spatial_reasoner.geometry.poses import Floats, Pose, compose, rotations
from spatial_reasoner.kernels.compiled import compiled
from spatial_reasoner.reach.postures import Postures
from spatial_reasoner.reach.reach_notes import Notes
from spatial_reasoner.reach.reach_tolerances import ReachTolerances
from spatial_reasoner.reach.reaching import Limb, Reached, Reaching, passed_through
from spatial_reasoner.relations.hands import NO_HAND
from spatial_reasoner.scene.scene import Agent
from spatial_reasoner.values.roster import Flags, Roster
from spatial_reasoner.values.sight import Scenery

__all__ = ["Reacher", "Reaches"]

_LONGEST: Final = 0.4
"""The time of a tick that tries are granted for, at most."""
_AROUND: Final = 0.4
"""Beyond an arm and its last way nothing is in anybody's way."""


@dataclass(frozen=True, slots=True, eq=False)
class Reaches:
    """Who can reach what, (agents, rows); the effort is 0 to 1 in steps, NaN where nobody can."""

    can: Flags
    effort: Floats


class Reacher:
    """Says who reaches what in each mind. It keeps a Bullet, and is not for two threads at once.

    Ask it once for each look of a mind: the answers go on from those before.
    """

    def __init__(self, roster: Roster, tolerances: ReachTolerances | None = None) -> None:
        self.tolerances: Final = tolerances or ReachTolerances()
        self.asked = 0
        """How many times it was worked out whether somebody gets to something."""
        self.tried = 0
        """How many postures that took; this and not time is what is bounded."""
        self._roster: Final = roster
        self._bullet: Final = Bullet()
        self.close: Final = weakref.finalize(self, self._bullet.close)
        """Gives back what it holds; when it is forgotten that happens by itself."""
        self._postures: Final[dict[ArmForm, Postures]] = {}
        self._arms: Final[dict[int, list[tuple[Postures, Pose]]]] = {}
        self._armed: Final = [i for i, agent in enumerate(roster.agents) if agent.arm is not None]
        for number in self._armed:
            if roster.agents[number].head is not None or not roster.agents[number].shoulders:
                self._arms[number] = self._arms_of(roster.agents[number], None)
        self._minds: Final[dict[str, _Last]] = {}
        self._shared: Final[dict[tuple[object, ...], Reached]] = {}
        """The answers of this moment: minds that believe the same share them."""
        self._upright: Final[dict[bytes, Pose | None]] = {}
        self._standing: Final[dict[tuple[int, bytes], list[Limb]]] = {}
        """The arms of those who stand somewhere, in this moment: minds share them, too."""
        self._now = -np.inf

    def __enter__(self) -> "Reacher":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def reaches(self, mind: Mind, now: float) -> Reaches:
        """Who reaches what, as a mind that has just looked believes."""
        last = self._minds.get(mind.world.name)
        if last is None:
            last = _Last(Notes(len(self._roster.agents), len(self._roster)))
            self._minds[mind.world.name] = last
        elif len(last.notes.shapes) < len(self._roster):
            last.notes = last.notes.grown(len(self._roster))
        if now != self._now:
            self._shared.clear()
            self._upright.clear()
            self._standing.clear()
            self._now = now
        seems = _seems(mind)
        if seems != last.seems or last.is_open:
            self._look(mind, last, now)
        last.seems, last.then = seems, now
        return last.told

    def _look(self, mind: Mind, last: "_Last", now: float) -> None:
        notes = last.notes
        is_changed = notes.take_in(mind, self.tolerances, now)
        for agent in self._armed:
            self._follow(mind, notes, agent, now, is_changed)
        waiting = notes.oldest()
        most = self.tolerances.pace * min(now - last.then, _LONGEST) if last.seems else np.inf
        last.is_open = bool(waiting) and self._settle(mind, notes, waiting, most)
        told_of = notes.changes, mind.company.looking.tobytes()
        if told_of != last.told_of:
            last.told, last.told_of = self._told(mind, notes, last.told), told_of

    def _follow(self, mind: Mind, notes: Notes, agent: int, now: float, is_changed: bool) -> None:
        """Notes where an agent stands; what is far from there is out of reach at once."""
        upright = self._heading(mind, agent)
        if upright is None:
            notes.leave(agent)
            return
        if notes.stand(agent, upright, self.tolerances):
            key = agent, upright.tobytes()
            if key not in self._standing:
                self._standing[key] = self._limbs(agent, upright)
            notes.arm(agent, self._standing[key], now)
            is_changed = True
        if is_changed:
            notes.drop_far(agent, self.tolerances.beyond[1])

    def _heading(self, mind: Mind, agent: int) -> Pose | None:
        """The upright head of who is there; many minds believe the same of it."""
        if not mind.company.looking[agent]:
            return None
        head = mind.company.heads[agent]
        key = head.tobytes()
        if key not in self._upright:
            self._upright[key] = heading(head)
        return self._upright[key]

    def _settle(
        self, mind: Mind, notes: Notes, waiting: Sequence[tuple[int, int]], most: float
    ) -> bool:
        """Works out what is open, until that took too many tries; whether some is left open."""
        rows = np.flatnonzero(notes.solid)
        self._bullet.arrange(Scenery(notes.shapes, notes.poses, rows))
        askers: dict[int, tuple[Reaching, tuple[object, ...]]] = {}
        relations, begun = mind.relations, self.tried
        for agent, row in waiting:
            if self.tried - begun > most:
                return True
            if agent not in askers:
                askers[agent] = self._asker(notes, agent)
            rests = np.flatnonzero(relations.on[row] | relations.inside[row]).tolist()
            notes.settle(agent, row, self._answer(*askers[agent], notes, agent, row, rests))
        return False

    def _answer(
        self,
        asker: Reaching,
        around: tuple[object, ...],
        notes: Notes,
        agent: int,
        row: int,
        rests: Sequence[int],
    ) -> Reached:
        """The answer of another mind that believes the same, or else a new one."""
        stays = bool(notes.can[agent, row])
        key = (agent, row, stays, *rests, *around)
        if key not in self._shared:
            before = self._work(asker)
            self._shared[key] = asker.reach(notes.limbs[agent], row, rests, stays)
            self.asked += 1
            self.tried += self._work(asker) - before
        return self._shared[key]

    def _work(self, asker: Reaching) -> int:
        return asker.tried + sum(postures.solved for postures in self._postures.values())

    def _asker(self, notes: Notes, agent: int) -> tuple[Reaching, tuple[object, ...]]:
        """Who asks for an agent, and all that the answers depend on."""
        room, limbs = notes.room, notes.limbs[agent]
        passing = passed_through(room, limbs, self.tolerances) | self._own(notes, agent)
        near = np.flatnonzero(notes.close(agent, _AROUND))
        around = (
            notes.stands[agent].tobytes(),
            near.tobytes(),
            room.poses[near].tobytes(),
            passing[near].tobytes(),
            *[None if (shape := room.shapes[k]) is None else shape.key for k in near.tolist()],
        )
        return Reaching(self._bullet, room, self.tolerances, passing), around

    def _limbs(self, agent: int, upright: Pose) -> list[Limb]:
        if agent not in self._arms:
            self._arms[agent] = self._arms_of(self._roster.agents[agent], upright)
        shoulders = [(postures, compose(upright, own)) for postures, own in self._arms[agent]]
        length = self._roster.agents[agent].arm or 0.0
        return [
            Limb(postures, length, shoulder, rotations(shoulder))
            for postures, shoulder in shoulders
        ]

    def _own(self, notes: Notes, agent: int) -> Flags:
        """What an agent holds itself: it is no obstacle, and within reach."""
        own: Flags = (notes.holder != NO_HAND) & (self._roster.owner[notes.holder] == agent)
        return own

    def _told(self, mind: Mind, notes: Notes, before: Reaches) -> Reaches:
        can, effort = notes.can.copy(), notes.effort.copy()
        if (notes.holder != NO_HAND).any():
            for agent in self._armed:
                if mind.company.looking[agent]:
                    own = self._own(notes, agent)
                    can[agent] |= own
                    effort[agent, own] = 0.0
        effort[~can] = np.nan
        return Reaches(can, self._stepped(effort, before.effort))

    def _stepped(self, effort: Floats, before: Floats) -> Floats:
        """Efforts in steps; one that was near to its step stays in it."""
        step, stepped = self.tolerances.effort_step, effort.copy()
        _round_to_steps(effort, before, step, step / 2 + self.tolerances.effort_slack, stepped)
        return stepped

    def _arms_of(self, agent: Agent, first: Pose | None) -> list[tuple[Postures, Pose]]:
        """Each arm of an agent, and where its shoulder is from the upright head."""
        arms = []
        for side, shoulder in shoulders_of(agent, first).items():
            assert agent.arm is not None
            form = arm_form(agent.arm_model, agent.arm, side)
            if form not in self._postures:
                arm = Arm(self._bullet, form)
                self._postures[form] = Postures(arm, self.tolerances)
            arms.append((self._postures[form], shoulder))
        return arms


class _Last:
    """What was last found out in one mind, and of what."""

    def __init__(self, notes: Notes) -> None:
        self.notes = notes
        self.seems: tuple[object, ...] | None = None
        self.then = -np.inf
        self.is_open = False
        self.told_of: tuple[object, ...] = ()
        shape = notes.can.shape
        self.told = Reaches(np.zeros(shape, dtype=bool), np.full(shape, np.nan))


@compiled("void(f8[:,:], f8[:,:], f8, f8, f8[:,:])")
def _round_to_steps(
    effort: Floats, before: Floats, step: float, slack: float, stepped: Floats
) -> None:
    """Rounds efforts to steps; those within the slack of what they were `before` stay that."""
    for agent in range(len(effort)):
        for row in range(effort.shape[1]):
            told = np.rint(effort[agent, row] / step) * step
            if row < before.shape[1] and abs(effort[agent, row] - before[agent, row]) <= slack:
                told = before[agent, row]
            stepped[agent, row] = np.rint(told * 1e6) / 1e6


def _seems(mind: Mind) -> tuple[object, ...]:
    """What reach depends on, to be compared."""
    company = mind.company
    return (
        len(mind.roster),
        mind.geometry.generation,
        company.heads.tobytes(),
        company.looking.tobytes(),
        mind.world.holding.holder.tobytes(),
    )
