"""Subscriptions over a broken line to a board that keeps little, whichever way they are held."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import httpx
import pytest

from kb_server import Blackboard
from tests.contracts.boards import opened
from tests.service.servers import Server, started_servers

_PATIENCE = 20.0
_LITTLE = "[journal]\nsize = 1\nsegment = 20\nsnapshot = 100\n"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server that drops its history at the first opportunity."""
    (tmp_path / "settings.toml").write_text(_LITTLE)
    with started_servers(tmp_path) as servers:
        before = "from kb_server.service.writing import writer; writer._UPKEEP = 0.05"
        settings = ("--no-dl", "--settings", str(tmp_path / "settings.toml"))
        yield servers.made(*settings).start(before=before)


@pytest.fixture(params=["network", "awaited"])
def kb(request: pytest.FixtureRequest, server: Server) -> Iterator[Blackboard]:
    with opened(request.param, lambda: server.url) as board:
        yield board


def test_a_quiet_subscription_outlives_what_the_journal_drops(
    kb: Blackboard, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who was told nothing has lost nothing, though the journal has dropped where it began."""
    monkeypatch.setattr("kb_server.client.transport.connection._BEAT_SECONDS", 0.02)
    with kb.subscribe("myself", "?o isIn box", on="both") as events:
        begun = kb.add("myself", "table isNear door").seq
        for number in count():
            kb.add("myself", f"x{number} isNear door")
            if number % 100 == 0 and oldest_seq(server) > begun + 1:
                break
        server.kill()
        server.start()
        kb.add("myself", "ball isIn box")
        event = events.next(_PATIENCE)
    assert (event.kind, event.bindings) == ("appear", {"o": "ball"})


def oldest_seq(server: Server) -> float:
    """The oldest delta that the journal has."""
    figures = httpx.get(f"{server.url}/metrics").text.splitlines()
    lines = [line.split() for line in figures if line.startswith("mindboard_journal_oldest_seq ")]
    return float(lines[0][1])
