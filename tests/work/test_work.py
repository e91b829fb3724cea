"""How much is looked at for a change of one fact: the same, however large the board."""

from functools import cache

import pytest

from kb_server.core.facts.facts import FactIndex
from kb_server.core.facts.matching import Budget
from kb_server.core.models.board import BoardSettings
from kb_server.core.reasoning.commonsense import CommonSense
from kb_server.core.reasoning.reasoner import NetChange, Reasoner
from kb_server.core.terms.statements import Statement, TermOrAny, read_statement
from ontology import files

PLENTY = 10**9
SMALL, LARGE = 1_000, 50_000
CHANGES = [
    "thing7 isIn tray",
    "thing7 isOn table3",
    "thing8 isOn hub",
    "thing7 a Cup",
    "thing7 a Bottle",
    "thing7 isInFieldOfView true",
    "new a Ball",
    "new isOn hub",
    "new isIn tray",
    "robot sees thing7",
    "thing7 isNextTo thing8",
]


@cache
def common_sense() -> CommonSense:
    return CommonSense([path.read_text("utf-8") for path in files()])


def statement(text: str) -> Statement:
    return read_statement(text, common_sense().names)


@cache
def board(size: int) -> Reasoner:
    """A model with so many facts told: things of four facts each, half of them on one table."""
    model = Reasoner(common_sense().reasoner, "robot")
    told = [statement(t) for t in ("hub a Table", "tray a Tray", "robot a Robot", "tray isOn hub")]
    for i in range(size // 4):
        place = "hub" if i % 2 else f"table{i // 20}"
        told += [
            statement(f"thing{i} a Ball"),
            statement(f"thing{i} isOn {place}"),
            statement(f"thing{i} hasColor red"),
            statement(f"{place} a Table"),
        ]
    model.change((), told, 0.0, Budget(PLENTY))
    return model


def one(
    model: Reasoner, withdrawn: tuple[Statement, ...], told: tuple[Statement, ...]
) -> NetChange:
    return model.change(withdrawn, told, 1.0, Budget(PLENTY))


def triggered(model: Reasoner, facts: tuple[Statement, ...]) -> int:
    """How many conclusions some facts trigger, known ones and new ones."""
    return sum(len(model.triggered(fact, Budget(PLENTY))) for fact in facts)


def measured(size: int, text: str) -> tuple[int, int, int, int]:
    """The work to add a fact and to retract it, what it brought, and what that triggered."""
    model, fact = board(size), statement(text)
    assert not model.holds(fact), text
    came = one(model, (), (fact,))
    count = triggered(model, came.became_true)
    gone = one(model, (fact,), ())
    assert set(came.became_true) == set(gone.ceased)
    return came.work, gone.work, len(came.became_true), count


def test_the_boards_differ_in_size() -> None:
    """One board holds fifty times as many facts as the other, and thousands on one table."""
    assert len(board(LARGE).facts) > 45 * len(board(SMALL).facts)
    assert len(board(LARGE).index.match(None, "isOn", "hub")) > 5_000


@pytest.mark.parametrize("text", CHANGES)
def test_a_fact_costs_the_same_on_any_board(text: str) -> None:
    """To add a fact, and to retract it, takes the same work on a large board as on a small one."""
    assert measured(LARGE, text) == measured(SMALL, text)


def test_a_fact_that_was_there_costs_the_same() -> None:
    """To retract a fact of long ago, and to add it again, takes the same work on any board."""
    works = []
    for size in (SMALL, LARGE):
        model, fact = board(size), statement("thing9 isOn hub")
        gone, came = one(model, (fact,), ()), one(model, (), (fact,))
        assert set(gone.ceased) == set(came.became_true)
        works.append((gone.work, came.work, triggered(model, came.became_true)))
    assert works[0] == works[1]


def test_an_axiom_costs_its_own_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    """To define a class looks at those that fit the definition, not at all who are in the class."""
    axiom = [statement(f"Crowd owl:{word} _:parts") for word in ("unionOf", "oneOf")]
    looked = [0]
    match = FactIndex.match

    def counted(index: FactIndex, s: TermOrAny, p: TermOrAny, o: TermOrAny) -> list[Statement]:
        found = match(index, s, p, o)
        looked[-1] += len(found)
        return found

    monkeypatch.setattr(FactIndex, "match", counted)
    parts = ("_:parts rdf:first Lonely", "_:parts rdf:rest rdf:nil")
    for size in (100, 5_000):
        model = Reasoner(common_sense().reasoner, "robot")
        told = tuple(statement(f"thing{i} a Crowd") for i in range(size))
        one(model, (), told)
        looked.append(0)
        one(model, (), (axiom[0], *map(statement, parts)))
        one(model, (axiom[0],), (axiom[1],))
        one(model, (axiom[1],), ())
    assert looked[1] == looked[2]


def test_a_chain_costs_what_it_holds() -> None:
    """To make a chain of a transitive relation, and to cut it, costs in the order of its facts."""
    costs = []
    for length in (50, 100):
        model = Reasoner(common_sense().reasoner, "robot")
        links = [statement(f"x{i} leadsTo x{i + 1}") for i in range(length)]
        axiom = statement("leadsTo a owl:TransitiveProperty")
        made = one(model, (), (axiom, *links))
        assert len([f for f in model.facts if f[1] == "leadsTo"]) == length * (length + 1) // 2
        cut = one(model, (links[length // 2],), ())
        assert len(cut.ceased) >= (length // 2) ** 2
        costs.append((made.work, cut.work))
    assert all(twice < 5 * once for once, twice in zip(*costs, strict=True))


def test_a_thing_of_any_class_costs_what_its_statement_allows() -> None:
    """No class is so rich that a load of its members would be refused for what it says."""
    settings, model = BoardSettings(), Reasoner(common_sense().reasoner, "robot")
    each = settings.work(1) - settings.work(0)
    classes = [s for s, _, _ in model.view.match(None, "rdf:type", "owl:Class") if s.isidentifier()]
    assert len(classes) > 100
    dear: dict[str, int] = {}
    for name in classes:
        work = one(model, (), (("thing", "rdf:type", name),)).work
        model.undo()
        dear |= {name: work} if work > each else {}
    assert dear == {}
