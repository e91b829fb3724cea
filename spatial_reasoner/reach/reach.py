"""Reach: which agents can reach which objects, and at which effort.

An object is within reach if inverse kinematics brings an arm to it within its joint limits and
without collision, both at the grasp and along the last ten centimetres of a straight approach. The
geometry is what a mind believes, so the answer can be wrong about the world.

An answer holds until something that it depends on moves by more than the jitter of a tracker. Then
it is computed again. Each tick computes the oldest open answers first, up to a number of postures.
So a person who walks through a room does not delay the answers about the others. Which answers are
computed depends on the percepts alone, not on the clock.

The road not taken: the distance from the hand, which ignores shoulders and obstacles.
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
from spatial_reasoner.geometry.arrays import Flags, Floats
from spatial_reasoner.geometry.poses import Pose, compose, rotations
from spatial_reasoner.kernels.compiled import compiled
from spatial_reasoner.reach.postures import Postures
from spatial_reasoner.reach.reach_cache import ReachCache
from spatial_reasoner.reach.reaching import Limb, Reached, Reaching, passed_through
from spatial_reasoner.relations.hands import NO_HAND
from spatial_reasoner.scene.scene import Agent
from spatial_reasoner.tolerances.reach import ReachTolerances
from spatial_reasoner.tolerances.units import Numeric
from spatial_reasoner.values.rendering import Scenery
from spatial_reasoner.values.roster import Roster

__all__ = ["Reacher", "Reaches"]

_STEP: Final[Numeric] = 0.1
"""The steps of `reachEffort`; each of them is a name in the ontology."""
_DIGITS: Final[Numeric] = 1e6
"""Efforts are rounded to six decimals."""


@dataclass(frozen=True, slots=True, eq=False)
class Reaches:
    """The reachable objects (agents, rows); the effort is 0 to 1 in steps, NaN if out of reach."""

    can: Flags
    effort: Floats


class Reacher:
    """Computes who can reach what in each mind. It owns a Bullet client and is not thread-safe.

    Call it once for each update of a mind: it continues from the previous answers.
    """

    def __init__(self, roster: Roster, tolerances: ReachTolerances) -> None:
        self.tolerances: Final = tolerances
        self.asked = 0
        """How many questions (agent, object) were computed."""
        self.tried = 0
        """How many postures were tried for them. This number is bounded, instead of the time."""
        self._roster: Final = roster
        self._bullet: Final = Bullet()
        self.close: Final = weakref.finalize(self, self._bullet.close)
        """Releases the Bullet client; this also happens when the object is garbage-collected."""
        self._postures: Final[dict[ArmForm, Postures]] = {}
        self._arms: Final[dict[int, list[tuple[Postures, Pose]]]] = {}
        self._armed: Final = [i for i, agent in enumerate(roster.agents) if agent.arm is not None]
        for number in self._armed:
            if roster.agents[number].head is not None or not roster.agents[number].shoulders:
                self._arms[number] = self._arms_of(roster.agents[number], None)
        self._minds: Final[dict[str, _Last]] = {}
        self._shared: Final[dict[tuple[object, ...], Reached]] = {}
        """The answers of this tick, shared by minds with equal beliefs."""
        self._upright: Final[dict[bytes, Pose | None]] = {}
        self._standing: Final[dict[tuple[int, bytes], list[Limb]]] = {}
        """The arms of agents at a pose in this tick, also shared by minds."""
        self._now = -np.inf

    def __enter__(self) -> "Reacher":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def reaches(self, mind: Mind, now: float) -> Reaches:
        """Returns who can reach what, as a mind believes after its update."""
        last = self._minds.get(mind.world.name)
        if last is None:
            last = _Last(ReachCache(len(self._roster.agents), len(self._roster)))
            self._minds[mind.world.name] = last
        last.cache.make_room(len(self._roster))
        if now != self._now:
            self._shared.clear()
            self._upright.clear()
            self._standing.clear()
            self._now = now
        seems = _seems(mind)
        if seems != last.seems or last.is_open:
            self._look(mind, last, now)
        last.seems, last.then = seems, now
        return last.published

    def _look(self, mind: Mind, last: "_Last", now: float) -> None:
        cache = last.cache
        is_changed = cache.take_in(mind, self.tolerances, now)
        for agent in self._armed:
            self._follow(mind, cache, agent, now, is_changed)
        waiting = cache.oldest()
        tolerances, lapse = self.tolerances, now - last.then
        due = tolerances.posture_pace * min(lapse, tolerances.posture_lapse)
        most = due if last.seems else np.inf
        last.is_open = bool(waiting) and self._settle(mind, cache, waiting, most)
        published_for = cache.changes, mind.company.looking.tobytes()
        if published_for != last.published_for:
            last.published = self._published(mind, cache, last.published)
            last.published_for = published_for

    def _follow(
        self, mind: Mind, cache: ReachCache, agent: int, now: float, is_changed: bool
    ) -> None:
        """Notes where an agent stands; distant objects are out of reach at once."""
        upright = self._heading(mind, agent)
        if upright is None:
            cache.leave(agent)
            return
        if cache.stand(agent, upright, self.tolerances):
            key = agent, upright.tobytes()
            if key not in self._standing:
                self._standing[key] = self._limbs(agent, upright)
            cache.arm(agent, self._standing[key], now)
            is_changed = True
        if is_changed:
            cache.drop_far(agent, self.tolerances.arm_beyond[1])

    def _heading(self, mind: Mind, agent: int) -> Pose | None:
        """The upright head pose of an agent who is present; shared by minds with equal beliefs."""
        if not mind.company.looking[agent]:
            return None
        head = mind.company.heads[agent]
        key = head.tobytes()
        if key not in self._upright:
            self._upright[key] = heading(head)
        return self._upright[key]

    def _settle(
        self, mind: Mind, cache: ReachCache, waiting: Sequence[tuple[int, int]], most: float
    ) -> bool:
        """Computes open answers until the tries are used up; returns whether some are still
        open."""
        rows = np.flatnonzero(cache.solid)
        self._bullet.arrange(Scenery(cache.shapes, cache.poses, rows))
        askers: dict[int, tuple[Reaching, tuple[object, ...]]] = {}
        relations, begun = mind.relations, self.tried
        for agent, row in waiting:
            if self.tried - begun > most:
                return True
            if agent not in askers:
                askers[agent] = self._asker(cache, agent)
            rests = np.flatnonzero(relations.on[row] | relations.inside[row]).tolist()
            cache.settle(agent, row, self._answer(*askers[agent], cache, agent, row, rests))
        return False

    def _answer(
        self,
        asker: Reaching,
        around: tuple[object, ...],
        cache: ReachCache,
        agent: int,
        row: int,
        rests: Sequence[int],
    ) -> Reached:
        """Returns the answer of a mind with equal beliefs, or computes a new one."""
        stays = bool(cache.can[agent, row])
        key = (agent, row, stays, *rests, *around)
        if key not in self._shared:
            before = self._work(asker)
            self._shared[key] = asker.reach(cache.limbs[agent], row, rests, stays)
            self.asked += 1
            self.tried += self._work(asker) - before
        return self._shared[key]

    def _work(self, asker: Reaching) -> int:
        return asker.tried + sum(postures.solved for postures in self._postures.values())

    def _asker(self, cache: ReachCache, agent: int) -> tuple[Reaching, tuple[object, ...]]:
        """Returns the query object for an agent, and a key of all that its answers depend on."""
        room, limbs = cache.room, cache.limbs[agent]
        passing = passed_through(room, limbs, self.tolerances) | self._own(cache, agent)
        near = np.flatnonzero(cache.close(agent, self.tolerances.approach_margin))
        around = (
            cache.stands[agent].tobytes(),
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

    def _own(self, cache: ReachCache, agent: int) -> Flags:
        """The objects that an agent holds: within reach, and no obstacles."""
        own: Flags = (cache.holder != NO_HAND) & (self._roster.owner[cache.holder] == agent)
        return own

    def _published(self, mind: Mind, cache: ReachCache, before: Reaches) -> Reaches:
        can, effort = cache.can.copy(), cache.effort.copy()
        if (cache.holder != NO_HAND).any():
            for agent in self._armed:
                if mind.company.looking[agent]:
                    own = self._own(cache, agent)
                    can[agent] |= own
                    effort[agent, own] = 0.0
        effort[~can] = np.nan
        return Reaches(can, self._stepped(effort, before.effort))

    def _stepped(self, effort: Floats, before: Floats) -> Floats:
        """Rounds efforts to steps, with hysteresis around the last step."""
        step, stepped = _STEP, effort.copy()
        _round_to_steps(effort, before, step, step / 2 + self.tolerances.effort_slack, stepped)
        return stepped

    def _arms_of(self, agent: Agent, first: Pose | None) -> list[tuple[Postures, Pose]]:
        """The arms of an agent, each with the pose of its shoulder in the frame of the upright
        head."""
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
    """The last answers for one mind, and the beliefs that they depend on."""

    def __init__(self, cache: ReachCache) -> None:
        self.cache: Final = cache
        self.seems: tuple[object, ...] | None = None
        self.then = -np.inf
        self.is_open = False
        self.published_for: tuple[object, ...] = ()
        shape = cache.can.shape
        self.published = Reaches(np.zeros(shape, dtype=bool), np.full(shape, np.nan))


@compiled("void(f8[:,:], f8[:,:], f8, f8, f8[:,:])")
def _round_to_steps(
    effort: Floats, before: Floats, step: float, slack: float, stepped: Floats
) -> None:
    """Rounds efforts to steps; an effort within the slack of its value `before` keeps that
    value."""
    for agent in range(len(effort)):
        for row in range(effort.shape[1]):
            # The nearest step: step · round(effort / step).
            rounded = np.rint(effort[agent, row] / step) * step
            # Hysteresis: within the slack of the last step, that step stays.
            if row < before.shape[1] and abs(effort[agent, row] - before[agent, row]) <= slack:
                rounded = before[agent, row]
            # Remove the rounding error of the multiplication.
            stepped[agent, row] = np.rint(rounded * _DIGITS) / _DIGITS


def _seems(mind: Mind) -> tuple[object, ...]:
    """All beliefs that reach depends on, as a value to compare."""
    company = mind.company
    return (
        len(mind.roster),
        mind.geometry.generation,
        company.heads.tobytes(),
        company.looking.tobytes(),
        mind.world.holding.holder.tobytes(),
    )
