"""A companion: a process that runs beside the board, such as `perceive` for `serve --scene`.

It starts when the board is ready. If it ends by itself, it is restarted with exponential back-off.
It is stopped before the board, so that it can still withdraw its facts. Its standard input is a
pipe from the server: if the server is killed, the pipe closes and the companion ends.

The road not taken: a thread. The simulator holds the interpreter for milliseconds at a time.
"""

import asyncio
import hashlib
import logging
import os
import secrets
import socket
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from typing import Final

from kb_server.program import USAGE
from kb_server.service.access import Access, Tokens
from kb_server.service.server.listening import BoardServer

__all__ = ["AttendedServer", "Companion", "acquainted", "environment_of"]

_log: Final = logging.getLogger("mindboard")
_TOKEN: Final = "MINDBOARD_TOKEN"
_TOKEN_FILE: Final = "MINDBOARD_TOKEN_FILE"
_FIRST: Final = 1.0
_LONGEST: Final = 60.0
_GOODBYE: Final = 10.0


class Companion:
    """A command that is kept running from `start` to `stop`; any thread may call both.

    The pause before a restart grows from `first` to `longest` seconds. A command that ends with the
    status of bad usage is not restarted.
    """

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        environment: Mapping[str, str],
        first: float = _FIRST,
        longest: float = _LONGEST,
    ) -> None:
        self._name: Final = name
        self._command: Final = [*command]
        self._environment: Final = {**environment}
        self._first: Final = first
        self._longest: Final = longest
        self._over: Final = threading.Event()
        self._lock: Final = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread: Final = threading.Thread(
            target=self._attend, name=f"mindboard-{name}", daemon=True
        )

    def start(self) -> None:
        """Starts the process and the thread that restarts it."""
        self._thread.start()

    def stop(self) -> None:
        """Terminates the process and waits for its end; it is killed after 10 s."""
        with self._lock:
            self._over.set()
            process = self._process
        if process is not None:
            process.terminate()
            try:
                process.wait(_GOODBYE)
            except subprocess.TimeoutExpired:
                process.kill()
        if self._thread.is_alive():
            self._thread.join()

    def wait(self) -> None:
        """Waits until it is restarted no more."""
        self._thread.join()

    def _attend(self) -> None:
        delay = self._first
        while (process := self._begun()) is not None:
            began = time.monotonic()
            status = process.wait()
            if process.stdin is not None:
                process.stdin.close()
            if self._over.is_set():
                return
            if status == USAGE:
                _log.error("%s refused its arguments; it is not restarted", self._name)
                return
            if time.monotonic() - began > self._longest:
                delay = self._first
            _log.warning("%s ended (%d); again in %g s", self._name, status, delay)
            self._over.wait(delay)
            delay = min(2 * delay, self._longest)

    def _begun(self) -> "subprocess.Popen[bytes] | None":
        """Starts the process; None if the companion is stopped."""
        with self._lock:
            if self._over.is_set():
                return None
            self._process = subprocess.Popen(
                self._command, stdin=subprocess.PIPE, env=self._environment
            )
            return self._process


class AttendedServer(BoardServer):
    """A server with a companion, which is stopped while the board still answers."""

    companion: Companion | None = None

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if self.companion is not None:
            await asyncio.to_thread(self.companion.stop)
        await super().shutdown(sockets)


def acquainted(tokens: Tokens) -> tuple[Tokens, str]:
    """The tokens of a server and a new one for its companion."""
    token = secrets.token_urlsafe(32)
    hashed = hashlib.sha256(token.encode()).digest()
    return Tokens({**tokens.by_hash, hashed: Access("companion", "write")}), token


def environment_of(token: str | None) -> Mapping[str, str]:
    """The environment of a companion: the server's, with the companion's own token."""
    kept = {k: v for k, v in os.environ.items() if k not in (_TOKEN, _TOKEN_FILE)}
    return kept if token is None else {**kept, _TOKEN: token}
