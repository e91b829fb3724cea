"""One model: the beliefs of one agent, asserted with lifespans, and their entailments."""

from collections.abc import Iterable, Mapping
from typing import Final

from kb_server.core.facts.facts import FactView, VisibleView
from kb_server.core.facts.matching import Budget
from kb_server.core.models.delta import Kept, ModelDelta
from kb_server.core.models.lifespans import Assertion
from kb_server.core.reasoning.commonsense import CommonSense
from kb_server.core.reasoning.reasoner import Reasoner
from kb_server.core.terms.statements import Statement
from kb_server.core.terms.terms import HIDDEN
from ontology.vocabulary import (
    FUNCTIONAL_PROPERTY,
    INVERSE_OF,
    SAME_AS,
    SUB_PROPERTY_OF,
    SYMMETRIC_PROPERTY,
    TYPE,
)

__all__ = ["BeliefModel", "is_visible"]

_UNBOUNDED: Final = 10**15
"""The budget of a restoration, which must not fail."""
_SLICE: Final = 20_000
"""Assertions in one step of a restoration; bounds the undo record of a step."""


def is_visible(fact: Statement) -> bool:
    """Whether a fact is shown to users: it has none of the ontology's blank nodes."""
    return not (fact[2].startswith(HIDDEN) or fact[0].startswith(HIDDEN))


class BeliefModel:
    """The beliefs of one agent; `parent` is the model in which this one is nested, if any."""

    def __init__(self, name: str, common: CommonSense) -> None:
        self.name: Final = name
        self.parent: Final = name.rpartition(".")[0] or None
        self._common: Final = common.reasoner
        self.reasoner = Reasoner(self._common, common.names.agent(name.rpartition(".")[2]))
        self.view: FactView = VisibleView(self.reasoner.view)
        """Its facts together with the common sense, as users see them."""
        self.assertions: Final[dict[Statement, Assertion]] = {}
        self.restated: Final[dict[Statement, None]] = {}
        """Assertions that the common sense entails anyway."""
        self.seq = 0
        self._held = sum(map(is_visible, self.reasoner.everything()))

    def record(
        self, withdrawn: Iterable[Statement], asserted: Mapping[Statement, Assertion]
    ) -> None:
        """Record a change of the assertions; call it after the reasoner's change."""
        for fact in withdrawn:
            del self.assertions[fact]
            self.restated.pop(fact, None)
        for fact, assertion in asserted.items():
            self.assertions[fact] = assertion
            if fact not in self.reasoner.facts:
                self.restated[fact] = None

    def passed(self, delta: ModelDelta) -> None:
        """Update the counts by a delta."""
        self.seq = delta.seq
        self._held += len(delta.became_true) - len(delta.ceased)

    def restore(self, kept: Kept, now: float) -> tuple[list[Statement], list[Statement]]:
        """Load a stored state and infer anew; call it only on a new model.

        Return the facts that are entailed now and were not then, and those that were entailed then
        and are not now. Both are empty unless the ontology has changed.
        """
        was = dict.fromkeys(filter(is_visible, (*self.reasoner.everything(), *kept.since)))
        self._tell_again(list(kept.assertions), now)
        self.reasoner.date(kept.since)
        self._recorded(kept)
        held = dict.fromkeys(filter(is_visible, self.reasoner.everything()))
        self._held = len(was)
        return [f for f in held if f not in was], [f for f in was if f not in held]

    def recall(self, kept: Kept) -> None:
        """Load a past state with the facts of that time; the model is read-only afterwards."""
        asserted = {fact: assertion.since for fact, assertion in kept.assertions.items()}
        self.reasoner.recall(kept.assertions, {**asserted, **kept.since})
        self._recorded(kept)
        self._held = sum(map(is_visible, self.reasoner.everything()))

    def _tell_again(self, facts: list[Statement], now: float) -> None:
        for start in range(0, len(facts), _SLICE):
            part = facts[start : start + _SLICE]
            self.reasoner.change((), part, now, Budget(_UNBOUNDED))
        self.reasoner.commit()

    def _recorded(self, kept: Kept) -> None:
        self.record((), kept.assertions)
        self.seq = kept.seq

    @property
    def inferred(self) -> int:
        """The number of inferred facts."""
        return self._held - (len(self.assertions) - len(self.restated))

    def empty(self) -> None:
        """Remove all assertions and their entailments; only the ontology remains."""
        self.reasoner = Reasoner(self._common)
        self.view = VisibleView(self.reasoner.view)
        self.assertions.clear()
        self.restated.clear()

    def kind(self, fact: Statement) -> str | None:
        """Return `asserted`, `inferred` or `common_sense`; None if the fact does not hold."""
        if fact in self.reasoner.asserted:
            return "asserted"
        if fact in self.reasoner.facts:
            return "inferred"
        return "common_sense" if self.reasoner.holds(fact) else None

    def facts(self) -> set[Statement]:
        """Return all facts beyond the common sense that users see."""
        return {f for f in (*self.assertions, *self.reasoner.inferred()) if is_visible(f)}

    def since(self, fact: Statement) -> float | None:
        """Return the time since when a fact holds; None if that is unknown."""
        support = self.reasoner.facts.get(fact)
        if support is not None:
            return support[2]
        assertion = self.assertions.get(fact)
        return assertion.since if assertion else None

    def functional_above(self, prop: str) -> list[str]:
        """Return the functional properties among a property and its super-properties."""
        return [p for p in dict.fromkeys((prop, *self.above(prop))) if self._is_functional(p)]

    def both_ways(self, fact: Statement) -> Iterable[Statement]:
        """Yield a fact, and the same fact by each inverse property, if both are functional."""
        s, p, o = fact
        yield fact
        if self.functional_above(p):
            ways = [q for q in self._inverses(p) if self.functional_above(q)]
            yield from ((o, inverse, s) for inverse in ways)

    def asserted_as(self, fact: Statement) -> list[Statement]:
        """Return the assertions that state a fact: itself, or by another name or an inverse."""
        things = {fact[0], fact[2], *self.other_names(fact[0]), *self.other_names(fact[2])}
        found, budget = {fact: None}, Budget(_UNBOUNDED)
        for said in (queue := [fact]):
            for _, _, premises in self.reasoner.ways(said, budget):
                for s, p, o in premises:
                    if s in things and o in things and p != SAME_AS and (s, p, o) not in found:
                        found[(s, p, o)] = None
                        queue.append((s, p, o))
        return [said for said in found if said in self.assertions]

    def above(self, prop: str) -> list[str]:
        """Return the super-properties of a property."""
        return [o for _, _, o in self.view.match(prop, SUB_PROPERTY_OF, None)]

    def other_names(self, thing: str) -> list[str]:
        """Return the other names (sameAs) of a thing."""
        return [o for _, _, o in self.view.match(thing, SAME_AS, None)]

    def _inverses(self, prop: str) -> list[str]:
        """Return the inverses of a property; a symmetric property is its own inverse."""
        ways = [o for _, _, o in self.view.match(prop, INVERSE_OF, None)]
        ways += [s for s, _, _ in self.view.match(None, INVERSE_OF, prop)]
        symmetric = self.view.holds((prop, TYPE, SYMMETRIC_PROPERTY))
        return [*ways, prop] if symmetric else ways

    def _is_functional(self, prop: str) -> bool:
        return self.view.holds((prop, TYPE, FUNCTIONAL_PROPERTY))
