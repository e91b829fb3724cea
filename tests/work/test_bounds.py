"""What one request may cost is bounded, and what is ordinary stays within the bounds."""

import re
import time
from collections.abc import Callable

import pytest

from kb_server.core.models.board import Board
from kb_server.core.models.proofs import FactProof, explain
from kb_server.core.models.revision import read_revision
from kb_server.core.questions.discrimination import clarify
from kb_server.core.questions.query import find
from kb_server.core.reasoning.commonsense import CommonSense
from kb_server.core.terms.statements import read_pattern
from kb_server.errors import BadRequest, BoardError, Inconsistent
from tests.models.boards import revise

COMMON = CommonSense(
    [
        "@prefix : <http://kb.openrobots.org#> . "
        "@prefix owl: <http://www.w3.org/2002/07/owl#> . "
        ":Human owl:disjointWith :Artifact . "
        ":Table <http://www.w3.org/2000/01/rdf-schema#subClassOf> :Artifact . "
        ":Shelf <http://www.w3.org/2000/01/rdf-schema#subClassOf> :Artifact . "
    ]
)
_LIMIT = 8.0


@pytest.fixture
def board() -> Board:
    return Board(COMMON)


def _cells(word: str, count: int) -> list[str]:
    firsts = [f"_:l{i} rdf:first {word}{i}" for i in range(count)]
    rests = [f"_:l{i} rdf:rest _:l{i + 1}" for i in range(count - 1)]
    return [*firsts, *rests, f"_:l{count - 1} rdf:rest rdf:nil"]


def _refused_in_time(act: Callable[[], object]) -> bool:
    """Whether an act is refused; it must end, one way or the other, within the limit."""
    start = time.process_time()
    try:
        act()
    except BoardError:
        refused = True
    else:
        refused = False
    assert time.process_time() - start < _LIMIT
    return refused


def test_a_thousand_things_may_all_differ(board: Board) -> None:
    """That a thousand things all differ is one rule, told and used at once."""
    start = time.process_time()
    axiom = ["_:d a owl:AllDifferent", "_:d owl:distinctMembers _:l0", *_cells("thing", 1_000)]
    revise(board, add=axiom)
    revise(board, add=["thing5 owl:sameAs thing900"])
    assert len(board.conflicts("myself")) == 1
    revise(board, retract=["* * *"])
    assert not board.model("myself").reasoner.facts
    assert time.process_time() - start < _LIMIT


@pytest.mark.parametrize("word", ["owl:unionOf", "owl:oneOf", "owl:intersectionOf"])
def test_a_huge_list_is_answered_in_time(board: Board, word: str) -> None:
    """An axiom over five thousand members is taken or refused, and not pondered."""
    axiom = [f"C {word} _:l0", *_cells("D", 5_000)]
    if _refused_in_time(lambda: revise(board, add=axiom)):
        assert not board.model("myself").assertions


def test_a_question_of_a_hundred_patterns_is_answered_in_time(board: Board) -> None:
    """A hundred patterns over a crowd, alike or not, are answered or given up in time."""
    revise(board, add=[f"x{i} p y{i}" for i in range(5_000)])
    view = board.model("myself").view
    alike = [read_pattern("?a p ?b", board.names)] * 100
    _refused_in_time(lambda: find(alike, view, board.budget()))
    apart = [read_pattern(f"?a{i} p ?b{i}", board.names) for i in range(100)]
    assert _refused_in_time(lambda: find(apart, view, board.budget()))


def test_a_long_chain_over_a_knot_is_answered_in_time(board: Board) -> None:
    """A property chain of many steps over facts that lead everywhere is given up in time."""
    chain = [f"_:l{i} rdf:first t" for i in range(50)]
    chain += [f"_:l{i} rdf:rest {f'_:l{i + 1}' if i < 49 else 'rdf:nil'}" for i in range(50)]
    knot = ["a t b", "b t a", "a t a", "b t b"]
    axiom = ["q owl:propertyChainAxiom _:l0"]
    assert _refused_in_time(lambda: revise(board, add=[*axiom, *chain, *knot]))
    assert not board.model("myself").assertions


def test_a_proof_leads_to_assertions_however_long(board: Board) -> None:
    """Every leaf of a proof over a long chain is an assertion or common sense."""
    links = [f"c{i} t c{i + 1}" for i in range(30)]
    revise(board, add=["t a owl:TransitiveProperty", *links])
    fact = read_pattern("c0 t c30", board.names)
    proof = explain(board.model("myself"), fact, board.budget())
    assert proof.because
    assert _is_whole(proof)


def _is_whole(proof: FactProof) -> bool:
    if proof.kind != "inferred":
        return True
    premises = [premise for way in proof.because for premise in way.premises]
    return bool(premises) and all(map(_is_whole, premises))


def test_an_old_contradiction_does_not_excuse_a_new_one(board: Board) -> None:
    """A change that puts another assertion in the place of the one to blame is refused."""
    revise(board, add=["s a Human", "s a Table"])
    swap = read_revision(board.names, retract=["s a Table"], add=["s a Shelf"], if_consistent=True)
    with pytest.raises(Inconsistent, match="s a Shelf"):
        board.revise("myself", swap, 1.0)
    aside = read_revision(board.names, add=["ball isIn box"], if_consistent=True)
    assert board.revise("myself", aside, 2.0) is not None


@pytest.mark.parametrize(
    ("ttl", "given"),
    [(10**400, "a number as long as that"), (1e300, "1e+300"), (10**13, "10000000000000"),
     (-1, "-1"), (0, "0"), (True, "True")],
)  # fmt: skip
def test_a_life_beyond_measure_is_refused(board: Board, ttl: float, given: str) -> None:
    """A ttl that no clock could reach is refused like one that is none, and is shown."""
    expected = f"ttl must be a number of seconds above 0, at most 1e12, not {given}"
    with pytest.raises(BadRequest, match=f"^{re.escape(expected)}$"):
        revise(board, add=["a isIn b"], ttl=ttl)
    assert board.seq == 0


def test_what_a_description_may_mean_and_what_to_ask(board: Board) -> None:
    """Clarifying gives the things a description fits, and the property that tells them apart."""
    cups = ["cup1 a Cup", "cup2 a Cup", "cup1 hasColor red", "cup2 hasColor blue"]
    revise(board, add=[*cups, "Cup a owl:Class", "jug a Jug"])
    view = board.model("myself").view
    asked = [read_pattern("?o a Cup", board.names)]
    candidates, told = clarify(asked, "?o", view, board.budget())
    assert candidates == ("cup1", "cup2")
    assert (told.property, told.complete) == ("hasColor", True)


@pytest.mark.parametrize("order", [1, -1])
def test_datatypes_within_datatypes_without_end_are_answered(board: Board, order: int) -> None:
    """Two thousand datatypes, each defined by the next, are taken from either end."""
    kinds = [f"D{i} a rdfs:Datatype" for i in range(2_001)]
    nested = [f"D{i} owl:datatypeComplementOf D{i + 1}" for i in range(2_000)]
    _refused_in_time(lambda: revise(board, add=[*kinds, *nested, "p rdfs:range D0"][::order]))
    revise(board, add=["x p 3"])
    assert board.model("myself").kind(("x", "p", "3")) == "asserted"
