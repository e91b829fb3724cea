"""Common ancestors, first different ancestors, similarities and differences."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb_server.core.facts.matching import Budget
from kb_server.core.questions.similarity import PropertyDifference, SimilarityReport, compare
from kb_server.core.terms.terms import HIDDEN
from kb_server.errors import BadRequest, TooCostly
from tests.similarity.models import believing, enough

# The example of ORO's own documentation.
ORO_EXAMPLE = (
    "Creature rdfs:subClassOf Made",
    "Engine rdfs:subClassOf Made",
    "WhiteCreature rdfs:subClassOf Creature",
    "WhiteCreature rdfs:subClassOf White",
    "WhiteEngine rdfs:subClassOf Engine",
    "WhiteEngine rdfs:subClassOf White",
    "bear a WhiteCreature",
    "van a WhiteEngine",
)


def compared(a: str, b: str, *texts: str) -> SimilarityReport:
    return compare(a, b, believing(*texts), enough())


def test_oro_example_of_two_individuals() -> None:
    """Incomparable common ancestors are all given, and with them what lies just below each."""
    found = compared("bear", "van", *ORO_EXAMPLE)
    assert found.common_ancestors == ("Made", "White")
    assert found.first_different_ancestors == (
        ("Creature", "WhiteCreature"),
        ("Engine", "WhiteEngine"),
    )


def test_classes_compare_like_their_individuals() -> None:
    """Two classes have the ancestors that individuals of exactly these classes have."""
    things, classes = (
        compared(*pair, *ORO_EXAMPLE)
        for pair in (("bear", "van"), ("WhiteCreature", "WhiteEngine"))
    )
    assert things.common_ancestors == classes.common_ancestors
    assert things.first_different_ancestors == classes.first_different_ancestors


def test_the_shipped_classes() -> None:
    """A cup and a table are artifacts, the one a container and the other furniture."""
    found = compared("cup", "table", "cup a Cup", "table a Table")
    assert found.common_ancestors == ("Artifact",)
    assert found.first_different_ancestors == (("Container",), ("Furniture",))


def test_a_class_and_one_below_it() -> None:
    """A class is the common ancestor of itself and one below it, and only that one has more."""
    found = compared("Box", "Crate", "Crate rdfs:subClassOf Box")
    assert found.common_ancestors == ("Box",)
    assert found.first_different_ancestors == ((), ("Crate",))


def test_an_extra_class_beside_the_common_ones() -> None:
    """A class that is not below a common ancestor still makes a difference when no other does."""
    found = compared("cup1", "cup2", "cup1 a Cup", "cup2 a Cup", "cup1 a Souvenir")
    assert found.first_different_ancestors == (("Souvenir",), ())


def test_two_words_for_one_class() -> None:
    """Equivalent classes are equally specific, so both are common ancestors."""
    found = compared("x", "y", "x a Cup", "y a Cup", "Beaker owl:equivalentClass Cup")
    assert found.common_ancestors == ("Beaker", "Cup")


def test_what_both_have_and_what_one_has() -> None:
    """Shared pairs are similarities, all other pairs are in the differences, by side."""
    found = compared(
        "cup1",
        "cup2",
        *("cup1 a Cup", "cup1 hasColor red", "cup1 hasColor white", "cup1 isOn table"),
        *("cup2 a Cup", "cup2 hasColor red", "cup2 hasColor blue", "cup2 isNextTo table"),
    )
    assert found.similarities == (("rdf:type", "Cup"), ("hasColor", "red"), ("isAt", "table"))
    assert found.differences == (
        PropertyDifference("hasColor", ("white",), ("blue",)),
        PropertyDifference("isNextTo", (), ("table",)),
        PropertyDifference("isOn", ("table",), ()),
    )


def test_the_class_is_a_difference() -> None:
    """First different ancestors stand among the differences, before all properties."""
    found = compared("x", "y", "x a Cup", "y a Mug", "x hasColor red")
    assert found.differences[0] == PropertyDifference("rdf:type", ("Cup",), ("Mug",))
    assert ("rdf:type", "Container") in found.similarities


def test_numbers_compare_by_value() -> None:
    """The same number in two datatypes is a similarity."""
    found = compared("x", "y", "x hasWeight 0.2", 'y hasWeight "0.20"^^xsd:double')
    assert not found.differences
    assert ("hasWeight", '"0.2"^^xsd:double') in found.similarities


def test_next_to_each_other_is_no_difference() -> None:
    """What each of the two is to the other is left out."""
    found = compared("x", "y", "x a Cup", "y a Cup", "x isNextTo y")
    assert not found.differences


def test_nothing_volatile_and_no_bookkeeping() -> None:
    """Neither sight, the active concept, labels nor the words of other vocabularies compare."""
    found = compared(
        "x",
        "y",
        *("x a Cup", "y a Cup", "x isInFieldOfView true", "x a ActiveConcept", "sally sees y"),
        *('x rdfs:label "mine"', "y isMoving true", "x leftOf sally"),
    )
    assert not found.differences
    assert found.similarities == (("rdf:type", "Cup"),)


def test_a_thing_is_as_itself() -> None:
    """A thing compared with itself shows its most specific classes and no difference."""
    found = compared("x", "x", "x a Cup", "x hasColor red", "x mentions x")
    assert found.common_ancestors == ("Cup",)
    assert found.first_different_ancestors == ((), ())
    assert not found.differences


@pytest.mark.parametrize("unknown", ["nobody", "owner", f"{HIDDEN}3"])
def test_an_unknown_thing_is_refused_by_name(unknown: str) -> None:
    """What no visible fact mentions is a bad request that names it."""
    with pytest.raises(BadRequest) as refusal:
        compared("ball", unknown, "ball a Ball")
    assert refusal.value.detail["entity"] == unknown


def test_what_is_only_an_object_is_known() -> None:
    """A thing that occurs only as the object of facts can be compared."""
    assert compared("x", "Gizmo", "x isAbout gadget", "y a Gizmo").a == "x"
    assert compared("x", "gadget", "x isAbout gadget").b == "gadget"


def test_the_budget_bounds_it() -> None:
    """Every fact looked at is paid for."""
    view = believing("x a Cup", "y a Mug")
    with pytest.raises(TooCostly):
        compare("x", "y", view, Budget(20))


CLASSES = st.sampled_from(["Cup", "Mug", "Box", "Table", "Bottle", "Ball", "VideoTape", "Human"])
DESCRIPTIONS = st.lists(
    st.one_of(
        CLASSES.map("{} a ".__add__),
        st.sampled_from(["red", "blue", "white"]).map("{} hasColor ".__add__),
        st.sampled_from(["isOn", "isIn", "isNextTo"]).map("{{}} {} shelf".format),
        st.sampled_from(["0.1", "0.10", '"0.1"^^xsd:double', "0.2"]).map("{} isAbout ".__add__),
    ),
    max_size=6,
)


@given(DESCRIPTIONS, DESCRIPTIONS)
def test_comparison_is_symmetric(of_x: list[str], of_y: list[str]) -> None:
    """Comparing the other way round gives the same, with the sides exchanged."""
    told = [d.format("x") for d in of_x] + [d.format("y") for d in of_y]
    view = believing("x a Thing", "y a Thing", *told)
    one, other = compare("x", "y", view, enough()), compare("y", "x", view, enough())
    assert one.common_ancestors == other.common_ancestors
    assert one.first_different_ancestors == other.first_different_ancestors[::-1]
    assert one.similarities == other.similarities
    turned = tuple(PropertyDifference(d.property, d.of_b, d.of_a) for d in other.differences)
    assert one.differences == turned


@given(DESCRIPTIONS, DESCRIPTIONS)
def test_ancestors_do_what_their_names_say(of_x: list[str], of_y: list[str]) -> None:
    """Common ancestors include both and none is above another; different ones include just one."""
    told = [d.format("x") for d in of_x] + [d.format("y") for d in of_y]
    view = believing("x a Thing", "y a Thing", *told)
    found = compare("x", "y", view, enough())
    for ancestor in found.common_ancestors:
        assert view.holds(("x", "rdf:type", ancestor))
        assert view.holds(("y", "rdf:type", ancestor))
        for other in found.common_ancestors:
            assert other == ancestor or not view.holds((other, "rdfs:subClassOf", ancestor))
    for a, b, side in zip("xy", "yx", found.first_different_ancestors, strict=True):
        for ancestor in side:
            assert view.holds((a, "rdf:type", ancestor))
            assert not view.holds((b, "rdf:type", ancestor))
