"""Demonstrations as processes, each case of each story once for all tests."""

import json
import os
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from demos.repertoire import STORIES
from tests.demos.short import SHORT
from tests.forked import run_forked
from tests.service.servers import started_servers

__all__ = ["Played", "Plays"]

_SECONDS: Final = 90.0


@dataclass(frozen=True, slots=True)
class Played:
    """The results of one case: its exit status, its report and its recording."""

    status: int
    report: dict[str, Any]
    frames: Path

    def answers(self) -> dict[str, list[str]]:
        """The last answer to each question."""
        return {q["ask"]: q["answer"] for step in self.report["steps"] for q in step["questions"]}

    def because(self, ask: str) -> list[str]:
        """Why a question is answered as it is."""
        found = [q for step in self.report["steps"] for q in step["questions"] if q["ask"] == ask]
        return list(found[-1]["because"])


Plays = Callable[[str, str], Played]


@pytest.fixture(scope="session")
def plays(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Plays]:
    """Plays each case once, in its own process.

    The cases share a server, from which each withdraws its facts. Stories with their own ontology
    get their own server.
    """
    folder = tmp_path_factory.mktemp("demos")
    known: dict[tuple[str, str], Played] = {}
    with started_servers(folder) as servers:
        server = servers.start(keeps=False)

        def play(story: str, case: str) -> Played:
            if (story, case) not in known:
                board = () if STORIES[story].ontology else ("--kb", server.url)
                frames = folder / f"{story}-{case}.jsonl"
                known[story, case] = _played(frames, story, "--case", case, *board)
            return known[story, case]

        yield play


def _played(frames: Path, *story: str) -> Played:
    words = (*story, "--json", "--record", str(frames))
    done = run_forked(("demo", *words), timeout=_SECONDS)
    assert "Traceback" not in done.stderr
    assert done.stdout, done.stderr
    return Played(done.returncode, json.loads(done.stdout), frames)


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """A story of less than a second is in the repertoire, and signals are as they were."""
    before = signal.getsignal(signal.SIGTERM)
    monkeypatch.setattr("demos.run.STORIES", {**STORIES, "short": SHORT})
    monkeypatch.setattr(os, "environ", {**os.environ})
    monkeypatch.setattr(signal, "signal", lambda *_: before)
