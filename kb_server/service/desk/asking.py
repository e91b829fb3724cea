"""Asking the providers, for a question over HTTP, over a websocket or in SPARQL."""

from collections.abc import Sequence

from kb_server.core.questions.reification import wanted
from kb_server.core.terms.statements import Pattern, Statement
from kb_server.service.desk.desk import Desk

__all__ = ["asked_for"]


async def asked_for(desk: Desk, model: str, patterns: Sequence[Pattern]) -> list[Statement]:
    """The facts that providers compute for the patterns that mention what they offer.

    They are for this question only. ProviderTimeout when one is not told in time.
    """
    providers = desk.hub.providers
    return await providers.asked(model, wanted(patterns, providers.offered))
