"""Measures a running server from outside: memory, handles, threads, its own metrics."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Final

__all__ = ["COLUMNS", "Reading", "growth", "handles_of", "processes_of", "reading", "rss_of"]

_PROC: Final = Path("/proc")
_MB: Final = 2**20
_PART: Final = 3
"""Of the time that is judged, the first third is compared with the last."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One row of the table."""

    seconds: float
    server_mb: float
    workers_mb: float
    handles: int
    threads: int
    tasks: int
    sockets: int
    subscribers: int
    models: int
    facts: int
    journal_mb: float
    restarts: int
    writes: int


COLUMNS: Final[Sequence[tuple[str, Callable[[Reading], str]]]] = (
    ("time", lambda r: f"{r.seconds:.0f} s"),
    ("server", lambda r: f"{r.server_mb:.1f} MB"),
    ("workers", lambda r: f"{r.workers_mb:.1f} MB"),
    ("handles", lambda r: str(r.handles)),
    ("threads", lambda r: str(r.threads)),
    ("tasks", lambda r: str(r.tasks)),
    ("sockets", lambda r: str(r.sockets)),
    ("subscribers", lambda r: str(r.subscribers)),
    ("models", lambda r: str(r.models)),
    ("facts", lambda r: str(r.facts)),
    ("journal", lambda r: f"{r.journal_mb:.1f} MB"),
    ("killed workers", lambda r: str(r.restarts)),
)


@dataclass(frozen=True, slots=True)
class _Bound:
    """The growth allowed to a figure from the first third to the last: a share, or a minimum.

    Figures of memory may grow by more in a run so short that the warm-up goes on.
    """

    name: str
    of: Callable[[Reading], float]
    share: float
    least: float
    is_memory: bool = False


_BOUNDS: Final = (
    _Bound("the server's memory (MB)", lambda r: r.server_mb, 0.05, 8.0, True),
    _Bound("the workers' memory (MB)", lambda r: r.workers_mb, 0.10, 25.0, True),
    _Bound("handles", lambda r: r.handles, 0.10, 8.0),
    _Bound("threads", lambda r: r.threads, 0.0, 2.0),
    _Bound("tasks", lambda r: r.tasks, 0.10, 8.0),
    _Bound("subscribers", lambda r: r.subscribers, 0.15, 10.0),
    _Bound("models", lambda r: r.models, 0.0, 3.0),
)


def processes_of(pid: int) -> Iterator[int]:
    """A process and all that it has begun."""
    yield pid
    for task in _PROC.glob(f"{pid}/task/*/children"):
        for child in task.read_text().split():
            yield from processes_of(int(child))


def rss_of(pid: int) -> float:
    """The memory of a process, in MB."""
    return _status(pid, "VmRSS") * 1024 / _MB


def handles_of(pid: int) -> int:
    """The number of files, sockets and pipes that a process has open."""
    return sum(1 for _ in (_PROC / str(pid) / "fd").iterdir())


def reading(pid: int, seconds: float, metrics: str, writes: int) -> Reading:
    """The present figures of a server and of its workers, and its own metrics."""
    said = _figures(metrics)
    others = [_perhaps(rss_of, child) for child in processes_of(pid) if child != pid]
    return Reading(
        seconds=seconds,
        server_mb=rss_of(pid),
        workers_mb=sum(others),
        handles=handles_of(pid),
        threads=_status(pid, "Threads"),
        tasks=int(said["tasks"]),
        sockets=int(said["sockets"]),
        subscribers=int(said["subscribers"]),
        models=int(said["models"]),
        facts=int(said["facts_asserted"]),
        journal_mb=said["journal_bytes"] / _MB,
        restarts=int(said["sparql_worker_restarts_total"]),
        writes=writes,
    )


def growth(readings: Sequence[Reading], journal_mb: float, memory_mb: float = 0.0) -> list[str]:
    """The figures that have grown, in words; `readings` are those after the warm-up.

    Memory may always grow by `memory_mb`.
    """
    part = max(1, len(readings) // _PART)
    found = []
    for bound in _BOUNDS:
        before = median(map(bound.of, readings[:part]))
        after = median(map(bound.of, readings[-part:]))
        least = max(bound.least, memory_mb) if bound.is_memory else bound.least
        if after - before > max(least, bound.share * before):
            found.append(f"{bound.name} grew from {before:.1f} to {after:.1f}")
    largest = max(each.journal_mb for each in readings)
    if largest > journal_mb:
        found.append(f"the journal grew to {largest:.1f} MB; {journal_mb:g} MB are allowed")
    return found


def _status(pid: int, name: str) -> int:
    """A number of a process's status."""
    found = re.search(rf"^{name}:\s+(\d+)", (_PROC / str(pid) / "status").read_text(), re.M)
    return int(found[1]) if found else 0


def _perhaps(read: Callable[[int], float], pid: int) -> float:
    """A figure of a process; 0 if the process has ended."""
    try:
        return read(pid)
    except OSError:
        return 0.0


def _figures(metrics: str) -> dict[str, float]:
    """The figures without labels, by their names."""
    lines = re.findall(r"^mindboard_(\w+) (\S+)$", metrics, re.M)
    return {name: float(value) for name, value in lines}
