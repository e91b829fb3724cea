"""The program `mindboard`, whatever its command."""

import argparse
import signal
import subprocess
import sys
from importlib.metadata import EntryPoint, EntryPoints, version

import pytest

from kb_server.program import GROUP, INTERRUPTED, USAGE, main, port


def program(*words: str) -> subprocess.CompletedProcess[str]:
    """Run the program as a user does, in a process of its own."""
    command = [sys.executable, "-m", "kb_server", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    """`--version` prints the version of the installed distribution."""
    with pytest.raises(SystemExit) as end:
        main(["--version"])
    assert end.value.code == 0
    assert capsys.readouterr().out == f"mindboard {version('mindboard')}\n"


def test_help_names_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    """`--help` lists every command."""
    with pytest.raises(SystemExit) as end:
        main(["--help"])
    assert end.value.code == 0
    assert "demo" in capsys.readouterr().out


def test_without_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a command the program prints its help and says that this was bad usage."""
    assert main([]) == USAGE
    assert "usage: mindboard" in capsys.readouterr().err


def test_unknown_command(capsys: pytest.CaptureFixture[str]) -> None:
    """An unknown command is bad usage, and the known ones are named."""
    with pytest.raises(SystemExit) as end:
        main(["fly"])
    assert end.value.code == USAGE
    assert "demo" in capsys.readouterr().err


def interrupted(_: object) -> None:
    """A command that is interrupted while it is loaded."""
    raise KeyboardInterrupt


def test_an_interrupted_start_is_silent(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ctrl-C before a command is under way ends the program without a word, as shells expect."""
    known = EntryPoints([EntryPoint("watch", f"{__name__}:interrupted", GROUP)])
    monkeypatch.setattr("kb_server.program.entry_points", known.select)
    assert main(["watch", "?a b ?c"]) == INTERRUPTED == 128 + signal.SIGINT
    assert capsys.readouterr() == ("", "")


def test_as_a_process() -> None:
    """The installed program lists its demonstrations and tells its failures by its exit status."""
    listed = program("demo", "--list")
    assert (listed.returncode, listed.stderr) == (0, "")
    assert "sally-anne: Sally and Anne" in listed.stdout.splitlines()
    assert program("demo", "nothing").returncode == USAGE
    assert program("--unknown").returncode == USAGE


@pytest.mark.parametrize("word", ["65536", "-1", "", "8765.0", "²", "9" * 5_000, "http"])
def test_what_is_no_port(word: str) -> None:
    """A port is a number up to 65535, in plain digits; what is none is said as it was given."""
    with pytest.raises(argparse.ArgumentTypeError, match="from 0 to 65535"):
        port(word)
