"""Which predicates a query mentions, so that who computes them can be asked before it is."""

from collections.abc import Iterable
from itertools import pairwise
from typing import Final

from kb_server.core.terms import Names
from kb_server.sparql.tokens import NAMES, tokens

__all__ = ["MOST_MODELS", "mentioned", "mentioned_models"]

MOST_MODELS: Final = 20
"""Of more models nobody is asked for one query: a provider answers for each within its second."""


def mentioned(text: str, predicates: Iterable[str], names: Names) -> list[str]:
    """Those of some predicates that may be meant by a name in a query, whatever its prefixes are.

    Rather one too many than one too few: a text with escapes may mean any of them.

    >>> mentioned("ASK { ?x oro:isAtLeftOf ?y }", ["isAtLeftOf", "isBehind"], Names())
    ['isAtLeftOf']
    """
    offered = list(predicates)
    if not offered or "\\" in text or "%" in text:
        return offered
    said = {token.text for token in tokens(text) if token.kind in NAMES}
    ends = {each.strip("<>").partition(":")[2] if each[0] != "<" else each[1:-1] for each in said}
    return [p for p in offered if any(_ends(names.iri(p), end) for end in ends)]


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


def _ends(iri: str, end: str) -> bool:
    """Whether a local name, or an IRI that may be relative, can be the end of an IRI."""
    return bool(end) and iri.endswith(end)
