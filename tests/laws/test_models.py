"""The laws of a model: whatever is told and withdrawn, in whichever order and portions."""

from typing import Final

import pytest
from hypothesis import given

from kb_server.core.facts.matching import Budget
from kb_server.core.reasoning.firing import CLASH, derivations
from kb_server.core.reasoning.reasoner import Reasoner, Support
from kb_server.core.terms.statements import Statement
from kb_server.errors import TooCostly
from tests.laws.photograph import developed, differences, photograph
from tests.laws.referee import by_owlrl, in_question
from tests.laws.worlds import Step, World, worlds
from tests.trials import law
from tests.twins import naive

PLENTY: Final = 10**9
LIST_PARTS: Final = ("rdf:first", "rdf:rest")


def common_sense(ontology: tuple[Statement, ...]) -> Reasoner:
    common = Reasoner()
    common.change((), ontology, 0.0, Budget(PLENTY))
    return common


def apply(reasoner: Reasoner, step: Step, now: float = 1.0) -> None:
    reasoner.change(step.withdrawn, step.told, now, Budget(PLENTY))


def told_to(world: World, model: Reasoner) -> frozenset[Statement]:
    """All that is told, in the ontology or in a model."""
    return frozenset(world.ontology) | model.asserted


def facts(*reasoners: Reasoner) -> frozenset[Statement]:
    """What holds, contradictions apart, and how lists are written down."""
    found = (fact for reasoner in reasoners for fact in reasoner.facts)
    return frozenset(f for f in found if f[1] != CLASH and f[1] not in LIST_PARTS)


def contradictions(*reasoners: Reasoner) -> frozenset[str]:
    return frozenset(clash[0] for reasoner in reasoners for clash in reasoner.clashes)


@law(300)
@given(worlds(ruled=True))
def test_incremental_is_from_scratch(world: World) -> None:
    """After each change a model holds what a new one told the same assertions holds."""
    common = common_sense(world.ontology)
    model = Reasoner(common, "a")
    for step in world.steps:
        apply(model, step)
        fresh = Reasoner(common, "a")
        fresh.change((), sorted(model.asserted), 1.0, Budget(PLENTY))
        assert model.facts.keys() == fresh.facts.keys()
        assert model.clashes.keys() == fresh.clashes.keys()


@law(250)
@given(worlds(torn=True))
def test_axioms_come_and_go_in_pieces(world: World) -> None:
    """The same is true when the statements of one axiom are told and withdrawn one by one."""
    common = common_sense(world.ontology)
    model = Reasoner(common, "a")
    for step in world.steps:
        apply(model, step)
        fresh = Reasoner(common, "a")
        fresh.change((), sorted(model.asserted), 1.0, Budget(PLENTY))
        assert model.facts.keys() == fresh.facts.keys()
        assert model.clashes.keys() == fresh.clashes.keys()


@law(250)
@given(worlds())
def test_the_naive_twin_agrees(world: World) -> None:
    """What holds at the end, and which rules are contradicted, are as the naive twin has it."""
    common = common_sense(world.ontology)
    model = Reasoner(common, "a")
    for step in world.steps:
        apply(model, step)
    told = told_to(world, model)
    expected = {f for f in naive.closure(told) if f[1] not in LIST_PARTS}
    assert facts(common, model) == expected
    assert contradictions(common, model) == naive.contradictions(told)


@law(80)
@given(worlds(clean=True, dense=2))
def test_owlrl_agrees(world: World) -> None:
    """On the shared vocabulary, what holds at the end is the closure that owlrl finds."""
    common = common_sense(world.ontology)
    model = Reasoner(common, "a")
    for step in world.steps:
        apply(model, step)
    told = told_to(world, model)
    assert in_question(facts(common, model), told) == by_owlrl(told)


@law(250)
@given(worlds(ruled=True))
def test_a_change_and_its_inverse_leave_no_crumbs(world: World) -> None:
    """New statements told and withdrawn leave a model as it was, supports and rules included."""
    model = Reasoner(common_sense(world.ontology), "a")
    for step in world.steps:
        new = tuple(s for s in step.told if s not in model.asserted)
        before = without_covered(model)
        apply(model, Step((), new), 2.0)
        apply(model, Step(new, ()), 3.0)
        assert not differences(before, without_covered(model))
        apply(model, step)


def without_covered(model: Reasoner) -> dict[str, object]:
    """A photograph without the premises of covered axioms.

    Such an axiom, inferred otherwise for a while, may come back by another way of the same level.
    """
    taken = photograph(model)
    taken["facts"] = {
        fact: (level, "covered", since) if instance and instance.covered else developed(support)
        for fact, support in model.facts.items()
        for level, instance, since, _ in (support,)
    }
    return taken


@law(250)
@given(worlds(torn=True, ruled=True))
def test_all_withdrawn_is_nothing_left(world: World) -> None:
    """A model of which every assertion is withdrawn is as on its first day."""
    model = Reasoner(common_sense(world.ontology), "a")
    new = photograph(model)
    for step in world.steps:
        apply(model, step)
    apply(model, Step(tuple(model.asserted), ()))
    assert not differences(new, photograph(model))


@law(250)
@given(worlds(ruled=True))
def test_the_delta_is_the_difference(world: World) -> None:
    """A change answers just the facts that hold now and did not before, and the other way."""
    model = Reasoner(common_sense(world.ontology), "a")
    for step in world.steps:
        before = dict(model.facts)
        change = model.change(step.withdrawn, step.told, 1.0, Budget(PLENTY))
        came = model.facts.keys() - before.keys()
        ceased = before.keys() - model.facts.keys()
        assert sorted(change.became_true) == sorted(f for f in came if f[1] != CLASH)
        assert sorted(change.clashes) == sorted(f for f in came if f[1] == CLASH)
        assert sorted(change.ceased) == sorted(f for f in ceased if f[1] != CLASH)


@law(250)
@given(worlds(ruled=True))
def test_what_holds_on_holds_since_then(world: World) -> None:
    """A fact that holds before and after a change keeps the time since when it holds."""
    model = Reasoner(common_sense(world.ontology), "a")
    for now, step in enumerate(world.steps):
        before = dict(model.facts)
        apply(model, step, float(now))
        for fact, support in model.facts.items():
            assert support[2] == (before[fact][2] if fact in before else now)


@law(250)
@given(worlds(torn=True, ruled=True))
def test_undo_restores_everything(world: World) -> None:
    """A change taken back leaves a model as it was, supports and rules included."""
    model = Reasoner(common_sense(world.ontology), "a")
    for step in world.steps:
        before = photograph(model)
        apply(model, step, 2.0)
        model.undo()
        assert not differences(before, photograph(model))
        apply(model, step)


@law(150)
@given(worlds(ruled=True))
def test_what_costs_too_much_never_was(world: World) -> None:
    """A change whose telling runs out of its budget, at any step, leaves a model as it was."""
    model = Reasoner(common_sense(world.ontology), "a")
    for step in world.steps:
        before, budget = photograph(model), Budget(PLENTY)
        model.change(step.withdrawn, step.told, 1.0, budget)
        model.undo()
        granted = budget.allowed - PLENTY  # for bringing back
        for allowed in range(0, budget.spent, 1 + budget.spent // 5):
            with pytest.raises(TooCostly):
                model.change(step.withdrawn, step.told, 1.0, Budget(allowed - granted))
            assert not differences(before, photograph(model))
        apply(model, step)


@law(250)
@given(worlds(ruled=True))
def test_supports_are_well_founded(world: World) -> None:
    """Every fact is told, or follows by a rule in force from facts that stand below it."""
    common = common_sense(world.ontology)
    model = Reasoner(common, "a")
    for step in world.steps:
        apply(model, step)
        for fact, support in model.facts.items():
            assert_founded(model, fact, support)


def level_of(model: Reasoner, fact: Statement) -> int:
    """How high a fact stands in a model; all that is common sense lies on the ground."""
    return model.facts[fact][0] if fact in model.facts else 0


def assert_founded(model: Reasoner, fact: Statement, support: Support) -> None:
    level, instance, _, premises = support
    if instance is None:
        assert fact in model.asserted
        assert (level, premises) == (0, ())
        return
    assert instance.rule == "dt-not-type" or model.in_force(instance)
    assert all(map(model.holds, (*premises, *instance.axioms)))
    assert all(level_of(model, premise) < level for premise in premises)
    assert all(level_of(model, axiom) <= instance.level < level for axiom in instance.axioms)
    if fact[1] != CLASH:
        made = derivations(instance, model.view, Budget(PLENTY), fact)
        assert premises in [found for _, _, found in made]


@law(150)
@given(worlds(ruled=True), worlds(ruled=True))
def test_models_do_not_touch_each_other(one: World, other: World) -> None:
    """What happens in one model changes neither another model nor the common sense of both."""
    common = common_sense(one.ontology)
    before = photograph(common)
    alone, beside = Reasoner(common, "a"), Reasoner(common, "b")
    for step in one.steps:
        apply(alone, step)
    seen = photograph(alone)
    for step in other.steps:
        apply(beside, step)
    assert not differences(seen, photograph(alone))
    assert not differences(before, photograph(common))
    for step in one.steps:
        apply(Reasoner(common), step)
    assert not differences(seen, photograph(alone))
