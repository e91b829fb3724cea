"""The incremental reasoner: materialises the entailments of a change, exactly under retraction.

Every inferred fact stores one *support*: the rule instance and the premises from which it was first
inferred, and a level above the levels of those. So a chain of supports always ends in assertions
and is never circular. A retraction deletes and re-derives, but only where necessary:

1.  A fact that loses its support takes another one whose premises have lower levels than the fact.
    Such a support can't depend on the fact itself, so nothing else changes.
2.  If there is none, the fact is deleted, and the facts that it supports lose their support too.
3.  Each deleted fact is tried once more, with supports of any level, and restored if it is still
    entailed.

Roads not taken:

- Counting derivations: it keeps circles of facts that only support each other.
- Storing *every* support: it finds another one faster, but every insertion pays for it, and a
  transitive relation over n things takes memory for n³ supports.
- Numbering terms: it makes facts smaller, but the table of names only grows.
"""

import gc
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Final

from kb_server.core.facts.matching import Budget
from kb_server.core.reasoning.fact_store import FactStore, Support
from kb_server.core.reasoning.firing import CLASH, Derivation
from kb_server.core.rules.axioms import RULES_OF_ALL, AxiomReader, is_axiom, is_part
from kb_server.core.rules.instances import Instance, Origin, build
from kb_server.core.terms.statements import Statement
from ontology.vocabulary import OWL_THING, OWNER

__all__ = ["DERIVATION", "NetChange", "Reasoner", "Support"]

DERIVATION: Final = 20
"""The cost of a new inference, in examined matches."""

_NO_PREMISES: Final[tuple[Statement, ...]] = ()
_UNBOUNDED: Final = 10**15
"""The budget of a withdrawal, which is never refused."""
_LARGE: Final = 1_000
"""Assertions from which on a change pauses the garbage collector."""
_BACK: Final = 4
"""The budget of the re-derivation, in multiples of the work of the deletion before it."""


@dataclass(frozen=True, slots=True)
class NetChange:
    """The net effect of a change on the facts; new contradictions are listed apart."""

    became_true: tuple[Statement, ...]
    ceased: tuple[Statement, ...]
    clashes: tuple[Statement, ...]
    work: int


@contextmanager
def _undisturbed(size: int) -> Iterator[None]:
    """Pause the garbage collector during a large change.

    The change creates many lasting objects and no cycles; collecting takes a third more time.
    """
    pause = size > _LARGE and gc.isenabled()
    if pause:
        gc.disable()
    try:
        yield
    finally:
        if pause:
            gc.enable()


class Reasoner(FactStore):
    """The facts of one model, always closed under the rules; all changes go through `change`."""

    def __init__(self, common: "Reasoner | None" = None, owner: str | None = None) -> None:
        super().__init__(common)
        self.owner: Final = owner
        self.deferred: Final[dict[tuple[object, ...], Instance]] = {}
        if common is None:
            self._begin()
        elif owner is not None:
            self._take_over(common.deferred.values(), owner)

    def change(
        self,
        withdrawn: Iterable[Statement],
        asserted: Iterable[Statement],
        now: float,
        budget: Budget,
    ) -> NetChange:
        """Withdraw and assert facts as one step: wholly, or not at all (TooCostly).

        A fact that is both withdrawn and asserted stays. Work is counted in examined matches. The
        budget bounds the work of assertions; a withdrawal is never refused.
        """
        self.commit()
        adding = dict.fromkeys(asserted)
        step = _Step(self, now, Budget(_UNBOUNDED), withdrawing=not adding)
        try:
            with _undisturbed(len(adding)):
                removing = [f for f in withdrawn if f not in adding]
                step.reopen(removing, adding)
                step.withdraw(removing)
                if adding:
                    step.bound(budget)
                step.add_assertions(adding)
        except BaseException:
            self.undo()
            raise
        return step.result()

    def _begin(self) -> None:
        """Add the rules that need no axiom; only the common sense does so."""
        for row in RULES_OF_ALL:
            made = build(row.name, row.body, row.head, Origin((), ()), self.view, row.covered)
            if made is not None:
                self.enlist(made)

    def _take_over(self, deferred: Iterable[Instance], owner: str) -> None:
        """Add the common-sense rules about `oro:owner`, with this model's owner substituted."""
        step = _Step(self, 0.0, Budget(_UNBOUNDED))
        for instance in deferred:
            step.enlist(instance.substituted(OWNER, owner))
        step.propagate()
        self.commit()


class _Step:
    """One change in progress: the deleted facts, the new facts, and the queues of work."""

    def __init__(
        self, reasoner: Reasoner, now: float, budget: Budget, withdrawing: bool = False
    ) -> None:
        self._withdrawing: Final = withdrawing
        self._r: Final = reasoner
        self._now: Final = now
        self._budget = budget
        self._before = 0
        self._gone: Final[dict[Statement, Support]] = {}
        self._come: Final[dict[Statement, None]] = {}
        self._dead: Final[dict[Statement, bool]] = {}
        self._reopened: Final[dict[Statement, None]] = {}
        self._doomed: Final[deque[Statement]] = deque()
        self._queue: Final[deque[Statement]] = deque()
        self._axioms = self._reader()

    def _reader(self) -> AxiomReader:
        return AxiomReader(self._r.view, self._budget, self._withdrawing)

    def bound(self, budget: Budget) -> None:
        """Limit the work from here on to a budget, extended for the re-derivation."""
        self._before += self._budget.spent
        budget.extend(_BACK * self._before)
        self._budget = budget
        self._axioms = self._reader()

    def reopen(self, removing: Iterable[Statement], adding: Iterable[Statement]) -> None:
        """Retire the instances of axioms of which a part will change; they are read anew later.

        Axioms of the common sense are exempt: a model's statements never change them.
        """
        reader, known = self._reader(), self._r.known
        for fact in (*removing, *adding):
            if is_part(fact) and fact not in known:
                for axiom in (a for a in reader.roots(fact) if a not in known):
                    self._retire(axiom)
                    self._reopened[axiom] = None

    def withdraw(self, facts: Iterable[Statement]) -> None:
        """Withdraw assertions, and delete the facts that have no other support."""
        for fact in facts:
            if fact in self._r.asserted:
                support = self._r.facts.get(fact)
                resting = self._resting_on_link(fact, support)
                self._r.untell(fact)
                for made, head, _ in resting:
                    self._bereave(head, made, fact)
                if support is None:
                    continue
                if support[1] is None:
                    self._lose(fact, support)
                elif _is_covered(support):
                    self._retire(fact)
        self._cascade()

    def _resting_on_link(self, fact: Statement, support: Support | None) -> list[Derivation]:
        """Return the derivations from an assertion that follows from a path, so loses its link."""
        if support is None or not _is_path(support):
            return []
        return self._r.triggered(fact, self._budget)

    def add_assertions(self, facts: Iterable[Statement]) -> None:
        """Assert facts, restore deleted facts that are still entailed, infer all conclusions."""
        for fact in facts:
            if fact not in self._r.asserted:
                self._r.add_assertion(fact)
            if not self._r.holds(fact):
                self._insert(fact, (0, None, self._now, _NO_PREMISES))
            elif is_axiom(fact):
                self._queue.append(fact)
        for fact, elsewhere in self._dead.items():
            if elsewhere:
                self._restore(fact)
        self._queue.extend(axiom for axiom in self._reopened if axiom in self._r.facts)
        self.propagate()

    def result(self) -> NetChange:
        came = [f for f in self._come if f not in self._gone]
        gone = [f for f in self._gone if f not in self._r.facts]
        return NetChange(
            tuple(f for f in came if f[1] != CLASH),
            tuple(f for f in gone if f[1] != CLASH),
            tuple(f for f in came if f[1] == CLASH),
            self._before + self._budget.spent,
        )

    def propagate(self) -> None:
        """Infer every conclusion from the facts in the queue."""
        while self._queue:
            fact = self._queue.popleft()
            if fact not in self._r.facts:
                continue
            if is_axiom(fact):
                self._spawn(fact)
            self._conclude(self._r.triggered(fact, self._budget))

    def enlist(self, instance: Instance) -> None:
        """Add an instance, and infer its conclusions from the present facts."""
        if self._r.in_force(instance):
            return
        if self._r.owner is None and instance.mentions(OWNER):
            if self._r.is_common:
                self._r.deferred[instance.key] = instance
            return
        self._r.enlist(instance)
        self._conclude(self._r.concluded(instance, self._budget))

    def _conclude(self, derived: Iterable[Derivation]) -> None:
        facts, known = self._r.facts, self._r.known
        for instance, head, premises in derived:
            if head in facts or head in known:
                if instance.covered is False and is_axiom(head):
                    self._uncover(head, instance, premises)
                continue
            level = self._level(instance, premises)
            self._insert(head, (level, instance, self._now, premises))
            self._budget.spend(DERIVATION)

    def _level(self, instance: Instance, premises: tuple[Statement, ...]) -> int:
        facts = self._r.facts
        level = instance.level
        for premise in premises:
            support = facts.get(premise)
            if support is not None and support[0] > level:
                level = support[0]
        return level + 1

    def _insert(self, fact: Statement, support: Support) -> None:
        was = self._gone.get(fact)
        if was is not None:
            support = (support[0], support[1], was[2], support[3])
        self._r.insert(fact, support)
        self._come[fact] = None
        self._queue.append(fact)

    def _uncover(
        self, fact: Statement, instance: Instance, premises: tuple[Statement, ...]
    ) -> None:
        """Make the instances of an axiom that only a covered row inferred, and now another row."""
        support = self._r.facts.get(fact)
        if support is not None and _is_covered(support):
            level = self._level(instance, premises)
            if level <= support[0]:
                self._r.resupport(fact, (support[0], instance, support[2], premises))
                self._spawn(fact)

    def _spawn(self, fact: Statement) -> None:
        """Make the rule instances of an axiom, unless its premises already entail the same."""
        if fact not in self._r.asserted:
            if _is_covered(self._r.facts[fact]):
                return
            if is_part(fact):
                # A tree that was read before this part was inferred may have changed.
                self._axioms = self._reader()
        for made in self._axioms.instances(fact):
            self._budget.spend(DERIVATION + len(made.axioms) // 4)
            level = self._level(made, made.roots) - 1
            owned = made.substituted(OWNER, self._r.owner) if self._r.owner else made
            self.enlist(replace(owned, level=level))

    def _lose(self, fact: Statement, support: Support) -> None:
        """Give a fact that lost its support another one from lower levels, or mark it as dead."""
        if fact in self._dead:
            return
        other, elsewhere = self._support_below(fact, support[0])
        if other is None:
            self._dead[fact] = elsewhere
            self._doomed.append(fact)
            return
        taken = (support[0], other[0], support[2], other[2])
        self._r.resupport(fact, taken)
        if _is_covered(taken):
            self._retire(fact)
        elif is_axiom(fact) or (_is_path(support) and not _is_path(taken)):
            self._queue.append(fact)

    def _cascade(self) -> None:
        """Delete the dead facts one by one; the facts that they support lose their support."""
        while self._doomed:
            fact = self._doomed.popleft()
            for instance, head, _ in self._r.triggered(fact, self._budget):
                self._bereave(head, instance, fact)
            self._retire(fact)
            self._gone[fact] = self._r.facts[fact]
            self._r.remove(fact)

    def _retire(self, axiom: Statement) -> None:
        """Remove the instances of an axiom; the facts that they inferred lose their support."""
        for instance in self._r.instances_on(axiom):
            concluded = self._r.concluded(instance, self._budget)
            self._r.strike(instance)
            for made, head, _ in concluded:
                self._bereave(head, made, None)

    def _bereave(self, head: Statement, instance: Instance, premise: Statement | None) -> None:
        support = self._r.facts.get(head)
        if support is None or support[1] is not instance or head in self._dead:
            return
        if premise is not None and premise not in support[3]:
            return
        if head in self._r.asserted:
            self._r.resupport(head, (0, None, support[2], _NO_PREMISES))
        else:
            self._lose(head, support)

    def _support_below(self, fact: Statement, level: int) -> tuple[Derivation | None, bool]:
        """Return a derivation from living facts of lower levels, or None.

        The second value is whether a derivation from higher levels was seen, so that a restoration
        is worth trying.
        """
        if fact[1] == CLASH or level == 0:
            return None, fact[1] != CLASH
        elsewhere = False
        is_link = self._r.is_link(fact)
        for made in self._living_ways(fact):
            if is_link and made[0].makes_paths:
                elsewhere = True
            elif self._level(made[0], made[2]) <= level:
                return made, False
            else:
                elsewhere = True
        return None, elsewhere

    def _living_ways(self, fact: Statement) -> Iterator[Derivation]:
        dead = self._dead
        for made in self._r.ways(fact, self._budget):
            if not any(p in dead for p in made[2]) and not any(a in dead for a in made[0].roots):
                yield made

    def _restore(self, fact: Statement) -> None:
        """Restore a dead fact if it is entailed by living or restored facts.

        It is called only if a derivation was seen when the fact died. Derivations from facts that
        are restored or asserted later are found when those are propagated.
        """
        if self._r.holds(fact):
            return
        made = next(self._r.ways(fact, self._budget), None)
        if made is not None:
            self._insert(fact, (self._level(made[0], made[2]), made[0], self._now, made[2]))


def _is_path(support: Support) -> bool:
    return support[1] is not None and support[1].makes_paths


def _is_covered(support: Support) -> bool:
    """Whether an axiom is supported by a covered row, so that its premises entail the same facts.

    An axiom inferred through owl:Thing is not covered, because members of owl:Thing are not stored.
    """
    _, instance, _, premises = support
    if instance is None or not instance.covered:
        return False
    return not any(OWL_THING in premise for premise in premises)
