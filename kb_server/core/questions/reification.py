"""Which statements a question is about, so that who tells of statements need tell of no others.

Of `?f rdf:subject ball`, `?f rdf:object box` and `?f hasProbability ?p` the last one is wanted only
of what says something of the ball and the box: that is what the question is `about`.
"""

from collections import defaultdict
from collections.abc import Container, Iterable
from typing import Final, NamedTuple

from kb_server.core.terms.statements import Pattern
from kb_server.core.terms.terms import ANY, is_variable
from ontology import vocabulary as v

__all__ = ["PARTS", "About", "Wanted", "abouts", "gathered", "wanted"]

PARTS: Final = (v.SUBJECT, v.PREDICATE, v.OBJECT)
"""What a statement has, when it is a thing of its own."""

Place = str | None


class About(NamedTuple):
    """The parts of the statements that are meant; None for what is not said."""

    subject: Place = None
    predicate: Place = None
    object: Place = None


class Wanted(NamedTuple):
    """What a provider is to tell; None stands for what is to be found.

    Where there is an `about`, the subjects are such statements, and of no others need be told.
    """

    subject: Place
    predicate: str
    object: Place
    about: About | None = None


def wanted(patterns: Iterable[Pattern], offered: Container[str]) -> list[Wanted]:
    """What is to be told for patterns that hold together, of the predicates that are offered.

    >>> patterns = [("?f", "rdf:subject", "ball"), ("?f", "hasProbability", "?p")]
    >>> wanted(patterns, ["hasProbability"])[0].about
    About(subject='ball', predicate=None, object=None)
    """
    known = list(patterns)
    about = abouts(known)
    return gathered(
        Wanted(_place(s), p, _place(o), about.get(s)) for s, p, o in known if p in offered
    )


def abouts(patterns: Iterable[Pattern]) -> dict[str, About]:
    """For each variable that stands for a statement, the parts of it that are named."""
    said: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for subject, predicate, value in patterns:
        if predicate in PARTS and is_variable(subject) and not is_variable(value):
            said[subject].setdefault(predicate, value)
    said.pop(ANY, None)
    return {name: About(*map(parts.get, PARTS)) for name, parts in said.items()}


def gathered(wishes: Iterable[Wanted]) -> list[Wanted]:
    """Each wish once, and none that another one contains."""
    by_place: defaultdict[Wanted, dict[Wanted, None]] = defaultdict(dict)
    for each in wishes:
        by_place[each._replace(about=None)][each] = None
    return [
        each
        for place, found in by_place.items()
        for each in ([place] if place in found else found)
    ]


def _place(term: str) -> Place:
    return None if is_variable(term) else term
