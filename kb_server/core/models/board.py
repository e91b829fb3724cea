"""The board: all models, every change of them as a delta, and questions to them.

It has no clock and no locks: its owner passes the time, and calls it from one thread at a time. A
refused change leaves everything as it was.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from kb_server.core.facts.matching import Budget
from kb_server.core.models.agents import ROBOT, ancestors, check_name, new_minds
from kb_server.core.models.delta import Kept, ModelDelta
from kb_server.core.models.lifespans import MEMORIES, DueList, check_memories
from kb_server.core.models.model import BeliefModel, is_visible
from kb_server.core.models.proofs import Contradiction, conflicts
from kb_server.core.models.revision import Plan, Revision, plan
from kb_server.core.reasoning.commonsense import CommonSense
from kb_server.core.reasoning.reasoner import DERIVATION, NetChange
from kb_server.core.terms.statements import Statement
from kb_server.errors import BadModelName, BadRequest, Inconsistent, UnknownModel
from ontology.vocabulary import AGENT, SAME_AS, TYPE

__all__ = ["Board", "BoardSettings", "ModelDivergence", "ModelSummary"]


@dataclass(frozen=True, slots=True)
class BoardSettings:
    """Lifetimes of facts, and limits of the work that one request may cause.

    A withdrawal is never refused.
    """

    memories: Mapping[str, float] = field(default_factory=lambda: MEMORIES)
    """Seconds that a fact of each memory lives; configured memories are added to these."""
    derivations: int = 100_000
    """Inferences in one change; twenty examined matches count as one."""
    derivations_each: int = 25
    """Additional inferences for each asserted statement, so that a load may be large."""
    steps: int = 2_000_000
    """Matches that a question may examine; each row of its answer counts as ten."""
    models: int = 1_000
    """Models on the board."""

    def work(self, statements: int) -> int:
        """Return the matches that a delta may examine, given its number of asserted statements."""
        return (self.derivations + statements * self.derivations_each) * DERIVATION


@dataclass(frozen=True, slots=True)
class ModelSummary:
    id: str
    parent: str | None
    asserted: int
    inferred: int
    seq: int


@dataclass(frozen=True, slots=True)
class ModelDivergence:
    """The facts on which two models differ."""

    only_here: tuple[Statement, ...]
    only_there: tuple[Statement, ...]


class Board:
    """All models on one common sense.

    Each listener in `on_delta` is called with each delta in order, in the thread of the change.
    """

    def __init__(self, common: CommonSense, settings: BoardSettings | None = None) -> None:
        self.common: Final = common
        self.names: Final = common.names
        self.settings: Final = settings or BoardSettings()
        check_memories(self.settings.memories)
        self.seq = 0
        self._is_notifying = False
        self.on_delta: Final[list[Callable[[ModelDelta], None]]] = []
        self._models: Final[dict[str, BeliefModel]] = {}
        self._due: Final = DueList()
        self._make(ROBOT)
        agents = common.reasoner.index.match(None, TYPE, AGENT)
        for mind in new_minds(sorted(agents), self.names):
            self._make(mind)

    def model(self, name: str) -> BeliefModel:
        """Return the model of that name; UnknownModel if there is none."""
        found = self._models.get(name)
        if found is None:
            raise UnknownModel(f"there is no model {name[:80]!r}", model=name[:80])
        return found

    def models(self) -> list[ModelSummary]:
        return [
            ModelSummary(
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
        """The names of the models, in the order of their creation."""
        return tuple(self._models)

    def create(self, name: str) -> bool:
        """Create a model; return False if it exists. UnknownModel if its parent does not exist."""
        check_name(name)
        if name in self._models:
            return False
        parent = name.rpartition(".")[0]
        if parent and parent not in self._models:
            message = f"{name!r} is nested in {parent!r}, which does not exist"
            raise UnknownModel(message, model=parent)
        self._room_for(1)
        self._make(name)
        return True

    def delete(self, name: str, now: float) -> list[ModelDelta]:
        """Delete a model and the models nested in it; all their facts cease."""
        self._not_while_notifying()
        self.model(name)
        if name == ROBOT:
            raise BadModelName(
                f"{ROBOT!r} is the robot's own model and can't be deleted", model=name
            )
        doomed = [n for n in self._models if n == name or name in ancestors(n)]
        deltas = []
        for n in reversed(doomed):
            try:
                delta = self._emptied(self._models[n], now)
                deltas += [delta] if delta else []
            finally:
                del self._models[n]
        return deltas

    def revise(self, name: str, revision: Revision, now: float) -> ModelDelta | None:
        """Apply a revision to a model as one delta; return None if it changes nothing."""
        model = self.model(name)
        planned = plan(model, revision, now, self.settings.memories)
        return self._apply(model, planned, now, revision)

    def revise_all(self, revisions: Mapping[str, Revision], now: float) -> list[ModelDelta]:
        """Apply revisions to several models, one delta each: all of them or none.

        Each revision is rehearsed and undone first, so that no listener gets the first delta before
        it is certain that none is refused. A listener to one delta sees the models of later ones
        unchanged.
        """
        for name, revision in revisions.items():
            self._rehearse(self.model(name), revision, now)
        deltas, failures = [], []
        for name, revision in revisions.items():
            try:
                delta = self.revise(name, revision, now)
                deltas += [delta] if delta else []
            except Exception as failure:  # raised by a listener; the change is made all the same
                failures.append(failure)
        if failures:
            raise failures[0]
        return deltas

    def next_due(self) -> float:
        """Return the time at which the next assertion expires."""
        return self._due.next_due()

    @property
    def ending(self) -> int:
        """An upper bound on the number of assertions that can expire at once."""
        return len(self._due)

    def expire(self, now: float) -> list[ModelDelta]:
        """Withdraw the expired assertions, one delta for each model."""
        deltas = []
        for name, facts in self._due.due(now).items():
            delta = self._apply(self._models[name], Plan(tuple(facts), {}), now, Revision())
            deltas += [delta] if delta else []
        return deltas

    def restore(self, seq: int, kept: Mapping[str, Kept], now: float) -> list[ModelDelta]:
        """Load a stored state; call it only on a new board.

        If another ontology entails other facts from the same assertions, the differences are
        returned as deltas, so that a fold of all deltas stays right.
        """
        self._begin(seq, kept)
        deltas = []
        for name, one in kept.items():
            came, gone = self._models[name].restore(one, now)
            if came or gone:
                deltas.append(self._drifted(self._models[name], came, gone, now))
        return deltas

    def recall(self, seq: int, kept: Mapping[str, Kept]) -> None:
        """Load a past state with its inferences of that time; the board is read-only afterwards."""
        self._begin(seq, kept)
        for name, one in kept.items():
            self._models[name].recall(one)

    def conflicts(self, name: str) -> list[Contradiction]:
        """Return the contradictions of a model."""
        return conflicts(self.model(name))

    def divergence(self, name: str, other: str) -> ModelDivergence:
        """Return the facts on which two models differ, without common sense."""
        here, there = self.model(name), self.model(other)
        return ModelDivergence(_only_in(here, there), _only_in(there, here))

    def budget(self) -> Budget:
        """Return a new budget of steps for one question."""
        return Budget(self.settings.steps)

    def _begin(self, seq: int, kept: Mapping[str, Kept]) -> None:
        self.seq = seq
        self._models.clear()
        for name, one in kept.items():
            self._make(name)
            for fact, assertion in one.assertions.items():
                self._due.add(assertion.expires, name, fact)

    def _drifted(
        self, model: BeliefModel, came: list[Statement], gone: list[Statement], now: float
    ) -> ModelDelta:
        change = NetChange(tuple(came), tuple(gone), (), 0)
        minds = self._as_many(self._agents_without(model, change))
        for mind in minds:
            self._make(mind)
        return self._publish(model, change, Plan((), {}), now, Revision(), minds)

    def _make(self, name: str) -> None:
        self._models[name] = BeliefModel(name, self.common)

    def _apply(
        self, model: BeliefModel, planned: Plan, now: float, why: Revision
    ) -> ModelDelta | None:
        self._not_while_notifying()
        if not planned.withdrawn and not planned.asserted:
            return None
        budget = Budget(self.settings.work(len(planned.asserted)))
        change = model.reasoner.change(planned.withdrawn, planned.asserted, now, budget)
        try:
            agents = self._agents_without(model, change)
            self._accept(model, change, planned, why, len(agents))
            minds = [BeliefModel(name, self.common) for name in self._as_many(agents)]
        except BaseException:
            model.reasoner.undo()
            raise
        model.reasoner.commit()
        self._models.update((mind.name, mind) for mind in minds)
        self._record(model, planned)
        return self._publish(model, change, planned, now, why, [mind.name for mind in minds])

    def _rehearse(self, model: BeliefModel, revision: Revision, now: float) -> None:
        """Raise the error that a revision would raise; change nothing."""
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
        self, model: BeliefModel, change: NetChange, planned: Plan, why: Revision, agents: int
    ) -> None:
        """Raise Inconsistent or BadRequest if a change, made but not published, must be refused."""
        found = _brought(model, change, planned) if why.if_consistent else []
        if found:
            raise Inconsistent("; ".join(c.message for c in found[:3]), conflicts=tuple(found))
        if why.add or why.update:
            self._room_for(agents)

    def _as_many(self, agents: list[str]) -> list[str]:
        """Return the agents that get a model, cut off at the limit of models.

        Only a withdrawal, which is never refused, can reveal more agents than allowed.
        """
        return agents[: max(0, self.settings.models - len(self._models))]

    def _agents_without(self, model: BeliefModel, change: NetChange) -> list[str]:
        """Return the agents without a model that a change of the robot's model reveals."""
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

    def _record(self, model: BeliefModel, planned: Plan) -> None:
        model.record(planned.withdrawn, planned.asserted)
        for fact in planned.withdrawn:
            self._due.forget(model.name, fact)
        for fact, assertion in planned.asserted.items():
            self._due.add(assertion.expires, model.name, fact)

    def _publish(
        self,
        model: BeliefModel,
        change: NetChange,
        planned: Plan,
        now: float,
        why: Revision,
        minds: Iterable[str] = (),
    ) -> ModelDelta:
        self.seq += 1
        delta = ModelDelta(
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

    def _notify(self, delta: ModelDelta) -> None:
        """Call every listener with a delta; raise the first exception after all were called."""
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
            raise RuntimeError("a listener must not change the board while it gets a delta")

    def _emptied(self, model: BeliefModel, now: float) -> ModelDelta | None:
        """Return the delta of a model's deletion: all its facts cease, without reasoning."""
        if not model.reasoner.facts and not model.assertions:
            return None
        gone = Plan(tuple(model.assertions), {})
        ceased = tuple(model.reasoner.everything())
        self._record(model, gone)
        model.empty()
        return self._publish(model, NetChange((), ceased, (), 0), gone, now, Revision())


def _brought(model: BeliefModel, change: NetChange, planned: Plan) -> list[Contradiction]:
    """Return the contradictions that a change causes: new ones, or ones on new assertions."""
    fresh = planned.asserted.keys() - model.assertions.keys()
    known = conflicts(model)
    resting = [conflict for conflict in known if not fresh.isdisjoint(conflict.facts)]
    return conflicts(model, change.clashes) or resting


def _only_in(one: BeliefModel, other: BeliefModel) -> tuple[Statement, ...]:
    return tuple(sorted(f for f in one.facts() - other.facts() if not other.reasoner.holds(f)))
