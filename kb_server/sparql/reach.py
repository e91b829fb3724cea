"""What an asker may read who is limited to some models: which graphs, named in what ways.

A graph of a model out of reach that a text names is refused; one that it might come upon, as
`GRAPH ?g` does, is not there. The dataset is cut to what is in reach all the same, so a name that
the tokens don't show (spelt in escapes, hidden in what looks like a string) shows nothing either.
"""

from collections.abc import Iterable, Sequence
from typing import Final

import pyoxigraph as ox

from kb_server.core.terms.terms import Names
from kb_server.sparql.errors import OutOfReach
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
"""The models that may be read, with those in them; None is all."""
_OPENING: Final = frozenset("{([")
_CLOSING: Final = frozenset("})]")
_QUIET: Final = frozenset(("{", "}", ".", "OPTIONAL", "UNION", "MINUS", "NOT", "EXISTS", "WHERE"))
_HEADS: Final = frozenset(("SELECT", "ASK", "GROUP", "HAVING", "ORDER", "LIMIT", "OFFSET"))
"""What begins a part of a query that has no patterns: it ends where a group begins or ends."""


def reached(names: Names, graphs: Iterable[ox.NamedNode], reach: Reach) -> list[ox.NamedNode]:
    """Those of some graphs that may be read: all but models that are neither named nor in one."""
    if reach is None:
        return list(graphs)
    models = names.prefixes["model"]
    starts = tuple(f"{models}{model}." for model in reach)
    return [g for g in graphs if not g.value.startswith(models) or f"{g.value}.".startswith(starts)]


def check_reach(names: Names, graphs: Iterable[ox.NamedNode], reach: Reach) -> None:
    """OutOfReach for the graph of a model that may not be read."""
    for graph in graphs:
        if not reached(names, [graph], reach):
            raise OutOfReach(f"<{graph.value}> is out of your reach", graph=graph.value)


def check_written(names: Names, graph: ox.NamedNode, reach: Reach) -> None:
    """OutOfReach for a graph that may not be written: only models in reach may, where any is."""
    check_reach(names, [graph], reach)
    if reach is not None and not graph.value.startswith(names.prefixes["model"]):
        raise OutOfReach(
            f"<{graph.value}> is no model's, and you may write in yours only", graph=graph.value
        )


def check_default(names: Names, model: ox.NamedNode, reach: Reach) -> None:
    """OutOfReach when what is meant where no graph is named is a model that may not be read."""
    if not reached(names, [model], reach):
        raise OutOfReach(
            f"where no graph is named <{model.value}> is meant, which is out of your reach; name "
            "yours by GRAPH or by model=",
            graph=model.value,
        )


def reads_default(found: Sequence[Token]) -> bool:
    """Whether a pattern of a query or of a WHERE may read the default graph.

    That is: not all of them stand in GRAPH. What isn't plain to see counts as reading it.
    """
    place = 0
    while place < len(found):
        after = _behind_quiet(found, place)
        if after is None:
            return True
        place = after
    return False


def _behind_quiet(found: Sequence[Token], place: int) -> int | None:
    """Where something ends that reads no default graph; None when it may."""
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
    """Behind an expression in parentheses, a function's name before it or not; NOT EXISTS is none.

    One with a group in it, as EXISTS has, may read anything.
    """
    start = next((i for i in (place, place + 1) if found[i : i + 1] and found[i].word == "("), None)
    if start is None:
        return place
    end = _end(found, start)
    return None if any(token.word == "{" for token in found[start:end]) else end


def _next(found: Sequence[Token], place: int, words: Sequence[str]) -> int:
    """Where the next of some words stands, or the end."""
    return next((i for i in range(place, len(found)) if found[i].word in words), len(found))


def _end(found: Sequence[Token], place: int) -> int:
    """Behind the bracket that closes the one at a place."""
    depth = 0
    for i in range(place, len(found)):
        depth += (found[i].word in _OPENING) - (found[i].word in _CLOSING)
        if depth <= 0:
            return i + 1
    return len(found)
