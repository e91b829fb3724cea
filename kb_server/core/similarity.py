"""What two things have in common and in what they differ, by ORO's algorithms.

*Common ancestors* are the most specific classes that include both; *first different ancestors*,
just below them, the most generic classes that include one and not the other. What else is known
of a thing are its *descriptors*: relations with their values, as far as they say something
lasting about it. Gaze, reach and all else that the ontology marks as volatile is none, nor are
labels, annotations, another vocabulary's word for the same, or the mirror image of a place (that
a table is under a cup).
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from kb_server.core.errors import BadRequest
from kb_server.core.facts import View
from kb_server.core.literals import is_literal, value
from kb_server.core.matching import Budget
from kb_server.core.rdf import HIDDEN
from kb_server.core.statements import Statement
from kb_server.core.terms import is_blank
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

__all__ = [
    "Comparison",
    "Descriptors",
    "Difference",
    "Terminology",
    "common_ancestors",
    "compare",
    "descriptors",
    "first_different_ancestors",
    "meaning",
]

Classes = frozenset[str]
Descriptors = Mapping[tuple[str, Hashable], str]
"""The values of a thing, by property and meaning."""

_W3C: Final = ("rdf:", "rdfs:", "owl:", "xsd:", "swrl:", "swrlb:")
_PLACES: Final = frozenset({IS_AT, IS_ABOVE})


@dataclass(frozen=True, slots=True)
class Difference:
    """A property, with the values that only the one and only the other has."""

    property: str
    of_a: tuple[str, ...]
    of_b: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """What `a` and `b` share, and what only one of them is or has; all of it sorted.

    Every descriptor is on one side: shared, or in a difference. Classes come with `rdf:type`.
    """

    a: str
    b: str
    common_ancestors: tuple[str, ...]
    first_different_ancestors: tuple[tuple[str, ...], tuple[str, ...]]
    similarities: tuple[tuple[str, str], ...]
    differences: tuple[Difference, ...]


class Terminology:
    """Which classes and properties of a view can be offered to people, and how they are ordered.

    Each fact looked at is paid for, each term looked up once; so it is good for one answer.
    """

    def __init__(self, view: View, budget: Budget) -> None:
        self._view: Final = view
        self.budget: Final = budget
        self._supers: Final[dict[str, Classes]] = {}
        self._above: Final[dict[str, Classes]] = {}
        self._named: Final[dict[str, bool]] = {}
        self._offered: Final[dict[str, bool]] = {}

    def look(self, s: str | None, p: str | None, o: str | None) -> list[Statement]:
        """The facts that fit, paid for."""
        found = self._view.match(s, p, o)
        self.budget.spend(1 + len(found))
        return found

    def facts(self, entity: str) -> list[Statement]:
        """The facts with this subject; BadRequest when no fact mentions it in any place."""
        found = [] if entity.startswith(HIDDEN) else self.look(entity, None, None)
        if not found and not self._is_mentioned(entity):
            raise BadRequest(f"nothing is known of {entity!r}", entity=entity)
        return found

    def above(self, term: str) -> Classes:
        """The classes or properties strictly above one: its equivalents are not."""
        if term not in self._above:
            supers = self._all_above(term)
            self._above[term] = frozenset(s for s in supers if term not in self._all_above(s))
        return self._above[term]

    def family(self, term: str) -> Classes:
        """A class or property with its equivalents and all above it."""
        return self._all_above(term) | {term}

    def most_specific(self, classes: Iterable[str]) -> Classes:
        """The classes that have no other of them below."""
        among = frozenset(classes)
        return among.difference(*map(self.above, among))

    def most_general(self, classes: Iterable[str]) -> Classes:
        """The classes that have no other of them above."""
        among = frozenset(classes)
        return frozenset(c for c in among if among.isdisjoint(self.above(c)))

    def classes_of(self, entity: str, facts: Iterable[Statement]) -> Classes:
        """The classes to offer that include a thing; for a class, itself and those above it."""
        found = {o for _, p, o in facts if p == TYPE}
        if self._is_class(entity):
            found |= self.family(entity)
        return frozenset(filter(self.is_offered, found))

    def is_named(self, term: str) -> bool:
        """Whether people have this word: it is neither nameless, the W3C's, nor a mere alias."""
        if term not in self._named:
            unsayable = is_blank(term) or term.startswith(_W3C)
            self._named[term] = not (unsayable or self._is_alias(term))
        return self._named[term]

    def is_offered(self, term: str) -> bool:
        """Whether a class or property tells something lasting, in a word of people."""
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
        """Whether it is another vocabulary's word for what has one of our own."""
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
        """Marked so itself, or what is above it, or what it is the inverse of."""
        family = self.family(term)
        inverses = {i for t in family for i in self._linked(t, INVERSE_OF)}
        return any(self._view.holds((t, IS_VOLATILE, "true")) for t in family | inverses)

    def _mirrors_place(self, term: str) -> bool:
        """Whether it is declared an inverse of where things are; only `contains` tells things."""
        return any(
            not _PLACES.isdisjoint(self.family(o))
            for t in self.family(term)
            if t != CONTAINS
            for _, _, o in self.look(t, INVERSE_OF, None)
        )

    def _linked(self, term: str, p: str) -> set[str]:
        onward, back = self.look(term, p, None), self.look(None, p, term)
        return {o for _, _, o in onward} | {s for s, _, _ in back}


def compare(a: str, b: str, view: View, budget: Budget) -> Comparison:
    """What two things, or two classes, have in common, and in what they differ.

    What only one of them is known to have is a difference too. BadRequest for an unknown one.
    """
    terms = Terminology(view, budget)
    facts = terms.facts(a), terms.facts(b)
    classes = terms.classes_of(a, facts[0]), terms.classes_of(b, facts[1])
    common = tuple(sorted(common_ancestors(classes, terms)))
    left, right = (tuple(sorted(side)) for side in first_different_ancestors(classes, terms))
    shared, of_a, of_b = _parted(a, descriptors(facts[0], terms), b, descriptors(facts[1], terms))
    pairs = ((p, shared[p, m]) for p, m in _specific(shared, terms))
    types = (Difference(TYPE, left, right),) if left or right else ()
    return Comparison(
        a,
        b,
        common,
        (left, right),
        (*((TYPE, c) for c in common), *sorted(pairs)),
        (*types, *_differences(_specific(of_a, terms), _specific(of_b, terms))),
    )


def common_ancestors(classes: Sequence[Classes], terms: Terminology) -> Classes:
    """The most specific classes that include all the things, given those that include each."""
    return terms.most_specific(frozenset.intersection(*classes))


def first_different_ancestors(classes: Sequence[Classes], terms: Terminology) -> list[Classes]:
    """For each thing, the classes just below the common ancestors that include it and not all.

    Where nothing lies below these, the most generic of all the classes that are not shared.
    """
    terms.budget.spend(sum(map(len, classes)))
    shared = frozenset.intersection(*classes)
    tops = terms.most_specific(shared)
    sides = [_just_below(tops, own - shared, terms) for own in classes]
    return sides if any(sides) else [terms.most_general(own - shared) for own in classes]


def descriptors(facts: Iterable[Statement], terms: Terminology) -> dict[tuple[str, Hashable], str]:
    """What facts about one thing tell of it, classes aside; a value that has no name is left out."""
    found: dict[tuple[str, Hashable], str] = {}
    for _, p, o in facts:
        if terms.is_offered(p) and not is_blank(o):
            key = (p, meaning(o))
            found[key] = min(o, found.get(key, o))
    return found


def meaning(term: str) -> Hashable:
    """What terms are compared by: equal numbers are one, whatever their datatypes.

    >>> meaning("0.2") == meaning('"0.2"^^xsd:double'), meaning("1") == meaning("true")
    (True, False)
    """
    if not is_literal(term):
        return term
    found = value(term)
    return (isinstance(found, bool), term if found is None else found)


def _just_below(tops: Classes, classes: Classes, terms: Terminology) -> Classes:
    return frozenset(
        c
        for c in classes
        for top in tops & terms.above(c)
        if not any(top in terms.above(b) for b in terms.above(c) if terms.is_offered(b))
    )


def _parted(
    a: str, left: Descriptors, b: str, right: Descriptors
) -> tuple[Descriptors, Descriptors, Descriptors]:
    """What both have, only the one, only the other; what each is to the other is no difference."""
    mutual = {p for p, m in left if m == b and (p, a) in right}
    shared = {key: min(left[key], right[key]) for key in left if key in right}
    of_a = {k: v for k, v in left.items() if k not in right and not (k[0] in mutual and v == b)}
    of_b = {k: v for k, v in right.items() if k not in left and not (k[0] in mutual and v == a)}
    return shared, of_a, of_b


def _specific(found: Descriptors, terms: Terminology) -> Descriptors:
    """Descriptors without those that follow from one of them by a super-property."""
    implied = {(above, m) for p, m in found for above in terms.above(p)}
    return {key: term for key, term in found.items() if key not in implied}


def _differences(of_a: Descriptors, of_b: Descriptors) -> Iterable[Difference]:
    for prop in sorted({p for p, _ in (*of_a, *of_b)}):
        sides = (sorted(t for (p, _), t in of.items() if p == prop) for of in (of_a, of_b))
        yield Difference(prop, *map(tuple, sides))
