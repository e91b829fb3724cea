"""The lifespans of assertions: the kinds of memory, and the queue of expiry times."""

import heapq
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from kb_server.core.terms.statements import Statement
from kb_server.errors import BadRequest, UnknownMemory

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
"""Seconds that a fact lives in each kind of memory."""
_SLACK: Final = 64
"""Stale entries that the heap may always hold, so that a small heap is not rebuilt all the time."""
_LONGEST: Final = 1e12
"""Seconds of the longest `ttl`, some 30 000 years: sums with the clock stay exact to 1 ms."""
_SHOWN_BITS: Final = 1024
"""Bits of the largest whole number that a refusal shows: Python refuses to print very long ones."""


@dataclass(frozen=True, slots=True)
class Assertion:
    """The data of one assertion: its memory, expiry time, begin and source."""

    memory: str
    expires: float
    since: float
    source: str | None = None
    source_t: float | None = None


def check_memories(memories: Mapping[str, float]) -> None:
    """Raise BadRequest if the default memory is missing, or a memory lasts 0 seconds or less."""
    if LONG_TERM not in memories:
        raise BadRequest(
            f"there is no memory {LONG_TERM!r}, which is the default", field="memories"
        )
    for name, seconds in memories.items():
        if not seconds > 0:
            message = f"memory {name!r} must last longer than 0 seconds, not {seconds}"
            raise BadRequest(message, field=name)


def lifespan(memory: str, ttl: float | None, memories: Mapping[str, float]) -> float:
    """Return the lifespan of a fact in seconds: its `ttl`, else that of its memory.

    >>> lifespan("short_term", None, MEMORIES), lifespan("short_term", 0.3, MEMORIES)
    (10.0, 0.3)
    """
    if memory not in memories:
        known = ", ".join(sorted(memories))
        raise UnknownMemory(f"no memory named {memory!r}; there are: {known}", known=known)
    if ttl is None:
        return memories[memory]
    if isinstance(ttl, bool) or not isinstance(ttl, int | float) or not 0 < ttl <= _LONGEST:
        is_short = not isinstance(ttl, int) or ttl.bit_length() <= _SHOWN_BITS
        given = f"{ttl!r:.80}" if is_short else "a number as long as that"
        raise BadRequest(
            f"ttl must be a number of seconds above 0, at most 1e12, not {given}", field="ttl"
        )
    return ttl


def renewed(old: Assertion, new: Assertion) -> Assertion:
    """Return a renewed assertion: the longer life wins, the newest source is stored."""
    if old.expires > new.expires:
        return replace(old, source=new.source, source_t=new.source_t)
    return replace(new, since=old.since)


class DueList:
    """The expiry times of the assertions of all models, soonest first.

    A renewed or forgotten assertion leaves a stale entry in the heap. When most entries are stale
    the heap is rebuilt, so that its size stays proportional to the number of assertions.
    """

    def __init__(self) -> None:
        self._heap: list[tuple[float, str, Statement]] = []
        self._ends: Final[dict[tuple[str, Statement], float]] = {}

    def add(self, expires: float, model: str, fact: Statement) -> None:
        """Set the expiry time of an assertion, replacing an earlier one."""
        if expires == FOREVER:
            self.forget(model, fact)
            return
        self._ends[(model, fact)] = expires
        heapq.heappush(self._heap, (expires, model, fact))
        if len(self._heap) > _SLACK + 2 * len(self._ends):
            self._heap = [(end, model, fact) for (model, fact), end in self._ends.items()]
            heapq.heapify(self._heap)

    def forget(self, model: str, fact: Statement) -> None:
        """Remove the expiry time of an assertion."""
        self._ends.pop((model, fact), None)

    def next_due(self) -> float:
        """Return the next expiry time; FOREVER if there is none."""
        while self._heap and self._is_stale(self._heap[0]):
            heapq.heappop(self._heap)
        return self._heap[0][0] if self._heap else FOREVER

    def due(self, now: float) -> dict[str, list[Statement]]:
        """Return the expired assertions by model; they stay due until they are forgotten."""
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
