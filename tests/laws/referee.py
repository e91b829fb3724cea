"""`owlrl` as a referee: the closure it finds, on the vocabulary that the board holds.

Left out of its closure, since the board never holds them:
- statements whose subject is a literal (owlrl types every literal it meets);
- `rdf:first` and `rdf:rest`: how an axiom is written down is not carried over to synonyms;
- predicates other than those of the world and of the axioms in it, so that what owlrl adds to
  type the vocabulary (`owl:Class`, `owl:NamedIndividual`, labels of its own) does not count;
- a type that is a word of RDF, RDFS, OWL or XSD, other than those that somebody asserted;
- subclasses, equivalents and synonyms of `owl:Thing` and `owl:Nothing`, unless asserted;
- the nodes in which owlrl reports an error;
- reflexive ones of owl:sameAs, rdfs:subClassOf, rdfs:subPropertyOf, owl:equivalentClass and
  owl:equivalentProperty, unless asserted.
"""

from collections.abc import Collection
from typing import Final

from owlrl import DeductiveClosure, OWLRL_Semantics
from rdflib import BNode, Graph, Literal, URIRef
from rdflib.term import Identifier, Node

from kb_server.core.terms.literals import is_literal, split_literal
from kb_server.core.terms.statements import Statement
from kb_server.core.terms.terms import Names

__all__ = ["REFLEXIVE", "by_owlrl", "in_question"]

REFLEXIVE: Final = frozenset(
    (
        "owl:sameAs",
        "rdfs:subClassOf",
        "rdfs:subPropertyOf",
        "owl:equivalentClass",
        "owl:equivalentProperty",
    )
)
WORDS: Final = ("rdf:", "rdfs:", "owl:", "xsd:", "<http://www.daml.org/")
NAMES: Final = Names()


def by_owlrl(told: Collection[Statement]) -> frozenset[Statement]:
    """The closure of some statements, as owlrl finds it."""
    graph = Graph()
    for s, p, o in told:
        graph.add((_node(s), _node(p), _node(o)))
    DeductiveClosure(OWLRL_Semantics, axiomatic_triples=False, datatype_axioms=False).expand(graph)
    found = {(_term(s), _term(p), _term(o)) for s, p, o in graph}
    return in_question(found, told)


def in_question(found: Collection[Statement], told: Collection[Statement]) -> frozenset[Statement]:
    """Those of some statements that the board and its referee must agree about."""
    asserted = frozenset(told)
    own = {p for _, p, _ in asserted if not p.startswith(WORDS)}
    predicates = own | {q for _, _, q in asserted} | {s for s, _, _ in asserted} | REFLEXIVE
    predicates |= {"rdf:type", "rdfs:domain", "rdfs:range", "owl:differentFrom"}
    return frozenset(
        (s, p, o)
        for s, p, o in found
        if p in predicates
        and not is_literal(s)
        and not p.startswith("_:")
        and ((s, p, o) in asserted or not _trivial(s, p, o))
    )


def _trivial(s: str, p: str, o: str) -> bool:
    if p in REFLEXIVE:
        return s == o or s.startswith(WORDS) or o.startswith(WORDS)
    if p in ("rdf:type", "rdfs:domain", "rdfs:range"):
        return o.startswith(WORDS) or s.startswith(WORDS)
    return False


def _node(term: str) -> Node:
    if is_literal(term):
        text, datatype, language = split_literal(term)
        if language:
            return Literal(text, lang=language)
        return Literal(text, datatype=URIRef(NAMES.iri(datatype)), normalize=False)
    return BNode(term[2:]) if term.startswith("_:") else URIRef(NAMES.iri(term))


def _term(node: Node) -> str:
    if isinstance(node, Literal):
        datatype = str(node.datatype or NAMES.iri("xsd:string"))
        return NAMES.literal(str(node), datatype, node.language)
    assert isinstance(node, Identifier)
    return f"_:{node}" if isinstance(node, BNode) else NAMES.of_iri(str(node))
