"""Datatypes and values: facets, ranges, and numbers that are equal however they are written."""

import pytest

from tests.laws.photograph import differences, photograph
from tests.rules.models import (
    change,
    contradictions,
    holds,
    listed,
    model,
    statements,
    swrl,
)

SIZE = (
    *statements("Size a rdfs:Datatype . Size owl:onDatatype xsd:decimal"),
    *statements("_:low xsd:minInclusive 0.1 . _:high xsd:maxInclusive 0.3"),
    *statements("Size owl:withRestrictions (_:low _:high)"),
)
SOME_SIZE = (*SIZE, *statements("Small owl:someValuesFrom Size . Small owl:onProperty size"))
SIZES_ONLY = (*SIZE, *statements("size rdfs:range Size"))
WITHIN = ("0.2", '"0.2"^^xsd:double', "2e-1", '"0.2"^^xsd:float', "0.1", "0.3", "1e-1", "0.30")
BEYOND = ("0.05", "0.31", "1", "0.3001", "-0.2", "4e0", '"0.4"^^xsd:double')
NO_NUMBERS = ('"0.2"', '"0.2"@en', "true", '"x"^^xsd:decimal')


@pytest.mark.parametrize("value", WITHIN)
def test_a_value_within_the_facets(value: str) -> None:
    """A number in [0.1, 0.3] is within, whatever its datatype, and its bounds are too."""
    reasoner = model((*SOME_SIZE, *SIZES_ONLY))
    change(reasoner, told=statements(f"x size {value}"))
    assert holds(reasoner, "x a Small")
    assert not reasoner.clashes


@pytest.mark.parametrize("value", BEYOND + NO_NUMBERS)
def test_a_value_beyond_the_facets(value: str) -> None:
    """A number outside, and what is no number, is not within and contradicts the range."""
    reasoner = model((*SOME_SIZE, *SIZES_ONLY))
    change(reasoner, told=statements(f"x size {value}"))
    assert not holds(reasoner, "x a Small")
    assert "prp-rng" in contradictions(reasoner)
    change(reasoner, withdrawn=statements(f"x size {value}"))
    assert not reasoner.facts


@pytest.mark.parametrize(
    ("facet", "limit", "those", "others"),
    [
        ("xsd:minExclusive", "1", "1.1 2", "1 1.0 0"),
        ("xsd:maxExclusive", "1", "0.9 -2", "1 1.0 2"),
        ("xsd:minInclusive", "1", "1 1.0 2", "0.9"),
        ("xsd:maxInclusive", "1", "1 1.0 0", "1.1"),
    ],
)
def test_each_facet(facet: str, limit: str, those: str, others: str) -> None:
    """Inclusive bounds are within and exclusive ones are not."""
    ontology = (
        *statements("D a rdfs:Datatype . D owl:onDatatype xsd:decimal"),
        *statements("D owl:withRestrictions (_:f)"),
        *statements(f"_:f {facet} {limit} . p rdfs:range D"),
    )
    for value in those.split() + others.split():
        reasoner = model(ontology)
        change(reasoner, told=statements(f"x p {value}"))
        assert bool(reasoner.clashes) is (value in others.split()), value


@pytest.mark.parametrize("definition", ["D owl:equivalentClass Size", "Size owl:equivalentClass D"])
def test_a_definition_by_equivalence(definition: str) -> None:
    """A datatype that is equivalent to a restricted one, said either way, has its members."""
    defined = statements(f"D a rdfs:Datatype . {definition} . p rdfs:range D")
    reasoner = model((*SIZE, *defined))
    change(reasoner, told=statements("x p 0.2"))
    assert not reasoner.clashes
    change(reasoner, told=statements("y p 0.4"))
    assert contradictions(reasoner) == {"prp-rng"}


def test_a_datatype_told_at_run_time() -> None:
    """A datatype and its use told in one change apply, and leave nothing when withdrawn."""
    for told in (SIZES_ONLY, SIZES_ONLY[::-1]):
        reasoner = model()
        change(reasoner, told=statements("x size 0.2 . y size 0.4"))
        before = photograph(reasoner)
        change(reasoner, told=told)
        assert len(reasoner.clashes) == 1
        change(reasoner, withdrawn=told)
        assert not differences(before, photograph(reasoner))


def test_a_datatype_before_or_after_its_use() -> None:
    """It does not matter whether a datatype is defined before it is used or after."""
    for parts in ((SIZE, SIZES_ONLY[-1:]), (SIZES_ONLY[-1:], SIZE)):
        reasoner = model()
        for part in parts:
            change(reasoner, told=part)
        change(reasoner, told=statements("x size 0.2 . y size 0.4"))
        assert len(reasoner.clashes) == 1


@pytest.mark.parametrize("statement", SIZES_ONLY, ids=str)
def test_no_half_of_a_datatype(statement: tuple[str, str, str]) -> None:
    """A datatype of which a statement was withdrawn and told again is the same as before."""
    reasoner = model()
    change(reasoner, told=(*SIZES_ONLY, *statements("x size 0.2 . y size 0.4")))
    facts = set(reasoner.facts)
    assert len(reasoner.clashes) == 1
    change(reasoner, withdrawn=(statement,))
    change(reasoner, told=(statement,))
    assert set(reasoner.facts) == facts


def test_a_datatype_told_statement_by_statement() -> None:
    """A datatype told one statement at a time, from either end, works once it is whole."""
    for told in (SIZES_ONLY, SIZES_ONLY[::-1]):
        reasoner = model()
        change(reasoner, told=statements("x size 0.2 . y size 0.4"))
        for statement in told:
            change(reasoner, told=(statement,))
        assert len(reasoner.clashes) == 1
        assert "y size 0.4" in next(iter(reasoner.clashes))[2]


def test_a_datatype_of_a_datatype_told_later() -> None:
    """A datatype restricts another one that is told in a later change."""
    low = (
        *statements("Low a rdfs:Datatype . Low owl:onDatatype Size . size rdfs:range Low"),
        *statements("_:less xsd:maxInclusive 0.2 . Low owl:withRestrictions (_:less)"),
    )
    reasoner = model()
    change(reasoner, told=statements("x size 0.2 . y size 0.25 . z size 0.05"))
    for part in (low, SIZE):
        change(reasoner, told=part)
    assert len(reasoner.clashes) == 2


@pytest.mark.parametrize(
    ("datatype", "those", "others"),
    [
        ("xsd:integer", '1 -1 1.0 "1"^^xsd:byte', '1.5 "1" true x'),
        ("xsd:nonNegativeInteger", "0 1", "-1 0.5"),
        ("xsd:byte", "127 -128", "128 -129"),
        ("xsd:decimal", "1 1.5 1e0", '"1" true'),
        ("xsd:double", "1 1.5 1e0", '"1" false'),
        ("xsd:boolean", "true false", '1 "true"'),
        ("xsd:string", '"a" "a"^^xsd:token', '1 true "a"@en'),
        ("xsd:dateTime", '"2020-01-01T00:00:00Z"^^xsd:dateTimeStamp', '"2020-01-01"'),
        ("rdf:langString", '"a"@en', '"a" 1'),
        ("rdfs:Literal", '"a" 1 true "a"@en', ""),
    ],
)
def test_ranges_of_the_known_datatypes(datatype: str, those: str, others: str) -> None:
    """A literal outside a property's datatype contradicts, one inside does not."""
    ontology = statements(f"p rdfs:range {datatype}")
    for value in those.split() + [v for v in others.split() if v != "x"]:
        reasoner = model(ontology)
        change(reasoner, told=statements(f"a p {value}"))
        assert bool(reasoner.clashes) is (value in others.split()), value


@pytest.mark.parametrize("other", ["0.50", '"0.5"^^xsd:double', "5e-1", '"0.5"^^xsd:float'])
def test_equal_values_of_a_functional_property(other: str) -> None:
    """A functional property with one number in two spellings or datatypes is no contradiction."""
    reasoner = model(statements("p a owl:FunctionalProperty"))
    change(reasoner, told=statements(f"x p 0.5 . x p {other}"))
    assert not reasoner.clashes


@pytest.mark.parametrize("other", ["0.51", '"0.5"', "true", "y", '"0.5"@en'])
def test_unequal_values_of_a_functional_property(other: str) -> None:
    """A functional property with a number and anything else is a contradiction."""
    reasoner = model(statements("p a owl:FunctionalProperty"))
    change(reasoner, told=statements(f"x p 0.5 . x p {other}"))
    assert contradictions(reasoner) == {"prp-fp"}
    change(reasoner, withdrawn=statements("x p 0.5"))
    assert not reasoner.clashes


def test_individuals_of_a_functional_property() -> None:
    """Two individuals of a functional property are one, which contradicts if they are known two."""
    reasoner = model(statements("p a owl:FunctionalProperty"))
    change(reasoner, told=statements("x p y . x p z . y q w"))
    assert holds(reasoner, "y owl:sameAs z . z q w")
    assert not reasoner.clashes
    change(reasoner, told=statements("z owl:differentFrom y"))
    assert contradictions(reasoner) == {"eq-diff1"}
    change(reasoner, withdrawn=statements("x p y"))
    assert not reasoner.clashes
    assert not holds(reasoner, "z q w")


@pytest.mark.parametrize("other", ['"1"^^xsd:int', "01", '"1"^^xsd:nonNegativeInteger'])
def test_whole_numbers_of_restrictions_and_keys(other: str) -> None:
    """A restriction, a key and a negative assertion name a whole number in all its datatypes."""
    _, keys = listed("keys", ("p",))
    ontology = (
        *statements("One owl:hasValue 1 . One owl:onProperty p . Keyed owl:hasKey _:keys-0"),
        *keys,
        *statements("n owl:sourceIndividual not . n owl:assertionProperty p . n owl:targetValue 1"),
    )
    reasoner = model(ontology)
    change(reasoner, told=statements("x a Keyed . y p 1 . y a Keyed"))
    change(reasoner, told=statements(f"x p {other} . not p {other}"))
    assert holds(reasoner, "x a One")
    assert holds(reasoner, "x owl:sameAs y")
    assert contradictions(reasoner) == {"prp-npa2"}


@pytest.mark.parametrize("other", ["3.0", "3e0", '"3"^^xsd:float', '"3.00"^^xsd:decimal', "3"])
def test_numbers_that_axioms_name_go_by_value(other: str) -> None:
    """hasValue, a negative assertion and a SWRL atom that name 3 mean every spelling of it."""
    reasoner = model(
        (
            *statements("Three owl:hasValue 3 . Three owl:onProperty p"),
            *statements("n owl:sourceIndividual not . n owl:assertionProperty p"),
            *statements("n owl:targetValue 3"),
            *swrl("r", "?x p 3", "?x a Found"),
        )
    )
    before = photograph(reasoner)
    told = statements(f"x p {other} . not p {other} . y p 3.1 . z p true")
    change(reasoner, told=told)
    assert holds(reasoner, "x a Three . x a Found")
    assert contradictions(reasoner) == {"prp-npa2"}
    assert not any(holds(reasoner, f"{name} a Three") for name in "yz")
    change(reasoner, withdrawn=told)
    assert not differences(before, photograph(reasoner))
