"""What follows from the ontology, as outside reasoners see it."""

from typing import Any

import pytest
from rdflib import OWL, RDF, RDFS, Graph

from tests.ontology.common_sense import ORO, SWRL, common_sense, name, terms
from tests.ontology.referees import Contradiction, by_pellet, by_rules

PARTS = "a :Container, :GraspableObject ; :hasShape :cylinder ; :hasMainDimension"
FACTS = f"""
    :x {PARTS} 0.3 .  :long {PARTS} 0.31 .
    :y a :Bottle ; :hasMainDimension 0.2 .  :car a :Car ; :hasMainDimension 4 .
    :ball :isOn :table ; :isIn :tray .  :cup :leftOf :sally .
    :sally :looksAt :ball ; :pointsAt :ball .  :owner :sees :ball ; :canReach :ball .
    :cup :isInFieldOfView true ; :isReachable true ; :isInHand :hand .  :hand :isHandOf :sally .
"""


@pytest.fixture(scope="module")
def closure() -> Graph:
    return by_rules(FACTS)


@pytest.fixture(scope="module")
def world() -> Any:
    return by_pellet(FACTS)


def classes(world: Any, thing: str) -> set[str]:
    """The names of the classes that owlready2 holds a thing to be in."""
    return {c.name for c in world[ORO[thing]].INDIRECT_is_a if hasattr(c, "name")}


def values(world: Any, thing: str, relation: str) -> set[str]:
    """The values that owlready2 holds one thing to have for one relation."""
    found = getattr(world[ORO[thing]], relation)
    found = found if isinstance(found, list) else [found]
    return {getattr(value, "name", str(value)) for value in found}


def test_the_ontology_is_consistent() -> None:
    """Pellet finds no contradiction in the bare ontology, and no class that must be empty."""
    assert not list(by_pellet().inconsistent_classes())


def test_the_hierarchy_is_fully_stated(world: Any, closure: Graph) -> None:
    """Pellet finds no class under another that the rules do not find there too."""
    found = {
        (term, parent.name)
        for term in terms(OWL.Class)
        for parent in world[ORO[term]].ancestors()
        if parent.iri.startswith(ORO)
    }
    ruled = {(name(s), name(o)) for s, o in closure.subject_objects(RDFS.subClassOf)}
    assert found <= ruled


def test_the_parts_make_a_bottle(world: Any, closure: Graph) -> None:
    """A graspable cylinder that contains and is 30 cm long is a bottle."""
    assert "Bottle" in classes(world, "x")
    assert (ORO.x, RDF.type, ORO.Bottle) in closure


def test_a_size_outside_makes_no_bottle(world: Any, closure: Graph) -> None:
    """The same thing one centimetre longer is none."""
    assert "Bottle" not in classes(world, "long")
    assert (ORO.long, RDF.type, ORO.Bottle) not in closure


def test_a_bottle_has_its_parts(world: Any, closure: Graph) -> None:
    """Of a bottle it follows that it contains, that it is graspable, and that it is a cylinder."""
    assert {"Container", "GraspableObject", "Artifact"} <= classes(world, "y")
    assert values(world, "y", "hasShape") == {"cylinder"}
    assert (ORO.y, RDF.type, ORO.Container) in closure
    assert (ORO.y, RDF.type, ORO.GraspableObject) in closure
    assert (ORO.y, ORO.hasShape, ORO.cylinder) in closure


@pytest.mark.parametrize(
    "facts",
    [
        ":x a :Bottle ; :hasMainDimension 4.2 .",
        ":x a :Bottle ; :hasMainDimension 1 .",
        ":x a :Car ; :hasMainDimension 0.2 .",
        ":x a :Car , :Bottle .",
        ":x a :Human , :Table .",
        ":x a :Give , :Ball .",
        ":x :isInFieldOfView true ; :isVisible false .",
        ":x :near :y ; :farFrom :y .",
        ":x :hasWeight 1 , 2 .",
    ],
)
def test_nonsense_is_a_contradiction(facts: str) -> None:
    """A car that is a bottle, a person who is a table and their like cannot be, says Pellet."""
    with pytest.raises(Contradiction):
        by_pellet(facts)


def test_what_follows_from_a_place(closure: Graph) -> None:
    """On implies at and above, and the same seen from the other side; in implies contains."""
    inferred = {
        ("ball", "isAt", "table"),
        ("ball", "isAbove", "table"),
        ("table", "isBelow", "ball"),
        ("table", "isUnder", "ball"),
        ("ball", "isAt", "tray"),
        ("tray", "contains", "ball"),
        ("sally", "rightOf", "cup"),
        ("cup", "hasRelativePosition", "sally"),
    }
    assert {(s, p, o) for s, p, o in inferred if (ORO[s], ORO[p], ORO[o]) in closure} == inferred


def test_a_place_says_little_of_the_thing(world: Any) -> None:
    """What is on or in something is a located thing, and nothing more than that."""
    located = {"Location", "SpatialThing", "Thing"}
    assert classes(world, "table") == classes(world, "tray") == located


def test_gaze_and_gesture_make_focus(world: Any) -> None:
    """An agent that looks at a thing and points at it focuses on it."""
    assert values(world, "sally", "focusesOn") == {"ball"}


def test_the_owner_sees_what_is_in_view(world: Any) -> None:
    """What the owner of a model sees is in its field of view, and the other way round."""
    assert values(world, "owner", "sees") == {"ball", "cup"}
    assert values(world, "ball", "isInFieldOfView") == {"True"}
    assert values(world, "ball", "isVisible") == {"True"}


def test_the_owner_reaches_what_is_reachable(world: Any) -> None:
    """What the owner of a model can reach is reachable, and the other way round."""
    assert values(world, "owner", "canReach") == {"ball", "cup"}
    assert values(world, "ball", "isReachable") == {"True"}


def test_an_agent_holds_what_is_in_its_hand(world: Any) -> None:
    """A thing in a hand is held by the agent whose hand it is."""
    assert values(world, "sally", "isHolding") == {"cup"}


def test_only_rules_know_the_owner() -> None:
    """The owner of a model is mentioned by four rules and by no fact."""
    mentions = list(common_sense().subject_predicates(ORO.owner))
    assert [relation for _, relation in mentions] == [SWRL.argument1] * 4
