"""How long assertions live: the kinds of memory, and what is due when."""

import heapq
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from kb_server.core.errors import BadRequest, UnknownMemory
from kb_server.core.statements import Statement

__all__ = ["FOREVER", "LONG_TERM", "MEMORIES", "Assertion", "DueList", "lifespan", "renewed"]

FOREVER: Final = math.inf
LONG_TERM: Final = "long_term"
MEMORIES: Final[Mapping[str, float]] = MappingProxyType(
    {"short_term": 10.0, "episodic": 300.0, LONG_TERM: FOREVER}
)
"""Seconds that each kind of memory keeps a fact."""


@dataclass(frozen=True, slots=True)
class Assertion:
    """What is known of one assertion: its memory, when it ends, since when, and who said it."""

    memory: str
    expires: float
    since: float
    source: str | None = None
    source_t: float | None = None


def lifespan(memory: str, ttl: float | None, memories: Mapping[str, float]) -> float:
    """The seconds that a fact is to live: its own `ttl`, else what its memory gives.

    >>> lifespan("short_term", None, MEMORIES), lifespan("short_term", 0.3, MEMORIES)
    (10.0, 0.3)
    """
    if memory not in memories:
        known = ", ".join(sorted(memories))
        raise UnknownMemory(f"no memory named {memory!r}; there are: {known}", known=known)
    if ttl is None:
        return memories[memory]
    if not 0 < ttl < FOREVER:
        raise BadRequest(f"ttl is a number of seconds above 0, not {ttl}", field="ttl")
    return ttl


def renewed(old: Assertion, new: Assertion) -> Assertion:
    """One assertion made again: the longer life wins, the newest source is kept."""
    if old.expires > new.expires:
        return replace(old, source=new.source, source_t=new.source_t)
    return replace(new, since=old.since)


class DueList:
    """Which assertions of which models end when, soonest first.

    An entry is a hint: whoever takes it looks whether the assertion still ends then.
    """

    def __init__(self) -> None:
        self._heap: Final[list[tuple[float, str, Statement]]] = []

    def add(self, expires: float, model: str, fact: Statement) -> None:
        if expires < FOREVER:
            heapq.heappush(self._heap, (expires, model, fact))

    def next_due(self) -> float:
        """When the next one may end; FOREVER when none does."""
        return self._heap[0][0] if self._heap else FOREVER

    def take(self, now: float) -> dict[str, list[Statement]]:
        """Takes out all that is due by now, for each model."""
        due: dict[str, list[Statement]] = {}
        while self._heap and self._heap[0][0] <= now:
            _, model, fact = heapq.heappop(self._heap)
            due.setdefault(model, []).append(fact)
        return due

    def __len__(self) -> int:
        return len(self._heap)
