"""What an asker may read: whether a text reads the graph that is meant where none is named."""

import pyoxigraph as ox
import pytest

from kb_server.core.terms.terms import Names
from kb_server.errors import Forbidden
from kb_server.sparql.graph_access import check_default, check_reach, reached, reads_default
from kb_server.sparql.tokens import tokens

MODEL = "http://kb.openrobots.org/model/"
NOT_READING = [
    "ASK {}",
    "SELECT * WHERE { GRAPH ?g { ?s ?p ?o } }",
    "SELECT (COUNT(*) AS ?n) { GRAPH <urn:g> { ?s ?p ?o } } GROUP BY ?g HAVING (?n > 0) LIMIT 3",
    "SELECT DISTINCT ?s { GRAPH ?g { ?s ?p ?o } } ORDER BY DESC(?s) OFFSET 1 VALUES ?s { <urn:a> }",
    "ASK { { GRAPH ?g { ?s ?p ?o } } UNION { GRAPH ?g { ?o ?p ?s { SELECT * { ?s ?p ?o } } } } }",
    "ASK { GRAPH ?g { ?s ?p ?o } MINUS { GRAPH <urn:g> { ?s ?p 9 } } . FILTER (?o > 0) }",
    'ASK { OPTIONAL { GRAPH ?g { ?s ?p ?o } } FILTER regex(STR(?s), "{ ?s ?p ?o }") }',
    "ASK { GRAPH ?g { ?s ?p ?o } BIND (STR(?o) AS ?t) VALUES (?p ?q) { (<urn:p> 1) } }",
    "ASK { FILTER NOT EXISTS { GRAPH ?g { ?s ?p 9 } } FILTER EXISTS { GRAPH ?g { ?s ?p 1 } } }",
    "ASK { { SELECT ?s { GRAPH ?g { ?s ?p ?o } } ORDER BY ?s } GRAPH ?g { ?s ?p ?o } }",
    "CONSTRUCT { ?s ?p ?o } WHERE { GRAPH ?g { ?s ?p ?o } }",
    "ASK { GRAPH ?g { ?s ?p ?o FILTER EXISTS { ?s <urn:p> 1 } } }",
]
READING = [
    "ASK { ?s ?p ?o }",
    "ASK { GRAPH ?g { ?a ?b ?c } ?s ?p ?o }",
    "ASK { GRAPH ?g { ?a ?b ?c } { OPTIONAL { [] ?p ?o } } }",
    "SELECT * { { SELECT ?s { GRAPH ?g { ?s ?p ?o } } ORDER BY ?s } ?s ?p ?o }",
    "SELECT (EXISTS { ?s ?p ?o } AS ?e) {}",
    "ASK { FILTER (EXISTS { ?s ?p ?o }) }",
    "ASK { FILTER (1 = 1 && NOT EXISTS { ?s ?p ?o }) }",
    "ASK { BIND (EXISTS { ?s ?p ?o } AS ?e) FILTER (?e) }",
    "ASK { FILTER EXISTS { ?s ?p ?o } }",
    "SELECT (COUNT(*) AS ?n) {} HAVING (EXISTS { ?s ?p ?o })",
    "SELECT * {} ORDER BY (EXISTS { ?s ?p ?o })",
    "CONSTRUCT WHERE { ?s ?p ?o }",
    "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }",
    "DESCRIBE <urn:a>",
    "ASK { (1 2) ?p ?o }",
    "ASK { VALUES ?s { <urn:a> } ?s ?p ?o }",
    "ASK { <urn:a> (<urn:p>|<urn:q>)* ?o }",
]


def answer(query: str, *default: ox.NamedNode) -> str:
    """What a store answers, with some default graphs; `g` is named."""
    store = ox.Store()
    for n, graph in enumerate("dg"):
        fact = (ox.NamedNode("urn:a"), ox.NamedNode("urn:p"), ox.Literal(n))
        store.add(ox.Quad(*fact, ox.NamedNode(f"urn:{graph}")))
    graphs: list[ox.NamedNode | ox.BlankNode] = [ox.NamedNode("urn:g")]
    found = store.query(query, default_graph=list(default), named_graphs=graphs)
    return str(found) if isinstance(found, ox.QueryBoolean) else repr(sorted(map(str, found)))


@pytest.mark.parametrize("query", NOT_READING)
def test_what_does_not_read_the_default_graph(query: str) -> None:
    """Where all patterns stand in GRAPH the default graph isn't read, nor makes a difference."""
    assert not reads_default(list(tokens(query)))
    assert answer(query) == answer(query, ox.NamedNode("urn:d"))


@pytest.mark.parametrize("query", READING)
def test_what_may_read_the_default_graph(query: str) -> None:
    """A pattern that stands in no GRAPH is seen wherever it is."""
    assert reads_default(list(tokens(query)))
    ox.Store().query(query)


def test_models_in_reach() -> None:
    """A model is in reach with those in it; other graphs always are; the rest is refused."""
    graphs = [ox.NamedNode(i) for i in (MODEL + "ida", MODEL + "ida.joe", MODEL + "idaho", "urn:g")]
    assert reached(Names(), graphs, None) == graphs
    assert reached(Names(), graphs, ["ida"]) == [graphs[0], graphs[1], graphs[3]]
    with pytest.raises(Forbidden, match="idaho"):
        check_reach(Names(), graphs, ["ida"])
    with pytest.raises(Forbidden, match="model="):
        check_default(Names(), graphs[2], ["ida"])
