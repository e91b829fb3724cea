"""The ontology as one graph, and short ways to ask it what it declares."""

from collections.abc import Iterator
from functools import cache

from rdflib import OWL, RDF, RDFS, Graph, Namespace, URIRef

from ontology import files
from ontology.vocabulary import PREFIXES

CYC = Namespace(PREFIXES["cyc"])
ORO = Namespace(PREFIXES["oro"])
SWRL = Namespace(PREFIXES["swrl"])
RELATIONS = (OWL.ObjectProperty, OWL.DatatypeProperty)
KINDS = (OWL.Class, *RELATIONS, OWL.AnnotationProperty, OWL.NamedIndividual)


@cache
def common_sense() -> Graph:
    """All files as one graph, to be read only."""
    graph = Graph()
    for path in files():
        graph.parse(path)
    return graph


def name(term: object) -> str:
    """The name of a term in its namespace."""
    return str(term).removeprefix(ORO).replace(CYC, "cyc:")


def terms(*kinds: URIRef) -> set[str]:
    """The ontology's own terms declared to be of one of these kinds."""
    return {
        name(term)
        for kind in kinds
        for term in common_sense().subjects(RDF.type, kind)
        if str(term).startswith(ORO)
    }


def pairs(relation: URIRef) -> set[tuple[str, str]]:
    """The pairs of names that one relation links, without restrictions and other blank nodes."""
    return {
        (name(s), name(o))
        for s, o in common_sense().subject_objects(relation)
        if isinstance(s, URIRef) and isinstance(o, URIRef)
    }


def above(term: str, relation: URIRef = RDFS.subClassOf) -> set[str]:
    """All named classes (or relations) above a term of the ontology, itself included."""
    found = common_sense().transitive_objects(ORO[term], relation)
    return {name(each) for each in found if isinstance(each, URIRef)}


def paths(term: str) -> Iterator[tuple[str, ...]]:
    """The ways from a class up to a topmost one."""
    parents = [o for s, o in pairs(RDFS.subClassOf) if s == term]
    if not parents:
        yield (term,)
    for parent in parents:
        yield from ((term, *path) for path in paths(parent))
