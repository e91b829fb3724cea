"""The description of one thing, and the search for things by name or label."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, Literal

from kb_server.core.facts.facts import FactView
from kb_server.core.facts.matching import Budget
from kb_server.core.models.model import is_visible
from kb_server.core.questions.terminology import Terminology
from kb_server.core.terms.literals import is_literal, split_literal
from kb_server.core.terms.statements import Statement
from kb_server.errors import BadRequest
from ontology.vocabulary import (
    ANNOTATION_PROPERTY,
    DATATYPE_PROPERTY,
    LABEL,
    OBJECT_PROPERTY,
    ONTOLOGY,
    OWL_CLASS,
    RDF_PROPERTY,
    RDFS_CLASS,
    SUB_CLASS_OF,
    SUB_PROPERTY_OF,
    SWRL_VARIABLE,
    TYPE,
)

__all__ = ["Description", "LabelMatch", "TermKind", "about", "lookup"]

TermKind = Literal["class", "property", "individual"]

_OF_CLASSES: Final = frozenset({OWL_CLASS, RDFS_CLASS})
_OF_PROPERTIES: Final = frozenset(
    {OBJECT_PROPERTY, DATATYPE_PROPERTY, ANNOTATION_PROPERTY, RDF_PROPERTY}
)
_OF_NO_THING: Final = frozenset({ONTOLOGY, SWRL_VARIABLE})
_EXACT_LABEL, _EXACT_NAME, _FIRST_WORD, _WORD, _PREFIX, _SUBSTRING = range(6)

RankedMatch = tuple[int, int, str]
"""The rank of a match (best first), the length of the matching text, and the label to show."""


@dataclass(frozen=True, slots=True)
class Description:
    """All facts about one thing, sorted, without the ontology's blank nodes.

    `types` are its named classes, `direct_types` the most specific of them.
    """

    id: str
    label: str
    direct_types: tuple[str, ...]
    types: tuple[str, ...]
    as_subject: tuple[Statement, ...]
    as_object: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class LabelMatch:
    """A thing that a text may mean, with the label that matched, or else its usual label."""

    id: str
    kind: TermKind
    label: str


@dataclass(frozen=True, slots=True)
class _Register:
    """The terms in some facts, their labels, and which are classes, properties or neither."""

    terms: set[str] = field(default_factory=set)
    classes: set[str] = field(default_factory=set)
    properties: set[str] = field(default_factory=set)
    labels: dict[str, list[str]] = field(default_factory=dict)
    no_things: set[str] = field(default_factory=set)

    def enter(self, fact: Statement) -> None:
        s, p, o = fact
        self.terms.update((s, p) if is_literal(o) else fact)
        self.properties.add(p)
        if p == TYPE:
            self._classify(s, o)
        elif p == SUB_CLASS_OF:
            self.classes.update((s, o))
        elif p == SUB_PROPERTY_OF:
            self.properties.update((s, o))
        elif p == LABEL and is_literal(o):
            self.labels.setdefault(s, []).append(o)

    def kind(self, term: str) -> TermKind:
        if term in self.classes:
            return "class"
        return "property" if term in self.properties else "individual"

    def _classify(self, thing: str, its_type: str) -> None:
        self.classes.add(its_type)
        if its_type in _OF_CLASSES:
            self.classes.add(thing)
        elif its_type in _OF_PROPERTIES:
            self.properties.add(thing)
        elif its_type in _OF_NO_THING:
            self.no_things.add(thing)


def about(entity: str, view: FactView, budget: Budget) -> Description:
    """Return all facts about a thing, a class or a property; BadRequest if there are none."""
    terms = Terminology(view, budget)
    as_subject = filter(is_visible, terms.facts(entity))
    as_object = filter(is_visible, terms.look(None, None, entity))
    types = {o for _, _, o in terms.look(entity, TYPE, None) if terms.is_named(o)}
    labels = [o for _, _, o in terms.look(entity, LABEL, None) if is_literal(o)]
    return Description(
        entity,
        _usual_label(entity, labels),
        tuple(sorted(terms.most_specific(types))),
        tuple(sorted(types)),
        tuple(sorted(as_subject)),
        tuple(sorted(as_object)),
    )


def lookup(label: str, view: FactView, budget: Budget) -> tuple[LabelMatch, ...]:
    """Return the things with this name or label, case-insensitively; best first.

    The ranks, best first; ties are ordered by length and id. In a name `_` counts as a space.

    1. The label is equal.
    2. The name is equal.
    3. A label or name begins with the text, as whole words.
    4. A label or name contains the text, as whole words.
    5. A label or name begins with the text, as a part of a word.
    6. A label or name contains the text, as a part of a word.

    The danger: it reads all facts of the view, and each counts against the budget.
    """
    wanted = _folded(label)
    if not wanted:
        raise BadRequest("the label to look up is empty", field="label")
    terms = Terminology(view, budget)
    register = _Register()
    for fact in filter(is_visible, terms.look(None, None, None)):
        register.enter(fact)
    found: dict[str, RankedMatch] = {}
    for term in register.terms - register.no_things:
        fits = min(_fits(wanted, term, register.labels.get(term, ())), default=None)
        if fits is not None and terms.is_named(term):
            found[term] = fits
    best_first = sorted(found, key=lambda term: (found[term][:2], term))
    return tuple(LabelMatch(term, register.kind(term), found[term][2]) for term in best_first)


def _fits(wanted: str, term: str, labels: Iterable[str]) -> Iterator[RankedMatch]:
    """Yield the matches of a text with the names and labels of a term."""
    for name in (term, _local(term)):
        rank = _rank(wanted, _folded(name), _EXACT_NAME)
        if rank is not None:
            yield rank, len(name), _usual_label(term, labels)
    for literal in labels:
        text = split_literal(literal)[0]
        rank = _rank(wanted, _folded(text), _EXACT_LABEL)
        if rank is not None:
            yield rank, len(text), text


def _rank(wanted: str, text: str, exact: int) -> int | None:
    if wanted not in text:
        return None
    if wanted == text:
        return exact
    is_first = text.startswith(wanted)
    if re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", text):
        return _FIRST_WORD if is_first else _WORD
    return _PREFIX if is_first else _SUBSTRING


def _usual_label(term: str, labels: Iterable[str]) -> str:
    """Return a term's label, preferably English or without a language; else its name."""
    parts = (split_literal(literal) for literal in labels)
    ranked = sorted((language not in ("", "en"), text) for text, _, language in parts)
    return ranked[0][1] if ranked else term


def _local(term: str) -> str:
    """Return the local part of a name, after its prefix.

    >>> _local("cyc:near"), _local("<http://example.org/things#mug>"), _local("ball")
    ('near', 'mug', 'ball')
    """
    return re.split(r"[:/#]", term.rstrip(">#/"))[-1]


def _folded(text: str) -> str:
    return " ".join(text.casefold().replace("_", " ").split())
