"""The peers of the board: reasoners that recompute everything at every change."""

import time
from collections.abc import Iterable
from typing import Final

import owlrl
import rdflib
import reasonable

import ontology
from kb_server.core.reasoning.commonsense import CommonSense
from kb_server.core.terms.literals import is_literal, split_literal
from kb_server.core.terms.statements import Statement

__all__ = ["owlrl_seconds", "reasonable_seconds"]

_Triple = tuple[rdflib.term.Node, rdflib.term.Node, rdflib.term.Node]


def reasonable_seconds(facts: Iterable[Statement], common: CommonSense) -> float:
    """The seconds in which `reasonable` infers everything, after its input is loaded."""
    peer = reasonable.PyReasoner()
    peer.from_graph([*_ontology(), *_triples(facts, common)])
    start = time.perf_counter()
    peer.reason()
    return time.perf_counter() - start


def owlrl_seconds(facts: Iterable[Statement], common: CommonSense) -> float:
    """The seconds in which `owlrl` closes a graph, after its input is loaded."""
    graph = rdflib.Graph()
    for triple in (*_ontology(), *_triples(facts, common)):
        graph.add(triple)
    closure = owlrl.DeductiveClosure(owlrl.OWLRL_Semantics)
    start = time.perf_counter()
    closure.expand(graph)
    return time.perf_counter() - start


_SHIPPED: Final = rdflib.Graph()


def _ontology() -> list[_Triple]:
    if not len(_SHIPPED):
        for path in ontology.files():
            _SHIPPED.parse(path)
    return list(_SHIPPED)


def _triples(facts: Iterable[Statement], common: CommonSense) -> list[_Triple]:
    return [(_node(s, common), _node(p, common), _node(o, common)) for s, p, o in facts]


def _node(term: str, common: CommonSense) -> rdflib.term.Node:
    if is_literal(term):
        text, datatype, _ = split_literal(term)
        return rdflib.Literal(text, datatype=rdflib.URIRef(common.names.iri(datatype)))
    return rdflib.URIRef(common.names.iri(term))
