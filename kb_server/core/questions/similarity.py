"""What two things have in common and in what they differ, by ORO's algorithms.

*Common ancestors* are the most specific classes that include both; *first different ancestors*,
just below them, the most generic classes that include one and not the other. What else is known
of a thing are its *descriptors*: properties with their values, as far as the terminology offers
them. A volatile one is none: to compare is to say what things are like, not what goes on.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from kb_server.core.facts.facts import View
from kb_server.core.facts.matching import Budget
from kb_server.core.questions.terminology import Classes, Terminology
from kb_server.core.terms.literals import is_literal, value
from kb_server.core.terms.statements import Statement
from kb_server.core.terms.terms import is_blank
from ontology.vocabulary import TYPE

__all__ = [
    "Comparison",
    "Descriptors",
    "Difference",
    "common_ancestors",
    "compare",
    "descriptors",
    "first_different_ancestors",
    "meaning",
]

Descriptors = Mapping[tuple[str, Hashable], str]
"""The values of a thing, by property and meaning."""


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


def descriptors(facts: Iterable[Statement], terms: Terminology) -> Descriptors:
    """What facts about one thing tell of it, classes aside; a nameless value is left out."""
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
