"""The dataset of a query: the graphs of the request, else of its FROM, else the model's."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import Final

import pyoxigraph as ox

from kb_server.errors import BadQuery, Refused
from kb_server.sparql.errors import bad_query, engine_asked
from kb_server.sparql.graph_access import check_default, check_reach, reached, reads_default
from kb_server.sparql.limits import checked
from kb_server.sparql.protocol import SparqlQuery
from kb_server.sparql.replica import Graph, Replica, ReplicaStore
from kb_server.sparql.settings import Limits
from kb_server.sparql.tokens import NAMES, Token, tokens

__all__ = ["answering", "may_read_default", "nodes", "resolved"]

_FORMS: Final = ("SELECT", "ASK", "CONSTRUCT", "DESCRIBE")
QueryResult = ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples


@contextmanager
def answering(replica: Replica, asked: SparqlQuery, limits: Limits) -> Iterator[QueryResult]:
    """Give the library's answer; it must be serialised within the block."""
    found = checked(asked.text, limits)
    _check_named(replica, asked, found)
    facts = replica.facts(asked.inferred)
    default, named = _dataset(replica, facts, asked, found)
    graphs = _seen(replica, facts, asked, found) if default is None else default
    with facts.merged([] if default is None else graphs) as merged:
        yield _ask(replica, facts, asked, graphs if default is None else merged, named)


def _seen(
    replica: Replica, facts: ReplicaStore, asked: SparqlQuery, found: Sequence[Token]
) -> list[Graph]:
    """Return the default graphs of a query without a dataset: the model's, as the client sees it.

    If the client may not read the model, there are none, and Forbidden if the query needs one.
    """
    model = replica.model_graph(asked.model)
    if reached(replica.names, [model], asked.reach):
        return facts.seen_from(model)
    if reads_default(found[_form(found) :]):
        check_default(replica.names, model, asked.reach)
    return []


def _ask(
    replica: Replica,
    facts: ReplicaStore,
    asked: SparqlQuery,
    default: list[Graph],
    named: list[Graph],
) -> QueryResult:
    with engine_asked():
        return facts.store.query(
            asked.text,
            base_iri=asked.base,
            prefixes=dict(replica.names.prefixes),
            default_graph=[*default],
            named_graphs=[*named],
        )


def _dataset(
    replica: Replica, facts: ReplicaStore, asked: SparqlQuery, found: Sequence[Token]
) -> tuple[list[Graph] | None, list[Graph]]:
    """Return the default graphs (None for the model's own) and the named graphs."""
    if asked.default is not None or asked.named is not None:
        default, named = nodes(asked.default or ()), nodes(asked.named or ())
    else:
        default, named = _from(replica, asked, found)
    if not default and not named:
        needed = any(token.word == "GRAPH" for token in found)
        return None, reached(replica.names, facts.named(), asked.reach) if needed else []
    check_reach(replica.names, (*default, *named), asked.reach)
    for graph in (*default, *named):
        _check_inside(replica, facts, graph)
    return default, named


def nodes(iris: Sequence[str]) -> list[Graph]:
    """Return graphs by their IRIs; BadQuery if a text is no IRI."""
    try:
        return [ox.NamedNode(iri) for iri in iris]
    except ValueError as reason:
        raise BadQuery(f"the name of a graph must be an IRI: {reason}"[:500]) from None


def _check_named(replica: Replica, asked: SparqlQuery, found: Sequence[Token]) -> None:
    """Raise Forbidden if GRAPH names a model that the client may not read."""
    if asked.reach is not None:
        names = {b.text for a, b in pairwise(found) if a.word == "GRAPH" and b.kind in NAMES}
        graphs = (_resolve(replica, asked, found, name) for name in sorted(names))
        check_reach(replica.names, graphs, asked.reach)


def _check_inside(replica: Replica, facts: ReplicaStore, graph: Graph) -> None:
    known = graph.value.startswith(replica.names.prefixes["model"])
    if not known and graph not in facts.named():
        raise Refused(f"the graph <{graph.value}> is not in the store", graph=graph.value)


def _from(
    replica: Replica, asked: SparqlQuery, found: Sequence[Token]
) -> tuple[list[Graph], list[Graph]]:
    default: list[Graph] = []
    named: list[Graph] = []
    for i, token in enumerate(found[:-2]):
        if token.word == "FROM":
            is_named = found[i + 1].word == "NAMED"
            name = found[i + 2 if is_named else i + 1]
            if name.kind not in NAMES:
                raise BadQuery(f"FROM must be followed by a graph, not by {name.text[:80]!r}")
            (named if is_named else default).append(_resolve(replica, asked, found, name.text))
    return default, named


def may_read_default(text: str) -> bool:
    """Whether a query may read its model's graph outside GRAPH; True if that is uncertain."""
    found = list(tokens(text))
    if "\\" in text:
        return True
    if any(token.word == "FROM" for token in found):
        return False
    return reads_default(found[_form(found) :])


def _resolve(replica: Replica, asked: SparqlQuery, found: Sequence[Token], name: str) -> Graph:
    form = _form(found)
    prologue = asked.text[: found[form].start] if form < len(found) else ""
    try:
        return ox.NamedNode(resolved(prologue, name, asked.base, replica))
    except SyntaxError as reason:
        raise bad_query(reason) from None


def _form(found: Sequence[Token]) -> int:
    """Return the place of SELECT, ASK, CONSTRUCT or DESCRIBE, which ends the prologue."""
    return next((i for i, token in enumerate(found) if token.word in _FORMS), len(found))


def resolved(prologue: str, name: str, base: str | None, replica: Replica) -> str:
    """Return the IRI that a name stands for after a prologue."""
    found = ox.Store().query(
        f"{prologue} SELECT ({name} AS ?g) {{}}",
        base_iri=base,
        prefixes=dict(replica.names.prefixes),
    )
    assert isinstance(found, ox.QuerySolutions)
    value = next(iter(found))["g"]
    assert isinstance(value, ox.NamedNode)
    return value.value
