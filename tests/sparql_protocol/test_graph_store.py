"""The Graph Store HTTP Protocol: the cases of its sections 4 and 5, and whole models as graphs."""

import httpx
import pytest
from rdflib import Graph

from tests.sparql_protocol.requests import MODEL, code, revise, rows

TEXTS = {
    "text/turtle": "<urn:s> <urn:p> 1 .",
    "application/n-triples": '<urn:s> <urn:p> "1"^^<http://www.w3.org/2001/XMLSchema#integer> .',
    "application/ld+json": '{"@id": "urn:s", "urn:p": 1}',
    "application/rdf+xml": '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" '
    'xmlns:u="urn:"><rdf:Description rdf:about="urn:s"><u:p rdf:datatype='
    '"http://www.w3.org/2001/XMLSchema#integer">1</u:p></rdf:Description></rdf:RDF>',
}
PREFIX = "@prefix : <http://kb.openrobots.org#> ."
TURTLE = {"content-type": "text/turtle"}


def put(web: httpx.Client, graph: str, text: str, method: str = "PUT") -> int:
    """The status of a graph sent as Turtle."""
    answered = web.request(method, "/graphs", params={"graph": graph}, content=text, headers=TURTLE)
    return answered.status_code


def triples(web: httpx.Client, graph: str) -> int:
    """How many triples a graph has."""
    answered = web.get("/graphs", params={"graph": graph}, headers={"accept": "text/turtle"})
    assert answered.status_code == 200, answered.text
    return len(Graph().parse(data=answered.text, format="turtle"))


def test_the_life_of_a_graph(web: httpx.Client) -> None:
    """PUT makes and replaces, POST adds, DELETE takes away, each with the status of the tables."""
    graph = "urn:life"
    assert web.get("/graphs", params={"graph": graph}).status_code == 404
    assert web.delete("/graphs", params={"graph": graph}).status_code == 404
    assert put(web, graph, "<urn:s> <urn:p> 1, 2 .") == 201
    assert put(web, graph, "<urn:s> <urn:p> 3 .") == 204
    assert triples(web, graph) == 1
    assert put(web, graph, "<urn:s> <urn:p> 4 .", "POST") == 204
    assert triples(web, graph) == 2
    assert web.delete("/graphs", params={"graph": graph}).status_code == 204
    assert web.get("/graphs", params={"graph": graph}).status_code == 404
    assert put(web, graph, "<urn:s> <urn:p> 4 .", "POST") == 201


def test_an_empty_graph_is_there(web: httpx.Client) -> None:
    """A graph that is put with nothing in it can be read, and is nothing to a query."""
    assert put(web, "urn:empty", "") == 201
    assert triples(web, "urn:empty") == 0
    assert put(web, "urn:empty", "") == 204
    assert rows(web, "SELECT ?s { GRAPH <urn:empty> { ?s ?p ?o } }") == []


def test_a_graph_without_a_name_gets_one(web: httpx.Client) -> None:
    """POST to the store itself makes a graph and says where it is."""
    made = web.post("/graphs", content="<urn:s> <urn:p> 1 .", headers=TURTLE)
    assert made.status_code == 201
    assert web.get(made.headers["location"]).text.strip()


def test_head_is_get_without_a_body(web: httpx.Client) -> None:
    """HEAD has the status and the headers of GET."""
    put(web, "urn:head", "<urn:s> <urn:p> 1 .")
    got, head = (web.request(m, "/graphs", params={"graph": "urn:head"}) for m in ("GET", "HEAD"))
    assert head.content == b""
    assert head.headers["content-length"] == got.headers["content-length"]
    assert head.headers["content-type"] == got.headers["content-type"]
    assert web.head("/graphs", params={"graph": "urn:no"}).status_code == 404


@pytest.mark.parametrize("kind", TEXTS)
def test_media_types_both_ways(web: httpx.Client, kind: str) -> None:
    """A graph is read and written in each media type."""
    place = {"graph": f"urn:kind:{kind}"}
    headers = {"content-type": f"{kind}; charset=utf-8"}
    made = web.put("/graphs", params=place, content=TEXTS[kind], headers=headers)
    assert made.status_code == 201, made.text
    assert rows(web, f"SELECT ?o {{ GRAPH <{place['graph']}> {{ <urn:s> <urn:p> ?o }} }}") == [
        {"o": "1"}
    ]
    got = web.get("/graphs", params=place, headers={"accept": kind})
    assert got.headers["content-type"].partition(";")[0] == kind
    again = web.post("/graphs", params=place, content=got.content, headers={"content-type": kind})
    assert again.status_code == 204
    assert triples(web, place["graph"]) == 1


BAD = [
    ("GET", {}, {}, "", 400),
    ("GET", {"graph": "urn:x", "default": ""}, {}, "", 400),
    ("GET", {"graph": ["urn:x", "urn:y"]}, {}, "", 400),
    ("GET", {"graph": "relative"}, {}, "", 400),
    ("GET", {"graph": MODEL + "nobody"}, {}, "", 404),
    ("GET", {"default": "", "model": "nobody"}, {}, "", 404),
    ("GET", {"default": ""}, {"accept": "text/csv"}, "", 406),
    ("PUT", {}, TURTLE, "", 400),
    ("PUT", {"graph": "urn:bad"}, TURTLE, "no turtle", 400),
    ("PUT", {"graph": "urn:bad"}, {"content-type": "application/rdf+xml"}, "<a:a> <a:b> 1 .", 400),
    ("PUT", {"graph": "urn:bad"}, {"content-type": "text/csv"}, "a,b", 415),
    ("PUT", {"graph": "urn:bad"}, {}, "<a:a> <a:b> 1 .", 415),
    ("PUT", {"graph": "urn:bad"}, {**TURTLE, "content-encoding": "gzip"}, "x", 415),
    ("PUT", {"graph": "http://kb.openrobots.org"}, TURTLE, "<a:a> <a:b> 1 .", 400),
    ("POST", {"graph": MODEL + "nobody"}, TURTLE, "<a:a> <a:b> 1 .", 404),
    ("DELETE", {"graph": MODEL + "nobody"}, {}, "", 404),
    ("DELETE", {"graph": "http://kb.openrobots.org"}, {}, "", 400),
    ("PATCH", {"graph": "urn:bad"}, {"content-type": "application/sparql-update"}, "", 405),
]


@pytest.mark.parametrize(("method", "params", "headers", "text", "status"), BAD)
def test_bad_requests(
    web: httpx.Client,
    method: str,
    params: dict[str, str],
    headers: dict[str, str],
    text: str,
    status: int,
) -> None:
    """What can't be done to a graph is refused with its status, and nothing changes."""
    answered = web.request(method, "/graphs", params=params, headers=headers, content=text)
    assert answered.status_code == status, answered.text
    assert code(answered)
    assert web.get("/graphs", params={"graph": "urn:bad"}).status_code == 404


def test_the_graph_of_a_model(web: httpx.Client) -> None:
    """PUT to a model's graph replaces its assertions in one delta; what follows shows in it."""
    graph = MODEL + "joe"
    assert put(web, graph, f"{PREFIX} :a :isIn :b . :c :isIn :d .") == 201
    before = revise(web, "joe")["seq"]
    assert put(web, graph, f"{PREFIX} :a :isIn :b, :e .") == 204
    history = web.get("/models/joe/history", params={"since": str(before + 1)}).json()["history"]
    assert {line["seq"] for line in history} == {before + 1}
    assert {"a isIn e", "c isIn d"} <= {line["fact"] for line in history}
    assert "a isIn b" not in {line["fact"] for line in history}
    shown = web.get("/graphs", params={"graph": graph}).text
    assert "isAt" in shown
    plain = web.get("/graphs", params={"graph": graph, "inferred": "false"}).text
    assert "isIn" in plain
    assert "isAt" not in plain
    assert web.delete("/graphs", params={"graph": graph}).status_code == 204
    assert triples(web, graph) == 0
    assert web.get("/models").text.count('"joe"') == 1


def test_the_default_graph(web: httpx.Client) -> None:
    """`default` with `model` is that model's facts with the common sense; writing asserts."""
    place = {"default": "", "model": "kit"}
    web.put("/models/kit")
    text = f"{PREFIX} :a :isIn :b ."
    assert web.post("/graphs", params=place, content=text, headers=TURTLE).status_code == 204
    shown = web.get("/graphs", params=place).text
    assert "subClassOf" in shown
    assert rows(web, "SELECT ?x { oro:a oro:isAt ?x }", model="kit") == [{"x": "b"}]


def test_a_refused_graph_makes_no_model(web: httpx.Client) -> None:
    """A model whose first graph is refused is not there."""
    chain = "".join(f"<urn:n{i}> :p <urn:n{i + 1}> . " for i in range(1500))
    text = (
        "@prefix : <http://kb.openrobots.org#> . "
        "@prefix owl: <http://www.w3.org/2002/07/owl#> . "
        f":p a owl:TransitiveProperty . {chain}"
    )
    assert put(web, MODEL + "lou", text) == 503
    assert web.get("/graphs", params={"graph": MODEL + "lou"}).status_code == 404
