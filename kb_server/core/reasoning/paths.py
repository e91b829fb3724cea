"""Paths: what is transitive, inferred link by link instead of from every pair of halves.

That x leads to y and y to z, so x to z, is tried only where x to y is a *link*: a fact that is
asserted or has another reason than this rule. Every path is a link and the rest of it, so nothing
is missed; and a chain of n costs n² tries, to make or to cut, where halves would cost n³.

A fact that is a link may lose its other reasons. It is never kept as one that follows from a path
then, but dies and comes back, for others may rest on it as a link.
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
    """The rules of one model that make paths, and the links there are, over the common sense's."""

    def __init__(self, facts: FactIndex, below: "Paths | None") -> None:
        self.links: Final = FactIndex()
        self.rules: Final[dict[str, dict[Instance, None]]] = {}
        self._facts: Final = facts
        self._below: Final = below
        self._shared: Final = below.rules if below else self.rules

    def follows(self, predicate: str) -> bool:
        """Whether some rule makes paths of a predicate."""
        return predicate in self._shared or predicate in self.rules

    def add(self, instance: Instance) -> bool:
        """Puts a rule in force; whether it is the first for its predicate: it has no links yet."""
        predicate = instance.body[0][1]
        first = not self.follows(predicate)
        self.rules.setdefault(predicate, {})[instance] = None
        return first

    def remove(self, instance: Instance) -> None:
        """Strikes a rule; after the last one for a predicate its links are of no use."""
        predicate = instance.body[0][1]
        rules = self.rules[predicate]
        del rules[instance]
        if not rules:
            del self.rules[predicate]
            if not self.follows(predicate):
                for fact in self.links.match(None, predicate, None):
                    self.links.discard(fact)

    def mark(self, fact: Statement, is_link: bool) -> None:
        """Notes whether a fact is a link."""
        if is_link:
            self.links.add(fact)
        else:
            self.links.discard(fact)

    def triggered(self, fact: Statement, budget: Budget, out: list[Derivation]) -> None:
        """Adds to `out` the paths that a fact makes longer, as their first link or as the rest."""
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
        """The paths from a fact's subject to its object: a link and the rest, or any two halves."""
        s, p, o = fact
        for instance in self._rules_for(p) if _is_sound(p, s, o) else ():
            for links in self._all_facts() if by_halves else self._links(p):
                for y in list(links.objects(s, p)):
                    budget.spend(1)
                    if any(facts.holds((y, p, o)) for facts in self._all_facts()):
                        yield instance, fact, ((s, p, y), (y, p, o))

    def all_of(self, instance: Instance, budget: Budget) -> list[Derivation]:
        """Every path that a rule makes of what holds."""
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
        """The links of this model and those of the common sense, where all may be some."""
        if self._below is None:
            return [self.links]
        shared = self._below
        return [self.links, shared.links if predicate in shared.rules else shared._facts]

    def _all_facts(self) -> list[FactIndex]:
        return [self._facts, self._below._facts] if self._below else [self._facts]

    def _is_link(self, fact: Statement) -> bool:
        return any(links.holds(fact) for links in self._links(fact[1]))


def _is_sound(predicate: str, x: str, z: str) -> bool:
    """Whether a path says something: that a thing is itself does not."""
    return not (predicate == SAME_AS and x == z)
