"""Each rule of OWL 2 RL/RDF under its W3C name: what it concludes, when, and for how long."""

from dataclasses import dataclass
from itertools import permutations

import pytest

from kb_server.core.reasoning.reasoner import Reasoner
from kb_server.core.rules.rules import ROWS
from kb_server.core.terms.statements import Statement
from tests.laws.photograph import differences, photograph
from tests.rules.models import change, contradictions, model, names_of_ways, statements


@dataclass(frozen=True)
class Case:
    """By this rule, these axioms and facts conclude this; or, with no conclusion, contradict."""

    rule: str
    axioms: str
    facts: str
    conclusion: str | None = None

    @property
    def told(self) -> tuple[Statement, ...]:
        return statements(self.axioms) + statements(self.facts)

    def __str__(self) -> str:
        return f"{self.rule}: {self.axioms} | {self.facts}"


FALSE = None
ONE = '"1"^^xsd:nonNegativeInteger'
NONE = '"0"^^xsd:nonNegativeInteger'
NOT = "n owl:sourceIndividual x . n owl:assertionProperty p . n "

EQUALITY = [
    Case("eq-sym", "", "x owl:sameAs y", "y owl:sameAs x"),
    Case("eq-trans", "", "x owl:sameAs y . y owl:sameAs z", "x owl:sameAs z"),
    Case("eq-rep-s", "", "x owl:sameAs y . x p z", "y p z"),
    Case("eq-rep-s", "", "x owl:sameAs y . x p 1", "y p 1"),
    Case("eq-rep-p", "p owl:sameAs q", "x p y", "x q y"),
    Case("eq-rep-o", "", "x owl:sameAs y . z p x", "z p y"),
    Case("eq-rep-o", "A owl:sameAs B", "x a A", "x a B"),
    Case("eq-diff1", "", "x owl:sameAs y . x owl:differentFrom y", FALSE),
    Case("eq-diff1", "", "x owl:sameAs y . y owl:differentFrom x", FALSE),
    Case("eq-diff1", "", "x owl:differentFrom x", FALSE),
    Case("eq-diff1", "p a owl:FunctionalProperty . y owl:differentFrom z", "x p y . x p z", FALSE),
    Case("eq-diff2", "n a owl:AllDifferent . n owl:members (x y z)", "y owl:sameAs z", FALSE),
    Case("eq-diff2", "n a owl:AllDifferent . n owl:members (x y z)", "z owl:sameAs x", FALSE),
    Case("eq-diff3", "n a owl:AllDifferent . n owl:distinctMembers (x y)", "y owl:sameAs x", FALSE),
]
PROPERTIES = [
    Case("prp-dom", "p rdfs:domain A", "x p y", "x a A"),
    Case("prp-dom", "p rdfs:domain A", "x p 1", "x a A"),
    Case("prp-rng", "p rdfs:range A", "x p y", "y a A"),
    Case("prp-rng", "p rdfs:range xsd:integer", "x p 0.5", FALSE),
    Case("prp-fp", "p a owl:FunctionalProperty", "x p y . x p z", "y owl:sameAs z"),
    Case("prp-fp", "p a owl:FunctionalProperty", "x p 1 . x p 2", FALSE),
    Case("prp-fp", "p a owl:FunctionalProperty", "x p 1 . x p y", FALSE),
    Case("prp-ifp", "p a owl:InverseFunctionalProperty", "x p y . z p y", "x owl:sameAs z"),
    Case("prp-ifp", "p a owl:InverseFunctionalProperty", 'x p "k" . z p "k"', "x owl:sameAs z"),
    Case("prp-irp", "p a owl:IrreflexiveProperty", "x p x", FALSE),
    Case("prp-symp", "p a owl:SymmetricProperty", "x p y", "y p x"),
    Case("prp-asyp", "p a owl:AsymmetricProperty", "x p y . y p x", FALSE),
    Case("prp-asyp", "p a owl:AsymmetricProperty", "x p x", FALSE),
    Case("prp-trp", "p a owl:TransitiveProperty", "x p y . y p z", "x p z"),
    Case("prp-spo1", "p rdfs:subPropertyOf q", "x p y", "x q y"),
    Case("prp-spo1", "p rdfs:subPropertyOf q", 'x p "one"', 'x q "one"'),
    Case("prp-spo1", "_:i owl:inverseOf p . _:i rdfs:subPropertyOf q", "x p y", "y q x"),
    Case("prp-spo2", "r owl:propertyChainAxiom (p q)", "x p y . y q z", "x r z"),
    Case("prp-spo2", "r owl:propertyChainAxiom (p p q)", "x p y . y p z . z q w", "x r w"),
    Case("prp-spo2", "r owl:propertyChainAxiom (p q)", "x p y . y q 1", "x r 1"),
    Case("prp-spo2", "r owl:propertyChainAxiom (r p)", "x r y . y p z", "x r z"),
    Case(
        "prp-spo2",
        "r owl:propertyChainAxiom (p _:i) . _:i owl:inverseOf q",
        "x p y . z q y",
        "x r z",
    ),
    Case("prp-eqp1", "p owl:equivalentProperty q", "x p y", "x q y"),
    Case("prp-eqp2", "p owl:equivalentProperty q", "x q y", "x p y"),
    Case("prp-pdw", "p owl:propertyDisjointWith q", "x p y . x q y", FALSE),
    Case(
        "prp-adp",
        "n a owl:AllDisjointProperties . n owl:members (p q r)",
        "x q y . x r y",
        FALSE,
    ),
    Case("prp-inv1", "p owl:inverseOf q", "x p y", "y q x"),
    Case("prp-inv2", "p owl:inverseOf q", "x q y", "y p x"),
    Case("prp-key", "A owl:hasKey (p)", "x a A . y a A . x p 1 . y p 1", "x owl:sameAs y"),
    Case(
        "prp-key",
        "A owl:hasKey (p q)",
        "x a A . y a A . x p 1 . y p 1 . x q z . y q z",
        "x owl:sameAs y",
    ),
    Case("prp-npa1", NOT + "owl:targetIndividual y", "x p y", FALSE),
    Case("prp-npa2", NOT + "owl:targetValue 1", "x p 1", FALSE),
]
CLASSES = [
    Case("cls-nothing2", "", "x a owl:Nothing", FALSE),
    Case("cls-int1", "A owl:intersectionOf (B C)", "x a B . x a C", "x a A"),
    Case("cls-int2", "A owl:intersectionOf (B C)", "x a A", "x a B"),
    Case("cls-int2", "A owl:intersectionOf (B C)", "x a A", "x a C"),
    Case("cls-uni", "A owl:unionOf (B C)", "x a B", "x a A"),
    Case("cls-uni", "A owl:unionOf (B C)", "x a C", "x a A"),
    Case("cls-uni", "A owl:disjointUnionOf (B C)", "x a C", "x a A"),
    Case("cls-com", "A owl:complementOf B", "x a A . x a B", FALSE),
    Case("cls-svf1", "A owl:someValuesFrom B . A owl:onProperty p", "x p y . y a B", "x a A"),
    Case("cls-svf1", "A owl:someValuesFrom xsd:integer . A owl:onProperty p", "x p 1", "x a A"),
    Case(
        "cls-svf1",
        "A owl:someValuesFrom B . A owl:onProperty _:i . _:i owl:inverseOf p",
        "y p x . y a B",
        "x a A",
    ),
    Case("cls-svf2", "A owl:someValuesFrom owl:Thing . A owl:onProperty p", "x p y", "x a A"),
    Case(
        "cls-svf2",
        "A owl:someValuesFrom owl:Thing . A owl:onProperty _:i . _:i owl:inverseOf p",
        "y p x",
        "x a A",
    ),
    Case("cls-avf", "A owl:allValuesFrom B . A owl:onProperty p", "x a A . x p y", "y a B"),
    Case(
        "cls-avf",
        "A owl:allValuesFrom B . A owl:onProperty _:i . _:i owl:inverseOf p",
        "x a A . y p x",
        "y a B",
    ),
    Case("cls-avf", "A owl:allValuesFrom xsd:string . A owl:onProperty p", "x a A . x p 1", FALSE),
    Case("cls-hv1", "A owl:hasValue y . A owl:onProperty p", "x a A", "x p y"),
    Case("cls-hv1", "A owl:hasValue true . A owl:onProperty p", "x a A", "x p true"),
    Case(
        "cls-hv1",
        "A owl:hasValue y . A owl:onProperty _:i . _:i owl:inverseOf p",
        "x a A",
        "y p x",
    ),
    Case("cls-hv2", "A owl:hasValue y . A owl:onProperty p", "x p y", "x a A"),
    Case("cls-hv2", "A owl:hasValue 0.5 . A owl:onProperty p", "x p 0.5", "x a A"),
    Case(
        "cls-hv2",
        "A owl:hasValue y . A owl:onProperty _:i . _:i owl:inverseOf p",
        "y p x",
        "x a A",
    ),
    Case("cls-oo", "A owl:oneOf (x y)", "", "x a A"),
    Case("cls-oo", "A owl:oneOf (x y)", "", "y a A"),
    *(
        case
        for word in ("owl:maxCardinality", "owl:cardinality")
        for none, one in (("0", "1"), (NONE, ONE))
        for case in (
            Case("cls-maxc1", f"A {word} {none} . A owl:onProperty p", "x a A . x p y", FALSE),
            Case(
                "cls-maxc2",
                f"A {word} {one} . A owl:onProperty p",
                "x a A . x p y . x p z",
                "y owl:sameAs z",
            ),
            Case(
                "cls-maxc2",
                f"A {word} {one} . A owl:onProperty p",
                "x a A . x p 1 . x p 2",
                FALSE,
            ),
        )
    ),
    *(
        case
        for word in ("owl:maxQualifiedCardinality", "owl:qualifiedCardinality")
        for none, one in (("0", "1"), (NONE, ONE))
        for on in (f"A {word} % . A owl:onProperty p . A owl:onClass ",)
        for case in (
            Case("cls-maxqc1", on.replace("%", none) + "B", "x a A . x p y . y a B", FALSE),
            Case("cls-maxqc2", on.replace("%", none) + "owl:Thing", "x a A . x p y", FALSE),
            Case(
                "cls-maxqc3",
                on.replace("%", one) + "B",
                "x a A . x p y . x p z . y a B . z a B",
                "y owl:sameAs z",
            ),
            Case(
                "cls-maxqc4",
                on.replace("%", one) + "owl:Thing",
                "x a A . x p y . x p z",
                "y owl:sameAs z",
            ),
        )
    ),
    Case("cax-sco", "A rdfs:subClassOf B", "x a A", "x a B"),
    Case("cax-eqc1", "A owl:equivalentClass B", "x a A", "x a B"),
    Case("cax-eqc2", "A owl:equivalentClass B", "x a B", "x a A"),
    Case("cax-dw", "A owl:disjointWith B", "x a A . x a B", FALSE),
    Case("cax-adc", "n a owl:AllDisjointClasses . n owl:members (A B C)", "x a C . x a B", FALSE),
    Case("cax-adc", "A owl:disjointUnionOf (B C)", "x a B . x a C", FALSE),
    Case("dt-not-type", "", 'x p "abc"^^xsd:integer', FALSE),
    Case("dt-not-type", "", 'x p "300"^^xsd:byte', FALSE),
]
SOME = "A owl:someValuesFrom C . B owl:someValuesFrom "
EVERY = "A owl:allValuesFrom C . B owl:allValuesFrom "
ON = " . A owl:onProperty p . B owl:onProperty "
SCHEMA = [
    Case("scm-sco", "A rdfs:subClassOf B . B rdfs:subClassOf C", "", "A rdfs:subClassOf C"),
    Case("scm-eqc1", "A owl:equivalentClass B", "", "A rdfs:subClassOf B"),
    Case("scm-eqc1", "A owl:equivalentClass B", "", "B rdfs:subClassOf A"),
    Case("scm-eqc2", "A rdfs:subClassOf B . B rdfs:subClassOf A", "", "A owl:equivalentClass B"),
    Case(
        "scm-spo",
        "p rdfs:subPropertyOf q . q rdfs:subPropertyOf r",
        "",
        "p rdfs:subPropertyOf r",
    ),
    Case("scm-eqp1", "p owl:equivalentProperty q", "", "p rdfs:subPropertyOf q"),
    Case("scm-eqp1", "p owl:equivalentProperty q", "", "q rdfs:subPropertyOf p"),
    Case(
        "scm-eqp2",
        "p rdfs:subPropertyOf q . q rdfs:subPropertyOf p",
        "",
        "p owl:equivalentProperty q",
    ),
    Case("scm-dom1", "p rdfs:domain A . A rdfs:subClassOf B", "", "p rdfs:domain B"),
    Case("scm-dom2", "p rdfs:domain A . q rdfs:subPropertyOf p", "", "q rdfs:domain A"),
    Case("scm-rng1", "p rdfs:range A . A rdfs:subClassOf B", "", "p rdfs:range B"),
    Case("scm-rng2", "p rdfs:range A . q rdfs:subPropertyOf p", "", "q rdfs:range A"),
    Case(
        "scm-hv",
        "A owl:hasValue i . B owl:hasValue i" + ON + "q . p rdfs:subPropertyOf q",
        "",
        "A rdfs:subClassOf B",
    ),
    Case("scm-svf1", SOME + "D" + ON + "p . C rdfs:subClassOf D", "", "A rdfs:subClassOf B"),
    Case("scm-svf2", SOME + "C" + ON + "q . p rdfs:subPropertyOf q", "", "A rdfs:subClassOf B"),
    Case("scm-avf1", EVERY + "D" + ON + "p . C rdfs:subClassOf D", "", "A rdfs:subClassOf B"),
    Case("scm-avf2", EVERY + "C" + ON + "q . p rdfs:subPropertyOf q", "", "B rdfs:subClassOf A"),
    Case("scm-int", "A owl:intersectionOf (B C)", "", "A rdfs:subClassOf C"),
    Case("scm-uni", "A owl:unionOf (B C)", "", "C rdfs:subClassOf A"),
]
CASES = [*EQUALITY, *PROPERTIES, *CLASSES, *SCHEMA]
each_case = pytest.mark.parametrize("case", CASES, ids=str)


def concluded(reasoner: Reasoner, case: Case) -> bool:
    """Whether the case's rule has made its conclusion, or found its contradiction."""
    if case.conclusion is None:
        return case.rule in contradictions(reasoner)
    (conclusion,) = statements(case.conclusion)
    if not reasoner.holds(conclusion):
        return False
    assert case.rule in names_of_ways(reasoner, conclusion)
    return True


def assert_empty(reasoner: Reasoner) -> None:
    """A model of which everything was withdrawn is as on its first day."""
    assert not differences(photograph(model()), photograph(reasoner))


def test_every_row_has_a_case() -> None:
    """There is a case for every name that the rules have."""
    assert {row.name for row in ROWS} | {"dt-not-type"} == {case.rule for case in CASES}


@each_case
def test_axioms_of_the_ontology(case: Case) -> None:
    """What the ontology says applies to the facts of a model for as long as they are told."""
    ontology, facts = statements(case.axioms), statements(case.facts)
    reasoner = model(ontology)
    fresh = photograph(reasoner)
    change(reasoner, told=facts)
    assert concluded(reasoner, case)
    change(reasoner, withdrawn=facts)
    assert not differences(fresh, photograph(reasoner))


@each_case
def test_axioms_told_with_the_facts(case: Case) -> None:
    """Axioms told in the same change as the facts apply, in whichever order they are named."""
    for told in (case.told, case.told[::-1]):
        reasoner = model()
        change(reasoner, told=told)
        assert concluded(reasoner, case)
        change(reasoner, withdrawn=told)
        assert_empty(reasoner)


@each_case
def test_axioms_told_before_or_after_the_facts(case: Case) -> None:
    """Axioms told in a change of their own apply to facts told earlier and later alike."""
    told = [part for part in (statements(case.axioms), statements(case.facts)) if part]
    for parts in permutations(told):
        reasoner = model()
        for part in parts:
            assert not concluded(reasoner, case)
            change(reasoner, told=part)
        assert concluded(reasoner, case)
        for part in parts:
            change(reasoner, withdrawn=part)
        assert_empty(reasoner)


@each_case
def test_each_statement_is_needed(case: Case) -> None:
    """Any one of the statements withdrawn takes the conclusion along, and brings it back."""
    for statement in case.told:
        reasoner = model()
        change(reasoner, told=case.told)
        change(reasoner, withdrawn=(statement,))
        assert not concluded(reasoner, case)
        change(reasoner, told=(statement,))
        assert concluded(reasoner, case)
        change(reasoner, withdrawn=case.told)
        assert_empty(reasoner)


@each_case
def test_statement_by_statement(case: Case) -> None:
    """Statements told one by one, from either end, conclude what they conclude together."""
    for told in (case.told, case.told[::-1]):
        reasoner = model()
        for statement in told:
            assert not concluded(reasoner, case)
            change(reasoner, told=(statement,))
        assert concluded(reasoner, case)
        for statement in told:
            change(reasoner, withdrawn=(statement,))
            assert not concluded(reasoner, case)
        assert_empty(reasoner)
