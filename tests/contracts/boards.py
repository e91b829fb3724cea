"""Every way to a board under one set of verbs: in-process, over the network, and awaited."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any, Final, Self, cast

from kb_server import AsyncBlackboard, AsyncModel, Blackboard
from kb_server.client.streams.streams import AsyncSubscription
from kb_server.client.transport.background import Background

__all__ = ["WAYS", "blocking", "fresh_name", "opened", "untyped"]

_numbers: Final = count(1)


def fresh_name(start: str = "mind") -> str:
    """A name that no other test uses, for all share one server."""
    return f"{start}{next(_numbers)}"


def untyped(value: Any) -> Any:
    """A value that no type checker would let through, to be tried all the same."""
    return value


class _Blocking:
    """A blocking version of an asynchronous object: each method runs in a loop of a thread."""

    def __init__(self, inner: Any, background: Background) -> None:
        self._inner: Final = inner
        self._background: Final = background

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._inner, name)
        return self._verb(found) if callable(found) else found

    def __getitem__(self, name: str) -> Any:
        return self._settled(self._inner[name])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Any:
        try:
            return self._background.run(_awaited(self._inner.__anext__()))
        except StopAsyncIteration:
            raise StopIteration from None

    def _verb(self, verb: Callable[..., Any]) -> Callable[..., Any]:
        def carried_out(*args: Any, **kwargs: Any) -> Any:
            return self._background.run(self._call(lambda: verb(*args, **kwargs)))

        return carried_out

    async def _call(self, act: Callable[[], Any]) -> Any:
        found = act()
        if isinstance(found, AsyncSubscription):
            return _Blocking(await found, self._background)
        if isinstance(found, AsyncIterator):
            return iter([each async for each in found])
        return await found if isinstance(found, Awaitable) else found

    def _settled(self, found: Any) -> Any:
        if isinstance(found, AsyncModel):
            return _Blocking(found, self._background)
        return self._background.run(_awaited(found))


async def _awaited(found: Awaitable[Any]) -> Any:
    return await found


@contextmanager
def blocking(url: str, token: str | None = None) -> Iterator[Blackboard]:
    """An AsyncBlackboard under the verbs of the other."""
    background = Background("test-loop")
    try:
        with _Blocking(AsyncBlackboard(url, token), background) as board:
            yield cast(Blackboard, board)  # by its verbs, which are made as they are asked for
    finally:
        background.close()


@contextmanager
def _local(_url: Callable[[], str]) -> Iterator[Blackboard]:
    with Blackboard.local() as board:
        yield board


@contextmanager
def _network(url: Callable[[], str]) -> Iterator[Blackboard]:
    with Blackboard(url()) as board:
        yield board


@contextmanager
def _awaiting(url: Callable[[], str]) -> Iterator[Blackboard]:
    with blocking(url()) as board:
        yield board


WAYS: Final = {"local": _local, "network": _network, "awaited": _awaiting}


def opened(way: str, url: Callable[[], str]) -> Any:
    """A board reached in one of the ways, for as long as the context lasts."""
    return WAYS[way](url)
