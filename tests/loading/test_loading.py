"""The common sense is loaded with what Pellet adds to it, and without Pellet when it must be."""

from pathlib import Path

import pytest

from kb_server.consistency import consistency_by_dl, consistency_by_rules
from kb_server.core.models.board import Board
from kb_server.core.models.revision import read_revision
from kb_server.dl.engine import DLEngine
from kb_server.errors import BadStatement, NoDLEngine
from kb_server.loading import default_cache, load_common_sense

_BY_CASES = """
@prefix : <http://kb.openrobots.org#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Animal a owl:Class . :Cat a owl:Class ; rdfs:subClassOf :Animal .
:Dog a owl:Class ; rdfs:subClassOf :Animal .
:Pet a owl:Class ; owl:equivalentClass [ a owl:Class ; owl:unionOf ( :Cat :Dog ) ] .
:Impossible a owl:Class ; rdfs:subClassOf :Cat , [ a owl:Class ; owl:complementOf :Cat ] .
"""


def _engine(folder: Path) -> DLEngine:
    return DLEngine(cache=folder / "cache")


def test_subsumptions_of_pellet_become_axioms(tmp_path: Path) -> None:
    """What only Pellet sees, by cases, is compiled: a pet is an animal."""
    file = tmp_path / "pets.ttl"
    file.write_text(_BY_CASES)
    loaded = load_common_sense([file], _engine(tmp_path))
    assert ("Pet", "rdfs:subClassOf", "Animal") in loaded.added
    board = Board(loaded.common)
    delta = board.revise("myself", read_revision(board.names, add=["rex a Pet"]), 0.0)
    assert delta is not None
    assert ("rex", "rdf:type", "Animal") in delta.became_true


def test_a_class_that_nothing_can_be_is_told(tmp_path: Path) -> None:
    """A class whose definition contradicts itself is named in the notes."""
    file = tmp_path / "pets.ttl"
    file.write_text(_BY_CASES)
    loaded = load_common_sense([file], _engine(tmp_path))
    assert any("Impossible" in note for note in loaded.notes)


def test_without_java_all_else_works(tmp_path: Path) -> None:
    """When no Java can start the rules do what they can, and the note says why."""
    loaded = load_common_sense(dl=DLEngine(java=tmp_path / "no-java"))
    assert "not classified" in loaded.notes[0]
    board = Board(loaded.common)
    board.revise("myself", read_revision(board.names, add=["sally a Human"]), 0.0)
    assert [model.id for model in board.models()] == ["myself", "sally"]
    with pytest.raises(NoDLEngine):
        consistency_by_dl(board, "myself", DLEngine(java=tmp_path / "no-java"))


def test_the_shipped_ontology_needs_nothing_from_pellet(tmp_path: Path) -> None:
    """The rules see all the subsumptions of the shipped ontology, and nothing in it is amiss."""
    loaded = load_common_sense(dl=_engine(tmp_path))
    assert (loaded.added, loaded.notes) == ((), ())


def test_an_unreadable_file_is_named(tmp_path: Path) -> None:
    """A file that is not there, or no Turtle, is a clear error."""
    with pytest.raises(BadStatement, match=r"nowhere\.ttl"):
        load_common_sense([tmp_path / "nowhere.ttl"])
    file = tmp_path / "odd.ttl"
    file.write_text("this is no Turtle")
    with pytest.raises(BadStatement, match="not Turtle"):
        load_common_sense([file])


def test_the_cache_follows_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Classifications are kept below the user's cache folder."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert tmp_path in default_cache().parents


def test_a_contradiction_that_both_engines_find_is_told_once(tmp_path: Path) -> None:
    """A bottle of 4.2 m is a contradiction to the rules and to Pellet, told once for both."""
    board = Board(load_common_sense().common)
    facts = ["car a Bottle", "car hasMainDimension 4.2"]
    board.revise("myself", read_revision(board.names, add=facts), 0.0)
    by_rules = consistency_by_rules(board, "myself")
    both = consistency_by_dl(board, "myself", _engine(tmp_path))
    assert not by_rules.consistent
    assert not both.consistent
    (conflict,) = both.conflicts
    told = {("car", "rdf:type", "Bottle"), ("car", "hasMainDimension", "4.2")}
    assert (conflict.rule, set(conflict.facts)) == ("cls-avf", told)


def test_full_dl_sees_what_the_rules_do_not(tmp_path: Path) -> None:
    """A contradiction by cases is found by Pellet alone, in the model that has it alone."""
    file = tmp_path / "pets.ttl"
    file.write_text(_BY_CASES)
    board = Board(load_common_sense([file]).common)
    board.create("sally")
    refuse = [
        "_:n1 owl:complementOf Cat",
        "_:n2 owl:complementOf Dog",
        "_:n1 a owl:Class",
        "_:n2 a owl:Class",
        "rex a Pet",
        "rex a _:n1",
        "rex a _:n2",
    ]
    board.revise("sally", read_revision(board.names, add=refuse), 0.0)
    assert consistency_by_rules(board, "sally").consistent
    verdict = consistency_by_dl(board, "sally", _engine(tmp_path))
    assert not verdict.consistent
    (conflict,) = verdict.conflicts
    assert ("rex", "rdf:type", "Pet") in conflict.facts
    assert set(conflict.facts) <= board.model("sally").assertions.keys()
    assert consistency_by_dl(board, "myself", _engine(tmp_path)).consistent
