"""The query operation: the cases of the SPARQL 1.1 Protocol, sections 2.1 and 2.1.1 to 2.1.7."""

from urllib.parse import urlencode
from xml.etree import ElementTree

import httpx
import pytest
from rdflib import Graph, Variable

from tests.sparql_protocol.requests import JSON, MODEL, asked, code, revise, rows, update

FORM = "application/x-www-form-urlencoded"
QUERY = "application/sparql-query"
ASK = "ASK {}"
ONE, TWO, THREE = (f"http://data.example/{n}" for n in "123")
BOTH = "ASK { GRAPH ?a { ?x <urn:p> 1 } GRAPH ?b { ?y <urn:p> 2 } FILTER (?a != ?b) }"


@pytest.fixture(autouse=True)
def graphs(web: httpx.Client) -> None:
    """Three graphs of plain storage."""
    parts = (f"GRAPH <{g}> {{ <urn:s> <urn:p> {n} }}" for n, g in enumerate((ONE, TWO, THREE), 1))
    assert update(web, f"INSERT DATA {{ {' '.join(parts)} }}").status_code == 200


def sent(web: httpx.Client, way: str, query: str, **says: str | list[str]) -> httpx.Response:
    """A query in each of the three ways of the protocol."""
    if way == "get":
        return web.get("/sparql", params={"query": query, **says})
    if way == "form":
        return web.post("/sparql", data={"query": query, **says})
    headers = {"content-type": QUERY}
    return web.post("/sparql", content=query, params=says, headers=headers)


WAYS = pytest.mark.parametrize("way", ["get", "form", "direct"])


@WAYS
def test_each_way_answers_the_same(web: httpx.Client, way: str) -> None:
    """A query by GET, as a form and as the body itself has one answer."""
    answered = sent(web, way, ASK)
    assert answered.status_code == 200
    assert answered.headers["content-type"] == JSON
    assert answered.json()["boolean"] is True


@WAYS
@pytest.mark.parametrize(
    ("dataset", "query"),
    [
        ({"default-graph-uri": ONE}, "ASK { ?x <urn:p> 1 FILTER NOT EXISTS { ?y <urn:p> 2 } }"),
        ({"default-graph-uri": [ONE, TWO]}, "ASK { ?x <urn:p> 1 . ?y <urn:p> 2 }"),
        ({"named-graph-uri": ONE}, f"ASK {{ GRAPH <{ONE}> {{ ?x <urn:p> 1 }} }}"),
        ({"named-graph-uri": [ONE, TWO]}, BOTH),
        ({"named-graph-uri": [ONE, TWO]}, "ASK { FILTER NOT EXISTS { ?s ?p ?o } }"),
        (
            {"default-graph-uri": THREE, "named-graph-uri": [ONE, TWO]},
            BOTH.replace("ASK {", "ASK { ?z <urn:p> 3 "),
        ),
        (
            {"default-graph-uri": ONE},
            f"ASK FROM <{TWO}> {{ ?x <urn:p> 1 FILTER NOT EXISTS {{ ?y <urn:p> 2 }} }}",
        ),
    ],
)
def test_datasets(
    web: httpx.Client, way: str, dataset: dict[str, str | list[str]], query: str
) -> None:
    """The dataset of the protocol is the one asked, whichever way it comes; FROM gives way."""
    answered = sent(web, way, query, **dataset)
    assert answered.status_code == 200, answered.text
    assert answered.json()["boolean"] is True


BAD = [
    ("GET", "model=myself", None, b"", 400),
    ("GET", urlencode({"query": ASK, "model": "nobody"}), None, b"", 404),
    ("GET", urlencode([("query", ASK), ("query", ASK)]), None, b"", 400),
    ("GET", urlencode({"query": "ASK {"}), None, b"", 400),
    ("GET", urlencode({"query": "ASK { ?x ?y ?z FILTER(<urn:f>(?x)) }"}), None, b"", 400),
    ("GET", urlencode({"query": "INSERT DATA { <a:a> <a:b> 1 }"}), None, b"", 400),
    ("GET", urlencode({"update": "CLEAR ALL"}), None, b"", 400),
    ("GET", urlencode({"query": ASK, "update": "CLEAR ALL"}), None, b"", 400),
    ("GET", "query=%C3", None, b"", 400),
    ("GET", urlencode({"query": ASK, "inferred": "perhaps"}), None, b"", 400),
    ("GET", urlencode({"query": ASK, "at": "soon"}), None, b"", 400),
    ("GET", urlencode({"query": ASK, "at": "999999999"}), None, b"", 400),
    ("GET", urlencode({"query": ASK, "default-graph-uri": "no iri"}), None, b"", 400),
    ("GET", urlencode({"query": ASK, "default-graph-uri": "http://else.example/"}), None, b"", 400),
    ("GET", urlencode({"query": ASK, "default-graph-uri": MODEL + "nobody"}), None, b"", 404),
    ("POST", "", FORM, urlencode([("query", ASK), ("query", ASK)]).encode(), 400),
    ("POST", "", FORM, b"", 400),
    ("POST", "", FORM, urlencode({"query": ASK, "update": "CLEAR ALL"}).encode(), 400),
    ("POST", urlencode({"query": ASK}), FORM, urlencode({"query": ASK}).encode(), 400),
    ("POST", urlencode({"query": ASK}), QUERY, ASK.encode(), 400),
    ("POST", "", QUERY, "ASK { ?s ?p 'é' }".encode("latin-1"), 400),
    ("POST", "", QUERY, ASK.encode("utf-16"), 400),
    ("POST", "", QUERY + "; charset=utf-16", ASK.encode("utf-16"), 415),
    ("POST", "", "text/plain", ASK.encode(), 415),
    ("POST", "", "application/sparql-update", b"CLEAR ALL", 415),
    ("POST", "", None, urlencode({"query": ASK}).encode(), 415),
    ("POST", "", None, ASK.encode(), 415),
    ("PUT", urlencode({"query": ASK}), None, b"", 405),
    ("DELETE", urlencode({"query": ASK}), None, b"", 405),
    ("PATCH", urlencode({"query": ASK}), None, b"", 405),
]


@pytest.mark.parametrize(("method", "params", "kind", "body", "status"), BAD)
def test_bad_requests(
    web: httpx.Client, method: str, params: str, kind: str | None, body: bytes, status: int
) -> None:
    """What is no query operation is refused with its status and the one error body."""
    headers = {} if kind is None else {"content-type": kind}
    answered = web.request(method, f"/sparql?{params}", content=body, headers=headers)
    assert answered.status_code == status, answered.text
    assert code(answered)


SELECT, CONSTRUCT = "SELECT ?x { VALUES ?x { 1 } }", "CONSTRUCT { <a:a> <a:b> 1 } WHERE {}"
KINDS = [
    (SELECT, None, JSON),
    (SELECT, "*/*", JSON),
    (SELECT, "application/json", JSON),
    (SELECT, "application/sparql-results+xml", "application/sparql-results+xml"),
    (SELECT, "application/xml;q=0.9, text/csv;q=0.5", "application/sparql-results+xml"),
    (SELECT, "text/csv", "text/csv"),
    (SELECT, "text/tab-separated-values", "text/tab-separated-values"),
    (SELECT, "text/*;q=0.5, application/json;q=0.4", "text/csv"),
    (SELECT, f"{JSON};q=0.1, text/csv;q=0.8", "text/csv"),
    (SELECT, "image/png, */*;q=0.1", JSON),
    (SELECT, f"{JSON};q=0, */*", "application/sparql-results+xml"),
    (ASK, "application/sparql-results+xml", "application/sparql-results+xml"),
    (ASK, "text/csv", "text/csv"),
    (CONSTRUCT, None, "text/turtle"),
    (CONSTRUCT, "application/n-triples", "application/n-triples"),
    (CONSTRUCT, "application/rdf+xml", "application/rdf+xml"),
    (CONSTRUCT, "application/ld+json", "application/ld+json"),
    ("DESCRIBE oro:Human", "text/turtle;q=0.4, application/rdf+xml", "application/rdf+xml"),
]


@pytest.mark.parametrize(("query", "accept", "kind"), KINDS)
def test_media_types(web: httpx.Client, query: str, accept: str | None, kind: str) -> None:
    """An answer is written as the client likes best."""
    answered = web.get("/sparql", params={"query": query}, headers={"accept": accept or ""})
    assert answered.status_code == 200, answered.text
    assert answered.headers["content-type"].partition(";")[0] == kind


@pytest.mark.parametrize(
    ("query", "accept"),
    [(SELECT, "image/png"), (SELECT, "text/turtle"), (CONSTRUCT, "text/csv"), (ASK, "*/*;q=0")],
)
def test_what_cannot_be_written_so(web: httpx.Client, query: str, accept: str) -> None:
    """A media type that an answer can't have is 406."""
    answered = web.get("/sparql", params={"query": query}, headers={"accept": accept})
    assert answered.status_code == 406
    assert code(answered) == "not_acceptable"


ROWS, LINES = "application/sparql-results+xml", "application/rdf+xml"
VALUES, TRIPLE = "SELECT ?o { VALUES ?o { %s } }", "CONSTRUCT { <urn:a> <urn:b> %s } {}"
CONTROLS = [f"a{chr(n)}b" for n in (0, 1, 8, 11, 12, 31, 0xFFFE, 0xFFFF)]


def literal(text: str) -> str:
    """A literal in N-Triples, all of it escaped."""
    return '"' + "".join(f"\\u{ord(c):04X}" for c in text) + '"'


@pytest.mark.parametrize("text", CONTROLS)
@pytest.mark.parametrize(("query", "kind"), [(VALUES, ROWS), (TRIPLE, LINES)])
def test_characters_that_xml_lacks(web: httpx.Client, query: str, kind: str, text: str) -> None:
    """What XML can't say is 406 with the media types that can, or comes in one asked for too."""
    says = {"query": query % literal(text)}
    alone = web.get("/sparql", params=says, headers={"accept": kind})
    assert (alone.status_code, code(alone)) == (406, "not_acceptable")
    offered = alone.json()["error"]["detail"]["offered"]
    assert len(offered) == 3
    assert kind not in offered
    assert all(media in alone.json()["error"]["message"] for media in offered)
    for media in offered:
        assert web.get("/sparql", params=says, headers={"accept": media}).status_code == 200
    both = web.get("/sparql", params=says, headers={"accept": f"{kind}, {offered[1]};q=0.1"})
    assert both.headers["content-type"].partition(";")[0] == offered[1]


def test_line_ends_come_back_from_xml(web: httpx.Client) -> None:
    """Every character that XML has reads back from it as it was, a carriage return too."""
    text = "a\rb\r\nc\td\x7f\x85\u2028 <&> ]]>"
    rows_ = web.get(
        "/sparql", params={"query": VALUES % literal(text)}, headers={"accept": ROWS}
    ).content
    assert [e.text for e in ElementTree.fromstring(rows_).iter() if "literal" in e.tag] == [text]
    lines = web.get(
        "/sparql", params={"query": TRIPLE % literal(text)}, headers={"accept": LINES}
    ).content
    assert [str(o) for o in Graph().parse(data=lines, format="xml").objects()] == [text]


@pytest.mark.parametrize("name", ["urn:b/1", "http://kb.openrobots.org#", "urn:b/"])
def test_properties_that_xml_lacks(web: httpx.Client, name: str) -> None:
    """A property whose IRI has no end that is a name is not written as RDF/XML."""
    says = {"query": f"CONSTRUCT {{ <urn:a> <{name}> 1 }} {{}}"}
    answered = web.get("/sparql", params=says, headers={"accept": LINES})
    assert (answered.status_code, code(answered)) == (406, "not_acceptable")


@pytest.mark.parametrize(
    ("accept", "name"), [("text/turtle", "turtle"), ("application/rdf+xml", "xml"), ("", "turtle")]
)
def test_the_service_describes_itself(web: httpx.Client, accept: str, name: str) -> None:
    """Without any parameter `/sparql` says in RDF what it can."""
    answered = web.get("/sparql", headers={"accept": accept})
    assert answered.status_code == 200
    found = Graph().parse(data=answered.text, format=name)
    endpoints = found.query(
        "PREFIX sd: <http://www.w3.org/ns/sparql-service-description#> "
        "SELECT ?e { ?s a sd:Service ; sd:endpoint ?e ; sd:supportedLanguage sd:SPARQL11Update }"
    )
    said = [str(each[Variable("e")]) for each in endpoints.bindings]
    assert said == [str(web.base_url.join("/sparql"))]
    assert web.get("/sparql", headers={"accept": "text/csv"}).status_code == 406


def test_relative_names_stand_on_the_address(web: httpx.Client) -> None:
    """Without BASE an IRI is relative to the address asked."""
    (row,) = rows(web, "SELECT ?x { BIND (<there> AS ?x) }")
    assert row["x"] == str(web.base_url.join("/there"))


def test_foreign_parameters_are_passed_over(web: httpx.Client) -> None:
    """What other clients add to a request does no harm."""
    assert asked(web, ASK, format="json", output="json").status_code == 200


def test_models_of_one_query(web: httpx.Client) -> None:
    """One query asks the model picked and looks into another by GRAPH; inferred facts show."""
    revise(web, add=["ann a Human", "ball isIn box"])
    revise(web, "ann", add=["ball isIn basket"])
    there = "GRAPH model:ann { oro:ball oro:isIn ?there }"
    both = f"SELECT ?here ?there {{ oro:ball oro:isIn ?here {there} }}"
    assert rows(web, both) == [{"here": "box", "there": "basket"}]
    assert rows(web, "SELECT ?x { oro:ball oro:isIn ?x }", model="ann") == [{"x": "basket"}]
    derived = "SELECT ?x { oro:ball oro:isAt ?x }"
    assert rows(web, derived) == [{"x": "box"}]
    assert rows(web, derived, inferred="false") == []
    common = "ASK { oro:Human rdfs:subClassOf oro:Agent }"
    assert asked(web, common, model="ann").json()["boolean"]


def test_a_moment_of_the_past(web: httpx.Client) -> None:
    """`at` asks what held then, what was inferred included, in any model."""
    revise(web, add=["bea a Human"])
    then = revise(web, "bea", add=["mug isIn sink"])["seq"]
    revise(web, "bea", retract=["mug isIn *"], add=["mug isIn shelf"])
    where = "SELECT ?x { oro:mug oro:isAt ?x }"
    assert rows(web, where, model="bea") == [{"x": "shelf"}]
    assert rows(web, where, model="bea", at=str(then)) == [{"x": "sink"}]
    inside = "SELECT ?x { GRAPH model:bea { oro:mug oro:isAt ?x } }"
    assert rows(web, inside, at=str(then)) == [{"x": "sink"}]
    assert asked(web, where, model="bea", at="0").status_code == 404
