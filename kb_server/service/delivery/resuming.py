"""Resuming a subscription: the events that it missed, replayed from the journal.

1. The subscription joins; new events wait in its backlog.
2. A thread reads the missed deltas page by page and keeps the changes that match the patterns.
3. The matching facts are rewound to the delta `after`, and replayed in short turns between the
   changes of the board, as fast as the client reads.

The memory of all resuming subscriptions together is bounded.
"""

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from heapq import merge
from itertools import islice
from typing import Final

from kb_server.core.events.events import RelevantChange
from kb_server.core.events.replay import EventReplay, changes_of, held_before
from kb_server.core.facts.facts import FactView, VisibleView
from kb_server.core.models.delta import ModelDelta
from kb_server.errors import BadRequest, Busy, TooCostly, UnknownModel
from kb_server.host import Host
from kb_server.service.delivery.subscriber import Subscriber
from kb_server.service.delivery.subscribing import Subscribing, SubscriptionRequest
from kb_server.service.writing.writer import BoardWriter
from kb_server.wire.events import Tail, ended_tail, event_tail

__all__ = ["Missed", "Resuming"]

_TURN: Final = 200
"""Facts that one turn between two changes may process; this takes a few milliseconds."""


class Missed:
    """The changes that one subscription missed and that are being replayed."""

    def __init__(self, until: int, replay: EventReplay) -> None:
        self.until: Final = until
        self.replay: Final = replay
        self.changes: Final[list[RelevantChange]] = []
        self.size = 0


class Resuming:
    """All subscriptions of one board that are being resumed."""

    def __init__(
        self, host: Host, writer: BoardWriter, subscribing: Subscribing, most: int, most_all: int
    ) -> None:
        self._host: Final = host
        self._writer: Final = writer
        self._subscribing: Final = subscribing
        self._most: Final = most
        self._most_all: Final = most_all
        self._common: Final = VisibleView(host.common.reasoner.view)
        self._open: Final[dict[Missed, None]] = {}
        host.board.on_delta.append(self._follow)

    async def begin(
        self, wanted: SubscriptionRequest, subscriber: Subscriber, after: int
    ) -> Missed:
        """Joins and reads the missed changes; TooOld if the journal does not reach back so far."""
        unborn = await self._unborn(wanted)
        for model in unborn:
            if not await asyncio.to_thread(self._had_deltas, model):
                self._host.board.model(model)
        missed = await self._writer.between(
            lambda: self._joined(wanted, subscriber, after, must_exist=not unborn)
        )
        try:
            await self._writer.kept()
            self._subscribing.must_have(missed.until)
            await asyncio.to_thread(self._gather, missed, wanted, after)
            await self._rewind(missed)
        except BaseException:
            self.end(missed)
            raise
        return missed

    async def send_missed(self, missed: Missed, subscriber: Subscriber) -> None:
        """Queues the missed events, in order."""
        try:
            for turn in _turns(missed.changes):
                tails = await self._writer.between(partial(_played, missed, turn))
                if tails:
                    await subscriber.resend_events(tails)
                if subscriber.is_over:
                    return
        except TooCostly as error:
            subscriber.end(ended_tail(error))
        finally:
            self.end(missed)

    def end(self, missed: Missed) -> None:
        self._open.pop(missed, None)

    def _joined(
        self, wanted: SubscriptionRequest, subscriber: Subscriber, after: int, must_exist: bool
    ) -> Missed:
        board = self._host.board
        if after > board.seq:
            raise BadRequest(
                f"after is {after}, but the newest delta is {board.seq}", field="after"
            )
        wish = self._subscribing.join(wanted, subscriber, must_exist)
        missed = Missed(board.seq, EventReplay(wish, self._live))
        self._open[missed] = None
        return missed

    async def _unborn(self, wanted: SubscriptionRequest) -> list[str]:
        """The models that don't exist now; a subscription survives the deletion of its model."""

        def missing() -> list[str]:
            there = {model.id for model in self._host.board.models()}
            return [model for model in wanted.models if model not in there]

        return await self._writer.between(missing)

    def _had_deltas(self, model: str) -> bool:
        journal = self._host.journal
        return next(iter(journal.deltas(journal.oldest_seq - 1, None, model)), None) is not None

    def _gather(self, missed: Missed, wanted: SubscriptionRequest, after: int) -> None:
        """Reads the changes since `after` from the journal; runs in a thread."""
        models = dict.fromkeys(wanted.models)
        read = self._host.journal.deltas
        deltas = merge(*(read(after, missed.until, m) for m in models), key=lambda d: d.seq)
        for change in changes_of(wanted.patterns, deltas):
            missed.changes.append(change)
            missed.size += change.size
            if missed.size > self._most:
                raise TooCostly(
                    f"more than {self._most} facts have changed since; use snapshot",
                    allowed=self._most,
                )
            if sum(each.size for each in tuple(self._open)) > self._most_all:
                raise Busy("too many subscriptions resume at once; try again", reason="resuming")

    async def _rewind(self, missed: Missed) -> None:
        held = iter((await asyncio.to_thread(held_before, missed.changes)).items())
        while some := dict(islice(held, _TURN * 10)):
            await self._writer.between(partial(missed.replay.rewind, some))

    def _follow(self, delta: ModelDelta) -> None:
        for missed in tuple(self._open):  # perhaps in a thread
            missed.replay.live_changed(delta)

    def _live(self, model: str) -> FactView:
        """The present facts of a model; of a missing one, those of the common-sense ontology."""
        try:
            return self._host.board.model(model).view
        except UnknownModel:
            return self._common


def _turns(changes: Iterable[RelevantChange]) -> Iterator[list[RelevantChange]]:
    """Groups changes into turns of about `_TURN` facts."""
    turn: list[RelevantChange] = []
    size = 0
    for change in changes:
        turn.append(change)
        size += change.size
        if size >= _TURN:
            yield turn
            turn, size = [], 0
    if turn:
        yield turn


def _played(missed: Missed, turn: Sequence[RelevantChange]) -> list[Tail]:
    return [event_tail(event) for change in turn for event in missed.replay.step(change)]
