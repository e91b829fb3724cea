"""Predicates computed on demand, and facts that go with who told them."""

import pytest

from kb_server import Ask, Blackboard, ProviderTimeout, TooLarge
from tests.contracts.boards import fresh_name


def test_stored_and_told_are_united(kb: Blackboard, mind: str) -> None:
    """Who computes a predicate is asked when a question mentions it, with what is known."""
    asked: list[Ask] = []
    predicate = fresh_name("isLeftOf")

    def told(ask: Ask) -> list[str]:
        asked.append(ask)
        return [f"cup {predicate} plate"]

    kb.provide([predicate], told)
    kb.add(mind, f"cup {predicate} fork")
    found = kb.find(mind, f"cup {predicate} ?what")
    assert sorted(row["what"] for row in found) == ["fork", "plate"]
    assert asked == [Ask(mind, predicate, "cup", None)]
    assert kb.check(mind, f"cup {predicate} plate")
    assert [fact.fact for fact in kb.facts(mind, p=predicate)] == [f"cup {predicate} fork"]


def test_a_provider_that_fails(kb: Blackboard, mind: str) -> None:
    """A question that nobody answers in time is refused, and the others are answered."""
    predicate = fresh_name("isLeftOf")

    def told(_ask: Ask) -> list[str]:
        raise ValueError("no camera")

    kb.provide([predicate], told)
    with pytest.raises(ProviderTimeout):
        kb.find(mind, f"cup {predicate} ?what")
    assert kb.find(mind, "cup isIn ?what") == []


@pytest.mark.parametrize("told", ["plate isOn table", "no statement at all"])
def test_a_provider_that_tells_something_else(kb: Blackboard, mind: str, told: str) -> None:
    """What was not asked for, or is no statement, is no answer."""
    predicate = fresh_name("isLeftOf")
    kb.provide([predicate], lambda _ask: [told])
    with pytest.raises(ProviderTimeout) as refusal:
        kb.find(mind, f"cup {predicate} ?what")
    assert refusal.value.detail == {"predicate": predicate}


def test_statements_about_statements(kb: Blackboard, mind: str) -> None:
    """Who tells the parts of a statement tells of it also as RDF 1.2 has it."""
    told = {
        "rdf:subject": ["f rdf:subject cup"],
        "rdf:predicate": ["f rdf:predicate isIn"],
        "rdf:object": ["f rdf:object box"],
        "hasProbability": ["f hasProbability 0.5"],
    }
    kb.provide(told, lambda ask: told[ask.predicate])
    query = "SELECT ?f ?p {{ << oro:cup oro:isIn oro:{} ~ ?f >> oro:hasProbability ?p }}"
    [row] = kb.query(query.format("box"), model=mind).rows
    assert (row["f"], row["p"]) == ("f", "0.5")
    assert not kb.query(query.format("bag"), model=mind).rows
    found = kb.find(mind, "?f rdf:subject cup", "?f hasProbability ?p")
    assert found == [{"f": "f", "p": "0.5"}]


def test_who_tells_of_statements_hears_which_are_meant(kb: Blackboard, mind: str) -> None:
    """When one statement is asked for, in SPARQL or by patterns, a provider hears which it is."""
    asked: list[Ask] = []

    def told(ask: Ask) -> list[str]:
        asked.append(ask)
        return []

    offered = ["rdf:subject", "rdf:predicate", "rdf:object", "hasProbability"]
    kb.provide(offered, told)
    said = "<< oro:cup oro:isIn {} >> oro:hasProbability ?p"
    kb.query(f"ASK {{ {said.format('oro:box')} }}", model=mind)
    about = ("cup", "isIn", "box")
    assert {*asked} == {Ask(mind, predicate, None, None, about) for predicate in offered}
    asked.clear()
    kb.query(f"ASK {{ {said.format('?where')} }}", model=mind)
    assert {ask.about for ask in asked} == {("cup", "isIn", None)}
    asked.clear()
    kb.find(mind, "?f rdf:subject cup", "?f rdf:object box", "?f hasProbability ?p")
    assert {*asked} == {
        Ask(mind, "rdf:subject", None, "cup", ("cup", None, "box")),
        Ask(mind, "rdf:object", None, "box", ("cup", None, "box")),
        Ask(mind, "hasProbability", None, None, ("cup", None, "box")),
    }
    asked.clear()
    kb.query("ASK { ?f oro:hasProbability ?p }", model=mind)
    assert asked == [Ask(mind, "hasProbability", None, None)]


def test_a_provider_that_is_awaited(kb: Blackboard, mind: str) -> None:
    """A coroutine function may compute as well."""
    predicate = fresh_name("isLeftOf")

    async def told(_ask: Ask) -> list[str]:
        return [f"cup {predicate} plate"]

    kb.provide([predicate], told)
    assert kb.check(mind, f"?x {predicate} plate")


def test_a_query_asks_of_the_models_that_it_names(kb: Blackboard, mind: str) -> None:
    """In SPARQL a provider is asked of the models whose graphs are named, and of no other."""
    predicate = fresh_name("isLeftOf")
    asked: list[Ask] = []

    def told(ask: Ask) -> list[str]:
        asked.append(ask)
        return [f"cup {predicate} plate"]

    kb.provide([predicate], told)
    found = kb.query(f"SELECT ?o {{ GRAPH model:{mind} {{ oro:cup oro:{predicate} ?o }} }}")
    assert list(found) == [{"o": "plate"}]
    assert asked == [Ask(mind, predicate, None, None)]


def test_a_query_that_visits_too_many_models(kb: Blackboard) -> None:
    """Where providers would be asked of very many models the query is refused at once."""
    predicate, minds = fresh_name("isLeftOf"), [fresh_name() for _ in range(21)]
    kb.provide([predicate], lambda _ask: [])
    for mind in minds:
        kb.create(mind)
    with pytest.raises(TooLarge, match="20 are allowed"):
        kb.query(f"SELECT ?g {{ GRAPH ?g {{ oro:cup oro:{predicate} ?o }} }}")
    for mind in minds:
        kb.delete(mind)


def test_a_will(kb: Blackboard, mind: str) -> None:
    """A will is taken; nothing happens while its board is there."""
    source = fresh_name("eyes")
    kb.will(source)
    kb.add(mind, "ball isIn box", source=source)
    assert kb.check(mind, "ball isIn box")
