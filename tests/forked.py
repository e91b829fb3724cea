"""`mindboard` in a process of its own, forked from one in which its modules are imported already.

A process that starts from nothing spends a second of CPU on imports, and tests start hundreds. The
forked one has its own pid, standard streams, environment, signals and exit status, so all that a
test can ask of a process holds; what an import does at start is tested with processes that start
from nothing (`tests/program`).
"""

import atexit
import multiprocessing
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from multiprocessing.connection import wait as wait_for
from multiprocessing.context import ForkServerProcess
from multiprocessing.reduction import DupFd
from subprocess import DEVNULL, PIPE, CompletedProcess, TimeoutExpired
from tempfile import TemporaryFile
from typing import IO, Any, Final

from kb_server.program import main

__all__ = ["Forked", "run_forked"]

multiprocessing.get_context("forkserver").set_forkserver_preload(["tests.preloaded"])
Stream = int | IO[Any] | None


class Forked:
    """A command line of `mindboard` that runs; in all else like a `Popen` with text streams.

    `before` is Python that runs first, as to bound what the process may take.
    """

    def __init__(
        self,
        words: Sequence[str],
        *,
        stdin: Stream = DEVNULL,
        stdout: Stream = None,
        stderr: Stream = None,
        env: Mapping[str, str] | None = None,
        before: str = "",
    ) -> None:
        self.args: Final = [*words]
        self.stdin: IO[str] | None = None
        self.stdout: IO[str] | None = None
        self.stderr: IO[str] | None = None
        theirs = [
            self._end(name, stream)
            for name, stream in (("stdin", stdin), ("stdout", stdout), ("stderr", stderr))
        ]
        environment = dict(os.environ if env is None else env)
        given = (self.args, [_Inherited(end) for end in theirs], environment, os.getcwd(), before)
        self._process: Final = ForkServerProcess(target=_run, args=given)
        self._process.start()
        for end in theirs:
            os.close(end)
        assert self._process.pid is not None
        self.pid: Final[int] = self._process.pid

    def _end(self, name: str, stream: Stream) -> int:
        if stream == PIPE:
            read, write = os.pipe()
            ours, theirs = (write, read) if name == "stdin" else (read, write)
            setattr(self, name, os.fdopen(ours, "w" if name == "stdin" else "r", encoding="utf-8"))
            return theirs
        if stream == DEVNULL:
            return os.open(os.devnull, os.O_RDWR)
        number = ("stdin", "stdout", "stderr").index(name) if stream is None else stream
        return os.dup(number if isinstance(number, int) else number.fileno())

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    def poll(self) -> int | None:
        """The exit status, if the process has ended."""
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """The exit status, once the process has ended; TimeoutExpired if it does not in time."""
        if not wait_for([self._process.sentinel], timeout):
            raise TimeoutExpired(self.args, timeout or 0.0)
        self._process.join()
        assert self._process.exitcode is not None
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        """Sends a signal, unless the process has ended."""
        if self.returncode is None:
            with suppress(ProcessLookupError):  # it ends at this moment
                os.kill(self.pid, number)

    def kill(self) -> None:
        """SIGKILL."""
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        """SIGTERM."""
        self.send_signal(signal.SIGTERM)

    def __enter__(self) -> "Forked":
        return self

    def __exit__(self, *_: object) -> None:
        for stream in (self.stdin, self.stdout, self.stderr):
            if stream is not None:
                stream.close()
        self.wait()


def run_forked(
    words: Sequence[str],
    *,
    text: str = "",
    stdout: Stream = PIPE,
    env: Mapping[str, str] | None = None,
    timeout: float = 60.0,
) -> CompletedProcess[str]:
    """Runs a command line to its end, with `text` at its standard input, as `subprocess.run`."""
    with (
        TemporaryFile("w+", encoding="utf-8") as given,
        TemporaryFile("w+", encoding="utf-8") as said,
        TemporaryFile("w+", encoding="utf-8") as complained,
    ):
        given.write(text)
        given.seek(0)
        out = said if stdout == PIPE else stdout
        with Forked(words, stdin=given, stdout=out, stderr=complained, env=env) as process:
            try:
                status = process.wait(timeout)
            finally:
                process.kill()
        said.seek(0)
        complained.seek(0)
        return CompletedProcess([*words], status, said.read(), complained.read())


class _Inherited:
    """An open file that the process gets as its own; its number there once it is unpickled."""

    def __init__(self, number: int) -> None:
        self._number: Final = number

    def __reduce__(self) -> tuple[Callable[[Any], int], tuple[Any]]:
        return _number_of, (DupFd(self._number),)


def _number_of(inherited: Any) -> int:
    number: int = inherited.detach()
    return number


def _run(
    words: list[str], streams: list[int], environment: dict[str, str], folder: str, before: str
) -> None:
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = os.fdopen(2, "w", 1, "utf-8", "backslashreplace", closefd=False)
    sys.argv = ["mindboard", *words]
    os._exit(_status(words, before))


def _status(words: list[str], before: str) -> int:
    """The exit status that an interpreter ends with."""
    try:
        exec(before, {})
        status: Any = main(words)
    except SystemExit as end:
        status = end.code
    except BaseException:
        traceback.print_exc()
        status = 1
    if isinstance(status, str):
        print(status, file=sys.stderr)
        status = 1
    try:
        threading._shutdown()  # type: ignore[attr-defined]
        atexit._run_exitfuncs()
        sys.stdout.flush()
    except BrokenPipeError:
        status = 120
    return int(status or 0)
