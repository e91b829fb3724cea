"""The program `mindboard`, whatever its command."""

import argparse
import signal
import subprocess
import sys
from importlib.metadata import EntryPoint, EntryPoints, version

import pytest

from kb_server.program import FAILED, GROUP, INTERRUPTED, USAGE, main, port, whole_number


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


def test_an_unknown_option_is_an_error_of_its_command(capsys: pytest.CaptureFixture[str]) -> None:
    """An unknown option of a command is answered with the usage and the name of that command."""
    with pytest.raises(SystemExit) as end:
        main(["serve", "--nope"])
    said = capsys.readouterr().err
    assert end.value.code == USAGE
    assert said.startswith("usage: mindboard serve ")
    assert said.endswith("mindboard serve: error: unrecognized arguments: --nope\n")


@pytest.mark.parametrize(
    "words",
    [
        ("serve", "--settings"),
        ("serve", "--tokens"),
        ("query", "--file"),
        ("find", "?o a Book", "--token-file"),
        ("import",),
        ("perceive",),
    ],
)
def test_a_missing_file_is_named_once(words: tuple[str, ...]) -> None:
    """Every command reports a missing file in the same words, and names its path once."""
    done = program(*words, "/nowhere/file.ttl")
    assert done.returncode in (FAILED, USAGE)
    assert done.stderr.endswith("/nowhere/file.ttl can't be read: No such file or directory\n")
    assert done.stderr.count("/nowhere/file.ttl") == 1


@pytest.mark.parametrize("word", ["65536", "-1", "", "8765.0", "²", "9" * 5_000, "http"])
def test_what_is_no_port(word: str) -> None:
    """A port is a number up to 65535, in plain digits; what is none is said as it was given."""
    with pytest.raises(argparse.ArgumentTypeError, match="from 0 to 65535"):
        port(word)


@pytest.mark.parametrize("word", ["x", "0", "1001", "-1", "", "1e3", "²", "9" * 5_000])
def test_what_is_no_whole_number_of_a_range(word: str) -> None:
    """A refused number is named with the range that the argument has."""
    with pytest.raises(argparse.ArgumentTypeError, match="must be a whole number from 1 to 1000"):
        whole_number(1, 1_000)(word)


@pytest.mark.parametrize(
    ("words", "range_"),
    [
        (("find", "?o a Book", "--limit", "x"), "--limit: must be a whole number from 1 to"),
        (("import", "home.ttl", "--batch", "0"), "--batch: must be a whole number from 1, not '0'"),
        (("watch", "?o a Book", "--after", "x"), "--after: must be a whole number from 0, not 'x'"),
    ],
)
def test_a_number_out_of_range_is_bad_usage(
    words: tuple[str, ...], range_: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A number that a command does not accept is refused with its range before the command runs."""
    with pytest.raises(SystemExit) as end:
        main(words)
    assert end.value.code == USAGE
    assert range_ in capsys.readouterr().err
