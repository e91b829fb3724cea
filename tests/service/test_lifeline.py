"""A server that was started with a lifeline ends when who started it has gone."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from kb_server import Blackboard

_SECONDS = 30.0


@contextmanager
def held(*words: str) -> Iterator["subprocess.Popen[str]"]:
    """A server whose standard input we hold."""
    command = [sys.executable, "-m", "kb_server", "serve", "--port", "0", "--no-dl", "--lifeline"]
    process = subprocess.Popen(
        [*command, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def test_it_ends_in_order_when_its_standard_input_does(tmp_path: Path) -> None:
    """What was answered is kept, the status is 0, and what is written to it means nothing."""
    with held("--data", str(tmp_path / "board")) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        ready = process.stdout.readline()
        assert "ready at" in ready
        process.stdin.write("quit\n")
        process.stdin.flush()
        url = ready.partition("ready at ")[2].split()[0]
        body = {"add": ["ball isIn box"]}
        assert httpx.post(f"{url}/models/myself/revise", json=body).json()["seq"] == 1
        process.stdin.close()
        assert process.wait(_SECONDS) == 0
        process.stdin = None
    with Blackboard.local(tmp_path / "board") as board:
        assert board.check("myself", "ball isIn box")


def test_it_ends_while_it_starts() -> None:
    """One whose starter is gone before it was ready ends as well, with 0."""
    with held("--data", ":memory:") as process:
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(_SECONDS) == 0
        process.stdin = None
