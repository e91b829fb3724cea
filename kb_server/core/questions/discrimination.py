"""Discrimination: the property that best tells some candidates apart, to ask a person about.

The best property leaves the fewest pairs of candidates with equal values. Its answer also leaves
the fewest candidates on average. A candidate without a value differs from one with a value: the
robot goes by its positive knowledge. Ties are broken in this order:

1. properties that a person can perceive (class, colour, size, shape, place),
2. properties for which more candidates have a value.

The road not taken is labels: nearly every thing has its own, so labels would always win, and a
person who knew the name would have used it. A dialogue can still list the candidates by name if no
property is left.
"""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from kb_server.core.facts.facts import FactView
from kb_server.core.facts.matching import Budget
from kb_server.core.questions.query import find
from kb_server.core.questions.similarity import descriptors, first_different_ancestors
from kb_server.core.questions.terminology import Classes, Terminology
from kb_server.core.terms.statements import Pattern, Statement
from kb_server.errors import BadRequest
from ontology.vocabulary import (
    CONTAINS,
    HAS_COLOR,
    HAS_SHAPE,
    HAS_SIZE,
    IS_AT,
    SAME_AS,
    TYPE,
)

__all__ = ["MOST_CANDIDATES", "Discrimination", "clarify", "discriminate"]

MOST_CANDIDATES: Final = 1_000
"""Candidates in one question; the work grows with candidates times properties."""

_PERCEIVABLE: Final = (TYPE, HAS_COLOR, HAS_SIZE, HAS_SHAPE, IS_AT, CONTAINS)
"""The properties that a person can perceive, in order of preference, with their sub-properties."""

FactsByCandidate = Mapping[str, list[Statement]]
Column = dict[str, dict[Hashable, str]]
"""The values of each candidate for one property, keyed by their meaning."""


@dataclass(frozen=True, slots=True)
class Discrimination:
    """The property (`rdf:type` for a class) that tells candidates apart, and their values.

    `complete` is True if no two candidates have the same values. A value that is itself a candidate
    is left out: "the cup next to the other cup" is no help. Without a property there are no values.
    """

    property: str | None
    values: Mapping[str, tuple[str, ...]]
    complete: bool


def discriminate(candidates: Sequence[str], view: FactView, budget: Budget) -> Discrimination:
    """Return the property that best tells the candidates apart; None if all are alike.

    The order of the candidates doesn't matter. Two names of one individual (`owl:sameAs`) count as
    one candidate. BadRequest for an unknown candidate, or more than MOST_CANDIDATES.
    """
    if len(candidates) > MOST_CANDIDATES:
        raise BadRequest(
            f"{len(candidates)} candidates are too many; at most {MOST_CANDIDATES}",
            field="candidates",
        )
    terms = Terminology(view, budget)
    facts = {c: terms.facts(c) for c in dict.fromkeys(candidates)}
    different = _different(facts)
    columns = _columns(facts, terms)
    best = _best(columns, different, terms)
    if best is None:
        return Discrimination(None, {}, False)
    values = {c: tuple(sorted(columns[best].get(c, {}).values())) for c in facts}
    complete = len(_groups(columns[best], different)) == len(different)
    return Discrimination(best, values, complete)


def _aliases(candidate: str, facts: FactsByCandidate) -> set[str]:
    return {candidate, *(o for _, p, o in facts[candidate] if p == SAME_AS)}


def _different(facts: FactsByCandidate) -> list[str]:
    """Return one candidate for each individual."""
    individuals: dict[str, str] = {}
    for candidate in facts:
        individuals.setdefault(min(_aliases(candidate, facts)), candidate)
    return list(individuals.values())


def _columns(facts: FactsByCandidate, terms: Terminology) -> dict[str, Column]:
    """Return, for each property of any candidate, the values of all candidates."""
    ambiguous = {alias for c in facts for alias in _aliases(c, facts)}
    columns: dict[str, Column] = {TYPE: _kinds(facts, terms)}
    for candidate, about in facts.items():
        for (prop, means), term in descriptors(about, terms).items():
            if term not in ambiguous:
                columns.setdefault(prop, {}).setdefault(candidate, {})[means] = term
    return columns


def _kinds(facts: FactsByCandidate, terms: Terminology) -> Column:
    """Return the most generic classes that tell each candidate apart from the others.

    A first difference may leave some alike (cup and mug are both containers, the table is not), so
    each group of equals is split in turn.
    """
    classes = {c: terms.classes_of(c, about) for c, about in facts.items()}
    found: dict[Classes, set[str]] = {own: set() for own in classes.values()}
    groups = [list(found)]
    while groups:
        group = groups.pop()
        if len(group) < 2:
            continue
        common = terms.most_specific(frozenset.intersection(*group))
        parts: dict[Classes, list[Classes]] = {}
        for own, side in zip(group, first_different_ancestors(group, terms), strict=True):
            found[own] |= side or common
            parts.setdefault(side, []).append(own)
        groups.extend(parts.values())
    return {c: {k: k for k in terms.most_specific(found[own])} for c, own in classes.items()}


def _best(columns: Mapping[str, Column], different: list[str], terms: Terminology) -> str | None:
    terms.budget.spend(len(columns) * len(different))
    apart = {p: _pairs_apart(column, different) for p, column in columns.items()}
    beaten = {p for q in apart for p in terms.above(q) if apart[q] >= apart.get(p, 0)}
    left = (p for p in apart if apart[p] and p not in beaten)

    def worse(prop: str) -> tuple[int, bool, int, int, str]:
        rank = _rank(prop, terms)
        covered = sum(1 for c in different if columns[prop].get(c))
        return (-apart[prop], rank == len(_PERCEIVABLE), -covered, rank, prop)

    return min(left, key=worse, default=None)


def _rank(prop: str, terms: Terminology) -> int:
    """Return the rank of a property among the perceivable ones, by its super-properties too."""
    family = terms.family(prop)
    return next((i for i, p in enumerate(_PERCEIVABLE) if p in family), len(_PERCEIVABLE))


def _groups(column: Column, different: list[str]) -> Counter[frozenset[Hashable]]:
    """Return the number of candidates with each set of values."""
    return Counter(frozenset(column.get(c, ())) for c in different)


def _pairs_apart(column: Column, different: list[str]) -> int:
    alike = sum(n * (n - 1) for n in _groups(column, different).values())
    return (len(different) * (len(different) - 1) - alike) // 2


def clarify(
    patterns: Sequence[Pattern], variable: str, view: FactView, budget: Budget
) -> tuple[tuple[str, ...], Discrimination]:
    """Return the candidates that a partial description may mean, and the property to ask next."""
    rows = find(patterns, view, budget, [variable], MOST_CANDIDATES + 1)
    candidates = tuple(sorted(value for row in rows for value in row.values()))
    return candidates, discriminate(candidates, view, budget)
