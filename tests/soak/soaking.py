"""The soak itself: a real server, its load, and a reading now and then."""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Final

from tests.service.servers import Server, started_servers
from tests.soak.gauges import COLUMNS, Reading, growth, reading
from tests.soak.load import TOKENS, Load

__all__ = ["soak"]

_WARM_UP: Final = 0.25
"""Share of the time in which caches and the allocator's reserves fill."""
_LONG: Final = 60.0
"""Seconds of a run from which memory must not grow; a shorter run is a warm-up to its end."""
_NAMES: Final = 80_000
"""More names than any cache of the server holds."""
_READINGS: Final = 60
_JOURNAL_MB: Final = 8
_SLACK_MB: Final = 8
"""MB that the journal may have beyond its bound: the newest snapshot and later deltas."""
_SETTINGS: Final = f"""
[service]
poses_kept = 1000
will_seconds = 0.3
stuck_seconds = 2.0
queue_events = 2000
[journal]
size = {_JOURNAL_MB * 2**20}
segment = 200
snapshot = 1000
[sparql]
time_limit = 1.0
"""

Say = Callable[[str], None]


def soak(folder: Path, seconds: float, say: Say, memory_mb: float = 0.0) -> list[str]:
    """Plays for some seconds and prints a row at a time; returns the figures that have grown.

    In a short run memory still warms up; then it may grow by `memory_mb`.
    """
    (folder / "tokens.toml").write_text(TOKENS)
    (folder / "settings.toml").write_text(_SETTINGS)
    with started_servers(folder) as servers:
        files = ("--tokens", str(folder / "tokens.toml"))
        server = servers.start("--no-dl", *files, "--settings", str(folder / "settings.toml"))
        readings = asyncio.run(_play(server, seconds, say))
        assert server.stop() == 0, server.log
        assert "Traceback" not in server.log, server.log
    judged = [each for each in readings if each.seconds > _WARM_UP * seconds]
    return growth(judged, _JOURNAL_MB + _SLACK_MB, memory_mb)


async def _play(server: Server, seconds: float, say: Say) -> list[Reading]:
    """Reads the gauges at a steady pace while the load goes on."""
    load, until = Load(server.url, costly_seconds=max(4.0, seconds / 40)), asyncio.Event()
    readings: list[Reading] = []
    say(" | ".join([*(name for name, _ in COLUMNS), "writes/s"]))
    if seconds >= _LONG:
        await load.fill(_NAMES)
    playing = asyncio.create_task(load.play(until))
    try:
        start = time.monotonic()
        while (passed := time.monotonic() - start) < seconds:
            with suppress(TimeoutError):
                await asyncio.wait_for(asyncio.shield(playing), seconds / _READINGS)
            if playing.done():
                break  # of an error, which is raised below
            readings.append(reading(server.pid, passed, await load.metrics(), load.writes))
            say(_row(readings))
    finally:
        until.set()
        await playing
    say(", ".join(f"{name} {number}" for name, number in load.done.items()))
    return readings


def _row(readings: list[Reading]) -> str:
    newest = readings[-1]
    rates = [
        (after.writes - before.writes) / (after.seconds - before.seconds)
        for before, after in pairwise(readings[-2:])
    ]
    cells = [read(newest).rjust(len(name)) for name, read in COLUMNS]
    return " | ".join([*cells, f"{rates[0] if rates else 0:.0f}"])
