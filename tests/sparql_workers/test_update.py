"""An update comes to what Oxigraph would make of it, and changes nothing itself."""

import pyoxigraph as ox
import pytest

from kb_server.core.terms.statements import read_statement
from kb_server.errors import BoardError, UnknownGraph
from kb_server.sparql.protocol import SparqlUpdate
from kb_server.sparql.replica_frames import filling_frames, graph_frame, holdings_of
from kb_server.sparql.settings import Limits
from kb_server.sparql.update import worked_out
from kb_server.sparql.worker import Worker
from tests.models.boards import revise, shipped
from tests.sparql_workers.test_replica import quads, tell, worker_of

_PLAIN = "http://example.org/plain"
_MODEL = "http://kb.openrobots.org/model/"
_SAME = [
    "WITH model:sally DELETE { ?x oro:isIn ?y } INSERT { ?x oro:isOn ?y } WHERE { ?x oro:isIn ?y }",
    "DELETE { GRAPH ?g { ?x oro:isIn ?y } } WHERE { GRAPH ?g { ?x oro:isIn ?y } }",
    "INSERT { GRAPH ?g { oro:a oro:b ?y } } WHERE { GRAPH model:sally { ?x oro:isIn ?y } "
    "VALUES ?g { model:myself 'no graph' <http://example.org/plain> UNDEF } }",
    "INSERT { GRAPH model:sally { ?x oro:seen true; oro:by oro:me , oro:you . } } "
    "USING model:myself WHERE { ?x oro:isIn ?y FILTER EXISTS { ?x oro:isIn oro:box } }",
    "INSERT { GRAPH model:sally { ?x oro:seen ?g } } "
    "USING NAMED model:sally WHERE { GRAPH ?g { ?x oro:isIn ?y } }",
    "DELETE WHERE { GRAPH model:sally { ?x oro:isIn ?y } GRAPH model:myself { ?x oro:isIn ?z } }",
    "INSERT DATA { GRAPH model:sally { oro:a oro:b 1 , '}' . } . "
    "GRAPH model:myself { oro:c a oro:D } }",
    "DELETE DATA { GRAPH model:sally { oro:ball oro:isIn oro:basket } }",
    "CLEAR GRAPH model:sally",
    "CREATE GRAPH <http://example.org/new>",
    "CREATE SILENT GRAPH <http://example.org/plain>",
    "DROP SILENT GRAPH <http://example.org/plain>",
    "COPY model:sally TO <http://example.org/plain>",
    "MOVE GRAPH <http://example.org/plain> TO GRAPH model:sally",
    "ADD SILENT <http://example.org/plain> TO model:sally",
    "COPY model:sally TO model:sally",
    "BASE <http://example.org/> PREFIX m: <http://kb.openrobots.org/model/> "
    "INSERT DATA { GRAPH <plain> { <a> <b> <c> } } ; "
    "WITH <plain> DELETE { ?s ?p <c> } INSERT { ?s ?p m:d } WHERE { ?s ?p ?o } ; "
    "DELETE DATA { GRAPH m:sally { oro:ball oro:isIn oro:basket } } ;",
    "WITH model:sally INSERT { ?x oro:n ?n } WHERE { SELECT ?x (COUNT(*) AS ?n) "
    "WHERE { ?x oro:isIn ?y } GROUP BY ?x }",
    "WITH model:sally DELETE { ?x oro:isIn ?y } INSERT { ?x oro:isIn ?y } WHERE { ?x oro:isIn ?y }",
]


def furnished_worker() -> Worker:
    """A worker over two minds and a plain graph, all facts asserted, none inferred."""
    board = shipped()
    board.create("sally")
    revise(board, add=["ball isIn box", "cup isIn box"])
    revise(board, "sally", add=["ball isIn basket"])
    worker = worker_of(board)
    tell(worker, b"".join(filling_frames(holdings_of(board))))
    tell(worker, graph_frame(_PLAIN, [("ball", "isIn", "air")], []))
    return worker


def _copied(worker: Worker) -> ox.Store:
    store = ox.Store()
    store.extend(q for q in worker.replica.asserted.store)
    return store


def _applied(worker: Worker, text: str) -> set[str]:
    changed = worked_out(worker.replica, SparqlUpdate(text, "myself"), Limits())
    store = _copied(worker)
    for graph, change in changed.items():
        for triples, make in ((change["remove"], store.remove), (change["add"], store.add)):
            for t in worker.replica.triples(triples):
                make(ox.Quad(t.subject, t.predicate, t.object, ox.NamedNode(graph)))
    return {str(quad) for quad in store}


@pytest.mark.parametrize("text", _SAME)
def test_an_update_comes_to_what_oxigraph_makes_of_it(text: str) -> None:
    """On explicit graphs the changes are those of Oxigraph's own update, and the replica stays."""
    worker = furnished_worker()
    worker.replica.holding.store.clear()
    worker.replica.holding.store.extend(worker.replica.asserted.store)
    before, own = quads(worker), _copied(worker)
    for part in text.split(" ; ") if "BASE" not in text else _with_base(text):
        own.update(part, prefixes=dict(worker.replica.names.prefixes))
    assert _applied(worker, text) == {str(quad) for quad in own}
    assert quads(worker) == before


_THERE = ("urn:g", "urn:h", "urn:e")
_GRAPHS = [
    f"{verb}{silent} GRAPH <urn:{name}>"
    for verb in ("CLEAR", "DROP", "CREATE")
    for silent in ("", " SILENT")
    for name in ("g", "e", "x")
] + [
    *("DROP ALL", "DROP NAMED", "CLEAR ALL", "CLEAR NAMED"),
    *("COPY <urn:g> TO <urn:x>", "COPY <urn:e> TO <urn:g>", "COPY <urn:g> TO <urn:g>"),
    *("MOVE <urn:x> TO <urn:g>", "MOVE <urn:g> TO <urn:x>", "MOVE <urn:g> TO <urn:h>"),
    *("MOVE <urn:e> TO <urn:x>", "ADD <urn:g> TO <urn:x>", "ADD <urn:e> TO <urn:x>"),
    "CLEAR GRAPH <urn:g> ; DROP GRAPH <urn:g>",
    "DROP GRAPH <urn:g> ; DROP GRAPH <urn:g>",
    "DROP GRAPH <urn:g> ; INSERT DATA { GRAPH <urn:g> { oro:a oro:b 1 } }",
    "CREATE GRAPH <urn:x> ; ADD <urn:x> TO <urn:g> ; MOVE <urn:x> TO <urn:e>",
    "DELETE WHERE { GRAPH <urn:g> { ?s ?p ?o } }",
    "INSERT { GRAPH <urn:x> { ?s ?p ?o } } WHERE { GRAPH <urn:e> { ?s ?p ?o } }",
]


@pytest.mark.parametrize("text", _GRAPHS)
def test_graphs_come_and_go_as_in_oxigraph(text: str) -> None:
    """Which graphs of plain storage there are afterwards, and what fails, is as Oxigraph has it."""
    worker = worker_of(shipped())
    for n, name in enumerate(_THERE[:2]):
        tell(worker, graph_frame(name, [("a", "b", f"{n}")], []))
    own = ox.Store()
    own.extend(q for q in worker.replica.asserted.store if str(q.graph_name)[1:-1] in _THERE)
    own.add_graph(ox.NamedNode("urn:e"))
    there, fails = {*_THERE}, False
    try:
        own.update(text, prefixes=dict(worker.replica.names.prefixes))
    except RuntimeError:
        fails = True
    try:
        found = worked_out(worker.replica, SparqlUpdate(text, "myself", there=_THERE), Limits())
    except BoardError:
        assert fails
        return
    assert not fails
    for graph, outcome in found.items():
        assert not (outcome["comes"] and graph in there)
        assert not (outcome["goes"] and graph not in there)
        there = (there | {graph}) if outcome["comes"] else there
        there = (there - {graph}) if outcome["goes"] else there
    assert there == {graph.value for graph in own.named_graphs()}


@pytest.mark.parametrize("text", ["COPY <urn:x> TO <urn:g>", "ADD <urn:x> TO <urn:g>"])
def test_what_is_carried_must_be_there(text: str) -> None:
    """Of a graph that is not there nothing is carried: an error, and in silence nothing is done."""
    worker = worker_of(shipped())
    tell(worker, graph_frame("urn:g", [("a", "b", "1")], []))
    with pytest.raises(UnknownGraph):
        worked_out(worker.replica, SparqlUpdate(text, "myself", there=["urn:g"]), Limits())
    silent = text.replace(" ", " SILENT ", 1)
    asked = SparqlUpdate(silent, "myself", there=["urn:g"])
    assert worked_out(worker.replica, asked, Limits()) == {}


def _with_base(text: str) -> list[str]:
    start = text.index("INSERT")
    return [text[:start] + part for part in text[start:].split(" ; ")]


@pytest.mark.parametrize(
    ("text", "add", "remove"),
    [
        ("INSERT DATA { oro:a oro:b 1 }", [("a", "b", "1")], []),
        (
            "DELETE WHERE { ?x oro:isIn oro:box }",
            [],
            [("ball", "isIn", "box"), ("cup", "isIn", "box")],
        ),
        ("CLEAR DEFAULT", [], [("ball", "isIn", "box"), ("cup", "isIn", "box")]),
        (
            "DELETE { ?x oro:isIn ?y } INSERT { ?x oro:isOn ?y } "
            "WHERE { ?x oro:isIn ?y . ?y oro:contains oro:cup FILTER(?x = oro:cup) }",
            [("cup", "isOn", "box")],
            [("cup", "isIn", "box")],
        ),
        (
            "INSERT { oro:ball oro:under ?c } WHERE { oro:Human rdfs:subClassOf ?c "
            "FILTER(?c = oro:Agent) }",
            [("ball", "under", "Agent")],
            [],
        ),
        (
            "INSERT DATA { oro:a oro:b 1 } ; DELETE { oro:a oro:b ?n } INSERT { oro:a oro:b 2 } "
            "WHERE { oro:a oro:b ?n }",
            [("a", "b", "2")],
            [("a", "b", "1")],
        ),
    ],
)
def test_without_a_graph_the_model_is_meant(
    text: str, add: list[tuple[str, str, str]], remove: list[tuple[str, str, str]]
) -> None:
    """What names no graph reads the model with the common sense, and changes that model alone."""
    worker = furnished_worker()
    changed = worked_out(worker.replica, SparqlUpdate(text, "myself"), Limits())
    assert list(changed) == ["http://kb.openrobots.org/model/myself"]
    (change,) = changed.values()
    assert (sorted(change["add"]), sorted(change["remove"])) == (add, remove)


@pytest.mark.parametrize(
    ("text", "cleared"),
    [("CLEAR ALL", {"myself", "sally", _PLAIN}), ("DROP SILENT NAMED", {"sally", _PLAIN})],
)
def test_clearing_all_leaves_the_ontology(text: str, cleared: set[str]) -> None:
    """ALL means every mind and every plain graph, NAMED all but the default, none the ontology."""
    worker = furnished_worker()
    changed = worked_out(worker.replica, SparqlUpdate(text, "myself"), Limits())
    assert {graph.removeprefix(_MODEL) for graph in changed} == cleared
    assert not any(change["add"] for change in changed.values())
    assert sorted(changed[_MODEL + "sally"]["remove"]) == [("ball", "isIn", "basket")]


def test_using_of_the_protocol_is_the_dataset_of_where() -> None:
    """The protocol's graphs are what WHERE is asked of, and leave no room for USING or WITH."""
    worker = furnished_worker()
    copy = "INSERT { ?x oro:isOn ?y } WHERE { ?x oro:isIn ?y }"
    asked = SparqlUpdate(copy, "myself", using=[_PLAIN])
    ((graph, found),) = worked_out(worker.replica, asked, Limits()).items()
    assert graph == _MODEL + "myself"
    assert (found["add"], found["remove"]) == ([("ball", "isOn", "air")], [])
    named = "INSERT { ?x oro:isOn ?g } WHERE { GRAPH ?g { ?x oro:isIn ?y } }"
    asked = SparqlUpdate(named, "myself", using_named=[_PLAIN])
    (change,) = worked_out(worker.replica, asked, Limits()).values()
    assert change["add"] == [("ball", "isOn", f"<{_PLAIN}>")]
    for text in (f"WITH <{_PLAIN}> {copy}", copy.replace("WHERE", f"USING <{_PLAIN}> WHERE")):
        with pytest.raises(BoardError) as refused:
            worked_out(worker.replica, SparqlUpdate(text, "myself", using=[_PLAIN]), Limits())
        assert refused.value.code == "bad_query"


def test_an_update_is_bounded() -> None:
    """An update that would change more facts than are allowed is refused and leaves nothing."""
    worker = furnished_worker()
    before = quads(worker)
    text = "INSERT { ?s oro:p ?o } WHERE { ?s ?q ?o }"
    with pytest.raises(BoardError) as refused:
        worked_out(worker.replica, SparqlUpdate(text, "myself"), Limits(changes=50))
    assert refused.value.code == "too_costly"
    assert quads(worker) == before


def test_what_restates_common_sense_can_be_cleared() -> None:
    """Within an update common sense stays common sense, once, whatever a model restates of it."""
    board = shipped()
    revise(board, add=["Human rdfs:subClassOf Agent"])
    worker = worker_of(board)
    tell(worker, b"".join(filling_frames(holdings_of(board))))
    before = everything(worker)
    text = (
        "CLEAR DEFAULT ; INSERT { oro:x oro:n ?n } WHERE { SELECT (COUNT(*) AS ?n) "
        "{ oro:Human rdfs:subClassOf oro:Agent } }"
    )
    (change,) = worked_out(worker.replica, SparqlUpdate(text, "myself"), Limits()).values()
    assert change["add"] == [("x", "n", "1")]
    assert everything(worker) == before


def everything(worker: Worker) -> list[set[str]]:
    """All that the stores of a worker hold, hidden graphs too."""
    return [{str(q) for q in worker.replica.facts(held).store} for held in (True, False)]


def test_new_nodes_are_terms_of_the_board() -> None:
    """A nameless node of an update gets a name that the board reads back as the same term."""
    worker = furnished_worker()
    text = "INSERT DATA { _:x oro:p [ oro:q oro:a ] }"
    (change,) = worked_out(worker.replica, SparqlUpdate(text, "myself"), Limits()).values()
    names = worker.replica.names
    assert [read_statement(list(fact), names) for fact in change["add"]] == change["add"]
    (other,) = worked_out(worker.replica, SparqlUpdate(text, "myself"), Limits()).values()
    assert not {s for s, _, _ in change["add"]} & {s for s, _, _ in other["add"]}


def test_a_blank_node_is_the_same_in_all_graphs() -> None:
    """A nameless node of a template is one and the same new thing in every graph of it."""
    worker = furnished_worker()
    text = "INSERT DATA { _:x oro:p _:x . GRAPH model:sally { _:x oro:q 1 } oro:z oro:r _:x }"
    changed = worked_out(worker.replica, SparqlUpdate(text, "myself"), Limits())
    named = {t for c in changed.values() for s, _, o in c["add"] for t in (s, o) if t[:2] == "_:"}
    assert len(named) == 1


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("CREATE GRAPH <http://example.org/plain>", "refused"),
        ("CREATE GRAPH model:nobody", "refused"),
        ("INSERT { oro:x oro:p ?c } WHERE { ?c a owl:Class FILTER(isBlank(?c)) }", "bad_statement"),
        ("LOAD <http://127.0.0.1/>", "refused"),
        ("INSERT { ?s ?p ?o } WHERE { SERVICE <http://127.0.0.1/> { ?s ?p ?o } }", "refused"),
        ("INSERT DATA { GRAPH <http://kb.openrobots.org> { oro:a oro:b 1 } }", "refused"),
        ("INSERT DATA { GRAPH <urn:x-mindboard:merged> { oro:a oro:b 1 } }", "refused"),
        ("INSERT DATA { oro:a oro:b }", "bad_query"),
        ("INSERT DATA { oro:a oro:b 1 } ; PREFIX e: <http://e/> INSERT DATA { e: }", "bad_query"),
        ("SELECT * { ?s ?p ?o }", "bad_query"),
        ("DELETE WHERE { ?s oro:isIn ?mindboard_g0 }", "bad_query"),
        ("INSERT { ?s oro:p 1 } WHERE { ?s oro:isIn ?o FILTER(<urn:f>(?s)) }", "bad_query"),
        ("INSERT { ?s oro:p <<( oro:a oro:b 1 )>> } WHERE { ?s oro:isIn ?o }", "bad_statement"),
    ],
)
def test_what_is_refused_changes_nothing(text: str, code: str) -> None:
    """An update that would wipe all minds, reach outside or is wrong is refused as a whole."""
    worker = furnished_worker()
    before = quads(worker)
    text = f"INSERT DATA {{ oro:k oro:l 1 }} ; {text}"
    with pytest.raises(BoardError) as refused:
        worked_out(worker.replica, SparqlUpdate(text, "myself"), Limits())
    assert refused.value.code == code
    assert quads(worker) == before
