"""What is known of one thing, and which things a name or label may mean."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, Literal

from kb_server.core.errors import BadRequest
from kb_server.core.facts.facts import View
from kb_server.core.facts.matching import Budget
from kb_server.core.models.model import is_visible
from kb_server.core.questions.terminology import Terminology
from kb_server.core.terms.literals import is_literal, split_literal
from kb_server.core.terms.statements import Statement
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

__all__ = ["Kind", "Match", "Portrait", "about", "lookup"]

Kind = Literal["class", "property", "individual"]

_OF_CLASSES: Final = frozenset({OWL_CLASS, RDFS_CLASS})
_OF_PROPERTIES: Final = frozenset(
    {OBJECT_PROPERTY, DATATYPE_PROPERTY, ANNOTATION_PROPERTY, RDF_PROPERTY}
)
_OF_NO_THING: Final = frozenset({ONTOLOGY, SWRL_VARIABLE})
_EXACT_LABEL, _EXACT_NAME, _FIRST_WORD, _WORD, _PREFIX, _SUBSTRING = range(6)

Found = tuple[int, int, str]
"""How well a text fits (best first), how long it is, and the label to show."""


@dataclass(frozen=True, slots=True)
class Portrait:
    """All that is known of one thing, sorted; the ontology's nameless nodes are left out.

    `types` are the named classes that include it, `direct_types` the most specific of them.
    """

    id: str
    label: str
    direct_types: tuple[str, ...]
    types: tuple[str, ...]
    as_subject: tuple[Statement, ...]
    as_object: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Match:
    """A thing that a text may mean, and the label by which it was found, or else its usual one."""

    id: str
    kind: Kind
    label: str


@dataclass(frozen=True, slots=True)
class _Register:
    """The terms that facts mention, with their labels, and which of them are what."""

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

    def kind(self, term: str) -> Kind:
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


def about(entity: str, view: View, budget: Budget) -> Portrait:
    """All that is known of a thing, a class or a property; BadRequest when that is nothing."""
    terms = Terminology(view, budget)
    as_subject = filter(is_visible, terms.facts(entity))
    as_object = filter(is_visible, terms.look(None, None, entity))
    types = {o for _, _, o in terms.look(entity, TYPE, None) if terms.is_named(o)}
    labels = [o for _, _, o in terms.look(entity, LABEL, None) if is_literal(o)]
    return Portrait(
        entity,
        _usual_label(entity, labels),
        tuple(sorted(terms.most_specific(types))),
        tuple(sorted(types)),
        tuple(sorted(as_subject)),
        tuple(sorted(as_object)),
    )


def lookup(label: str, view: View, budget: Budget) -> tuple[Match, ...]:
    """The things with this name or label, whatever its case; best first, then by length and id.

    Best is the very label, then the very name, then one that begins with it, then one that has
    it inside: each as words of their own before any as parts of words. In a name `_` counts as a
    blank. Danger: it reads all facts, and pays for them.
    """
    wanted = _folded(label)
    if not wanted:
        raise BadRequest("the label to look up is empty", field="label")
    terms = Terminology(view, budget)
    register = _Register()
    for fact in filter(is_visible, terms.look(None, None, None)):
        register.enter(fact)
    found: dict[str, Found] = {}
    for term in register.terms - register.no_things:
        fits = min(_fits(wanted, term, register.labels.get(term, ())), default=None)
        if fits is not None and terms.is_named(term):
            found[term] = fits
    best_first = sorted(found, key=lambda term: (found[term][:2], term))
    return tuple(Match(term, register.kind(term), found[term][2]) for term in best_first)


def _fits(wanted: str, term: str, labels: Iterable[str]) -> Iterator[Found]:
    """The ways in which a term is meant by a text."""
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
    """Of a term's labels the English one, or one in no language; its name when it has none."""
    parts = (split_literal(literal) for literal in labels)
    ranked = sorted((language not in ("", "en"), text) for text, _, language in parts)
    return ranked[0][1] if ranked else term


def _local(term: str) -> str:
    """The last part of a name: what follows its prefix.

    >>> _local("cyc:near"), _local("<http://example.org/things#mug>"), _local("ball")
    ('near', 'mug', 'ball')
    """
    return re.split(r"[:/#]", term.rstrip(">#/"))[-1]


def _folded(text: str) -> str:
    return " ".join(text.casefold().replace("_", " ").split())
