"""Why a fact holds (contract 4): the ways it is derived, well-founded, at most 8."""

import time

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kb_server.core.models.board import Board
from kb_server.core.models.proofs import FactProof, explain
from kb_server.core.reasoning.reasoner import Reasoner
from kb_server.core.rules.rules import ROWS
from kb_server.core.terms.statements import Statement
from kb_server.errors import DoesNotHold
from tests.laws.worlds import axioms, facts
from tests.models.boards import board_of, everything, holds, proof_of, read, revise, shipped, texts
from tests.proofs.trees import MOST_NODES, MOST_WAYS, depth, is_founded, is_whole, removal, walk
from tests.trials import law

RULES = {row.name for row in ROWS}
FAMILY = """
:Mother rdfs:subClassOf :Parent . :Father rdfs:subClassOf :Parent . :Parent rdfs:subClassOf :Human .
:hasChild rdfs:domain :Parent ; owl:inverseOf :childOf .
:friendOf a owl:SymmetricProperty . :before a owl:TransitiveProperty .
:near a owl:SymmetricProperty , owl:TransitiveProperty .
:hasGrandchild owl:propertyChainAxiom ( :hasChild :hasChild ) .
"""


def ways(proof: FactProof) -> set[tuple[str, frozenset[str]]]:
    """The ways of a proof: each rule with its premises as people write them."""
    return {(way.rule, frozenset(texts(p.fact for p in way.premises))) for way in proof.because}


def test_an_assertion_that_nothing_else_implies_has_no_reason() -> None:
    """What was merely said is asserted, and explained by nothing."""
    board = board_of(FAMILY)
    revise(board, add=["eve a Mother"])
    assert proof_of(board, "eve a Mother") == FactProof(read(board, "eve a Mother"), "asserted", ())


def test_an_inference_names_its_rule_and_its_premises() -> None:
    """An inferred fact is explained by the rule, the facts and the axioms it comes from."""
    board = board_of(FAMILY)
    revise(board, add=["eve a Mother"])
    proof = proof_of(board, "eve a Parent")
    assert (proof.kind, ways(proof)) == (
        "inferred",
        {("cax-sco", frozenset({"eve a Mother", "Mother rdfs:subClassOf Parent"}))},
    )
    kinds = {premise.fact: premise.kind for premise in proof.because[0].premises}
    assert kinds[read(board, "eve a Mother")] == "asserted"
    assert kinds[read(board, "Mother rdfs:subClassOf Parent")] == "common_sense"


def test_a_fact_has_all_its_ways() -> None:
    """Each rule that concludes a fact from what holds is a way of its own."""
    board = board_of(FAMILY)
    revise(board, add=["eve a Mother", "eve a Father", "eve hasChild abel", "cain childOf eve"])
    assert ways(proof_of(board, "eve a Parent")) == {
        ("cax-sco", frozenset({"eve a Mother", "Mother rdfs:subClassOf Parent"})),
        ("cax-sco", frozenset({"eve a Father", "Father rdfs:subClassOf Parent"})),
        ("prp-dom", frozenset({"eve hasChild abel", "hasChild rdfs:domain Parent"})),
        ("prp-dom", frozenset({"eve hasChild cain", "hasChild rdfs:domain Parent"})),
    }


def test_an_assertion_that_is_also_implied_says_both() -> None:
    """What was said and follows besides is asserted, with the ways it follows."""
    board = board_of(FAMILY)
    revise(board, add=["eve a Mother", "eve a Parent"])
    proof = proof_of(board, "eve a Parent")
    assert proof.kind == "asserted"
    assert [way.rule for way in proof.because] == ["cax-sco"]


def test_the_common_sense_is_a_leaf() -> None:
    """What the ontology says or entails needs no reason."""
    proof = proof_of(board_of(FAMILY), "Mother rdfs:subClassOf Human")
    assert (proof.kind, proof.because) == ("common_sense", ())


@pytest.mark.parametrize("fact", ["eve a Father", "nobody a Human", "Human rdfs:subClassOf Mother"])
def test_what_does_not_hold_is_not_explained(fact: str) -> None:
    """Asked why something holds that doesn't, the board says so."""
    board = board_of(FAMILY)
    revise(board, add=["eve a Mother"])
    with pytest.raises(DoesNotHold, match="does not hold in myself"):
        proof_of(board, fact)


def test_there_are_at_most_eight_ways() -> None:
    """However many ways a fact is derived, eight are told, each once."""
    board = board_of(FAMILY)
    revise(board, add=[f"eve hasChild c{i}" for i in range(50)])
    proof = proof_of(board, "eve a Parent")
    assert len(proof.because) == len(ways(proof)) == MOST_WAYS


def test_two_friends_are_no_reason_for_each_other() -> None:
    """A symmetric fact asserted one way is inferred the other, and not back again."""
    board = board_of(FAMILY)
    revise(board, add=["abel friendOf cain"])
    assert proof_of(board, "abel friendOf cain").because == ()
    assert ways(proof_of(board, "cain friendOf abel")) == {
        ("prp-symp", frozenset({"abel friendOf cain", "friendOf a owl:SymmetricProperty"}))
    }


def test_an_inverse_is_no_reason_for_its_own() -> None:
    """Of two inverse facts the asserted one explains the other, and not back again."""
    board = board_of(FAMILY)
    revise(board, add=["eve hasChild abel"])
    assert proof_of(board, "eve hasChild abel").because == ()
    assert {way.rule for way in proof_of(board, "abel childOf eve").because} == {"prp-inv1"}


def test_a_chain_is_explained_link_by_link() -> None:
    """The proof of a property chain holds every link, down to what was asserted."""
    board = board_of(FAMILY)
    revise(board, add=["adam hasChild cain", "enoch childOf cain"])
    proof = proof_of(board, "adam hasGrandchild enoch")
    leaves = texts(p.fact for p in walk(proof) if p.kind == "asserted")
    assert leaves == {"adam hasChild cain", "enoch childOf cain"}


def test_explaining_changes_nothing() -> None:
    """The board is the same after an explanation."""
    board = board_of(FAMILY)
    revise(board, add=["a near b", "b near c"])
    before = everything(board)
    proof_of(board, "c near a")
    assert everything(board) == before


def test_a_bottle_is_explained_by_its_definition() -> None:
    """In the shipped ontology a thing is a bottle because it is shaped and sized like one."""
    board = shipped()
    told = ["x a Container", "x a GraspableObject", "x hasShape cylinder", "x hasMainDimension 0.2"]
    revise(board, add=told)
    proof = proof_of(board, "x a Bottle")
    assert texts(p.fact for p in walk(proof) if p.kind == "asserted") == set(told)
    assert is_founded(proof)


# --- Rings and dense relations -------------------------------------------------------------------


def ring(nodes: int) -> list[str]:
    """Facts that run round."""
    return [f"n{i} near n{(i + 1) % nodes}" for i in range(nodes)]


def path(nodes: int) -> list[str]:
    """Facts in a row."""
    return ring(nodes)[:-1]


def complete(nodes: int) -> list[str]:
    """Facts between all."""
    return [f"n{i} near n{j}" for i in range(nodes) for j in range(nodes) if i != j]


@pytest.mark.timeout(60)
@pytest.mark.parametrize("nodes", [3, 5, 8, 12])
@pytest.mark.parametrize("shape", [ring, path, complete])
def test_dense_relations_are_explained_in_time(shape: object, nodes: int) -> None:
    """Where every fact follows from many others, a well-founded proof is found within seconds."""
    assert callable(shape)
    board = board_of(FAMILY)
    told = shape(nodes)
    revise(board, add=told)
    for fact in (f"n0 near n{nodes - 1}", "n1 near n0", "n0 near n0", f"n0 near n{nodes // 2}"):
        start = time.process_time()
        proof = proof_of(board, fact)
        assert time.process_time() - start < 5
        assert is_founded(proof)
        assert len(proof.because) <= MOST_WAYS
        assert texts(p.fact for p in walk(proof) if p.kind == "asserted") <= set(told)


@pytest.mark.parametrize("links", [40, 150])
def test_a_long_transitive_chain_is_explained(links: int) -> None:
    """The two ends of a long row are explained, however the row came to be."""
    board = board_of(FAMILY)
    for i in range(links):
        revise(board, add=[f"n{i} before n{i + 1}"])
    assert is_founded(proof_of(board, f"n0 before n{links}"))


@pytest.mark.parametrize("steps", [50, 400])
def test_a_deep_inference_is_explained(steps: int) -> None:
    """A fact hundreds of inferences away is explained as far as can be read."""
    board = board_of(" ".join(f":p{i} owl:inverseOf :p{i + 1} ." for i in range(steps)))
    revise(board, add=["x p0 y"])
    proof = proof_of(board, f"x p{steps} y")
    assert is_founded(proof)
    assert depth(proof) > 50
    assert steps > 50 or is_whole(proof)


# --- Laws ----------------------------------------------------------------------------------------


def flat(groups: list[tuple[Statement, ...]]) -> list[Statement]:
    """The statements of some groups, each once."""
    return list(dict.fromkeys(statement for group in groups for statement in group))


_TOLD = st.lists(st.one_of(axioms(), facts(), facts()), min_size=1, max_size=8).map(flat)


def board_with(told: list[Statement]) -> Board:
    """A board with some statements in the robot's model."""
    board = board_of()
    revise(board, add=[list(s) for s in told])
    return board


def some_inference(board: Board, data: st.DataObject) -> Statement:
    """One of the inferred facts."""
    found = sorted(f for f in board.model("myself").reasoner.inferred())
    assume(found)
    return data.draw(st.sampled_from(found))


@law(150)
@given(_TOLD, st.data())
def test_every_way_really_derives(told: list[Statement], data: st.DataObject) -> None:
    """The premises of every way hold, and alone, closed under the rules, they give the fact."""
    board = board_with(told)
    model = board.model("myself")
    proof = explain(model, some_inference(board, data), board.budget())
    for node in walk(proof):
        for way in node.because:
            assert way.rule in RULES
            premises = [p.fact for p in way.premises]
            assert all(map(model.reasoner.holds, premises))
            alone = Reasoner(board.common.reasoner)
            alone.change((), premises, 0.0, board.budget())
            assert alone.holds(node.fact)


@law(150)
@given(_TOLD, st.data())
def test_every_proof_is_well_founded(told: list[Statement], data: st.DataObject) -> None:
    """No fact is among its own reasons, and every branch ends in what was said."""
    board = board_with(told)
    proof = explain(board.model("myself"), some_inference(board, data), board.budget())
    assert is_founded(proof)
    nodes = list(walk(proof))
    assert all(len(node.because) <= MOST_WAYS for node in nodes)
    if len(nodes) < MOST_NODES:
        assert all(node.because for node in nodes if node.kind == "inferred")


@law(200)
@given(_TOLD, st.data())
def test_removal_truly_removes(told: list[Statement], data: st.DataObject) -> None:
    """With one reason of every way withdrawn, the inference is gone."""
    board = board_with(told)
    fact = some_inference(board, data)
    proof = explain(board.model("myself"), fact, board.budget())
    assume(is_whole(proof))
    gone = removal(proof, lambda premises: data.draw(st.sampled_from(list(premises))))
    revise(board, retract=[list(s) for s in gone])
    assert not board.model("myself").reasoner.holds(fact)


@law(100)
@given(_TOLD, st.data())
def test_what_a_proof_rests_on_suffices(told: list[Statement], data: st.DataObject) -> None:
    """The asserted leaves of a proof, told to an empty board, give the fact again."""
    board = board_with(told)
    fact = some_inference(board, data)
    proof = explain(board.model("myself"), fact, board.budget())
    assume(is_whole(proof))
    leaves = [list(node.fact) for node in walk(proof) if node.kind == "asserted"]
    again = board_of()
    revise(again, add=leaves)
    assert again.model("myself").reasoner.holds(fact)


def test_removing_a_reason_in_the_shipped_ontology_removes() -> None:
    """What somebody sees is no longer in view when the one reason for it is withdrawn."""
    board = shipped()
    revise(board, add=["ball isVisible true"])
    proof = proof_of(board, "myself sees ball")
    gone = removal(proof, lambda premises: premises[0])
    assert texts(gone) == {"ball isVisible true"}
    revise(board, retract=[list(s) for s in gone])
    assert not holds(board, "myself sees ball")


def test_a_path_shows_its_ways_in_whatever_order_they_were_told() -> None:
    """A link that was a path before it had a reason of its own is the beginning of a way too."""
    board = board_of(":isIn a owl:TransitiveProperty . :contains owl:inverseOf :isIn .")
    for told in ("pen isIn box", "box isIn room", "room contains pen", "room isIn house"):
        revise(board, add=[told])
    ways = proof_of(board, "pen isIn house").because
    firsts = {frozenset(texts(p.fact for p in way.premises)) for way in ways}
    assert {"pen isIn room", "room isIn house"} <= frozenset().union(*firsts)
    assert len([way for way in ways if way.rule == "prp-trp"]) == 2
