"""Pages that are run: their blocks, one after the other, as a reader would carry them out.

The word after the fence says what a block is; what a reader does not see stands behind it:

    ```sh                    a shell carries it out, in the reader's folder, and it must succeed
    ```sh terminal=board     in a terminal of its own, where it goes on; its name is for the page
    ```python                one program, whose names the next block still knows
    ```output                what the block before has printed, `…` being anything
    ```output terminal=board what has come in that terminal since it was last looked at
    ```yaml file=room.yaml   a file that the reader saves, of any kind

A board is at 8765 on a page and percepts go to 8766; where pages are run, free ports take their
place, in all blocks. Needs bash and curl, and says so where they are lacking.
"""

import contextlib
import io
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from kb_server import Blackboard

__all__ = ["Block", "Reader", "blocks_of", "run_page"]

ROOT: Final = Path(__file__).resolve().parents[2]
_FENCE: Final = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_SECONDS: Final = 180.0
"""Far more than any block takes, on a machine that does other things as well."""
_GIVEN_TO_NOBODY: Final = (10_000, 32_000)
"""Ports below those that the system gives to sockets without a port."""
_MINDBOARD: Final = """

case $1 in
    serve) shift; set -- serve --port {board} "$@" ;;
    perceive) shift; set -- perceive --port {feed} "$@" ;;
esac
exec {python} -m kb_server "$@"
"""


@dataclass(frozen=True, slots=True)
class Block:
    """One block of a page: its kind, what stands behind that, and its text."""

    kind: str
    marks: Mapping[str, str]
    text: str
    line: int


def blocks_of(page: str) -> list[Block]:
    """The blocks of a page, in order."""
    return [
        Block(
            found[1],
            dict(mark.split("=", 1) for mark in found[2].split()),
            found[3],
            page.count("\n", 0, found.start()) + 1,
        )
        for found in _FENCE.finditer(page)
    ]


def run_page(page: str, folder: Path) -> None:
    """Carries out a page of the documentation in a folder that is empty at first."""
    missing = [program for program in ("bash", "curl") if shutil.which(program) is None]
    if missing:
        pytest.fail(f"to run the pages, install {' and '.join(missing)}", pytrace=False)
    with ExitStack() as cleared:
        reader = Reader(folder, cleared)
        for block in blocks_of((ROOT / page).read_text("utf-8")):
            try:
                reader.follow(block)
            except Exception as trouble:
                trouble.add_note(f"{page}, line {block.line}; {reader.terminals_show()}")
                raise


class Reader:
    """A reader who follows a page, with their own terminals and Python."""

    def __init__(self, folder: Path, cleared: ExitStack) -> None:
        self._folder: Final = folder
        self._cleared: Final = cleared
        self._names: Final[dict[str, Any]] = {"__name__": "page"}
        self._terminals: Final[dict[str, _Terminal]] = {}
        self._ports: Final = _free_ports()
        self._environment: Final = _environment(folder / ".bin", self._ports)
        self._printed = ""
        cleared.callback(self._close_boards)

    def follow(self, block: Block) -> None:
        """Runs a block, or checks that the output it shows has been printed."""
        text = re.sub("|".join(self._ports), lambda found: self._ports[found[0]], block.text)
        if "file" in block.marks:
            (self._folder / block.marks["file"]).write_text(text, "utf-8")
        elif block.kind == "output":
            self._compare(text, block.marks.get("terminal"))
        elif block.kind == "python":
            self._printed = self._run_python(text, block.line)
        elif block.kind == "sh" and "terminal" in block.marks:
            self._terminals[block.marks["terminal"]] = self._cleared.enter_context(
                _terminal(text, self._folder, self._environment)
            )
        elif block.kind == "sh":
            self._printed = self._run_shell(text)

    def terminals_show(self) -> str:
        """The output of all terminals, to find the cause of a failure."""
        shown = (f"terminal {name}: {each.printed}" for name, each in self._terminals.items())
        return "\n".join(shown)

    def _close_boards(self) -> None:
        for value in self._names.values():
            if isinstance(value, Blackboard):
                value.close()

    def _compare(self, shown: str, terminal: str | None) -> None:
        if terminal is not None:
            self._terminals[terminal].wait_for(shown)
        else:
            assert re.fullmatch(_pattern(shown), self._printed, re.DOTALL), (
                f"the page shows\n{shown}\nand there came\n{self._printed}"
            )

    def _run_python(self, text: str, line: int) -> str:
        printed = io.StringIO()
        with contextlib.chdir(self._folder), contextlib.redirect_stdout(printed):
            exec(compile("\n" * line + text, "page", "exec"), self._names)
        return printed.getvalue()

    def _run_shell(self, text: str) -> str:
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", text],
            cwd=self._folder,
            env=self._environment,
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
        )
        assert done.returncode == 0, f"{text}\n{done.stdout}\n{done.stderr}"
        return done.stdout


class _Terminal:
    """A running program, and its output since the last check."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.printed = ""
        self._process: Final = process
        self._changed: Final = threading.Condition()
        self.reading: Final = threading.Thread(target=self._read, daemon=True)
        self.reading.start()

    def wait_for(self, shown: str) -> None:
        """Waits until what is shown has been printed, and passes over it."""
        pattern = re.compile(_pattern(shown).removesuffix(r"\s*"), re.DOTALL)
        with self._changed:
            came = self._changed.wait_for(lambda: pattern.search(self.printed), _SECONDS)
            assert came, f"the page shows\n{shown}\nand there came\n{self.printed}"
            self.printed = self.printed[came.end() :]

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            with self._changed:
                self.printed += line
                self._changed.notify_all()


@contextmanager
def _terminal(text: str, folder: Path, environment: Mapping[str, str]) -> Iterator[_Terminal]:
    """A terminal in which a command runs until the page is over; then it is terminated."""
    with subprocess.Popen(
        ["bash", "-euo", "pipefail", "-c", text],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as process:
        terminal = _Terminal(process)
        try:
            yield terminal
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
            terminal.reading.join(_SECONDS)


def _pattern(shown: str) -> str:
    """A pattern for shown output: `…` matches anything, and trailing blank lines are ignored."""
    return r"\s*" + ".*?".join(map(re.escape, shown.strip().split("…"))) + r"\s*"


def _environment(programs: Path, ports: Mapping[str, str]) -> dict[str, str]:
    """The environment of a reader for whom `mindboard` and `python` are those of this place."""
    programs.mkdir()
    for name, script in (("mindboard", _MINDBOARD), ("python", 'exec {python} "$@"')):
        program = programs / name
        said = script.format(python=sys.executable, board=ports["8765"], feed=ports["8766"])
        program.write_text(f"#!/bin/sh\n{said}\n")
        program.chmod(0o755)
    url = f"http://127.0.0.1:{ports['8765']}"
    paths = {"PATH": f"{programs}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    shown = {"COLUMNS": "80", "PYTHONUNBUFFERED": "1", "NO_COLOR": "1", "NO_PROXY": "*"}
    return {**os.environ, **paths, **shown, "MINDBOARD_URL": url}


def _free_ports() -> dict[str, str]:
    """Two free consecutive ports, for those of the pages.

    They are outside the range that the system gives away by itself, since they are used later.
    """
    while True:
        first = random.randrange(*_GIVEN_TO_NOBODY, 2)
        with ExitStack() as held, contextlib.suppress(OSError):
            for number in (first, first + 1):
                held.enter_context(socket.create_server(("127.0.0.1", number)))
            return {"8765": str(first), "8766": str(first + 1)}
