"""Which graphs a question is asked of: those of the request, else of its FROM, else the model's."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pyoxigraph as ox

from kb_server.sparql.errors import BadQuery, OutOfReach, Refused, bad_query
from kb_server.sparql.limits import checked
from kb_server.sparql.replica import Facts, Graph, Replica
from kb_server.sparql.settings import Limits
from kb_server.sparql.tokens import Token

__all__ = ["Question", "answering", "check_reach", "nodes", "reached", "resolved"]

Found = ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples


@dataclass(frozen=True, slots=True)
class Question:
    """A query with its dataset; `default` and `named` as the protocol gives them, or None.

    `reach` are the models that the asker may read, with those in them; None is all.
    """

    text: str
    model: str
    inferred: bool = True
    default: Sequence[str] | None = None
    named: Sequence[str] | None = None
    base: str | None = None
    reach: Sequence[str] | None = None


@contextmanager
def answering(replica: Replica, asked: Question, limits: Limits) -> Iterator[Found]:
    """The library's answer, to be written while this holds."""
    found = checked(asked.text, limits)
    facts = replica.facts(asked.inferred)
    default, named = _dataset(replica, facts, asked, found)
    graphs = facts.seen_from(replica.model_graph(asked.model)) if default is None else default
    with facts.merged([] if default is None else graphs) as merged:
        yield _ask(replica, facts, asked, graphs if default is None else merged, named)


def _ask(
    replica: Replica, facts: Facts, asked: Question, default: list[Graph], named: list[Graph]
) -> Found:
    kept: Any = {"default_graph": default, "named_graphs": named}
    prefixes = dict(replica.names.prefixes)
    try:
        return facts.store.query(asked.text, base_iri=asked.base, prefixes=prefixes, **kept)
    except SyntaxError as reason:
        raise bad_query(reason) from None


def _dataset(
    replica: Replica, facts: Facts, asked: Question, found: Sequence[Token]
) -> tuple[list[Graph] | None, list[Graph]]:
    """The default graphs, None for the model's own, and the named ones."""
    if asked.default is not None or asked.named is not None:
        default, named = nodes(asked.default or ()), nodes(asked.named or ())
    else:
        default, named = _from(replica, asked, found)
    if not default and not named:
        needed = any(token.word == "GRAPH" for token in found)
        return None, reached(replica, facts.named(), asked.reach) if needed else []
    for graph in (*default, *named):
        check_reach(replica, graph, asked.reach)
        _check_inside(replica, facts, graph)
    return default, named


def nodes(iris: Sequence[str]) -> list[Graph]:
    """Graphs by their IRIs; BadQuery for what is none."""
    try:
        return [ox.NamedNode(iri) for iri in iris]
    except ValueError as reason:
        raise BadQuery(f"a graph is named by an IRI: {reason}"[:500]) from None


def check_reach(replica: Replica, graph: Graph, reach: Sequence[str] | None) -> None:
    """OutOfReach for the graph of a model that may not be read."""
    if graph not in reached(replica, [graph], reach):
        raise OutOfReach(f"<{graph.value}> is not yours to read", graph=graph.value)


def reached(replica: Replica, graphs: Sequence[Graph], reach: Sequence[str] | None) -> list[Graph]:
    """Those of some graphs that may be read: all but models that are neither named nor in one."""
    if reach is None:
        return list(graphs)
    models = replica.names.prefixes["model"]
    starts = tuple(f"{models}{model}." for model in reach)
    return [g for g in graphs if not g.value.startswith(models) or f"{g.value}.".startswith(starts)]


def _check_inside(replica: Replica, facts: Facts, graph: Graph) -> None:
    known = graph.value.startswith(replica.names.prefixes["model"])
    if not known and graph not in facts.named():
        raise Refused(f"the graph <{graph.value}> is not in the store", graph=graph.value)


def _from(
    replica: Replica, asked: Question, found: Sequence[Token]
) -> tuple[list[Graph], list[Graph]]:
    default: list[Graph] = []
    named: list[Graph] = []
    for i, token in enumerate(found[:-2]):
        if token.word == "FROM":
            is_named = found[i + 1].word == "NAMED"
            name = found[i + 2 if is_named else i + 1]
            if name.kind not in ("iri", "name"):
                raise BadQuery(f"FROM names a graph, not {name.text[:80]!r}")
            (named if is_named else default).append(_resolve(replica, asked, found, name.text))
    return default, named


def _resolve(replica: Replica, asked: Question, found: Sequence[Token], name: str) -> Graph:
    form = next((t for t in found if t.word in ("SELECT", "ASK", "CONSTRUCT", "DESCRIBE")), None)
    prologue = asked.text[: form.start] if form else ""
    try:
        return ox.NamedNode(resolved(prologue, name, asked.base, replica))
    except SyntaxError as reason:
        raise bad_query(reason) from None


def resolved(prologue: str, name: str, base: str | None, replica: Replica) -> str:
    """The IRI that a name stands for after a prologue."""
    found = ox.Store().query(
        f"{prologue} SELECT ({name} AS ?g) {{}}",
        base_iri=base,
        prefixes=dict(replica.names.prefixes),
    )
    assert isinstance(found, ox.QuerySolutions)
    value = next(iter(found))["g"]
    assert isinstance(value, ox.NamedNode)
    return value.value
