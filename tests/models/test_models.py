"""Models (contract 2): whose minds there are, what they share and what they don't."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb_server.core.models.board import Board, BoardSettings
from kb_server.core.models.delta import ModelDelta
from kb_server.core.terms.terms import is_iri
from kb_server.errors import BadModelName, BadRequest, BoardError, TooCostly, UnknownModel
from tests.models.boards import (
    answers,
    board_of,
    everything,
    facts_of,
    holds,
    names_of,
    revise,
    shipped,
    texts,
)

AGENTS = """
:Human rdfs:subClassOf :Agent . :sees rdfs:domain :Agent . :myself a :Agent .
:Ball owl:disjointWith :Box . :weighs a owl:FunctionalProperty .
"""
RULE = """
:x a swrl:Variable .
[] a swrl:Imp ;
  swrl:body ( [ a swrl:DatavaluedPropertyAtom ; swrl:propertyPredicate :isShown ;
                swrl:argument1 :x ; swrl:argument2 true ] ) ;
  swrl:head ( [ a swrl:IndividualPropertyAtom ; swrl:propertyPredicate :watches ;
                swrl:argument1 :owner ; swrl:argument2 :x ] ) .
:watches rdfs:domain :Agent .
"""


def test_a_board_begins_with_the_robots_own_model() -> None:
    """The model `myself` is there from the start, empty and without a parent."""
    (only,) = shipped().models()
    assert (only.id, only.parent) == ("myself", None)
    assert (only.asserted, only.inferred, only.seq) == (0, 0, 0)


def test_models_nest_to_any_depth() -> None:
    """A model lies in the one that its id begins with."""
    board = board_of()
    names = ["sally", "sally.anne", "sally.anne.sally", "sally.anne.sally.myself"]
    assert all(board.create(name) for name in names)
    parents = {model.id: model.parent for model in board.models()}
    assert parents == {"myself": None, "sally": None, **dict(zip(names[1:], names, strict=False))}


def test_a_model_is_made_once() -> None:
    """Making a model that is there changes nothing and says so."""
    board = board_of()
    assert board.create("sally")
    revise(board, "sally", add=["ball isIn box"])
    assert not board.create("sally")
    assert holds(board, "ball isIn box", model="sally")


def test_the_parent_must_exist() -> None:
    """A model of a mind that is not there is refused, and nothing is made."""
    board = board_of()
    with pytest.raises(UnknownModel, match="sally"):
        board.create("sally.anne")
    assert names_of(board) == ["myself"]


@pytest.mark.parametrize(
    "name",
    ["", ".", "sally.", ".sally", "sally..anne", "a b", "ünal", "a/b", "a:b", "<urn:a>", "sally\n",
     "_:b", "?x", "*", "a" * 1_000],
)  # fmt: skip
def test_bad_names_are_refused(name: str) -> None:
    """Ids are parts of letters, digits, _ and -, joined by dots; nothing else is made."""
    board = board_of()
    with pytest.raises(BadModelName, match="not a valid model id"):
        board.create(name)
    assert names_of(board) == ["myself"]


@pytest.mark.parametrize("name", ["sally", "Sally_2", "robot-1", "9lives", "-x", "true", "42", "_"])
def test_good_names_are_accepted(name: str) -> None:
    """Every part of letters, digits, _ and - is an id."""
    assert board_of().create(name)


@pytest.mark.parametrize("name", ["nobody", "sally.anne", "", "Myself"])
def test_an_unknown_model_is_an_error_that_creates_nothing(name: str) -> None:
    """Whatever is asked of a model that is not there, it is an error and stays not there."""
    board = board_of()
    before = everything(board)
    with pytest.raises(UnknownModel, match="no model"):
        board.model(name)
    with pytest.raises(UnknownModel, match="no model"):
        revise(board, name, add=["ball isIn box"])
    with pytest.raises(UnknownModel, match="no model"):
        board.delete(name, 0.0)
    with pytest.raises(UnknownModel, match="no model"):
        board.conflicts(name)
    with pytest.raises(UnknownModel, match="no model"):
        board.divergence("myself", name)
    assert everything(board) == before


@pytest.mark.parametrize(
    "fact",
    ["sally a Agent", "sally a Human", "sally sees ball", "sally a Woman", "sally likes sally"],
)
def test_an_agent_in_the_robots_model_gets_a_model(fact: str) -> None:
    """Asserted to be an agent, or inferred, someone has a model when the request is answered."""
    board = shipped()
    revise(board, add=[fact])
    assert ("sally" in names_of(board)) == holds(board, "sally a Agent")


def test_an_agent_by_a_class_told_at_run_time_gets_a_model() -> None:
    """That robots of a kind are agents may be told later: all of them get their models then."""
    board = board_of(AGENTS)
    revise(board, add=["r2d2 a Droid", "c3po a Droid"])
    assert names_of(board) == ["myself"]
    revise(board, add=["Droid rdfs:subClassOf Human"])
    assert set(names_of(board)) == {"myself", "r2d2", "c3po"}


def test_the_robot_gets_no_second_model() -> None:
    """The robot is an agent like any other, but its model is there."""
    board = board_of(AGENTS)
    revise(board, add=["myself sees ball", "myself a Human"])
    assert names_of(board) == ["myself"]


def test_agents_in_others_models_get_none() -> None:
    """Only an agent that the robot itself believes in is given a model."""
    board = board_of(AGENTS)
    board.create("sally")
    revise(board, "sally", add=["anne a Human"])
    assert names_of(board) == ["myself", "sally"]


def test_a_model_outlives_the_fact_that_made_it() -> None:
    """Who is no longer known to be an agent keeps the model."""
    board = board_of(AGENTS)
    revise(board, add=["sally a Human"])
    revise(board, "sally", add=["ball isIn box"])
    revise(board, retract=["sally a Human"])
    assert not holds(board, "sally a Agent")
    assert facts_of(board, "sally") == {"ball isIn box"}


@pytest.mark.parametrize("agent", ["_:b", "cyc:bob", "<urn:bob>", "oro:a.b"])
def test_an_agent_without_a_fitting_name_gets_no_model(agent: str) -> None:
    """An agent whose name can be no id is an agent all the same, and no error."""
    board = board_of(AGENTS)
    revise(board, add=[f"{agent} a Human"])
    assert names_of(board) == ["myself"]
    assert len(answers(board, "?a a Human")) == 1


@pytest.mark.parametrize("part", ["9lives", "true", "42"])
def test_an_agent_whose_name_needs_its_prefix_gets_its_model(part: str) -> None:
    """What can be an id is one, though the name must be written with its prefix in statements."""
    board = board_of(AGENTS)
    revise(board, add=[f"oro:{part} a Human"])
    assert names_of(board) == ["myself", part]


def test_a_refused_change_makes_no_model() -> None:
    """When a change is refused, the agents in it get no models."""
    board = board_of(AGENTS)
    with pytest.raises(BoardError, match="can't hold"):
        revise(board, add=["sally a Human", "b a Ball", "b a Box"], if_consistent=True)
    assert names_of(board) == ["myself"]


def test_the_number_of_models_is_limited() -> None:
    """Past the limit no model is made, by whatever way, and nothing else changes."""
    board = board_of(AGENTS, BoardSettings(models=3))
    board.create("sally")
    revise(board, add=["anne a Human"])
    before = everything(board)
    with pytest.raises(BadRequest, match="3 are allowed"):
        board.create("bob")
    with pytest.raises(BadRequest, match="3 are allowed"):
        revise(board, add=["bob a Human", "ball isIn box"])
    assert everything(board) == before
    revise(board, add=["anne sees ball"])


def test_a_new_model_holds_the_ontology_and_nothing_else() -> None:
    """What the robot knows is not what another believes, until somebody says so."""
    board = shipped()
    revise(board, add=["ball isIn box", "sally a Human"])
    board.create("sally.anne")
    for name in ("sally", "sally.anne"):
        assert facts_of(board, name) == set()
        assert answers(board, "?x isIn ?y", model=name) == []
        assert holds(board, "Ball rdfs:subClassOf Toy", model=name)
        assert not board.conflicts(name)


def test_a_new_model_copies_nothing() -> None:
    """All models work with the very same compiled rules and common sense."""
    board = shipped()
    board.create("sally")
    myself, sally = board.model("myself").reasoner, board.model("sally").reasoner
    common = board.common.reasoner
    assert myself.known is sally.known is common.facts
    assert not sally.facts
    assert set(sally.rules.instances).isdisjoint(common.rules.instances)
    assert len(sally.rules.instances) == len(common.deferred)


def test_a_new_model_costs_less_than_a_millisecond() -> None:
    """The best of many new models takes less than a millisecond."""
    board = shipped()
    durations = []
    for i in range(50):
        start = time.perf_counter()
        board.create(f"agent{i}")
        durations.append(time.perf_counter() - start)
    assert min(durations) < 0.001


def test_making_a_model_is_no_delta() -> None:
    """A new model has no facts of its own, so nothing became true."""
    board = shipped()
    board.create("sally")
    assert board.seq == 0


def test_deleting_takes_the_nested_models_with_it() -> None:
    """What lies in a deleted model goes with it, and no other."""
    board = board_of()
    for name in ("sally", "sally.anne", "sally.anne.bob", "sally-2", "sallyanne"):
        board.create(name)
    board.delete("sally", 0.0)
    assert names_of(board) == ["myself", "sally-2", "sallyanne"]


def test_the_facts_of_a_deleted_model_cease() -> None:
    """Each deleted model that held something has a delta in which all of it ceases."""
    board = board_of(AGENTS)
    seen: list[ModelDelta] = []
    for name in ("sally", "sally.anne", "sally.bob"):
        board.create(name)
    revise(board, "sally", add=["s sees ball"])
    revise(board, "sally.anne", add=["a sees ball"])
    board.on_delta.append(seen.append)
    deltas = board.delete("sally", 5.0)
    assert deltas == seen
    assert [(d.seq, d.model, texts(d.ceased)) for d in deltas] == [
        (3, "sally.anne", {"a sees ball", "a a Agent"}),
        (4, "sally", {"s sees ball", "s a Agent"}),
    ]
    assert all(not d.became_true and d.t == 5.0 for d in deltas)


def test_a_deleted_model_begins_anew() -> None:
    """A model made again holds nothing of its former life, timers included."""
    board = board_of()
    board.create("sally")
    revise(board, "sally", add=["ball isIn box"], ttl=1.0)
    board.delete("sally", 0.0)
    board.create("sally")
    revise(board, "sally", add=["ball isIn box"])
    assert board.expire(2.0) == []
    assert facts_of(board, "sally") == {"ball isIn box"}


def test_the_robots_own_model_stays() -> None:
    """The model `myself` cannot be deleted."""
    board = board_of()
    revise(board, add=["ball isIn box"])
    with pytest.raises(BadModelName, match="be deleted"):
        board.delete("myself", 0.0)
    assert facts_of(board) == {"ball isIn box"}


def test_a_model_of_the_robot_in_another_can_be_deleted() -> None:
    """Only the robot's own model stays: what Sally thinks of the robot may go."""
    board = board_of()
    board.create("sally")
    board.create("sally.myself")
    board.delete("sally.myself", 0.0)
    assert names_of(board) == ["myself", "sally"]


def test_a_large_model_can_be_deleted() -> None:
    """What could be built within the bounds in many steps can be deleted in one."""
    board = board_of(":next a owl:TransitiveProperty .", BoardSettings(derivations=3_000))
    board.create("sally")
    for i in range(70):
        revise(board, "sally", add=[f"n{i} next n{i + 1}"])
    try:
        board.delete("sally", 1.0)
    except TooCostly:
        pytest.fail("a model that could be filled could not be deleted")
    assert names_of(board) == ["myself"]


def test_a_large_expiry_happens() -> None:
    """What could be built within the bounds in many steps can expire at once."""
    board = board_of(":next a owl:TransitiveProperty .", BoardSettings(derivations=3_000))
    for i in range(70):
        revise(board, add=[f"n{i} next n{i + 1}"], ttl=10.0)
    try:
        board.expire(11.0)
    except TooCostly:
        pytest.fail("facts that could be told could not expire")
    assert facts_of(board) == set()


def test_contradictory_models_never_affect_each_other() -> None:
    """A contradiction in one model is none in another, and infers nothing there."""
    board = board_of(AGENTS)
    board.create("sally")
    revise(board, add=["x a Ball", "x weighs 1"])
    revise(board, "sally", add=["x a Box", "x weighs 2", "x a Ball"])
    assert not board.conflicts("myself")
    assert [c.rule for c in board.conflicts("sally")] == ["cax-dw"]
    assert facts_of(board) == {"x a Ball", "x weighs 1"}
    revise(board, "sally", retract=["* * *"])
    assert facts_of(board) == {"x a Ball", "x weighs 1"}


@pytest.mark.parametrize(
    ("axioms", "facts", "inferred"),
    [
        (["Cat rdfs:subClassOf Pet"], ["tom a Cat"], "tom a Pet"),
        (["on rdfs:subPropertyOf at"], ["cup on tray"], "cup at tray"),
        (["by a owl:SymmetricProperty"], ["cup by tray"], "tray by cup"),
        (["in a owl:TransitiveProperty"], ["a in b", "b in c"], "a in c"),
        (
            ["v a swrl:Variable", "r a swrl:Imp", "r swrl:body _:b", "r swrl:head _:h",
             "_:b rdf:first _:c", "_:b rdf:rest rdf:nil", "_:h rdf:first _:d",
             "_:h rdf:rest rdf:nil", "_:c a swrl:ClassAtom", "_:c swrl:classPredicate Cat",
             "_:c swrl:argument1 v", "_:d a swrl:ClassAtom", "_:d swrl:classPredicate Soft",
             "_:d swrl:argument1 v"],
            ["tom a Cat"],
            "tom a Soft",
        ),
    ],
)  # fmt: skip
def test_axioms_told_at_run_time_belong_to_their_model(
    axioms: list[str], facts: list[str], inferred: str
) -> None:
    """Classes, properties and rules told to one model work there only, until they are withdrawn."""
    board = board_of()
    board.create("sally")
    for name in ("myself", "sally"):
        revise(board, name, add=facts)
    revise(board, "sally", add=axioms)
    assert (holds(board, inferred), holds(board, inferred, model="sally")) == (False, True)
    board.create("bob")
    revise(board, "bob", add=facts)
    assert not holds(board, inferred, model="bob")
    revise(board, "sally", retract=axioms[-1:])
    assert facts_of(board, "sally") == {*facts, *axioms[:-1]}


@pytest.mark.parametrize(
    ("model", "owner"),
    [("myself", "myself"), ("sally", "sally"), ("sally.anne", "anne"), ("sally.myself", "myself")],
)
def test_the_owner_is_the_agent_of_the_model(model: str, owner: str) -> None:
    """A rule that speaks of the owner speaks of whose model it runs in."""
    board = board_of(RULE)
    for name in ("sally", "sally.anne", "sally.myself"):
        board.create(name)
    revise(board, model, add=["ball isShown true"])
    assert facts_of(board, model) == {
        "ball isShown true",
        f"{owner} watches ball",
        f"{owner} a Agent",
    }
    assert all(not facts_of(board, m.id) for m in board.models() if m.id != model)


@pytest.mark.parametrize("part", ["9lives", "true", "42", "-x"])
def test_an_owner_with_an_odd_name_is_written_so_that_it_reads_back(part: str) -> None:
    """The owner of a model is a thing of the default namespace, whatever letters the id has."""
    board = board_of(RULE)
    board.create(part)
    revise(board, part, add=["ball isShown true"])
    (row,) = answers(board, "?o watches ball", model=part)
    term = board.names.term(row["o"])
    assert is_iri(term)
    assert board.names.iri(term) == f"http://kb.openrobots.org#{part}"


def test_a_rule_told_at_run_time_may_speak_of_the_owner() -> None:
    """The owner is replaced in axioms told to a model, too."""
    board = board_of()
    board.create("sally")
    axioms = [
        "Mine owl:equivalentClass _:r",
        "_:r owl:onProperty ownedBy",
        "_:r owl:hasValue owner",
    ]
    revise(board, "sally", add=[*axioms, "cup a Mine"])
    assert holds(board, "cup ownedBy sally", model="sally")


def test_the_owner_itself_is_never_an_agent() -> None:
    """The word `owner` of the shipped rules is no answer to who the agents are."""
    board = shipped()
    revise(board, add=["ball isInFieldOfView true", "cup isReachable true", "sally sees ball"])
    revise(board, "sally", add=["ball isInFieldOfView true", "sally sees cup"])
    for model, agents in (("myself", {"myself", "sally"}), ("sally", {"myself", "sally"})):
        assert {row["a"] for row in answers(board, "?a a Agent", model=model)} == agents
        assert not answers(board, "owner ?p ?o", model=model)
        assert {"s": "owner"} not in answers(board, "?s ?p ball", model=model)


def test_the_robot_is_the_robot_in_every_model() -> None:
    """In Sally's model `myself` is still the robot."""
    board = shipped()
    board.create("sally")
    assert holds(board, "myself a Robot", model="sally")


def test_the_common_sense_is_seen_with_what_it_entails() -> None:
    """Questions see the ontology and what follows from it, over several steps."""
    above = " ".join(f":{a} rdfs:subClassOf :{b} ." for a, b in ("AB", "BC", "CD"))
    board = board_of(f"{above} :x a :A .")
    board.create("sally")
    for model in ("myself", "sally"):
        assert holds(board, "A rdfs:subClassOf D", model=model)
        assert holds(board, "x a D", model=model)
        supers = {row["c"] for row in answers(board, "A rdfs:subClassOf ?c", model=model)}
        assert supers == {"B", "C", "D"}
        assert facts_of(board, model) == set()


def test_facts_meet_the_common_sense_in_one_question() -> None:
    """One conjunction takes some patterns from the model and others from the ontology."""
    board = shipped()
    revise(board, add=["red_ball a Ball"])
    rows = answers(board, "?x a ?c", "?c rdfs:subClassOf Toy", select=["?x", "?c"])
    assert {"x": "red_ball", "c": "Ball"} in rows


_SAID = (
    "x a Ball",
    "x a Box",
    "x weighs 1",
    "x weighs 2",
    "s sees x",
    "Ball rdfs:subClassOf Toy",
    "Ball owl:disjointWith Toy",
    "Toy rdfs:subClassOf Human",
    "near a owl:SymmetricProperty",
    "x near y",
    "x owl:sameAs y",
)
_SAYINGS = st.lists(
    st.tuples(st.sampled_from(("add", "retract")), st.sampled_from(_SAID)), max_size=8
)


@given(_SAYINGS, _SAYINGS)
def test_what_is_said_in_one_model_changes_no_other(
    mine: list[tuple[str, str]], hers: list[tuple[str, str]]
) -> None:
    """A model is after its own changes as if the changes of the others had never been."""
    quiet, busy = board_of(AGENTS), board_of(AGENTS)
    for board in (quiet, busy):
        board.create("sally")
    for i in range(max(len(mine), len(hers))):
        for board, model, said in ((busy, "sally", hers), (busy, "myself", mine)):
            for how, what in said[i : i + 1]:
                say(board, model, how, what)
        for how, what in mine[i : i + 1]:
            say(quiet, "myself", how, what)
    assert facts_of(busy) == facts_of(quiet)
    assert busy.conflicts("myself") == quiet.conflicts("myself")
    assert names_of(busy) == names_of(quiet)


def say(board: Board, model: str, how: str, what: str) -> None:
    """Adds or retracts one statement."""
    if how == "add":
        revise(board, model, add=[what])
    else:
        revise(board, model, retract=[what])


def test_divergence_is_where_two_models_differ() -> None:
    """Each side lists the facts, asserted and inferred, that hold there only."""
    board = board_of(AGENTS)
    board.create("sally")
    revise(board, add=["ball isIn box", "cup isIn bag", "anne sees ball"])
    revise(board, "sally", add=["ball isIn basket", "cup isIn bag", "anne a Agent"])
    found = board.divergence("sally", "myself")
    assert texts(found.only_here) == {"ball isIn basket"}
    assert texts(found.only_there) == {"ball isIn box", "anne sees ball"}
    turned = board.divergence("myself", "sally")
    assert (turned.only_here, turned.only_there) == (found.only_there, found.only_here)


def test_a_model_does_not_differ_from_itself() -> None:
    """A model compared with itself has nothing on either side."""
    board = board_of(AGENTS)
    revise(board, add=["anne sees ball"])
    assert board.divergence("myself", "myself").only_here == ()


def test_common_sense_is_no_divergence() -> None:
    """Saying in one model what the ontology says anyhow makes no difference."""
    board = board_of(AGENTS)
    board.create("sally")
    revise(board, "sally", add=["Human rdfs:subClassOf Agent"])
    found = board.divergence("sally", "myself")
    assert (found.only_here, found.only_there) == ((), ())


def test_models_are_counted_as_they_are() -> None:
    """The list of models counts the facts that are asserted and inferred in each."""
    board = shipped()
    revise(board, add=["sally a Human", "ball isIn box", "Ball rdfs:subClassOf Artifact"])
    revise(board, "sally", add=["ball isIn basket"])
    revise(board, retract=["ball isIn *"])
    for info in board.models():
        model = board.model(info.id)
        inferred = model.facts() - model.assertions.keys()
        assert (info.asserted, info.inferred) == (len(model.assertions), len(inferred))


def test_the_robot_under_another_name_is_no_other_mind() -> None:
    """Another name of the robot is not somebody whom it could misunderstand."""
    board = board_of(AGENTS)
    revise(board, add=["r2 owl:sameAs myself", "r2 sees ball"])
    assert names_of(board) == ["myself"]
    revise(board, retract=["r2 owl:sameAs myself"])
    assert names_of(board) == ["myself", "r2"]
