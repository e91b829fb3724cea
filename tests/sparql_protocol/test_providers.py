"""Facts that another process computes are there for a query that mentions them."""

import json
import threading
from collections.abc import Mapping

import httpx
from websockets.sync.client import ClientConnection, connect

from tests.service.servers import Server, Servers
from tests.sparql_protocol.requests import MODEL, asked, code, revise, rows


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
    """What is told of a mind is in its graph, however the query reaches it; no other is asked."""
    web.put("/models/sally")
    with connect(server.events_url) as socket:
        teller = _Teller(socket, {"sally": ["a1 isBeyond b2"]})
        for query in (
            "SELECT ?x { GRAPH model:sally { oro:a1 oro:isBeyond ?x } }",
            "SELECT ?x FROM model:sally { oro:a1 oro:isBeyond ?x }",
            "SELECT ?x FROM NAMED model:sally { GRAPH ?g { oro:a1 oro:isBeyond ?x } }",
        ):
            assert rows(web, query) == [{"x": "b2"}]
        visits = "SELECT ?x { GRAPH ?g { oro:a1 oro:isBeyond ?x } }"
        assert rows(web, visits, **{"named-graph-uri": MODEL + "sally"}) == [{"x": "b2"}]
    assert teller.asked_of() == ["sally"] * 4


def test_providers_are_asked_of_all_models_that_a_query_visits(servers: Servers) -> None:
    """`GRAPH ?g` finds what is told of any mind, without its being named; too many are refused."""
    server = servers.start(keeps=False)
    query = "SELECT ?g ?x { GRAPH ?g { oro:a1 oro:isBeyond ?x } }"
    with (
        httpx.Client(base_url=server.url, timeout=60) as web,
        connect(server.events_url) as socket,
    ):
        for model in ("anne", "sally"):
            web.put(f"/models/{model}")
        teller = _Teller(socket, {"anne": ["a1 isBeyond b3"], "sally": ["a1 isBeyond b2"]})
        found = sorted((row["g"].removeprefix(MODEL), row["x"]) for row in rows(web, query))
        assert found == [("anne", "b3"), ("sally", "b2")]
        for number in range(20):
            web.put(f"/models/m{number}")
        refused = asked(web, query)
        assert (refused.status_code, code(refused)) == (413, "too_large")
    assert sorted(teller.asked_of()) == ["anne", "myself", "sally"]


class _Teller:
    """Who computes `isBeyond`, and tells so much of each model, until its socket is closed."""

    def __init__(self, socket: ClientConnection, facts: Mapping[str, list[str]]) -> None:
        self._socket = socket
        self._facts = facts
        self._asked: list[str] = []
        socket.send(json.dumps({"id": "p", "op": "provide", "predicates": ["isBeyond"]}))
        assert json.loads(socket.recv())["ok"]
        self._thread = threading.Thread(target=self._tell)
        self._thread.start()

    def asked_of(self) -> list[str]:
        """The models of which it was asked, when the socket is closed."""
        self._thread.join()
        return self._asked

    def _tell(self) -> None:
        for text in self._socket:
            ask = json.loads(text)
            if "ask" in ask:  # and not the answer to what was told
                self._asked.append(ask["model"])
                facts = self._facts.get(ask["model"], [])
                told = {"op": "told", "ask": ask["ask"], "facts": facts}
                self._socket.send(json.dumps(told))
