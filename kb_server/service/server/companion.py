"""A companion: a process that lives beside the board, such as the eyes that `--scene` asks for.

It is started when the board is ready, started again with patience when it ends by itself, and ended
before the board leaves, so that it can still take back what it told. It holds a pipe from us as its
standard input; when we are killed, that ends, and so does it.

It is a process, not a thread: what sees keeps the interpreter to itself for milliseconds at a time.
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
    """A command that is kept running from `start` to `stop`; both may be called by any thread.

    `first` and `longest` bound how many seconds pass before it is started again. A command line
    that makes no sense to it is not tried again.
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
        """Starts it, and has a thread look after it."""
        self._thread.start()

    def stop(self) -> None:
        """Ends it, and waits until it has ended; what takes too long is killed."""
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
        """Waits until nobody looks after it any more."""
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
                _log.error("%s can't be started so; it is not tried again", self._name)
                return
            if time.monotonic() - began > self._longest:
                delay = self._first
            _log.warning("%s ended (%d); again in %g s", self._name, status, delay)
            self._over.wait(delay)
            delay = min(2 * delay, self._longest)

    def _begun(self) -> "subprocess.Popen[bytes] | None":
        """The process, begun; None when it is over."""
        with self._lock:
            if self._over.is_set():
                return None
            self._process = subprocess.Popen(
                self._command, stdin=subprocess.PIPE, env=self._environment
            )
            return self._process


class AttendedServer(BoardServer):
    """A board with a companion, which is ended while the board still answers."""

    companion: Companion | None = None

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if self.companion is not None:
            await asyncio.to_thread(self.companion.stop)
        await super().shutdown(sockets)


def acquainted(tokens: Tokens) -> tuple[Tokens, str]:
    """The tokens of a server with one more, which is made up for its companion."""
    token = secrets.token_urlsafe(32)
    hashed = hashlib.sha256(token.encode()).digest()
    return Tokens({**tokens.by_hash, hashed: Access("companion", "write")}), token


def environment_of(token: str | None) -> Mapping[str, str]:
    """The environment of a companion: ours, but for who it is on this board."""
    kept = {k: v for k, v in os.environ.items() if k not in (_TOKEN, _TOKEN_FILE)}
    return kept if token is None else {**kept, _TOKEN: token}
