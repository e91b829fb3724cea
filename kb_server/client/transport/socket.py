"""All that a client holds open on its websocket: subscriptions, providers, stage values and wills.

It runs in one event loop. After a reconnection each subscription resumes after the last event it
delivered. A subscription whose subscriber takes no events is paused, and resumed from the board's
journal once its queue is empty.
"""

import asyncio
import inspect
import logging
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import count
from typing import Any, Final

from kb_server.client.calls.calls import Text, texts
from kb_server.client.calls.errors import Closed, ConnectionFailed
from kb_server.client.calls.events import Ask
from kb_server.client.calls.frames import command_of
from kb_server.client.streams.event_streams import MOST_WAITING, EventStream, lost
from kb_server.client.transport.connection import PASSING, Connection, ConnectionLost, in_time
from kb_server.client.transport.shown_stage import ShownStage
from kb_server.core.terms.terms import Names
from kb_server.errors import BoardError, TooOld
from kb_server.wire.commands import Provide

__all__ = ["ConnectionWatcher", "EventSocket", "ProviderFunction", "called", "computed"]

ProviderFunction = Callable[[Ask], Any]
"""Computes the facts for an `Ask`; it may be a coroutine function."""
ConnectionWatcher = Callable[[str], Any]
"""Called with the board's identity after each connection; it may be a coroutine function."""

_log: Final = logging.getLogger(__name__)


class EventSocket:
    """Subscriptions, providers, stage values and wills over one reconnecting websocket."""

    def __init__(self, url: str, token: str | None, timeout: float) -> None:
        self._timeout: Final = timeout
        self._line: Final = Connection(
            url, token, timeout, self._hear, self._resume, self._keep_up, self._fail
        )
        self._tasks: Final[set[asyncio.Task[None]]] = set()
        self._feeds: Final[dict[str, EventStream[Any]]] = {}
        self._paused: Final[dict[EventStream[Any], None]] = {}
        self._standing: Final[dict[str, Mapping[str, Any]]] = {}
        self._showing: Final = ShownStage()
        self._providers: Final[dict[str, ProviderFunction]] = {}
        self._watchers: Final[list[ConnectionWatcher]] = []
        self._calling: Final = asyncio.Lock()
        self._numbers: Final = count(1)

    async def open(self, feed: EventStream[Any]) -> None:
        """Begins a subscription; once this returns, every later event is delivered."""
        async with in_time(self._timeout):
            while True:
                await self._line.ready()
                try:
                    await self._begin(feed)
                except ConnectionLost:
                    continue
                return

    def drop(self, feed: EventStream[Any]) -> None:
        """Ends a subscription without waiting for the board's answer."""
        feed.end()
        self._paused.pop(feed, None)
        if self._feeds.pop(feed.id, None) is not None:
            self._spawn(self._unsubscribe(feed))

    async def send(self, says: Mapping[str, Any]) -> Any:
        """Sends a command and returns its answer."""
        async with in_time(self._timeout):
            await self._line.ready()
            answer = await self._line.command(says)
        self._showing.said(says)
        return answer

    async def stand(self, key: str, says: Mapping[str, Any]) -> None:
        """Sends a command now, and again after each reconnection."""
        await self.send(says)
        self._standing[key] = says

    async def provide(self, predicates: Iterable[str], function: ProviderFunction) -> None:
        """Registers a function that computes predicates."""
        offered = command_of({"op": "provide", "predicates": list(predicates)})
        assert isinstance(offered, Provide)
        term, before = Names().term, dict(self._providers)
        self._providers.update({term(name): function for name in offered.predicates})
        says = {"op": "provide", "predicates": list(self._providers)}
        try:
            await self.stand("provide", says)
        except BaseException:
            self._providers.clear()
            self._providers.update(before)
            raise

    async def on_line(self, watcher: ConnectionWatcher) -> None:
        """Calls a function with the board's identity, now and after each reconnection."""
        async with in_time(self._timeout):
            while watcher not in self._watchers:
                await self._line.ready()
                with suppress(ConnectionLost):
                    await self._call_watchers([watcher])
                    self._watchers.append(watcher)

    async def close(self) -> None:
        """Ends all subscriptions and closes the websocket."""
        self._line.is_closed = True
        tasks = [*self._tasks]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._line.close()

    def _fail(self, reason: Exception) -> None:
        for feed in [*self._feeds.values(), *self._paused]:
            feed.end(None if isinstance(reason, Closed) else reason)
        self._feeds.clear()
        self._paused.clear()

    async def _resume(self) -> None:
        """Sends again all that must stand on a new connection."""
        for says in [*self._standing.values()]:
            await self._line.command(says)
        for says in self._showing.again():
            await self._line.command(says)
        for feed in [*self._feeds.values()]:
            await self._go_on(feed)
        if self._watchers:
            await self._call_watchers(self._watchers)

    async def _call_watchers(self, watchers: Iterable[ConnectionWatcher]) -> None:
        board = (await self._line.command({"op": "ping"})).get("board", "")
        for watcher in watchers:
            self._spawn(self._call(watcher, board))

    async def _call(self, watcher: ConnectionWatcher, board: str) -> None:
        async with self._calling:  # one after the other, in the order of the lines
            await called(watcher, board)

    async def _keep_up(self) -> None:
        """Advances the position of idle subscriptions, since the board may drop old deltas.

        The board carries out commands in order. A subscription that stood when the ping was sent
        has therefore received all its events up to the delta in the answer.
        """
        feeds = {id: feed for id, feed in self._feeds.items() if feed.op != "listen"}
        standing = {id: feed for id, feed in feeds.items() if feed.progress.stands}
        if not standing:
            return
        seq = (await self._line.command({"op": "ping"})).get("seq")
        for id, feed in standing.items():
            if seq is not None and self._feeds.get(id) is feed and feed.progress.stands:
                feed.progress.passed(seq)

    async def _go_on(self, feed: EventStream[Any]) -> None:
        """Resumes one subscription, or ends it with the error that prevents it."""
        self._feeds.pop(feed.id, None)
        if feed.is_over:
            return
        delivered_until = feed.progress.seq
        try:
            await self._begin(feed)
        except TooOld as reason:
            feed.end(lost(reason, delivered_until))
        except (*PASSING, ConnectionFailed, asyncio.CancelledError):  # the next line resumes it
            self._feeds[feed.id] = feed
            raise
        except BoardError as reason:
            feed.end(reason)
        if feed.is_over:
            self._feeds.pop(feed.id, None)

    async def _begin(self, feed: EventStream[Any]) -> None:
        says = feed.says()
        feed.id = f"s{next(self._numbers)}"
        self._feeds[feed.id] = feed
        try:
            answer = await self._line.command(says, feed.id)
        except BaseException:
            self._feeds.pop(feed.id, None)
            raise
        feed.progress.begun(answer.get("seq"))
        feed.board = answer.get("board")

    async def _unsubscribe(self, feed: EventStream[Any]) -> None:
        """Unsubscribes at the board; its refusal is ignored."""
        with suppress(BoardError):
            await self._let_go(feed)

    async def _let_go(self, feed: EventStream[Any]) -> None:
        if feed.op != "listen":
            await self._line.command({"op": "unsubscribe", "sub": feed.id})
        elif not any(f.op == "listen" and f.model == feed.model for f in self._feeds.values()):
            await self._line.command({**feed.fields, "op": "unlisten"})

    def _hear(self, frame: Mapping[str, Any]) -> None:
        if frame["event"] == "ask":
            self._spawn(self._tell(frame))
        elif frame["event"] == "poses":
            for feed in [*self._feeds.values()]:
                if feed.op == "listen" and feed.model == frame["model"]:
                    self._pass_on(feed, frame)
        else:
            named = self._feeds.get(str(frame.get("sub")))
            if named is not None:
                self._pass_on(named, frame)

    def _pass_on(self, feed: EventStream[Any], frame: Mapping[str, Any]) -> None:
        if frame["event"] == "overflow":
            feed.progress.skipped(frame["resume_after"])
            self._spawn(self._again(feed))
            return
        feed.take(frame)
        if feed.is_over:
            self._feeds.pop(feed.id, None)
        elif feed.sink.depth > MOST_WAITING:
            self._pause(feed)

    def _pause(self, feed: EventStream[Any]) -> None:
        """Pauses the subscription of a slow subscriber until its queue is empty."""
        loop = asyncio.get_running_loop()

        def go_on() -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(lambda: self._spawn(self._again(feed)))

        del self._feeds[feed.id]
        self._paused[feed] = None
        self._spawn(self._unsubscribe(feed))
        feed.sink.when_empty(go_on)

    async def _again(self, feed: EventStream[Any]) -> None:
        """Resumes a paused or overflowed subscription on the present connection."""
        self._paused.pop(feed, None)
        if feed.is_over:
            return
        if self._feeds.get(feed.id) is feed:
            await self._unsubscribe(feed)
        else:
            self._feeds[feed.id] = feed
        await self._line.ready()
        if self._feeds.get(feed.id) is feed:
            await self._go_on(feed)

    async def _tell(self, frame: Mapping[str, Any]) -> None:
        """Calls the provider and sends its facts; if it fails, no answer is sent."""
        ask = Ask.read(frame)
        function = self._providers.get(ask.predicate)
        if function is None:
            return
        try:
            facts = await computed(function, ask)
        except TimeoutError as reason:  # the provider itself reports a timeout
            _log.warning("the provider of %s did not answer: %s", ask.predicate, reason)
            return
        except Exception:  # an error in it must not end the connection
            _log.exception("the provider of %s failed", ask.predicate)
            return
        await self._line.command({"op": "told", "ask": frame["ask"], "facts": facts})

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        if self._line.is_closed:
            work.close()
            return
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        failure = None if task.cancelled() else task.exception()
        if isinstance(failure, ConnectionFailed):
            _log.debug("on the websocket: %s", failure)
        elif isinstance(failure, BoardError):
            _log.warning("on the websocket: %s", failure)
        elif failure is not None:
            _log.error("on the websocket", exc_info=failure)


async def computed(function: ProviderFunction, ask: Ask) -> Sequence[object]:
    """The facts that a provider computes; a blocking function runs in a thread."""
    if inspect.iscoroutinefunction(function):
        found: Iterable[Text] = await function(ask)
    else:
        found = await asyncio.to_thread(function, ask)
    return texts(found)


async def called(watcher: ConnectionWatcher, board: str) -> None:
    """Calls a watcher of connections; a blocking function runs in a thread."""
    try:
        if inspect.iscoroutinefunction(watcher):
            await watcher(board)
        else:
            await asyncio.to_thread(watcher, board)
    except Exception:  # an error in it must not end the connection
        _log.exception("a function given to on_line failed")
