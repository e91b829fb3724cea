"""Benchmarks of the service over HTTP, against a bare route that stores one row."""

import http.client
import json
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from benchmarks.measures import Figure, Measure

__all__ = ["MEASURES", "revising"]

_ROUNDS: Final = 30
_EACH: Final = 50
_CLIENTS: Final = 8


def revising() -> list[Figure]:
    """A fact revised and stored, by one client and several, against a route with one commit."""
    with tempfile.TemporaryDirectory() as folder, _bare(folder) as bare, _board(folder) as board:
        here, there = _side_by_side(board, bare)
        ratio = here / there
        mine, floor = _writes(board), _writes(bare)
    return [
        Figure(
            "`revise` of one fact over HTTP",
            _micro(here),
            f"{_micro(there)} bare FastAPI route, one commit",
            ratio,
            "≤ 3×",
            ratio <= 3,
        ),
        Figure(
            f"`revise` over HTTP, {_CLIENTS} clients at once",
            f"{mine:,.0f}/s".replace(",", " "),
            f"{floor:,.0f}/s".replace(",", " "),
            floor / mine,
            "≤ 3×",
            floor / mine <= 3,
        ),
    ]


class _Line:
    """One persistent connection."""

    def __init__(self, address: tuple[int, str]) -> None:
        port, self._path = address
        self._connection: Final = http.client.HTTPConnection("127.0.0.1", port)

    def revise(self, thing: str, step: int) -> None:
        """Moves an object from one place to another."""
        body = {"retract": [f"{thing} isNextTo *"], "add": [f"{thing} isNextTo place{step}"]}
        headers = {"content-type": "application/json"}
        self._connection.request("POST", self._path, json.dumps(body), headers)
        answer = self._connection.getresponse()
        answer.read()
        assert answer.status == 200


def _side_by_side(board: tuple[int, str], bare: tuple[int, str]) -> tuple[float, float]:
    """The median time of one revision at each, in alternation."""
    times: dict[str, list[float]] = {"here": [], "there": []}
    lines = {"here": _Line(board), "there": _Line(bare)}
    for step in range(_ROUNDS):
        for name, line in lines.items():
            for n in range(_EACH):
                begin = time.perf_counter()
                line.revise("ball", step * _EACH + n)
                times[name].append(time.perf_counter() - begin)
    return statistics.median(times["here"][_EACH:]), statistics.median(times["there"][_EACH:])


def _writes(address: tuple[int, str]) -> float:
    """Requests a second from several clients."""

    def work(number: int) -> None:
        line = _Line(address)
        for step in range(_EACH * 4):
            line.revise(f"cup{number}", step)

    workers = [threading.Thread(target=work, args=(n,)) for n in range(_CLIENTS)]
    begin = time.perf_counter()
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return _CLIENTS * _EACH * 4 / (time.perf_counter() - begin)


@contextmanager
def _bare(folder: str) -> Iterator[tuple[int, str]]:
    with _running("-m", "benchmarks.bare_route", folder) as said:
        yield int(said), "/revise"


@contextmanager
def _board(folder: str) -> Iterator[tuple[int, str]]:
    words = ("-m", "kb_server", "serve", "--port", "0", "--data", str(Path(folder) / "board"))
    with _running(*words) as said:
        found = re.search(r":(\d+) ", said)
        assert found is not None, said
        yield int(found[1]), "/models/myself/revise"


@contextmanager
def _running(*words: str) -> Iterator[str]:
    """Runs a Python program, and returns the first line that it prints."""
    with subprocess.Popen([sys.executable, *words], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline()
        finally:
            process.terminate()


def _micro(seconds: float) -> str:
    return f"{seconds * 1e6:.0f} µs"


MEASURES: Final[tuple[Measure, ...]] = (revising,)
