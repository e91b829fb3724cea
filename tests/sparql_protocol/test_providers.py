"""Facts that another process computes are there for a query that mentions them."""

import json
import threading

import httpx
from websockets.sync.client import connect

from tests.service.servers import Server
from tests.sparql_protocol.requests import asked, revise, rows


def test_told_facts_are_united_with_stored_ones(server: Server, web: httpx.Client) -> None:
    """A query is answered with what providers tell beside what is stored, by whatever prefix."""
    revise(web, add=["a1 isBeyond b1", "a1 a Ball"])
    with connect(server.events_url) as socket:
        socket.send(json.dumps({"id": "p", "op": "provide", "predicates": ["isBeyond"]}))
        assert json.loads(socket.recv())["ok"]

        def tell() -> None:
            ask = json.loads(socket.recv())
            socket.send(json.dumps({"op": "told", "ask": ask["ask"], "facts": ["a1 isBeyond b2"]}))

        teller = threading.Thread(target=tell)
        teller.start()
        query = (
            "PREFIX k: <http://kb.openrobots.org#isBe> "
            "SELECT ?x { oro:a1 a oro:Ball ; k:yond ?x } ORDER BY ?x"
        )
        assert rows(web, query) == [{"x": "b1"}, {"x": "b2"}]
        teller.join()
        late = asked(web, "ASK { oro:a1 oro:isBeyond ?x }")
        assert late.status_code == 504
    assert rows(web, "SELECT ?x { oro:a1 oro:isBeyond ?x }") == [{"x": "b1"}]


def test_providers_are_asked_of_every_model_that_a_query_names(
    server: Server, web: httpx.Client
) -> None:
    """What is told of a mind is in its graph, however the query reaches it."""
    web.put("/models/sally")
    with connect(server.events_url) as socket:
        socket.send(json.dumps({"id": "p", "op": "provide", "predicates": ["isBeyond"]}))
        assert json.loads(socket.recv())["ok"]
        asked_of: list[str] = []

        def tell() -> None:
            while len(asked_of) < 3:
                ask = json.loads(socket.recv())
                if "ask" not in ask:
                    continue  # the answer to what was told
                asked_of.append(ask["model"])
                facts = ["a1 isBeyond b2"] if ask["model"] == "sally" else []
                socket.send(json.dumps({"op": "told", "ask": ask["ask"], "facts": facts}))

        teller = threading.Thread(target=tell)
        teller.start()
        for query in (
            "SELECT ?x { GRAPH model:sally { oro:a1 oro:isBeyond ?x } }",
            "SELECT ?x FROM model:sally { oro:a1 oro:isBeyond ?x }",
            "SELECT ?x { GRAPH ?g { oro:a1 oro:isBeyond ?x } FILTER (?g = model:sally) }",
        ):
            assert rows(web, query) == [{"x": "b2"}]
        teller.join()
    assert sorted(asked_of) == ["sally", "sally", "sally"]
