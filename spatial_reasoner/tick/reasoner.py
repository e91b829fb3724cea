"""One tick: a frame of percepts updates all minds, and the changes come out as deltas.

1. The robot's world absorbs the frame; poses are smoothed or fused.
2. Each mind computes relations, visibility, reach and hypotheses in its own world.
3. The minds of its agents absorb, in turn, what those can perceive there, with the same code at
   every depth. An agent who is absent absorbs nothing and keeps their beliefs.

A frame within a hundredth of a second after a tick waits, and is processed together with the next
frame, or by `finish`. That depends on the frames alone, so a recording gives the same facts.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

import numpy as np

from spatial_reasoner.actions.action_facts import ActionFacts
from spatial_reasoner.actions.perspective_taking import children_of, feel, parts_seen, sensed_by
from spatial_reasoner.belief.mind import Mind
from spatial_reasoner.belief.plausibility import Steadier
from spatial_reasoner.dynamics.physics import Physics
from spatial_reasoner.geometry.arrays import Flags
from spatial_reasoner.kernels.compiled import prepare
from spatial_reasoner.likelihood.likelihoods import Likelihoods
from spatial_reasoner.percepts.percepts import Merger, PerceptSettings, plain_measurements
from spatial_reasoner.reach.reach import Reacher
from spatial_reasoner.relations.filtering import Filter
from spatial_reasoner.relations.joints import Joints
from spatial_reasoner.relations.situation import FactChange
from spatial_reasoner.relations.steadiness import Smoother
from spatial_reasoner.scene.scene import MYSELF, Scene
from spatial_reasoner.sight.close_ups import CloseUpSight
from spatial_reasoner.sight.visibility import Visibility
from spatial_reasoner.tick.appearance_changes import AppearanceChanges
from spatial_reasoner.tick.evaluation import MindState, evaluated
from spatial_reasoner.tick.on_demand import demanded
from spatial_reasoner.tick.snapshots import Snapshot, saved
from spatial_reasoner.tolerances.tolerances import Tolerances
from spatial_reasoner.tolerances.units import Numeric, Wait
from spatial_reasoner.values.action_recognition import ActionKind
from spatial_reasoner.values.delta import BeliefDelta, BelievedPose, Look
from spatial_reasoner.values.frames import Frame
from spatial_reasoner.values.likelihood import Likelihood, Meant, Said
from spatial_reasoner.values.roster import Roster

__all__ = ["SpatialReasoner"]

_EQUIPMENT: Final = ("_visibility", "_reacher", "_likelihoods")
_ROUNDING: Final[Numeric] = 1e-6
"""Seconds: a tolerance for the rounding of times."""
_PATIENCE: Final[Wait] = 60.0
"""Seconds: enough for all draws of one question on any machine, with nothing else to do."""
_LASTING: Final = frozenset({"isOn", "isIn", "isNextTo", "isInHand", "isMoving", "isPerceived"})
"""If a fact with one of these predicates begins or ends, its subject becomes active."""


class SpatialReasoner:
    """The minds of a scene; implements `delta.Reasons`."""

    def __init__(
        self,
        scene: Scene,
        sight: CloseUpSight,
        tolerances: Tolerances | None = None,
        settings: PerceptSettings | None = None,
    ) -> None:
        prepare()
        self.tolerances: Final = tolerances or Tolerances()
        self.roster: Final = Roster(scene)
        self._scene: Final = scene
        self._equip(sight)
        self._merger: Final = Merger(
            scene, self.roster, settings or PerceptSettings(), self.tolerances
        )
        self._smoother: Final = Smoother(len(self.roster), self.tolerances)
        self._joints: Final = Joints(self.roster, self.tolerances)
        self._physics: Final = Physics(self.roster)
        self._filter: Final = Filter(len(self.roster), self.tolerances)
        self._minds: Final[dict[str, Mind]] = {}
        self._moved: Final[dict[str, Mapping[str, BelievedPose]]] = {}
        self._by_sense: Final[dict[str, set[int]]] = {}
        """The rows that sensors on each agent have observed in this tick."""
        self._empty: Final[dict[str, tuple[float, list[int]]]] = {}
        """The hands that each source reported as empty, and when."""
        self._now = self._ticked = -np.inf
        self._is_open = False
        self._robot: Final = self._mind(MYSELF)
        self._action_facts: Final = ActionFacts(self.roster, self.tolerances)
        self._appearance_changes: Final = AppearanceChanges(self.roster, self._robot.world)
        self._steadier: Final = Steadier(self.roster, self.tolerances, self._physics)

    def _equip(self, sight: CloseUpSight) -> None:
        """Creates the components that are not saved."""
        self._visibility = Visibility(sight, self.tolerances)
        self._reacher = Reacher(self.roster, self.tolerances)
        self._likelihoods = Likelihoods()

    @property
    def now(self) -> float:
        return self._now

    @property
    def models(self) -> tuple[str, ...]:
        return tuple(self._minds)

    def mind(self, model: str) -> Mind:
        """A mind, for inspection."""
        return self._minds[model]

    @property
    def pictures(self) -> int:
        """The number of pictures rendered so far."""
        return self._visibility.drawn

    @property
    def steps(self) -> int:
        """The number of physics steps computed so far."""
        return self._physics.steps

    def save(self) -> Snapshot:
        """A snapshot of all minds; `restored` continues from it, any number of times."""
        minds = {name: each for name, each in vars(self).items() if name not in _EQUIPMENT}
        return saved(minds)

    @classmethod
    def restored(cls, state: Snapshot, sight: CloseUpSight) -> "SpatialReasoner":
        """A reasoner that continues from a snapshot, independent of the one that was saved.

        Reach is computed anew, so it may differ where an object is at the limit.
        """
        prepare()
        made = cls.__new__(cls)
        vars(made).update(state.restored())
        made._equip(sight)
        return made

    def close(self) -> None:
        """Releases its resources; the renderer it was given stays open."""
        self._reacher.close()
        self._likelihoods.close()
        self._physics.close()

    def tick(self, frame: Frame) -> list[BeliefDelta]:
        if not self._is_open:
            self._begin()
        self._moved.clear()
        self._appearance_changes.begin()
        self._take(frame)
        self._now = max(self._now, frame.t)
        is_due = self._now >= self._ticked + (self.tolerances.together - _ROUNDING)
        return self.finish() if is_due else []

    def finish(self) -> list[BeliefDelta]:
        if not self._is_open:
            return []
        self._is_open, self._ticked = False, self._now
        self._settle()
        return [*self._think(), *self._done()]

    def name_actions(self, prefix: str, after: Mapping[ActionKind, int]) -> None:
        self._action_facts.name_actions(prefix, after)

    def placed(self, model: str) -> Mapping[str, BelievedPose]:
        mind = self._minds[model]
        return _places(mind, mind.world.known)

    def moved(self, model: str) -> Mapping[str, BelievedPose]:
        return self._moved.get(model, {})

    def looks(self) -> Mapping[str, Look]:
        return self._appearance_changes.looks()

    def changed_looks(self) -> Mapping[str, Look | None]:
        return self._appearance_changes.changed()

    def computed(
        self, model: str, predicate: str, subject: str | None, value: str | None
    ) -> list[str]:
        return demanded(self._minds[model], predicate, subject, value)

    async def weighed(
        self,
        model: str,
        predicate: str,
        subject: str | None,
        value: str | None,
        about: Meant | None = None,
    ) -> list[str]:
        mind = self._minds[model]
        return await self._likelihoods.facts(mind, predicate, subject, value, about)

    async def likely(self, model: str, said: Said) -> Likelihood | None:
        return await self._likelihoods.likely(self._minds[model], said, _PATIENCE)

    def _mind(self, model: str) -> Mind:
        """The mind of a model; a new one knows nothing."""
        mind = self._minds.get(model)
        if mind is None:
            mind = self._minds[model] = Mind(model, self.roster, self.tolerances, self._physics)
        return mind

    def _begin(self) -> None:
        """Begins a tick, which may take several frames."""
        self._by_sense.clear()
        for mind in self._minds.values():
            mind.begin()
        if self._now == -np.inf:
            self._furnish()
        self._is_open = True

    def _furnish(self) -> None:
        """Initialises the robot's world from the scene, until a frame reports otherwise."""
        world = self._robot.world
        for entity in self._scene.entities.values():
            if entity.pose is not None:
                world.put(self.roster.row[entity.name], entity.pose)
        for agent in self._scene.agents.values():
            head = {} if agent.head is None else {"head": agent.head}
            for part, pose in {**agent.parts, **head}.items():
                world.put(self.roster.part(agent.name, part), pose)

    def _take(self, frame: Frame) -> None:
        """The robot's world absorbs a frame."""
        sensed, adopted = self._merger.merge(frame, self._robot.world)
        if len(self.roster) > len(self._robot.world.known):
            self._smoother.grow(rows=len(self.roster))
            self._filter.grow(rows=len(self.roster))
            for mind in self._minds.values():
                mind.make_room()
        self._appearance_changes.forget([hidden for hidden, _ in adopted])
        for hidden, row in adopted:
            self._action_facts.adopt(hidden, row)
            for mind in self._minds.values():
                mind.adopt(hidden, row)
        joints = self._joints.steady(frame.t, sensed.joints)
        self._robot.world.absorb(replace(sensed, joints=joints), frame.t)
        self._appearance_changes.update()
        if frame.empty or frame.source in self._empty:
            hands = [self.roster.part(who, h) for who, each in frame.empty.items() for h in each]
            self._empty[frame.source] = (frame.t, hands)
        whose = self._scene.sensor(frame.source).on
        self._by_sense.setdefault(whose, set()).update(sensed.rows.tolist())

    def _settle(self) -> None:
        """Smooths what all frames of the tick report together."""
        world = self._robot.world
        lately = self._now - self.tolerances.missing
        world.idle = {row for t, rows in self._empty.values() if t > lately for row in rows}
        self._fuse()
        fresh = np.flatnonzero(world.fresh)
        plain = fresh[~world.told[fresh]]
        times = world.seen[plain]
        for t in sorted(set(times.tolist())):
            rows = plain[times == t]
            self._smoother.smooth(t, rows, world.perceived[rows])
            self._robot.trail.record(t, rows, world.perceived[rows, :3])
        world.pose[fresh] = self._smoother.poses[fresh]
        robot = self._robot
        carried = robot.relations.inside | robot.relations.on
        moving = robot.before("moving") | self._smoother.stirs
        self._steadier.steady(world, robot.geometry.bodies, carried, moving)

    def _fuse(self) -> None:
        """Fuses percepts with a covariance with the prediction, by the Kalman filter."""
        mind, world = self._robot, self._robot.world
        measurements = self._merger.weighed()
        if not measurements and not world.told.any():
            return
        measurements = [*measurements, *plain_measurements(world, measurements)]
        rows = self._filter.fuse(measurements, world.cov, mind.last[0], mind.now)
        world.told[rows] = True
        self._smoother.believe(rows, self._filter.poses[rows])
        world.pose[rows] = self._smoother.poses[rows]
        times = self._filter.last[rows]
        for t in sorted(set(times.tolist())):
            mind.trail.record(t, rows[times == t], self._filter.poses[rows[times == t], :3])

    def _think(self) -> Iterator[BeliefDelta]:
        """Updates all minds, parents first; the mind of an absent agent rests.

        The minds of one depth are updated together, so that equal views are rendered once.
        """
        minds = [(self._robot, True)]
        while minds:
            lost = self._look([mind for mind, is_there in minds if is_there])
            for mind, is_there in minds:
                if is_there:
                    yield from self._noticed(mind, next(lost))
                else:
                    self._moved[mind.world.name] = {}
                    yield from _deltas(mind, mind.rest(self._now))
            minds = [within for mind, is_there in minds for within in self._fed(mind, is_there)]

    def _done(self) -> Iterator[BeliefDelta]:
        """The deltas of the actions recognised by now."""
        return self._action_facts.deltas(self._minds, self._robot, self._scene.depth)

    def _fed(self, mind: Mind, is_there: bool) -> Iterator[tuple[Mind, bool]]:
        """The minds nested in one, each with whether its agent is present; these absorb
        percepts."""
        for child, agent in children_of(mind, self._scene.depth):
            within = self._mind(child)
            is_with_us = is_there and bool(mind.company.present[agent])
            if is_with_us:
                within.absorb(sensed_by(mind, agent, self._sensed_rows(mind, agent)), self._now)
                feel(within, mind, agent)
            yield within, is_with_us

    def _sensed_rows(self, mind: Mind, agent: int) -> Collection[int]:
        """The rows that an agent's own sensors observed, visible or not."""
        whose = self.roster.agents[agent].name
        return self._by_sense.get(whose, ()) if mind is self._robot else ()

    def _look(self, minds: Sequence[Mind]) -> Iterator[Flags]:
        """Updates some minds; yields for each the objects that it does not find where expected."""
        gazes = [mind.gazes(self._now) for mind in minds]
        seen = iter(self._visibility.see([gaze for each in gazes for gaze in each]))
        for mind, mine in zip(minds, gazes, strict=True):
            yield mind.look(islice(seen, len(mine)))

    def _noticed(self, mind: Mind, lost: Flags) -> Iterator[BeliefDelta]:
        if mind is self._robot:
            self._smoother.forget(np.flatnonzero(lost))
            self._filter.forget(np.flatnonzero(lost))
        reaches = self._reacher.reaches(mind, self._now)
        moment = MindState(mind, self._now, parts_seen(mind), reaches)
        change = mind.told(mind.steadied(self._now, evaluated(moment)))
        self._action_facts.observe(mind)
        self._moved[mind.world.name] = _places(mind, mind.news())
        yield from _deltas(mind, change)


def _deltas(mind: Mind, change: FactChange) -> Iterator[BeliefDelta]:
    """The delta of a change, and one that marks its subjects as active for a while."""
    model = mind.world.name
    if not change:
        return
    yield BeliefDelta(model, change.add, change.retract)
    active = _active(mind.roster, change)
    if active:
        yield BeliefDelta(
            model, tuple(f"{name} a ActiveConcept" for name in active), (), "short_term"
        )


def _active(roster: Roster, change: FactChange) -> list[str]:
    """The subjects that appeared, or changed in a lasting way; sorted."""
    named = set()
    for statement in (*change.add, *change.retract):
        subject, predicate, _ = statement.split(" ", 2)
        if predicate in _LASTING or (predicate == "a" and statement in change.add):
            named.add(subject)
    known = roster.row.keys() | roster.agent_index.keys()
    return sorted(name for name in named if name in known)


def _places(mind: Mind, rows: Flags) -> dict[str, BelievedPose]:
    world = mind.world
    return {mind.roster.names[row]: world.place(row) for row in np.flatnonzero(rows).tolist()}
