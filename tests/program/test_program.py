"""The program `mindboard` and its command `demo`."""

import argparse
import json
import signal
import subprocess
import sys
from importlib.metadata import EntryPoint, EntryPoints, version

import pytest

from kb_server import demo_command
from kb_server.program import FAILED, GROUP, INTERRUPTED, USAGE, main, port


def greet(args: argparse.Namespace) -> int:
    """A demonstration for these tests, which fails so that its status can be told apart."""
    print("data" if args.json else "prose")
    return FAILED


@pytest.fixture
def demos(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two demonstrations, whatever is installed."""
    known = EntryPoints(
        EntryPoint(name, f"{__name__}:greet", demo_command.GROUP) for name in ("hello", "again")
    )
    monkeypatch.setattr(demo_command, "entry_points", known.select)


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


@pytest.mark.usefixtures("demos")
@pytest.mark.parametrize("words", [["demo"], ["demo", "--list"], ["demo", "hello", "--list"]])
def test_list_of_demos(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """`demo` alone or with `--list` lists the demonstrations in order."""
    assert main(words) == 0
    assert capsys.readouterr().out == "again\nhello\n"


@pytest.mark.usefixtures("demos")
def test_list_of_demos_as_data(capsys: pytest.CaptureFixture[str]) -> None:
    """`demo --json` lists the demonstrations as JSON."""
    assert main(["demo", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"demos": ["again", "hello"]}


@pytest.mark.usefixtures("demos")
@pytest.mark.parametrize(("words", "printed"), [([], "prose\n"), (["--json"], "data\n")])
def test_demo(words: list[str], printed: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A demonstration gets the parsed line, and its status is the program's."""
    assert main(["demo", "hello", *words]) == FAILED
    assert capsys.readouterr().out == printed


@pytest.mark.usefixtures("demos")
def test_unknown_demo(capsys: pytest.CaptureFixture[str]) -> None:
    """An unknown demonstration is bad usage, and the known ones are named."""
    assert main(["demo", "nothing"]) == USAGE
    out, err = capsys.readouterr()
    assert out == ""
    assert err == "mindboard demo: no demo named 'nothing'; there are: again, hello\n"


def test_as_a_process() -> None:
    """The installed program lists its demonstrations and tells its failures by its exit status."""
    listed = program("demo", "--list")
    assert (listed.returncode, listed.stderr) == (0, "")
    assert "two-minds" in listed.stdout.splitlines()
    assert program("demo", "nothing").returncode == USAGE
    assert program("--unknown").returncode == USAGE


@pytest.mark.parametrize("word", ["65536", "-1", "", "8765.0", "²", "9" * 5_000, "http"])
def test_what_is_no_port(word: str) -> None:
    """A port is a number up to 65535, in plain digits; what is none is said as it was given."""
    with pytest.raises(argparse.ArgumentTypeError, match="from 0 to 65535"):
        port(word)
