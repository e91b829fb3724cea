"""The program where its input or output is closed, or where nobody reads its output."""

import subprocess
import sys
from typing import Final

import pytest

PROGRAM: Final = (sys.executable, "-m", "kb_server")
SERVER: Final = (
    sys.executable,
    "-c",
    "import sys; from kb_server.stdio import announce, reopen;"
    "reopen(); announce('ready'); announce('still'); sys.stderr.write('on it goes')",
)


def run(line: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Runs a line of the shell, in which the words are `"$@"`."""
    shell = ["bash", "-c", line, "bash", *words]
    return subprocess.run(shell, capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.parametrize("words", [("--help",), ("demo", "--json"), ("demo", "--list")])
@pytest.mark.parametrize("line", ['"$@" >&-', '"$@" | true; exit ${PIPESTATUS[0]}'])
def test_an_output_that_nobody_reads(line: str, words: tuple[str, ...]) -> None:
    """Where the output is closed, or its reader has gone, a command ends quietly with 0."""
    done = run(line, *PROGRAM, *words)
    assert (done.returncode, done.stderr) == (0, "")


def test_bad_usage_is_bad_usage_all_the_same() -> None:
    """A line that makes no sense ends with 2, whatever is closed, and tells nobody else."""
    assert run('"$@" >&-', *PROGRAM, "nonsense").returncode == 2
    done = run('"$@" 2>&-', *PROGRAM, "demo", "nothing")
    assert (done.returncode, done.stdout) == (2, "")


@pytest.mark.parametrize("line", ['"$@" >&-', '"$@" | true; exit ${PIPESTATUS[0]}'])
def test_who_needs_no_reader_goes_on(line: str) -> None:
    """What announces something, as a server does, goes on where nobody hears it."""
    done = run(line, *SERVER)
    assert (done.returncode, done.stderr) == (0, "on it goes")
