"""Which property tells candidates apart."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb_server.core.facts.matching import Budget
from kb_server.core.questions.discrimination import MOST_CANDIDATES, Discrimination, discriminate
from kb_server.errors import BadRequest, TooCostly
from tests.similarity.models import believing, enough

NOTHING = Discrimination(None, {}, False)


def told_apart(candidates: list[str], *texts: str) -> Discrimination:
    return discriminate(candidates, believing(*texts), enough())


def test_which_box() -> None:
    """The paper's two boxes are told apart by class: a toolbox, or a cardboard box."""
    found = told_apart(
        ["CARDBOARD_BOX", "TOOLBOX"],
        *("ToolBox rdfs:subClassOf Box", "CardboardBox rdfs:subClassOf Box"),
        *("TOOLBOX a ToolBox", "CARDBOARD_BOX a CardboardBox", "WHITE_TAPE isIn CARDBOARD_BOX"),
        *("WHITE_TAPE a VideoTape", "BLACK_TAPE isNextTo TOOLBOX"),
    )
    kinds = {"CARDBOARD_BOX": ("CardboardBox",), "TOOLBOX": ("ToolBox",)}
    assert found == Discrimination("rdf:type", kinds, True)


def test_a_plain_box_and_a_toolbox() -> None:
    """A candidate of no class below the common one goes by the common one."""
    found = told_apart(["b", "t"], "ToolBox rdfs:subClassOf Box", "b a Box", "t a ToolBox")
    assert found.values == {"b": ("Box",), "t": ("ToolBox",)}


def test_the_bottle_next_to_the_glass() -> None:
    """Of two like bottles on a table, the one next to the glass is told by that."""
    found = told_apart(
        ["bottle1", "bottle2"],
        *("bottle1 a Bottle", "bottle2 a Bottle", "glass a Glass", "bottle1 isNextTo glass"),
        *("bottle1 isOn table", "bottle2 isOn table", "glass isOn table", "bottle1 near sally"),
    )
    assert found == Discrimination("isNextTo", {"bottle1": ("glass",), "bottle2": ()}, True)


def test_every_level_of_classes_counts() -> None:
    """What the first different ancestors leave alike is parted by the next ones."""
    found = told_apart(["c", "m", "t"], "c a Cup", "m a Mug", "t a Table")
    kinds = {"c": ("Cup",), "m": ("Mug",), "t": ("Furniture",)}
    assert found == Discrimination("rdf:type", kinds, True)


def test_multi_valued_colours() -> None:
    """Candidates with overlapping colours are told apart by the whole sets."""
    colours = ("x hasColor red", "x hasColor white", "y hasColor red", "z hasColor white")
    found = told_apart(["x", "y", "z"], "x a Cup", "y a Cup", "z a Cup", *colours)
    values = {"x": ("red", "white"), "y": ("red",), "z": ("white",)}
    assert found == Discrimination("hasColor", values, True)


def test_a_partial_discriminant() -> None:
    """Where nothing separates all, the property that separates most pairs is given."""
    cups = [f"cup{i}" for i in range(4)]
    colours = ("red", "red", "blue", "blue")
    found = told_apart(
        cups,
        *(f"{cup} a Cup" for cup in cups),
        *(f"{cup} hasColor {colour}" for cup, colour in zip(cups, colours, strict=True)),
        *("cup0 hasSize big", "cup1 hasSize small", "cup2 hasSize small", "cup3 hasSize small"),
    )
    assert (found.property, found.complete) == ("hasColor", False)


def test_a_better_split_beats_a_perceivable_one() -> None:
    """Perceivable properties are preferred only among those that separate equally well."""
    texts = [f"cup{i} {p}" for i in range(3) for p in ("a Cup", f"belongsTo owner{i}")]
    found = told_apart(["cup0", "cup1", "cup2"], *texts, "cup0 hasColor red")
    assert found.property == "belongsTo"


@pytest.mark.parametrize(
    ("texts", "best"),
    [
        (("x a Cup", "y a Mug", "x hasColor red", "y hasColor blue"), "rdf:type"),
        (("x hasSize big", "y hasSize small", "x hasColor red", "y hasColor blue"), "hasColor"),
        (("x hasSize big", "y hasSize small", "x hasShape cone", "y hasShape ring"), "hasSize"),
        (("x isOn table", "y isOn floor", "x hasShape cone", "y hasShape ring"), "hasShape"),
        (("x isOn table", "y isOn floor", "x belongsTo tom", "y belongsTo ann"), "isOn"),
        (("x isNextTo lamp", "x hasWeight 1", "y hasWeight 2"), "isNextTo"),
        (("x hasColor red", "x hasSize big", "y hasSize small"), "hasSize"),
        (("x hasHue a1", "y hasHue a2", "x bar a", "y bar b"), "hasHue"),
    ],
)
def test_ties_go_to_what_can_be_seen(texts: tuple[str, ...], best: str) -> None:
    """Of equal splits the visible one comes first, and of these one that each candidate has."""
    known = ("hasHue rdfs:subPropertyOf hasColor", "x a SpatialThing", "y a SpatialThing")
    assert told_apart(["x", "y"], *known, *texts).property == best


def test_no_super_property_where_the_specific_one_serves() -> None:
    """Not `isAt` or `isAbove` but `isOn`, unless only `isAt` separates the rest."""
    seen = ("x a Cup", "y a Cup", "z a Cup", "x isOn table", "y isOn floor")
    assert told_apart(["x", "y"], *seen).property == "isOn"
    told = told_apart(["x", "y", "z", "w"], *seen, "w a Cup", "z isIn shelf", "w isIn bin")
    assert (told.property, told.complete) == ("isAt", True)


@pytest.mark.parametrize(
    "text",
    [
        *("x isInFieldOfView true", "x isReachable true", "sally sees x", "sally pointsAt x"),
        *("x a ActiveConcept", "x isMoving true", "x isPerceived true", "x leftOf sally"),
        *("x near sally", "x isAtLeftOf lamp", "x reachEffort 0.3", "sally isHolding x"),
        *('x rdfs:label "my cup"', 'x rdfs:comment "chipped"', "x owl:differentFrom z"),
        *("ball isOn x", "x isBelow lamp", "x isNextTo y", "x gazedAtBy sally", "x glances sally"),
        *("x note 3", "x a Eyed", "x hasPart _:lid"),
    ],
)
def test_never_offered(text: str) -> None:
    """Nothing volatile, no label, no mirrored place and no other candidate tells things apart."""
    known = (
        *("gazedAtBy owl:inverseOf sees", "glances rdfs:subPropertyOf looksAt"),
        *("note a owl:AnnotationProperty", "Eyed rdfs:subClassOf ActiveConcept"),
        *("x a Agent", "y a Agent", "x a Hand", "y a Hand", "lamp a Lamp", "z a Cup"),
    )
    assert told_apart(["x", "y"], *known, text) == NOTHING


def test_what_is_in_a_box_tells_it() -> None:
    """The contents of a container are offered, though they are an inverse."""
    found = told_apart(["x", "y"], "x a Box", "y a Box", "ball isIn x")
    assert found == Discrimination("contains", {"x": ("ball",), "y": ()}, True)


def test_ten_identical_cups() -> None:
    """Nothing tells ten identical cups apart, though each has its own label."""
    cups = [f"cup{i}" for i in range(10)]
    told = [f"{c} {t}" for c in cups for t in ("a Cup", "hasColor red", f'rdfs:label "{c}"')]
    assert told_apart(cups, *told) == NOTHING


def test_fewer_than_two() -> None:
    """Nothing tells one thing from itself, however often it is named, nor none at all."""
    for candidates in ([], ["x"], ["x", "x"]):
        assert told_apart(candidates, "x a Cup", "x hasColor red") == NOTHING


def test_two_names_of_one_thing() -> None:
    """Candidates known to be the same need not be told apart, and each has its values."""
    told = ("x a Cup", "y a Cup", "x hasColor red", "y hasColor blue", "x owl:sameAs also_x")
    assert told_apart(["x", "also_x"], *told) == NOTHING
    found = told_apart(["x", "y", "also_x"], *told)
    values = {"x": ("red",), "y": ("blue",), "also_x": ("red",)}
    assert found == Discrimination("hasColor", values, True)


def test_numbers_go_by_value() -> None:
    """One number in two datatypes tells nothing apart."""
    assert told_apart(["x", "y"], "x hasWeight 0.2", 'y hasWeight "0.2"^^xsd:float') == NOTHING


def test_an_unknown_candidate_is_refused_by_name() -> None:
    """A candidate that no fact mentions is a bad request that names it."""
    with pytest.raises(BadRequest, match="nobody"):
        told_apart(["x", "nobody"], "x a Cup")


def test_too_many_candidates() -> None:
    """More candidates than allowed are refused."""
    with pytest.raises(BadRequest):
        told_apart(["x"] * (MOST_CANDIDATES + 1), "x a Cup")


def test_the_budget_bounds_it() -> None:
    """Every fact looked at is paid for."""
    view = believing("x a Cup", "y a Mug")
    with pytest.raises(TooCostly):
        discriminate(["x", "y"], view, Budget(20))


THINGS = ["t0", "t1", "t2", "t3", "t4"]
VALUES = {
    "a": ["Cup", "Mug", "Box", "Table", "Bottle", "ActiveConcept"],
    "hasColor": ["red", "blue", "white"],
    "hasSize": ["big", "small"],
    "isOn": ["table", "shelf"],
    "isNextTo": ["lamp", "t1"],
    "belongsTo": ["tom", "ann", "t2"],
    "looksAt": ["lamp", "screen"],
}
MODELS = st.lists(
    st.sampled_from(sorted(VALUES)).flatmap(
        lambda p: st.builds(
            "{} {} {}".format, st.sampled_from(THINGS), st.just(p), st.sampled_from(VALUES[p])
        )
    ),
    max_size=20,
)


@given(MODELS, st.permutations(THINGS))
def test_the_order_of_candidates_does_not_matter(told: list[str], order: list[str]) -> None:
    """Any permutation of the candidates has the same answer."""
    view = believing(*(f"{thing} a Thing" for thing in THINGS), *told)
    assert discriminate(order, view, enough()) == discriminate(THINGS, view, enough())


@given(MODELS)
def test_complete_means_that_all_are_told_apart(told: list[str]) -> None:
    """All values differ when the discriminant is complete, and only then; all of them hold."""
    view = believing(*(f"{thing} a Thing" for thing in THINGS), *told)
    found = discriminate(THINGS, view, enough())
    assert found.complete == (len(set(found.values.values())) == len(THINGS))
    for thing, values in found.values.items():
        assert all(view.holds((thing, str(found.property), value)) for value in values)


@given(MODELS)
def test_no_other_property_does_better(told: list[str]) -> None:
    """Counted by brute force, no property that may be offered separates more pairs."""
    view = believing(*(f"{thing} a Thing" for thing in THINGS), *told)
    found = discriminate(THINGS, view, enough())
    apart = sum(a != b for a, b in combinations(found.values.values(), 2))
    for p in ("hasColor", "hasSize", "isOn", "isNextTo", "isAt", "belongsTo", "rdf:type"):
        values = [
            {o for _, _, o in view.match(thing, p, None)} - {*THINGS, "ActiveConcept"}
            for thing in THINGS
        ]
        assert sum(a != b for a, b in combinations(values, 2)) <= apart
