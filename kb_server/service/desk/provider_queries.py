"""Queries to the providers, for a question over HTTP or a websocket."""

from collections.abc import Sequence

from kb_server.core.questions.reification import wanted
from kb_server.core.terms.statements import Pattern, Statement
from kb_server.service.desk.desk import Desk

__all__ = ["provided_facts"]


async def provided_facts(desk: Desk, model: str, patterns: Sequence[Pattern]) -> list[Statement]:
    """The facts that providers compute for the patterns that mention their predicates.

    The facts serve this question only. ProviderTimeout if a provider is late.
    """
    providers = desk.hub.providers
    return await providers.asked(model, wanted(patterns, providers.offered))
