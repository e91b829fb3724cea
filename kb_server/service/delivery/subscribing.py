"""The subscriptions of all sockets: many hearers over few wishes.

Who asks for the same in the same words is told by one subscription of the core: an event is
worked out once and written once, however many hear it. Events wait until the journal has their
delta; `release` lets them go, before the change is answered.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Final

from kb_server.core.events.events import Event, Events, On
from kb_server.core.events.subscriptions import Wish
from kb_server.core.models.blackboard import Blackboard
from kb_server.core.models.delta import Delta
from kb_server.core.terms.statements import Pattern
from kb_server.errors import ReadOnly, TooCostly, TooLarge
from kb_server.service.delivery.hearer import Hearer
from kb_server.wire.events import ended_tail, event_tail

__all__ = ["Subscribing", "Wanted"]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is waited for; with `other`, where two models differ."""

    model: str
    patterns: tuple[Pattern, ...]
    on: On = "appear"
    other: str | None = None

    @property
    def models(self) -> tuple[str, ...]:
        return (self.model,) if self.other is None else (self.model, self.other)


class _Group:
    """Those who want the same."""

    __slots__ = ("hearers", "wanted", "wish")

    def __init__(self, wanted: Wanted, wish: Wish) -> None:
        self.wanted: Final = wanted
        self.wish: Final = wish
        self.hearers: Final[dict[Hearer, None]] = {}


class Subscribing:
    """Subscriptions over one board; `soon` does something between two changes of it.

    They begin between two changes, and may end at any time.
    """

    def __init__(
        self, board: Blackboard, most: int, soon: Callable[[Callable[[], None]], None]
    ) -> None:
        self.count = 0
        self._soon: Final = soon
        self._kept = board.seq
        self._board: Final = board
        self._most: Final = most
        self._fresh: Final[list[Event]] = []
        self._events: Final = Events(board, self._happened)
        self._pending: Final[deque[Event]] = deque()
        self._groups: Final[dict[str, _Group]] = {}
        self._by_wanted: Final[dict[Wanted, _Group]] = {}
        self._group_of: Final[dict[Hearer, _Group]] = {}
        self._numbers: Final = count()

    @property
    def told_until(self) -> int:
        """The delta up to which the journal has all, and so all is told."""
        return self._kept

    def must_have(self, seq: int) -> None:
        """ReadOnly unless the journal has a delta: who resumes after it must find what follows."""
        if seq > self._kept:
            raise ReadOnly(
                "nothing can be subscribed to now: changes are made that can't be kept, for the "
                "journal can't be written; try again when it can (GET /health says why)"
            )

    def join(self, wanted: Wanted, hearer: Hearer, must_exist: bool = True) -> Wish:
        """Begins a subscription; who wants the same as another shares the core's work.

        `must_exist` is for who is new: a subscription outlives its model, and so may be resumed.
        """
        if self.count >= self._most:
            raise TooLarge(f"{self._most} subscriptions are open; no more fit", allowed=self._most)
        for model in wanted.models if must_exist else ():
            self._board.model(model)
        group = self._by_wanted.get(wanted) or self._opened(wanted)
        group.hearers[hearer] = None
        self._group_of[hearer] = group
        self.count += 1
        hearer.joins(self._board.seq)
        return group.wish

    def leave(self, hearer: Hearer) -> None:
        """Ends a subscription, if it has not ended already."""
        hearer.is_over = True
        if hearer.when_over is not None:
            hearer.when_over()
            hearer.when_over = None
        group = self._group_of.pop(hearer, None)
        if group is None:
            return
        self.count -= 1
        del group.hearers[hearer]
        if not group.hearers:
            self._close(group)

    def passed(self, _delta: Delta) -> None:
        """Follows the writer: a change is made, and what it brought is whole."""
        self._pending.extend(self._fresh)
        self._fresh.clear()
        self.release(self._kept)

    def release(self, seq: int) -> None:
        """Lets the events go that the journal has."""
        self._kept = max(self._kept, seq)
        while self._pending and self._pending[0].seq <= self._kept:
            together = [self._pending.popleft()]
            while self._pending and _is_same_turn(self._pending[0], together[0]):
                together.append(self._pending.popleft())
            self._tell(together)

    def _tell(self, events: Sequence[Event]) -> None:
        """Tells all who want it what one delta brought."""
        group = self._groups.get(events[0].sub)
        if group is None:
            return
        if events[0].kind == "error":
            self._end(group)
            return
        seq, tails = events[0].seq, [event_tail(event) for event in events]
        for hearer in list(group.hearers):
            hearer.hear(seq, tails)
            if hearer.is_over:
                self.leave(hearer)

    def _end(self, group: _Group) -> None:
        """The core found it too costly and has ended it."""
        tail = ended_tail(TooCostly("this subscription took more steps than one change may cost"))
        for hearer in list(group.hearers):
            hearer.end(tail)
            self.leave(hearer)

    def _opened(self, wanted: Wanted) -> _Group:
        """Begins a subscription of the core; whether the models exist is looked at already."""
        name, model, patterns = str(next(self._numbers)), wanted.model, wanted.patterns
        begin, begin_two = self._events.subscribe, self._events.subscribe_divergence
        wish: Wish
        if wanted.other is None:
            wish = begin(name, model, patterns, wanted.on, must_exist=False)
        else:
            wish = begin_two(name, model, wanted.other, patterns, must_exist=False)
        group = _Group(wanted, wish)
        self._groups[name] = self._by_wanted[wanted] = group
        return group

    def _close(self, group: _Group) -> None:
        del self._groups[group.wish.id]
        if self._by_wanted.get(group.wanted) is group:
            del self._by_wanted[group.wanted]
        self._soon(lambda: self._forget(group.wish.id))

    def _forget(self, name: str) -> None:
        self._events.unsubscribe(name)

    def _happened(self, event: Event) -> None:
        """Follows the core, in whatever thread changes the board."""
        self._fresh.append(event)
        group = self._groups.get(event.sub)
        if event.kind == "error" and group is not None:
            self._by_wanted.pop(group.wanted, None)  # who comes now begins anew


def _is_same_turn(event: Event, first: Event) -> bool:
    return event.sub == first.sub and event.seq == first.seq
