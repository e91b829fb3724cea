"""What is meant to hang, crash or rob the server is refused in time, while others are served."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import httpx
import pytest

from tests.service.servers import Server, Servers, started_servers
from tests.sparql_protocol.requests import asked, code, revise, rows, update

N = 20_000
XML, JSON_LD = "application/rdf+xml", "application/ld+json"
TURTLE, LINES = "text/turtle", "application/n-triples"
CHEAP = "SELECT ?o { oro:ball oro:isIn ?o }"
MOMENT = 2.0
"""Seconds: what takes longer is seen to hold nobody up."""


@pytest.fixture(scope="module")
def busy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with some thousand facts, which gives a query five seconds."""
    folder = tmp_path_factory.mktemp("hostile")
    (folder / "settings.toml").write_text("[sparql]\ntime_limit = 5.0\n")
    with started_servers(folder) as made:
        server = made.start("--settings", str(folder / "settings.toml"), keeps=False)
        with httpx.Client(base_url=server.url, timeout=60) as web:
            revise(web, add=["ball isIn box", "sally a Human"])
            for part in range(5):
                lines = [f"thing_{part}_{n} sees thing_{part}_{n // 2}" for n in range(800)]
                revise(web, "sally", add=[*lines, f'thing_{part}_0 rdfs:label "{"a" * 3000}"'])
        yield server


@contextmanager
def others_are_served(server: Server) -> Iterator[None]:
    """Another client asks and changes all the while, and need not wait for the end of it."""
    ended, answers = threading.Event(), 0

    def ask() -> None:
        nonlocal answers
        with httpx.Client(base_url=server.url, timeout=30) as other:
            while True:
                assert rows(other, CHEAP) == [{"o": "box"}]
                assert other.post("/models/sally/revise", json={"add": ["a b c"]}).is_success
                answers += 1
                if ended.wait(0.02):
                    return

    thread = threading.Thread(target=ask)
    start = time.perf_counter()
    thread.start()
    try:
        yield
        was_long, meanwhile = time.perf_counter() - start > MOMENT, answers
    finally:
        ended.set()
        thread.join()
    assert answers
    assert meanwhile or not was_long


CROSS = "?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l"
QUERIES = {
    "parentheses": f"ASK {{ FILTER ({'(' * N}1{')' * N}) }}",
    "groups": f"ASK {'{' * N}{'}' * N}",
    "unions": "ASK { " + "{ ?s ?p ?o } UNION " * N + "{ ?s ?p ?o } }",
    "optionals": "ASK { " + "OPTIONAL { ?s ?p ?o } " * N + "}",
    "patterns": "ASK { " + "?s ?p ?o . " * N + "}",
    "not": f"ASK {{ FILTER ({'!' * N} true) }}",
    "negative": f"ASK {{ FILTER ({'-' * N}1 = 1) }}",
    "path brackets": f"ASK {{ ?s {'(' * N}oro:p{')' * N} ?o }}",
    "collection": f"ASK {{ ?s ?p {'(' * N}{')' * N} }}",
    "quoted": "ASK { " + "<< ?s ?p " * N + "1" + " >>" * N + " ?p ?o }",
    "cross product": f"SELECT (COUNT(*) AS ?n) {{ GRAPH ?x {{ {CROSS} }} }}",
    "sorted": f"SELECT * {{ GRAPH ?x {{ {CROSS} }} }} ORDER BY ?f ?c LIMIT 1",
    "distinct": f"SELECT DISTINCT * {{ GRAPH ?x {{ {CROSS} }} }}",
    "large answer": "SELECT * { GRAPH ?x { ?a ?b ?c . ?d ?e ?f } }",
    "concatenation": "SELECT (STRLEN(GROUP_CONCAT(CONCAT(STR(?a), STR(?f)))) AS ?n) "
    "{ GRAPH ?x { ?a ?b ?c . ?d ?e ?f } }",
    "paths": "SELECT (COUNT(*) AS ?n) { GRAPH ?x { ?a (!oro:x)* ?b . ?b (!oro:y)* ?c . "
    "?c (!oro:z)* ?d . ?d (!oro:w)* ?e } }",
    "regex": "SELECT (COUNT(*) AS ?n) { GRAPH ?x { ?s rdfs:label ?l . ?a ?b ?c . ?d ?e ?f } "
    'FILTER regex(CONCAT(?l, STR(?d), STR(?a)), "^(([a-z])+.)+[A-Z]([a-z])+$") }',
    "regex size": 'ASK { FILTER regex("a", "((a{1,1000}){1,1000}){1,1000}") }',
    "service": "SELECT * { SERVICE <%s> { ?s ?p ?o } }",
    "silent service": "SELECT * { SERVICE SILENT <%s> { ?s ?p ?o } }",
    "from": "SELECT * FROM <%s> { ?s ?p ?o }",
    "from named": "SELECT * FROM NAMED <%s> { GRAPH ?g { ?s ?p ?o } }",
}
HARMLESS = {"regex size"}


@contextmanager
def listening() -> Iterator[tuple[str, socket.socket]]:
    """An address on this machine where a call would be noticed."""
    with socket.create_server(("127.0.0.1", 0)) as ear:
        ear.settimeout(0)
        yield f"http://127.0.0.1:{ear.getsockname()[1]}/x", ear


def nobody_called(ear: socket.socket) -> None:
    """Nobody has connected."""
    with pytest.raises(BlockingIOError):
        ear.accept()


@pytest.mark.parametrize("name", QUERIES)
def test_hostile_queries(busy: Server, name: str) -> None:
    """A hostile query is an error within its time, reaches nobody, and others are served."""
    with (
        listening() as (address, ear),
        httpx.Client(base_url=busy.url, timeout=60) as web,
        others_are_served(busy),
    ):
        answered = web.post("/sparql", data={"query": QUERIES[name].replace("%s", address)})
        nobody_called(ear)
    if name not in HARMLESS or not answered.is_success:
        assert answered.status_code in (400, 503), answered.text[:200]
        assert code(answered)


UPDATES = {
    "load": "LOAD <%s>",
    "silent load": "LOAD SILENT <%s> INTO GRAPH <urn:x>",
    "groups": f"INSERT {{ oro:a oro:b oro:c }} WHERE {'{' * N}{'}' * N}",
    "service": "INSERT { ?s ?p ?o } WHERE { SERVICE <%s> { ?s ?p ?o } }",
    "cross product": f"INSERT {{ ?a ?e ?i }} WHERE {{ GRAPH ?x {{ {CROSS} }} }}",
    "too many": "INSERT { ?a ?e ?f } WHERE { GRAPH ?x { ?a ?b ?c . ?d ?e ?f } }",
}


@pytest.mark.parametrize("name", UPDATES)
def test_hostile_updates(busy: Server, name: str) -> None:
    """A hostile update is an error within its time, changes nothing, and others are served."""
    with (
        listening() as (address, ear),
        httpx.Client(base_url=busy.url, timeout=60) as web,
        others_are_served(busy),
    ):
        answered = update(web, UPDATES[name].replace("%s", address))
        nobody_called(ear)
        assert answered.status_code in (400, 503), answered.text[:200]
        assert code(answered)
        assert rows(web, CHEAP) == [{"o": "box"}]


def tower(depth: int = 9) -> str:
    """An XML text of entities that stand for ten of the one before."""
    entities = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, depth))
    return (
        f'<!DOCTYPE x [<!ENTITY a0 "aaaaaaaaaa">{entities}]>'
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
        f"<rdf:Description rdf:about='a:a'><rdf:value>&a{depth - 1};</rdf:value>"
        "</rdf:Description></rdf:RDF>"
    )


RDF = '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="e:">'
DEEP_XML = "<rdf:Description><e:p>" * 50_000 + "</e:p></rdf:Description>" * 50_000
LEANING = ",".join(f'"t{n}": "t{n + 1}:x"' for n in range(100_000))
QUOTED = "<<( <a:a> <a:b> " * N + "1" + " )>>" * N
GRAPHS: dict[str, tuple[str, str | bytes]] = {
    "entities": (XML, tower()),
    "file entity": (XML, tower().replace('a0 "aaaaaaaaaa"', 'a0 SYSTEM "file:///etc/passwd"')),
    "deep xml": (XML, f"{RDF}{DEEP_XML}</rdf:RDF>"),
    "quoted": (TURTLE, f"<a:a> <a:b> {QUOTED} ."),
    "quoted lines": (LINES, "<a:a> <a:b> " + "<<( <a:a> <a:b> " * 100_000),
    "deep json": (JSON_LD, '{"a:b":' * 100_000 + "1" + "}" * 100_000),
    "remote context": (JSON_LD, '{"@context": "%s", "@id": "a:a", "a:b": 1}'),
    "nested context": (
        JSON_LD,
        '{"@context": {"x": {"@id": "a:b", "@context": "%s"}}, "@id": "a:a", "x": {"a:c": 1}}',
    ),
    "leaning context": (JSON_LD, f'{{"@context": {{{LEANING}}}, "@id": "a:a", "t0": 1}}'),
    "half a letter": (TURTLE, b'<a:a> <a:b> "\xc3" .'),
    "too many": (LINES, "".join(f"<a:{n}> <a:b> <a:c> .\n" for n in range(100_001))),
}


@pytest.mark.parametrize("name", GRAPHS)
def test_hostile_graphs(busy: Server, name: str) -> None:
    """A hostile RDF text is an error within its time, fetches nothing, and others are served."""
    kind, text = GRAPHS[name]
    with (
        listening() as (address, ear),
        httpx.Client(base_url=busy.url, timeout=60) as web,
        others_are_served(busy),
    ):
        data = text if isinstance(text, bytes) else text.replace("%s", address).encode()
        answered = web.put(
            "/graphs", params={"graph": "urn:h"}, content=data, headers={"content-type": kind}
        )
        nobody_called(ear)
        assert answered.status_code in (400, 503), answered.text[:200]
        assert code(answered)
        assert web.get("/graphs", params={"graph": "urn:h"}).status_code == 404


def test_a_body_that_is_too_large(busy: Server) -> None:
    """A body of 100 MB is refused before it is read, while others are served."""
    parts = urlsplit(busy.url)
    with others_are_served(busy), socket.create_connection((parts.hostname, parts.port)) as line:
        line.sendall(
            b"POST /update HTTP/1.1\r\nHost: localhost\r\n"
            b"Content-Type: application/sparql-update\r\nContent-Length: 100000000\r\n\r\n"
        )
        line.settimeout(5)
        assert line.recv(1024).startswith(b"HTTP/1.1 413")


def test_half_letters_are_no_query(busy: Server) -> None:
    """A query that ends in the middle of a letter is a bad request, in each way to send one."""
    with httpx.Client(base_url=busy.url, timeout=60) as web:
        for kind, body in (
            ("application/sparql-query", b"ASK {} # \xc3"),
            ("application/x-www-form-urlencoded", b"query=ASK%20%7B%7D%20%23%C3"),
        ):
            answered = web.post("/sparql", content=body, headers={"content-type": kind})
            assert (answered.status_code, code(answered)) == (400, "bad_request")


def test_costly_updates_hold_nobody_up(servers: Servers) -> None:
    """While one client's update takes its five seconds, another's changes are made."""
    server = servers.start(keeps=False)
    with httpx.Client(base_url=server.url, timeout=60) as web:
        revise(web, add=["ball isIn box", "sally a Human"])
        revise(web, add=[f"t{n} sees t{n // 2}" for n in range(800)])
        with others_are_served(server):
            answered = update(web, UPDATES["cross product"])
        assert (answered.status_code, code(answered)) == (503, "too_costly")
        assert asked(web, "ASK {}").json()["boolean"]
