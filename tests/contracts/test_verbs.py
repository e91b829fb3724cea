"""What every verb answers, whichever way the board is reached."""

from datetime import UTC, datetime
from typing import Any

import pytest

from kb_server import Blackboard, BoardError, Delta, Fact
from tests.contracts.boards import fresh_name


def facts(kb: Blackboard, model: str, **wanted: Any) -> list[str]:
    return [fact.fact for fact in kb.facts(model, **wanted)]


def test_revise_tells_what_became_true_and_what_ceased(kb: Blackboard, mind: str) -> None:
    """A change answers with its delta, with all that follows."""
    made = kb.revise(mind, add=["ball isIn box"])
    moved = kb.revise(mind, retract=["ball isIn *"], add=[("ball", "isIn", "basket")])
    assert isinstance(made, Delta)
    assert {"ball isIn box", "box contains ball"} <= set(made.became_true)
    assert "box contains ball" in moved.ceased
    assert moved.seq > made.seq


def test_what_changes_nothing_names_the_newest_delta(kb: Blackboard, mind: str) -> None:
    """Adding what is there already, for ever, is no delta."""
    first = kb.add(mind, "ball isIn box")
    again = kb.add(mind, "ball isIn box")
    assert again == Delta(again.seq)
    assert again.seq >= first.seq


def test_shorthands(kb: Blackboard, mind: str) -> None:
    """Adding, updating and retracting have words of their own."""
    kb.add(mind, "ball isIn box", ["box", "isOn", "table"], ("cup", "isOn", "table"))
    kb.update(mind, "ball hasWeight 0.2")
    kb.update(mind, "ball hasWeight 0.3")
    kb.retract(mind, "* isOn table")
    assert facts(kb, mind, kind="asserted") == ["ball hasWeight 0.3", "ball isIn box"]


def test_two_values_in_one_update_are_refused(kb: Blackboard, mind: str) -> None:
    """An update sets one value of a functional property, or none."""
    with pytest.raises(BoardError) as refusal:
        kb.update(mind, "ball hasWeight 0.2", "ball hasWeight 0.3")
    assert refusal.value.code == "bad_request"
    assert facts(kb, mind) == []


def test_find(kb: Blackboard, mind: str) -> None:
    """Bindings are distinct, of the variables chosen, and at most as many as wanted."""
    kb.add(mind, "a1 isIn box", "a2 isIn box", "box isOn table")
    found = kb.find(mind, "?o isIn ?b", "?b isOn table")
    assert sorted(row["o"] for row in found) == ["a1", "a2"]
    assert kb.find(mind, "?o isIn ?b", select=["?b"]) == [{"b": "box"}]
    assert len(kb.find(mind, "?o isIn box", limit=1)) == 1
    assert kb.find(mind, "a1 isIn box") == [{}]
    assert kb.find(mind, "a3 isIn *") == []


def test_check(kb: Blackboard, mind: str) -> None:
    """All patterns must hold together."""
    kb.add(mind, "ball isIn box", "box isOn table")
    assert kb.check(mind, "?o isIn ?b", "?b isOn table") is True
    assert kb.check(mind, ["ball", "isIn", "table"]) is False


def test_facts_are_walked_through_page_by_page(kb: Blackboard, mind: str) -> None:
    """More facts than a page holds come all, each once, in order."""
    kb.revise(mind, add=[f"x{number} y z" for number in range(2_500)])
    found = facts(kb, mind, p="y", kind="asserted")
    assert len(found) == len(set(found)) == 2_500
    assert found == sorted(found)


def test_a_fact_tells_of_its_life_and_source(kb: Blackboard, mind: str) -> None:
    """Each fact says what it is, since when, until when and by whom."""
    kb.add(mind, "ball isIn box", ttl=1_000, source="eyes")
    (told,) = kb.facts(mind, source="eyes")
    (follows,) = kb.facts(mind, s="box", p="contains")
    assert isinstance(told, Fact)
    assert (told.fact, told.kind, told.source) == ("ball isIn box", "asserted", "eyes")
    assert told.since is not None
    assert told.expires is not None
    assert 990 < (told.expires - told.since).total_seconds() <= 1_000
    assert abs((datetime.now(UTC) - told.since).total_seconds()) < 60
    assert (follows.kind, follows.memory, follows.expires) == ("inferred", None, None)


def test_about_and_lookup(kb: Blackboard, mind: str) -> None:
    """One thing is described, and found by what people call it."""
    kb.add(mind, 'cup1 rdfs:label "The Blue One"', "cup1 a Cup", "cup1 isOn table")
    portrait = kb.about(mind, "cup1")
    assert portrait.label == "The Blue One"
    assert portrait.direct_types == ("Cup",)
    assert "cup1 isOn table" in portrait.as_subject
    assert "table" in kb.about(mind, "table").id
    match = kb.lookup(mind, "the blue one")[0]
    assert (match.id, match.kind) == ("cup1", "individual")


def test_about_reads_any_term(kb: Blackboard, mind: str) -> None:
    """A whole IRI, with its slashes, can be asked about."""
    kb.add(mind, "<http://example.org/a/b?c#d> isOn table")
    assert kb.about(mind, "<http://example.org/a/b?c#d>").as_subject


def test_explain(kb: Blackboard, mind: str) -> None:
    """A proof is a tree down to what was told."""
    kb.add(mind, "ball isIn box")
    proof = kb.explain(mind, "ball isAt box")
    assert proof.kind == "inferred"
    assert {premise.kind for premise in proof.because[0].premises} == {"asserted", "common_sense"}
    assert kb.explain(mind, ("ball", "isIn", "box")).kind == "asserted"


def test_consistency(kb: Blackboard, mind: str) -> None:
    """A contradiction names the rule and the assertions to blame."""
    assert kb.consistency(mind)
    kb.add(mind, "thing a Human", "thing a Table")
    found = kb.consistency(mind)
    assert not found
    assert {"thing a Human", "thing a Table"} <= {f for c in found.conflicts for f in c.facts}


def test_if_consistent_refuses_with_the_contradiction(kb: Blackboard, mind: str) -> None:
    """What would contradict changes nothing, and the refusal explains."""
    kb.add(mind, "thing a Human")
    with pytest.raises(BoardError) as refusal:
        kb.add(mind, "thing a Table", if_consistent=True)
    assert refusal.value.code == "inconsistent"
    conflicts = refusal.value.detail["conflicts"]
    assert isinstance(conflicts, list)
    assert set(conflicts[0]) == {"rule", "facts", "message"}
    assert not kb.check(mind, "thing a Table")


def test_likeness(kb: Blackboard, mind: str) -> None:
    """Things are compared, told apart, and a vague description is narrowed down."""
    kb.add(mind, "c1 a Cup", "c2 a Cup", "c1 hasColor red", "c2 hasColor blue", "c1 isOn table")
    kb.add(mind, "c2 isOn table")
    compared = kb.compare(mind, "c1", "c2")
    assert ("isOn", "table") in compared.similarities
    assert any(each.property == "hasColor" for each in compared.differences)
    told = kb.discriminate(mind, "c1", "c2")
    assert (told.property, told.complete) == ("hasColor", True)
    assert dict(told.values) == {"c1": ("red",), "c2": ("blue",)}
    meant = kb.clarify(mind, "?o a Cup", variable="?o")
    assert sorted(meant.candidates) == ["c1", "c2"]
    assert meant.discriminant == told
    assert kb.discriminate(mind, "c1").property is None


def test_divergence(kb: Blackboard, mind: str) -> None:
    """Two models tell on what they differ."""
    other = fresh_name()
    kb.create(other)
    kb.add(mind, "ball isIn box")
    kb.add(other, "ball isIn basket")
    found = kb.divergence(mind, other)
    assert "ball isIn box" in found.only_here
    assert "ball isIn basket" in found.only_there


def test_models(kb: Blackboard) -> None:
    """Models are made, nest, are listed, and go with all that lies in them."""
    name = fresh_name()
    assert kb.create(name) is True
    assert kb.create(name) is False
    assert kb[name]["?s ?p ?nothing", "nothing isIn ?s"] == []
    kb.create(f"{name}.anne")
    kb.add(f"{name}.anne", "ball isIn box")
    (nested,) = [model for model in kb.models() if model.id == f"{name}.anne"]
    assert (nested.parent, nested.asserted) == (name, 1)
    assert nested.inferred > 1
    kb.delete(name)
    assert not [model for model in kb.models() if model.id.startswith(name)]


def test_an_agent_has_a_mind(kb: Blackboard) -> None:
    """Whoever is an agent to the robot has a model, before the change is answered."""
    name = fresh_name("sally")
    kb.add("myself", f"{name} a Human")
    assert name in [model.id for model in kb.models()]
    kb.retract("myself", f"{name} a Human")
    kb.delete(name)


def test_a_model_has_the_verbs(kb: Blackboard, mind: str) -> None:
    """What can be asked of the board can be asked of one of its models."""
    model = kb[mind]
    model.revise(add=["ball isIn box"])
    model.update("ball hasWeight 0.1")
    assert model.find("?o isIn box") == [{"o": "ball"}]
    assert model.check("ball isAt box")
    assert [fact.fact for fact in model.facts(p="contains")] == ["box contains ball"]
    assert model.explain("ball isAt box").fact == "ball isAt box"
    assert "ball isIn box" in model.divergence().only_here
    assert model.history(s="ball", p="isIn")[0].op == "became_true"
    assert model["?o isIn box"] == [{"o": "ball"}]
    assert model["?o", "isIn", "box"] == [{"o": "ball"}]
    assert model["?o isIn ?b", "?o hasWeight 0.1"] == [{"o": "ball", "b": "box"}]


def test_names_and_texts_of_all_languages(kb: Blackboard, mind: str) -> None:
    """Any text comes back as it was told, however it is spelt."""
    fact = 'cup rdfs:label "tasse à café ☕ \\"petite\\"\\n"@fr'
    kb.add(mind, fact)
    assert facts(kb, mind, kind="asserted") == [fact]
