"""Asking the providers, for a question over HTTP, over a websocket or in SPARQL."""

from collections.abc import Iterable, Sequence

from kb_server.core.statements import Pattern, Statement
from kb_server.service.desk import Desk

__all__ = ["asked_for", "asked_for_predicates"]


async def asked_for(desk: Desk, model: str, patterns: Sequence[Pattern]) -> list[Statement]:
    """The facts that providers compute for the patterns that mention what they offer.

    They are for this question only. ProviderTimeout when one is not told in time.
    """
    return await desk.hub.providers.asked(model, patterns)


async def asked_for_predicates(
    desk: Desk, model: str, predicates: Iterable[str]
) -> list[Statement]:
    """The same for all facts of some predicates, by their short names."""
    return await asked_for(desk, model, [("?s", predicate, "?o") for predicate in predicates])
