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
from kb_server.service.sockets.socket_client import SocketClient
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
    StageCommand,
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
Carry = Callable[[SocketClient, Id | None, Any], Awaitable[JSON | None]]


async def carry_out(client: SocketClient, id: Id | None, command: Command) -> None:
    """Carries out a command; answers with its fields, unless it queues its answer itself."""
    fields = await _CARRIED[type(command)](client, id, command)
    if fields is not None:
        client.outbox.put(answer_frame(id, fields))


async def _revise(client: SocketClient, id: Id | None, asks: Revise) -> None:
    client.access.require("write", asks.model)
    desk, allowed = client.desk, client.desk.settings.statements
    if asks.size > allowed:
        raise TooLarge(f"{asks.size} statements; {allowed} are allowed", allowed=allowed)
    host = desk.host
    revision = asks.revision(host.names)

    def change() -> JSON:
        return delta_in(host.revise(asks.model, revision), host.board.seq)

    made, kept = await desk.writer.make(change, weight_of(revision))
    client.unkept = kept
    if kept.done():
        _answer(client, id, made, kept)
    else:
        kept.add_done_callback(partial(_answer, client, id, made))


def _answer(client: SocketClient, id: Id | None, made: JSON, kept: "asyncio.Future[None]") -> None:
    """Answers a revision when its storage has succeeded or failed."""
    error = None if kept.cancelled() else kept.exception()
    if isinstance(error, BoardError):
        client.outbox.put(refusal_frame(id, error))
    elif error is None and not kept.cancelled():
        client.outbox.put(answer_frame(id, made))


async def _find(client: SocketClient, _: Id | None, asks: Find) -> JSON:
    client.access.require("read", asks.model)
    search = questions.find(client.desk.host.names, asks.model, asks)
    return await client.reading.search(search, asks.at)


async def _check(client: SocketClient, _: Id | None, asks: Check) -> JSON:
    client.access.require("read", asks.model)
    search = questions.check(client.desk.host.names, asks.model, asks)
    return await client.reading.search(search, asks.at)


async def _subscribe(client: SocketClient, id: Id | None, asks: Subscribe) -> None:
    assert id is not None  # required by its type
    await begin_subscription(client, id, asks)


async def _subscribe_divergence(
    client: SocketClient, id: Id | None, asks: SubscribeDivergence
) -> None:
    assert id is not None  # required by its type
    await begin_divergence(client, id, asks)


async def _unsubscribe(client: SocketClient, _: Id | None, asks: Unsubscribe) -> JSON:
    subscriber = client.subscribers.get(asks.sub)
    if subscriber is None:
        raise BadRequest(f"there is no subscription {asks.sub!r} on this socket", sub=asks.sub)
    client.hub.subscribing.leave(subscriber)
    return {}


async def _will(client: SocketClient, _: Id | None, asks: Will) -> JSON:
    client.access.require("write")
    if asks.source not in client.wills:
        if len(client.wills) >= client.desk.settings.wills_each:
            raise TooLarge(f"{len(client.wills)} wills are declared on this socket; no more fit")
        client.wills[asks.source] = None
        client.hub.wills.declare(asks.source)
    return {}


async def _publish(client: SocketClient, _: Id | None, asks: Publish) -> JSON:
    client.access.require("write", asks.model)
    poses = poses_in(asks, client.desk.host.names)
    if asks.source is not None:
        _speak_for(client, asks.source)
    client.hub.poses.publish(asks.model, asks.t, poses, asks.source)
    return {}


async def _stage(client: SocketClient, _: Id | None, asks: StageCommand) -> JSON:
    client.access.require_beside("the stage")
    client.hub.stage.weigh(asks.shows)
    shows: dict[str, str | None] = {}
    for name, value in asks.shows.items():
        shows[name] = text = written_value(name, value)
        if len(text or "") > _LARGE:
            await asyncio.sleep(0)  # other clients are served between two large values
    if asks.will:
        _speak_for(client, asks.source)
    client.hub.stage.show(asks.source, shows)
    return {}


def _speak_for(client: SocketClient, source: str) -> None:
    """Withdraws what this source shows when this socket is lost and no other one shows for it."""
    if source not in client.shown:
        if len(client.shown) >= client.desk.settings.wills_each:
            raise TooLarge(f"{len(client.shown)} sources are shown on this socket; no more fit")
        client.shown[source] = None
        client.hub.shows.declare(source)


async def _attend(client: SocketClient, id: Id | None, _asks: Attend) -> None:
    client.access.require("read")
    client.outbox.put(answer_frame(id, {}))  # before all events
    if client.attender is None:
        client.attender = await client.desk.writer.between(
            lambda: client.hub.stage.attend(client.outbox, client.access)
        )


async def _unattend(client: SocketClient, _: Id | None, _asks: Unattend) -> JSON:
    if client.attender is None:
        raise BadRequest("this socket does not attend; attend first", field="op")
    client.hub.stage.leave(client.attender)
    client.attender = None
    return {}


async def _listen(client: SocketClient, _: Id | None, asks: Listen) -> JSON:
    client.access.require("read", asks.model)
    if asks.model not in client.ears:
        client.ears[asks.model] = client.hub.poses.listen(asks.model, client.outbox)
    return {}


async def _unlisten(client: SocketClient, _: Id | None, asks: Unlisten) -> JSON:
    ear = client.ears.pop(asks.model, None)
    if ear is None:
        raise BadRequest(f"this socket does not listen to {asks.model[:80]!r}", field="model")
    client.hub.poses.unlisten(asks.model, ear)
    return {}


async def _provide(client: SocketClient, _: Id | None, asks: Provide) -> JSON:
    client.access.require("write")
    client.hub.providers.offer(client.provider, predicates_in(asks, client.desk.host.names))
    return {}


async def _told(client: SocketClient, _: Id | None, asks: Told) -> JSON:
    names, providers = client.desk.host.names, client.hub.providers
    providers.weigh(client.provider, asks.ask, len(asks.facts))
    facts = [read_statement(fact, names) for fact in asks.facts]
    providers.answer(client.provider, asks.ask, facts)
    return {}


async def _ping(client: SocketClient, _: Id | None, _asks: Ping) -> JSON:
    return {"seq": client.hub.subscribing.delivered_until, "board": client.desk.host.identity}


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
    StageCommand: _stage,
    Attend: _attend,
    Unattend: _unattend,
    Provide: _provide,
    Told: _told,
    Ping: _ping,
}
