"""What holds of every term: it is declared, it is explained, and it has its place."""

from pathlib import Path

import pytest
from rdflib import OWL, RDF, RDFS, Literal, URIRef

import ontology
from tests.ontology.common_sense import (
    CYC,
    KINDS,
    ORO,
    RELATIONS,
    common_sense,
    name,
    pairs,
    paths,
    terms,
)


@pytest.mark.parametrize("relation", [RDFS.label, RDFS.comment])
def test_every_term_is_explained(relation: URIRef) -> None:
    """Every term has exactly one label and one comment, in English."""
    found = {t: list(common_sense().objects(ORO[t], relation)) for t in terms(*KINDS)}
    wrong = {t: texts for t, texts in found.items() if [_language(x) for x in texts] != ["en"]}
    assert not wrong


def _language(text: object) -> str | None:
    return text.language if isinstance(text, Literal) else None


@pytest.mark.parametrize("kinds", [(OWL.Class,), RELATIONS, (OWL.NamedIndividual,)])
def test_labels_tell_terms_apart(kinds: tuple[URIRef, ...]) -> None:
    """No two terms of one kind have the same label, and labels are in lower case."""
    labels = [str(common_sense().value(ORO[t], RDFS.label)) for t in terms(*kinds)]
    assert sorted(labels) == sorted({label.lower() for label in labels})


def test_labels_are_what_people_say() -> None:
    """A label is the everyday word for a thing: an artifact is an object, to rest on is on."""
    said = {"Artifact": "object", "Human": "person", "Box": "box", "Cup": "cup", "isOn": "on"}
    assert said == {t: str(common_sense().value(ORO[t], RDFS.label)) for t in said}


def test_every_term_in_use_is_declared() -> None:
    """No axiom mentions a term that the ontology does not declare."""
    used = {t for triple in common_sense() for t in triple if isinstance(t, URIRef)}
    ours = {t for t in used if str(t).startswith((ORO, CYC))}
    declared = {s for kind in KINDS for s in common_sense().subjects(RDF.type, kind)}
    assert ours == {t for t in declared if isinstance(t, URIRef)}


def test_every_class_is_a_kind_of_thing() -> None:
    """Every class stands under Thing but Bottle, which is defined, and ActiveConcept."""
    tops = {path[-1] for term in terms(OWL.Class) for path in paths(term)}
    assert tops == {"Thing", "Bottle", "ActiveConcept"}


def test_the_hierarchy_is_shallow() -> None:
    """From no class to the top are there more than nine, both ends counted."""
    assert max(len(path) for term in terms(OWL.Class) for path in paths(term)) <= 9


def test_every_alignment_is_one_to_one() -> None:
    """Each OpenCyc term that is mentioned is the equal of exactly one of ours."""
    equal = pairs(OWL.equivalentClass) | pairs(OWL.equivalentProperty)
    aligned = sorted(theirs for _, theirs in equal if theirs.startswith("cyc:"))
    declared = {name(s) for s in common_sense().subjects() if str(s).startswith(CYC)}
    assert aligned == sorted(declared)


def test_the_upper_classes_are_those_of_opencyc() -> None:
    """The upper classes are aligned with OpenCyc under the same names."""
    upper = "SpatialThing TemporalThing PartiallyTangible EnduringThing-Localized Situation Event"
    upper += " Action PurposefulAction IntelligentAgent Artifact Robot"
    assert {(t, f"cyc:{t}") for t in upper.split()} <= pairs(OWL.equivalentClass)


def test_files_are_all_the_turtle_there_is() -> None:
    """`files` lists every Turtle file of the folder, each once."""
    assert sorted(ontology.files()) == sorted(Path(ontology.__file__).parent.glob("*.ttl"))


def test_nothing_is_fetched() -> None:
    """The ontology imports no other."""
    assert not list(common_sense().objects(None, OWL.imports))
