"""What may be set of the SPARQL workers, and what is counted of them."""

from dataclasses import dataclass, field

__all__ = ["Counters", "Limits", "Settings"]


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of each a text may have; `update_bytes` is for updates, which bring data.

    `changes` is how many facts an update may add or remove.
    """

    query_bytes: int = 262_144
    update_bytes: int = 8_388_608
    nesting: int = 100
    patterns: int = 128
    optional: int = 128
    union: int = 256
    clauses: int = 256
    operators: int = 1_000
    changes: int = 100_000


@dataclass(frozen=True, slots=True)
class Settings:
    """How many workers there are, and what each may take.

    `backlog_bytes` is how far behind the deltas a worker may fall, `waiting` how many questions
    may wait, `waiting_each` how many of one client, `past_facts` how large a past may be asked,
    `past_facts_all` how large those that are asked at once may be together.
    """

    workers: int = 2
    time_limit: float = 10.0
    memory_mb: int = 1024
    answer_bytes: int = 67_108_864
    backlog_bytes: int = 67_108_864
    past_facts: int = 200_000
    past_facts_all: int = 1_000_000
    waiting: int = 1_000
    waiting_each: int = 200
    limits: Limits = field(default_factory=Limits)


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
