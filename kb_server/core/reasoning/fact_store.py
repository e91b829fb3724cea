"""The facts of one model with their supports, assertions and rules, and the undo of a change.

Every change consists of small acts, each of which has an inverse. The acts of one change are
recorded, so that the whole change can be undone.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from kb_server.core.facts.facts import FactIndex, FactView, ViewOfBoth
from kb_server.core.facts.matching import Budget
from kb_server.core.reasoning.firing import CLASH, Derivation, RuleTable, clash, derivations
from kb_server.core.reasoning.paths import Paths
from kb_server.core.rules.instances import Instance
from kb_server.core.terms.literals import is_well_typed
from kb_server.core.terms.statements import Statement
from ontology.vocabulary import SAME_AS

__all__ = ["FactStore", "Support"]

Support = tuple[int, Instance | None, float, tuple[Statement, ...]]
"""Level, instance (None: asserted), the time since when the fact holds, and premises."""

_NO_PREMISES: Final[tuple[Statement, ...]] = ()
_ILL_TYPED: Final = Instance("dt-not-type", (), (), None, (), ())


class FactStore:
    """The asserted and inferred facts of one model, on top of the common sense.

    `asserted` are the assertions. `facts` are all facts and contradictions of the model beyond the
    common sense, each with its support.
    """

    def __init__(self, common: "FactStore | None") -> None:
        self.asserted: Final[set[Statement]] = set()
        self.facts: Final[dict[Statement, Support]] = {}
        self.index: Final = FactIndex()
        self.rules: Final = RuleTable()
        self.clashes: Final[dict[Statement, None]] = {}
        self.view: Final[FactView] = ViewOfBoth(self.index, common.index) if common else self.index
        self.known: Final[dict[Statement, Support]] = common.facts if common else {}
        self._root: Final = common or self
        self._indexes: Final = (self.index, common.index) if common else (self.index,)
        self._tables: Final = (self.rules, common.rules) if common else (self.rules,)
        self.paths: Final[Paths] = Paths(self.index, common.paths if common else None)
        self._of_axiom: Final[dict[Statement, dict[Instance, None]]] = {}
        self._notes: Final[list[tuple[Callable[..., None], object, object]]] = []

    @property
    def is_common(self) -> bool:
        """Whether these are the facts of the common sense itself."""
        return self._root is self

    def holds(self, fact: Statement) -> bool:
        return fact in self.facts or fact in self.known

    def support(self, fact: Statement) -> Support | None:
        """Return the support of a fact, in this model or in the common sense."""
        return self.facts.get(fact) or self.known.get(fact)

    def everything(self) -> Iterator[Statement]:
        """Iterate over all facts of the model, without contradictions."""
        return (f for f in self.facts if f[1] != CLASH)

    def inferred(self) -> Iterator[Statement]:
        """Iterate over the facts of the model that are not asserted."""
        return (f for f in self.facts if f not in self.asserted and f[1] != CLASH)

    def in_force(self, instance: Instance) -> bool:
        """Whether this model or the common sense has a rule instance."""
        return any(instance.key in table.instances for table in self._tables)

    def instances_on(self, axiom: Statement) -> list[Instance]:
        """Return the rule instances of this model that were made from an axiom."""
        return list(self._of_axiom.get(axiom, ()))

    def triggered(self, fact: Statement, budget: Budget) -> list[Derivation]:
        """Return all one-step derivations with this fact as a premise."""
        out: list[Derivation] = []
        if fact[1] == CLASH:
            return out
        for table in self._tables:
            if table.instances:
                table.triggered(fact, self.view, budget, out)
        if self.paths.follows(fact[1]):
            self.paths.triggered(fact, budget, out)
        if self._has_synonyms():
            self._root.rules.triggered_by_any(fact, self.view, budget, out)
        if fact[2][0] == '"' and not is_well_typed(fact[2]):
            out.append((_ILL_TYPED, clash(_ILL_TYPED, (fact,)), (fact,)))
        return out

    def ways(
        self, fact: Statement, budget: Budget, by_halves: bool = False
    ) -> Iterator[Derivation]:
        """Yield the derivations of a fact from facts that hold now, well-founded or not.

        For a transitive property only splits into a link and the rest are tried, which suffices to
        find one if there is any; `by_halves` yields every split.
        """
        for table in self._tables:
            yield from table.ways(fact, self._indexes, self.view, budget)
        if self.paths.follows(fact[1]):
            yield from self.paths.ways(fact, budget, by_halves)
        if self._has_synonyms():
            yield from self._root.rules.ways_by_any(fact, self.view, budget)

    def concluded(self, instance: Instance, budget: Budget) -> list[Derivation]:
        """Return all derivations by one instance from the facts that hold now."""
        if instance.makes_paths:
            return self.paths.all_of(instance, budget)
        return list(derivations(instance, self.view, budget))

    def is_link(self, fact: Statement) -> bool:
        """Whether a fact is asserted or supported by another rule than transitivity."""
        support = self.facts.get(fact)
        if support is None:
            return False
        return fact in self.asserted or support[1] is None or not support[1].makes_paths

    def add_assertion(self, fact: Statement) -> None:
        self._add_assertion(fact)
        self._notes.append((self._untell, fact, None))

    def untell(self, fact: Statement) -> None:
        self._untell(fact)
        self._notes.append((self._add_assertion, fact, None))

    def insert(self, fact: Statement, support: Support) -> None:
        self._insert(fact, support)
        self._notes.append((self._remove, fact, None))

    def remove(self, fact: Statement) -> None:
        self._notes.append((self._insert, fact, self.facts[fact]))
        self._remove(fact)

    def resupport(self, fact: Statement, support: Support) -> None:
        self._notes.append((self._resupport, fact, self.facts[fact]))
        self._resupport(fact, support)

    def enlist(self, instance: Instance) -> None:
        self._enlist(instance)
        self._notes.append((self._strike, instance, None))

    def strike(self, instance: Instance) -> None:
        self._notes.append((self._enlist, instance, None))
        self._strike(instance)

    def date(self, since: Mapping[Statement, float]) -> None:
        """Set since when some facts hold, as stored before a restart."""
        for fact, t in since.items():
            support = self.facts.get(fact)
            if support is not None:
                self.facts[fact] = (support[0], support[1], t, support[3])

    def recall(self, asserted: Iterable[Statement], since: Mapping[Statement, float]) -> None:
        """Load the facts of a past state without reasoning; afterwards the model is read-only."""
        self.asserted.update(asserted)
        for fact, t in since.items():
            if not self.holds(fact):
                self._insert(fact, (0, None, t, _NO_PREMISES))

    def commit(self) -> None:
        """Accept the last change: drop its record."""
        self._notes.clear()

    def undo(self) -> None:
        """Undo the last change."""
        for act, what, how in reversed(self._notes):
            act(what, how)
        self._notes.clear()

    def _has_synonyms(self) -> bool:
        """Whether there is any sameAs, without which the rules of equality need not be tried."""
        return SAME_AS in self.index.by_object or SAME_AS in self._root.index.by_object

    def _mark(self, fact: Statement) -> None:
        if self.paths.follows(fact[1]):
            self.paths.mark(fact, self.is_link(fact))

    def _add_assertion(self, fact: Statement, _: None = None) -> None:
        self.asserted.add(fact)
        self._mark(fact)

    def _untell(self, fact: Statement, _: None = None) -> None:
        self.asserted.discard(fact)
        self._mark(fact)

    def _insert(self, fact: Statement, support: Support) -> None:
        self.facts[fact] = support
        if fact[1] == CLASH:
            self.clashes[fact] = None
        else:
            self.index.add(fact)
            self._mark(fact)

    def _remove(self, fact: Statement, _: None = None) -> None:
        del self.facts[fact]
        if fact[1] == CLASH:
            del self.clashes[fact]
        else:
            self.index.discard(fact)
            self._mark(fact)

    def _resupport(self, fact: Statement, support: Support) -> None:
        self.facts[fact] = support
        self._mark(fact)

    def _enlist(self, instance: Instance, _: None = None) -> None:
        if instance.makes_paths and self.paths.add(instance):
            for fact in self.index.match(None, instance.body[0][1], None):
                self._mark(fact)
        self.rules.add(instance)
        for axiom in instance.roots:
            self._of_axiom.setdefault(axiom, {})[instance] = None

    def _strike(self, instance: Instance, _: None = None) -> None:
        if instance.makes_paths:
            self.paths.remove(instance)
        self.rules.remove(instance)
        for axiom in instance.roots:
            hanging = self._of_axiom[axiom]
            del hanging[instance]
            if not hanging:
                del self._of_axiom[axiom]
