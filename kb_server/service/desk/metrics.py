"""Figures for Prometheus: read from the desk when requested; the time of changes is recorded.

`prometheus_client` writes the format. Its global registry is not used, since two boards in one
process would add their figures.
"""

import asyncio
from collections.abc import Iterable, Iterator
from typing import Final

from prometheus_client import CollectorRegistry, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from kb_server.journal.protocol import Health
from kb_server.service.desk.desk import Desk

__all__ = ["Metrics"]

_SECONDS: Final = (5e-5, 1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 0.01, 0.05, 0.2, 1.0, 5.0)


class Metrics:
    """The figures of one desk."""

    def __init__(self, desk: Desk) -> None:
        self._desk: Final = desk
        self._registry: Final = CollectorRegistry()
        inference = Histogram(
            "mindboard_inference_seconds",
            "Seconds that changes took, inference included",
            buckets=_SECONDS,
            registry=self._registry,
        )
        desk.writer.notifications.on_timed.append(inference.observe)

    async def text(self) -> bytes:
        """All figures, as text."""
        desk = self._desk
        journal = await desk.writer.aside(desk.host.journal.health)
        now = _Now([*_gauges(desk, journal), *_counters(desk)])
        return generate_latest(self._registry) + generate_latest(_registry_of(now))


class _Now(Collector):
    def __init__(self, found: list[Metric]) -> None:
        self._found: Final = found

    def collect(self) -> Iterable[Metric]:
        return self._found


def _registry_of(collector: Collector) -> CollectorRegistry:
    registry = CollectorRegistry(auto_describe=False)
    registry.register(collector)
    return registry


def _gauges(desk: Desk, journal: Health) -> Iterator[Metric]:
    models = desk.host.board.models()
    rows: list[tuple[str, str, float]] = [
        ("ready", "Whether the board is ready: 1 or 0", desk.waiting_for is None),
        ("read_only", "Whether the journal can't be written", desk.writer.failure is not None),
        ("models", "Models on the board", len(models)),
        ("facts_asserted", "Asserted facts of all models", sum(m.asserted for m in models)),
        ("facts_inferred", "Inferred facts of all models", sum(m.inferred for m in models)),
        (
            "seq",
            "The newest delta that the journal has stored",
            desk.hub.subscribing.delivered_until,
        ),
        (
            "turns_waiting",
            "Changes and reads that wait for their turn",
            desk.writer.board_lock.waiting,
        ),
        ("journal_lag_entries", "Entries that the journal has still to store", desk.writer.depth),
        ("journal_bytes", "Bytes of the journal in use", journal.bytes_used),
        ("journal_oldest_seq", "The oldest delta in the journal", journal.oldest_seq),
        ("sockets", "Sockets and streams that are open", len(desk.hub.connections)),
        ("subscribers", "Subscriptions that are open", desk.hub.subscribing.count),
        ("queued_bytes", "Bytes that wait to be sent on sockets", desk.hub.queues.bytes),
        ("tasks", "Tasks of the server's event loop", len(asyncio.all_tasks())),
        ("sparql_workers_ready", "SPARQL workers that can answer", desk.pool.ready),
        ("sparql_waiting", "Queries and updates that wait for a worker", desk.pool.waiting),
    ]
    for name, text, value in rows:
        yield GaugeMetricFamily(f"mindboard_{name}", text, float(value))


def _counters(desk: Desk) -> Iterator[Metric]:
    counted = desk.pool.counters
    rows = (
        ("writes", "Changes that were made", desk.writer.changes),
        ("sparql_queries", "Queries that workers were asked", counted.queries),
        ("sparql_updates", "Updates that workers computed", counted.updates),
        ("sparql_refused", "Queries and updates that were refused", counted.refused),
        ("sparql_timeouts", "Queries and updates that took too long", counted.timeouts),
        ("sparql_crashes", "Workers that crashed", counted.crashes),
        ("sparql_worker_restarts", "Workers that were replaced", counted.restarts),
    )
    for name, text, value in rows:
        yield CounterMetricFamily(f"mindboard_{name}", text, float(value))
    answered = CounterMetricFamily(
        "mindboard_requests", "Requests that were answered, by status", labels=("status",)
    )
    for status, number in sorted(desk.answered.items()):
        answered.add_metric((str(status),), number)
    yield answered
