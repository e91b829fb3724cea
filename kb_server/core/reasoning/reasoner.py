"""The incremental reasoner: what follows from a change, kept exact under retraction.

Every inferred fact keeps one *support*: the rule instance and the facts that it was first
inferred from, and a level above theirs. So a chain of supports always ends in assertions and
never runs in a ring. To withdraw is to delete and re-derive, but only where it matters:

1.  A fact that loses its support takes another whose premises lie below its own level; that
    can't depend on the fact itself, so nothing else changes.
2.  Where there is none the fact goes, and those supported by it lose theirs in turn.
3.  What went is looked at once more, now from any level, and comes back where it still follows.

The roads not taken: counting derivations keeps rings of facts that only hold each other up;
keeping *every* support finds another one faster, but makes each insertion pay for it and a
transitive relation over n things n³ large; numbering terms would make facts smaller and leave a
table of names that only grows.
"""

import gc
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Final

from kb_server.core.facts.matching import Budget
from kb_server.core.reasoning.firing import CLASH, Derivation
from kb_server.core.reasoning.holdings import Holdings, Support
from kb_server.core.rules.axioms import RULES_OF_ALL, AxiomReader, is_axiom, is_part
from kb_server.core.rules.instances import Instance, build
from kb_server.core.terms.statements import Statement
from ontology.vocabulary import OWL_THING, OWNER

__all__ = ["DERIVATION", "Change", "Reasoner", "Support"]

DERIVATION: Final = 20
"""What a new inference costs, counted in matches looked at."""

_NO_PREMISES: Final[tuple[Statement, ...]] = ()
_UNBOUNDED: Final = 10**15
_LARGE: Final = 1_000
_BACK: Final = 4
"""To bring back what went too far takes at most some times what taking it away took."""


@dataclass(frozen=True, slots=True)
class Change:
    """What a delta does to the facts that hold: the net difference, contradictions apart."""

    became_true: tuple[Statement, ...]
    ceased: tuple[Statement, ...]
    clashes: tuple[Statement, ...]
    work: int


@contextmanager
def _undisturbed(size: int) -> Iterator[None]:
    """A large change makes much that lasts and no rings: to look for those takes a third more."""
    pause = size > _LARGE and gc.isenabled()
    if pause:
        gc.disable()
    try:
        yield
    finally:
        if pause:
            gc.enable()


class Reasoner(Holdings):
    """The facts of one model, kept closed under the rules. Everything happens in `change`."""

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
        told: Iterable[Statement],
        now: float,
        budget: Budget,
    ) -> Change:
        """Withdraws and asserts, as one step: all of it, or (TooCostly) nothing.

        What is both withdrawn and told stays. Work is counted in matches looked at, and bounded
        for what is told; to withdraw what could be told is never refused.
        """
        self.keep()
        adding = dict.fromkeys(told)
        step = _Step(self, now, Budget(_UNBOUNDED), withdrawing=not adding)
        try:
            with _undisturbed(len(adding)):
                removing = [f for f in withdrawn if f not in adding]
                step.reopen(removing, adding)
                step.withdraw(removing)
                if adding:
                    step.bound(budget)
                step.tell(adding)
        except BaseException:
            self.undo()
            raise
        return step.result()

    def _begin(self) -> None:
        """The rules that need no axiom stand in the common sense, once for all."""
        for row in RULES_OF_ALL:
            made = build(row.name, row.body, row.head, (), self.view, row.covered)
            if made is not None:
                self.enlist(made)

    def _take_over(self, deferred: Iterable[Instance], owner: str) -> None:
        """What the common sense says of `owner` becomes rules about the owner of this model."""
        step = _Step(self, 0.0, Budget(_UNBOUNDED))
        for instance in deferred:
            step.enlist(instance.substituted(OWNER, owner))
        step.propagate()
        self.keep()


class _Step:
    """One change under way: what went, what came, and what is still to be looked at."""

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
        """From here on no more may be looked at than this, beside what bringing back takes."""
        self._before += self._budget.spent
        budget.extend(_BACK * self._before)
        self._budget = budget
        self._axioms = self._reader()

    def reopen(self, removing: Iterable[Statement], adding: Iterable[Statement]) -> None:
        """Axioms of which a part is about to change lose their instances, to be read anew.

        Those of the common sense stay as they are: nothing that a model says changes them.
        """
        reader, known = self._reader(), self._r.known
        for fact in (*removing, *adding):
            if is_part(fact) and fact not in known:
                for axiom in (a for a in reader.roots(fact) if a not in known):
                    self._retire(axiom)
                    self._reopened[axiom] = None

    def withdraw(self, facts: Iterable[Statement]) -> None:
        """Takes assertions back, and with them what nothing else supports."""
        for fact in facts:
            if fact in self._r.told:
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
        """What may rest on an assertion as a link that will be none: it follows from a path."""
        if support is None or not _is_path(support):
            return []
        return self._r.triggered(fact, self._budget)

    def tell(self, facts: Iterable[Statement]) -> None:
        """Asserts facts, brings back what still follows, and draws all conclusions."""
        for fact in facts:
            if fact not in self._r.told:
                self._r.tell(fact)
            if not self._r.holds(fact):
                self._insert(fact, (0, None, self._now, _NO_PREMISES))
            elif is_axiom(fact):
                self._queue.append(fact)
        for fact, elsewhere in self._dead.items():
            if elsewhere:
                self._restore(fact)
        self._queue.extend(axiom for axiom in self._reopened if axiom in self._r.facts)
        self.propagate()

    def result(self) -> Change:
        came = [f for f in self._come if f not in self._gone]
        gone = [f for f in self._gone if f not in self._r.facts]
        return Change(
            tuple(f for f in came if f[1] != CLASH),
            tuple(f for f in gone if f[1] != CLASH),
            tuple(f for f in came if f[1] == CLASH),
            self._before + self._budget.spent,
        )

    def propagate(self) -> None:
        """Draws every conclusion from what is in the queue."""
        while self._queue:
            fact = self._queue.popleft()
            if fact not in self._r.facts:
                continue
            if is_axiom(fact):
                self._spawn(fact)
            self._conclude(self._r.triggered(fact, self._budget))

    def enlist(self, instance: Instance) -> None:
        """Puts an instance in force, with what it concludes from the facts there are."""
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
        """An axiom that only a covered row inferred, and now another: it needs its instances."""
        support = self._r.facts.get(fact)
        if support is not None and _is_covered(support):
            level = self._level(instance, premises)
            if level <= support[0]:
                self._r.resupport(fact, (support[0], instance, support[2], premises))
                self._spawn(fact)

    def _spawn(self, fact: Statement) -> None:
        """Makes the rule instances of an axiom, unless others already do all that they would."""
        if fact not in self._r.told:
            if _is_covered(self._r.facts[fact]):
                return
            if is_part(fact):
                # What was read before this part came by inference may have changed.
                self._axioms = self._reader()
        for made in self._axioms.instances(fact):
            self._budget.spend(DERIVATION + len(made.axioms) // 4)
            level = self._level(made, made.roots) - 1
            owned = made.substituted(OWNER, self._r.owner) if self._r.owner else made
            self.enlist(replace(owned, level=level))

    def _lose(self, fact: Statement, support: Support) -> None:
        """A fact without support takes another from below its level, or dies."""
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
        """The dead go, one by one, and all that they supported loses its support."""
        while self._doomed:
            fact = self._doomed.popleft()
            for instance, head, _ in self._r.triggered(fact, self._budget):
                self._bereave(head, instance, fact)
            self._retire(fact)
            self._gone[fact] = self._r.facts[fact]
            self._r.remove(fact)

    def _retire(self, axiom: Statement) -> None:
        """The instances of an axiom are struck, and what they inferred loses its support."""
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
        if head in self._r.told:
            self._r.resupport(head, (0, None, support[2], _NO_PREMISES))
        else:
            self._lose(head, support)

    def _support_below(self, fact: Statement, level: int) -> tuple[Derivation | None, bool]:
        """A way to a fact from the living of lower levels; else whether there is a higher one."""
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
        """Brings a dead fact back if it follows from the living, or from others brought back.

        Where no way was seen when it died there is none now: ways through what is brought back
        or told meanwhile are found from there.
        """
        if self._r.holds(fact):
            return
        made = next(self._r.ways(fact, self._budget), None)
        if made is not None:
            self._insert(fact, (self._level(made[0], made[2]), made[0], self._now, made[2]))


def _is_path(support: Support) -> bool:
    return support[1] is not None and support[1].makes_paths


def _is_covered(support: Support) -> bool:
    """Whether an axiom is inferred so that those it comes from already do all that it would.

    What comes through owl:Thing does not: its members are not kept.
    """
    _, instance, _, premises = support
    if instance is None or not instance.covered:
        return False
    return not any(OWL_THING in premise for premise in premises)
