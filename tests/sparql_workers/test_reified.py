"""What is told of statements by their parts is there as RDF 1.2 has it."""

import pyoxigraph as ox

from kb_server.core.terms.terms import Names
from kb_server.sparql.reified import reified
from kb_server.sparql.replica import Replica
from ontology.vocabulary import PREFIXES

Fact = tuple[str, str, str]
WHOLE: tuple[Fact, ...] = (
    ("f", "rdf:subject", "ball"),
    ("f", "rdf:predicate", "isIn"),
    ("f", "rdf:object", "box"),
)


def made(*facts: Fact) -> list[str]:
    """What follows from some facts, spelled by the library."""
    replica = Replica(PREFIXES)
    return [str(triple) for triple in reified(replica.triples(facts), Names())]


def name(local: str) -> ox.NamedNode:
    return ox.NamedNode(PREFIXES["oro"] + local)


def test_three_parts_are_a_statement() -> None:
    """A thing with a subject, a predicate and an object reifies their statement, told or not."""
    reifies = ox.NamedNode(PREFIXES["rdf"] + "reifies")
    inner = ox.Triple(name("ball"), name("isIn"), name("box"))
    assert made(*WHOLE) == [str(ox.Triple(name("f"), reifies, inner))]
    assert made(*WHOLE, WHOLE[0]) == made(*WHOLE)
    assert len(made(*WHOLE, *((f"{s}2", p, o) for s, p, o in WHOLE))) == 2


def test_what_is_no_statement_is_none() -> None:
    """Where a part is missing, said twice or can't stand there, nothing is reified."""
    for k in range(3):
        assert made(*WHOLE[:k], *WHOLE[k + 1 :]) == []
        assert made(*WHOLE, ("f", WHOLE[k][1], "other")) == []
    assert made(("f", "rdf:subject", '"ball"'), *WHOLE[1:]) == []
    assert made(WHOLE[0], ("f", "rdf:predicate", "12"), WHOLE[2]) == []
    assert made(("f", "isIn", "box")) == []
