"""The predicates and models that a query mentions, so that providers can compute them before it.

Names are resolved as in the query: by its own prefixes and the predeclared ones, with escapes
undone. For a relative IRI only its end is compared, whatever the base. A false match costs time; a
missed one would lose answers.

A query about a statement, `<< oro:ball oro:isIn oro:box >>` or with `{| … |}` behind it, mentions
that statement's parts. If all that the query asks of statements can be read, only the facts about
those statements are wanted; otherwise all are.
"""

import re
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from kb_server.core.questions.reification import PARTS, ProviderQuestion, abouts, gathered
from kb_server.core.terms.terms import Names, is_variable
from kb_server.sparql.patterns import plain
from kb_server.sparql.tokens import Token, tokens
from ontology import vocabulary as v

__all__ = ["MOST_MODELS", "mentioned", "mentioned_models", "wanted_in"]

MOST_MODELS: Final = 20
"""The most models for which one query asks providers: each takes up to a second to answer."""
_A: Final = "a"
_REIFIED: Final = ("<<", "~")
_BRACES: Final = ("{", "|")
"""The syntax of statements about statements: quoted triples, reifiers, annotation blocks."""
_OF_STATEMENTS: Final = (*PARTS, v.HAS_PROBABILITY)
_MOST: Final = 8
"""If a query names more statements than this, all facts of the predicate are requested at once."""
_LETTER: Final = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")
_SIGN: Final = re.compile(r"\\(.)")
_ABSOLUTE: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_UPWARDS: Final = re.compile(r"(?:\.{0,2}/)+")
_LAST_LETTER: Final = 0x10FFFF


@dataclass(frozen=True, slots=True)
class _Said:
    """The names in a query: absolute IRIs, and the ends of relative ones."""

    whole: set[str] = field(default_factory=set)
    ends: set[str] = field(default_factory=set)

    def has(self, iri: str) -> bool:
        return iri in self.whole or any(iri.endswith(end) for end in self.ends)


def mentioned(text: str, predicates: Iterable[str], names: Names) -> list[str]:
    """Return those of some predicates that a query names, whatever its prefixes are.

    >>> mentioned("ASK { ?x oro:isAtLeftOf ?y }", ["isAtLeftOf", "isBehind"], Names())
    ['isAtLeftOf']
    """
    offered = list(predicates)
    return _Read(text, names).mentioned(offered) if offered else offered


def wanted_in(text: str, predicates: Iterable[str], names: Names) -> list[ProviderQuestion]:
    """Return which facts of some predicates a query needs; possibly more than it needs.

    >>> query = "ASK { << oro:ball oro:isIn ?x >> oro:hasProbability ?p }"
    >>> wanted_in(query, ["hasProbability"], Names())[0].about
    About(subject='ball', predicate='isIn', object=None)
    """
    offered = list(predicates)
    read = _Read(text, names) if offered else None
    named = read.mentioned(offered) if read else []
    if read is None or not any(each in _OF_STATEMENTS for each in named):
        return [ProviderQuestion(None, each, None) for each in named]
    wishes = read.wishes(named)
    return [
        wish
        for each in named
        for wish in (wishes.get(each) or [ProviderQuestion(None, each, None)])
    ]


class _Read:
    """The tokens of a query, and the IRIs that its prefixes may stand for."""

    def __init__(self, text: str, names: Names) -> None:
        self._names: Final = names
        self._found: Final = list(tokens(_LETTER.sub(_letter, text)))
        self._prefixes: Final = {prefix: {iri} for prefix, iri in names.prefixes.items()}
        for one, other in _declared(self._found):
            self._prefixes.setdefault(one, set()).add(other)

    def mentioned(self, predicates: Iterable[str], but: Container[int] = ()) -> list[str]:
        """Return the predicates that the tokens name; tokens at the places `but` are left out."""
        names = self._names
        said = self._said([each for at, each in enumerate(self._found) if at not in but])
        return [p for p in predicates if said.has(names.iri(v.TYPE if p == _A else p))]

    def wishes(self, predicates: Sequence[str]) -> dict[str, list[ProviderQuestion]]:
        """Return the wanted facts of each predicate of which not all are wanted."""
        found = plain(self._found, self._term)
        about, wishes = abouts(found.patterns), defaultdict[str, list[ProviderQuestion]](list)
        for subject, predicate, _ in found.patterns:
            is_named = predicate in _OF_STATEMENTS and not is_variable(subject)
            place = subject if is_named else None
            wishes[predicate].append(ProviderQuestion(place, predicate, None, about.get(subject)))
        unread = self.mentioned(predicates, found.read)
        few = {each: gathered(wishes[each]) for each in predicates if each not in unread}
        return {each: wanted for each, wanted in few.items() if len(wanted) <= _MOST}

    def _said(self, found: list[Token]) -> _Said:
        said, reifies = _Said(), self._names.iri(v.REIFIES)
        for token in found:
            for iri in self._iris(token):
                _add_iri(said, iri)
            if token.text in _REIFIED:
                said.whole.add(reifies)
        if any((a.text, b.text) == _BRACES for a, b in pairwise(found)):
            said.whole.add(reifies)
        if reifies in said.whole:
            said.whole.update(self._names.iri(part) for part in PARTS)
        return said

    def _iris(self, token: Token) -> list[str]:
        """Return the IRIs that a token may name."""
        if token.kind == "iri":
            return [token.text[1:-1]]
        if token.kind == "name":
            prefix, _, name = token.text.partition(":")
            local = _SIGN.sub(r"\1", name)
            return [start + local for start in self._prefixes.get(prefix, ())]
        return [self._names.iri(v.TYPE)] if token.text == _A else []

    def _term(self, token: Token) -> str | None:
        """Return the term that a token names; None if that is uncertain."""
        iris = self._iris(token)
        is_sure = len(iris) == 1 and _ABSOLUTE.match(iris[0])
        return self._names.of_iri(iris[0]) if is_sure else None


def _declared(found: list[Token]) -> Iterator[tuple[str, str]]:
    """Yield the prefixes that a query declares; an update may declare one more than once."""
    for word, name, iri in zip(found, found[1:], found[2:], strict=False):
        if word.word == "PREFIX" and name.kind == "name" and iri.kind == "iri":
            yield name.text[:-1], iri.text[1:-1]


def _add_iri(said: _Said, iri: str) -> None:
    if _ABSOLUTE.match(iri):
        said.whole.add(iri)
    elif end := _UPWARDS.sub("", iri, count=1) if _UPWARDS.match(iri) else iri:
        said.ends.add(end)


def _letter(escape: re.Match[str]) -> str:
    number = int(escape[1] or escape[2], 16)
    return chr(number) if number <= _LAST_LETTER else ""


def mentioned_models(text: str, models: Iterable[str], names: Names) -> list[str]:
    """Return those of some models whose graphs a query may read; possibly too many.

    >>> mentioned_models("ASK { GRAPH model:sally { ?x ?p ?y } }", ["myself", "sally"], Names())
    ['sally']
    >>> mentioned_models("ASK { GRAPH ?g { ?x ?p ?y } }", ["myself", "sally"], Names())
    ['myself', 'sally']
    """
    if _visits_any(text):
        return list(models)
    start = names.prefixes["model"]
    found = mentioned(text, [f"<{start}{model}>" for model in models], names)
    return [term[1 + len(start) : -1] for term in found]


def _visits_any(text: str) -> bool:
    """Whether a query may read any graph: it has `GRAPH ?g` and no FROM."""
    found = list(tokens(text))
    visits = any(a.word == "GRAPH" and b.kind == "variable" for a, b in pairwise(found))
    return visits and all(token.word != "FROM" for token in found)
