"""The classes and properties that can be offered to people, and their hierarchy.

People are offered terms that express something lasting. Left out are:

- the ontology's blank nodes and the W3C's vocabulary,
- another vocabulary's term that is equivalent to one of ours (`cyc:Person`),
- properties marked as volatile (gaze, reach), and annotations,
- the inverse of a place: that a table is under a cup describes the cup.
"""

from collections.abc import Iterable
from typing import Final

from kb_server.core.facts.facts import FactView
from kb_server.core.facts.matching import Budget
from kb_server.core.terms.statements import Statement
from kb_server.core.terms.terms import HIDDEN, is_blank
from kb_server.errors import BadRequest
from ontology.vocabulary import (
    ANNOTATION_PROPERTY,
    CONTAINS,
    EQUIVALENT_CLASS,
    EQUIVALENT_PROPERTY,
    INVERSE_OF,
    IS_ABOVE,
    IS_AT,
    IS_VOLATILE,
    OWL_CLASS,
    RDFS_CLASS,
    SUB_CLASS_OF,
    SUB_PROPERTY_OF,
    TYPE,
)

__all__ = ["Classes", "Terminology"]

Classes = frozenset[str]

_W3C: Final = ("rdf:", "rdfs:", "owl:", "xsd:", "swrl:", "swrlb:")
_PLACES: Final = frozenset({IS_AT, IS_ABOVE})


class Terminology:
    """The classes and properties of a view that can be offered to people, and their hierarchy.

    Lookups are cached and counted against the budget, so an instance serves one answer only.
    """

    def __init__(self, view: FactView, budget: Budget) -> None:
        self._view: Final = view
        self.budget: Final = budget
        self._supers: Final[dict[str, Classes]] = {}
        self._above: Final[dict[str, Classes]] = {}
        self._named: Final[dict[str, bool]] = {}
        self._offered: Final[dict[str, bool]] = {}

    def look(self, s: str | None, p: str | None, o: str | None) -> list[Statement]:
        """Return the matching facts, and count them against the budget."""
        found = self._view.match(s, p, o)
        self.budget.spend(1 + len(found))
        return found

    def facts(self, entity: str) -> list[Statement]:
        """Return the facts with this subject; BadRequest if no fact mentions it at all."""
        found = [] if entity.startswith(HIDDEN) else self.look(entity, None, None)
        if not found and not self._is_mentioned(entity):
            raise BadRequest(f"nothing is known of {entity!r}", entity=entity)
        return found

    def above(self, term: str) -> Classes:
        """Return the classes or properties strictly above one, without its equivalents."""
        if term not in self._above:
            supers = self._all_above(term)
            self._above[term] = frozenset(s for s in supers if term not in self._all_above(s))
        return self._above[term]

    def family(self, term: str) -> Classes:
        """Return a class or property with its equivalents and all above it."""
        return self._all_above(term) | {term}

    def most_specific(self, classes: Iterable[str]) -> Classes:
        """Return the classes that have no other of them below."""
        among = frozenset(classes)
        return among.difference(*map(self.above, among))

    def most_general(self, classes: Iterable[str]) -> Classes:
        """Return the classes that have no other of them above."""
        among = frozenset(classes)
        return frozenset(c for c in among if among.isdisjoint(self.above(c)))

    def classes_of(self, entity: str, facts: Iterable[Statement]) -> Classes:
        """Return the offered classes of a thing; for a class, itself and those above it."""
        found = {o for _, p, o in facts if p == TYPE}
        if self._is_class(entity):
            found |= self.family(entity)
        return frozenset(filter(self.is_offered, found))

    def is_named(self, term: str) -> bool:
        """Whether people can use this term: no blank node, no W3C vocabulary, no alias."""
        if term not in self._named:
            unsayable = is_blank(term) or term.startswith(_W3C)
            self._named[term] = not (unsayable or self._is_alias(term))
        return self._named[term]

    def is_offered(self, term: str) -> bool:
        """Whether a class or property expresses something lasting in a term that people use."""
        if term not in self._offered:
            self._offered[term] = self.is_named(term) and not (
                self._is_annotation(term) or self._is_volatile(term) or self._mirrors_place(term)
            )
        return self._offered[term]

    def _all_above(self, term: str) -> Classes:
        if term not in self._supers:
            found = self.look(term, SUB_CLASS_OF, None) + self.look(term, SUB_PROPERTY_OF, None)
            self._supers[term] = frozenset(o for _, _, o in found) - {term}
        return self._supers[term]

    def _is_mentioned(self, entity: str) -> bool:
        if entity.startswith(HIDDEN):
            return False
        if self._view.estimate(None, entity, None):
            return True
        return not all(s.startswith(HIDDEN) for s, _, _ in self.look(None, None, entity))

    def _is_class(self, term: str) -> bool:
        self.budget.spend(5)
        ends = ((None, TYPE, term), (None, SUB_CLASS_OF, term), (term, SUB_CLASS_OF, None))
        return any(self._view.estimate(*end) for end in ends) or any(
            self._view.holds((term, TYPE, kind)) for kind in (OWL_CLASS, RDFS_CLASS)
        )

    def _is_alias(self, term: str) -> bool:
        """Whether a term of another vocabulary is equivalent to one of ours."""
        if ":" not in term:
            return False
        return any(
            ":" not in other
            for p in (EQUIVALENT_CLASS, EQUIVALENT_PROPERTY)
            for other in self._linked(term, p)
        )

    def _is_annotation(self, term: str) -> bool:
        return self._view.holds((term, TYPE, ANNOTATION_PROPERTY))

    def _is_volatile(self, term: str) -> bool:
        """Whether a property, one above it, or one of their inverses is marked as volatile."""
        family = self.family(term)
        inverses = {i for t in family for i in self._linked(t, INVERSE_OF)}
        return any(self._view.holds((t, IS_VOLATILE, "true")) for t in family | inverses)

    def _mirrors_place(self, term: str) -> bool:
        """Whether a property is declared the inverse of a place; `contains` is the exception."""
        return any(
            not _PLACES.isdisjoint(self.family(o))
            for t in self.family(term)
            if t != CONTAINS
            for _, _, o in self.look(t, INVERSE_OF, None)
        )

    def _linked(self, term: str, p: str) -> set[str]:
        onward, back = self.look(term, p, None), self.look(None, p, term)
        return {o for _, _, o in onward} | {s for s, _, _ in back}
