"""The board for who awaits: the same verbs, over the same calls."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from types import TracebackType
from typing import Any, Final, Literal, Self, TypeVar

from kb_server.client import calls
from kb_server.client.binding import awaited, awaited_in
from kb_server.client.blackboard import DEFAULT_URL, TIMEOUT
from kb_server.client.calls import At, Call, Text
from kb_server.client.events import DivergenceEvent, Event, PosesEvent
from kb_server.client.feeds import Feed, divergence_feed, event_feed, poses_feed
from kb_server.client.http import AsyncHttp
from kb_server.client.model import patterns_in
from kb_server.client.socket import Provider, Socket
from kb_server.client.streams import AsyncSubscription
from kb_server.client.values import Answer, Delta, Fact, Row

__all__ = ["AsyncBlackboard", "AsyncModel"]

T = TypeVar("T")
E = TypeVar("E")


class AsyncBlackboard:
    """All models of a board elsewhere, in one event loop.

    async with AsyncBlackboard("http://127.0.0.1:8765") as kb:
        await kb["sally"].add("ball isIn basket")
        async for event in kb.subscribe("myself", "?who desires ?what"): ...
    """

    def __init__(
        self, url: str = DEFAULT_URL, token: str | None = None, timeout: float = TIMEOUT
    ) -> None:
        self._url: Final = url
        self._http: Final = AsyncHttp(url, token, timeout)
        self._make: Final[Callable[[], Socket]] = lambda: Socket(url, token, timeout)
        self._socket: Socket | None = None

    def ask(self, call: Call[T], /) -> Awaitable[T]:
        """The answer to any call; the verbs are made of this."""
        return self._http.ask(call)

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
    models = awaited(calls.models)
    create = awaited(calls.create)
    delete = awaited(calls.delete)

    async def query(
        self,
        sparql: str,
        *,
        model: str = "myself",
        accept: str | None = None,
        inferred: bool = True,
        at: At = None,
    ) -> Answer:
        """What a SPARQL query finds; with `accept`, a media type, its text as it comes."""
        return await self.ask(calls.query(model, sparql, accept=accept, inferred=inferred, at=at))

    async def update_sparql(self, sparql: str, *, model: str = "myself") -> dict[str, Delta]:
        """Carries out a SPARQL update, all of it or nothing; what it did to each model."""
        return await self.ask(calls.update_sparql(model, sparql))

    async def facts(
        self,
        model: str,
        *,
        s: str | None = None,
        p: str | None = None,
        o: str | None = None,
        source: str | None = None,
        kind: Literal["asserted", "inferred", "all"] = "all",
        at: At = None,
    ) -> AsyncIterator[Fact]:
        """The facts of a model, common sense left out, in the order of their texts."""
        cursor = None
        while True:
            page = await self.ask(
                calls.page(model, s=s, p=p, o=o, source=source, kind=kind, cursor=cursor, at=at)
            )
            for fact in page.facts:
                yield fact
            cursor = page.next
            if cursor is None:
                return

    def subscribe(
        self,
        model: str,
        *patterns: Text,
        on: Literal["appear", "disappear", "both"] = "appear",
        once: bool = False,
        snapshot: bool = False,
        after: int | None = None,
    ) -> AsyncSubscription[Event]:
        """The bindings of the patterns as they come and go.

        What happens after this has been awaited or entered is heard. With `snapshot` those that
        hold now come first; with `after`, what has happened since that delta.
        """
        sink: AsyncSubscription[Event] = AsyncSubscription()
        return self._opened(sink, event_feed(sink, model, patterns, on, once, snapshot, after))

    def subscribe_divergence(
        self, model: str, *patterns: Text, other: str = "myself"
    ) -> AsyncSubscription[DivergenceEvent]:
        """Where two models begin and cease to differ on the patterns."""
        sink: AsyncSubscription[DivergenceEvent] = AsyncSubscription()
        return self._opened(sink, divergence_feed(sink, model, other, patterns))

    def listen(self, model: str) -> AsyncSubscription[PosesEvent]:
        """Where things are in a model, as it is published."""
        sink: AsyncSubscription[PosesEvent] = AsyncSubscription()
        return self._opened(sink, poses_feed(sink, model))

    async def publish(
        self, model: str, poses: Mapping[str, Any], t: float | str | None = None
    ) -> None:
        """Publishes where things are: `{"ball": {"pose": [x, y, z]}}`, None for what is gone."""
        says = {"op": "publish", "topic": "poses", "model": model, "t": t, "poses": dict(poses)}
        await self._line().say(says)

    async def provide(self, predicates: Iterable[str], function: Provider) -> None:
        """Has the facts of some predicates computed by a function, when they are asked for.

        It is given an `Ask` and gives statements; it has a second. It may be a coroutine function;
        any other is called in a thread.
        """
        names = [predicates] if isinstance(predicates, str) else predicates
        await self._line().provide(names, function)

    async def will(self, source: str) -> None:
        """Has the facts of a source withdrawn from all models when this board is lost or closed."""
        await self._line().stand(f"will {source}", {"op": "will", "source": source})

    async def close(self) -> None:
        """Ends what was begun here: subscriptions end, and nothing more is answered."""
        await self._line().close()
        await self._http.close()

    def __getitem__(self, model: str) -> "AsyncModel":
        return AsyncModel(self, model)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"<board {self._url}>"

    def _line(self) -> Socket:
        self._socket = self._socket or self._make()
        return self._socket

    def _opened(self, sink: AsyncSubscription[E], feed: Feed[E]) -> AsyncSubscription[E]:
        socket = self._line()
        sink.starting = lambda: socket.open(feed)
        sink.closing = lambda: socket.drop(feed)
        return sink


class AsyncModel:
    """What one agent believes, for who awaits; `await kb["sally"]["?o isIn basket"]` finds."""

    def __init__(self, board: AsyncBlackboard, id: str) -> None:
        self.board: Final = board
        self.id: Final = id

    revise = awaited_in(calls.revise)
    add = awaited_in(calls.add)
    retract = awaited_in(calls.retract)
    update = awaited_in(calls.update)
    find = awaited_in(calls.find)
    check = awaited_in(calls.check)
    about = awaited_in(calls.about)
    lookup = awaited_in(calls.lookup)
    explain = awaited_in(calls.explain)
    consistency = awaited_in(calls.consistency)
    compare = awaited_in(calls.compare)
    discriminate = awaited_in(calls.discriminate)
    clarify = awaited_in(calls.clarify)
    divergence = awaited_in(calls.divergence)
    history = awaited_in(calls.history)
    poses = awaited_in(calls.poses)
    query = awaited_in(calls.query)
    update_sparql = awaited_in(calls.update_sparql)
    create = awaited_in(calls.create)
    delete = awaited_in(calls.delete)

    def facts(
        self,
        *,
        s: str | None = None,
        p: str | None = None,
        o: str | None = None,
        source: str | None = None,
        kind: Literal["asserted", "inferred", "all"] = "all",
        at: At = None,
    ) -> AsyncIterator[Fact]:
        """Its facts, common sense left out, in the order of their texts."""
        return self.board.facts(self.id, s=s, p=p, o=o, source=source, kind=kind, at=at)

    def subscribe(
        self,
        *patterns: Text,
        on: Literal["appear", "disappear", "both"] = "appear",
        once: bool = False,
        snapshot: bool = False,
        after: int | None = None,
    ) -> AsyncSubscription[Event]:
        """The bindings of the patterns as they come and go."""
        return self.board.subscribe(
            self.id, *patterns, on=on, once=once, snapshot=snapshot, after=after
        )

    def subscribe_divergence(
        self, *patterns: Text, other: str = "myself"
    ) -> AsyncSubscription[DivergenceEvent]:
        """Where this model and another begin and cease to differ on the patterns."""
        return self.board.subscribe_divergence(self.id, *patterns, other=other)

    def listen(self) -> AsyncSubscription[PosesEvent]:
        """Where things are in this model, as it is published."""
        return self.board.listen(self.id)

    def __getitem__(self, patterns: Text) -> Awaitable[list[Row]]:
        return self.find(*patterns_in(patterns))

    def __repr__(self) -> str:
        return f"<model {self.id!r}>"
