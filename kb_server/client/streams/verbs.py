"""Methods made from calls and interests: a function that returns one becomes a method.

A model's method is the board's method with the model's name filled in. The boards list their
methods one by one, and write out `query` and `update_sparql`, whose model comes last. The road
not taken: a loop or a shared base class; no type checker would know a method's signature then.
"""

import functools
import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from types import GenericAlias
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from kb_server.client.calls.calls import Call, page_after
from kb_server.client.calls.values import Fact, Page
from kb_server.client.streams.event_streams import Interest
from kb_server.client.streams.streams import AsyncSubscription, Subscription

__all__ = ["asked", "awaited", "heard", "heard_later", "of_model", "paged", "paged_later"]

P = ParamSpec("P")
T = TypeVar("T")
E = TypeVar("E")
B = TypeVar("B")
B_out = TypeVar("B_out", covariant=True)
V = TypeVar("V", bound=Callable[..., object])


class Asker(Protocol):
    """A board that answers calls."""

    def ask(self, call: Call[T], /) -> T: ...


class AsyncAsker(Protocol):
    """A board that answers calls asynchronously."""

    def ask(self, call: Call[T], /) -> Awaitable[T]: ...


class Subscribable(Protocol):
    """A board that delivers events to subscribers."""

    def hear(self, interest: Interest[E], /) -> Subscription[E]: ...


class AsyncSubscribable(Protocol):
    """Delivers events to subscribers; the asynchronous version."""

    def hear(self, interest: Interest[E], /) -> AsyncSubscription[E]: ...


class Bound(Protocol[B_out]):
    """A model of a board."""

    @property
    def id(self) -> str: ...

    @property
    def board(self) -> B_out: ...


def asked(call: Callable[P, Call[T]]) -> Callable[Concatenate[Asker, P], T]:
    """A board's method with the parameters of a call."""

    def verb(board: Asker, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return board.ask(call(*args, **kwargs))

    return _named(verb, call)


def awaited(call: Callable[P, Call[T]]) -> Callable[Concatenate[AsyncAsker, P], Awaitable[T]]:
    """The asynchronous version of `asked`."""

    def verb(board: AsyncAsker, /, *args: P.args, **kwargs: P.kwargs) -> Awaitable[T]:
        return board.ask(call(*args, **kwargs))

    return _named(verb, call)


def paged(call: Callable[P, Call[Page]]) -> Callable[Concatenate[Asker, P], Iterator[Fact]]:
    """A board's method that iterates over all pages of an answer."""

    def verb(board: Asker, /, *args: P.args, **kwargs: P.kwargs) -> Iterator[Fact]:
        asks = call(*args, **kwargs)
        while True:
            page = board.ask(asks)
            yield from page.facts
            if page.next is None:
                return
            asks = page_after(asks, page.next)

    return _named(verb, call, Iterator[Fact])


def paged_later(
    call: Callable[P, Call[Page]],
) -> Callable[Concatenate[AsyncAsker, P], AsyncIterator[Fact]]:
    """The asynchronous version of `paged`, for `async for`."""

    async def verb(board: AsyncAsker, /, *args: P.args, **kwargs: P.kwargs) -> AsyncIterator[Fact]:
        asks = call(*args, **kwargs)
        while True:
            page = await board.ask(asks)
            for fact in page.facts:
                yield fact
            if page.next is None:
                return
            asks = page_after(asks, page.next)

    return _named(verb, call, AsyncIterator[Fact])


def heard(
    interest: Callable[P, Interest[E]],
) -> Callable[Concatenate[Subscribable, P], Subscription[E]]:
    """A board's method that subscribes."""

    def verb(board: Subscribable, /, *args: P.args, **kwargs: P.kwargs) -> Subscription[E]:
        return board.hear(interest(*args, **kwargs))

    return _named(verb, interest, GenericAlias(Subscription, _gives(interest)))


def heard_later(
    interest: Callable[P, Interest[E]],
) -> Callable[Concatenate[AsyncSubscribable, P], AsyncSubscription[E]]:
    """The asynchronous version of `heard`."""

    def verb(
        board: AsyncSubscribable, /, *args: P.args, **kwargs: P.kwargs
    ) -> AsyncSubscription[E]:
        return board.hear(interest(*args, **kwargs))

    return _named(verb, interest, GenericAlias(AsyncSubscription, _gives(interest)))


def of_model(verb: Callable[Concatenate[B, str, P], T]) -> Callable[Concatenate[Bound[B], P], T]:
    """A model's method, made from the board's method with the model's name filled in."""

    def bound(model: Bound[B], /, *args: P.args, **kwargs: P.kwargs) -> T:
        return verb(model.board, model.id, *args, **kwargs)

    shown = inspect.signature(verb)
    own, _model, *given = shown.parameters.values()
    return _shown(bound, verb, shown.replace(parameters=[own, *given]))


def _named(verb: V, made_from: Callable[..., object], answer: object = None) -> V:
    """Gives a method the name, the docstring and the signature of the function it is made from."""
    shown = inspect.signature(made_from)
    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
    return _shown(
        verb,
        made_from,
        shown.replace(
            parameters=[own, *shown.parameters.values()],
            return_annotation=_gives(made_from) if answer is None else answer,
        ),
    )


def _shown(verb: V, described_by: Callable[..., object], signature: inspect.Signature) -> V:
    functools.update_wrapper(verb, described_by)
    verb.__dict__["__signature__"] = signature
    return verb


def _gives(made_from: Callable[..., object]) -> Any:
    """The answer type of a call, or the event type of an interest."""
    return getattr(inspect.signature(made_from).return_annotation, "__args__", ("None",))[0]
