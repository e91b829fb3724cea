"""The SPARQL index holds what the board holds, after any sequence of changes."""

import pyoxigraph as ox
from hypothesis import given, settings
from hypothesis import strategies as st

import ontology
from kb_server.core.blackboard import Blackboard
from kb_server.core.commonsense import CommonSense
from kb_server.core.rdf import Translator
from kb_server.core.revision import read_revision
from kb_server.core.sparql_index import SparqlIndex
from kb_server.core.statements import Statement

COMMON = CommonSense([path.read_text() for path in ontology.files()])

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


def _held(index: SparqlIndex, graph: ox.NamedNode) -> set[Statement]:
    terms = Translator(COMMON.names)
    quads = index.store.quads_for_pattern(None, None, None, graph)
    return {
        (terms.from_ox(q.subject), terms.from_ox(q.predicate), terms.from_ox(q.object))
        for q in quads
    }


@settings(derandomize=True, deadline=None, max_examples=60)
@given(_STEPS)
def test_the_index_follows_every_delta(steps: list[tuple[str, list[str], list[str]]]) -> None:
    """After each delta, both graphs of the model hold what the model holds."""
    board, index = Blackboard(COMMON), SparqlIndex(COMMON)
    board.followers.append(index.follow)
    board.create("sally")
    for now, (name, out, put) in enumerate(steps):
        board.revise(name, read_revision(board.names, retract=out, add=put), float(now))
        model = board.model(name)
        assert _held(index, index.model_graph(name)) == model.facts()
        assert _held(index, index.asserted_graph(name)) == set(model.assertions)


def test_an_index_filled_later_is_the_same() -> None:
    """An index that takes over a board holds the same as one that has followed it."""
    board, followed = Blackboard(COMMON), SparqlIndex(COMMON)
    board.followers.append(followed.follow)
    for name, fact in (("myself", "sally a Human"), ("sally", "ball isIn box")):
        board.revise(name, read_revision(board.names, add=[fact, "ball a Ball"]), 0.0)
    later = SparqlIndex(COMMON)
    later.fill(board)
    assert {str(q) for q in later.store} == {str(q) for q in followed.store}


def test_a_query_sees_inferences_or_leaves_them_out() -> None:
    """A question to a model sees what is inferred and the common sense, or assertions alone."""
    board, index = Blackboard(COMMON), SparqlIndex(COMMON)
    board.followers.append(index.follow)
    board.revise("myself", read_revision(board.names, add=["ball isIn box"]), 0.0)
    question = "ASK { ?box <http://kb.openrobots.org#contains> ?ball }"
    told = [
        bool(index.store.query(question, default_graph=index.default_graphs("myself", inferred)))
        for inferred in (True, False)
    ]
    assert told == [True, False]


def test_a_deleted_model_leaves_nothing() -> None:
    """When a model is deleted its graphs are empty."""
    board, index = Blackboard(COMMON), SparqlIndex(COMMON)
    board.followers.append(index.follow)
    before = len(index.store)
    board.create("sally")
    board.revise("sally", read_revision(board.names, add=["ball isIn box"]), 0.0)
    board.delete("sally", 1.0)
    assert len(index.store) == before
