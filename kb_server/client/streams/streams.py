"""Subscriptions as a program uses them: iterators over events that wait for the next one."""

import asyncio
import threading
from collections import deque
from collections.abc import Awaitable, Callable, Generator, Sequence
from typing import Final, Generic, Protocol, Self, TypeVar

from kb_server.client.calls.errors import Closed, TimedOut

__all__ = ["AsyncSubscription", "Subscription"]

E = TypeVar("E")
E_in = TypeVar("E_in", contravariant=True)


def _nothing() -> None:
    """The closing action of a subscription that is not open, or is closed already."""


class Sink(Protocol[E_in]):
    """A queue of events; `depth` is the number of events not taken yet."""

    @property
    def depth(self) -> int: ...

    def put(self, events: Sequence[E_in]) -> None: ...

    def end(self, error: Exception | None = None) -> None: ...

    def when_empty(self, act: Callable[[], None]) -> None:
        """Calls `act` once, as soon as all queued events are taken."""


class Subscription(Generic[E]):
    """An iterator that waits for events; any thread may close it.

        with kb.subscribe("myself", "?who desires ?what") as events:
            for event in events: ...

    The iteration ends when the subscription or its board is closed. It raises an error if the
    subscription can't continue.
    """

    def __init__(self, closing: Callable[[], None] = _nothing) -> None:
        self.closing = closing
        """Called once, when the subscriber closes it."""
        self._events: Final[deque[E]] = deque()
        self._changed: Final = threading.Condition()
        self._ended = False
        self._error: Exception | None = None
        self._emptied: Callable[[], None] | None = None

    def next(self, timeout: float | None = None) -> E:
        """The next event; TimedOut if none comes within `timeout` seconds, Closed at the end."""
        emptied = None
        with self._changed:
            if not self._changed.wait_for(lambda: self._events or self._ended, timeout):
                raise TimedOut(f"no event came within {timeout} s")
            if not self._events:
                raise self._reason()
            event = self._events.popleft()
            if not self._events:
                emptied, self._emptied = self._emptied, None
        if emptied is not None:
            emptied()
        return event

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> E:
        try:
            return self.next()
        except Closed:
            raise StopIteration from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the subscription; every waiting `next` returns."""
        with self._changed:
            closing, self.closing = self.closing, _nothing
            self._events.clear()
        self.end()
        closing()

    @property
    def depth(self) -> int:
        return len(self._events)

    def put(self, events: Sequence[E]) -> None:
        with self._changed:
            if not self._ended:
                self._events.extend(events)
                self._changed.notify_all()

    def end(self, error: Exception | None = None) -> None:
        with self._changed:
            if not self._ended:
                self._ended, self._error = True, error
                self._changed.notify_all()

    def when_empty(self, act: Callable[[], None]) -> None:
        with self._changed:
            if self._events:
                self._emptied = act
                return
        act()

    def _reason(self) -> Exception:
        error, self._error = self._error, None
        return error or Closed("this subscription has ended")


class AsyncSubscription(Generic[E]):
    """An asynchronous iterator over events, for one event loop.

    It begins when it is awaited or entered, or when its first event is requested:

        async with kb.subscribe("myself", "?who desires ?what") as events:
            async for event in events: ...
    """

    def __init__(self) -> None:
        self.starting: Callable[[], Awaitable[None]] | None = None
        """Called once, to begin it."""
        self.closing: Callable[[], None] = _nothing
        self._events: Final[deque[E]] = deque()
        self._changed: Final = asyncio.Event()
        self._ended = False
        self._error: Exception | None = None
        self._emptied: Callable[[], None] | None = None

    async def next(self, timeout: float | None = None) -> E:
        """The next event; TimedOut if none comes within `timeout` seconds, Closed at the end."""
        await self._begin()
        try:
            async with asyncio.timeout(timeout):
                while not self._events and not self._ended:
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            raise TimedOut(f"no event came within {timeout} s") from None
        if not self._events:
            error, self._error = self._error, None
            raise error or Closed("this subscription has ended")
        event = self._events.popleft()
        if not self._events and self._emptied is not None:
            emptied, self._emptied = self._emptied, None
            emptied()
        return event

    def __await__(self) -> Generator[None, None, Self]:
        yield from self._begin().__await__()
        return self

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> E:
        try:
            return await self.next()
        except Closed:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> Self:
        return await self

    async def __aexit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the subscription; every waiting `next` returns."""
        self.starting = None
        closing, self.closing = self.closing, _nothing
        self._events.clear()
        self.end()
        closing()

    @property
    def depth(self) -> int:
        return len(self._events)

    def put(self, events: Sequence[E]) -> None:
        if not self._ended:
            self._events.extend(events)
            self._changed.set()

    def end(self, error: Exception | None = None) -> None:
        if not self._ended:
            self._ended, self._error = True, error
            self._changed.set()

    def when_empty(self, act: Callable[[], None]) -> None:
        if self._events:
            self._emptied = act
        else:
            act()

    async def _begin(self) -> None:
        starting, self.starting = self.starting, None
        if starting is not None:
            await starting()
