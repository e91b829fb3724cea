"""The laws of events: they are the difference between two answers, whatever happens."""

from itertools import groupby

from hypothesis import given

from kb_server.core.events.events import Events, On, SubscriptionEvent
from kb_server.core.models.delta import ModelDelta
from kb_server.core.questions.query import find
from kb_server.core.terms.statements import Pattern, read_pattern
from kb_server.errors import BadRequest, UnknownModel
from tests.events.worlds import (
    MODELS,
    Answer,
    Change,
    Wish,
    World,
    answers,
    board_of,
    frozen,
    happens,
    worlds,
)
from tests.trials import law

LAW = law(400)
ON: dict[str, On] = {"appear": "appear", "disappear": "disappear", "both": "both"}


class Observed:
    """A board with everybody who waits for something in it."""

    def __init__(self, world: World) -> None:
        self.board = board_of(world.ontology)
        self.heard: list[SubscriptionEvent] = []
        self.deltas: list[ModelDelta] = []
        self.events = Events(self.board, self.heard.append)
        self.board.on_delta.append(self.deltas.append)
        self.now = 0.0

    def read(self, texts: tuple[str, ...]) -> list[Pattern]:
        return [read_pattern(text, self.board.names) for text in texts]

    def answers(self, model: str, texts: tuple[str, ...]) -> Answer:
        there = {m.id for m in self.board.models()}
        common = self.board.common.reasoner.view
        view = self.board.model(model).view if model in there else common
        return answers(view, texts, self.board)

    def forget(self, model: str) -> list[SubscriptionEvent]:
        """What is heard when a model is deleted."""
        start = len(self.heard)
        self.board.delete(model, self.now)
        return self.heard[start:]

    def play(self, change: Change) -> list[SubscriptionEvent]:
        """What is heard of a change; a request that is refused tells nothing."""
        self.now += change.wait
        start = len(self.heard)
        try:
            happens(self.board, change, self.now)
        except (BadRequest, UnknownModel):
            assert len(self.heard) == start
        return self.heard[start:]


def told(events: list[SubscriptionEvent], sub: str, kind: str) -> list[frozenset[tuple[str, str]]]:
    return [frozen(e.bindings) for e in events if e.sub == sub and e.kind == kind]


def check_told(wish: Wish, heard: list[SubscriptionEvent], before: Answer, after: Answer) -> None:
    """One subscription heard of one change exactly what it is to hear."""
    sub = heard[0].sub if heard else ""
    assert sorted(map(sorted, told(heard, sub, "appear"))) == sorted(
        map(sorted, after - before if wish.on != "disappear" else ())
    )
    assert sorted(map(sorted, told(heard, sub, "disappear"))) == sorted(
        map(sorted, before - after if wish.on != "appear" else ())
    )
    kinds = [kind for kind, _ in groupby(e.kind for e in heard)]
    assert kinds in ([], ["appear"], ["disappear"], ["disappear", "appear"])
    assert len({e.seq for e in heard}) <= 1


def events_are_differences(world: World) -> None:
    o = Observed(world)
    for i, wish in enumerate(world.wishes):
        o.events.subscribe(str(i), wish.model, o.read(wish.patterns), ON[wish.on])
    before = [o.answers(wish.model, wish.patterns) for wish in world.wishes]
    folded = [set(map(frozen, o.events.snapshot(str(i)))) for i in range(len(world.wishes))]
    for change in world.changes:
        heard = o.play(change)
        for i, wish in enumerate(world.wishes):
            after = o.answers(wish.model, wish.patterns)
            mine = [e for e in heard if e.sub == str(i)]
            check_told(wish, mine, before[i], after)
            before[i] = after
            for event in mine if wish.on == "both" else ():
                (folded[i].add if event.kind == "appear" else folded[i].remove)(
                    frozen(event.bindings)
                )
            if wish.on == "both":
                assert folded[i] == after
            assert set(map(frozen, o.events.snapshot(str(i)))) == after
    assert [d.seq for d in o.deltas] == list(range(1, len(o.deltas) + 1))


@law(800)
@given(worlds())
def test_events_are_the_difference_of_the_answers(world: World) -> None:
    """Each binding that came or went is told once, disappear first, and nothing else is."""
    events_are_differences(world)


def finds_agree(world: World) -> None:
    o = Observed(world)
    for change in world.changes:
        o.play(change)
    for wish in world.wishes:
        view, wanted = o.board.model(wish.model).view, o.read(wish.patterns)
        rows = [frozen(row) for row in find(wanted, view, o.board.budget())]
        assert len(rows) == len(set(rows))
        assert set(rows) == o.answers(wish.model, wish.patterns)


@LAW
@given(worlds(most=5))
def test_find_answers_as_brute_force_does(world: World) -> None:
    """A question is answered with each binding once, the same as by trying every fact."""
    finds_agree(world)


def deltas_are_differences(world: World) -> None:
    o = Observed(world)
    for change in world.changes:
        before = {m: o.board.model(m).facts() for m in MODELS}
        start = len(o.deltas)
        o.play(change)
        deltas = {d.model: d for d in o.deltas[start:]}
        assert len(deltas) == len(o.deltas) - start
        for m in MODELS:
            after, delta = o.board.model(m).facts(), deltas.get(m)
            common = o.board.common.reasoner.facts
            came, went = (delta.became_true, delta.ceased) if delta else ((), ())
            assert sorted(came) == sorted(f for f in after - before[m] if f not in common)
            assert sorted(went) == sorted(f for f in before[m] - after if f not in common)


@LAW
@given(worlds())
def test_a_delta_is_the_difference_of_the_facts(world: World) -> None:
    """A delta names each fact that came or ceased once, and none that only changed its reasons."""
    deltas_are_differences(world)


def divergences_are_differences(world: World) -> None:
    o = Observed(world)
    for i, wish in enumerate(world.wishes):
        other = MODELS[1 - MODELS.index(wish.model)]
        o.events.subscribe_divergence(str(i), wish.model, other, o.read(wish.patterns))
    here = [set(differing(o, wish)[0]) for wish in world.wishes]
    there = [set(differing(o, wish)[1]) for wish in world.wishes]
    for change in (*world.changes, None, *world.changes):
        heard = o.play(change) if change else o.forget("sally")
        for i, wish in enumerate(world.wishes):
            for event in (e for e in heard if e.sub == str(i)):
                assert event.only_here or event.only_there
                fold(here[i], event.kind, list(map(frozen, event.only_here)))
                fold(there[i], event.kind, list(map(frozen, event.only_there)))
            assert (here[i], there[i]) == differing(o, wish)


def fold(
    rows: set[frozenset[tuple[str, str]]], kind: str, told: list[frozenset[tuple[str, str]]]
) -> None:
    """Takes in what one event says of one side: news, and each row once."""
    assert len(told) == len(set(told))
    if kind == "diverge":
        assert not rows & set(told)
        rows |= set(told)
    else:
        assert kind == "converge"
        assert rows >= set(told)
        rows -= set(told)


def differing(
    o: Observed, wish: Wish
) -> tuple[set[frozenset[tuple[str, str]]], set[frozenset[tuple[str, str]]]]:
    """What holds in the one model only, and in the other only."""
    other = MODELS[1 - MODELS.index(wish.model)]
    here, there = (set(o.answers(m, wish.patterns)) for m in (wish.model, other))
    return here - there, there - here


@law(600)
@given(worlds())
def test_divergence_events_fold_to_the_difference_of_two_models(world: World) -> None:
    """What diverged and has not converged is what one model answers and the other, if any, not."""
    divergences_are_differences(world)
