"""The page of the common-sense ontology: its terms, file by file, with their comments."""

from collections.abc import Iterable
from typing import Final

from rdflib import OWL, RDF, RDFS, Graph, URIRef
from rdflib.term import BNode, Node

from docs.generator.markdown import code, table
from kb_server.core.terms.terms import Names
from ontology import files

__all__ = ["page"]

_NAMES: Final = Names()
_INTRODUCTION: Final = """\
The common-sense ontology holds in every model. A bare name lives in `http://kb.openrobots.org#`.
Definitions, disjoint classes and rules are in the files; `mindboard query` can read them all.
"""
_CHARACTERS: Final = {
    OWL.FunctionalProperty: "functional",
    OWL.InverseFunctionalProperty: "inverse functional",
    OWL.TransitiveProperty: "transitive",
    OWL.SymmetricProperty: "symmetric",
    OWL.AsymmetricProperty: "asymmetric",
    OWL.ReflexiveProperty: "reflexive",
    OWL.IrreflexiveProperty: "irreflexive",
}
_PROPERTIES: Final = (OWL.ObjectProperty, OWL.DatatypeProperty)


def page() -> str:
    """Classes, relations and individuals of each file."""
    sections = [_INTRODUCTION]
    for file in files():
        graph = Graph().parse(file)
        classes = [
            (_name(each), _above(graph, each, RDFS.subClassOf), _comment(graph, each))
            for each in _of(graph, [OWL.Class])
        ]
        relations = [_relation(graph, each) for each in _of(graph, _PROPERTIES)]
        things = [
            (_name(each), _comment(graph, each)) for each in _of(graph, [OWL.NamedIndividual])
        ]
        sections += [
            f"## {file.name}\n",
            table(("class", "is a", "what it is"), classes),
            table(("relation", "from", "to", "is", "what it says"), relations),
            table(("individual", "what it is"), things),
        ]
    return "\n".join(filter(None, sections))


def _of(graph: Graph, kinds: Iterable[URIRef]) -> list[URIRef]:
    """The named entities of some kinds, by name."""
    found = {each for kind in kinds for each in graph.subjects(RDF.type, kind)}
    own = {each for each in found if (each, RDFS.comment, None) in graph}  # not those of others
    return sorted(each for each in own if isinstance(each, URIRef))


def _relation(graph: Graph, word: URIRef) -> tuple[str, str, str, str, str]:
    kinds = [name for kind, name in _CHARACTERS.items() if (word, RDF.type, kind) in graph]
    above = _above(graph, word, RDFS.subPropertyOf)
    inverse = _above(graph, word, OWL.inverseOf)
    traits = [*kinds, f"a {above}" if above else "", f"inverse of {inverse}" if inverse else ""]
    ends = (_above(graph, word, RDFS.domain), _above(graph, word, RDFS.range))
    return _name(word), *ends, ", ".join(filter(None, traits)), _comment(graph, word)


def _above(graph: Graph, word: URIRef, relation: URIRef) -> str:
    """The named super-classes or super-properties of a term; descriptions are in the files."""
    return ", ".join(
        sorted(_name(each) for each in graph.objects(word, relation) if not isinstance(each, BNode))
    )


def _name(word: Node) -> str:
    return code(_NAMES.of_iri(str(word)))


def _comment(graph: Graph, word: URIRef) -> str:
    return " ".join(sorted(str(each) for each in graph.objects(word, RDFS.comment)))
