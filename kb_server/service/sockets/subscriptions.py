"""Subscribing: the answer first, then the snapshot or the missed events, then new events."""

from functools import partial
from typing import Final

from kb_server.core.facts.matching import Budget
from kb_server.core.questions.query import Row, asked, find
from kb_server.core.terms.statements import Pattern, read_pattern
from kb_server.errors import BadRequest, TooCostly, TooLarge, TooOld
from kb_server.service.delivery.subscriber import Subscriber
from kb_server.service.delivery.subscribing import SubscriptionRequest
from kb_server.service.sockets.socket_client import SocketClient
from kb_server.wire.commands import Id, Subscribe, SubscribeDivergence
from kb_server.wire.events import answer_frame, snapshot_end_tail, snapshot_row_tail
from kb_server.wire.times import written_time

__all__ = ["begin_divergence", "begin_subscription"]

_AT_ONCE: Final = 500
"""Rows of a snapshot that are encoded at a time."""


async def begin_subscription(client: SocketClient, id: Id, asks: Subscribe) -> None:
    """Subscribes: queues the answer, then the snapshot or missed events, then new events."""
    client.access.require("read", asks.model)
    if asks.snapshot and asks.after is not None:
        raise BadRequest(
            "snapshot and after exclude each other; give one of them",
            field="after",
        )
    _check_board(client, asks)
    wanted = SubscriptionRequest(asks.model, _patterns(client, asks.patterns), asks.on)
    subscriber = _subscriber(client, id, asks.once)
    await _begin(client, id, wanted, subscriber, asks.after, asks.snapshot)


async def begin_divergence(client: SocketClient, id: Id, asks: SubscribeDivergence) -> None:
    """Subscribes to the bindings on which two models differ."""
    client.access.require("read", asks.model, asks.other)
    _check_board(client, asks)
    patterns = _patterns(client, asks.patterns)
    wanted = SubscriptionRequest(asks.model, patterns, other=asks.other)
    await _begin(client, id, wanted, _subscriber(client, id, once=False), asks.after)


async def _begin(
    client: SocketClient,
    id: Id,
    wanted: SubscriptionRequest,
    subscriber: Subscriber,
    after: int | None,
    snapshot: bool = False,
) -> None:
    client.subscribers[id] = subscriber
    subscriber.when_over = partial(_forget, client, id)
    try:
        if after is not None:
            await _resume(client, wanted, subscriber, after)
        elif snapshot:
            await _with_snapshot(client, wanted, subscriber)
        else:
            await _from_now(client, wanted, subscriber)
    except BaseException:
        client.hub.subscribing.leave(subscriber)
        raise
    if after is not None or snapshot:
        await client.outbox.room()  # so that new events find room
    subscriber.catch_up()
    if subscriber.is_over or client.outbox.is_closed:
        client.hub.subscribing.leave(subscriber)


async def _from_now(
    client: SocketClient, wanted: SubscriptionRequest, subscriber: Subscriber
) -> None:
    join, board = client.hub.subscribing.join, client.desk.host.board

    def begin() -> int:
        join(wanted, subscriber)
        return board.seq

    seq = await client.desk.writer.read(begin)
    client.hub.subscribing.must_have(seq)
    _answer(client, subscriber, seq)


async def _with_snapshot(
    client: SocketClient, wanted: SubscriptionRequest, subscriber: Subscriber
) -> None:
    writer, host = client.desk.writer, client.desk.host

    def begin(budget: Budget) -> tuple[int, float, list[Row]]:
        view = host.board.model(wanted.model).view
        rows = find(wanted.patterns, view, budget)
        client.hub.subscribing.join(wanted, subscriber)
        return host.board.seq, host.now(), rows

    try:
        seq, t, rows = await writer.read(lambda: begin(Budget(client.desk.quick_steps)))
    except TooCostly:
        seq, t, rows = await writer.read_long(lambda: begin(host.board.budget()))
    client.hub.subscribing.must_have(seq)
    _answer(client, subscriber, seq)
    when = written_time(t)
    for start in range(0, len(rows), _AT_ONCE):
        some = rows[start : start + _AT_ONCE]
        await subscriber.resend([snapshot_row_tail(row, seq, when) for row in some])
    await subscriber.resend([snapshot_end_tail(seq)])


async def _resume(
    client: SocketClient, wanted: SubscriptionRequest, subscriber: Subscriber, after: int
) -> None:
    resuming = client.hub.resuming
    missed = await resuming.begin(wanted, subscriber, after)
    _answer(client, subscriber, missed.until)
    await resuming.send_missed(missed, subscriber)


def _answer(client: SocketClient, subscriber: Subscriber, seq: int) -> None:
    board = client.desk.host.identity
    client.outbox.put(answer_frame(subscriber.id, {"seq": seq, "board": board}))


def _check_board(client: SocketClient, asks: Subscribe | SubscribeDivergence) -> None:
    """TooOld if `after` is of another board, or newer than a board restored to an older state."""
    host = client.desk.host
    if asks.board is None or asks.after is None:
        return
    if asks.board != host.identity:
        raise TooOld("the seq in after is of another board", board=host.identity)
    if asks.after > host.board.seq:
        raise TooOld(
            f"this board was restored to delta {host.board.seq}, before {asks.after}",
            board=host.identity,
        )


def _patterns(client: SocketClient, texts: list[str | list[str]]) -> tuple[Pattern, ...]:
    names = client.desk.host.names
    return asked([read_pattern(text, names) for text in texts])


def _subscriber(client: SocketClient, id: Id, once: bool) -> Subscriber:
    settings = client.desk.settings
    if id in client.subscribers:
        raise BadRequest(f"there is already a subscription {id!r} on this socket", sub=id)
    if len(client.subscribers) >= settings.subscriptions_each:
        allowed = settings.subscriptions_each
        raise TooLarge(f"{allowed} subscriptions are open here; no more fit", allowed=allowed)
    return Subscriber(id, client.outbox, once, settings.queue_events)


def _forget(client: SocketClient, id: Id) -> None:
    client.subscribers.pop(id, None)
