"""What a scene takes from the ontology, and how often it is asked."""

from unittest.mock import patch

from kb_server import Blackboard
from spatial_reasoner.knowledge import BoardKnowledge, Knowledge


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
