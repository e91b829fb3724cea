"""Asking a model (contract 4): find and check."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb_server.core.models.board import Board, BoardSettings
from kb_server.core.questions.query import MOST_PATTERNS, Row, find
from kb_server.core.terms.statements import Pattern, Statement
from kb_server.errors import BadRequest, TooCostly
from tests.models.boards import answers, board_of, everything, holds, revise, shipped
from tests.queries.brute_force import rows
from tests.trials import law

THINGS = ("a", "b", "c", "p")
WORDS = ("p", "q", "rdf:type")
ENDS = (*THINGS, "1", '"a"')
FACTS = st.sets(st.tuples(*map(st.sampled_from, (THINGS, WORDS, ENDS))), min_size=1, max_size=8)
VARIABLES = ("?x", "?y", "?z", "*")
PATTERNS = st.lists(
    st.tuples(
        *(st.sampled_from((*VARIABLES, *VARIABLES, *pool)) for pool in (THINGS, WORDS, ENDS))
    ),
    min_size=1,
    max_size=4,
)


def in_order(found: list[Row]) -> list[list[tuple[str, str]]]:
    """Rows in an order of their own, to be compared."""
    return sorted(sorted(row.items()) for row in found)


def board_with(facts: set[Statement], common: set[Statement] | None = None) -> Board:
    """A board with some facts in the robot's model."""
    lines = " ".join(f"{s} {p} {o} ." for s, p, o in map(_in_turtle, common or ()))
    board = board_of(lines)
    revise(board, add=[list(fact) for fact in facts])
    return board


def _in_turtle(fact: Statement) -> Statement:
    s, p, o = (f":{t}" if t in THINGS or t == "q" else t for t in fact)
    return s, p, o


@law(300)
@given(FACTS, PATTERNS)
def test_find_answers_as_brute_force_does(facts: set[Statement], asked: list[Pattern]) -> None:
    """Any conjunction has the bindings that trying everything finds, each once."""
    board = board_with(facts)
    found = find(asked, board.model("myself").view, board.budget())
    assert in_order(found) == in_order(rows(asked, facts))


@law(100)
@given(FACTS, FACTS, PATTERNS)
def test_find_sees_model_and_common_sense_as_one(
    facts: set[Statement], common: set[Statement], asked: list[Pattern]
) -> None:
    """What the ontology says and what the model holds answer together, each once."""
    board = board_with(facts, common)
    found = find(asked, board.model("myself").view, board.budget())
    assert in_order(found) == in_order(rows(asked, facts | common))


@law(150)
@given(FACTS, PATTERNS)
def test_check_is_whether_find_finds(facts: set[Statement], asked: list[Pattern]) -> None:
    """A conjunction holds just when it has a binding."""
    board = board_with(facts)
    texts = [" ".join(pattern) for pattern in asked]
    assert holds(board, *texts) == bool(answers(board, *texts))


@law(150)
@given(FACTS, PATTERNS, st.data())
def test_select_projects_and_limit_cuts(
    facts: set[Statement], asked: list[Pattern], data: st.DataObject
) -> None:
    """A selection gives the distinct values of its variables, a limit so many of them."""
    everything_found = rows(asked, facts)
    named = sorted({term for p in asked for term in p if term[0] == "?"})
    select = data.draw(st.lists(st.sampled_from(named), unique=True)) if named else []
    limit = data.draw(st.integers(1, 4))
    board = board_with(facts)
    view = board.model("myself").view
    wanted = {tuple((n[1:], row[n[1:]]) for n in select) for row in everything_found}
    found = find(asked, view, board.budget(), select)
    assert sorted(tuple(row.items()) for row in found) == sorted(wanted)
    some = find(asked, view, board.budget(), select, limit)
    assert len(some) == min(limit, len(wanted))
    assert all(row in found for row in some)


@law(50)
@given(FACTS, PATTERNS)
def test_a_question_changes_nothing(facts: set[Statement], asked: list[Pattern]) -> None:
    """The whole board is the same after a question."""
    board = board_with(facts)
    before = everything(board)
    find(asked, board.model("myself").view, board.budget())
    assert everything(board) == before


def test_without_named_variables_the_answer_is_one_empty_row_or_none() -> None:
    """A conjunction that names no variable is answered `[{}]` when it holds, else `[]`."""
    board = board_of()
    revise(board, add=["a isIn b", "c isIn b"])
    assert answers(board, "a isIn b") == [{}]
    assert answers(board, "* isIn *", "* * b") == [{}]
    assert answers(board, "b isIn *") == []
    assert answers(board, "?x isIn b", select=[]) == [{}]
    assert answers(board, "?x isIn a", select=[]) == []


def test_each_star_stands_for_itself() -> None:
    """Two `*` need not be the same thing, and none is in the answer."""
    board = board_of()
    revise(board, add=["a isIn b", "c isOn d"])
    assert answers(board, "?x isIn *", "* isOn *") == [{"x": "a"}]


def test_a_variable_named_twice_is_one_thing() -> None:
    """The same variable has the same value everywhere, within a pattern and between them."""
    board = board_of()
    revise(board, add=["a isIn a", "a isIn b", "isIn isIn isIn", "b isOn c"])
    assert in_order(answers(board, "?x isIn ?x")) == in_order([{"x": "a"}, {"x": "isIn"}])
    assert answers(board, "?x ?x ?x") == [{"x": "isIn"}]
    assert answers(board, "?x isIn ?y", "?y isOn ?z") == [{"x": "a", "y": "b", "z": "c"}]


def test_a_variable_may_stand_for_the_predicate() -> None:
    """Relations can be asked for; the type is answered in its form as a name."""
    board = board_of()
    revise(board, add=["a isIn b", "a a Box"])
    found = {row["p"] for row in answers(board, "a ?p ?o")}
    assert len(found) == 2
    assert all(board.names.term(p) in ("isIn", "rdf:type") for p in found)


def test_literals_are_found_by_their_normal_form() -> None:
    """A number is found however it is spelled, and not under another datatype."""
    board = board_of()
    revise(board, add=["a weighs 0.30", 'a says "héllo"@EN', "a old true"])
    assert answers(board, "?x weighs 0.3") == [{"x": "a"}]
    assert answers(board, '?x weighs "00.300"^^xsd:decimal') == [{"x": "a"}]
    assert answers(board, '?x says "h\\u00e9llo"@en') == [{"x": "a"}]
    assert answers(board, '?x old "1"^^xsd:boolean') == [{"x": "a"}]
    assert not holds(board, '?x says "héllo"')


def test_the_ontologys_nameless_nodes_never_appear() -> None:
    """Restrictions and lists of the ontology are bookkeeping: no answer names one."""
    board = shipped()
    revise(board, add=["b1 a Bottle", "sally a Human"])
    for asked in ("?s ?p ?o", "Bottle ?p ?o", "b1 a ?c", "?n rdf:first ?x", "?c a owl:Class"):
        found = answers(board, asked)
        assert not any(term.startswith("_:") for row in found for term in row.values())
    assert not any(f[2].startswith("_:") for f in board.model("myself").facts())


def test_a_persons_blank_node_is_an_answer() -> None:
    """A nameless thing that somebody told of is found under its label."""
    board = shipped()
    revise(board, add=["_:b1 a Ball"])
    assert answers(board, "?x a Ball") == [{"x": "_:b1"}]


def test_many_patterns_are_answered() -> None:
    """A conjunction of as many patterns as are allowed is joined from end to end."""
    board = board_of()
    revise(board, add=[f"n{i} next n{i + 1}" for i in range(MOST_PATTERNS)])
    (row,) = answers(board, *(f"?v{i} next ?v{i + 1}" for i in range(MOST_PATTERNS)))
    assert (row["v0"], row[f"v{MOST_PATTERNS}"]) == ("n0", f"n{MOST_PATTERNS}")


@pytest.mark.parametrize(
    ("asked", "select", "limit"),
    [
        ([], None, None),
        (["?x isIn b"] * (MOST_PATTERNS + 1), None, None),
        (["?x isIn b"], ["?y"], None),
        (["?x isIn b"], ["y"], None),
        (["* isIn b"], ["?*0"], None),
        (["* isIn b"], ["*"], None),
        (["?x isIn b"], None, 0),
        (["?x isIn b"], None, -1),
    ],
)
def test_bad_questions_are_refused(
    asked: list[str], select: list[str] | None, limit: int | None
) -> None:
    """No patterns, too many, a strange selection or limit: an error that says so."""
    board = board_of()
    revise(board, add=["a isIn b"])
    with pytest.raises(BadRequest, match=r"."):
        answers(board, *asked, select=select, limit=limit)


@pytest.mark.parametrize("asked", [[], ["?x isIn b"] * (MOST_PATTERNS + 1)])
def test_bad_checks_are_refused(asked: list[str]) -> None:
    """Checking no patterns, or too many, is an error."""
    with pytest.raises(BadRequest, match="patterns"):
        holds(board_of(), *asked)


def test_a_cross_product_is_stopped() -> None:
    """A question whose answer would never end is given up within the contract's ten seconds."""
    board = board_of()
    revise(board, add=[f"x{i} p y{i}" for i in range(2_000)])
    start = time.process_time()
    with pytest.raises(TooCostly, match="steps"):
        answers(board, "?a p ?b", "?c p ?d", "?e p ?f")
    assert time.process_time() - start < 10


def test_the_budget_is_a_setting() -> None:
    """The steps that a question may take can be set, and what is cheaper is answered."""
    board = board_of("", BoardSettings(steps=3_000))
    revise(board, add=[f"x{i} p y{i}" for i in range(50)])
    assert len(answers(board, "?a p ?b")) == 50
    assert len(answers(board, "?a p ?b", "?c p ?d", limit=3)) == 3
    with pytest.raises(TooCostly, match="3000"):
        answers(board, "?a p ?b", "?c p ?d")


def test_the_most_selective_pattern_goes_first() -> None:
    """The order in which patterns are written makes no difference to the work."""
    board = board_of("", BoardSettings(steps=200))
    revise(board, add=[f"x{i} p y{i}" for i in range(2_000)] + ["x7 q z"])
    assert answers(board, "?a p ?b", "?a q z") == [{"a": "x7", "b": "y7"}]
    assert answers(board, "?a q z", "?a p ?b") == [{"a": "x7", "b": "y7"}]
