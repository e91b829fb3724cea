"""The asynchronous client: the methods of `Blackboard`, awaited in one event loop."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, Final, Self, TypeVar

from kb_server.client.blackboard import TIMEOUT
from kb_server.client.calls import calls
from kb_server.client.calls.address import DEFAULT_URL
from kb_server.client.calls.calls import At, Call, Text
from kb_server.client.calls.values import Answer, Delta, Row
from kb_server.client.model import patterns_in
from kb_server.client.streams import event_streams
from kb_server.client.streams.event_streams import EventStream, Interest
from kb_server.client.streams.streams import AsyncSubscription
from kb_server.client.streams.verbs import awaited, heard_later, of_model, paged_later
from kb_server.client.transport.http import AsyncHttp
from kb_server.client.transport.shown_stage import stage_commands
from kb_server.client.transport.socket import ConnectionWatcher, EventSocket, ProviderFunction

__all__ = ["AsyncBlackboard", "AsyncModel"]

T = TypeVar("T")
E = TypeVar("E")


class AsyncBlackboard:
    """All models of a board that runs in another process; for one event loop.

    async with AsyncBlackboard("http://127.0.0.1:8765") as kb:
        await kb["sally"].add("ball isIn basket")
        async for event in kb.subscribe("myself", "?who desires ?what"): ...
    """

    def __init__(
        self, url: str = DEFAULT_URL, token: str | None = None, timeout: float = TIMEOUT
    ) -> None:
        self._url: Final = url
        self._http: Final = AsyncHttp(url, token, timeout)
        self._make: Final[Callable[[], EventSocket]] = lambda: EventSocket(url, token, timeout)
        self._socket: EventSocket | None = None

    def ask(self, call: Call[T], /) -> Awaitable[T]:
        """Sends a call and returns its answer; every method that asks is built on this one."""
        return self._http.ask(call)

    def hear(self, interest: Interest[E], /) -> AsyncSubscription[E]:
        """Subscribes; every method that subscribes is built on this one."""
        sink: AsyncSubscription[E] = AsyncSubscription()
        socket, feed = self._line(), EventStream(interest, sink)
        sink.starting = lambda: socket.open(feed)
        sink.closing = lambda: socket.drop(feed)
        return sink

    revise = awaited(calls.revise)
    add = awaited(calls.add)
    retract = awaited(calls.retract)
    update = awaited(calls.update)
    find = awaited(calls.find)
    check = awaited(calls.check)
    about = awaited(calls.about)
    lookup = awaited(calls.lookup)
    explain = awaited(calls.explain)
    consistency = awaited(calls.consistency)
    compare = awaited(calls.compare)
    discriminate = awaited(calls.discriminate)
    clarify = awaited(calls.clarify)
    divergence = awaited(calls.divergence)
    history = awaited(calls.history)
    poses = awaited(calls.poses)
    staged = awaited(calls.staged)
    models = awaited(calls.models)
    create = awaited(calls.create)
    delete = awaited(calls.delete)
    facts = paged_later(calls.facts)
    subscribe = heard_later(event_streams.subscribe)
    subscribe_divergence = heard_later(event_streams.subscribe_divergence)
    listen = heard_later(event_streams.listen)

    async def query(
        self,
        sparql: str,
        *,
        model: str = "myself",
        accept: str | None = None,
        inferred: bool = True,
        at: At = None,
    ) -> Answer:
        """Answers a SPARQL query; with a media type in `accept`, the answer is its unread text.

        `model` is the default graph; `inferred=False` leaves out inferred facts. Raises BadQuery
        for invalid SPARQL, and TooCostly past the time allowed.
        """
        return await self.ask(calls.query(model, sparql, accept=accept, inferred=inferred, at=at))

    async def update_sparql(self, sparql: str, *, model: str = "myself") -> dict[str, Delta]:
        """Carries out a SPARQL update, whole or not at all; returns one delta for each model.

        Raises BadQuery for invalid SPARQL, and Refused for LOAD, SERVICE and the like.
        """
        return await self.ask(calls.update_sparql(model, sparql))

    async def publish(
        self,
        model: str,
        poses: Mapping[str, Any],
        t: float | str | None = None,
        source: str | None = None,
    ) -> None:
        """Publishes poses, in metres: `{"ball": {"pose": [x, y, z]}}`; None removes a pose.

        Poses with a `source` are withdrawn when the connection to this client is lost.
        """
        says = {"op": "publish", "topic": "poses", "model": model, "t": t, "poses": dict(poses)}
        if source is not None:
            says["source"] = source
        await self._line().send(says)

    async def stage(self, shows: Mapping[str, Any], source: str, *, will: bool = True) -> None:
        """Shows values on the stage, by name: looks of objects or narration; None removes a value.

        When the connection is lost, the board withdraws what the source shows, if `will` was true
        in any call for this source. The client shows it again after it has reconnected.
        """
        for says in stage_commands(source, shows, will):
            await self._line().send(says)

    async def provide(self, predicates: Iterable[str], function: ProviderFunction) -> None:
        """Registers a function that computes the facts of some predicates when they are queried.

        The function receives an `Ask` and returns statements within 1 s. A coroutine function is
        awaited; any other function is called in a thread.
        """
        names = [predicates] if isinstance(predicates, str) else predicates
        await self._line().provide(names, function)

    async def will(self, source: str) -> None:
        """Withdraws the facts of a source from all models once this client is lost or closed."""
        await self._line().stand(f"will {source}", {"op": "will", "source": source})

    async def on_line(self, watcher: ConnectionWatcher) -> None:
        """Calls a function with the board's identity, now and after each reconnection.

        Before the call, the client has renewed its subscriptions, wills and providers. Another
        identity means another board, which lacks the facts asserted before. A coroutine function is
        awaited; any other function is called in a thread.
        """
        await self._line().on_line(watcher)

    async def close(self) -> None:
        """Ends all subscriptions and closes the connections; later calls raise `Closed`."""
        await self._line().close()
        await self._http.close()

    def __getitem__(self, model: str) -> "AsyncModel":
        return AsyncModel(self, model)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"<board {self._url}>"

    def _line(self) -> EventSocket:
        self._socket = self._socket or self._make()
        return self._socket


class AsyncModel:
    """One agent's model, asynchronous; `await kb["sally"]["?o isIn basket"]` finds bindings."""

    def __init__(self, board: AsyncBlackboard, id: str) -> None:
        self.board: Final = board
        self.id: Final = id

    revise = of_model(awaited(calls.revise))
    add = of_model(awaited(calls.add))
    retract = of_model(awaited(calls.retract))
    update = of_model(awaited(calls.update))
    find = of_model(awaited(calls.find))
    check = of_model(awaited(calls.check))
    about = of_model(awaited(calls.about))
    lookup = of_model(awaited(calls.lookup))
    explain = of_model(awaited(calls.explain))
    consistency = of_model(awaited(calls.consistency))
    compare = of_model(awaited(calls.compare))
    discriminate = of_model(awaited(calls.discriminate))
    clarify = of_model(awaited(calls.clarify))
    divergence = of_model(awaited(calls.divergence))
    history = of_model(awaited(calls.history))
    poses = of_model(awaited(calls.poses))
    query = of_model(awaited(calls.query))
    update_sparql = of_model(awaited(calls.update_sparql))
    create = of_model(awaited(calls.create))
    delete = of_model(awaited(calls.delete))
    facts = of_model(paged_later(calls.facts))
    subscribe = of_model(heard_later(event_streams.subscribe))
    subscribe_divergence = of_model(heard_later(event_streams.subscribe_divergence))
    listen = of_model(heard_later(event_streams.listen))

    def __getitem__(self, patterns: Text) -> Awaitable[list[Row]]:
        return self.find(*patterns_in(patterns))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AsyncModel) and other.board is self.board and other.id == self.id

    def __hash__(self) -> int:
        return hash((id(self.board), self.id))

    def __repr__(self) -> str:
        return f"<model {self.id!r}>"
