"""One subscription as its socket sees it: what it has heard, and what waits until it may.

A hearer joins between two changes of the board. What happens from then on waits in its backlog
until its answer, its snapshot or what it missed are queued, so there is neither gap nor double.
Of one delta it hears all or nothing: what does not fit is told as `overflow`, with the delta to
resume after.
"""

from collections.abc import Callable, Sequence
from typing import Final

from kb_server.service.delivery.outbox import ENDED, Again, Outbox
from kb_server.wire.commands import Id
from kb_server.wire.events import Tail, encoded, overflow_tail, told_to

__all__ = ["Hearer"]


class Hearer:
    """Who hears the events of one subscription; `room` bounds its backlog."""

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
        """What happened up to a delta is not for it."""
        self._since = seq

    def hear(self, seq: int, tails: Sequence[Tail]) -> None:
        """Takes what one delta brought, all or none; without room the subscription is over."""
        if self.is_over or seq <= self._since:
            return
        if self._backlog is None:
            self._pass_on(seq, tails)
        elif self._lost is None:
            self._hold(seq, tails)

    def catch_up(self) -> None:
        """Queues what was held back; from now on it hears at once."""
        waiting, self._backlog = self._backlog or [], None
        for seq, tails in waiting:
            if not self.is_over:
                self._pass_on(seq, tails)
        if self._lost is not None:
            self.end(overflow_tail(self._lost))

    def end(self, tail: Tail) -> None:
        """Tells that the subscription is over, and why."""
        if not self.is_over:
            self.is_over = True
            self._outbox.put(Again(told_to(self._name, tail), self, ENDED))

    def pass_over(self, seq: int) -> str:
        """Is over, for what was queued of it from a delta on is not; what says so."""
        self.is_over = True
        return told_to(self._name, overflow_tail(seq - 1))

    async def retell(self, tails: Sequence[Tail]) -> None:
        """Queues what a snapshot or the past holds, as fast as it is read."""
        for tail in tails:
            await self._outbox.room()
            self._outbox.put(told_to(self._name, tail))

    async def retell_events(self, tails: Sequence[Tail]) -> None:
        """Queues events of the past; of a one-shot the first is the last."""
        await self.retell(tails[:1] if self._once else tails)
        self.is_over = self.is_over or self._once

    def _hold(self, seq: int, tails: Sequence[Tail]) -> None:
        assert self._backlog is not None
        self._held += len(tails)
        if self._held > self._room:
            self._lost = seq - 1
        else:
            self._backlog.append((seq, tails))

    def _pass_on(self, seq: int, tails: Sequence[Tail]) -> None:
        told = tails[:1] if self._once else tails
        if self._outbox.offer([Again(told_to(self._name, tail), self, seq) for tail in told]):
            self.is_over = self.is_over or self._once
        else:
            self.end(overflow_tail(seq - 1))
