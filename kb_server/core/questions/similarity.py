"""Similarities and differences of two things, by ORO's algorithms.

- *Common ancestors*: the most specific classes that include both things.
- *First different ancestors*: the most generic classes below these that include only one of them.
- *Descriptors*: the properties of a thing with their values, as far as the terminology offers them.
  Volatile properties are left out, because a comparison is about what things are like, and not
  about what happens at the moment.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from kb_server.core.facts.facts import FactView
from kb_server.core.facts.matching import Budget
from kb_server.core.questions.terminology import Classes, Terminology
from kb_server.core.terms.literals import is_literal, value
from kb_server.core.terms.statements import Statement
from kb_server.core.terms.terms import is_blank
from ontology.vocabulary import TYPE

__all__ = [
    "Descriptors",
    "PropertyDifference",
    "SimilarityReport",
    "common_ancestors",
    "compare",
    "descriptors",
    "first_different_ancestors",
    "meaning",
]

Descriptors = Mapping[tuple[str, Hashable], str]
"""The values of a thing, keyed by property and meaning."""


@dataclass(frozen=True, slots=True)
class PropertyDifference:
    """A property, with the values that only `a` has and those that only `b` has."""

    property: str
    of_a: tuple[str, ...]
    of_b: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SimilarityReport:
    """The similarities and differences of `a` and `b`, sorted.

    Every descriptor is either shared or part of a difference. Classes have the property `rdf:type`.
    """

    a: str
    b: str
    common_ancestors: tuple[str, ...]
    first_different_ancestors: tuple[tuple[str, ...], tuple[str, ...]]
    similarities: tuple[tuple[str, str], ...]
    differences: tuple[PropertyDifference, ...]


def compare(a: str, b: str, view: FactView, budget: Budget) -> SimilarityReport:
    """Compare two things, or two classes; BadRequest for an unknown one.

    A property that only one of them is known to have is a difference too.
    """
    terms = Terminology(view, budget)
    facts = terms.facts(a), terms.facts(b)
    classes = terms.classes_of(a, facts[0]), terms.classes_of(b, facts[1])
    common = tuple(sorted(common_ancestors(classes, terms)))
    left, right = (tuple(sorted(side)) for side in first_different_ancestors(classes, terms))
    shared, of_a, of_b = _parted(a, descriptors(facts[0], terms), b, descriptors(facts[1], terms))
    pairs = ((p, shared[p, m]) for p, m in _specific(shared, terms))
    types = (PropertyDifference(TYPE, left, right),) if left or right else ()
    return SimilarityReport(
        a,
        b,
        common,
        (left, right),
        (*((TYPE, c) for c in common), *sorted(pairs)),
        (*types, *_differences(_specific(of_a, terms), _specific(of_b, terms))),
    )


def common_ancestors(classes: Sequence[Classes], terms: Terminology) -> Classes:
    """Return the most specific classes that include all things, given the classes of each."""
    return terms.most_specific(frozenset.intersection(*classes))


def first_different_ancestors(classes: Sequence[Classes], terms: Terminology) -> list[Classes]:
    """Return, for each thing, its unshared classes just below the common ancestors.

    If no class is below these, return the most generic of all its unshared classes.
    """
    terms.budget.spend(sum(map(len, classes)))
    shared = frozenset.intersection(*classes)
    tops = terms.most_specific(shared)
    sides = [_just_below(tops, own - shared, terms) for own in classes]
    return sides if any(sides) else [terms.most_general(own - shared) for own in classes]


def descriptors(facts: Iterable[Statement], terms: Terminology) -> Descriptors:
    """Return the descriptors in some facts about one thing, without classes and blank nodes."""
    found: dict[tuple[str, Hashable], str] = {}
    for _, p, o in facts:
        if terms.is_offered(p) and not is_blank(o):
            key = (p, meaning(o))
            found[key] = min(o, found.get(key, o))
    return found


def meaning(term: str) -> Hashable:
    """Return the key by which terms are compared; equal numbers of any datatype have one key.

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
    """Return the descriptors of both, only of `a`, and only of `b`.

    A property that each has towards the other, such as `isNextTo`, is no difference.
    """
    mutual = {p for p, m in left if m == b and (p, a) in right}
    shared = {key: min(left[key], right[key]) for key in left if key in right}
    of_a = {k: v for k, v in left.items() if k not in right and not (k[0] in mutual and v == b)}
    of_b = {k: v for k, v in right.items() if k not in left and not (k[0] in mutual and v == a)}
    return shared, of_a, of_b


def _specific(found: Descriptors, terms: Terminology) -> Descriptors:
    """Return the descriptors without those that another one entails by a super-property."""
    implied = {(above, m) for p, m in found for above in terms.above(p)}
    return {key: term for key, term in found.items() if key not in implied}


def _differences(of_a: Descriptors, of_b: Descriptors) -> Iterable[PropertyDifference]:
    for prop in sorted({p for p, _ in (*of_a, *of_b)}):
        sides = (sorted(t for (p, _), t in of.items() if p == prop) for of in (of_a, of_b))
        yield PropertyDifference(prop, *map(tuple, sides))
