"""The statements that a question is about, so that providers need compute facts of no others.

In `?f rdf:subject ball`, `?f rdf:object box` and `?f hasProbability ?p`, the probability is wanted
only of statements with the ball as subject and the box as object. The question is `about` these.
"""

from collections import defaultdict
from collections.abc import Container, Iterable
from typing import Final, NamedTuple

from kb_server.core.terms.statements import Pattern, TermOrAny
from kb_server.core.terms.terms import ANY, is_variable
from ontology import vocabulary as v

__all__ = ["PARTS", "About", "ProviderQuestion", "abouts", "gathered", "wanted"]

PARTS: Final = (v.SUBJECT, v.PREDICATE, v.OBJECT)
"""The properties of a reified statement."""


class About(NamedTuple):
    """The known parts of the statements that are meant; None for an unspecified part."""

    subject: TermOrAny = None
    predicate: TermOrAny = None
    object: TermOrAny = None


class ProviderQuestion(NamedTuple):
    """A question to a provider; None stands for an unknown term.

    With `about`, only facts are wanted whose subjects are such statements.
    """

    subject: TermOrAny
    predicate: str
    object: TermOrAny
    about: About | None = None


def wanted(patterns: Iterable[Pattern], offered: Container[str]) -> list[ProviderQuestion]:
    """Return the questions to providers for a conjunction of patterns and the offered predicates.

    >>> patterns = [("?f", "rdf:subject", "ball"), ("?f", "hasProbability", "?p")]
    >>> wanted(patterns, ["hasProbability"])[0].about
    About(subject='ball', predicate=None, object=None)
    """
    known = list(patterns)
    about = abouts(known)
    return gathered(
        ProviderQuestion(_place(s), p, _place(o), about.get(s)) for s, p, o in known if p in offered
    )


def abouts(patterns: Iterable[Pattern]) -> dict[str, About]:
    """Return the known parts of the statement for each variable that stands for one."""
    said: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for subject, predicate, value in patterns:
        if predicate in PARTS and is_variable(subject) and not is_variable(value):
            said[subject].setdefault(predicate, value)
    said.pop(ANY, None)
    return {name: About(*map(parts.get, PARTS)) for name, parts in said.items()}


def gathered(wishes: Iterable[ProviderQuestion]) -> list[ProviderQuestion]:
    """Return each question once, without those that another one includes."""
    by_place: defaultdict[ProviderQuestion, dict[ProviderQuestion, None]] = defaultdict(dict)
    for each in wishes:
        by_place[each._replace(about=None)][each] = None
    return [
        each
        for place, found in by_place.items()
        for each in ([place] if place in found else found)
    ]


def _place(term: str) -> TermOrAny:
    return None if is_variable(term) else term
