"""What is known of one thing, and what a word may mean."""

import pytest

from kb_server.core.facts.matching import Budget
from kb_server.core.questions.description import Description, LabelMatch, about, lookup
from kb_server.core.terms.terms import HIDDEN
from kb_server.errors import BadRequest, TooCostly
from tests.similarity.models import believing, enough


def portrayed(entity: str, *texts: str) -> Description:
    return about(entity, believing(*texts), enough())


def ids(label: str, *texts: str) -> list[str]:
    return [match.id for match in lookup(label, believing(*texts), enough())]


def test_a_portrait() -> None:
    """A thing shows its label, its classes, and the facts it is in, inferred ones included."""
    found = portrayed("cup", "cup a Cup", "cup isOn table", 'cup rdfs:label "my cup"@en')
    assert (found.id, found.label, found.direct_types) == ("cup", "my cup", ("Cup",))
    assert {"Container", "Artifact", "Thing"} < set(found.types)
    assert ("cup", "isAbove", "table") in found.as_subject
    assert ("table", "isUnder", "cup") in found.as_object


def test_no_bookkeeping_in_a_portrait() -> None:
    """Neither nameless classes nor the W3C's and OpenCyc's words for kinds are shown as types."""
    found = portrayed("b", "b a Bottle", "b a owl:NamedIndividual")
    assert found.direct_types == ("Bottle",)
    assert not [t for t in found.types if ":" in t]
    assert HIDDEN not in repr(found)


def test_a_class_and_a_property_have_portraits() -> None:
    """A class shows where it stands, though it is of no class itself."""
    cup = portrayed("Cup")
    assert (cup.label, cup.types) == ("cup", ())
    assert ("Cup", "rdfs:subClassOf", "Container") in cup.as_subject
    assert portrayed("isOn").label == "on"


def test_the_label() -> None:
    """The label is the English one, else one in no language, else the name."""
    assert portrayed("x", "x a Cup").label == "x"
    labels = ('x rdfs:label "Tasse"@de', 'x rdfs:label "cup"@en')
    assert portrayed("x", *labels).label == "cup"
    assert portrayed("x", labels[0]).label == "Tasse"


@pytest.mark.parametrize("unknown", ["nobody", "owner", f"{HIDDEN}3", "?x"])
def test_an_unknown_thing_is_refused(unknown: str) -> None:
    """What no visible fact mentions has no portrait."""
    with pytest.raises(BadRequest) as refusal:
        portrayed(unknown)
    assert refusal.value.detail["entity"] == unknown


def test_lookup_tells_kinds() -> None:
    """A match is a class, a property or an individual, with its label."""
    view = believing("cup1 a Cup", "cup1 isCrackedBy cup2")
    assert lookup("VIDEO tape", view, enough()) == (LabelMatch("VideoTape", "class", "video tape"),)
    assert lookup("next to", view, enough())[0] == LabelMatch("isNextTo", "property", "next to")
    assert lookup("iscrackedby", view, enough()) == (
        LabelMatch("isCrackedBy", "property", "isCrackedBy"),
    )
    assert lookup("cup2", view, enough()) == (LabelMatch("cup2", "individual", "cup2"),)


def test_best_first() -> None:
    """The very label comes before the very name, then words of their own, then parts of words."""
    told = ("w a Toy", 'w rdfs:label "Gizmo"@en', 'gizmo rdfs:label "gadget"', "gizmo7 a Toy")
    assert ids("gizmo", *told, "big_gizmo a Toy") == ["w", "gizmo", "big_gizmo", "gizmo7"]
    assert ids("gizmo", "gizmo_2 a Toy", "a_gizmo a Toy") == ["gizmo_2", "a_gizmo"]
    assert ids("zmo", "gizmo a Toy", "zmoky a Toy") == ["zmoky", "gizmo"]


def test_a_label_of_many_is_the_one_found() -> None:
    """A thing with several labels shows the one that matched best."""
    view = believing('x rdfs:label "Tasse"@de', 'x rdfs:label "cup of mine"@en')
    assert lookup("tasse", view, enough()) == (LabelMatch("x", "individual", "Tasse"),)


def test_names_as_people_write_them() -> None:
    """In a name the underscore is a blank, and what stands before the colon need not be said."""
    assert ids("black tape", "black_tape a Tape") == ["black_tape"]
    shop = "<http://example.org/shop#teapot>"
    assert ids("Teapot", f"{shop} a Cup", "teapot2 a Cup") == [shop, "teapot2"]


def test_one_word_for_one_thing() -> None:
    """OpenCyc's words, rule variables, nameless nodes and the W3C's words are never found."""
    assert ids("person") == ["Human"]
    found = ids("x", "x a Cup") + ids("o") + ids("class")
    assert not [i for i in found if ":" in i]
    assert "owner" not in ids("owner")


def test_nothing_found() -> None:
    """No match is an empty answer, and an empty question an error."""
    assert ids("xyzzy") == []
    with pytest.raises(BadRequest):
        ids(" ")


def test_the_budget_bounds_both() -> None:
    """Every fact looked at is paid for."""
    view = believing("x a Cup")
    for ask in (about, lookup):
        with pytest.raises(TooCostly):
            ask("x", view, Budget(10))
