"""Whether facts can all be true, and which cannot, by Pellet itself."""

import pytest

from kb_server.dl import worker
from kb_server.dl.answers import DLConflict
from kb_server.dl.engine import DLEngine
from kb_server.dl.java import bundled
from kb_server.dl.ntriples import read
from kb_server.dl.pellet import Pellet
from kb_server.dl.renaming import disguise
from kb_server.dl.vocabulary import TYPE
from tests.dl.ontologies import BOTTLES, DISJOINT, NAMESPACE, RULE, ntriples, short


def blamed(conflict: DLConflict) -> set[str]:
    """The facts of a conflict, in short."""
    return set(map(short, conflict.facts))


def test_facts_that_fit_are_consistent(engine: DLEngine) -> None:
    """Facts with a model have no conflicts."""
    verdict = engine.consistency(ntriples(DISJOINT + ":sally a :Human . :cup a :Artifact ."))
    assert verdict.consistent
    assert verdict.conflicts == ()


def test_a_clash_names_its_facts_and_axioms(engine: DLEngine) -> None:
    """A conflict holds the statements to blame, those of the ontology too, and no others."""
    facts = (
        ":sally a :Human, :Agent ; :owns :ball . :owns rdfs:domain :Artifact . :cup a :Artifact ."
    )
    verdict = engine.consistency(ntriples(DISJOINT + facts))
    (conflict,) = verdict.conflicts
    assert not verdict.consistent
    assert conflict.rule == "dl"
    assert blamed(conflict) == {
        "sally type Human",
        "sally owns ball",
        "owns domain Artifact",
        "Human disjointWith Artifact",
    }
    assert "sally" in conflict.message
    assert "prop(owns, sally, ball)" in conflict.axioms


def test_it_reasons_by_cases(engine: DLEngine) -> None:
    """A thing that must be one of two, and is neither, is a conflict that no OWL RL rule finds."""
    facts = """:Pet a owl:Class ; rdfs:subClassOf [ a owl:Class ; owl:unionOf ( :Cat :Dog ) ] .
    :Cat a owl:Class ; owl:disjointWith :Quiet . :Dog a owl:Class ; owl:disjointWith :Quiet .
    :Quiet a owl:Class . :rex a :Pet, :Quiet ."""
    (conflict,) = engine.consistency(ntriples(facts)).conflicts
    assert {"rex type Pet", "rex type Quiet"} <= blamed(conflict)


def test_independent_conflicts_are_each_told(engine: DLEngine) -> None:
    """Two clashes that share no fact are two conflicts."""
    facts = ":sally a :Human, :Artifact . :anne a :Human, :Artifact ."
    verdict = engine.consistency(ntriples(DISJOINT + facts), max_conflicts=5)
    people = [{fact.split()[0] for fact in blamed(c)} - {"Human"} for c in verdict.conflicts]
    assert sorted(people, key=str) == [{"anne"}, {"sally"}]


def test_numbers_clash_by_value(engine: DLEngine) -> None:
    """A bottle of 0.2 is one in any datatype, and one of 4.5 is a conflict with its size."""
    sized = BOTTLES + ':a a :Bottle ; :hasMainDimension 0.2, "0.20"^^xsd:float .'
    assert engine.consistency(ntriples(sized)).consistent
    verdict = engine.consistency(ntriples(BOTTLES + ":car a :Bottle ; :hasMainDimension 4.5e0 ."))
    assert any("car hasMainDimension" in fact for fact in blamed(verdict.conflicts[0]))
    assert "car type Bottle" in blamed(verdict.conflicts[0])


def test_rules_of_swrl_are_obeyed(engine: DLEngine) -> None:
    """A rule with a comparison fires above its bound only, and is named when it clashes."""
    assert engine.consistency(ntriples(RULE + ":x a :Small ; :size 2.5 .")).consistent
    (conflict,) = engine.consistency(ntriples(RULE + ":x a :Small ; :size 5 .")).conflicts
    assert {"bigness type Imp", "x type Small"} <= blamed(conflict)


def test_unnamed_things_are_told_by_their_label(engine: DLEngine) -> None:
    """A conflict about a blank node speaks of it as it was labelled."""
    classes = (f"<{NAMESPACE}{name}>" for name in ("Human", "Artifact"))
    text = ntriples(DISJOINT) + "".join(f"_:it {TYPE} {name} .\n" for name in classes)
    (conflict,) = engine.consistency(text).conflicts
    assert {"_:it type Human", "_:it type Artifact"} <= blamed(conflict)


def test_odd_names_and_texts_come_back_as_given(engine: DLEngine) -> None:
    """Names no XML could carry and texts with brackets, quotes and umlauts are blamed verbatim."""
    name, text = "<urn:a/1,(b)?x=n5>", r'"a (b], \"ü\" n7\n"'
    facts = f'{name} <urn:n0> {text} . {name} <urn:n0> "b" . <urn:n0> a owl:FunctionalProperty .'
    (conflict,) = engine.consistency(ntriples(facts)).conflicts
    assert (name, "<urn:n0>", text) in conflict.facts
    assert len(conflict.facts) == 3


def test_a_clash_is_told_though_no_time_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """With no time to explain, the verdict stands, with Pellet's short reason."""
    monkeypatch.setattr(Pellet, "explain", lambda *_: None)
    hidden = disguise(read(ntriples(DISJOINT + ":sally a :Human, :Artifact .")))
    verdict = worker._verdict(Pellet(str(bundled()), 500), hidden, 3, 0)
    (conflict,) = verdict.conflicts
    assert not verdict.consistent
    assert conflict.facts == ()
    assert "sally" in conflict.message
