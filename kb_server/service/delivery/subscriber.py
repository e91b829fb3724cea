"""The queue of one subscription: its events wait here until earlier frames are queued.

1. It joins between two changes of the board.
2. Events from then on go to its backlog, until the answer and the snapshot, or the events that
   it missed, are queued. So no event is lost and none is delivered twice.
3. `catch_up` queues the backlog; later events are queued at once.

The events of one delta are queued together or not at all. If they don't fit, the subscription
ends with `overflow`, which names the delta to resume after.
"""

from collections.abc import Callable, Sequence
from typing import Final

from kb_server.service.delivery.outbox import ENDED, Again, Outbox
from kb_server.wire.commands import Id
from kb_server.wire.events import Tail, addressed, encoded, overflow_tail

__all__ = ["Subscriber"]


class Subscriber:
    """One subscription on one socket; `room` is the maximum number of events in its backlog."""

    __slots__ = ("_backlog", "_held", "_lost", "_name", "_once", "_outbox", "_room", "_since",
                 "id", "is_over", "sent", "when_over")  # fmt: skip

    def __init__(self, id: Id, outbox: Outbox, once: bool, room: int) -> None:
        self.id: Final = id
        self.is_over = False
        self.sent = -1
        self.when_over: Callable[[], None] | None = None
        self._name: Final = encoded(id)
        self._outbox: Final = outbox
        self._once: Final = once
        self._room: Final = room
        self._since = 0
        self._backlog: list[tuple[int, Sequence[Tail]]] | None = []
        self._held = 0
        self._lost: int | None = None

    def joins(self, seq: int) -> None:
        """Ignores the events of all deltas up to `seq`."""
        self._since = seq

    def hear(self, seq: int, tails: Sequence[Tail]) -> None:
        """Queues all events of one delta; without room for them the subscription ends."""
        if self.is_over or seq <= self._since:
            return
        if self._backlog is None:
            self._pass_on(seq, tails)
        elif self._lost is None:
            self._hold(seq, tails)

    def catch_up(self) -> None:
        """Queues the backlog; from now on events are queued at once."""
        waiting, self._backlog = self._backlog or [], None
        for seq, tails in waiting:
            if not self.is_over:
                self._pass_on(seq, tails)
        if self._lost is not None:
            self.end(overflow_tail(self._lost))

    def end(self, tail: Tail) -> None:
        """Ends the subscription with a frame that gives the reason."""
        if not self.is_over:
            self.is_over = True
            self._outbox.put(Again(addressed(self._name, tail), self, ENDED))

    def pass_over(self, seq: int) -> str:
        """Ends it, since its events from `seq` on were dropped; returns its last frame."""
        self.is_over = True
        return addressed(self._name, overflow_tail(seq - 1))

    async def resend(self, tails: Sequence[Tail]) -> None:
        """Queues the rows of a snapshot or missed events, as fast as the client reads."""
        for tail in tails:
            await self._outbox.room()
            self._outbox.put(addressed(self._name, tail))

    async def resend_events(self, tails: Sequence[Tail]) -> None:
        """Queues missed events; with `once`, only the first."""
        await self.resend(tails[:1] if self._once else tails)
        self.is_over = self.is_over or self._once

    def _hold(self, seq: int, tails: Sequence[Tail]) -> None:
        assert self._backlog is not None
        self._held += len(tails)
        if self._held > self._room:
            self._lost = seq - 1
        else:
            self._backlog.append((seq, tails))

    def _pass_on(self, seq: int, tails: Sequence[Tail]) -> None:
        delivered = tails[:1] if self._once else tails
        if self._outbox.offer(
            [Again(addressed(self._name, tail), self, seq) for tail in delivered]
        ):
            self.is_over = self.is_over or self._once
        else:
            self.end(overflow_tail(seq - 1))
