"""The settings and the counters of the SPARQL workers."""

from dataclasses import dataclass, field

__all__ = ["Counters", "Limits", "SparqlSettings"]


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one query or update text, checked before it is parsed."""

    query_bytes: int = 262_144
    """Bytes of a query."""
    update_bytes: int = 8_388_608
    """Bytes of an update, which may contain data."""
    nesting: int = 100
    """Nested brackets."""
    patterns: int = 128
    """Triple patterns and steps of property paths."""
    optional: int = 128
    """`OPTIONAL`s."""
    union: int = 256
    """`UNION`s."""
    clauses: int = 256
    """Clauses of each kind: `MINUS`, `FILTER`, `BIND`, `EXISTS`, `SELECT` and `GRAPH`."""
    operators: int = 1_000
    """Operators in expressions and property paths."""
    changes: int = 100_000
    """Facts that an update may add or remove."""


@dataclass(frozen=True, slots=True)
class SparqlSettings:
    """The number of workers, and their limits of time and memory."""

    workers: int = 2
    """Worker processes."""
    time_limit: float = 10.0
    """Seconds that a query or update may take, and that it may wait for a worker before."""
    memory_mb: int = 1024
    """Megabytes of memory for each worker."""
    answer_bytes: int = 67_108_864
    """Bytes of an answer."""
    backlog_bytes: int = 67_108_864
    """Bytes of unread changes at which a worker that falls behind is replaced."""
    past_facts: int = 200_000
    """Facts of one past board (`at=`)."""
    past_facts_all: int = 1_000_000
    """Facts of all past boards queried at once; a single one is always admitted."""
    waiting: int = 1_000
    """Questions that may wait."""
    waiting_each: int = 200
    """Questions of one client that may wait."""
    limits: Limits = field(default_factory=Limits)
    """The limits of a text, checked before it is parsed."""


@dataclass
class Counters:
    """Counts of events since the start."""

    queries: int = 0
    updates: int = 0
    refused: int = 0
    timeouts: int = 0
    crashes: int = 0
    cancelled: int = 0
    behind: int = 0
    restarts: int = 0
    deltas: int = 0
