"""What may be set of the SPARQL workers, and what is counted of them."""

from dataclasses import dataclass, field

__all__ = ["Counters", "Limits", "Settings"]


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of each one text may have."""

    query_bytes: int = 262_144
    """A query."""
    update_bytes: int = 8_388_608
    """An update, which brings data."""
    nesting: int = 100
    """Brackets in one another."""
    patterns: int = 128
    """Triple patterns and steps of paths."""
    optional: int = 128
    """`OPTIONAL`s."""
    union: int = 256
    """`UNION`s."""
    clauses: int = 256
    """`MINUS`, `FILTER`, `BIND`, `EXISTS`, `SELECT` and `GRAPH`, of each."""
    operators: int = 1_000
    """Operators in expressions and paths."""
    changes: int = 100_000
    """Facts that an update may add or remove."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How many workers there are, and what each may take."""

    workers: int = 2
    """Processes that answer, beside the board."""
    time_limit: float = 10.0
    """Seconds that a query or update may take, and as many it may wait for a worker."""
    memory_mb: int = 1024
    """Megabytes that a worker may take."""
    answer_bytes: int = 67_108_864
    """An answer."""
    backlog_bytes: int = 67_108_864
    """How far behind the changes of the board a worker may fall before it is started anew."""
    past_facts: int = 200_000
    """Facts of a past board that is asked."""
    past_facts_all: int = 1_000_000
    """Facts of all past boards that are asked at once; a lone one has room."""
    waiting: int = 1_000
    """Questions that may wait."""
    waiting_each: int = 200
    """Questions of one client that may wait."""
    limits: Limits = field(default_factory=Limits)
    """What a text may have, checked before it is read."""


@dataclass
class Counters:
    """What has happened since the start."""

    queries: int = 0
    updates: int = 0
    refused: int = 0
    timeouts: int = 0
    crashes: int = 0
    cancelled: int = 0
    behind: int = 0
    restarts: int = 0
    deltas: int = 0
