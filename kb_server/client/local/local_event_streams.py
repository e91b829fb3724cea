"""Subscriptions to a board in this process: the core's events in the form of the websocket."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from heapq import merge
from itertools import count
from typing import Any, Final

from kb_server.client.calls.errors import Closed
from kb_server.client.calls.frames import command_of
from kb_server.client.local.local_errors import as_remote_errors
from kb_server.client.streams.event_streams import MOST_WAITING, EventStream, lost
from kb_server.core.events.events import Events, SubscriptionEvent
from kb_server.core.events.replay import EventReplay, changes_of, held_before
from kb_server.core.events.subscriptions import Wish, models_of
from kb_server.core.terms.statements import read_pattern
from kb_server.errors import BadRequest, BoardError, TooCostly, TooOld
from kb_server.host import Host
from kb_server.wire.errors import error_body
from kb_server.wire.times import written_time

__all__ = ["LocalEventStreams"]

_Frame = dict[str, Any]


class LocalEventStreams:
    """All subscriptions; every method is called while the board's lock is held."""

    def __init__(self, host: Host, reading: Callable[[], AbstractContextManager[object]]) -> None:
        self._host: Final = host
        self._reading: Final = reading
        self._events: Final = Events(host.board, self._deliver)
        self._feeds: Final[dict[str, EventStream[Any]]] = {}
        self._paused: Final[dict[EventStream[Any], None]] = {}
        self._listening: Final[dict[EventStream[Any], None]] = {}
        self._pending: Final[list[SubscriptionEvent]] = []
        self._numbers: Final = count(1)

    def open(self, feed: EventStream[Any]) -> None:
        """Begins a subscription."""
        says = feed.says()
        command_of(says)
        if feed.op == "listen":
            self._host.board.model(feed.model)
            self._listening[feed] = None
            return
        feed.id = f"s{next(self._numbers)}"
        wish = self._subscribed(feed)
        self._feeds[feed.id] = feed
        try:
            first = [*self._first(feed, wish, says)]
        except BaseException:
            self._forget(feed)
            raise
        feed.progress.begun(self._host.board.seq)
        for frame in first:
            self._put(feed, frame)

    def drop(self, feed: EventStream[Any]) -> None:
        feed.end()
        self._listening.pop(feed, None)
        self._paused.pop(feed, None)
        self._forget(feed)

    def release(self) -> None:
        """Delivers the events whose deltas the journal has stored."""
        pending = self._pending[:]
        self._pending.clear()
        for event in pending:
            feed = self._feeds.get(event.sub)
            if feed is not None:
                self._put(feed, _frame(event))

    def publish(self, frame: Mapping[str, Any]) -> None:
        """Passes published poses to the listeners of the model."""
        for feed in [*self._listening]:
            if feed.model == frame["model"]:
                feed.take(frame)

    def close(self) -> None:
        for feed in [*self._feeds.values(), *self._paused, *self._listening]:
            feed.end()
        self._feeds.clear()
        self._paused.clear()
        self._listening.clear()

    def _subscribed(self, feed: EventStream[Any]) -> Wish:
        fields, names = feed.fields, self._host.names
        patterns = [read_pattern(text, names) for text in fields["patterns"]]
        if feed.op == "subscribe_divergence":
            return self._events.subscribe_divergence(feed.id, feed.model, fields["from"], patterns)
        return self._events.subscribe(feed.id, feed.model, patterns, fields["on"], fields["once"])

    def _first(
        self, feed: EventStream[Any], wish: Wish, says: Mapping[str, Any]
    ) -> Iterator[_Frame]:
        """The frames before all new events: a snapshot, or the events missed since `after`."""
        board, after = self._host.board, says.get("after")
        if says.get("snapshot") and after is not None:
            raise BadRequest("snapshot and after exclude each other; give one", field="after")
        if says.get("snapshot"):
            t = written_time(self._host.now())
            row = {"event": "appear", "seq": board.seq, "t": t, "snapshot": True}
            yield from ({**row, "bindings": found} for found in self._events.snapshot(feed.id))
            yield {"event": "snapshot_end", "seq": board.seq}
        elif after is not None:
            if after > board.seq:
                message = f"after is {after}, but the newest delta is {board.seq}"
                raise BadRequest(message, field="after")
            yield from map(_frame, _missed(self._host, wish, after))

    def _deliver(self, event: SubscriptionEvent) -> None:
        self._pending.append(event)

    def _put(self, feed: EventStream[Any], frame: Mapping[str, Any]) -> None:
        if feed.is_over:
            return
        feed.take(frame)
        if feed.is_over:
            self._forget(feed)
        elif feed.sink.depth > MOST_WAITING and feed.id in self._feeds:
            self._forget(feed)
            self._paused[feed] = None
            feed.sink.when_empty(lambda: self._again(feed))

    def _again(self, feed: EventStream[Any]) -> None:
        """Resumes a paused subscription, or ends it with the error that prevents it."""
        if feed.is_over:
            return
        delivered_until = feed.progress.seq
        try:
            with as_remote_errors(), self._reading():
                self._paused.pop(feed, None)
                if not feed.is_over:
                    self.open(feed)
        except Closed:
            feed.end()
        except TooOld as reason:
            feed.end(lost(reason, delivered_until))
        except BoardError as reason:
            feed.end(reason)

    def _forget(self, feed: EventStream[Any]) -> None:
        self._feeds.pop(feed.id, None)
        self._events.unsubscribe(feed.id)


def _frame(event: SubscriptionEvent) -> _Frame:
    """An event as a frame of the websocket."""
    if event.kind == "error":
        costly = TooCostly("this subscription took more steps than one change may cost")
        return {"event": "error", **error_body(costly.code, costly.message, costly.detail)}
    when = {"event": event.kind, "seq": event.seq, "t": written_time(event.t)}
    if event.kind in ("diverge", "converge"):
        return {**when, "only_here": event.only_here, "only_there": event.only_there}
    return {**when, "bindings": event.bindings}


def _missed(host: Host, wish: Wish, after: int) -> list[SubscriptionEvent]:
    """The events since a delta, in order; TooOld if the journal does not reach back so far."""
    read = host.journal.deltas
    deltas = merge(*(read(after, None, m) for m in models_of(wish)), key=lambda d: d.seq)
    changes = list(changes_of(wish.patterns, deltas))
    replay = EventReplay(wish, lambda model: host.board.model(model).view)
    replay.rewind(held_before(changes))
    found = [event for change in changes for event in replay.step(change)]
    return found[:1] if getattr(wish, "once", False) else found
