"""Verbs made from calls: a function that gives a call becomes a method that has it answered."""

import functools
import inspect
from collections.abc import Awaitable, Callable
from typing import Concatenate, ParamSpec, Protocol, TypeVar

from kb_server.client.calls import Call

__all__ = ["asked", "asked_in", "awaited", "awaited_in"]

P = ParamSpec("P")
T = TypeVar("T")


class Asker(Protocol):
    """Who has calls answered: a board."""

    def ask(self, call: Call[T], /) -> T: ...


class AsyncAsker(Protocol):
    """Who has calls answered, in time."""

    def ask(self, call: Call[T], /) -> Awaitable[T]: ...


class Bound(Protocol):
    """A model of a board."""

    @property
    def id(self) -> str: ...

    @property
    def board(self) -> Asker: ...


class AsyncBound(Protocol):
    """A model of a board that answers in time."""

    @property
    def id(self) -> str: ...

    @property
    def board(self) -> AsyncAsker: ...


def asked(call: Callable[P, Call[T]]) -> Callable[Concatenate[Asker, P], T]:
    """A verb of a board: what the call names, it names."""

    def verb(board: Asker, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return board.ask(call(*args, **kwargs))

    return _named(verb, call, with_self=True)


def awaited(call: Callable[P, Call[T]]) -> Callable[Concatenate[AsyncAsker, P], Awaitable[T]]:
    """The same, to be awaited."""

    def verb(board: AsyncAsker, /, *args: P.args, **kwargs: P.kwargs) -> Awaitable[T]:
        return board.ask(call(*args, **kwargs))

    return _named(verb, call, with_self=True)


def asked_in(
    call: Callable[Concatenate[str, P], Call[T]],
) -> Callable[Concatenate[Bound, P], T]:
    """A verb of a model: the call is of that model."""

    def verb(model: Bound, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return model.board.ask(call(model.id, *args, **kwargs))

    return _named(verb, call, with_self=False)


def awaited_in(
    call: Callable[Concatenate[str, P], Call[T]],
) -> Callable[Concatenate[AsyncBound, P], Awaitable[T]]:
    """The same, to be awaited."""

    def verb(model: AsyncBound, /, *args: P.args, **kwargs: P.kwargs) -> Awaitable[T]:
        return model.board.ask(call(model.id, *args, **kwargs))

    return _named(verb, call, with_self=False)


V = TypeVar("V", bound=Callable[..., object])


def _named(verb: V, call: Callable[..., object], with_self: bool) -> V:
    """Lets `help` show a verb as its call is written; the model's place is that of `self`."""
    functools.update_wrapper(verb, call)
    shown = inspect.signature(call)
    answer = getattr(shown.return_annotation, "__args__", ("None",))[0]
    given = list(shown.parameters.values())
    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
    verb.__dict__["__signature__"] = shown.replace(
        parameters=[own, *given] if with_self else [own, *given[1:]], return_annotation=answer
    )
    return verb
