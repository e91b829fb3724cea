"""Subscribing: the answer first, then the snapshot or the missed events, then new events."""

from functools import partial
from typing import Final

from kb_server.core.facts.matching import Budget
from kb_server.core.questions.query import Row, asked, find
from kb_server.core.terms.statements import Pattern, read_pattern
from kb_server.errors import BadRequest, TooCostly, TooLarge, TooOld
from kb_server.service.delivery.subscriber import Hearer
from kb_server.service.delivery.subscribing import Wanted
from kb_server.service.sockets.socket_client import Visitor
from kb_server.wire.commands import Id, Subscribe, SubscribeDivergence
from kb_server.wire.events import answer_frame, snapshot_end_tail, snapshot_row_tail
from kb_server.wire.times import written_time

__all__ = ["begin_divergence", "begin_subscription"]

_AT_ONCE: Final = 500
"""Rows of a snapshot that are encoded at a time."""


async def begin_subscription(visitor: Visitor, id: Id, asks: Subscribe) -> None:
    """Subscribes: queues the answer, then the snapshot or missed events, then new events."""
    visitor.access.require("read", asks.model)
    if asks.snapshot and asks.after is not None:
        raise BadRequest(
            "snapshot and after exclude each other; give one of them",
            field="after",
        )
    _check_board(visitor, asks)
    wanted = Wanted(asks.model, _patterns(visitor, asks.patterns), asks.on)
    hearer = _hearer(visitor, id, asks.once)
    await _begin(visitor, id, wanted, hearer, asks.after, asks.snapshot)


async def begin_divergence(visitor: Visitor, id: Id, asks: SubscribeDivergence) -> None:
    """Subscribes to the bindings on which two models differ."""
    visitor.access.require("read", asks.model, asks.other)
    _check_board(visitor, asks)
    patterns = _patterns(visitor, asks.patterns)
    wanted = Wanted(asks.model, patterns, other=asks.other)
    await _begin(visitor, id, wanted, _hearer(visitor, id, once=False), asks.after)


async def _begin(
    visitor: Visitor,
    id: Id,
    wanted: Wanted,
    hearer: Hearer,
    after: int | None,
    snapshot: bool = False,
) -> None:
    visitor.hearers[id] = hearer
    hearer.when_over = partial(_forget, visitor, id)
    try:
        if after is not None:
            await _resume(visitor, wanted, hearer, after)
        elif snapshot:
            await _with_snapshot(visitor, wanted, hearer)
        else:
            await _from_now(visitor, wanted, hearer)
    except BaseException:
        visitor.hub.subscribing.leave(hearer)
        raise
    if after is not None or snapshot:
        await visitor.outbox.room()  # so that new events find room
    hearer.catch_up()
    if hearer.is_over or visitor.outbox.is_closed:
        visitor.hub.subscribing.leave(hearer)


async def _from_now(visitor: Visitor, wanted: Wanted, hearer: Hearer) -> None:
    join, board = visitor.hub.subscribing.join, visitor.desk.host.board

    def begin() -> int:
        join(wanted, hearer)
        return board.seq

    seq = await visitor.desk.writer.read(begin)
    visitor.hub.subscribing.must_have(seq)
    _answer(visitor, hearer, seq)


async def _with_snapshot(visitor: Visitor, wanted: Wanted, hearer: Hearer) -> None:
    writer, host = visitor.desk.writer, visitor.desk.host

    def begin(budget: Budget) -> tuple[int, float, list[Row]]:
        view = host.board.model(wanted.model).view
        rows = find(wanted.patterns, view, budget)
        visitor.hub.subscribing.join(wanted, hearer)
        return host.board.seq, host.now(), rows

    try:
        seq, t, rows = await writer.read(lambda: begin(Budget(visitor.desk.quick_steps)))
    except TooCostly:
        seq, t, rows = await writer.read_long(lambda: begin(host.board.budget()))
    visitor.hub.subscribing.must_have(seq)
    _answer(visitor, hearer, seq)
    when = written_time(t)
    for start in range(0, len(rows), _AT_ONCE):
        some = rows[start : start + _AT_ONCE]
        await hearer.retell([snapshot_row_tail(row, seq, when) for row in some])
    await hearer.retell([snapshot_end_tail(seq)])


async def _resume(visitor: Visitor, wanted: Wanted, hearer: Hearer, after: int) -> None:
    resuming = visitor.hub.resuming
    missed = await resuming.begin(wanted, hearer, after)
    _answer(visitor, hearer, missed.until)
    await resuming.tell(missed, hearer)


def _answer(visitor: Visitor, hearer: Hearer, seq: int) -> None:
    board = visitor.desk.host.identity
    visitor.outbox.put(answer_frame(hearer.id, {"seq": seq, "board": board}))


def _check_board(visitor: Visitor, asks: Subscribe | SubscribeDivergence) -> None:
    """TooOld if `after` is of another board, or newer than a board restored to an older state."""
    host = visitor.desk.host
    if asks.board is None or asks.after is None:
        return
    if asks.board != host.identity:
        raise TooOld("the seq in after is of another board", board=host.identity)
    if asks.after > host.board.seq:
        raise TooOld(
            f"this board was restored to delta {host.board.seq}, before {asks.after}",
            board=host.identity,
        )


def _patterns(visitor: Visitor, texts: list[str | list[str]]) -> tuple[Pattern, ...]:
    names = visitor.desk.host.names
    return asked([read_pattern(text, names) for text in texts])


def _hearer(visitor: Visitor, id: Id, once: bool) -> Hearer:
    settings = visitor.desk.settings
    if id in visitor.hearers:
        raise BadRequest(f"there is already a subscription {id!r} on this socket", sub=id)
    if len(visitor.hearers) >= settings.subscriptions_each:
        allowed = settings.subscriptions_each
        raise TooLarge(f"{allowed} subscriptions are open here; no more fit", allowed=allowed)
    return Hearer(id, visitor.outbox, once, settings.queue_events)


def _forget(visitor: Visitor, id: Id) -> None:
    visitor.hearers.pop(id, None)
