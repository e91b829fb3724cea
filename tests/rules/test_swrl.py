"""SWRL rules: in the ontology or told at run time, with comparisons, and never half of one."""

import pytest

from tests.laws.photograph import differences, photograph
from tests.rules.models import change, contradictions, holds, model, statements, swrl

BIG = swrl("big", "?x a Box, ?x size ?n, ?n greaterThan 3", "?x a BigBox")
COMPARED = [
    ("lessThan", "1 1.5", "2 3 x"),
    ("lessThanOrEqual", "1 2 2.0", "3"),
    ("greaterThan", "3 4.5", "1 2"),
    ("greaterThanOrEqual", "2 3 2e0", "1.99"),
    ("equal", '2 2.0 "2"^^xsd:byte', "3"),
    ("notEqual", "3 2.5", "2 2.0"),
]


@pytest.mark.parametrize(("word", "those", "others"), COMPARED)
def test_comparisons_go_by_value(word: str, those: str, others: str) -> None:
    """A comparison holds by the value of numbers, whatever their datatypes."""
    rule = swrl("r", f"?x p ?n, ?n {word} 2", "?x a Found")
    for value in those.split() + others.split():
        reasoner = model(rule)
        change(reasoner, told=statements(f"x p {value}"))
        assert holds(reasoner, "x a Found") is (value in those.split()), value


def test_values_of_other_kinds_are_not_ordered() -> None:
    """Of a text and a number neither is less nor greater, nor at most nor at least."""
    for word in ("lessThan", "lessThanOrEqual", "greaterThan", "greaterThanOrEqual"):
        reasoner = model(swrl("r", f"?x p ?n, ?n {word} 2", "?x a Found"))
        change(reasoner, told=statements('x p "1" . y p true . z p w'))
        assert not [f for f in reasoner.facts if f[2] == "Found"]


def test_two_variables_are_compared() -> None:
    """A comparison may stand between two variables."""
    reasoner = model(swrl("r", "?x p ?n, ?y p ?m, ?n lessThan ?m", "?x below ?y"))
    change(reasoner, told=statements("a p 1 . b p 2.0 . c p 1.0"))
    found = {fact for fact in reasoner.facts if fact[1] == "below"}
    assert found == set(statements("a below b . c below b"))


def test_a_rule_told_at_run_time() -> None:
    """A rule told in one change applies to facts told before and after, until it is withdrawn."""
    reasoner = model()
    change(reasoner, told=statements("x a Box . x size 4"))
    before = photograph(reasoner)
    change(reasoner, told=BIG)
    change(reasoner, told=statements("y a Box . y size 5 . z a Box . z size 3"))
    assert holds(reasoner, "x a BigBox . y a BigBox")
    assert not holds(reasoner, "z a BigBox")
    change(reasoner, withdrawn=(*BIG, *statements("y a Box . y size 5 . z a Box . z size 3")))
    assert not differences(before, photograph(reasoner))


@pytest.mark.parametrize("statement", BIG, ids=str)
def test_no_half_of_a_rule(statement: tuple[str, str, str]) -> None:
    """A rule of which any one statement is withdrawn is none, and told again it is one again."""
    reasoner = model()
    change(reasoner, told=(*BIG, *statements("x a Box . x size 4")))
    assert holds(reasoner, "x a BigBox")
    change(reasoner, withdrawn=(statement,))
    assert not holds(reasoner, "x a BigBox")
    change(reasoner, told=(statement,))
    assert holds(reasoner, "x a BigBox")


def test_a_rule_told_statement_by_statement() -> None:
    """A rule told one statement at a time, from either end, works once it is whole."""
    for told in (BIG, BIG[::-1]):
        reasoner = model()
        change(reasoner, told=statements("x a Box . x size 4"))
        for statement in told:
            assert not holds(reasoner, "x a BigBox")
            change(reasoner, told=(statement,))
        assert holds(reasoner, "x a BigBox")


def test_each_head_atom_follows() -> None:
    """A rule with two atoms in its head concludes both."""
    reasoner = model(swrl("r", "?x p ?y", "?x a A, ?y q ?x"))
    change(reasoner, told=statements("a p b"))
    assert holds(reasoner, "a a A . b q a")


def test_same_and_different_individuals() -> None:
    """Atoms about identity are read and concluded as owl:sameAs and owl:differentFrom."""
    same = swrl("r", "?x p ?k, ?y p ?k, ?x different ?y", "?x q ?y")
    reasoner = model((*same, *swrl("s", "?x twin ?y", "?x same ?y")))
    change(reasoner, told=statements("a p k . b p k . a owl:differentFrom b . c twin d . c r e"))
    assert holds(reasoner, "a q b . d r e")


def test_nothing_as_a_head_contradicts() -> None:
    """A rule that concludes membership of owl:Nothing finds a contradiction."""
    reasoner = model(swrl("r", "?x p ?n, ?n lessThan 0", "?x a owl:Nothing"))
    change(reasoner, told=statements("a p 1"))
    assert not reasoner.clashes
    change(reasoner, told=statements("b p -1"))
    assert len(reasoner.clashes) == 1
    change(reasoner, withdrawn=statements("b p -1"))
    assert not contradictions(reasoner)


def test_a_variable_of_the_head_alone_is_never_filled() -> None:
    """A rule whose head has a variable that its body lacks concludes nothing."""
    reasoner = model(swrl("r", "?x a A", "?x p ?y"))
    change(reasoner, told=statements("a a A"))
    assert reasoner.facts.keys() == set(statements("a a A"))


def test_a_variable_of_a_comparison_alone_is_never_filled() -> None:
    """A comparison of a variable that no other atom binds does not hold."""
    reasoner = model(swrl("r", "?x a A, ?y notEqual 3", "?x a B"))
    change(reasoner, told=statements("a a A"))
    assert not holds(reasoner, "a a B")


def test_variables_with_alike_names_are_two() -> None:
    """Two variables are two, however much their names look alike."""
    rule = swrl("r", "?v-1 p ?v_1", "?v-1 q ?v_1")
    reasoner = model(rule)
    change(reasoner, told=statements("a p b"))
    assert holds(reasoner, "a q b")


def test_a_rule_without_a_body_is_a_fact() -> None:
    """A rule with an empty body holds for as long as it is told."""
    rule = swrl("r", "", "a q b")
    reasoner = model()
    change(reasoner, told=rule)
    assert holds(reasoner, "a q b")
    change(reasoner, withdrawn=rule)
    assert not reasoner.facts


def test_a_model_does_not_undo_a_rule_of_the_common_sense() -> None:
    """What a model says of the variable of a common-sense rule leaves that rule whole."""
    variable = "<urn:var#x>"
    reasoner = model(swrl("seen", "owner sees ?x", "?x seenBy owner"), "sally")
    change(reasoner, told=statements("sally sees ball"))
    before = photograph(reasoner)
    for said in (f"{variable} a swrl:Variable", f"{variable} swrl:argument2 y"):
        change(reasoner, told=statements(said))
        assert holds(reasoner, "ball seenBy sally"), said
        change(reasoner, told=statements("sally sees box"))
        assert holds(reasoner, "box seenBy sally"), said
        change(reasoner, withdrawn=statements(f"{said} . sally sees box"))
        assert not differences(before, photograph(reasoner))
