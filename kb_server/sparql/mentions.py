"""Which predicates a query mentions, so that who computes them can be asked before it is.

Names are resolved as the query would: by its prefixes and those that are known, escapes undone. Of
an IRI that is relative only its end counts, whatever the base: better one too many than too few.

Who asks about a statement, `<< oro:ball oro:isIn oro:box >>` or with `{| … |}` behind it, mentions
the parts that it has.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from kb_server.core.terms import Names
from kb_server.sparql.reified import PARTS
from kb_server.sparql.tokens import Token, tokens
from ontology import vocabulary as v

__all__ = ["MOST_MODELS", "mentioned", "mentioned_models"]

MOST_MODELS: Final = 20
"""Of more models nobody is asked for one query: a provider answers for each within its second."""
_A: Final = "a"
_REIFIED: Final = ("<<", "~")
_BRACES: Final = ("{", "|")
"""How a statement is spoken about: as a term, by its name, or in braces of its own behind it."""
_LETTER: Final = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")
_SIGN: Final = re.compile(r"\\(.)")
_ABSOLUTE: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_UPWARDS: Final = re.compile(r"(?:\.{0,2}/)+")
_LAST_LETTER: Final = 0x10FFFF


@dataclass(frozen=True, slots=True)
class _Said:
    """What a query names: whole IRIs, and the ends of those that are relative."""

    whole: set[str] = field(default_factory=set)
    ends: set[str] = field(default_factory=set)

    def has(self, iri: str) -> bool:
        return iri in self.whole or any(iri.endswith(end) for end in self.ends)


def mentioned(text: str, predicates: Iterable[str], names: Names) -> list[str]:
    """Those of some predicates that a query names, whatever its prefixes are.

    >>> mentioned("ASK { ?x oro:isAtLeftOf ?y }", ["isAtLeftOf", "isBehind"], Names())
    ['isAtLeftOf']
    """
    offered = list(predicates)
    if not offered:
        return offered
    said = _said(text, names)
    return [p for p in offered if said.has(names.iri(v.TYPE if p == _A else p))]


def _said(text: str, names: Names) -> _Said:
    said, reifies = _Said(), names.iri(v.REIFIES)
    found = list(tokens(_LETTER.sub(_letter, text)))
    prefixes = {prefix: {iri} for prefix, iri in names.prefixes.items()}
    for one, other in _declared(found):
        prefixes.setdefault(one, set()).add(other)
    for token in found:
        if token.kind == "iri":
            _add_iri(said, token.text[1:-1])
        elif token.kind == "name":
            prefix, _, name = token.text.partition(":")
            local = _SIGN.sub(r"\1", name)
            for start in prefixes.get(prefix, ()):
                _add_iri(said, start + local)
        elif token.text == _A:
            said.whole.add(names.iri(v.TYPE))
        elif token.text in _REIFIED:
            said.whole.add(reifies)
    if any((a.text, b.text) == _BRACES for a, b in pairwise(found)):
        said.whole.add(reifies)
    if reifies in said.whole:
        said.whole.update(names.iri(part) for part in PARTS)
    return said


def _declared(found: list[Token]) -> Iterator[tuple[str, str]]:
    """The prefixes that a query declares; one may be declared more than once in an update."""
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
    """Those of some models whose graphs may be meant in a query; rather too many.

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
    """Whether a query visits whatever graphs there are: by `GRAPH ?g`, without FROM NAMED."""
    found = list(tokens(text))
    visits = any(a.word == "GRAPH" and b.kind == "variable" for a, b in pairwise(found))
    return visits and all(token.word != "FROM" for token in found)
