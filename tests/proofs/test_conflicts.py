"""Contradictions: named by rule and facts, never in the way, and repaired by retracting."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb_server.core.models.board import Board
from kb_server.core.terms.statements import Statement
from tests.laws.worlds import axioms, facts
from tests.models.boards import board_of, everything, facts_of, holds, revise, shipped, texts
from tests.trials import law

ZOO = """
:Cat rdfs:subClassOf :Animal ; owl:disjointWith :Dog . :Dog rdfs:subClassOf :Animal ;
  owl:disjointWith :Cat . :Kitten rdfs:subClassOf :Cat .
:weighs a owl:FunctionalProperty . :under owl:propertyDisjointWith :over .
:olderThan a owl:AsymmetricProperty , owl:IrreflexiveProperty .
[] owl:sourceIndividual :tom ; owl:assertionProperty :likes ; owl:targetIndividual :rex .
:barks rdfs:domain :Dog .
"""


def found(board: Board, model: str = "myself") -> set[tuple[str, frozenset[str]]]:
    """The contradictions of a model: each rule with the assertions to blame."""
    return {(c.rule, frozenset(texts(c.facts))) for c in board.conflicts(model)}


@pytest.mark.parametrize(
    ("told", "rule", "blamed"),
    [
        (["tom a Cat", "tom a Dog"], "cax-dw", {"tom a Cat", "tom a Dog"}),
        (["tom a Kitten", "tom barks rex"], "cax-dw", {"tom a Kitten", "tom barks rex"}),
        (["tom weighs 3", "tom weighs 4"], "prp-fp", {"tom weighs 3", "tom weighs 4"}),
        (["a under b", "a over b"], "prp-pdw", {"a under b", "a over b"}),
        (["a olderThan b", "b olderThan a"], "prp-asyp", {"a olderThan b", "b olderThan a"}),
        (["tom likes rex"], "prp-npa1", {"tom likes rex"}),
        (["tom a owl:Nothing"], "cls-nothing2", {"tom a owl:Nothing"}),
        (['tom weighs "heavy"^^xsd:decimal'], "dt-not-type", {'tom weighs "heavy"^^xsd:decimal'}),
    ],
)  # fmt: skip
def test_a_conflict_names_its_rule_and_the_assertions_to_blame(
    told: list[str], rule: str, blamed: set[str]
) -> None:
    """A contradiction is told once, by the rule that finds it and what was said to cause it."""
    board = board_of(ZOO)
    revise(board, add=[*told, "rex a Animal"])
    assert found(board) == {(rule, frozenset(blamed))}
    (conflict,) = board.conflicts("myself")
    assert rule in conflict.message


def test_a_thing_older_than_itself_contradicts_twice() -> None:
    """Two rules that find fault with one fact are two contradictions."""
    board = board_of(ZOO)
    revise(board, add=["a olderThan a"])
    assert {rule for rule, _ in found(board)} == {"prp-irp", "prp-asyp"}
    assert {blamed for _, blamed in found(board)} == {frozenset({"a olderThan a"})}


def test_an_axiom_told_at_run_time_may_be_to_blame() -> None:
    """What was asserted about classes is blamed along with what was asserted about things."""
    board = board_of()
    revise(board, add=["Cat owl:disjointWith Hat", "tom a Cat", "tom a Hat"])
    assert found(board) == {
        ("cax-dw", frozenset({"Cat owl:disjointWith Hat", "tom a Cat", "tom a Hat"}))
    }


def test_the_same_contradiction_is_listed_once() -> None:
    """Declared both ways round, found by several routes: one contradiction is told once."""
    board = board_of(ZOO)
    board.create("sally")
    for model in ("myself", "sally"):
        revise(board, model, add=["tom a Cat", "tom a Dog", "tom a Kitten", "tom barks rex"])
        conflicts = board.conflicts(model)
        assert len(conflicts) == len({(c.rule, c.message) for c in conflicts}) == 1


@pytest.mark.parametrize(
    "told",
    [
        ["a owl:sameAs b", "a owl:differentFrom b"],
        ["a owl:sameAs b", "a a Cat", "b a Dog"],
        ["a owl:sameAs b", "a weighs 1", "b weighs 2"],
    ],
)
def test_the_same_contradiction_under_two_names_is_listed_once(told: list[str]) -> None:
    """That a thing has two names makes no second contradiction of one rule and the same blame."""
    board = board_of(ZOO)
    revise(board, add=told)
    (conflict,) = board.conflicts("myself")
    assert texts(conflict.facts) == set(told)


def test_one_assertion_may_contradict_in_two_ways() -> None:
    """Two rules broken by the same assertion are two contradictions, by whatever same name."""
    axioms = ":Odd rdfs:subClassOf :Cat , :Dog , :Hat . :Cat owl:disjointWith :Dog , :Hat ."
    board = board_of(axioms)
    revise(board, add=["x a Odd"])
    assert len(board.conflicts("myself")) == 2


def test_a_conflict_of_three_values_has_three_pairs() -> None:
    """Each two values that can't both be are a contradiction of their own."""
    board = board_of(ZOO)
    revise(board, add=["tom weighs 1", "tom weighs 2", "tom weighs 3"])
    assert len(board.conflicts("myself")) == 3


def test_a_conflict_blocks_nothing_else() -> None:
    """In a contradictory model all else is inferred, asked and changed as ever."""
    board = board_of(ZOO)
    revise(board, add=["tom a Cat", "tom a Dog"])
    revise(board, add=["rex barks tom"])
    assert holds(board, "rex a Animal")
    revise(board, update=["rex weighs 3"])
    revise(board, update=["rex weighs 4"])
    assert facts_of(board) == {
        "tom a Cat", "tom a Dog", "tom a Animal", "rex barks tom", "rex a Dog", "rex a Animal",
        "rex weighs 4",
    }  # fmt: skip
    assert len(board.conflicts("myself")) == 1


def test_a_conflict_is_no_fact() -> None:
    """Contradictions are in no delta, in no answer and not among the facts."""
    board = board_of(ZOO)
    delta = revise(board, add=["tom a Cat", "tom a Dog"])
    assert delta is not None
    assert texts(delta.became_true) == facts_of(board) == {"tom a Cat", "tom a Dog", "tom a Animal"}
    assert board.models()[0].inferred == 1


def test_a_car_is_no_bottle() -> None:
    """In the shipped ontology a car that is a bottle contradicts itself, and is repaired."""
    board = shipped()
    revise(board, add=["x a Car", "x a Bottle"])
    assert board.conflicts("myself")
    for conflict in board.conflicts("myself"):
        assert texts(conflict.facts) <= {"x a Car", "x a Bottle"}
    revise(board, retract=["x a Bottle"])
    assert not board.conflicts("myself")


def test_asking_for_conflicts_changes_nothing() -> None:
    """The board is the same after it has been asked for its contradictions."""
    board = board_of(ZOO)
    revise(board, add=["tom a Cat", "tom a Dog"])
    before = everything(board)
    board.conflicts("myself")
    assert everything(board) == before


def flat(groups: list[tuple[Statement, ...]]) -> list[Statement]:
    """The statements of some groups, each once."""
    return list(dict.fromkeys(statement for group in groups for statement in group))


_TOLD = st.lists(st.one_of(axioms(), facts(), facts()), min_size=2, max_size=12).map(flat)


@law(150)
@given(_TOLD)
def test_only_assertions_are_blamed_and_retracting_them_repairs(told: list[Statement]) -> None:
    """Blame falls on assertions only, and withdrawing the blamed ends in a consistent model."""
    board = board_of()
    revise(board, add=[list(s) for s in told])
    for _ in range(len(told) + 1):
        conflicts = board.conflicts("myself")
        if not conflicts:
            break
        asserted = set(board.model("myself").assertions)
        assert all(c.facts and set(c.facts) <= asserted for c in conflicts)
        revise(board, retract=[list(s) for s in conflicts[0].facts])
    assert not board.conflicts("myself")


@law(150)
@given(_TOLD)
def test_the_blamed_alone_contradict(told: list[Statement]) -> None:
    """Told to an empty board, those blamed for a contradiction contradict by the same rule."""
    board = board_of()
    revise(board, add=[list(s) for s in told])
    for conflict in board.conflicts("myself"):
        alone = board_of()
        revise(alone, add=[list(s) for s in conflict.facts])
        assert conflict.rule in {c.rule for c in alone.conflicts("myself")}


@law(100)
@given(_TOLD)
def test_contradictions_are_listed_once_each(told: list[Statement]) -> None:
    """No two contradictions of a model have the same rule and message."""
    board = board_of()
    revise(board, add=[list(s) for s in told])
    told_of = [(c.rule, c.message) for c in board.conflicts("myself")]
    assert len(told_of) == len(set(told_of))
