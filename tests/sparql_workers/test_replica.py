"""A replica holds what the board holds, each fact once."""

import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kb_server.core.blackboard import Blackboard
from kb_server.core.errors import BoardError
from kb_server.core.sparql_index import SparqlIndex
from kb_server.sparql.dataset import Question, answering
from kb_server.sparql.holdings import common_frames, delta_frame, filling_frames, holdings_of
from kb_server.sparql.protocol import Frames
from kb_server.sparql.settings import Limits
from kb_server.sparql.worker import Worker
from tests.models.boards import revise, shipped

_FACTS = st.sampled_from(
    [
        "sally a Human",
        "ball isIn box",
        "ball isOn box",
        "ball hasWeight 0.30",
        "Human rdfs:subClassOf Agent",
        "Marble rdfs:subClassOf Ball",
        "isIn a owl:TransitiveProperty",
        "_:it isIn box",
        'ball rdfs:label "the ball"@en-GB',
    ]
)
_STEPS = st.lists(
    st.tuples(st.sampled_from(["myself", "sally"]), st.lists(_FACTS, max_size=3), st.lists(_FACTS)),
    max_size=6,
)
_ALL = "SELECT ?s ?p ?o { ?s ?p ?o }"


def worker_of(board: Blackboard) -> Worker:
    """A worker with the common sense alone."""
    worker = Worker({"prefixes": dict(board.names.prefixes), "limits": {}})
    tell(worker, b"".join(common_frames(board.common)))
    return worker


def tell(worker: Worker, data: bytes) -> None:
    """Has a worker read frames."""
    for frame in Frames().fed(data):
        worker.do(frame)


def quads(worker: Worker) -> tuple[set[str], set[str]]:
    """What the two stores of a worker hold, their hidden graphs aside."""
    stores = (worker.replica.holding.store, worker.replica.asserted.store)
    one, two = ({str(q) for q in store if "x-mindboard" not in str(q)} for store in stores)
    return one, two


def indexed(index: SparqlIndex) -> tuple[set[str], set[str]]:
    """What the core's index holds, in two stores' words."""
    all_ = {str(q) for q in index.store}
    asserted = {q.replace("#asserted>", ">") for q in all_ if q.endswith("#asserted>")}
    common = {q for q in all_ if q.endswith("<http://kb.openrobots.org>")}
    return {q for q in all_ if not q.endswith("#asserted>")}, asserted | common


def rows(worker: Worker, model: str, inferred: bool) -> list[str]:
    """All that a question to a model sees, as often as it is seen."""
    asked = Question(_ALL, model, inferred)
    with answering(worker.replica, asked, Limits()) as found:
        assert isinstance(found, ox.QuerySolutions)
        return [str([row["s"], row["p"], row["o"]]) for row in found]


@settings(derandomize=True, deadline=None, max_examples=20)
@given(_STEPS)
def test_a_replica_follows_every_delta(steps: list[tuple[str, list[str], list[str]]]) -> None:
    """A replica holds what the index does, each fact once, as does one that is filled later."""
    board = shipped()
    worker, index = worker_of(board), SparqlIndex(board.common)
    board.create("sally")
    board.followers.extend((index.follow, lambda delta: tell(worker, delta_frame(delta))))
    for now, (name, out, put) in enumerate(steps):
        revise(board, name, float(now), retract=out, add=put)
    later = worker_of(board)
    tell(later, b"".join(filling_frames(holdings_of(board))))
    assert quads(worker) == quads(later) == indexed(index)
    assert worker.replica.seq == later.replica.seq == board.seq
    views = [(m, inferred) for m in ("myself", "sally") for inferred in (True, False)]
    for seen in (rows(w, *view) for w in (worker, later) for view in views):
        assert len(seen) == len(set(seen))


def test_restated_common_sense_is_one_fact() -> None:
    """Common sense that a model asserts too is counted once, and when withdrawn it still is."""
    board = shipped()
    worker = worker_of(board)
    board.followers.append(lambda delta: tell(worker, delta_frame(delta)))
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
        with answering(worker.replica, Question(text, "myself", inferred), Limits()) as found:
            assert isinstance(found, ox.QuerySolutions)
            assert [row["n"] for row in found] == [ox.Literal(1)]


def test_a_deleted_model_leaves_nothing() -> None:
    """When a model is deleted nothing of it is left, nor is there such a graph any more."""
    board = shipped()
    worker = worker_of(board)
    board.followers.append(lambda delta: tell(worker, delta_frame(delta)))
    before = [len(worker.replica.facts(held).store) for held in (True, False)]
    board.create("sally")
    revise(board, "sally", add=["ball isIn box", "Human rdfs:subClassOf Agent"])
    board.delete("sally", 1.0)
    assert [len(worker.replica.facts(held).store) for held in (True, False)] == before
    with answering(
        worker.replica, Question("SELECT ?g { GRAPH ?g {} }", "myself"), Limits()
    ) as found:
        assert isinstance(found, ox.QuerySolutions)
        assert [str(row["g"]) for row in found] == ["<http://kb.openrobots.org>"]


def test_a_replica_does_not_keep_what_is_gone() -> None:
    """Names that are ever new do not fill it: it moves to a new store, which holds the same."""
    board = shipped()
    worker = worker_of(board)
    first = worker.replica.holding.store
    before = quads(worker)
    for i in range(40_000):
        fact = [(f"thing{i}", "isIn", "box")]
        worker.replica.follow("myself", became_true=fact, asserted=fact)
        worker.replica.follow("myself", ceased=fact, withdrawn=fact)
    assert worker.replica.holding.store is not first
    assert quads(worker) == before


def test_graphs_that_share_facts_are_merged() -> None:
    """A fact in two graphs of one FROM is one fact, as the recommendation says."""
    board = shipped()
    worker = worker_of(board)
    board.followers.append(lambda delta: tell(worker, delta_frame(delta)))
    board.create("sally")
    for model in ("myself", "sally"):
        revise(board, model, add=["ball isIn box"])
    text = "SELECT ?x FROM model:myself FROM model:sally { ?x oro:isIn oro:box }"
    before = quads(worker)
    with answering(worker.replica, Question(text, "myself"), Limits()) as found:
        assert isinstance(found, ox.QuerySolutions)
        assert len(list(found)) == 1
    assert quads(worker) == before
    text = "SELECT ?x FROM model:myself FROM oro:nothing { ?x oro:isIn oro:box }"
    with (
        pytest.raises(BoardError, match="not in the store"),
        answering(worker.replica, Question(text, "myself"), Limits()),
    ):
        pass
