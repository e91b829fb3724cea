"""The soak in its short form, and that it tells growth when there is some."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.soak.gauges import Reading, growth
from tests.soak.soaking import soak

_STILL = Reading(
    seconds=0,
    server_mb=90,
    workers_mb=70,
    handles=40,
    threads=7,
    tasks=40,
    sockets=10,
    subscribers=20,
    models=3,
    facts=300,
    journal_mb=8,
    restarts=1,
    writes=0,
)


def test_nothing_grows_in_seconds(tmp_path: Path) -> None:
    """Some seconds of mixed load leave no more handles, tasks or subscribers than there were."""
    rows: list[str] = []
    assert soak(tmp_path, 10.0, rows.append, memory_mb=60.0) == []
    assert len(rows) > 20


@pytest.mark.parametrize("field", ["server_mb", "workers_mb", "handles", "threads", "tasks"])
def test_growth_is_told(field: str) -> None:
    """What rises all the time is told, and what is the same is not."""
    rising = [replace(_STILL, **{field: getattr(_STILL, field) + n}) for n in range(60)]
    assert growth([_STILL] * 60, journal_mb=16) == []
    assert len(growth(rising, journal_mb=16)) == 1


def test_a_journal_beyond_its_bound_is_told() -> None:
    """A journal that was ever larger than it may be is growth, too."""
    large = replace(_STILL, journal_mb=17)
    assert growth([_STILL, large, _STILL], journal_mb=16) != []
