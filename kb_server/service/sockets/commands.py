"""The commands of the websocket: each asks the hub or the desk, and answers.

A command that fails raises, and the socket answers with the error. A `revise` is answered once
the journal has stored it. The next command may begin before, so that a client can send many.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, Final

from kb_server.answering import questions
from kb_server.answering.publications import poses_in, predicates_in
from kb_server.answering.staging import written_value
from kb_server.core.terms.statements import read_statement
from kb_server.errors import BadRequest, BoardError, TooLarge
from kb_server.service.desk.revising import weight_of
from kb_server.service.sockets.socket_client import Visitor
from kb_server.service.sockets.subscriptions import begin_divergence, begin_subscription
from kb_server.wire.answers import JSON, delta_in
from kb_server.wire.commands import (
    Attend,
    Check,
    Command,
    Find,
    Id,
    Listen,
    Ping,
    Provide,
    Publish,
    Revise,
    Stage,
    Subscribe,
    SubscribeDivergence,
    Told,
    Unattend,
    Unlisten,
    Unsubscribe,
    Will,
)
from kb_server.wire.events import answer_frame, refusal_frame

__all__ = ["carry_out"]

_LARGE: Final = 20_000
Carry = Callable[[Visitor, Id | None, Any], Awaitable[JSON | None]]


async def carry_out(visitor: Visitor, id: Id | None, command: Command) -> None:
    """Carries out a command; answers with its fields, unless it queues its answer itself."""
    fields = await _CARRIED[type(command)](visitor, id, command)
    if fields is not None:
        visitor.outbox.put(answer_frame(id, fields))


async def _revise(visitor: Visitor, id: Id | None, asks: Revise) -> None:
    visitor.access.require("write", asks.model)
    desk, allowed = visitor.desk, visitor.desk.settings.statements
    if asks.size > allowed:
        raise TooLarge(f"{asks.size} statements; {allowed} are allowed", allowed=allowed)
    host = desk.host
    revision = asks.revision(host.names)

    def change() -> JSON:
        return delta_in(host.revise(asks.model, revision), host.board.seq)

    made, kept = await desk.writer.make(change, weight_of(revision))
    visitor.unkept = kept
    if kept.done():
        _answer(visitor, id, made, kept)
    else:
        kept.add_done_callback(partial(_answer, visitor, id, made))


def _answer(visitor: Visitor, id: Id | None, made: JSON, kept: "asyncio.Future[None]") -> None:
    """Answers a revision when its storage has succeeded or failed."""
    error = None if kept.cancelled() else kept.exception()
    if isinstance(error, BoardError):
        visitor.outbox.put(refusal_frame(id, error))
    elif error is None and not kept.cancelled():
        visitor.outbox.put(answer_frame(id, made))


async def _find(visitor: Visitor, _: Id | None, asks: Find) -> JSON:
    visitor.access.require("read", asks.model)
    search = questions.find(visitor.desk.host.names, asks.model, asks)
    return await visitor.reading.search(search, asks.at)


async def _check(visitor: Visitor, _: Id | None, asks: Check) -> JSON:
    visitor.access.require("read", asks.model)
    search = questions.check(visitor.desk.host.names, asks.model, asks)
    return await visitor.reading.search(search, asks.at)


async def _subscribe(visitor: Visitor, id: Id | None, asks: Subscribe) -> None:
    assert id is not None  # required by its type
    await begin_subscription(visitor, id, asks)


async def _subscribe_divergence(visitor: Visitor, id: Id | None, asks: SubscribeDivergence) -> None:
    assert id is not None  # required by its type
    await begin_divergence(visitor, id, asks)


async def _unsubscribe(visitor: Visitor, _: Id | None, asks: Unsubscribe) -> JSON:
    hearer = visitor.hearers.get(asks.sub)
    if hearer is None:
        raise BadRequest(f"there is no subscription {asks.sub!r} on this socket", sub=asks.sub)
    visitor.hub.subscribing.leave(hearer)
    return {}


async def _will(visitor: Visitor, _: Id | None, asks: Will) -> JSON:
    visitor.access.require("write")
    if asks.source not in visitor.wills:
        if len(visitor.wills) >= visitor.desk.settings.wills_each:
            raise TooLarge(f"{len(visitor.wills)} wills are declared on this socket; no more fit")
        visitor.wills[asks.source] = None
        visitor.hub.wills.declare(asks.source)
    return {}


async def _publish(visitor: Visitor, _: Id | None, asks: Publish) -> JSON:
    visitor.access.require("write", asks.model)
    poses = poses_in(asks, visitor.desk.host.names)
    if asks.source is not None:
        _speak_for(visitor, asks.source)
    visitor.hub.poses.publish(asks.model, asks.t, poses, asks.source)
    return {}


async def _stage(visitor: Visitor, _: Id | None, asks: Stage) -> JSON:
    visitor.access.require_beside("the stage")
    visitor.hub.stage.weigh(asks.shows)
    shows: dict[str, str | None] = {}
    for name, value in asks.shows.items():
        shows[name] = text = written_value(name, value)
        if len(text or "") > _LARGE:
            await asyncio.sleep(0)  # other clients are served between two large values
    if asks.will:
        _speak_for(visitor, asks.source)
    visitor.hub.stage.show(asks.source, shows)
    return {}


def _speak_for(visitor: Visitor, source: str) -> None:
    """Withdraws what this source shows when this socket is lost and no other one shows for it."""
    if source not in visitor.shown:
        if len(visitor.shown) >= visitor.desk.settings.wills_each:
            raise TooLarge(f"{len(visitor.shown)} sources are shown on this socket; no more fit")
        visitor.shown[source] = None
        visitor.hub.shows.declare(source)


async def _attend(visitor: Visitor, id: Id | None, _asks: Attend) -> None:
    visitor.access.require("read")
    visitor.outbox.put(answer_frame(id, {}))  # before all events
    if visitor.attender is None:
        visitor.attender = await visitor.desk.writer.between(
            lambda: visitor.hub.stage.attend(visitor.outbox, visitor.access)
        )


async def _unattend(visitor: Visitor, _: Id | None, _asks: Unattend) -> JSON:
    if visitor.attender is None:
        raise BadRequest("this socket does not attend; attend first", field="op")
    visitor.hub.stage.leave(visitor.attender)
    visitor.attender = None
    return {}


async def _listen(visitor: Visitor, _: Id | None, asks: Listen) -> JSON:
    visitor.access.require("read", asks.model)
    if asks.model not in visitor.ears:
        visitor.ears[asks.model] = visitor.hub.poses.listen(asks.model, visitor.outbox)
    return {}


async def _unlisten(visitor: Visitor, _: Id | None, asks: Unlisten) -> JSON:
    ear = visitor.ears.pop(asks.model, None)
    if ear is None:
        raise BadRequest(f"this socket does not listen to {asks.model[:80]!r}", field="model")
    visitor.hub.poses.unlisten(asks.model, ear)
    return {}


async def _provide(visitor: Visitor, _: Id | None, asks: Provide) -> JSON:
    visitor.access.require("write")
    visitor.hub.providers.offer(visitor.provider, predicates_in(asks, visitor.desk.host.names))
    return {}


async def _told(visitor: Visitor, _: Id | None, asks: Told) -> JSON:
    names, providers = visitor.desk.host.names, visitor.hub.providers
    providers.weigh(visitor.provider, asks.ask, len(asks.facts))
    facts = [read_statement(fact, names) for fact in asks.facts]
    providers.tell(visitor.provider, asks.ask, facts)
    return {}


async def _ping(visitor: Visitor, _: Id | None, _asks: Ping) -> JSON:
    return {"seq": visitor.hub.subscribing.told_until, "board": visitor.desk.host.identity}


_CARRIED: Final[Mapping[type[Command], Carry]] = {
    Revise: _revise,
    Find: _find,
    Check: _check,
    Subscribe: _subscribe,
    SubscribeDivergence: _subscribe_divergence,
    Unsubscribe: _unsubscribe,
    Will: _will,
    Publish: _publish,
    Listen: _listen,
    Unlisten: _unlisten,
    Stage: _stage,
    Attend: _attend,
    Unattend: _unattend,
    Provide: _provide,
    Told: _told,
    Ping: _ping,
}
