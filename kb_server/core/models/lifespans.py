"""How long assertions live: the kinds of memory, and what is due when."""

import heapq
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from kb_server.core.errors import BadRequest, UnknownMemory
from kb_server.core.terms.statements import Statement
from kb_server.core.terms.terms import shown

__all__ = [
    "FOREVER",
    "LONG_TERM",
    "MEMORIES",
    "Assertion",
    "DueList",
    "check_memories",
    "lifespan",
    "renewed",
]

FOREVER: Final = math.inf
LONG_TERM: Final = "long_term"
MEMORIES: Final[Mapping[str, float]] = MappingProxyType(
    {"short_term": 10.0, "episodic": 300.0, LONG_TERM: FOREVER}
)
"""Seconds that each kind of memory keeps a fact."""


_SLACK: Final = 64
_LONGEST: Final = 1e12


@dataclass(frozen=True, slots=True)
class Assertion:
    """What is known of one assertion: its memory, when it ends, since when, and who said it."""

    memory: str
    expires: float
    since: float
    source: str | None = None
    source_t: float | None = None


def check_memories(memories: Mapping[str, float]) -> None:
    """Refuses memories that could not work: one is the default, and each lasts for some time."""
    if LONG_TERM not in memories:
        raise BadRequest(
            f"there is no memory {LONG_TERM!r}, which is the default", field="memories"
        )
    for name, seconds in memories.items():
        if not seconds > 0:
            raise BadRequest(f"memory {name!r} lasts above 0 seconds, not {seconds}", field=name)


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
    if isinstance(ttl, bool) or not isinstance(ttl, int | float) or not 0 < ttl <= _LONGEST:
        given = shown(repr(ttl)) if not isinstance(ttl, int) else "so many"
        raise BadRequest(
            f"ttl is a number of seconds above 0 and up to {_LONGEST:.0e}, not {given}", field="ttl"
        )
    return ttl


def renewed(old: Assertion, new: Assertion) -> Assertion:
    """One assertion made again: the longer life wins, the newest source is kept."""
    if old.expires > new.expires:
        return replace(old, source=new.source, source_t=new.source_t)
    return replace(new, since=old.since)


class DueList:
    """Which assertions of which models end when, soonest first.

    A renewed or forgotten one leaves its old entry in the heap; when those are most of it, it is
    made anew, so that it stays as small as what it stands for.
    """

    def __init__(self) -> None:
        self._heap: list[tuple[float, str, Statement]] = []
        self._ends: Final[dict[tuple[str, Statement], float]] = {}

    def add(self, expires: float, model: str, fact: Statement) -> None:
        """Notes when an assertion ends, in place of what was noted for it before."""
        if expires == FOREVER:
            self.forget(model, fact)
            return
        self._ends[(model, fact)] = expires
        heapq.heappush(self._heap, (expires, model, fact))
        if len(self._heap) > _SLACK + 2 * len(self._ends):
            self._heap = [(end, model, fact) for (model, fact), end in self._ends.items()]
            heapq.heapify(self._heap)

    def forget(self, model: str, fact: Statement) -> None:
        """Drops what was noted for an assertion that is gone."""
        self._ends.pop((model, fact), None)

    def next_due(self) -> float:
        """When the next one ends; FOREVER when none does."""
        while self._heap and self._is_stale(self._heap[0]):
            heapq.heappop(self._heap)
        return self._heap[0][0] if self._heap else FOREVER

    def due(self, now: float) -> dict[str, list[Statement]]:
        """All that has ended by now, for each model; it stays due until it is forgotten."""
        ended: list[tuple[float, str, Statement]] = []
        while (end := self.next_due()) <= now and end < FOREVER:
            ended.append(heapq.heappop(self._heap))
        found: dict[str, dict[Statement, None]] = {}
        for entry in ended:
            heapq.heappush(self._heap, entry)
            found.setdefault(entry[1], {})[entry[2]] = None
        return {model: list(facts) for model, facts in found.items()}

    def _is_stale(self, entry: tuple[float, str, Statement]) -> bool:
        expires, model, fact = entry
        return self._ends.get((model, fact)) != expires

    def __len__(self) -> int:
        return len(self._heap)
