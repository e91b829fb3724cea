"""What a scene takes from the ontology, and how often it is asked."""

from collections.abc import Iterator
from typing import Final
from unittest.mock import patch

import pytest

from kb_server import Blackboard
from spatial_reasoner.errors import SceneError
from spatial_reasoner.scene.knowledge import BoardKnowledge, Knowledge
from spatial_reasoner.scene.scene_file import scene_of

OWN: Final = """
@prefix : <http://kb.openrobots.org#> .
@prefix my: <http://example.org/sweets#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:SmartiesTube a owl:Class ; rdfs:subClassOf :Box .
my:Jar a owl:Class ; rdfs:subClassOf :Container , :TransparentObject .
my:Sweet a owl:Class ; rdfs:subClassOf :Food .
my:Chef a owl:Class ; rdfs:subClassOf :Human .
"""
BIN: Final = {"bin": {"size": [0.1, 0.1, 0.2], "floor": 0.01, "wall": 0.01}}


def test_what_classes_can_do(knowledge: Knowledge) -> None:
    """A class is all that it is below of, defined ones too, and itself."""
    assert knowledge.is_a("Table", "Support")
    assert knowledge.is_a("Bottle", "Container")
    assert knowledge.is_a("Crate", "Container")
    assert knowledge.is_a("Cabinet", "Furniture")
    assert knowledge.is_a("Lid", "Support")
    assert knowledge.is_a("Gripper", "Hand")
    assert knowledge.is_a("Ball", "Ball")
    assert not knowledge.is_a("Ball", "Support")
    assert knowledge.is_a("Glass", "TransparentObject")
    assert not knowledge.is_a("Mug", "TransparentObject")


def test_which_classes_there_are(knowledge: Knowledge) -> None:
    """The classes are those of the ontology by their own names, in order."""
    classes = list(knowledge.classes())
    assert {"Ball", "Table", "ActiveConcept"} <= set(classes)
    assert classes == sorted(classes)
    assert all(knowledge.is_class(each) for each in classes)
    assert not any(knowledge.is_class(each) for each in ("Bal", "isOn", "red", "myself"))


def test_a_question_is_asked_once() -> None:
    """However often something is asked, the board is asked once."""
    with Blackboard.local() as kb:
        knowledge = BoardKnowledge(kb)
        with patch.object(kb, "check", wraps=kb.check) as check:
            assert [knowledge.is_a("Table", "Support") for _ in range(3)] == [True] * 3
            assert check.call_count == 1


def test_classes_made_at_run_time_count() -> None:
    """A class that the board was told of is one, with all that follows from it."""
    with Blackboard.local() as kb:
        kb.revise("myself", add=["Trolley a owl:Class", "Trolley rdfs:subClassOf Furniture"])
        knowledge = BoardKnowledge(kb)
        assert knowledge.is_class("Trolley")
        assert knowledge.is_a("Trolley", "Support")


def test_what_the_board_knows_of_a_thing() -> None:
    """A thing is of its most specific classes, and has what it is known to have just once."""
    with Blackboard.local() as kb:
        kb.revise(
            "myself", add=["b a Ball", "b hasWeight 0.5", "b hasColor red", "b hasColor blue"]
        )
        knowledge = BoardKnowledge(kb)
        assert list(knowledge.kinds("b")) == ["Ball"]
        assert list(knowledge.kinds("nothing")) == []
        assert knowledge.value("b", "hasWeight") == "0.5"
        assert knowledge.value("b", "hasShape") == "sphere"
        assert knowledge.value("b", "hasColor") is None
        assert knowledge.value("b", "hasMainDimension") is None


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Knowledge]:
    """What an ontology of one's own knows beside the common sense."""
    file = tmp_path_factory.mktemp("own") / "own.ttl"
    file.write_text(OWN)
    with Blackboard.local(ontology=[file]) as kb:
        yield BoardKnowledge(kb)


def test_classes_of_ones_own_are_what_they_are_below(own: Knowledge) -> None:
    """A tube below Box supports and contains, and what is below no support does not."""
    said = {
        "tube": {"class": "SmartiesTube", "shape": BIN},
        "jar": {"class": "my:Jar", "shape": BIN},
        "sweet": {"class": "my:Sweet", "shape": {"sphere": 0.01}},
    }
    scene = scene_of({"entities": said, "agents": {"bob": {"class": "my:Chef"}}}, None, own)
    things = scene.entities
    assert [things[name].is_support for name in said] == [True, False, False]
    assert [things[name].is_container for name in said] == [True, True, False]
    assert [things[name].transparent for name in said] == [False, True, False]
    assert things["jar"].kind == "my:Jar"
    assert scene.agents["bob"].fov == pytest.approx((1.745, 1.309))
    assert "SmartiesTube" in own.classes()


@pytest.mark.parametrize("kind", ["my:Tin", "your:Jar", "my:", ":Jar", "my:Jar:Lid", "my:Sweet x"])
def test_a_class_that_no_ontology_has_is_an_error(own: Knowledge, kind: str) -> None:
    """A prefix that nobody declared, or a name that nobody made a class, is told with its place."""
    said = {"it": {"class": kind, "shape": {"sphere": 0.1}}}
    with pytest.raises(SceneError) as caught:
        scene_of({"entities": said}, None, own)
    assert caught.value.detail["where"] == "entities.it.class"


def test_without_the_ontology_its_classes_are_none(knowledge: Knowledge) -> None:
    """What one ontology says of classes is not known without it."""
    with pytest.raises(SceneError, match="SmartiesTube"):
        scene_of({"entities": {"it": {"class": "SmartiesTube", "shape": BIN}}}, None, knowledge)
