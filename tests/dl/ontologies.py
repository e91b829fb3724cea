"""Small ontologies for the tests, written in Turtle."""

import rdflib

NAMESPACE = "http://kb.openrobots.org#"
PREFIXES = f"""
@prefix : <{NAMESPACE}> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix swrl: <http://www.w3.org/2003/11/swrl#> .
@prefix swrlb: <http://www.w3.org/2003/11/swrlb#> .
"""
BOTTLES = """
:hasMainDimension a owl:DatatypeProperty, owl:FunctionalProperty .
:Bottle owl:equivalentClass [ owl:intersectionOf ( :Container
    [ a owl:Restriction ; owl:onProperty :hasMainDimension ; owl:someValuesFrom
      [ a rdfs:Datatype ; owl:onDatatype xsd:double ; owl:withRestrictions
        ( [ xsd:minInclusive "0.1"^^xsd:double ] [ xsd:maxInclusive "0.3"^^xsd:double ] ) ] ] ) ] .
:Bottle a owl:Class . :Container a owl:Class .
"""
DISJOINT = ":Human a owl:Class ; owl:disjointWith :Artifact . :Artifact a owl:Class . "
RULE = """
:size a owl:DatatypeProperty . :Big a owl:Class ; owl:disjointWith :Small . :Small a owl:Class .
<urn:who> a swrl:Variable . <urn:size> a swrl:Variable .
:bigness a swrl:Imp ; swrl:body
    [ a swrl:AtomList ; rdf:first [ a swrl:DatavaluedPropertyAtom ;
        swrl:propertyPredicate :size ; swrl:argument1 <urn:who> ; swrl:argument2 <urn:size> ] ;
      rdf:rest [ a swrl:AtomList ; rdf:rest rdf:nil ; rdf:first [ a swrl:BuiltinAtom ;
        swrl:builtin swrlb:greaterThan ; swrl:arguments ( <urn:size> 3 ) ] ] ] ;
  swrl:head [ a swrl:AtomList ; rdf:rest rdf:nil ; rdf:first
    [ a swrl:ClassAtom ; swrl:classPredicate :Big ; swrl:argument1 <urn:who> ] ] .
"""


def pigeons(number: int) -> str:
    """Different pigeons in one hole less, one in each: a proof as long as the faculty of it."""
    names = [f":pigeon{n}" for n in range(number)]
    holes = " ".join(f":hole{n}" for n in range(number - 1))
    return (
        ":in a owl:ObjectProperty, owl:InverseFunctionalProperty ; rdfs:range :Hole ."
        f":Hole a owl:Class ; owl:equivalentClass [ a owl:Class ; owl:oneOf ( {holes} ) ] ."
        ":Pigeon a owl:Class ; rdfs:subClassOf"
        " [ a owl:Restriction ; owl:onProperty :in ; owl:someValuesFrom :Hole ] ."
        f"[] a owl:AllDifferent ; owl:distinctMembers ( {' '.join(names)} ) ."
        + "".join(f"{name} a :Pigeon ." for name in names)
    )


def ntriples(turtle: str) -> str:
    """The same as N-Triples."""
    graph = rdflib.Graph().parse(data=PREFIXES + turtle, format="turtle")
    return graph.serialize(format="nt", encoding="utf-8").decode()


def names(*local: str) -> tuple[str, ...]:
    """The IRIs of names of ours."""
    return tuple(NAMESPACE + name for name in local)


def short(triple: tuple[str, str, str]) -> str:
    """A statement with local names for all IRIs."""
    terms = [t.strip("<>").split("#")[-1] if t.startswith("<") else t for t in triple]
    return " ".join(terms)
