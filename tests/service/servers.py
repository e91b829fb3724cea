"""Real servers for tests: processes of their own, on free ports, that leave nothing behind.

    def test_it(servers: Servers) -> None:
        server = servers.start()             # its own data folder; keeps=False for :memory:
        httpx.get(f"{server.url}/models")
        server.kill()                        # SIGKILL
        server.start()                       # again, on the same folder and port
        assert server.stop() == 0            # SIGTERM, and its exit status

The fixture `servers` stands in `tests/conftest.py`, and there too `server`, one that tests share.
"""

import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import PIPE
from typing import Final
from urllib.parse import urlsplit

from kb_server.__main__ import words_of
from tests.forked import Forked

__all__ = ["Server", "Servers", "started_servers"]

_READY: Final = re.compile(r"ready at (http://\S+)")
_SECONDS: Final = 30.0


class Server:
    """One server, which may be stopped or killed and started again on the same folder and port."""

    def __init__(self, folder: Path, keeps: bool, options: tuple[str, ...]) -> None:
        self.folder: Final = folder
        self.log_file: Final = folder.with_suffix(".log")
        self._data: Final = str(folder) if keeps else ":memory:"
        self._options: Final = options
        self._process: Forked | None = None
        self.url = "http://127.0.0.1:0"

    @property
    def port(self) -> int:
        return urlsplit(self.url).port or 0

    @property
    def events_url(self) -> str:
        return self.url.replace("http", "ws", 1) + "/events"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def log(self) -> str:
        """All that it has logged, over all its lives."""
        return self.log_file.read_text("utf-8")

    def start(
        self, *more: str, before: str = "", command: tuple[str, ...] = ("serve",)
    ) -> "Server":
        """Starts the process and waits until it reports that it is ready.

        `before` is Python that runs in the process first, for example to limit its resources.
        """
        words = (*command, "--port", str(self.port), "--data", self._data, *self._options, *more)
        with self.log_file.open("a") as log:
            self._process = Forked(words_of(words), stdout=PIPE, stderr=log, before=before)
        assert self._process.stdout is not None
        said = self._process.stdout.readline()
        ready = _READY.search(said)
        if ready is None:
            self.kill()
            raise AssertionError(f"the server did not start: {said}{self.log}")
        self.url = ready[1]
        return self

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Sends a signal, and returns the exit status."""
        return self._ended(number)

    def kill(self) -> None:
        """Ends it in the middle of whatever it does."""
        self._ended(signal.SIGKILL)

    def wait(self) -> int:
        """Its exit status, when it ends by itself."""
        assert self._process is not None
        return self._process.wait(_SECONDS)

    def _ended(self, number: signal.Signals) -> int:
        process = self._process
        if process is None:
            return 0
        process.send_signal(number)
        status = process.wait(_SECONDS)
        assert process.stdout is not None
        process.stdout.close()
        return status


class Servers:
    """As many servers as a test wants."""

    def __init__(self, folder: Path) -> None:
        self._folder: Final = folder
        self._made: Final[list[Server]] = []

    def start(self, *options: str, keeps: bool = True) -> Server:
        """A new server, ready; with `keeps` it has a journal in a folder of its own."""
        return self.made(*options, keeps=keeps).start()

    def made(self, *options: str, keeps: bool = True) -> Server:
        """A new server that is not started yet."""
        folder = self._folder / f"board-{len(self._made)}"
        server = Server(folder, keeps, options)
        self._made.append(server)
        return server

    def kill_all(self) -> None:
        for server in self._made:
            server.kill()


@contextmanager
def started_servers(folder: Path) -> Iterator[Servers]:
    """Servers that are gone when the block is."""
    servers = Servers(folder)
    try:
        yield servers
    finally:
        servers.kill_all()
