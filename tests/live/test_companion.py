"""A companion: kept running while the board is, and never longer."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, TextIO

import pytest

from kb_server.errors import Unauthorized
from kb_server.service.access import Access, Tokens
from kb_server.service.server.companion import Companion, acquainted, environment_of

SAYS: Final = "import signal, sys; said = open({0!r}, 'w', buffering=1); print('here', file=said); "
ENDS: Final = SAYS + "sys.exit({1})"
DEAF: Final = "import signal; signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM]); "
STAYS: Final = DEAF + SAYS + "signal.sigwait([signal.SIGTERM]); print('told to end', file=said)"
LIFELINE: Final = SAYS + "sys.stdin.read(); print('alone', file=said)"
PARENT: Final = (
    "import os, sys; from kb_server.service.server.companion import Companion; "
    "Companion('x', [sys.executable, '-c', {0!r}], os.environ).start(); sys.stdin.read()"
)


@pytest.fixture
def fifo(tmp_path: Path) -> Iterator[TextIO]:
    """What a companion says, read as it comes; the name is `said`."""
    path = tmp_path / "said"
    os.mkfifo(path)
    writing = os.open(path, os.O_RDWR)  # so that it has no end while nobody writes
    with path.open() as file:
        yield file
    os.close(writing)


def companion(code: str, tmp_path: Path, status: int = 0) -> Companion:
    text = code.format(str(tmp_path / "said"), status)
    return Companion("test", [sys.executable, "-c", text], os.environ, first=0.01, longest=0.02)


def test_a_companion_runs_until_it_is_told_to_end(fifo: TextIO, tmp_path: Path) -> None:
    """It runs from `start` to `stop`, which waits until it has left in order."""
    made = companion(STAYS, tmp_path)
    made.start()
    assert fifo.readline() == "here\n"
    made.stop()
    assert fifo.readline() == "told to end\n"


def test_a_companion_that_ends_is_started_again(
    fifo: TextIO, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Whatever it ends by, it is started again, and each end is logged."""
    made = companion(ENDS, tmp_path, status=1)
    made.start()
    assert [fifo.readline() for _ in range(3)] == ["here\n"] * 3
    made.stop()
    assert "test ended (1); again in 0.01 s" in caplog.text


def test_a_companion_that_is_misused_is_not_tried_again(
    fifo: TextIO, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A command line that makes no sense makes none the next time."""
    made = companion(ENDS, tmp_path, status=2)
    made.start()
    assert fifo.readline() == "here\n"
    made.wait()
    assert "test refused its arguments; it is not restarted" in caplog.text
    made.stop()


def test_a_companion_knows_when_it_is_left_alone(fifo: TextIO, tmp_path: Path) -> None:
    """When who started it is killed, its standard input ends."""
    child = LIFELINE.format(str(tmp_path / "said"))
    parent = subprocess.Popen([sys.executable, "-c", PARENT.format(child)], stdin=subprocess.PIPE)
    assert fifo.readline() == "here\n"
    parent.kill()
    parent.wait()
    assert parent.stdin is not None
    parent.stdin.close()
    assert fifo.readline() == "alone\n"


def test_a_companion_that_was_never_started_can_be_stopped(tmp_path: Path) -> None:
    """A board that could not start stops a companion, which then is not started any more."""
    made = companion(STAYS, tmp_path)
    made.stop()
    made.start()
    made.wait()
    assert not (tmp_path / "said").exists()


def test_a_companion_has_a_token_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """It shows a token that nobody else has; those of the environment are not for it."""
    monkeypatch.setenv("MINDBOARD_TOKEN_FILE", "elsewhere")
    known = Tokens({b"hash": Access("somebody", "admin")})
    tokens, token = acquainted(known)
    assert tokens.access(token) == Access("companion", "write")
    assert tokens.by_hash[b"hash"] == known.by_hash[b"hash"]
    with pytest.raises(Unauthorized):
        known.access(token)
    environment = environment_of(token)
    assert environment["MINDBOARD_TOKEN"] == token
    assert "MINDBOARD_TOKEN_FILE" not in environment
    assert "MINDBOARD_TOKEN" not in environment_of(None)
