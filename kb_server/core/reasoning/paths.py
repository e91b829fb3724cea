"""Paths: transitive properties, inferred link by link instead of from every pair of facts.

The rule "x p y and y p z, so x p z" is tried only if (x p y) is a *link*: a fact that is asserted,
or supported by another rule than transitivity. Every path is a link followed by the rest of the
path, so no entailment is missed. A chain of n links costs n² tries to build or to cut; all pairs
would cost n³.

The danger: a link may lose its other supports and still follow from a path. It must not simply
take the path as its support, because other facts may be supported by it as a link. Therefore it is
deleted and re-derived.
"""

from collections.abc import Iterator
from typing import Final

from kb_server.core.facts.facts import FactIndex
from kb_server.core.facts.matching import Budget
from kb_server.core.reasoning.firing import Derivation
from kb_server.core.rules.instances import Instance
from kb_server.core.terms.statements import Statement
from ontology.vocabulary import SAME_AS

__all__ = ["Paths"]


class Paths:
    """The transitivity rules and the links of one model, on top of those of the common sense."""

    def __init__(self, facts: FactIndex, below: "Paths | None") -> None:
        self.links: Final = FactIndex()
        self.rules: Final[dict[str, dict[Instance, None]]] = {}
        self._facts: Final = facts
        self._below: Final = below
        self._shared: Final = below.rules if below else self.rules

    def follows(self, predicate: str) -> bool:
        """Whether a predicate is transitive in this model or in the common sense."""
        return predicate in self._shared or predicate in self.rules

    def add(self, instance: Instance) -> bool:
        """Add a rule; return whether it is the first of its predicate, which has no links yet."""
        predicate = instance.body[0][1]
        first = not self.follows(predicate)
        self.rules.setdefault(predicate, {})[instance] = None
        return first

    def remove(self, instance: Instance) -> None:
        """Remove a rule; after the last one of a predicate, drop its links."""
        predicate = instance.body[0][1]
        rules = self.rules[predicate]
        del rules[instance]
        if not rules:
            del self.rules[predicate]
            if not self.follows(predicate):
                for fact in self.links.match(None, predicate, None):
                    self.links.discard(fact)

    def mark(self, fact: Statement, is_link: bool) -> None:
        """Record whether a fact is a link."""
        if is_link:
            self.links.add(fact)
        else:
            self.links.discard(fact)

    def triggered(self, fact: Statement, budget: Budget, out: list[Derivation]) -> None:
        """Append to `out` the paths in which a fact is the rest, or (if it is one) the link."""
        s, p, o = fact
        for instance in self._rules_for(p):
            before = [w for links in self._links(p) for w in links.subjects(p, s)]
            after = (
                [z for f in self._all_facts() for z in f.objects(o, p)]
                if self._is_link(fact)
                else ()
            )
            budget.spend(len(before) + len(after))
            out += [(instance, (w, p, o), ((w, p, s), fact)) for w in before if _is_sound(p, w, o)]
            out += [(instance, (s, p, z), (fact, (o, p, z))) for z in after if _is_sound(p, s, z)]

    def ways(
        self, fact: Statement, budget: Budget, by_halves: bool = False
    ) -> Iterator[Derivation]:
        """Yield the paths from subject to object: link and rest, or any split `by_halves`."""
        s, p, o = fact
        for instance in self._rules_for(p) if _is_sound(p, s, o) else ():
            for links in self._all_facts() if by_halves else self._links(p):
                for y in list(links.objects(s, p)):
                    budget.spend(1)
                    if any(facts.holds((y, p, o)) for facts in self._all_facts()):
                        yield instance, fact, ((s, p, y), (y, p, o))

    def all_of(self, instance: Instance, budget: Budget) -> list[Derivation]:
        """Return every path that a rule derives from the facts that hold."""
        p = instance.body[0][1]
        made: list[Derivation] = []
        for links in self._links(p):
            for x, _, y in links.match(None, p, None):
                rest = [z for f in self._all_facts() for z in f.objects(y, p)]
                budget.spend(1 + len(rest))
                made += [
                    (instance, (x, p, z), ((x, p, y), (y, p, z)))
                    for z in rest
                    if _is_sound(p, x, z)
                ]
        return made

    def _rules_for(self, predicate: str) -> list[Instance]:
        return [*dict.fromkeys((*self.rules.get(predicate, ()), *self._shared.get(predicate, ())))]

    def _links(self, predicate: str) -> list[FactIndex]:
        """Return the links of this model and of the common sense.

        If the common sense has no rule for the predicate, all its facts count as links.
        """
        if self._below is None:
            return [self.links]
        shared = self._below
        return [self.links, shared.links if predicate in shared.rules else shared._facts]

    def _all_facts(self) -> list[FactIndex]:
        return [self._facts, self._below._facts] if self._below else [self._facts]

    def _is_link(self, fact: Statement) -> bool:
        return any(links.holds(fact) for links in self._links(fact[1]))


def _is_sound(predicate: str, x: str, z: str) -> bool:
    """Whether a path is worth storing: `x sameAs x` is not."""
    return not (predicate == SAME_AS and x == z)
