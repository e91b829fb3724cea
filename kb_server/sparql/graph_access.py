"""The graphs that a client limited to some models may read or write.

- A query that names a graph out of reach is refused (Forbidden).
- A query that could come across one, as `GRAPH ?g` does, does not see it.

In both cases the dataset holds only the graphs in reach. So a name that the tokens do not reveal,
for example one spelt with escapes, reads nothing.
"""

from collections.abc import Iterable, Sequence
from typing import Final

import pyoxigraph as ox

from kb_server.core.terms.terms import Names
from kb_server.errors import Forbidden
from kb_server.sparql.tokens import Token

__all__ = [
    "Reach",
    "check_default",
    "check_reach",
    "check_written",
    "reached",
    "reads_default",
]

Reach = Sequence[str] | None
"""The models that may be read, with those nested in them; None stands for all."""
_OPENING: Final = frozenset("{([")
_CLOSING: Final = frozenset("})]")
_QUIET: Final = frozenset(("{", "}", ".", "OPTIONAL", "UNION", "MINUS", "NOT", "EXISTS", "WHERE"))
_HEADS: Final = frozenset(("SELECT", "ASK", "GROUP", "HAVING", "ORDER", "LIMIT", "OFFSET"))
"""The words that begin a part of a query without patterns; a brace ends that part."""


def reached(names: Names, graphs: Iterable[ox.NamedNode], reach: Reach) -> list[ox.NamedNode]:
    """Return the graphs in reach: all that are no model's, and those of the models in reach."""
    if reach is None:
        return list(graphs)
    models = names.prefixes["model"]
    starts = tuple(f"{models}{model}." for model in reach)
    return [g for g in graphs if not g.value.startswith(models) or f"{g.value}.".startswith(starts)]


def check_reach(names: Names, graphs: Iterable[ox.NamedNode], reach: Reach) -> None:
    """Raise Forbidden if one of the graphs is out of reach."""
    for graph in graphs:
        if not reached(names, [graph], reach):
            raise Forbidden(f"<{graph.value}> is out of your reach", graph=graph.value)


def check_written(names: Names, graph: ox.NamedNode, reach: Reach) -> None:
    """Raise Forbidden for a graph that may not be written.

    A client with a limited reach may write the models in it and no other graph.
    """
    check_reach(names, [graph], reach)
    if reach is not None and not graph.value.startswith(names.prefixes["model"]):
        raise Forbidden(
            f"<{graph.value}> is no model, and your token may only write models", graph=graph.value
        )


def check_default(names: Names, model: ox.NamedNode, reach: Reach) -> None:
    """Raise Forbidden if the default graph is that of a model out of reach."""
    if not reached(names, [model], reach):
        raise Forbidden(
            f"the default graph is <{model.value}>, which is out of your reach; name one of your "
            "models by GRAPH or by model=",
            graph=model.value,
        )


def reads_default(found: Sequence[Token]) -> bool:
    """Whether a pattern of a query or of a WHERE may read the default graph.

    False only if all patterns are certain to be inside GRAPH.
    """
    place = 0
    while place < len(found):
        after = _behind_quiet(found, place)
        if after is None:
            return True
        place = after
    return False


def _behind_quiet(found: Sequence[Token], place: int) -> int | None:
    """Return the end of a part that does not read the default graph; None if it may read it."""
    word = found[place].word
    if word == "GRAPH":
        return _end(found, place + 2)
    if word == "VALUES":
        return _end(found, _next(found, place, ("{",)))
    if word == "CONSTRUCT":
        is_short = place + 1 < len(found) and found[place + 1].word != "{"
        return place + 1 if is_short else _end(found, place + 1)
    if word in _HEADS:
        return _next(found, place, ("{", "}", "VALUES"))
    if word in ("FILTER", "BIND"):
        return _behind_expression(found, place + 1)
    return place + 1 if word in _QUIET else None


def _behind_expression(found: Sequence[Token], place: int) -> int | None:
    """Return the place after an expression in parentheses, with or without a function's name.

    Return None for an expression with a group in it, such as EXISTS, which may read anything.
    NOT EXISTS without parentheses is no expression: then the place itself is returned.
    """
    start = next((i for i in (place, place + 1) if found[i : i + 1] and found[i].word == "("), None)
    if start is None:
        return place
    end = _end(found, start)
    return None if any(token.word == "{" for token in found[start:end]) else end


def _next(found: Sequence[Token], place: int, words: Sequence[str]) -> int:
    """Return the place of the next of some words, or the end."""
    return next((i for i in range(place, len(found)) if found[i].word in words), len(found))


def _end(found: Sequence[Token], place: int) -> int:
    """Return the place after the bracket that closes the one at `place`."""
    depth = 0
    for i in range(place, len(found)):
        depth += (found[i].word in _OPENING) - (found[i].word in _CLOSING)
        if depth <= 0:
            return i + 1
    return len(found)
