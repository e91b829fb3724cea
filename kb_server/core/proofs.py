"""Proofs: why a fact holds, by which rules and from which other facts, and whom to blame.

A way to a fact counts only when it is well-founded: its premises hold without the fact itself.
Premises below the fact's own level surely do; of the others it is tried out.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from kb_server.core.errors import DoesNotHold
from kb_server.core.firing import Derivation
from kb_server.core.matching import Budget
from kb_server.core.model import Model, is_visible
from kb_server.core.statements import Statement, write

__all__ = ["Conflict", "Proof", "Way", "conflicts", "explain"]

_MOST_WAYS: Final = 8
_MOST_NODES: Final = 400


@dataclass(frozen=True, slots=True)
class Proof:
    """A fact that holds, and the ways in which it is derived (none for a plain assertion)."""

    fact: Statement
    kind: str
    because: tuple["Way", ...]


@dataclass(frozen=True, slots=True)
class Way:
    rule: str
    premises: tuple[Proof, ...]


@dataclass(frozen=True, slots=True)
class Conflict:
    """A contradiction: the rule that finds it, and the assertions it comes from."""

    rule: str
    facts: tuple[Statement, ...]
    message: str


def explain(model: Model, fact: Statement, budget: Budget) -> Proof:
    """The proofs of a fact; the first of each, when there would be more than can be read."""
    kind = model.kind(fact)
    if kind is None:
        raise DoesNotHold(f"{write(fact)!r} does not hold in {model.name}", fact=write(fact))
    return _Prover(model, budget).proof(fact, ())


def conflicts(
    model: Model, budget: Budget, clashes: Iterable[Statement] | None = None
) -> list[Conflict]:
    """The contradictions of a model (or those given), each once, with the assertions to blame."""
    prover = _Prover(model, budget)
    found: dict[tuple[str, tuple[Statement, ...]], Conflict] = {}
    for clash in model.reasoner.clashes if clashes is None else clashes:
        _, instance, _, premises = model.reasoner.facts[clash]
        axioms = instance.axioms if instance else ()
        shown = tuple(sorted(filter(is_visible, premises))) or premises
        blamed = prover.blamed((*premises, *axioms))
        conflict = Conflict(clash[0], blamed, _message(clash[0], blamed, shown, axioms))
        found.setdefault((clash[0], shown), conflict)
    return list(found.values())


def _message(
    rule: str,
    blamed: tuple[Statement, ...],
    premises: tuple[Statement, ...],
    axioms: tuple[Statement, ...],
) -> str:
    """Whom to blame, by which rule, and what it met and went by where that tells more."""
    more = [f for f in (*premises, *axioms) if is_visible(f) and f not in blamed]
    text = " and ".join(map(write, blamed or premises))
    text += " can't hold together" if len(blamed or premises) > 1 else " can't hold"
    return f"{text} ({': '.join((rule, ', '.join(map(write, more[:5])))) if more else rule})"


class _Prover:
    def __init__(self, model: Model, budget: Budget) -> None:
        self._model: Final = model
        self._r: Final = model.reasoner
        self._budget: Final = budget
        self._nodes = 0

    def proof(self, fact: Statement, above: tuple[Statement, ...]) -> Proof:
        self._nodes += 1
        kind = self._model.kind(fact) or "common_sense"
        ways = self._ways(fact, above) if kind != "common_sense" else []
        path = (*above, fact)
        return Proof(
            fact,
            kind,
            tuple(
                Way(made[0].rule, tuple(self.proof(p, path) for p in (*made[2], *made[0].axioms)))
                for made in ways
            ),
        )

    def blamed(self, facts: tuple[Statement, ...]) -> tuple[Statement, ...]:
        """The assertions that the supports of some facts go back to."""
        leaves: dict[Statement, None] = {}
        seen: set[Statement] = set()
        stack = list(reversed(facts))
        while stack:
            fact = stack.pop()
            if fact in seen:
                continue
            seen.add(fact)
            if fact in self._r.told:
                leaves[fact] = None
                continue
            support = self._r.facts.get(fact)
            if support is not None and support[1] is not None:
                stack += reversed((*support[3], *support[1].axioms))
        return tuple(leaves)

    def _ways(self, fact: Statement, above: tuple[Statement, ...]) -> list[Derivation]:
        """The well-founded ways to a fact; only the kept one when the tree has grown large."""
        own = self._kept(fact)
        if self._nodes > _MOST_NODES:
            return [own] if own else []
        barred = frozenset((*above, fact))
        found: dict[tuple[object, ...], Derivation] = {}
        if own and self._avoids(own, barred):
            found[_identity(own)] = own
        for made in self._r.ways(fact, self._budget):
            if len(found) >= _MOST_WAYS:
                break
            if _identity(made) not in found and self._stands(made, barred):
                found[_identity(made)] = made
        return list(found.values())

    def _kept(self, fact: Statement) -> Derivation | None:
        support = self._r.facts.get(fact)
        if support is None or support[1] is None:
            return None
        return support[1], fact, support[3]

    def _stands(self, made: Derivation, barred: frozenset[Statement]) -> bool:
        """Whether a way's premises can all be had without the barred facts."""
        return all(self._provable(p, barred) for p in (*made[2], *made[0].axioms))

    def _provable(self, fact: Statement, barred: frozenset[Statement]) -> bool:
        if fact in barred:
            return False
        if fact in self._r.told or fact not in self._r.facts:
            return True
        kept = self._kept(fact)
        if kept and self._avoids(kept, barred):
            return True
        inner = barred | {fact}
        return any(self._stands(made, inner) for made in self._r.ways(fact, self._budget))

    def _avoids(self, made: Derivation, barred: frozenset[Statement]) -> bool:
        """Whether the kept supports lead from a way's premises to assertions round the barred."""
        seen: set[Statement] = set()
        stack = [*made[2], *made[0].axioms]
        while stack:
            fact = stack.pop()
            if fact in barred:
                return False
            if fact in seen or fact in self._r.told:
                continue
            seen.add(fact)
            self._budget.spend(1)
            kept = self._kept(fact)
            if kept:
                stack += (*kept[2], *kept[0].axioms)
        return True


def _identity(made: Derivation) -> tuple[object, ...]:
    return (made[0].rule, made[2], made[0].axioms)
