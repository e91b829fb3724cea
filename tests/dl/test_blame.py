"""From Pellet's axioms to statements, without Pellet."""

import re

import pytest

from kb_server.dl.answers import Triple
from kb_server.dl.blame import Blame, split
from kb_server.dl.ntriples import read
from kb_server.dl.renaming import disguise
from tests.dl.ontologies import ntriples, short

CASES = [
    (":A rdfs:subClassOf :B . :B rdfs:subClassOf :A .", "subClassOf(A, B)", ["A subClassOf B"]),
    (":B owl:disjointWith :A .", "disjointWith(A, B)", ["B disjointWith A"]),
    (":A rdfs:subClassOf owl:Nothing .", "subClassOf(A, owl:Nothing)", ["A subClassOf Nothing"]),
    (":p rdfs:range xsd:double .", "range(p, decimal)", ["p range double"]),
    (":p a owl:FunctionalProperty .", "functional(p)", ["p type FunctionalProperty"]),
    (":p owl:inverseOf :q .", "inverseProperty(q, p)", ["p inverseOf q"]),
    (":a :p :b . :b :p :a .", "prop(p, a, b)", ["a p b"]),
    (":a :p 1.50, 2 .", 'prop(p, a, "1.5"^^decimal)', ['a p "1.50"']),
    (":a :p 1, 2 .", 'prop(p, a, "one"^^other)', ['a p "1"', 'a p "2"']),
    (
        ":A rdfs:subClassOf [ a owl:Restriction ; owl:onProperty :p ; owl:maxCardinality 1 ], :B .",
        "subClassOf(A, max(p, 1, owl:Thing))",
        ["A subClassOf _:"],
    ),
    (
        ":p owl:propertyChainAxiom ( :q :r ) .",
        "subProperty([q, r], p)",
        ["p propertyChainAxiom _:"],
    ),
    (
        ":A owl:hasKey ( :k ) .",
        "rule(, [sameAs(?x, ?y)], [type(?x, A), prop(k, ?x, ?z)])",
        ["A hasKey _:"],
    ),
    (
        "[] a owl:AllDifferent ; owl:distinctMembers ( :a :b ) .",
        "allDifferent([a, b])",
        ["_: distinctMembers _:"],
    ),
    (
        "[] a owl:AllDisjointClasses ; owl:members ( :A :B ) .",
        "disjointClasses([A, B])",
        ["_: members _:"],
    ),
    (":A owl:disjointUnionOf ( :B :C ) .", "disjointClasses([B, C])", ["A disjointUnionOf _:"]),
    (
        ":a :p :b . [] a owl:NegativePropertyAssertion ; owl:assertionProperty :p ;"
        " owl:sourceIndividual :a ; owl:targetIndividual :b .",
        "prop(p, not(a), not(b))",
        ["_: assertionProperty p"],
    ),
    (":a :p :b .", "unheardOf(p, a)", []),
]


@pytest.mark.parametrize(("turtle", "axiom", "expected"), CASES, ids=[c[1] for c in CASES])
def test_each_kind_of_axiom_finds_its_statement(
    turtle: str, axiom: str, expected: list[str]
) -> None:
    """An axiom leads to the statement that says it, and to that alone."""
    hidden = disguise(read(ntriples(turtle)))
    false = {f"{term.strip('<>').split('#')[-1]}": name for name, term in hidden.names.items()}
    disguised = re.sub(r"\w+", lambda word: false.get(word[0], word[0]), axiom)
    found = Blame(hidden, hidden.statements).statements([disguised])
    assert sorted(crisp(statement.real) for statement in found) == expected


def crisp(triple: Triple) -> str:
    """A statement in short, without labels of blank nodes or datatypes."""
    return re.sub(r"_:\w+", "_:", short(triple)).partition("^^")[0]


def test_split_minds_brackets_and_quotes() -> None:
    """A list is split at its outermost commas only."""
    assert split('a(b, [c, d]),e("x, (", y)') == ["a(b, [c, d])", 'e("x, (", y)']
