"""Benchmarks of SPARQL over HTTP, against a bare route, Oxigraph itself, and rdflib."""

import json
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from io import BytesIO
from typing import Final

import pyoxigraph as ox
import rdflib

from benchmarks.measures import Figure, Measure
from benchmarks.scenes import board_with, common_sense, facts_of_a_room
from kb_server.core.models.board import Board
from kb_server.sparql.dataset import answering
from kb_server.sparql.protocol import SparqlQuery
from kb_server.sparql.replica import COMMON_GRAPH, Replica
from kb_server.sparql.replica_frames import holdings_of
from kb_server.sparql.settings import Limits

__all__ = ["MEASURES", "selecting"]

_FACTS: Final = 20_000
_ROUNDS: Final = 400
_BATCH: Final = 5_000
_SPARE: Final = 0.0003
_READY: Final = re.compile(r"ready at http://127\.0\.0\.1:(\d+)")
_ONE: Final = "SELECT ?where { oro:thing77 oro:isOn ?where }"
_JOIN: Final = (
    "SELECT ?a ?b ?where { ?a oro:isOn ?where ; oro:hasColor oro:red ; a oro:Cup . "
    "?b oro:isOn ?where ; oro:hasColor oro:blue ; a oro:Book ; oro:isInFieldOfView true }"
)
_HEADERS: Final = {"content-type": "application/sparql-query"}


def selecting() -> list[Figure]:
    """A query for one fact, and a join of seven patterns, over 20 000 facts."""
    common = common_sense()
    facts = facts_of_a_room(_FACTS, common)
    replica = _replica(board_with(facts, common))
    with _server("kb_server", "serve", "--port", "0", "--data", ":memory:") as ours:
        for start in range(0, len(facts), _BATCH):
            batch = [list(fact) for fact in facts[start : start + _BATCH]]
            _post(ours, "/models/myself/revise", json.dumps({"add": batch}).encode(), {})
        with _server("benchmarks.bare") as bare:
            one, join = (_compared(ours, bare, replica, query) for query in (_ONE, _JOIN))
            mine = _median(_asking(ours, _JOIN), 50)
    peer = _median(_by_rdflib(replica, _JOIN), 5)
    return [
        _within("SPARQL query of one fact over HTTP", *one),
        _within("SPARQL join of seven patterns over HTTP", *join),
        Figure(
            "SPARQL join of seven patterns, against rdflib",
            _shown(mine),
            f"rdflib {_shown(peer)}",
            peer / mine,
            "≥ 10× faster",
            peer / mine >= 10,
        ),
    ]


def _compared(
    ours: HTTPConnection, bare: HTTPConnection, replica: Replica, query: str
) -> tuple[float, float, float]:
    """Median times of the board, a bare route with the same bytes, and Oxigraph, in alternation."""
    size = len(_post(ours, "/sparql", query.encode(), _HEADERS))
    acts = (
        _asking(ours, query),
        lambda: _post(bare, f"/{size}", query.encode(), _HEADERS),
        lambda: _by_oxigraph(replica, query),
    )
    takes: list[list[float]] = [[], [], []]
    for _ in range(_ROUNDS):
        for taken, act in zip(takes, acts, strict=True):
            taken.append(_timed(act))
    first, second, third = map(statistics.median, takes)
    return first, second, third


def _within(name: str, ours: float, bare: float, engine: float) -> Figure:
    allowed = bare + 1.5 * engine + _SPARE
    against = f"bare {_shown(bare)}, Oxigraph {_shown(engine)}"
    return Figure(
        name,
        _shown(ours),
        against,
        ours / allowed,
        "≤ bare + 1.5× Oxigraph + 0.3 ms",
        ours <= allowed,
    )


def _asking(server: HTTPConnection, query: str) -> Callable[[], bytes]:
    return lambda: _post(server, "/sparql", query.encode(), _HEADERS)


def _by_oxigraph(replica: Replica, query: str) -> None:
    """Oxigraph's own query and serialisation, on the facts of a worker."""
    facts = replica.holding
    found = facts.store.query(
        query,
        prefixes=dict(replica.names.prefixes),
        default_graph=[*facts.seen_from(replica.model_graph("myself"))],
    )
    assert isinstance(found, ox.QuerySolutions)
    found.serialize(BytesIO(), ox.QueryResultsFormat.JSON)


def _by_rdflib(replica: Replica, query: str) -> Callable[[], object]:
    """rdflib on the same facts."""
    graph = rdflib.Graph()
    for name in (replica.model_graph("myself"), ox.NamedNode(COMMON_GRAPH)):
        lines = "".join(f"{t} .\n" for t in replica.holding.triples(name))
        graph.parse(data=lines, format="nt")
    names = {n: rdflib.Namespace(iri) for n, iri in replica.names.prefixes.items()}
    with answering(replica, SparqlQuery(query, "myself"), Limits()) as found:
        assert isinstance(found, ox.QuerySolutions)
        expected = sum(1 for _ in found)
    assert len(graph.query(query, initNs=names)) == expected
    return lambda: list(graph.query(query, initNs=names))


def _replica(board: Board) -> Replica:
    """The replica that a worker has of a board."""
    replica = Replica(board.names.prefixes)
    replica.put(ox.NamedNode(COMMON_GRAPH), board.common.reasoner.everything())
    for model in holdings_of(board).models:
        replica.follow(model.id, became_true=model.asserted, asserted=model.asserted)
        replica.follow(model.id, became_true=model.inferred)
    return replica


@contextmanager
def _server(*words: str) -> Iterator[HTTPConnection]:
    """Runs a server in its own process, and returns a connection to it."""
    line = [sys.executable, "-m", *words]
    with subprocess.Popen(line, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            said = _READY.search(process.stdout.readline())
            assert said is not None
            with closing(HTTPConnection("127.0.0.1", int(said[1]))) as connection:
                yield connection
        finally:
            process.terminate()


def _post(server: HTTPConnection, path: str, body: bytes, headers: dict[str, str]) -> bytes:
    server.request("POST", path, body, headers or {"content-type": "application/json"})
    answer = server.getresponse()
    text = answer.read()
    assert answer.status == 200, text[:500]
    return text


def _median(act: Callable[[], object], rounds: int) -> float:
    return statistics.median(_timed(act) for _ in range(rounds))


def _timed(act: Callable[[], object]) -> float:
    start = time.perf_counter()
    act()
    return time.perf_counter() - start


def _shown(seconds: float) -> str:
    return f"{seconds * 1e6:.0f} µs" if seconds < 0.001 else f"{seconds * 1e3:.2f} ms"


MEASURES: Final[Sequence[Measure]] = (selecting,)
