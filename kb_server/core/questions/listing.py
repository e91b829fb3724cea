"""Listing the facts of one model page by page, each with its data."""

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from kb_server.core.models.model import BeliefModel, is_visible
from kb_server.core.terms.statements import Statement, write
from kb_server.errors import BadRequest

__all__ = ["MOST_FACTS", "FactKind", "FactPage", "FactQuery", "FactRecord", "list_facts"]

FactKind = Literal["asserted", "inferred", "all"]
MOST_FACTS: Final = 10_000
"""Facts on one page."""
_KINDS: Final = ("asserted", "inferred", "all")


@dataclass(frozen=True, slots=True)
class FactQuery:
    """The facts to list, None standing for any; a page has at most `limit` facts after `cursor`."""

    s: str | None = None
    p: str | None = None
    o: str | None = None
    source: str | None = None
    kind: FactKind = "all"
    limit: int = 1_000
    cursor: str | None = None


@dataclass(frozen=True, slots=True)
class FactRecord:
    """One fact; an inferred one has no memory, expiry time or source."""

    fact: Statement
    kind: str
    since: float | None
    memory: str | None = None
    expires: float | None = None
    source: str | None = None


@dataclass(frozen=True, slots=True)
class FactPage:
    """Some facts in order; `next` is the cursor of the following page, if there is one."""

    facts: tuple[FactRecord, ...]
    next: str | None


def list_facts(model: BeliefModel, asked: FactQuery) -> FactPage:
    """Return a page of the matching facts, without common sense, sorted by their normal forms."""
    kind, limit, cursor = asked.kind, asked.limit, asked.cursor
    if kind not in _KINDS:
        raise BadRequest(f"kind must be one of {', '.join(_KINDS)}, not {kind!r}", field="kind")
    if not 1 <= limit <= MOST_FACTS:
        raise BadRequest(f"limit must be from 1 to {MOST_FACTS}, not {limit}", field="limit")
    found = (
        (text, fact)
        for fact in _fitting(model, asked.s, asked.p, asked.o)
        if _wanted(model, fact, kind, asked.source) and (cursor is None or write(fact) > cursor)
        for text in (write(fact),)
    )
    page = heapq.nsmallest(limit + 1, found)
    more = len(page) > limit
    records = tuple(_record(model, fact) for _, fact in page[:limit])
    return FactPage(records, page[limit - 1][0] if more else None)


def _fitting(
    model: BeliefModel, s: str | None, p: str | None, o: str | None
) -> Iterator[Statement]:
    yield from filter(is_visible, model.reasoner.index.match(s, p, o))
    for fact in model.restated:
        if all(want in (None, term) for want, term in zip((s, p, o), fact, strict=True)):
            yield fact


def _wanted(model: BeliefModel, fact: Statement, kind: FactKind, source: str | None) -> bool:
    assertion = model.assertions.get(fact)
    if source is not None and (assertion is None or assertion.source != source):
        return False
    return kind == "all" or (kind == "asserted") == (assertion is not None)


def _record(model: BeliefModel, fact: Statement) -> FactRecord:
    assertion = model.assertions.get(fact)
    if assertion is None:
        return FactRecord(fact, "inferred", model.since(fact))
    ends = assertion.expires if assertion.expires < float("inf") else None
    return FactRecord(fact, "asserted", model.since(fact), assertion.memory, ends, assertion.source)
