"""The program in a process of its own, and what it prints line by line."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from queue import Queue
from typing import IO, Final

from tests.forked import Forked, run_forked

__all__ = ["Program", "Running"]

_CODE: Final = (
    "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler);"
    "from kb_server.program import main; sys.exit(main())"
)
"""Ctrl-C is heard also where the tests run in the background, for whom a shell turns it off."""
_SECONDS: Final = 30.0
Done = subprocess.CompletedProcess[str]


class Running:
    """A running command whose lines can be awaited."""

    def __init__(self, process: Forked) -> None:
        self.process: Final = process
        self._lines: Final[Queue[str]] = Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def line(self) -> str:
        """The next line; Empty when none comes."""
        return self._lines.get(timeout=_SECONDS)

    def interrupted(self) -> int:
        """Its exit status after Ctrl-C."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(_SECONDS)

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line.rstrip("\n"))


class Program:
    """`mindboard` against one board."""

    def __init__(self, url: str) -> None:
        self._line: Final = [sys.executable, "-P", "-c", _CODE]
        self._environment: Final = {**os.environ, "MINDBOARD_URL": url, "COLUMNS": "80"}

    def __call__(
        self, *words: str, stdin: str = "", status: int = 0, stdout: IO[str] | None = None
    ) -> Done:
        """Runs a command to its end, which must be with that status, and without a traceback."""
        done = run_forked(
            words,
            text=stdin,
            stdout=subprocess.PIPE if stdout is None else stdout,
            env=self._environment,
            timeout=_SECONDS,
        )
        assert done.returncode == status, done.stderr
        assert "Traceback" not in done.stderr
        return done

    def in_shell(self, line: str, *words: str) -> Done:
        """The result of a shell line in which `"$@"` is the command."""
        return subprocess.run(
            ["bash", "-c", line, "bash", *self._line, *words],
            capture_output=True,
            text=True,
            check=False,
            timeout=_SECONDS,
            env=self._environment,
        )

    def completions(self, line: str) -> set[str]:
        """The completions of a line, by argcomplete's protocol."""
        asked = {
            "_ARGCOMPLETE": "1",
            "_ARGCOMPLETE_STDOUT_FILENAME": "/dev/stdout",
            "_ARGCOMPLETE_SUPPRESS_SPACE": "1",
            "_ARGCOMPLETE_IFS": "\n",
            "COMP_LINE": line,
            "COMP_POINT": str(len(line)),
            "COMP_TYPE": "9",
        }
        environment = {**self._environment, **asked}
        done = subprocess.run(
            self._line, capture_output=True, text=True, check=False, timeout=30, env=environment
        )
        return {word.strip() for word in done.stdout.splitlines()}

    @contextmanager
    def running(self, *words: str) -> Iterator[Running]:
        """A command that is ended with the block."""
        with Forked(
            words,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=self._environment,
        ) as process:
            try:
                yield Running(process)
            finally:
                process.kill()
