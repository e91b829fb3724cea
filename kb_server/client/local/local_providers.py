"""Predicates that functions of the program compute on demand, for a board in this process."""

import asyncio
import logging
from collections.abc import Iterable, Sequence
from typing import Final

from kb_server.answering.publications import predicates_in
from kb_server.client.calls.events import Ask
from kb_server.client.calls.frames import command_of
from kb_server.client.transport.background import Background
from kb_server.client.transport.socket import ProviderFunction, computed
from kb_server.core.questions.reification import ProviderQuestion, wanted
from kb_server.core.terms.statements import Pattern, Statement, read_statement, write
from kb_server.errors import BadStatement, ProviderTimeout, TooLarge
from kb_server.host import Host
from kb_server.sparql.dataset import may_read_default
from kb_server.sparql.mentions import MOST_MODELS, mentioned_models, wanted_in
from kb_server.wire.commands import Provide

__all__ = ["LocalProviders"]

_SECONDS: Final = 1.0
_log: Final = logging.getLogger(__name__)


class LocalProviders:
    """The function of each predicate."""

    def __init__(self, host: Host, background: Background) -> None:
        self._host: Final = host
        self._background: Final = background
        self._offers: Final[dict[str, ProviderFunction]] = {}

    def offer(self, predicates: Iterable[str], function: ProviderFunction) -> None:
        asks = command_of({"op": "provide", "predicates": list(predicates)})
        assert isinstance(asks, Provide)
        self._offers.update(dict.fromkeys(predicates_in(asks, self._host.names), function))

    def asked(self, model: str, patterns: Sequence[Pattern]) -> list[Statement]:
        """The facts that providers compute; ProviderTimeout if one is late or fails."""
        return self._asked(model, wanted(patterns, self._offers))

    def asked_in_sparql(self, model: str, text: str) -> dict[str, list[Statement]]:
        """The same for a SPARQL query: its predicates, in each model that it names."""
        names = self._host.names
        wishes = wanted_in(text, self._offers, names)
        if not wishes:
            return {}
        there = [info.id for info in self._host.board.models()]
        own = [model] if may_read_default(text) else []
        models = dict.fromkeys((*own, *mentioned_models(text, there, names)))
        if len(models) > MOST_MODELS:
            message = f"providers would be asked of {len(models)} models; {MOST_MODELS} are allowed"
            raise TooLarge(message, allowed=MOST_MODELS)
        return {each: self._asked(each, wishes) for each in models}

    def _asked(self, model: str, wishes: Iterable[ProviderQuestion]) -> list[Statement]:
        return [
            fact
            for subject, predicate, value, about in wishes
            for fact in self._answered(Ask(model, predicate, subject, value, about))
        ]

    def _answered(self, ask: Ask) -> list[Statement]:
        facts = self._background.run(_computed(self._offers[ask.predicate], ask))
        try:
            statements = [read_statement(fact, self._host.names) for fact in facts]
        except BadStatement as reason:
            raise _unanswered(ask, f"returned an invalid statement: {reason.message}") from reason
        for fact in statements:
            if not _fits(fact, ask):
                raise _unanswered(ask, f"returned {write(fact)!r}, which does not fit the question")
        return statements


async def _computed(function: ProviderFunction, ask: Ask) -> Sequence[object]:
    """The facts that a provider computes; every failure in it becomes a ProviderTimeout."""
    try:
        async with asyncio.timeout(_SECONDS) as bound:
            return await computed(function, ask)
    except Exception as reason:
        if bound.expired():
            raise _unanswered(ask, f"did not answer within {_SECONDS:g} s") from reason
        if not isinstance(reason, TimeoutError):
            _log.exception("the provider of %s failed", ask.predicate)
        raise _unanswered(ask, f"failed: {reason!r:.200}") from reason


def _unanswered(ask: Ask, why: str) -> ProviderTimeout:
    return ProviderTimeout(f"the provider of {ask.predicate} {why}", predicate=ask.predicate)


def _fits(fact: Statement, ask: Ask) -> bool:
    """Whether a fact answers the question; the server has the same check."""
    wanted = (ask.subject, ask.predicate, ask.object)
    return all(want is None or term == want for term, want in zip(fact, wanted, strict=True))
