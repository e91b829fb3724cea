"""The board: all models, every change to them as a delta, and the questions they answer.

It keeps no clock and has no locks: whoever owns it says what time it is, and asks between
changes. A refused change leaves everything as it was.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from kb_server.core.errors import (
    BadModelName,
    BadRequest,
    Inconsistent,
    UnknownModel,
)
from kb_server.core.facts.matching import Budget
from kb_server.core.models.agents import ROBOT, ancestors, check_name, new_minds
from kb_server.core.models.delta import Delta, Kept
from kb_server.core.models.lifespans import MEMORIES, DueList, check_memories
from kb_server.core.models.model import Model, is_visible
from kb_server.core.models.proofs import Conflict, conflicts
from kb_server.core.models.revision import Plan, Revision, plan
from kb_server.core.reasoning.commonsense import CommonSense
from kb_server.core.reasoning.reasoner import DERIVATION, Change
from kb_server.core.terms.statements import Statement
from ontology.vocabulary import AGENT, SAME_AS, TYPE

__all__ = ["Blackboard", "Divergence", "ModelInfo", "Settings"]


@dataclass(frozen=True, slots=True)
class Settings:
    """What may be set: lifetimes, and how much work one request may cause.

    To withdraw is never refused.
    """

    memories: Mapping[str, float] = field(default_factory=lambda: MEMORIES)
    """Seconds that a fact of each memory lives; those that are set come beside these."""
    derivations: int = 100_000
    """Inferences in one change; twenty matches looked at count as one."""
    derivations_each: int = 25
    """Inferences more for each statement that is told, so that a load may be large."""
    steps: int = 2_000_000
    """Matches that a question may look at, ten for each row of its answer included."""
    models: int = 1_000
    """Models on the board."""

    def work(self, told: int) -> int:
        """The matches that a delta may look at for the statements it tells."""
        return (self.derivations + told * self.derivations_each) * DERIVATION


@dataclass(frozen=True, slots=True)
class ModelInfo:
    id: str
    parent: str | None
    asserted: int
    inferred: int
    seq: int


@dataclass(frozen=True, slots=True)
class Divergence:
    """The facts on which two models differ."""

    only_here: tuple[Statement, ...]
    only_there: tuple[Statement, ...]


class Blackboard:
    """Models over one common sense.

    `on_delta` are called with each delta in their order, in the thread that makes the change.
    """

    def __init__(self, common: CommonSense, settings: Settings | None = None) -> None:
        self.common: Final = common
        self.names: Final = common.names
        self.settings: Final = settings or Settings()
        check_memories(self.settings.memories)
        self.seq = 0
        self._is_notifying = False
        self.on_delta: Final[list[Callable[[Delta], None]]] = []
        self._models: Final[dict[str, Model]] = {}
        self._due: Final = DueList()
        self._make(ROBOT)
        agents = common.reasoner.index.match(None, TYPE, AGENT)
        for mind in new_minds(sorted(agents), self.names):
            self._make(mind)

    def model(self, name: str) -> Model:
        """The model of that name; UnknownModel when there is none."""
        found = self._models.get(name)
        if found is None:
            raise UnknownModel(f"there is no model {name[:80]!r}", model=name[:80])
        return found

    def models(self) -> list[ModelInfo]:
        return [
            ModelInfo(
                m.name,
                m.parent,
                len(m.assertions),
                m.inferred,
                m.seq,
            )
            for m in self._models.values()
        ]

    @property
    def minds(self) -> tuple[str, ...]:
        """The names of the models alone, in the order in which they were made."""
        return tuple(self._models)

    def create(self, name: str) -> bool:
        """Makes a model; False when it was there. Its parent must be."""
        check_name(name)
        if name in self._models:
            return False
        parent = name.rpartition(".")[0]
        if parent and parent not in self._models:
            raise UnknownModel(f"{name!r} lies in {parent!r}, which is not there", model=parent)
        self._room_for(1)
        self._make(name)
        return True

    def delete(self, name: str, now: float) -> list[Delta]:
        """Takes a model away with all that lie in it; what they held ceases."""
        self._not_while_notifying()
        self.model(name)
        if name == ROBOT:
            raise BadModelName(f"{ROBOT!r} is the robot's own model and stays", model=name)
        doomed = [n for n in self._models if n == name or name in ancestors(n)]
        deltas = []
        for n in reversed(doomed):
            try:
                delta = self._emptied(self._models[n], now)
                deltas += [delta] if delta else []
            finally:
                del self._models[n]
        return deltas

    def revise(self, name: str, revision: Revision, now: float) -> Delta | None:
        """Changes a model as asked, in one step; None when that changes nothing at all."""
        model = self.model(name)
        planned = plan(model, revision, now, self.settings.memories)
        return self._apply(model, planned, now, revision)

    def revise_all(self, revisions: Mapping[str, Revision], now: float) -> list[Delta]:
        """Changes several models, each in one step, one after the other: all of them or none.

        Each is tried first and taken back, so that nobody is told of one before it is known that
        none is refused; and who is told of the first sees the others as they were before theirs.
        """
        for name, revision in revisions.items():
            self._rehearse(self.model(name), revision, now)
        deltas, failures = [], []
        for name, revision in revisions.items():
            try:
                delta = self.revise(name, revision, now)
                deltas += [delta] if delta else []
            except Exception as failure:  # a follower's: the change is made all the same
                failures.append(failure)
        if failures:
            raise failures[0]
        return deltas

    def next_due(self) -> float:
        """When `expire` has something to do again."""
        return self._due.next_due()

    @property
    def ending(self) -> int:
        """No more assertions than so many can be due at once."""
        return len(self._due)

    def expire(self, now: float) -> list[Delta]:
        """Withdraws what has reached the end of its life, one delta for each model."""
        deltas = []
        for name, facts in self._due.due(now).items():
            delta = self._apply(self._models[name], Plan(tuple(facts), {}), now, Revision())
            deltas += [delta] if delta else []
        return deltas

    def restore(self, seq: int, kept: Mapping[str, Kept], now: float) -> list[Delta]:
        """Becomes the board that was kept; called on a new one.

        Where another ontology makes other things follow from the same assertions, that is a
        delta, so that whoever folds the deltas stays right.
        """
        self._begin(seq, kept)
        deltas = []
        for name, one in kept.items():
            came, gone = self._models[name].restore(one, now)
            if came or gone:
                deltas.append(self._drifted(self._models[name], came, gone, now))
        return deltas

    def recall(self, seq: int, kept: Mapping[str, Kept]) -> None:
        """Becomes the board that was kept, inferences as they were then, to be read only."""
        self._begin(seq, kept)
        for name, one in kept.items():
            self._models[name].recall(one)

    def conflicts(self, name: str) -> list[Conflict]:
        """The contradictions of a model."""
        return conflicts(self.model(name))

    def divergence(self, name: str, other: str) -> Divergence:
        """The facts on which two models differ, common sense aside."""
        here, there = self.model(name), self.model(other)
        return Divergence(_only_in(here, there), _only_in(there, here))

    def budget(self) -> Budget:
        """The steps that one question may take."""
        return Budget(self.settings.steps)

    def _begin(self, seq: int, kept: Mapping[str, Kept]) -> None:
        self.seq = seq
        self._models.clear()
        for name, one in kept.items():
            self._make(name)
            for fact, assertion in one.assertions.items():
                self._due.add(assertion.expires, name, fact)

    def _drifted(
        self, model: Model, came: list[Statement], gone: list[Statement], now: float
    ) -> Delta:
        change = Change(tuple(came), tuple(gone), (), 0)
        minds = self._as_many(self._agents_without(model, change))
        for mind in minds:
            self._make(mind)
        return self._publish(model, change, Plan((), {}), now, Revision(), minds)

    def _make(self, name: str) -> None:
        self._models[name] = Model(name, self.common)

    def _apply(self, model: Model, planned: Plan, now: float, why: Revision) -> Delta | None:
        self._not_while_notifying()
        if not planned.withdrawn and not planned.asserted:
            return None
        budget = Budget(self.settings.work(len(planned.asserted)))
        change = model.reasoner.change(planned.withdrawn, planned.asserted, now, budget)
        try:
            agents = self._agents_without(model, change)
            self._accept(model, change, planned, why, len(agents))
            minds = [Model(name, self.common) for name in self._as_many(agents)]
        except BaseException:
            model.reasoner.undo()
            raise
        model.reasoner.keep()
        self._models.update((mind.name, mind) for mind in minds)
        self._record(model, planned)
        return self._publish(model, change, planned, now, why, [mind.name for mind in minds])

    def _rehearse(self, model: Model, revision: Revision, now: float) -> None:
        """Raises what speaks against a revision; changes nothing."""
        self._not_while_notifying()
        planned = plan(model, revision, now, self.settings.memories)
        budget = Budget(self.settings.work(len(planned.asserted)))
        change = model.reasoner.change(planned.withdrawn, planned.asserted, now, budget)
        try:
            agents = self._agents_without(model, change)
            self._accept(model, change, planned, revision, len(agents))
        finally:
            model.reasoner.undo()

    def _accept(
        self, model: Model, change: Change, planned: Plan, why: Revision, agents: int
    ) -> None:
        """Raises what speaks against a change that is made but not yet published."""
        found = _brought(model, change, planned) if why.if_consistent else []
        if found:
            raise Inconsistent("; ".join(c.message for c in found[:3]), conflicts=tuple(found))
        if why.add or why.update:
            self._room_for(agents)

    def _as_many(self, agents: list[str]) -> list[str]:
        """The agents to have a model; when a withdrawal shows more than are allowed, not all."""
        return agents[: max(0, self.settings.models - len(self._models))]

    def _agents_without(self, model: Model, change: Change) -> list[str]:
        """The agents that a change of the robot's model shows and that have no model."""
        if model.name != ROBOT:
            return []
        parted = ((x, TYPE, AGENT) for x, p, o in change.ceased if p == SAME_AS and o == ROBOT)
        agents = (fact for fact in parted if model.reasoner.holds(fact))
        minds = new_minds((*change.became_true, *agents), self.names)
        known = {*self._models, *map(self.names.agent_name, model.other_names(ROBOT))}
        return [mind for mind in minds if mind not in known]

    def _room_for(self, more: int) -> None:
        if more and len(self._models) + more > self.settings.models:
            raise BadRequest(
                f"there are {len(self._models)} models; {self.settings.models} are allowed",
                allowed=self.settings.models,
            )

    def _record(self, model: Model, planned: Plan) -> None:
        model.record(planned.withdrawn, planned.asserted)
        for fact in planned.withdrawn:
            self._due.forget(model.name, fact)
        for fact, assertion in planned.asserted.items():
            self._due.add(assertion.expires, model.name, fact)

    def _publish(
        self,
        model: Model,
        change: Change,
        planned: Plan,
        now: float,
        why: Revision,
        minds: Iterable[str] = (),
    ) -> Delta:
        self.seq += 1
        delta = Delta(
            self.seq,
            model.name,
            now,
            tuple(filter(is_visible, change.became_true)),
            tuple(filter(is_visible, change.ceased)),
            planned.asserted,
            planned.withdrawn,
            why.source,
            why.t,
            tuple(minds),
        )
        model.passed(delta)
        self._notify(delta)
        return delta

    def _notify(self, delta: Delta) -> None:
        """Calls every listener; the first exception is raised when all have been called."""
        failures = []
        self._is_notifying = True
        try:
            for listener in self.on_delta:
                try:
                    listener(delta)
                except Exception as failure:
                    failures.append(failure)
        finally:
            self._is_notifying = False
        if failures:
            raise failures[0]

    def _not_while_notifying(self) -> None:
        if self._is_notifying:
            raise RuntimeError("a follower changes the board while a delta is being told")

    def _emptied(self, model: Model, now: float) -> Delta | None:
        """The delta of a model that goes: no reasoning is needed to know that all ceases."""
        if not model.reasoner.facts and not model.assertions:
            return None
        gone = Plan(tuple(model.assertions), {})
        ceased = tuple(model.reasoner.everything())
        self._record(model, gone)
        model.empty()
        return self._publish(model, Change((), ceased, (), 0), gone, now, Revision())


def _brought(model: Model, change: Change, planned: Plan) -> list[Conflict]:
    """The contradictions that a change brings: those that are new, or rest on what is new."""
    fresh = planned.asserted.keys() - model.assertions.keys()
    known = conflicts(model)
    resting = [conflict for conflict in known if not fresh.isdisjoint(conflict.facts)]
    return conflicts(model, change.clashes) or resting


def _only_in(one: Model, other: Model) -> tuple[Statement, ...]:
    return tuple(sorted(f for f in one.facts() - other.facts() if not other.reasoner.holds(f)))
