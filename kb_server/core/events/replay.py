"""Replay: the events of a subscription since an earlier delta, computed afterwards.

1. Start with the present model, and set back the facts that match the patterns and have changed
   since that delta.
2. Apply the deltas one by one, and compute the events of each.

So the cost depends on the deltas and not on the size of the board. The road not taken is to restore
the old board from the journal: its cost depends on the size of the board, for every returning
client.

The live model may change meanwhile; `live_changed` compensates for it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from kb_server.core.events.events import Past, RelevantChange, SubscriptionEvent, events_of
from kb_server.core.events.subscriptions import Wish, models_of
from kb_server.core.facts.facts import FactIndex, FactView
from kb_server.core.models.delta import ModelDelta
from kb_server.core.terms.statements import Pattern, Statement

__all__ = ["EventReplay", "Rewound", "changes_of", "held_before"]


def changes_of(
    patterns: Sequence[Pattern], deltas: Iterable[ModelDelta]
) -> Iterator[RelevantChange]:
    """Yield the parts of some deltas that may match some patterns, without empty ones."""
    for delta in deltas:
        came = list(_touching(patterns, delta.became_true))
        went = list(_touching(patterns, delta.ceased))
        if came or went:
            yield RelevantChange(delta.model, delta.seq, delta.t, came, went)


def held_before(changes: Iterable[RelevantChange]) -> dict[tuple[str, Statement], bool]:
    """Return for each fact of some changes whether it held in its model before the first one."""
    held: dict[tuple[str, Statement], bool] = {}
    for change in changes:
        for fact, _ in change.came:
            held.setdefault((change.model, fact), False)
        for fact, _ in change.went:
            held.setdefault((change.model, fact), True)
    return held


class Rewound:
    """An overlay on a live view in which some facts are set differently."""

    def __init__(self, live: Callable[[], FactView]) -> None:
        self._live: Final = live
        self._hidden: Final[set[Statement]] = set()
        self._more: Final = FactIndex()

    def put(self, fact: Statement, holds: bool) -> None:
        """Set whether a fact holds here, independently of the live view."""
        self._hidden.discard(fact)
        self._more.discard(fact)
        if holds != self._live().holds(fact):
            self._set_apart(fact, holds)

    def live_changed(self, came: Iterable[Statement], went: Iterable[Statement]) -> None:
        """Compensate for a change of the live view, so that this view stays the same."""
        for fact in came:
            if self._more.holds(fact):
                self._more.discard(fact)
            else:
                self._hidden.add(fact)
        for fact in went:
            if fact in self._hidden:
                self._hidden.discard(fact)
            else:
                self._more.add(fact)

    def match(self, s: str | None, p: str | None, o: str | None) -> list[Statement]:
        below = self._live().match(s, p, o)
        if self._hidden:
            below = [fact for fact in below if fact not in self._hidden]
        return below + self._more.match(s, p, o)

    def estimate(self, s: str | None, p: str | None, o: str | None) -> int:
        return self._live().estimate(s, p, o) + self._more.estimate(s, p, o)

    def holds(self, statement: Statement) -> bool:
        if self._more.holds(statement):
            return True
        return statement not in self._hidden and self._live().holds(statement)

    def _set_apart(self, fact: Statement, holds: bool) -> None:
        if holds:
            self._more.add(fact)
        else:
            self._hidden.add(fact)


class EventReplay:
    """The replay of one subscription from a moment of the past to the present.

    `live` returns the present view of a model; for a missing model, one with the common sense only.
    """

    def __init__(self, wish: Wish, live: Callable[[str], FactView]) -> None:
        self._wish: Final = wish
        self._views: Final = {model: Rewound(partial(live, model)) for model in models_of(wish)}

    def live_changed(self, delta: ModelDelta) -> None:
        """Take note of a new delta of the board, which the replay has not reached yet."""
        view = self._views.get(delta.model)
        if view is not None:
            patterns = self._wish.patterns
            view.live_changed(
                dict.fromkeys(fact for fact, _ in _touching(patterns, delta.became_true)),
                dict.fromkeys(fact for fact, _ in _touching(patterns, delta.ceased)),
            )

    def rewind(self, held: Mapping[tuple[str, Statement], bool]) -> None:
        """Set some facts back to their earlier state."""
        for (model, fact), holds in held.items():
            self._views[model].put(fact, holds)

    def step(self, change: RelevantChange) -> list[SubscriptionEvent]:
        """Apply one delta to its model, and return the events that it causes."""
        view = self._views[change.model]
        came = dict.fromkeys(fact for fact, _ in change.came)
        went = dict.fromkeys(fact for fact, _ in change.went)
        for fact in came:
            view.put(fact, True)
        for fact in went:
            view.put(fact, False)
        others = [other for model, other in self._views.items() if model != change.model]
        before = Past(view, came, went)
        return events_of(self._wish, change, before, view, others[0] if others else None)


def _touching(
    patterns: Sequence[Pattern], facts: Iterable[Statement]
) -> Iterator[tuple[Statement, int]]:
    """Yield the facts that may match some of the patterns, each with the pattern's index."""
    constants = [[(i, t) for i, t in enumerate(pattern) if t[0] != "?"] for pattern in patterns]
    for fact in facts:
        for number, terms in enumerate(constants):
            if all(fact[i] == term for i, term in terms):
                yield fact, number
