"""Providers: clients that compute the facts of some predicates when a query mentions them.

A query is put to all providers of a predicate, once for each different pattern, and waits up to
1 s (a setting) for all of them. A client may provide facts for its own query: its `told` command
is read while its other commands wait.
"""

import asyncio
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import count
from typing import Final, NamedTuple

from kb_server.core.questions.reification import ProviderQuestion
from kb_server.core.terms.statements import Statement, write
from kb_server.errors import BadRequest, ProviderTimeout, TooLarge
from kb_server.service.access import Access
from kb_server.service.delivery.outbox import Outbox
from kb_server.wire.events import ask_frame

__all__ = ["ProviderSocket", "Providers"]

_MOST_ASKS: Final = 1_000


class _Ask(NamedTuple):
    provider: "ProviderSocket"
    wanted: ProviderQuestion
    answer: "asyncio.Future[Sequence[Statement]]"


class ProviderSocket:
    """One socket that computes facts, in the models that it has rights on."""

    def __init__(self, outbox: Outbox, access: Access) -> None:
        self.outbox: Final = outbox
        self.access: Final = access
        self.predicates: tuple[str, ...] = ()


class Providers:
    """All providers of one server."""

    def __init__(self, seconds: float, most: int) -> None:
        self._seconds: Final = seconds
        self._most: Final = most
        self._offers: Final[dict[str, dict[ProviderSocket, None]]] = {}
        self._asks: Final[dict[int, _Ask]] = {}
        self._numbers: Final = count(1)

    @property
    def offered(self) -> Collection[str]:
        """The predicates that have a provider."""
        return self._offers.keys()

    def offer(self, provider: ProviderSocket, predicates: Iterable[str]) -> None:
        """Replaces the predicates of a provider."""
        for predicate in provider.predicates:
            providers = self._offers[predicate]
            del providers[provider]
            if not providers:
                del self._offers[predicate]
        provider.predicates = tuple(dict.fromkeys(predicates))
        for predicate in provider.predicates:
            self._offers.setdefault(predicate, {})[provider] = None

    def lose(self, provider: ProviderSocket) -> None:
        """Removes a provider; queries that wait for it end with ProviderTimeout."""
        self.offer(provider, ())
        for ask in [each for each in self._asks.values() if each.provider is provider]:
            if not ask.answer.done():
                ask.answer.set_exception(_unanswered(ask.wanted, "disconnected before it answered"))

    def weigh(self, provider: ProviderSocket, number: int, size: int) -> None:
        """Checks the size of an unread answer; TooLarge for the provider and the query."""
        ask = self._open(provider, number)
        if size > self._most:
            said = f"{ask.wanted.predicate}: {size} facts; {self._most} are allowed"
            refusal = TooLarge(f"{said} for one query", allowed=self._most)
            ask.answer.set_exception(refusal)
            raise refusal

    def answer(self, provider: ProviderSocket, number: int, facts: Sequence[Statement]) -> None:
        """Takes an answer; BadRequest if it does not fit the question, or comes too late."""
        ask = self._open(provider, number)
        for fact in facts:
            if not _fits(fact, ask.wanted):
                raise BadRequest(
                    f"{write(fact)!r} is not what ask {number} is about", field="facts"
                )
        ask.answer.set_result(facts)

    async def asked(self, model: str, wishes: Sequence[ProviderQuestion]) -> list[Statement]:
        """The facts that providers compute; ProviderTimeout if one of them is late or lost."""
        asks: dict[int, _Ask] = {}
        try:
            for each in wishes:
                self._put(model, each, asks)
            answers = [ask.answer for ask in asks.values()]
            if answers:
                await asyncio.wait(
                    answers, timeout=self._seconds, return_when=asyncio.FIRST_EXCEPTION
                )
            computed = [fact for ask in asks.values() for fact in _answer(ask, self._seconds)]
        finally:
            self._close(asks)
        if len(computed) > self._most:
            raise TooLarge(
                f"{len(computed)} facts were returned; {self._most} are allowed for one query",
                allowed=self._most,
            )
        return list(dict.fromkeys(computed))

    def _open(self, provider: ProviderSocket, number: int) -> _Ask:
        ask = self._asks.get(number)
        if ask is None or ask.provider is not provider or ask.answer.done():
            raise BadRequest(f"ask {number} is not open here: answered, or too late", field="ask")
        return ask

    def _put(self, model: str, wanted: ProviderQuestion, asks: dict[int, _Ask]) -> None:
        """Sends the question to all providers of the predicate."""
        for provider in self._offers.get(wanted.predicate, ()):
            if not provider.access.reaches(model):
                continue
            if len(self._asks) >= _MOST_ASKS:
                raise _unanswered(wanted, "has too many questions to answer")
            number = next(self._numbers)
            ask = _Ask(provider, wanted, asyncio.get_running_loop().create_future())
            self._asks[number] = asks[number] = ask
            provider.outbox.put(ask_frame(number, model, wanted))

    def _close(self, asks: Mapping[int, _Ask]) -> None:
        """Forgets questions that are answered or abandoned."""
        for number, ask in asks.items():
            del self._asks[number]
            if not ask.answer.cancel() and not ask.answer.cancelled():
                ask.answer.exception()  # read, so that asyncio does not report it


def _answer(ask: _Ask, seconds: float) -> Sequence[Statement]:
    if not ask.answer.done():
        raise _unanswered(ask.wanted, f"did not answer within {seconds:g} s")
    return ask.answer.result()


def _unanswered(wanted: ProviderQuestion, why: str) -> ProviderTimeout:
    return ProviderTimeout(f"the provider of {wanted.predicate} {why}", predicate=wanted.predicate)


def _fits(fact: Statement, wanted: ProviderQuestion) -> bool:
    return all(want is None or term == want for term, want in zip(fact, wanted[:3], strict=True))
