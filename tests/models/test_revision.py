"""Changing a model (contract 3): one request is one atomic delta."""

import math
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb_server.core.models.board import Board, BoardSettings
from kb_server.core.models.delta import ModelDelta
from kb_server.core.models.lifespans import Assertion
from kb_server.errors import (
    BadRequest,
    BadStatement,
    BoardError,
    Inconsistent,
    TooCostly,
    UnknownMemory,
    UnknownModel,
)
from tests.models.boards import (
    Request,
    answers,
    board_of,
    everything,
    facts_of,
    holds,
    read,
    revise,
    shipped,
    texts,
)

ZOO = """
:Cat rdfs:subClassOf :Animal . :Dog rdfs:subClassOf :Animal . :Cat owl:disjointWith :Dog .
:weighs a owl:FunctionalProperty . :weighsExactly rdfs:subPropertyOf :weighs .
:mass owl:equivalentProperty :weighs . :home a owl:FunctionalProperty .
:near a owl:SymmetricProperty .
"""


def became(delta: ModelDelta | None) -> set[str]:
    """What a delta made true."""
    assert delta is not None
    return texts(delta.became_true)


def ceased(delta: ModelDelta | None) -> set[str]:
    """What ceased with a delta."""
    assert delta is not None
    return texts(delta.ceased)


def asserted(board: Board) -> set[str]:
    """What is asserted in the robot's model."""
    return texts(board.model("myself").assertions)


# --- One atomic delta ----------------------------------------------------------------------------


def test_a_request_is_one_delta_net_after_inference() -> None:
    """What is inferred comes and goes with what it follows from, in the same delta."""
    board = board_of(ZOO)
    delta = revise(board, add=["tom a Cat", "tom near rex"])
    assert became(delta) == {"tom a Cat", "tom a Animal", "tom near rex", "rex near tom"}
    delta = revise(board, add=["tom a Dog"], retract=["tom a Cat"])
    assert (became(delta), ceased(delta)) == ({"tom a Dog"}, {"tom a Cat"})


def test_retract_comes_before_update_and_update_before_add() -> None:
    """What is retracted and asserted in one request is there after it."""
    board = board_of(ZOO)
    revise(board, add=["ball isIn box", "tom weighs 3"])
    revise(board, retract=["* * *"], update=["tom weighs 4"], add=["ball isIn bag", "tom weighs 5"])
    assert asserted(board) == {"tom weighs 4", "tom weighs 5", "ball isIn bag"}


def test_what_is_retracted_and_added_at_once_is_neither_new_nor_gone() -> None:
    """A fact retracted and added again in one request stays, and no list names it."""
    board = board_of()
    revise(board, add=["ball isIn box", "cup isIn box"])
    delta = revise(board, retract=["* isIn box"], add=["ball isIn box"], source="eyes")
    assert (became(delta), ceased(delta)) == (set(), {"cup isIn box"})
    assert facts_of(board) == {"ball isIn box"}


def test_adding_puts_out_the_old_value_that_is_also_added() -> None:
    """An update's old value that the same request adds is there after it: add comes last."""
    board = board_of(ZOO)
    revise(board, add=["tom weighs 3"])
    revise(board, update=["tom weighs 4"], add=["tom weighs 3"])
    assert asserted(board) == {"tom weighs 3", "tom weighs 4"}
    assert board.conflicts("myself")


@pytest.mark.parametrize(
    ("request_", "error"),
    [
        ({"add": ["ball isIn box", "ball isIn"]}, BadStatement),
        ({"add": ["ball isIn box", "ball isIn *"]}, BadStatement),
        ({"add": ["ball isIn box"], "update": ["?x isIn box"]}, BadStatement),
        ({"add": ["ball isIn box"], "retract": ["nope:x isIn *"]}, BadStatement),
        ({"add": ["ball isIn box"], "retract": ['"x" isIn *']}, BadStatement),
        ({"add": ["ball isIn box"], "memory": "forever"}, UnknownMemory),
        ({"add": ["ball isIn box"], "memory": ""}, UnknownMemory),
        ({"add": ["ball isIn box"], "ttl": 0.0}, BadRequest),
        ({"add": ["ball isIn box"], "ttl": -1.0}, BadRequest),
        ({"add": ["ball isIn box"], "ttl": math.nan}, BadRequest),
        ({"add": ["ball isIn box"], "ttl": math.inf}, BadRequest),
        ({"add": ["x a Cat"], "update": ["tom weighs 4", "tom weighs 5"]}, BadRequest),
        ({"add": ["x a Cat", "x a Dog"], "if_consistent": True}, Inconsistent),
    ],
)
def test_a_bad_request_changes_nothing(request_: Request, error: type[BoardError]) -> None:
    """Whatever is wrong with a request, the whole board is as before, seq and timers included."""
    board = board_of(ZOO)
    revise(board, add=["tom a Cat", "tom weighs 3"], ttl=5.0, source="eyes")
    before = everything(board)
    with pytest.raises(error, match=r"."):
        revise(board, **request_)
    assert everything(board) == before


def test_an_unknown_model_changes_nothing() -> None:
    """A request to a model that is not there leaves the board as it was."""
    board = board_of(ZOO)
    before = everything(board)
    with pytest.raises(UnknownModel, match="sally"):
        revise(board, "sally", add=["tom a Cat"])
    assert everything(board) == before


def test_a_request_that_changes_nothing_is_no_delta() -> None:
    """Saying the same again, withdrawing what is not there or asking nothing has no delta."""
    board = board_of(ZOO)
    revise(board, add=["tom a Cat"], source="eyes")
    assert revise(board, now=1.0, add=["tom a Cat"], source="eyes") is None
    assert revise(board, retract=["rex a *", "tom a Dog"]) is None
    assert revise(board) is None
    assert board.seq == 1


def test_seq_is_global_gap_free_and_increasing() -> None:
    """Deltas of all models are numbered in one row, and each model knows its newest."""
    board = board_of(ZOO)
    seen: list[ModelDelta] = []
    board.on_delta.append(seen.append)
    for name in ("sally", "anne"):
        board.create(name)
    for i in range(4):
        for name in ("myself", "sally", "anne"):
            revise(board, name, add=[f"b{i} isIn box", "again isIn box"])
        with pytest.raises(Inconsistent, match=r"."):
            revise(board, add=["x a Cat", "x a Dog"], if_consistent=True)
    board.delete("anne", 0.0)
    assert [delta.seq for delta in seen] == list(range(1, 14)) == list(range(1, board.seq + 1))
    assert {m.id: m.seq for m in board.models()} == {"myself": 10, "sally": 11}


def test_too_costly_a_change_is_rolled_back_whole() -> None:
    """A chain of a transitive relation past the cap leaves the board as it was, and usable."""
    board = board_of(":next a owl:TransitiveProperty .", BoardSettings(derivations=500))
    revise(board, add=["n0 next n1", "n1 next n2", "x isIn box"], ttl=9.0)
    before = everything(board)
    with pytest.raises(TooCostly, match="steps"):
        revise(
            board,
            retract=["x isIn *"],
            add=[f"n{i} next n{i + 1}" for i in range(200)],
        )
    assert everything(board) == before
    assert became(revise(board, add=["n2 next n3"])) == {"n2 next n3", "n1 next n3", "n0 next n3"}


def test_too_costly_an_axiom_is_rolled_back_whole() -> None:
    """Declaring a relation of many facts transitive past the cap leaves no trace of it."""
    board = board_of("", BoardSettings(derivations=500))
    for i in range(100):
        revise(board, add=[f"n{i} next n{i + 1}"])
    before = everything(board)
    with pytest.raises(TooCostly, match="steps"):
        revise(board, add=["next a owl:TransitiveProperty"])
    assert everything(board) == before


def test_a_load_may_be_as_large_as_what_it_says() -> None:
    """A delta may infer in proportion to what it tells, as one that loads a whole room does."""
    board = board_of(":Cup rdfs:subClassOf :Thing1 . :Thing1 rdfs:subClassOf :Thing2 .",
                     BoardSettings(derivations=10))  # fmt: skip
    assert len(became(revise(board, add=[f"cup{i} a Cup" for i in range(2_000)]))) == 6_000
    with pytest.raises(TooCostly, match="steps"):
        revise(board, add=["Thing2 rdfs:subClassOf Thing3"])


def test_what_was_accepted_can_be_withdrawn() -> None:
    """Whatever was told within the bounds, step by step, goes in one step."""
    board = board_of(":next a owl:TransitiveProperty .", BoardSettings(derivations=300))
    for i in range(120):
        revise(board, add=[f"n{i} next n{i + 1}"])
    delta = revise(board, retract=["n60 next n61"])
    assert delta is not None
    assert len(delta.ceased) == 61 * 60
    revise(board, retract=["* * *"])
    assert facts_of(board) == set()


# --- Retract -------------------------------------------------------------------------------------

_STORED = ["a isIn a", "a isIn b", "b isIn b", 'a says "isIn"', "a weighs 0.3", "b a Box"]


@pytest.mark.parametrize(
    ("pattern", "left"),
    [
        ("a isIn b", {"a isIn a", "b isIn b", 'a says "isIn"', "a weighs 0.3", "b a Box"}),
        ("?x isIn ?x", {"a isIn b", 'a says "isIn"', "a weighs 0.3", "b a Box"}),
        ("* isIn *", {'a says "isIn"', "a weighs 0.3", "b a Box"}),
        ("?x isIn b", {"a isIn a", 'a says "isIn"', "a weighs 0.3", "b a Box"}),
        ("a * *", {"b isIn b", "b a Box"}),
        ("* * b", {"a isIn a", 'a says "isIn"', "a weighs 0.3", "b a Box"}),
        ("a ?p a", {"a isIn b", "b isIn b", 'a says "isIn"', "a weighs 0.3", "b a Box"}),
        ("* a *", {"a isIn a", "a isIn b", "b isIn b", 'a says "isIn"', "a weighs 0.3"}),
        ("a weighs 0.300", set(_STORED) - {"a weighs 0.3"}),
        ('* says "isIn"', set(_STORED) - {'a says "isIn"'}),
        ("* * 0.3", set(_STORED) - {"a weighs 0.3"}),
        ("* * *", set()),
        ("?x ?x ?x", set(_STORED)),
        ("c isIn *", set(_STORED)),
    ],
)
def test_retract_takes_in_what_its_pattern_fits(pattern: str, left: set[str]) -> None:
    """A variable stands for any term, the same one wherever it is named; a `*` for any each."""
    board = board_of()
    revise(board, add=_STORED)
    delta = revise(board, retract=[pattern])
    assert facts_of(board) == left
    if delta is not None:
        assert ceased(delta) == set(_STORED) - left


def test_retracting_what_is_only_inferred_changes_nothing() -> None:
    """Only assertions are withdrawn: what follows from others stays true."""
    board = board_of(ZOO)
    revise(board, add=["tom a Cat"])
    assert revise(board, retract=["tom a Animal", "* a Animal"]) is None
    assert holds(board, "tom a Animal")


def test_a_retracted_fact_that_follows_from_others_stays_true() -> None:
    """An assertion withdrawn stays as an inference while it is one, and the delta is empty."""
    board = board_of(ZOO)
    revise(board, add=["tom a Cat", "tom a Animal"])
    delta = revise(board, retract=["tom a Animal"])
    assert (became(delta), ceased(delta)) == (set(), set())
    assert board.model("myself").kind(read(board, "tom a Animal")) == "inferred"
    assert ceased(revise(board, retract=["tom a Cat"])) == {"tom a Cat", "tom a Animal"}


def test_the_common_sense_cannot_be_retracted() -> None:
    """What the ontology says is no assertion of the model, so nothing withdraws it."""
    board = board_of(ZOO)
    assert revise(board, retract=["* * *"]) is None
    assert holds(board, "Cat rdfs:subClassOf Animal")


def test_common_sense_can_be_said_again_and_taken_back() -> None:
    """Restating the ontology is an assertion of its own, by wildcard or by name withdrawn."""
    for pattern in ("Cat rdfs:subClassOf Animal", "Cat * *", "* * *", "* rdfs:subClassOf ?x"):
        board = board_of(ZOO)
        before = facts_of(board)
        delta = revise(board, add=["Cat rdfs:subClassOf Animal"], ttl=5.0)
        assert (
            became(delta),
            board.model("myself").kind(read(board, "Cat rdfs:subClassOf Animal")),
        ) == (
            set(),
            "asserted",
        )
        delta = revise(board, retract=[pattern])
        assert delta is not None
        assert ceased(delta) == set()
        assert facts_of(board) == before
        assert holds(board, "Cat rdfs:subClassOf Animal")
        assert not board.model("myself").assertions


# --- Update --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("tom weighs 3", "tom weighs 4"),
        ("tom weighs 3", 'tom weighs "3.0"^^xsd:double'),
        ("tom weighs 3", "tom weighsExactly 4"),
        ("tom weighsExactly 3", "tom weighs 4"),
        ("tom weighsExactly 3", "tom weighsExactly 4"),
        ("tom mass 3", "tom weighs 4"),
        ("tom weighs 3", "tom mass 4"),
        ("tom mass 3", "tom weighsExactly 4"),
        ("tom home house", "tom home barn"),
    ],
)
def test_update_replaces_the_value_of_a_functional_property(old: str, new: str) -> None:
    """The old value goes in the same delta, whichever of the related properties it was told by."""
    board = board_of(ZOO)
    revise(board, add=[old, "rex weighs 3", "rex home house"])
    delta = revise(board, update=[new])
    assert texts(board.model("myself").assertions) == {new, "rex weighs 3", "rex home house"} - {
        old
    }
    assert old in ceased(delta)
    assert new in became(delta)
    assert not board.conflicts("myself")


@pytest.mark.parametrize("word", ["isVisible", "isInFieldOfView"])
@pytest.mark.parametrize("other", ["isVisible", "isInFieldOfView"])
def test_being_visible_and_in_view_have_one_value(word: str, other: str) -> None:
    """In the shipped ontology the two names of one functional property update each other."""
    board = shipped()
    revise(board, add=[f"ball {word} true"])
    assert holds(board, "myself sees ball")
    revise(board, update=[f"ball {other} false"])
    assert {row["v"] for row in answers(board, "ball ?p ?v", select=["?p", "?v"])} >= {"false"}
    assert not holds(board, f"ball {word} true")
    assert not holds(board, "myself sees ball")
    assert not board.conflicts("myself")


def test_update_of_any_other_property_is_add() -> None:
    """Where more than one value may be, an update only adds."""
    board = board_of(ZOO)
    revise(board, add=["tom likes fish"])
    delta = revise(board, update=["tom likes milk", "tom likes tea"])
    assert (became(delta), ceased(delta)) == ({"tom likes milk", "tom likes tea"}, set())


def test_update_to_the_same_value_renews_it() -> None:
    """An update to what is already so changes no fact, but its lifetime."""
    board = board_of(ZOO)
    revise(board, add=["tom weighs 3"], ttl=5.0)
    delta = revise(board, now=4.0, update=["tom weighs 3"], ttl=5.0)
    assert (became(delta), ceased(delta)) == (set(), set())
    assert board.expire(6.0) == []
    assert len(board.expire(9.0)) == 1


def test_a_property_is_functional_from_the_next_request_in_its_model_only() -> None:
    """What is declared functional at run time is honoured then, there, until it is withdrawn."""
    board = board_of()
    board.create("sally")
    revise(board, add=["x color red"])
    revise(board, "sally", add=["x color red"])
    revise(board, add=["color a owl:FunctionalProperty"], update=["x color red"])
    for model in ("myself", "sally"):
        revise(board, model, update=["x color blue"])
    assert not holds(board, "x color red")
    assert holds(board, "x color red", model="sally")
    revise(board, retract=["color a owl:FunctionalProperty"])
    revise(board, update=["x color green"])
    assert holds(board, "x color blue", "x color green")


def test_a_super_property_told_at_run_time_makes_functional() -> None:
    """A property placed below a functional one shares its one value from the next request."""
    board = board_of(ZOO)
    revise(board, add=["guess rdfs:subPropertyOf weighs", "tom weighs 3"])
    revise(board, update=["tom guess 4"])
    assert answers(board, "tom weighs ?w") == [{"w": "4"}]
    revise(board, add=["hunch owl:equivalentProperty guess"])
    revise(board, update=["tom hunch 5"])
    assert answers(board, "tom weighs ?w") == [{"w": "5"}]


def test_two_values_in_one_update_are_refused() -> None:
    """An update sets one value, by whichever of the related properties it is told."""
    for second in ("tom weighs 5", "tom mass 5", "tom weighsExactly 5", "tom weighs true"):
        board = board_of(ZOO)
        before = everything(board)
        with pytest.raises(BadRequest, match="two values"):
            revise(board, update=["tom weighs 4", second])
        assert everything(board) == before


def test_equal_values_in_one_update_are_not_two() -> None:
    """One number written in two ways, or one statement twice, is one value."""
    board = board_of(ZOO)
    revise(board, add=["tom weighs 3"])
    revise(
        board, update=["tom weighs 4", 'tom weighs "4"^^xsd:double', "tom weighs 4", "tom mass 4.0"]
    )
    assert not holds(board, "tom weighs 3")
    assert not board.conflicts("myself")


def test_one_update_may_set_many_things() -> None:
    """Each thing and each property has its own value in one update."""
    board = board_of(ZOO)
    revise(board, add=["tom weighs 3", "rex weighs 3", "tom home barn"])
    delta = revise(board, update=["tom weighs 4", "rex weighs 5", "tom home house"])
    assert {"tom weighs 3", "rex weighs 3", "tom home barn"} <= ceased(delta)


# --- Add never replaces --------------------------------------------------------------------------


def test_a_second_unequal_literal_is_a_conflict() -> None:
    """Two values of a functional property that are unequal literals contradict, and both stay."""
    board = board_of(ZOO)
    revise(board, add=["tom weighs 3"])
    revise(board, add=["tom weighs 4"])
    (conflict,) = [c for c in board.conflicts("myself") if "tom weighs 3" in texts(c.facts)]
    assert texts(conflict.facts) == {"tom weighs 3", "tom weighs 4"}
    revise(board, retract=["tom weighs 4"])
    assert not board.conflicts("myself")


def test_a_second_equal_literal_is_no_conflict() -> None:
    """Two spellings of one value of a functional property agree."""
    board = board_of(ZOO)
    revise(board, add=["tom weighs 3", "tom weighs 3.0", "tom weighs 3e0", "tom weighs 3.00"])
    assert not board.conflicts("myself")


def test_a_second_individual_is_the_same_one() -> None:
    """Two values of a functional property that are things are one thing under two names."""
    board = board_of(ZOO)
    revise(board, add=["tom home barn", "tom home shed", "barn a Building"])
    assert holds(board, "barn owl:sameAs shed", "shed a Building")
    assert not board.conflicts("myself")
    revise(board, retract=["tom home shed"])
    assert facts_of(board) == {"tom home barn", "barn a Building"}


def test_a_second_individual_known_to_differ_is_a_conflict() -> None:
    """Two values of a functional property that are known to be two things contradict."""
    board = board_of(ZOO)
    revise(board, add=["tom home barn", "barn owl:differentFrom shed"])
    assert not board.conflicts("myself")
    revise(board, add=["tom home shed"])
    assert any(texts(c.facts) >= {"barn owl:differentFrom shed"} for c in board.conflicts("myself"))


@pytest.mark.parametrize("word", ["isOn", "isIn", "isInHand"])
def test_where_a_thing_is_is_not_functional(word: str) -> None:
    """Two places of one thing, in the shipped ontology, are not taken for one place."""
    board = shipped()
    revise(board, update=[f"ball {word} here", f"ball {word} there"])
    assert not holds(board, "here owl:sameAs there")
    assert len(answers(board, f"ball {word} ?x")) == 2


# --- if_consistent -------------------------------------------------------------------------------


def test_if_consistent_refuses_with_the_contradiction_explained() -> None:
    """The error names the rule and the assertions, those of the refused request among them."""
    board = board_of(ZOO)
    revise(board, add=["tom a Cat"])
    before = everything(board)
    with pytest.raises(Inconsistent, match="cax-dw") as refused:
        revise(board, add=["tom a Dog", "rex a Dog"], retract=["nobody * *"], if_consistent=True)
    conflicts = refused.value.detail["conflicts"]
    assert isinstance(conflicts, tuple)
    assert [texts(conflict.facts) for conflict in conflicts] == [{"tom a Cat", "tom a Dog"}]
    assert everything(board) == before


def test_if_consistent_accepts_what_repairs_and_what_has_no_part_in_it() -> None:
    """In a model that contradicts itself, whatever adds no contradiction is accepted."""
    board = board_of(ZOO)
    revise(board, add=["tom a Cat", "tom a Dog"])
    assert became(revise(board, add=["rex a Dog"], if_consistent=True)) >= {"rex a Dog"}
    revise(board, retract=["tom a Dog"], add=["tom a Pet"], if_consistent=True)
    assert not board.conflicts("myself")
    revise(board, add=["rex a Cat"], retract=["rex a Dog"], if_consistent=True)
    assert not board.conflicts("myself")


def test_if_consistent_refuses_an_axiom_that_contradicts_the_facts() -> None:
    """An axiom is a statement like any other: it may be what makes a model inconsistent."""
    board = board_of()
    revise(board, add=["tom a Cat", "tom a Hat", "tom weighs 3", "tom weighs 4"])
    before = everything(board)
    for axiom in ("Cat owl:disjointWith Hat", "weighs a owl:FunctionalProperty"):
        with pytest.raises(Inconsistent, match=r"."):
            revise(board, add=[axiom], if_consistent=True)
        assert everything(board) == before


_ZOO_FACTS = [
    f"{s} {p} {o}"
    for s in ("tom", "rex")
    for p, o in (("a", "Cat"), ("a", "Dog"), ("weighs", "3"), ("weighs", "4"), ("home", "barn"),
                 ("home", "shed"), ("owl:differentFrom", "tom"), ("near", "tom"))
] + ["Dog rdfs:subClassOf Cat", "near a owl:FunctionalProperty"]  # fmt: skip
_LISTS = st.lists(st.sampled_from(_ZOO_FACTS), max_size=4)


@given(_LISTS, _LISTS, _LISTS)
def test_if_consistent_is_all_or_nothing(
    before: list[str], retract: list[str], add: list[str]
) -> None:
    """A change is refused, and nothing changed, just when a contradiction is new or rests on it."""
    board, free = board_of(ZOO), board_of(ZOO)
    for each in (board, free):
        revise(each, add=before)
    clashes, told = set(free.model("myself").reasoner.clashes), set(before)
    state = everything(board)
    revise(free, retract=retract, add=add)
    new = bool(set(free.model("myself").reasoner.clashes) - clashes) or any(
        texts(conflict.facts) & (set(add) - told) for conflict in free.conflicts("myself")
    )
    try:
        revise(board, retract=retract, add=add, if_consistent=True)
    except Inconsistent:
        assert new
        assert everything(board) == state
    else:
        assert not new
        assert facts_of(board) == facts_of(free)


# --- What is kept of an assertion ----------------------------------------------------------------


def test_an_assertion_keeps_who_said_it_and_when() -> None:
    """Source, the source's own time, the board's time and the memory are kept with a fact."""
    board = board_of()
    delta = revise(board, now=50.0, add=["ball isIn box"], memory="episodic", source="eyes", t=3.5)
    assert delta is not None
    assert (delta.t, delta.source, delta.source_t) == (50.0, "eyes", 3.5)
    kept = board.model("myself").assertions[read(board, "ball isIn box")]
    assert kept == Assertion("episodic", 350.0, 50.0, "eyes", 3.5)


def test_saying_it_again_keeps_since_and_takes_the_newest_source() -> None:
    """A fact has one assertion: since its first time, from the newest source."""
    board = board_of()
    revise(board, now=1.0, add=["ball isIn box"], source="eyes", t=0.5)
    delta = revise(board, now=2.0, add=["ball isIn box"], source="sally", t=1.5)
    assert (became(delta), ceased(delta)) == (set(), set())
    kept = board.model("myself").assertions[read(board, "ball isIn box")]
    assert (kept.since, kept.source, kept.source_t) == (1.0, "sally", 1.5)
    assert board.model("myself").since(read(board, "ball isIn box")) == 1.0


def test_the_longer_life_wins() -> None:
    """Renewing makes a life longer, never shorter."""
    board = board_of()
    revise(board, now=0.0, add=["ball isIn box"], ttl=10.0, source="eyes")
    revise(board, now=1.0, add=["ball isIn box"], ttl=2.0, source="ears")
    assert board.expire(9.99) == []
    kept = board.model("myself").assertions[read(board, "ball isIn box")]
    assert (kept.expires, kept.source) == (10.0, "ears")
    revise(board, now=9.99, add=["ball isIn box"])
    assert board.expire(1e9) == []


def test_retracting_and_adding_in_one_request_may_shorten_a_life() -> None:
    """What is withdrawn and said again begins a new life, but has held all the while."""
    board = board_of()
    revise(board, now=0.0, add=["ball isIn box"])
    revise(board, now=1.0, retract=["ball isIn *"], add=["ball isIn box"], ttl=2.0)
    kept = board.model("myself").assertions[read(board, "ball isIn box")]
    assert (kept.expires, kept.since) == (3.0, 0.0)


def test_an_inferred_fact_holds_since_it_was_first_inferred() -> None:
    """A fact that holds on, whatever supports it, holds since it first did."""
    board = board_of(ZOO)
    revise(board, now=1.0, add=["tom a Cat"])
    revise(board, now=2.0, add=["tom a Dog"], retract=["tom a Cat"])
    assert board.model("myself").since(read(board, "tom a Animal")) == 1.0
    revise(board, now=3.0, add=["tom a Animal"])
    assert board.model("myself").since(read(board, "tom a Animal")) == 1.0


def test_lifetimes_can_be_set() -> None:
    """The durations of the memories are settings, and a ttl overrides them."""
    board = board_of("", BoardSettings(memories={"long_term": math.inf, "blink": 0.1}))
    revise(board, add=["a isIn b"], memory="blink")
    revise(board, add=["c isIn d"], memory="blink", ttl=5.0)
    assert board.expire(0.0999) == []
    assert [texts(delta.ceased) for delta in board.expire(0.1)] == [{"a isIn b"}]
    with pytest.raises(UnknownMemory, match="blink, long_term"):
        revise(board, add=["a isIn b"], memory="episodic")


# --- Odd values ----------------------------------------------------------------------------------


@pytest.mark.parametrize("number", ['"NaN"^^xsd:double', '"INF"^^xsd:double', "1e300", "9" * 40])
def test_odd_numbers_are_held_like_any_other(number: str) -> None:
    """A number beyond what a bottle can measure is an answer to reason on, never a breakdown."""
    board = shipped()
    revise(board, add=["x a Container", "x hasShape cylinder", "x a GraspableObject"])
    revise(board, add=[f"x hasMainDimension {number}"])
    assert not holds(board, "x a Bottle")


@pytest.mark.parametrize("number", ["1e300", "9" * 40, '"NaN"^^xsd:double', "1e-300", "0.5"])
def test_odd_numbers_are_asked_whether_they_are_whole(number: str) -> None:
    """Whether a number is a whole one is answered for numbers of any size."""
    board = board_of(":age rdfs:range xsd:integer .")
    revise(board, add=[f"x age {number}"])
    whole = number.startswith(("9", "1e3"))
    assert bool(board.conflicts("myself")) != whole


@pytest.mark.parametrize(
    "literal",
    [
        '"2026-01-01Z"^^xsd:date',
        '"2026-01-01+01:00"^^xsd:date',
        '"-0044-03-15T00:00:00Z"^^xsd:dateTime',
        '"2026-01-01T24:00:00Z"^^xsd:dateTime',
        '"2026-01-01T12:00:00.1234567Z"^^xsd:dateTime',
        f'"{"1" * 401}"^^xsd:decimal',
        '"12:00:00"^^xsd:time',
    ],
    ids=["zoned", "east", "before-christ", "midnight", "fine", "long", "time"],
)
def test_values_that_xsd_allows_are_no_conflict(literal: str) -> None:
    """A literal that its datatype allows is never called ill-typed."""
    board = board_of()
    revise(board, add=[f"x when {literal}"])
    assert not board.conflicts("myself")


@pytest.mark.parametrize(
    "literal",
    ['"soon"^^xsd:dateTime', '"2026-13-01"^^xsd:date', '"twelve"^^xsd:int', '"300"^^xsd:byte',
     '"yes"^^xsd:boolean', '"20260101"^^xsd:date', '"2026-01-01"^^xsd:dateTime'],
)  # fmt: skip
def test_values_that_xsd_does_not_allow_are_a_conflict(literal: str) -> None:
    """A literal outside its datatype is a conflict that names it, and is held all the same."""
    board = board_of()
    revise(board, add=[f"x when {literal}"])
    (conflict,) = board.conflicts("myself")
    assert (conflict.rule, texts(conflict.facts)) == ("dt-not-type", {f"x when {literal}"})


def test_a_blank_node_may_have_any_label() -> None:
    """A person's blank node is a thing like any other, whatever its label begins with."""
    board = board_of(
        ":A rdfs:subClassOf [ a owl:Restriction ; owl:onProperty :p ; owl:hasValue 1 ] ."
    )
    for label in ("_:b", "_:cs-1"):
        try:
            delta = revise(board, add=[f"{label} a Ball"])
        except BadStatement:
            continue
        assert became(delta) == {f"{label} a Ball"}


def listed(name: str, members: list[str]) -> list[str]:
    """The statements of an RDF list whose nodes are numbered."""
    last = len(members) - 1
    firsts = [f"_:{name}{i} rdf:first {member}" for i, member in enumerate(members)]
    return firsts + [
        f"_:{name}{i} rdf:rest " + ("rdf:nil" if i == last else f"_:{name}{i + 1}")
        for i in range(len(members))
    ]


def test_many_things_are_told_apart_in_one_request() -> None:
    """That sixty things all differ is told in one request, in the time of its pairs."""
    board = board_of()
    things = [f"t{i}" for i in range(60)]
    start = time.process_time()
    revise(
        board,
        add=["_:d a owl:AllDifferent", "_:d owl:distinctMembers _:t0", *listed("t", things)],
    )
    assert time.process_time() - start < 1.5
    revise(board, add=["t7 owl:sameAs t50"])
    assert board.conflicts("myself")


@pytest.mark.parametrize("word", ["owl:intersectionOf", "owl:propertyChainAxiom"])
def test_a_very_long_list_is_read_or_refused(word: str) -> None:
    """An axiom over more than a thousand members works, or is refused and changes nothing."""
    board = board_of()
    members = [f"D{i}" for i in range(1_200)]
    facts = [f"x a {m}" for m in members] + [f"n{i} {m} n{i + 1}" for i, m in enumerate(members)]
    axiom = [f"C {word} _:m0", *listed("m", members)]
    before = everything(board)
    try:
        revise(board, add=[*axiom, *facts])
    except BoardError:
        assert everything(board) == before
    else:
        assert holds(board, "x a C") or holds(board, "n0 C n1200")


@pytest.mark.parametrize(
    ("told", "inferred"),
    [
        (
            [
                "_:i owl:sameAs _:j",
                "_:j owl:inverseOf p",
                "C owl:equivalentClass _:r",
                "_:r owl:onProperty _:i",
                "_:r owl:someValuesFrom D",
                "y a D",
                "y p x",
            ],
            "x a C",
        ),
    ],
)
def test_an_axiom_made_whole_by_inference_works_at_once(told: list[str], inferred: str) -> None:
    """Told in one request or one by one, statements have the same consequences."""
    at_once, one_by_one = board_of(), board_of()
    revise(at_once, add=told)
    for statement in told:
        revise(one_by_one, add=[statement])
    assert holds(one_by_one, inferred)
    assert facts_of(at_once) == facts_of(one_by_one)


def test_how_axioms_are_written_is_never_inferred() -> None:
    """The cells of lists are told; neither a sub-property nor a second name makes any."""
    board = board_of()
    told = ["tail rdfs:subPropertyOf rdf:rest", "_:l tail rdf:nil", "_:l rdf:first D"]
    revise(board, add=[*told, "C owl:intersectionOf _:l", "x a D", "D owl:sameAs E"])
    assert not holds(board, "_:l rdf:rest rdf:nil")
    assert not holds(board, "_:l rdf:first E")
    assert not holds(board, "x a C")
    revise(board, add=["_:l rdf:rest rdf:nil"])
    assert holds(board, "x a C")


def test_an_update_puts_out_what_says_the_same_the_other_way_round() -> None:
    """An old value told through an inverse or another name of the property goes too."""
    board = board_of(
        ":hasOwner a owl:FunctionalProperty . :owns owl:inverseOf :hasOwner ."
        " :keeper owl:sameAs :hasOwner ."
        " :partner a owl:FunctionalProperty , owl:SymmetricProperty ."
    )
    same = ["possesses owl:equivalentProperty owns", "keeps rdfs:subPropertyOf owns"]
    revise(board, add=[*same, "owns owl:inverseOf ownedBy"])
    for told in ("anne owns mug", "mug keeper anne", "anne possesses mug", "anne keeps mug",
                 "mug ownedBy anne"):  # fmt: skip
        revise(board, add=[told, "anne partner sally", "carl partner bob"])
        revise(board, update=["mug hasOwner bob", "sally partner bob"])
        assert facts_of(board) >= {"bob owns mug", "bob partner sally"}
        assert not any("anne" in fact or "carl" in fact for fact in facts_of(board)), told
        assert not board.conflicts("myself")
        revise(board, retract=["* hasOwner *", "* partner *"])


def test_an_update_of_what_is_not_functional_adds() -> None:
    """That a relation is functional the other way round makes its update no replacement."""
    board = board_of(":hasOwner a owl:FunctionalProperty . :owns owl:inverseOf :hasOwner .")
    revise(board, add=["mug hasOwner bob"])
    revise(board, update=["anne owns mug"])
    assert facts_of(board) >= {"mug hasOwner bob", "mug hasOwner anne", "anne owl:sameAs bob"}


def test_one_update_sets_one_partner() -> None:
    """Where a functional relation is mutual, two updates of one thing's are two values."""
    board = board_of(":partner a owl:FunctionalProperty , owl:SymmetricProperty .")
    with pytest.raises(BadRequest, match="two values"):
        revise(board, update=["anne partner bob", "bob partner carl"])
    assert facts_of(board) == set()


def test_bringing_back_is_not_charged_to_what_is_told() -> None:
    """A small addition is accepted beside a withdrawal after which much comes back."""
    board = board_of(
        ":next a owl:TransitiveProperty , owl:SymmetricProperty .", BoardSettings(derivations=300)
    )
    for i in range(40):
        revise(board, add=[f"n{i} next n{(i + 1) % 40}"])
    assert became(revise(board, retract=["n20 next n21"], add=["z isIn box"])) == {"z isIn box"}


def test_one_update_sets_one_value_whatever_the_names() -> None:
    """Two values for one thing under its two names are two values."""
    board = board_of(":weighs a owl:FunctionalProperty .")
    revise(board, add=["x owl:sameAs y"])
    before = everything(board)
    with pytest.raises(BadRequest, match="two values"):
        revise(board, update=["x weighs 1", "y weighs 2"])
    assert everything(board) == before
