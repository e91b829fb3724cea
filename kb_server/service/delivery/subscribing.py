"""The subscriptions of all sockets; equal ones share one subscription of the core.

Each event is computed and written once, however many subscribers receive it. Events wait until
the journal has stored their delta; `release` then delivers them, before the change is answered.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Final

from kb_server.core.events.events import Events, On, SubscriptionEvent
from kb_server.core.events.subscriptions import Wish
from kb_server.core.models.board import Board
from kb_server.core.models.delta import ModelDelta
from kb_server.core.terms.statements import Pattern
from kb_server.errors import ReadOnly, TooCostly, TooLarge
from kb_server.service.delivery.subscriber import Subscriber
from kb_server.wire.events import ended_tail, event_tail

__all__ = ["Subscribing", "SubscriptionRequest"]


@dataclass(frozen=True, slots=True)
class SubscriptionRequest:
    """A request for events; with `other`, for the bindings on which two models differ."""

    model: str
    patterns: tuple[Pattern, ...]
    on: On = "appear"
    other: str | None = None

    @property
    def models(self) -> tuple[str, ...]:
        return (self.model,) if self.other is None else (self.model, self.other)


class _Group:
    """The subscribers with equal requests."""

    __slots__ = ("subscribers", "wanted", "wish")

    def __init__(self, wanted: SubscriptionRequest, wish: Wish) -> None:
        self.wanted: Final = wanted
        self.wish: Final = wish
        self.subscribers: Final[dict[Subscriber, None]] = {}


class Subscribing:
    """All subscriptions of one board; `soon` calls a function between two changes of it.

    A subscription begins between two changes, and may end at any time.
    """

    def __init__(self, board: Board, most: int, soon: Callable[[Callable[[], None]], None]) -> None:
        self.count = 0
        self._soon: Final = soon
        self._kept = board.seq
        self._board: Final = board
        self._most: Final = most
        self._fresh: Final[list[SubscriptionEvent]] = []
        self._events: Final = Events(board, self._happened)
        self._pending: Final[deque[SubscriptionEvent]] = deque()
        self._groups: Final[dict[str, _Group]] = {}
        self._by_wanted: Final[dict[SubscriptionRequest, _Group]] = {}
        self._group_of: Final[dict[Subscriber, _Group]] = {}
        self._numbers: Final = count()

    @property
    def delivered_until(self) -> int:
        """The newest delta that the journal has stored and whose events are delivered."""
        return self._kept

    def must_have(self, seq: int) -> None:
        """Raises ReadOnly unless the journal has stored a delta that clients may resume after."""
        if seq > self._kept:
            raise ReadOnly(
                "no subscription can begin now: recent changes can't be stored, since the journal "
                "can't be written; try again when it can (GET /health gives the reason)"
            )

    def join(
        self, wanted: SubscriptionRequest, subscriber: Subscriber, must_exist: bool = True
    ) -> Wish:
        """Begins a subscription; equal requests share the core's work.

        `must_exist` holds for new subscriptions. A subscription survives the deletion of its model,
        so that it can be resumed without one.
        """
        if self.count >= self._most:
            raise TooLarge(f"{self._most} subscriptions are open; no more fit", allowed=self._most)
        for model in wanted.models if must_exist else ():
            self._board.model(model)
        group = self._by_wanted.get(wanted) or self._opened(wanted)
        group.subscribers[subscriber] = None
        self._group_of[subscriber] = group
        self.count += 1
        subscriber.joins(self._board.seq)
        return group.wish

    def leave(self, subscriber: Subscriber) -> None:
        """Ends a subscription; nothing happens if it has ended."""
        subscriber.is_over = True
        if subscriber.when_over is not None:
            subscriber.when_over()
            subscriber.when_over = None
        group = self._group_of.pop(subscriber, None)
        if group is None:
            return
        self.count -= 1
        del group.subscribers[subscriber]
        if not group.subscribers:
            self._close(group)

    def passed(self, _delta: ModelDelta) -> None:
        """Called by the writer when a change is complete, and so are its events."""
        self._pending.extend(self._fresh)
        self._fresh.clear()
        self.release(self._kept)

    def release(self, seq: int) -> None:
        """Delivers the events whose deltas the journal has stored."""
        self._kept = max(self._kept, seq)
        while self._pending and self._pending[0].seq <= self._kept:
            together = [self._pending.popleft()]
            while self._pending and _is_same_turn(self._pending[0], together[0]):
                together.append(self._pending.popleft())
            self._tell(together)

    def _tell(self, events: Sequence[SubscriptionEvent]) -> None:
        """Delivers the events of one delta to all subscribers with this request."""
        group = self._groups.get(events[0].sub)
        if group is None:
            return
        if events[0].kind == "error":
            self._end(group)
            return
        seq, tails = events[0].seq, [event_tail(event) for event in events]
        for subscriber in list(group.subscribers):
            subscriber.hear(seq, tails)
            if subscriber.is_over:
                self.leave(subscriber)

    def _end(self, group: _Group) -> None:
        """Ends the subscriptions of a group, which the core found too costly."""
        tail = ended_tail(TooCostly("this subscription took more steps than one change may cost"))
        for subscriber in list(group.subscribers):
            subscriber.end(tail)
            self.leave(subscriber)

    def _opened(self, wanted: SubscriptionRequest) -> _Group:
        """Begins a subscription of the core; the existence of its models is checked before."""
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

    def _happened(self, event: SubscriptionEvent) -> None:
        """Called by the core, in the thread that changes the board."""
        self._fresh.append(event)
        group = self._groups.get(event.sub)
        if event.kind == "error" and group is not None:
            self._by_wanted.pop(group.wanted, None)  # later subscribers begin a new group


def _is_same_turn(event: SubscriptionEvent, first: SubscriptionEvent) -> bool:
    return event.sub == first.sub and event.seq == first.seq
