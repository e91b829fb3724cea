"""A replica holds what the board holds, each fact once."""

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb_server.core.models.board import Board
from kb_server.core.models.model import is_visible
from kb_server.core.terms.statements import Statement
from kb_server.errors import BoardError
from kb_server.sparql.dataset import answering
from kb_server.sparql.protocol import Frames, SparqlQuery
from kb_server.sparql.replica_frames import common_frames, delta_frame, filling_frames, holdings_of
from kb_server.sparql.settings import Limits
from kb_server.sparql.worker import Worker
from ontology.vocabulary import PREFIXES
from tests.models.boards import revise, shipped
from tests.trials import law

_FACTS = st.sampled_from(
    [
        "sally a Human",
        "ball a Ball",
        "box a Box",
        "ball isIn box",
        "ball isOn box",
        "ball isInFieldOfView true",
        "sally looksAt ball",
        "sally pointsAt ball",
        "ball hasWeight 0.30",
        'ball rdfs:label "the ball"@en-GB',
        "Human rdfs:subClassOf Agent",
        "Ball rdfs:subClassOf Artifact",
        "Marble rdfs:subClassOf Ball",
        "opal a Marble",
        "isIn a owl:TransitiveProperty",
        "_:it isIn box",
        "ball <http://example.org/p> <http://example.org/o>",
    ]
)
_STEPS = st.lists(
    st.tuples(st.sampled_from(["myself", "sally"]), st.lists(_FACTS, max_size=4), st.lists(_FACTS)),
    max_size=8,
)
_Quad = tuple[str, Statement]
_ALL = "SELECT ?s ?p ?o { ?s ?p ?o }"


def worker_of(board: Board) -> Worker:
    """A worker with the common sense alone."""
    worker = Worker({"prefixes": dict(board.names.prefixes), "limits": {}})
    tell(worker, b"".join(common_frames(board.common)))
    return worker


def tell(worker: Worker, data: bytes) -> None:
    """Has a worker read frames."""
    for frame in Frames().fed(data):
        worker.do(frame)


def quads(worker: Worker) -> tuple[set[_Quad], set[_Quad]]:
    """What the two stores of a worker hold, their hidden graphs aside."""
    replica = worker.replica
    one, two = (
        {
            (q.graph_name.value, replica.statement(q.triple))
            for q in facts.store
            if isinstance(q.graph_name, ox.NamedNode) and "x-mindboard" not in q.graph_name.value
        }
        for facts in (replica.holding, replica.asserted)
    )
    return one, two


def held(board: Board) -> tuple[set[_Quad], set[_Quad]]:
    """What the two stores of a worker are to hold: what the board's models hold themselves."""
    reasoner = board.common.reasoner
    seen = (fact for fact in reasoner.facts if fact in reasoner.asserted or is_visible(fact))
    common = {(PREFIXES["oro"].rstrip("#"), fact) for fact in seen}
    models = [(PREFIXES["model"] + info.id, board.model(info.id)) for info in board.models()]
    holding = {(graph, fact) for graph, model in models for fact in model.facts()}
    asserted = {(graph, fact) for graph, model in models for fact in model.assertions}
    return common | holding, common | asserted


def in_model(worker: Worker, model: str) -> list[set[Statement]]:
    """What the two stores of a worker hold of a model."""
    replica = worker.replica
    graph = replica.model_graph(model)
    stores = (replica.holding, replica.asserted)
    return [set(map(replica.statement, facts.triples(graph))) for facts in stores]


def rows(worker: Worker, model: str, inferred: bool) -> list[str]:
    """All that a question to a model sees, as often as it is seen."""
    asked = SparqlQuery(_ALL, model, inferred)
    with answering(worker.replica, asked, Limits()) as found:
        assert isinstance(found, ox.QuerySolutions)
        return [str([row["s"], row["p"], row["o"]]) for row in found]


@law(25)
@given(_STEPS)
def test_a_replica_follows_every_delta(steps: list[tuple[str, list[str], list[str]]]) -> None:
    """After each delta a replica holds what the models do, as does one that is filled later."""
    board = shipped()
    worker = worker_of(board)
    board.create("sally")
    board.on_delta.append(lambda delta: tell(worker, delta_frame(delta)))
    for now, (name, out, put) in enumerate(steps):
        revise(board, name, float(now), retract=out, add=put)
        model = board.model(name)
        assert in_model(worker, name) == [model.facts(), set(model.assertions)]
    later = worker_of(board)
    tell(later, b"".join(filling_frames(holdings_of(board))))
    assert quads(worker) == quads(later) == held(board)
    assert worker.replica.seq == later.replica.seq == board.seq
    views = [(m, inferred) for m in ("myself", "sally") for inferred in (True, False)]
    for seen in (rows(w, *view) for w in (worker, later) for view in views):
        assert len(seen) == len(set(seen))


def test_a_query_sees_inferences_or_leaves_them_out() -> None:
    """A question to a model sees what is inferred and the common sense, or assertions alone."""
    board = shipped()
    worker = worker_of(board)
    board.on_delta.append(lambda delta: tell(worker, delta_frame(delta)))
    revise(board, add=["ball isIn box"])
    for inferred in (True, False):
        asked = SparqlQuery("ASK { oro:box oro:contains oro:ball }", "myself", inferred)
        with answering(worker.replica, asked, Limits()) as found:
            assert isinstance(found, ox.QueryBoolean)
            assert bool(found) is inferred


def test_restated_common_sense_is_one_fact() -> None:
    """Common sense that a model asserts too is counted once, and when withdrawn it still is."""
    board = shipped()
    worker = worker_of(board)
    board.on_delta.append(lambda delta: tell(worker, delta_frame(delta)))
    before = sorted(rows(worker, "myself", True))
    revise(board, add=["Human rdfs:subClassOf Agent"])
    assert sorted(rows(worker, "myself", True)) == before
    assert sorted(rows(worker, "myself", False)) == before
    revise(board, retract=["Human rdfs:subClassOf Agent"])
    assert sorted(rows(worker, "myself", True)) == before


def test_restated_common_sense_counts_once() -> None:
    """COUNT(*) of a fact that is common sense and asserted too is one, inferred or not."""
    board = shipped()
    worker = worker_of(board)
    revise(board, add=["Human rdfs:subClassOf Agent"])
    tell(worker, b"".join(filling_frames(holdings_of(board))))
    for inferred in (True, False):
        text = "SELECT (COUNT(*) AS ?n) { oro:Human rdfs:subClassOf oro:Agent }"
        with answering(worker.replica, SparqlQuery(text, "myself", inferred), Limits()) as found:
            assert isinstance(found, ox.QuerySolutions)
            assert [row["n"] for row in found] == [ox.Literal(1)]


def test_a_deleted_model_leaves_nothing() -> None:
    """When a model is deleted nothing of it is left, nor is there such a graph any more."""
    board = shipped()
    worker = worker_of(board)
    board.on_delta.append(lambda delta: tell(worker, delta_frame(delta)))
    before = [len(worker.replica.facts(held).store) for held in (True, False)]
    board.create("sally")
    revise(board, "sally", add=["ball isIn box", "Human rdfs:subClassOf Agent"])
    board.delete("sally", 1.0)
    assert [len(worker.replica.facts(held).store) for held in (True, False)] == before
    with answering(
        worker.replica, SparqlQuery("SELECT ?g { GRAPH ?g {} }", "myself"), Limits()
    ) as found:
        assert isinstance(found, ox.QuerySolutions)
        assert [str(row["g"]) for row in found] == ["<http://kb.openrobots.org>"]


def test_a_replica_does_not_keep_what_is_gone() -> None:
    """Names that are ever new do not fill it: it moves to a new store, which holds the same."""
    board = shipped()
    revise(board, add=["ball isIn box"])
    worker = worker_of(board)
    tell(worker, b"".join(filling_frames(holdings_of(board))))
    first = worker.replica.holding.store
    before = quads(worker)
    for i in range(40_000):
        fact = [(f"thing{i}", "isIn", "box")]
        worker.replica.follow("myself", became_true=fact, asserted=fact)
        worker.replica.follow("myself", ceased=fact, withdrawn=fact)
    assert worker.replica.holding.store is not first
    assert quads(worker) == before == held(board)


def test_graphs_that_share_facts_are_merged() -> None:
    """A fact in two graphs of one FROM is one fact, as the recommendation says."""
    board = shipped()
    worker = worker_of(board)
    board.on_delta.append(lambda delta: tell(worker, delta_frame(delta)))
    board.create("sally")
    for model in ("myself", "sally"):
        revise(board, model, add=["ball isIn box"])
    text = "SELECT ?x FROM model:myself FROM model:sally { ?x oro:isIn oro:box }"
    before = quads(worker)
    with answering(worker.replica, SparqlQuery(text, "myself"), Limits()) as found:
        assert isinstance(found, ox.QuerySolutions)
        assert len(list(found)) == 1
    assert quads(worker) == before
    text = "SELECT ?x FROM model:myself FROM oro:nothing { ?x oro:isIn oro:box }"
    with (
        pytest.raises(BoardError, match="not in the store"),
        answering(worker.replica, SparqlQuery(text, "myself"), Limits()),
    ):
        pass
