"""The update operation: the cases of the SPARQL 1.1 Protocol, section 2.2, and its effects."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlencode

import httpx
import pytest

from tests.service.servers import Server, Servers
from tests.sparql_protocol.requests import MODEL, asked, code, revise, rows, update

FORM = "application/x-www-form-urlencoded"
UPDATE = "application/sparql-update"
INSERT = "INSERT DATA { GRAPH <urn:bad> { <a:a> <a:b> 1 } }"
BAD = [
    ("GET", urlencode({"update": INSERT}), None, b"", 405),
    ("PUT", "", UPDATE, INSERT.encode(), 405),
    ("DELETE", "", None, b"", 405),
    ("POST", "", FORM, urlencode([("update", INSERT), ("update", INSERT)]).encode(), 400),
    ("POST", "", FORM, b"", 400),
    ("POST", "", FORM, urlencode({"query": "ASK {}"}).encode(), 400),
    ("POST", "", FORM, urlencode({"update": INSERT, "query": "ASK {}"}).encode(), 400),
    ("POST", urlencode({"update": INSERT}), UPDATE, INSERT.encode(), 400),
    ("POST", "", "text/plain", INSERT.encode(), 415),
    ("POST", "", "application/sparql-query", b"ASK {}", 415),
    ("POST", "", None, urlencode({"update": INSERT}).encode(), 415),
    ("POST", "", UPDATE, INSERT.encode("utf-16"), 400),
    ("POST", "", UPDATE, "INSERT DATA { <a:a> <a:b> 'é' }".encode("latin-1"), 400),
    ("POST", "", UPDATE, b"INSERT DATA {", 400),
    ("POST", "", UPDATE, b"ASK {}", 400),
    (
        "POST",
        "using-graph-uri=urn:x",
        UPDATE,
        b"DELETE { ?s ?p ?o } USING <urn:y> WHERE { ?s ?p ?o }",
        400,
    ),
    (
        "POST",
        "using-named-graph-uri=urn:x",
        UPDATE,
        b"WITH <urn:y> DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }",
        400,
    ),
    ("POST", "model=nobody", UPDATE, b"INSERT DATA { <a:a> <a:b> 1 }", 404),
    ("POST", "", UPDATE, b"INSERT DATA { GRAPH model:nobody { <a:a> <a:b> 1 } }", 404),
    ("POST", "", UPDATE, b"CREATE GRAPH model:nobody", 400),
    ("POST", "", UPDATE, b"LOAD <http://127.0.0.1:1/x>", 400),
    ("POST", "", UPDATE, b"DROP GRAPH <http://kb.openrobots.org>", 400),
    (
        "POST",
        "",
        UPDATE,
        b"INSERT DATA { GRAPH <http://kb.openrobots.org> { <a:a> <a:b> 1 } }",
        400,
    ),
]


@pytest.mark.parametrize(("method", "params", "kind", "body", "status"), BAD)
def test_bad_requests(
    web: httpx.Client, method: str, params: str, kind: str | None, body: bytes, status: int
) -> None:
    """What is no update operation is refused with its status, and nothing changes."""
    headers = {} if kind is None else {"content-type": kind}
    answered = web.request(method, f"/update?{params}", content=body, headers=headers)
    assert answered.status_code == status, answered.text
    assert code(answered)
    assert not asked(web, "ASK { GRAPH <urn:bad> { ?s ?p ?o } }").json()["boolean"]


@pytest.mark.parametrize("way", ["form", "direct"])
def test_each_way_updates(web: httpx.Client, way: str) -> None:
    """An update comes as a form or as the body itself."""
    text = f"INSERT DATA {{ GRAPH <urn:{way}> {{ <a:a> <a:b> 1 }} }}"
    done = update(web, text) if way == "direct" else web.post("/update", data={"update": text})
    assert done.status_code == 200
    assert asked(web, f"ASK {{ GRAPH <urn:{way}> {{ <a:a> <a:b> 1 }} }}").json()["boolean"]


USING = [
    ({"using-graph-uri": "urn:u1"}, "?s <urn:p> ?o", ["1"]),
    ({"using-graph-uri": ["urn:u1", "urn:u2"]}, "?s <urn:p> ?o", ["1", "2"]),
    ({"using-named-graph-uri": "urn:u1"}, "GRAPH ?g { ?s <urn:p> ?o }", ["1"]),
    ({"using-named-graph-uri": ["urn:u1", "urn:u2"]}, "GRAPH ?g { ?s <urn:p> ?o }", ["1", "2"]),
    (
        {"using-graph-uri": "urn:u1", "using-named-graph-uri": "urn:u2"},
        "{ GRAPH ?g { ?s <urn:p> ?o } } UNION { ?s <urn:p> ?o }",
        ["1", "2"],
    ),
]


@pytest.mark.parametrize(("using", "where", "found"), USING)
def test_using(
    web: httpx.Client, using: dict[str, str | list[str]], where: str, found: list[str]
) -> None:
    """WHERE is asked of the graphs that the protocol names."""
    data = " ".join(f"GRAPH <urn:u{n}> {{ <urn:s> <urn:p> {n} }}" for n in (1, 2, 3))
    update(web, f"DROP SILENT GRAPH <urn:into> ; INSERT DATA {{ {data} }}")
    text = f"INSERT {{ GRAPH <urn:into> {{ <urn:s> <urn:q> ?o }} }} WHERE {{ {where} }}"
    assert update(web, text, **using).status_code == 200
    got = rows(web, "SELECT ?o { GRAPH <urn:into> { ?s <urn:q> ?o } } ORDER BY ?o")
    assert [row["o"] for row in got] == found


def test_relative_names_stand_on_the_address(web: httpx.Client) -> None:
    """Without BASE an IRI is relative to the address of the update."""
    update(web, "INSERT DATA { GRAPH <urn:base> { <here> <urn:p> 1 } }")
    (row,) = rows(web, "SELECT ?s { GRAPH <urn:base> { ?s ?p ?o } }")
    assert row["s"] == str(web.base_url.join("/here"))


def test_an_update_is_a_delta_of_its_model(web: httpx.Client) -> None:
    """What an update asserts is reasoned on, told in the answer and kept in the journal."""
    web.put("/models/cleo")
    said = update(web, "INSERT DATA { oro:cup oro:isIn oro:sink }", model="cleo").json()
    (delta,) = said["deltas"]
    assert delta["model"] == "cleo"
    assert {"cup isIn sink", "cup isAt sink"} <= set(delta["became_true"])
    told = web.get("/models/cleo/history", params={"s": "cup", "p": "isIn"}).json()["history"]
    assert [(line["seq"], line["op"]) for line in told] == [(said["seq"], "became_true")]
    moved = "DELETE { ?x oro:isIn ?y } INSERT { ?x oro:isIn oro:shelf } WHERE { ?x oro:isIn ?y }"
    assert len(update(web, moved, model="cleo").json()["deltas"]) == 1
    assert rows(web, "SELECT ?y { oro:cup oro:isIn ?y }", model="cleo") == [{"y": "shelf"}]


def test_what_changes_nothing_is_no_delta(web: httpx.Client) -> None:
    """An update that changes nothing at all has no delta."""
    before = update(web, "DELETE DATA { oro:none oro:isIn oro:where }").json()
    assert before["deltas"] == []


def test_several_models_at_once(web: httpx.Client) -> None:
    """One update of two models and a plain graph is one delta each, with seqs in a row."""
    for model in ("dan", "eve"):
        web.put(f"/models/{model}")
    text = (
        "INSERT DATA { GRAPH model:dan { oro:key oro:isIn oro:box } "
        "GRAPH model:eve { oro:key oro:isIn oro:bag } GRAPH <urn:with> { <a:a> <a:b> 1 } }"
    )
    said = update(web, text).json()
    assert sorted(delta["model"] for delta in said["deltas"]) == ["dan", "eve"]
    first, second = (delta["seq"] for delta in said["deltas"])
    assert second == first + 1 == said["seq"]


def test_all_models_or_none(web: httpx.Client) -> None:
    """When one model's change is refused, neither the other model nor a plain graph has changed."""
    for model in ("fay", "gus"):
        web.put(f"/models/{model}")
    revise(web, "gus", add=["linksTo a owl:TransitiveProperty"])
    chain = " ".join(f"oro:n{i} oro:linksTo oro:n{i + 1} ." for i in range(1200))
    text = (
        "INSERT DATA { GRAPH model:fay { oro:key oro:isIn oro:box } "
        "GRAPH <urn:none> { <a:a> <a:b> 1 } "
        f"GRAPH model:gus {{ {chain} }} }}"
    )
    refused = update(web, text)
    assert (refused.status_code, code(refused)) == (503, "too_costly")
    assert rows(web, "SELECT ?x { GRAPH model:fay { oro:key oro:isIn ?x } }") == []
    assert not asked(web, "ASK { GRAPH <urn:none> { ?s ?p ?o } }").json()["boolean"]
    assert web.get("/graphs", params={"graph": "urn:none"}).status_code == 404
    assert revise(web, "fay", add=["key isIn box"])["became_true"]


def test_clearing_a_model(web: httpx.Client) -> None:
    """CLEAR and DROP of a model's graph withdraw what it asserts; the model stays."""
    web.put("/models/hal")
    for verb in ("CLEAR", "DROP"):
        revise(web, "hal", add=["pen isIn cup"])
        (delta,) = update(web, f"{verb} GRAPH model:hal").json()["deltas"]
        assert "pen isAt cup" in delta["ceased"]
    assert asked(web, "ASK {}", model="hal").status_code == 200


def test_graphs_that_hold_nothing(servers: Servers) -> None:
    """A graph is there from the update that makes it to the one that drops it, over a kill too."""
    server = servers.start()
    with httpx.Client(base_url=server.url, timeout=30) as web:

        def status(name: str) -> int:
            return web.get("/graphs", params={"graph": f"urn:{name}"}).status_code

        assert update(web, "CREATE GRAPH <urn:a>").is_success
        assert code(update(web, "CREATE GRAPH <urn:a>")) == "refused"
        web.put("/graphs", params={"graph": "urn:b"}, headers={"content-type": "text/turtle"})
        assert code(update(web, "CREATE GRAPH <urn:b>")) == "refused"
        update(web, "INSERT DATA { GRAPH <urn:c> { <a:a> <a:b> 1 } } ; CLEAR GRAPH <urn:c>")
        assert [status(name) for name in "abc"] == [200, 200, 200]
        server.kill()
        server.start()
        assert [status(name) for name in "abc"] == [200, 200, 200]
        assert update(web, "DROP GRAPH <urn:b>").is_success
        refused = update(web, "INSERT DATA { oro:a oro:b 1 } ; DROP GRAPH <urn:b>")
        assert (refused.status_code, code(refused)) == (404, "unknown_graph")
        assert not asked(web, "ASK { oro:a oro:b 1 }").json()["boolean"]
        assert code(update(web, "CLEAR GRAPH model:nobody")) == "unknown_model"
        assert update(web, "CLEAR SILENT GRAPH model:nobody ; DROP ALL").is_success
        assert [status(name) for name in "abc"] == [404, 404, 404]


def test_what_is_kept_of_an_update(servers: Servers) -> None:
    """After SIGKILL an answered update is there, of models and of plain graphs alike."""
    server = servers.start()
    with httpx.Client(base_url=server.url, timeout=30) as web:
        both = "{ oro:a oro:isIn oro:b GRAPH <urn:kept> { <a:a> <a:b> 'é', 1.50 , [] } }"
        assert update(web, f"INSERT DATA {both}").status_code == 200
        assert update(web, "DELETE DATA { GRAPH <urn:kept> { <a:a> <a:b> 1.50 } }").is_success
        server.kill()
        server.start()
        held = rows(web, "SELECT ?o { GRAPH <urn:kept> { ?s ?p ?o } FILTER (!isBlank(?o)) }")
        assert held == [{"o": "é"}]
        assert rows(web, "SELECT ?x { oro:a oro:isIn ?x }") == [{"x": "b"}]
        assert update(web, "DROP GRAPH <urn:kept>").is_success
        server.kill()
        server.start()
        assert web.get("/graphs", params={"graph": "urn:kept"}).status_code == 404


def test_updates_see_each_other(web: httpx.Client) -> None:
    """Two clients that count at the same time count each step once."""
    web.put("/models/max")
    update(web, "INSERT DATA { oro:counter oro:hasCount 0 }", model="max")
    step = (
        "DELETE { ?c oro:hasCount ?n } INSERT { ?c oro:hasCount ?m } "
        "WHERE { ?c oro:hasCount ?n BIND (?n + 1 AS ?m) }"
    )

    def count(_: int) -> int:
        return update(web, step, model="max").status_code

    with ThreadPoolExecutor(4) as clients:
        assert set(clients.map(count, range(40))) == {200}
    assert rows(web, "SELECT ?n { ?c oro:hasCount ?n }", model="max") == [{"n": "40"}]


TOKENS = """
[[tokens]]
name = "reader"
token = "reader-reader-reader"
role = "read"
[[tokens]]
name = "only-ida"
token = "only-ida-only-ida-"
role = "write"
models = ["ida"]
[[tokens]]
name = "admin"
token = "admin-admin-admin-"
role = "admin"
"""


OUT_OF_REACH = (
    "ASK { GRAPH model:myself { ?s ?p ?o } }",
    "ASK { GRAPH model:nobody { ?s ?p ?o } }",
    "ASK { GRAPH ?g { ?s ?p ?o } FILTER NOT EXISTS { GRAPH model:myself { ?s ?p ?o } } }",
    "ASK { OPTIONAL { { SELECT * { GRAPH <http://kb.openrobots.org/model/myself> {} } } } }",
    f"BASE <{MODEL}> ASK {{ GRAPH <myself> {{ ?s ?p ?o }} }}",
    "PREFIX m: <http://kb.openrobots.org/> ASK { GRAPH m:model\\/idaho { ?s ?p ?o } }",
    "ASK FROM model:myself {}",
    "ASK FROM NAMED model:myself {}",
)
NOT_ITS_OWN = (
    "COPY model:myself TO model:ida",
    "ADD model:ida TO GRAPH model:nobody",
    "MOVE SILENT model:nobody TO model:ida",
    "INSERT { ?s ?p ?o } USING model:myself WHERE { ?s ?p ?o }",
    "INSERT { ?s ?p ?o } USING NAMED model:myself WHERE { GRAPH ?g { ?s ?p ?o } }",
    "WITH model:myself INSERT { GRAPH model:ida { ?s ?p ?o } } WHERE { ?s ?p ?o }",
    "INSERT DATA { GRAPH model:myself { oro:x oro:isIn oro:y } }",
    "INSERT { GRAPH model:myself { ?s ?p ?o } } WHERE { ?s oro:neverSaid ?o }",
    "INSERT { ?s ?p ?o } WHERE { GRAPH model:myself { ?s ?p ?o } }",
    "DELETE WHERE { GRAPH model:nobody { ?s ?p ?o } }",
    "CLEAR GRAPH model:nobody",
    "CLEAR ALL",
    "CREATE GRAPH <urn:new>",
    "INSERT DATA { GRAPH <urn:new> { <a:a> <a:b> 1 } }",
    "DELETE { GRAPH <urn:all> { ?s ?p ?o } } WHERE { ?s oro:neverSaid ?o }",
    "INSERT { GRAPH ?g { <a:a> <a:b> 1 } } WHERE { VALUES ?g { <urn:new> } }",
    "WITH <urn:all> DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }",
    "COPY model:ida TO <urn:new>",
    "MOVE <urn:all> TO model:ida",
    "DROP GRAPH <urn:all>",
)


ALL_ITS_OWN = (
    "INSERT DATA { GRAPH model:ida { oro:toy oro:hasColor oro:red } }",
    "DELETE { GRAPH model:ida { ?s oro:hasColor ?o } } INSERT { GRAPH model:ida.joe { ?s ?p ?o } } "
    "WHERE { GRAPH model:ida { ?s ?p ?o OPTIONAL { ?s ?q ?r } } FILTER (isIRI(?o)) "
    "BIND (1 AS ?n) VALUES ?m { 1 2 } FILTER NOT EXISTS { GRAPH ?g { ?s oro:isOn ?x } } }",
    "DELETE WHERE { GRAPH model:ida { ?s oro:hasColor ?o } }",
    "WITH model:ida INSERT { oro:toy oro:hasColor ?o } WHERE { ?s oro:hasColor ?o }",
    "INSERT { GRAPH model:ida { ?s a oro:Seen } } USING model:ida WHERE { ?s oro:isIn ?o }",
    "COPY model:ida TO model:ida.joe; CLEAR GRAPH model:ida.joe; ADD <urn:all> TO model:ida",
    "PREFIX m: <http://kb.openrobots.org/model/> INSERT DATA { GRAPH m:ida.joe { <a:a> <a:b> 1 } }",
)
OF_MYSELF = (
    "INSERT DATA { oro:toy oro:hasColor oro:red }",
    "INSERT { oro:toy oro:hasColor oro:red } USING model:ida WHERE { ?s oro:neverSaid ?o }",
    "INSERT { GRAPH model:ida { ?s ?p ?o } } WHERE { ?s ?p ?o }",
    "INSERT { GRAPH model:ida { ?s ?p ?o } } WHERE { GRAPH model:ida { ?a ?b ?c } ?s ?p ?o }",
    "DELETE { GRAPH model:ida { ?s ?p ?o } } WHERE { GRAPH ?g { ?s ?p ?o } "
    "FILTER (EXISTS { ?s oro:isIn oro:safe }) }",
    "COPY DEFAULT TO model:ida",
    "COPY model:ida TO DEFAULT",
    "CLEAR DEFAULT",
)


def test_a_token_need_not_name_its_model_twice(servers: Servers, tmp_path: Path) -> None:
    """Where all graphs that are touched are named and in reach, `model` need not be; else 403."""
    tokens = tmp_path / "tokens.toml"
    tokens.write_text(TOKENS)
    server = servers.start("--tokens", str(tokens), keeps=False)
    with client_of(server, "admin-admin-admin-") as admin:
        for model in ("ida", "ida.joe"):
            assert admin.put(f"/models/{model}").status_code == 201
        assert update(admin, "INSERT DATA { GRAPH <urn:all> { <a:a> <a:b> 1 } }").is_success
        revise(admin, add=["secret isIn safe"])
        revise(admin, "ida", add=["toy isIn box"])
    with client_of(server, "only-ida-only-ida-") as ida:
        for text in ALL_ITS_OWN:
            answered = update(ida, text)
            assert answered.status_code == 200, (text, answered.text)
            assert {delta["model"] for delta in answered.json()["deltas"]} <= {"ida", "ida.joe"}
        for text in OF_MYSELF:
            assert update(ida, text).status_code == 403, text
            assert update(ida, text, model="myself").status_code == 403, text
        assert rows(ida, "SELECT ?o { GRAPH ?g { oro:toy oro:isIn ?o } }") == [{"o": "box"}]
        assert rows(ida, "SELECT ?o FROM model:ida { oro:toy oro:isIn ?o }") == [{"o": "box"}]
        here = "SELECT ?o { GRAPH model:ida { oro:toy oro:isIn ?o } }"
        assert rows(ida, here, at="2") == [{"o": "box"}]
        assert asked(ida, "ASK { ?s ?p ?o }").status_code == 403
        assert asked(ida, "DESCRIBE oro:secret").status_code == 403
        assert ida.get("/graphs", params={"default": ""}).status_code == 403
        assert ida.get("/graphs", params={"graph": MODEL + "ida"}).status_code == 200


def client_of(server: Server, token: str) -> httpx.Client:
    """A client with a token."""
    headers = {"authorization": f"Bearer {token}"}
    return httpx.Client(base_url=server.url, timeout=30, headers=headers)


def test_tokens_reach_as_far_as_they_say(servers: Servers, tmp_path: Path) -> None:
    """A token reads and changes the models it names, by whatever graph clause, and no others."""
    tokens = tmp_path / "tokens.toml"
    tokens.write_text(TOKENS)
    server = servers.start("--tokens", str(tokens), keeps=False)

    with client_of(server, "admin-admin-admin-") as admin:
        admin.put("/models/ida")
        update(admin, "INSERT DATA { GRAPH <urn:all> { <a:a> <a:b> 1 } }")
        revise(admin, add=["secret isIn safe"])
        revise(admin, "ida", add=["toy isIn box"])
    with client_of(server, "only-ida-only-ida-") as ida:
        every = "SELECT ?o { GRAPH ?g { ?s oro:isIn ?o } }"
        assert rows(ida, every, model="ida") == [{"o": "box"}]
        assert rows(ida, "SELECT ?o { ?s oro:isIn ?o }", model="ida") == [{"o": "box"}]
        assert asked(ida, "ASK { ?s ?p ?o }").status_code == 403
        assert asked(ida, "ASK {}", model="myself").status_code == 403
        assert asked(ida, "ASK {}", **{"named-graph-uri": MODEL + "myself"}).status_code == 403
        for text in OUT_OF_REACH:
            assert asked(ida, text, model="ida").status_code == 403, text
        for text in NOT_ITS_OWN:
            assert update(ida, text, model="ida").status_code == 403, text
        assert rows(ida, "SELECT ?o { GRAPH model:ida { ?s oro:isIn ?o } }", model="ida") == [
            {"o": "box"}
        ]
        copied = "INSERT { ?s oro:isIn ?o } WHERE { GRAPH ?g { ?s oro:isIn ?o } }"
        assert update(ida, copied, model="ida").is_success
        assert not asked(ida, "ASK { ?s oro:isIn oro:safe }", model="ida").json()["boolean"]
        assert ida.put("/graphs", params={"graph": MODEL + "myself"}).status_code == 403
        plain = {"graph": "urn:all"}
        assert ida.get("/graphs", params=plain).status_code == 200
        turtle = {"content-type": "text/turtle"}
        for method in ("PUT", "POST", "DELETE"):
            made = ida.request(method, "/graphs", params=plain, headers=turtle)
            assert (made.status_code, code(made)) == (403, "forbidden")
        assert ida.post("/graphs", headers=turtle).status_code == 403
    with client_of(server, "reader-reader-reader") as reader:
        assert rows(reader, "SELECT ?o { oro:secret oro:isIn ?o }") == [{"o": "safe"}]
        assert update(reader, "INSERT DATA { <a:a> <a:b> 1 }").status_code == 403
        assert reader.delete("/graphs", params={"graph": "urn:x"}).status_code == 403
