"""Events: computed from each delta, without evaluating whole queries anew.

- A binding appears if a fact that became true takes part in it, and it did not hold before.
- A binding disappears if a fact that ceased took part in it, and it does not hold any more.

The state before the delta is the present view with the delta undone (`Past`).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from kb_server.core.events.subscriptions import (
    DivergenceSubscription,
    Filing,
    PatternSubscription,
    Wish,
    models_of,
)
from kb_server.core.facts.facts import FactIndex, FactView
from kb_server.core.facts.matching import Budget, bind, fill, solve
from kb_server.core.models.board import Board
from kb_server.core.models.delta import ModelDelta
from kb_server.core.questions.query import Row, asked, find
from kb_server.core.terms.statements import Pattern, Statement, named_variables
from kb_server.errors import BadRequest, TooCostly, UnknownModel

__all__ = ["Events", "On", "Past", "RelevantChange", "SubscriptionEvent", "Touched", "events_of"]

On = Literal["appear", "disappear", "both"]
_STEPS: Final = 100_000
_STEPS_EACH: Final = 20
"""The steps that one delta may cost one subscription: a constant, and more for each fact."""
_Values = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SubscriptionEvent:
    """One event of one subscription; `error` means that it was too costly and has ended.

    `appear` and `disappear` carry one row in `bindings`. `diverge` and `converge` carry the rows
    that begin or cease to differ, in `only_here` and `only_there`.
    """

    kind: Literal["appear", "disappear", "diverge", "converge", "error"]
    sub: str
    seq: int
    t: float
    bindings: Row
    only_here: tuple[Row, ...] = ()
    only_there: tuple[Row, ...] = ()


class Past:
    """A view of the state before a delta."""

    def __init__(
        self, view: FactView, came: Iterable[Statement], went: Iterable[Statement]
    ) -> None:
        self._view: Final = view
        self._came: Final = frozenset(came)
        self._went: Final = FactIndex()
        for fact in went:
            self._went.add(fact)

    def match(self, s: str | None, p: str | None, o: str | None) -> list[Statement]:
        still = [f for f in self._view.match(s, p, o) if f not in self._came]
        return still + self._went.match(s, p, o)

    def estimate(self, s: str | None, p: str | None, o: str | None) -> int:
        return self._view.estimate(s, p, o) + self._went.estimate(s, p, o)

    def holds(self, statement: Statement) -> bool:
        if self._went.holds(statement):
            return True
        return statement not in self._came and self._view.holds(statement)


class Events:
    """All subscriptions to a board; `deliver` is called with each event, in order.

    A subscription survives the deletion of its model: all bindings disappear, and if a model of
    that name is created again, events go on.

    `visited` counts the examined patterns; tests use it to prove that the work depends only on the
    size of the change.
    """

    def __init__(self, board: Board, deliver: Callable[[SubscriptionEvent], None]) -> None:
        self._board: Final = board
        self._deliver: Final = deliver
        self._wishes: Final[dict[str, Wish]] = {}
        self._filings: Final[dict[str, Filing]] = {}
        self.visited = 0
        board.on_delta.append(self.follow)

    def subscribe(
        self,
        sub: str,
        model: str,
        patterns: Sequence[Pattern],
        on: On = "appear",
        once: bool = False,
        must_exist: bool = True,
    ) -> PatternSubscription:
        """Subscribe to the bindings of patterns in a model, under a new id."""
        if must_exist:
            self._board.model(model)
        if on not in ("appear", "disappear", "both"):
            raise BadRequest(f"on must be appear, disappear or both, not {on!r}", field="on")
        wanted = asked(patterns)
        wish = PatternSubscription(
            sub, model, wanted, named_variables(wanted), on != "disappear", on != "appear", once
        )
        self._file(wish, (model,))
        return wish

    def subscribe_divergence(
        self,
        sub: str,
        model: str,
        other: str,
        patterns: Sequence[Pattern],
        must_exist: bool = True,
    ) -> DivergenceSubscription:
        """Subscribe to the differences of two models on some patterns, under a new id."""
        if must_exist:
            self._board.model(model)
            self._board.model(other)
        wanted = asked(patterns)
        wish = DivergenceSubscription(sub, model, other, wanted, named_variables(wanted))
        self._file(wish, dict.fromkeys((model, other)))
        return wish

    def unsubscribe(self, sub: str) -> bool:
        """End a subscription; return False if there is none of that id."""
        wish = self._wishes.pop(sub, None)
        if wish is None:
            return False
        for model in models_of(wish):
            filing = self._filings[model]
            filing.remove(wish)
            if not filing:
                del self._filings[model]
        return True

    def snapshot(self, sub: str) -> list[Row]:
        """Return the present bindings of a subscription."""
        wish = self._wishes.get(sub)
        if not isinstance(wish, PatternSubscription):
            raise BadRequest(f"there is no subscription {sub!r} to one model", sub=sub)
        view = self._board.model(wish.model).view
        return find(wish.patterns, view, self._board.budget(), wish.names)

    def __len__(self) -> int:
        return len(self._wishes)

    def follow(self, delta: ModelDelta) -> None:
        """Deliver the events that a delta causes."""
        filing = self._filings.get(delta.model)
        if filing is None:
            return
        concerned = self._concerned(filing, delta)
        if not concerned:
            return
        after = self._board.model(delta.model).view
        before = Past(after, delta.became_true, delta.ceased)
        for wish, (came, went) in concerned.items():
            if self._wishes.get(wish.id) is not wish:
                continue
            try:
                change = RelevantChange(delta.model, delta.seq, delta.t, came, went)
                events = events_of(wish, change, before, after, self._other(wish, delta.model))
            except TooCostly:
                events = [SubscriptionEvent("error", wish.id, delta.seq, delta.t, {})]
                self.unsubscribe(wish.id)
            self._tell(wish, events)

    def _file(self, wish: Wish, models: Iterable[str]) -> None:
        if wish.id in self._wishes:
            raise BadRequest(f"there is a subscription {wish.id!r} already", sub=wish.id)
        self._wishes[wish.id] = wish
        for model in models:
            self._filings.setdefault(model, Filing()).add(wish)

    def _concerned(self, filing: Filing, delta: ModelDelta) -> "_Concerned":
        found: _Concerned = {}
        for place, facts in enumerate((delta.became_true, delta.ceased)):
            for fact in facts:
                for wish, i in filing.mentioning(fact):
                    self.visited += 1
                    found.setdefault(wish, ([], []))[place].append((fact, i))
        return found

    def _other(self, wish: Wish, model: str) -> FactView | None:
        """Return the view of the other model of a divergence subscription, if it exists."""
        if isinstance(wish, PatternSubscription):
            return None
        try:
            return self._board.model(wish.other if model == wish.model else wish.model).view
        except UnknownModel:
            return None

    def _tell(self, wish: Wish, events: Sequence[SubscriptionEvent]) -> None:
        if isinstance(wish, PatternSubscription) and wish.once and events:
            self.unsubscribe(wish.id)
            events = events[:1]
        for event in events:
            self._deliver(event)


Touched = list[tuple[Statement, int]]
"""Facts, each with the index of a pattern that it may match."""
_Concerned = dict[Wish, tuple[Touched, Touched]]


@dataclass(frozen=True, slots=True)
class RelevantChange:
    """The part of a delta that may concern a subscription: the facts that came and went."""

    model: str
    seq: int
    t: float
    came: Touched
    went: Touched

    @property
    def size(self) -> int:
        return len(self.came) + len(self.went)


def events_of(
    wish: Wish,
    change: RelevantChange,
    before: FactView,
    after: FactView,
    other: FactView | None = None,
) -> list[SubscriptionEvent]:
    """Return the events of a subscription for a change, given its model before and after.

    `other` is the other model of a divergence subscription after the change; None has no facts.
    """
    rows = _Rows(wish, before, after, change)
    if isinstance(wish, PatternSubscription):
        return list(_appearances(wish, change, rows))
    return list(_differences(wish, change, rows, other)) if wish.model != wish.other else []


def _appearances(
    wish: PatternSubscription, change: RelevantChange, rows: "_Rows"
) -> Iterator[SubscriptionEvent]:
    if wish.disappear:
        for row in rows.disappeared():
            yield SubscriptionEvent(
                "disappear", wish.id, change.seq, change.t, _row(wish.names, row)
            )
    if wish.appear:
        for row in rows.appeared():
            yield SubscriptionEvent("appear", wish.id, change.seq, change.t, _row(wish.names, row))


def _differences(
    wish: DivergenceSubscription, change: RelevantChange, rows: "_Rows", other: FactView | None
) -> Iterator[SubscriptionEvent]:
    """Yield the differences caused by each binding that appeared or disappeared in this model."""
    here = change.model == wish.model
    begin: tuple[list[Row], list[Row]] = ([], [])
    cease: tuple[list[Row], list[Row]] = ([], [])
    for row in rows.appeared():
        shared = other is not None and _holds(wish, other, row, rows.budget)
        target = cease[here] if shared else begin[not here]
        target.append(_row(wish.names, row))
    for row in rows.disappeared():
        shared = other is not None and _holds(wish, other, row, rows.budget)
        target = begin[here] if shared else cease[not here]
        target.append(_row(wish.names, row))
    kinds: Sequence[tuple[Literal["diverge", "converge"], tuple[list[Row], list[Row]]]]
    kinds = (("converge", cease), ("diverge", begin))
    for kind, (only_here, only_there) in kinds:
        if only_here or only_there:
            sides = (tuple(only_here), tuple(only_there))
            yield SubscriptionEvent(kind, wish.id, change.seq, change.t, {}, *sides)


class _Rows:
    """The bindings of one subscription that a delta makes appear or disappear."""

    def __init__(
        self,
        wish: Wish,
        before: FactView,
        after: FactView,
        change: RelevantChange,
    ) -> None:
        self._wish: Final = wish
        self._before: Final = before
        self._after: Final = after
        self._came: Final = change.came
        self._went: Final = change.went
        self.budget: Final = Budget(_STEPS + _STEPS_EACH * change.size)

    def appeared(self) -> Iterator[_Values]:
        for row in self._through(self._came, self._after):
            if not _holds(self._wish, self._before, row, self.budget):
                yield row

    def disappeared(self) -> Iterator[_Values]:
        for row in self._through(self._went, self._before):
            if not _holds(self._wish, self._after, row, self.budget):
                yield row

    def _through(self, touched: Touched, view: FactView) -> list[_Values]:
        """Return the bindings, each once, in which one of the facts takes part."""
        patterns, names = self._wish.patterns, self._wish.names
        rows: dict[_Values, None] = {}
        for fact, i in touched:
            start = bind(patterns[i], fact, {})
            if start is None:
                continue
            rest = patterns[:i] + patterns[i + 1 :]
            for binding in solve(rest, view, start, self.budget):
                rows[tuple(binding[name] for name in names)] = None
        return list(rows)


def _holds(wish: Wish, view: FactView, row: _Values, budget: Budget) -> bool:
    values = dict(zip(wish.names, row, strict=True))
    patterns = [fill(p, values) for p in wish.patterns]
    return next(solve(patterns, view, {}, budget), None) is not None


def _row(names: Sequence[str], values: _Values) -> Row:
    return {name[1:]: value for name, value in zip(names, values, strict=True)}
