"""Proofs: why a fact holds, and which assertions are to blame for a contradiction.

A derivation counts only if it is well-founded: its premises must hold without the fact itself, and
without the facts above it in the proof (the *barred* facts). The test has two steps:

1. Follow the stored supports of the premises. If they avoid the barred facts, it is well-founded.
2. Otherwise compute which facts would be lost without the barred ones. If no premise is lost, it is
   well-founded too.

A proof tree grows level by level up to 1 000 nodes. Facts that it leaves unproved can be explained
on their own.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from kb_server.core.facts.matching import Budget
from kb_server.core.models.model import BeliefModel, is_visible
from kb_server.core.reasoning.firing import Derivation
from kb_server.core.terms.statements import Statement, write
from kb_server.errors import DoesNotHold
from ontology.vocabulary import SAME_AS, SWRL_VARIABLE

__all__ = ["Contradiction", "FactProof", "ProofStep", "conflicts", "explain"]

_MOST_CONFLICTS: Final = 1_000
"""Contradictions that one answer examines."""
_MOST_WAYS: Final = 8
"""Derivations of one fact in a proof."""
_MOST_NODES: Final = 1_000
"""Nodes of a proof tree, as many as a person can read."""
_DEEPEST: Final = 100
"""Levels of a proof tree; bounds the recursion when it is converted to JSON."""
_COMMON: Final = "common_sense"


@dataclass(frozen=True, slots=True)
class FactProof:
    """A fact that holds, and its derivations (none for a plain assertion)."""

    fact: Statement
    kind: str
    because: tuple["ProofStep", ...]


@dataclass(frozen=True, slots=True)
class ProofStep:
    rule: str
    premises: tuple[FactProof, ...]


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A contradiction: the rule that finds it, and the assertions that cause it."""

    rule: str
    facts: tuple[Statement, ...]
    message: str


def explain(model: BeliefModel, fact: Statement, budget: Budget) -> FactProof:
    """Return the proofs of a fact, down to assertions and common sense within the size limit.

    DoesNotHold if the fact does not hold in the model.
    """
    kind = model.kind(fact)
    if kind is None:
        raise DoesNotHold(f"{write(fact)!r} does not hold in {model.name}", fact=write(fact))
    return _Prover(model, budget).proof(fact)


def conflicts(
    model: BeliefModel, clashes: Iterable[Statement] | None = None
) -> list[Contradiction]:
    """Return the contradictions of a model (or those given), each once, with their assertions.

    At most 1 000 are examined; once those are repaired, the next ones are.
    """
    found: dict[tuple[object, ...], Contradiction] = {}
    for clash in islice(model.reasoner.clashes if clashes is None else clashes, _MOST_CONFLICTS):
        _, instance, _, premises = model.reasoner.facts[clash]
        axioms = instance.axioms if instance else ()
        shown = tuple(sorted(filter(is_visible, premises))) or premises
        blamed = _blamed(model, (*premises, *axioms))
        conflict = Contradiction(clash[0], blamed, _message(clash[0], blamed, shown, axioms))
        renamed = frozenset(_by_first_name(model, p) for p in premises if p[1] != SAME_AS)
        found.setdefault((clash[0], frozenset(blamed), renamed), conflict)
    return list(found.values())


def _by_first_name(model: BeliefModel, fact: Statement) -> Statement:
    """Return a fact with each thing's first name, so that a thing with two names counts once."""
    s, p, o = (min([term, *model.other_names(term)]) for term in fact)
    return (s, p, o)


def _blamed(model: BeliefModel, facts: tuple[Statement, ...]) -> tuple[Statement, ...]:
    """Return the assertions in which the supports of some facts end."""
    leaves: dict[Statement, None] = {}
    seen: set[Statement] = set()
    stack = list(reversed(facts))
    while stack:
        fact = stack.pop()
        if fact in seen:
            continue
        seen.add(fact)
        if fact in model.reasoner.asserted:
            leaves[fact] = None
        else:
            stack += reversed(_kept_premises(model, fact))
    return tuple(leaves)


def _message(
    rule: str,
    blamed: tuple[Statement, ...],
    premises: tuple[Statement, ...],
    axioms: tuple[Statement, ...],
) -> str:
    """Return a contradiction's message: the assertions, the rule, other premises and axioms."""
    more = [f for f in (*premises, *axioms) if is_visible(f) and f not in blamed]
    text = " and ".join(map(write, blamed or premises))
    text += " can't hold together" if len(blamed or premises) > 1 else " can't hold"
    return f"{text} ({': '.join((rule, ', '.join(map(write, more[:5])))) if more else rule})"


@dataclass(slots=True)
class _Node:
    """A growing proof; `path` are the facts above it, which it helps to prove."""

    fact: Statement
    kind: str
    path: tuple[Statement, ...]
    ways: list[tuple[str, list["_Node"]]] = field(default_factory=list)
    shown: set[tuple[object, ...]] = field(default_factory=set)

    def frozen(self) -> FactProof:
        return FactProof(
            self.fact,
            self.kind,
            tuple(ProofStep(rule, tuple(n.frozen() for n in nodes)) for rule, nodes in self.ways),
        )


class _Prover:
    def __init__(self, model: BeliefModel, budget: Budget) -> None:
        self._model: Final = model
        self._r: Final = model.reasoner
        self._budget: Final = budget
        self._count = 1

    def proof(self, fact: Statement) -> FactProof:
        """Grow the tree: each derivation leads down to assertions, more are added by level."""
        root = self._node(fact, ())
        queue = deque([root])
        while queue and self._count < _MOST_NODES:
            node = queue.popleft()
            if node.kind == _COMMON or len(node.path) >= _DEEPEST:
                continue
            for made in islice(self._well_founded(node), _MOST_WAYS):
                if _identity(made) not in node.shown:
                    self._attach(node, made)
            queue.extend(premise for _, premises in node.ways for premise in premises)
        return root.frozen()

    def _attach(self, node: _Node, made: Derivation) -> None:
        """Add a derivation, one for each of its premises, and so on down to the assertions."""
        stack = [(node, made)]
        while stack:
            node, made = stack.pop()
            node.shown.add(_identity(made))
            path = (*node.path, node.fact)
            shown = dict.fromkeys(p for p in _premises(made) if self._is_shown(p))
            premises = [self._node(p, path) for p in shown]
            node.ways.append((made[0].rule, premises))
            self._count += len(premises)
            for premise in premises:
                if premise.kind == "inferred" and len(premise.path) < _DEEPEST:
                    way = next(self._well_founded(premise), None)
                    stack += [(premise, way)] if way else []

    def _is_shown(self, fact: Statement) -> bool:
        """Whether a premise is shown to users: inner parts of the ontology's axioms are not."""
        return fact in self._r.facts or (is_visible(fact) and fact[2] != SWRL_VARIABLE)

    def _node(self, fact: Statement, path: tuple[Statement, ...]) -> _Node:
        return _Node(fact, self._model.kind(fact) or _COMMON, path)

    def _well_founded(self, node: _Node) -> Iterator[Derivation]:
        """Yield the well-founded derivations of a fact, the stored support first."""
        barred = frozenset((*node.path, node.fact))
        lost: set[Statement] | None = None
        seen: set[tuple[object, ...]] = set()
        for made in self._all_ways(node.fact):
            if _identity(made) in seen or any(p in barred for p in _premises(made)):
                continue
            seen.add(_identity(made))
            if not self._avoids(_premises(made), barred):
                lost = self._lost_without(barred) if lost is None else lost
                if any(p in lost for p in _premises(made)):
                    continue
            yield made

    def _all_ways(self, fact: Statement) -> Iterator[Derivation]:
        support = self._r.facts.get(fact)
        if support is not None and support[1] is not None:
            yield support[1], fact, support[3]
        yield from self._r.ways(fact, self._budget, by_halves=True)

    def _avoids(self, facts: Iterable[Statement], barred: frozenset[Statement]) -> bool:
        """Whether the stored supports of some facts reach assertions without the barred facts."""
        seen: set[Statement] = set()
        stack = list(facts)
        while stack:
            fact = stack.pop()
            if fact in barred:
                return False
            if fact not in seen and fact not in self._r.asserted:
                seen.add(fact)
                self._budget.spend(1)
                stack += _kept_premises(self._model, fact)
        return True

    def _lost_without(self, barred: frozenset[Statement]) -> set[Statement]:
        """Return the facts that would not be entailed without the barred ones."""
        lost = self._resting_on(barred)
        while found := [f for f in lost if f not in barred and self._has_way(f, lost)]:
            lost.difference_update(found)
        return lost

    def _resting_on(self, barred: frozenset[Statement]) -> set[Statement]:
        """Return the barred facts and all facts whose stored supports use them."""
        resting = set(barred)
        stack = list(barred)
        while stack:
            fact = stack.pop()
            for head in self._supported_by(fact):
                if head not in resting and head not in self._r.asserted:
                    resting.add(head)
                    stack.append(head)
        return resting

    def _supported_by(self, fact: Statement) -> Iterator[Statement]:
        for instance, head, _ in self._r.triggered(fact, self._budget):
            support = self._r.facts.get(head)
            if support is not None and support[1] is instance and fact in support[3]:
                yield head
        for instance in self._r.instances_on(fact):
            for _, head, _ in self._r.concluded(instance, self._budget):
                support = self._r.facts.get(head)
                if support is not None and support[1] is instance:
                    yield head

    def _has_way(self, fact: Statement, lost: set[Statement]) -> bool:
        ways = self._r.ways(fact, self._budget, by_halves=True)
        return any(not any(p in lost for p in _premises(made)) for made in ways)


def _kept_premises(model: BeliefModel, fact: Statement) -> tuple[Statement, ...]:
    support = model.reasoner.facts.get(fact)
    if support is None or support[1] is None:
        return ()
    return (*support[3], *support[1].axioms)


def _premises(made: Derivation) -> tuple[Statement, ...]:
    return (*made[2], *made[0].axioms)


def _identity(made: Derivation) -> tuple[object, ...]:
    return (made[0].rule, made[2], *made[0].roots)
