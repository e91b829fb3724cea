"""The relations are there, and each is of the kind that the contract promises."""

import pytest
from rdflib import OWL, RDF, RDFS, XSD, Literal, URIRef

from tests.ontology.common_sense import ORO, RELATIONS, above, common_sense, name, pairs, terms

VOCABULARY = {
    "places": "isAt isOn isIn isNextTo contains isAbove isBelow isUnder",
    "directions": "leftOf rightOf inFrontOf behind",
    "views": "hasRelativePosition near farFrom isAtLeftOf isAtRightOf isInFrontOf isBehind",
    "sides": "atLeftSideOf atRightSideOf atFrontOf atBackOf",
    "abilities": "sees seesWithHeadMovement looksAt pointsAt focusesOn perceives canReach",
    "grasp": "isHolding hasHandMovingToward mayPick mayPutInto",
    "in hand": "isInHand",
    "truths": "isInFieldOfView isVisible isReachable isMoving isPerceived isPhysicallyPlausible",
    "effort": "reachEffort",
    "missing": "isMissingBecauseOf isHiddenInHandOf isCarriedIn isCarriedOn hasFallenFrom "
    "hasSlidOn isOutOfViewOf isOccludedBy",
    "lost": "isUnaccountedFor",
    "reason": "missingReason",
    "measures": "hasMainDimension hasWeight",
    "likelihood": "hasProbability",
    "times": "startTime endTime",
    "mind": "desires experiences knows likes",
    "roles": "performedBy actsOnObject receivedBy hasGoal atLocation fromLocation toLocation "
    "withInstrument isAbout atTime",
    "actions": "Give Get Show Put Move Look LookAt Bring Pick Place Release Handover",
}


def words(*groups: str) -> set[str]:
    """The terms that these tests expect, by group."""
    return {word for group in groups for word in VOCABULARY[group].split()}


SPATIAL = words("places", "directions", "views", "sides")
VALUED = words("truths", "effort", "measures", "times", "lost", "reason", "likelihood")
VOLATILE = words(
    *("directions", "views", "abilities", "grasp", "truths", "effort", "missing", "lost", "reason"),
    "likelihood",
)


def of_kind(kind: URIRef) -> set[str]:
    return {name(term) for term in common_sense().subjects(RDF.type, kind)}


def test_the_spatial_vocabulary_is_complete() -> None:
    """Every relation of the contract's table is there, between things or to a value."""
    assert SPATIAL | words("abilities", "grasp", "in hand") <= terms(OWL.ObjectProperty)
    assert terms(OWL.DatatypeProperty) == VALUED


def test_places_are_under_at() -> None:
    """To be on, in or next to something is to be at it, and to be on it is to be above it."""
    assert {(p, "isAt") for p in ("isOn", "isIn", "isNextTo")} <= pairs(RDFS.subPropertyOf)
    assert above("isOn", RDFS.subPropertyOf) == {"isOn", "isAt", "isAbove"}
    assert above("isUnder", RDFS.subPropertyOf) == {"isUnder", "isBelow"}


def test_reasons_are_why_a_thing_is_missing() -> None:
    """All that names who or what makes a thing missing is under one relation."""
    below = {s for s, o in pairs(RDFS.subPropertyOf) if o == "isMissingBecauseOf"}
    assert below == words("missing") - {"isMissingBecauseOf"}


def test_directions_are_relative_positions() -> None:
    """Exactly the four directions as seen from an agent are relative positions."""
    below = {s for s, o in pairs(RDFS.subPropertyOf) if o == "hasRelativePosition"}
    assert below == words("directions")


@pytest.mark.parametrize(
    "pair",
    [
        ("isAbove", "isBelow"),
        ("isOn", "isUnder"),
        ("isIn", "contains"),
        ("leftOf", "rightOf"),
        ("inFrontOf", "behind"),
        ("isAtLeftOf", "isAtRightOf"),
        ("isInFrontOf", "isBehind"),
        ("isPartOf", "hasPart"),
    ],
)
def test_inverses(pair: tuple[str, str]) -> None:
    """The two relations of a pair are each other's inverse, which is said once."""
    assert len({pair, pair[::-1]} & pairs(OWL.inverseOf)) == 1


def test_the_intrinsic_sides_have_no_inverse() -> None:
    """What stands at a thing's own left says nothing about where that thing stands."""
    assert not words("sides") & {term for pair in pairs(OWL.inverseOf) for term in pair}


def test_what_is_functional() -> None:
    """The measures are functional and no relation between things is, so none merges two."""
    assert of_kind(OWL.FunctionalProperty) == VALUED - {"isVisible"}
    assert not of_kind(OWL.FunctionalProperty) & terms(OWL.ObjectProperty)
    assert ("isVisible", "isInFieldOfView") in pairs(OWL.equivalentProperty)


def test_what_is_symmetric() -> None:
    """Only being next to each other is mutual."""
    assert of_kind(OWL.SymmetricProperty) == {"isNextTo"}


def test_nothing_is_transitive() -> None:
    """No relation reaches farther than the facts that are asserted of it."""
    assert not of_kind(OWL.TransitiveProperty)


def test_every_relation_has_a_domain_and_a_range() -> None:
    """Of every relation it is known what it is between, from itself or from one above it."""
    for axiom in (RDFS.domain, RDFS.range):
        said = {p for p, _ in pairs(axiom)}
        bare = {p for p in SPATIAL if not {p, *above(p, RDFS.subPropertyOf)} & said}
        assert bare <= {"isVisible"}  # it is isInFieldOfView under another name


def test_domains_stand_on_the_highest_relation() -> None:
    """No relation repeats a domain or a range of one above it."""
    for axiom in (RDFS.domain, RDFS.range):
        said = pairs(axiom)
        higher = {(p, q) for p in terms(*RELATIONS) for q in above(p, RDFS.subPropertyOf) - {p}}
        assert not {(p, q) for p, q in higher for r, c in said if r == q and (p, c) in said}


def test_only_acting_makes_an_agent() -> None:
    """Whoever sees, reaches, holds or wants is an agent, and what that is done to never is."""
    does = words("abilities", "mind") - {"focusesOn"} | {"isHolding"}
    assert {p for p, c in pairs(RDFS.domain) if c == "Agent"} == does
    assert {p for p, c in pairs(RDFS.range) if c == "Agent"} == {"performedBy", "isHandOf"}


def test_places_are_for_everything_located() -> None:
    """Nothing becomes an object, a support or a container by being placed somewhere."""
    kinds = {c for p, c in pairs(RDFS.domain) | pairs(RDFS.range) if p in SPATIAL}
    assert kinds == {"Location"}


def test_truth_values_and_numbers() -> None:
    """What is true or false has the range of booleans, and numbers have no range at all."""
    ranges = {p: common_sense().value(ORO[p], RDFS.range) for p in VALUED - {"isVisible"}}
    truths = words("truths", "lost") - {"isVisible"}
    assert {p for p, r in ranges.items() if r == XSD.boolean} == truths
    assert {p for p, r in ranges.items() if r == XSD.string} == words("reason")
    assert {p for p, r in ranges.items() if r is None} == words("effort", "measures")


def test_volatile_terms_are_marked() -> None:
    """Gaze, sight, reach, motion, views, what is missing and bookkeeping are volatile, lasting
    places are not."""
    marked = {name(s) for s in common_sense().subjects(ORO.isVolatile, Literal(True))}
    equal = pairs(OWL.equivalentProperty)
    aligned = {c for p, c in equal if p in VOLATILE and c.startswith("cyc:")}
    assert marked == VOLATILE | aligned | {"ActiveConcept", "MissingThing"}


def test_roles_and_actions() -> None:
    """All thematic roles are under one relation, and all that can be asked for is purposeful."""
    assert {s for s, o in pairs(RDFS.subPropertyOf) if o == "hasThematicRole"} == words("roles")
    assert all("PurposefulAction" in above(action) for action in words("actions"))


@pytest.mark.parametrize(
    ("ability", "able"),
    [
        ("Support", "Table Shelf Floor Tray Furniture Chair Box Cube Book"),
        ("Container", "Box Basket Bin Bottle Cup Mug Glass Can"),
    ],
)
def test_what_can_support_and_contain(ability: str, able: str) -> None:
    """The geometry finds here which things can support others, and which can contain them."""
    defined = {"Bottle"} if ability == "Container" else set()
    assert {c for c in able.split() if ability in above(c)} | defined == set(able.split())


def test_who_is_who() -> None:
    """The robot is a Robot, a robot is both agent and artifact, and no rule's owner is anything."""
    kinds = {name(c) for c in common_sense().objects(ORO.myself, RDF.type)}
    assert "Robot" in kinds
    assert {"Agent", "Artifact"} <= above("Robot")
    assert set(common_sense().objects(ORO.owner, RDF.type)) == {OWL.NamedIndividual}


def test_what_excludes_each_other() -> None:
    """Space and time, people and artifacts exclude each other, and so do near and far."""
    assert ("SpatialThing", "TemporalThing") in pairs(OWL.disjointWith)
    assert ("Human", "Artifact") in pairs(OWL.disjointWith)
    assert ("near", "farFrom") in pairs(OWL.propertyDisjointWith)
