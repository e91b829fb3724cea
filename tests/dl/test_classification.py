"""What follows among names, by Pellet itself."""

from kb_server.dl.engine import DLEngine
from tests.dl.ontologies import BOTTLES, DISJOINT, names, ntriples

FAMILY = """
:hasChild a owl:ObjectProperty . :hasSon a owl:ObjectProperty ; rdfs:subPropertyOf :hasChild .
:childOf a owl:ObjectProperty ; owl:inverseOf :hasChild .
:sonOf a owl:ObjectProperty ; owl:inverseOf :hasSon .
:offspringOf a owl:ObjectProperty ; owl:equivalentProperty :childOf .
:Person a owl:Class . :Girl a owl:Class ; rdfs:subClassOf :Person .
:Boy a owl:Class ; rdfs:subClassOf :Person .
:Child a owl:Class ; owl:equivalentClass [ a owl:Class ; owl:unionOf ( :Girl :Boy ) ] .
:Parent a owl:Class ; owl:equivalentClass
    [ a owl:Restriction ; owl:onProperty :hasChild ; owl:someValuesFrom owl:Thing ] .
:Proud a owl:Class ; rdfs:subClassOf
    [ a owl:Restriction ; owl:onProperty :hasSon ; owl:someValuesFrom :Boy ] .
:Father a owl:Class ; rdfs:subClassOf :Parent . :Dad a owl:Class ; owl:equivalentClass :Father .
"""


def test_it_finds_what_no_rule_of_owl_rl_finds(engine: DLEngine) -> None:
    """A union lies under what all its parts lie under, and a need for a son makes a parent."""
    found = engine.classify(ntriples(FAMILY))
    assert found.consistent
    assert names("Child", "Person") in found.subsumptions
    assert names("Proud", "Parent") in found.subsumptions


def test_subsumptions_are_direct_and_equivalences_complete(engine: DLEngine) -> None:
    """What follows by way of a class in between is not listed, nor anything trivial."""
    found = engine.classify(ntriples(FAMILY))
    assert names("Girl", "Child") in found.subsumptions
    assert names("Girl", "Person") not in found.subsumptions
    assert found.equivalences == {names("Dad", "Father")}
    assert not [pair for pair in found.subsumptions if "owl#" in "".join(pair)]
    assert found.unsatisfiable == ()


def test_properties_are_classified_too(engine: DLEngine) -> None:
    """The inverses of a property and of its super-property stand in the same order."""
    found = engine.classify(ntriples(FAMILY))
    assert names("sonOf", "childOf") in found.property_subsumptions
    assert found.property_equivalences == {names("childOf", "offspringOf")}


def test_facets_classify_by_value(engine: DLEngine) -> None:
    """A flask between two decimals is a bottle, though bottles are between two doubles."""
    flask = """:Flask a owl:Class ; rdfs:subClassOf :Container ,
      [ a owl:Restriction ; owl:onProperty :hasMainDimension ; owl:someValuesFrom
        [ a rdfs:Datatype ; owl:onDatatype xsd:decimal ; owl:withRestrictions
          ( [ xsd:minInclusive 0.15 ] [ xsd:maxInclusive 0.2 ] ) ] ] ."""
    found = engine.classify(ntriples(BOTTLES + flask))
    assert names("Flask", "Bottle") in found.subsumptions


def test_a_class_that_cannot_be_is_named(engine: DLEngine) -> None:
    """An unsatisfiable class is listed as such and nowhere else, and contradicts nothing."""
    robot = ":Android a owl:Class ; rdfs:subClassOf :Human, :Artifact ."
    found = engine.classify(ntriples(DISJOINT + robot))
    assert found.consistent
    assert found.unsatisfiable == names("Android")
    assert not found.subsumptions
    assert engine.consistency(ntriples(DISJOINT + robot)).consistent


def test_an_inconsistent_ontology_has_no_hierarchy(engine: DLEngine) -> None:
    """An inconsistent ontology is told as such, not as everything being under everything."""
    found = engine.classify(ntriples(DISJOINT + FAMILY + ":x a :Human, :Artifact ."))
    assert not found.consistent
    assert not found.subsumptions | found.equivalences


def test_what_pellet_leaves_out_is_said(engine: DLEngine) -> None:
    """An axiom outside OWL 2 DL is ignored with a warning in the user's names."""
    found = engine.classify(
        ntriples(":near a owl:ObjectProperty, owl:TransitiveProperty, owl:IrreflexiveProperty .")
    )
    assert any("transitivity" in line and "near" in line for line in found.warnings)
