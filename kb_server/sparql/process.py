"""A worker process from the board's side: start, write without waiting, kill, wait for its exit."""

import asyncio
import os
import socket
import subprocess
from collections.abc import Callable
from typing import Final, cast

from kb_server.sparql.protocol import Frames, WorkerFrame
from kb_server.workers import LEAST, only, start_worker

__all__ = ["WorkerProcess"]

_HIGH_WATER: Final = 1_048_576
"""Buffered bytes from which on `written` waits."""
_WORKER: Final = "kb_server.sparql.worker"


class WorkerProcess(asyncio.Protocol):
    """One process and the socket to it.

    The danger: the kernel sends the parent-death signal when the *thread* that started the process
    ends, so it must be started in the thread of the event loop.
    """

    def __init__(self, on_frame: Callable[[WorkerFrame], None], most: int) -> None:
        self.gone: Final = asyncio.Event()
        self._on_frame: Final = on_frame
        self._frames: Final = Frames(most)
        self._writable: Final = asyncio.Event()
        self._writable.set()
        self._process: subprocess.Popen[bytes] | None = None
        self._transport: asyncio.Transport | None = None
        self._killed = False

    @property
    def pid(self) -> int:
        """The process id; 0 before the start, and after the kill, when the id may be reused."""
        return self._process.pid if self._process and not self._killed else 0

    async def start(self) -> None:
        """Start the process; OSError if that fails."""
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                self._process = _started(theirs.fileno())
            ours.setblocking(False)
            await asyncio.get_running_loop().create_connection(lambda: self, sock=ours)
        except BaseException:
            ours.close()
            raise

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # uvloop's is no subclass
        self._transport.set_write_buffer_limits(_HIGH_WATER)

    def data_received(self, data: bytes) -> None:
        for frame in self._frames.fed(data):
            self._on_frame(frame)

    def connection_lost(self, _reason: Exception | None) -> None:
        self.gone.set()
        self._writable.set()

    def pause_writing(self) -> None:
        self._writable.clear()

    def resume_writing(self) -> None:
        self._writable.set()

    def send(self, data: bytes) -> None:
        """Write bytes; they are buffered here until the process reads them."""
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(data)

    async def written(self) -> None:
        """Wait until the buffer is below its high-water mark."""
        await self._writable.wait()

    def backlog(self) -> int:
        """Return the number of buffered bytes."""
        return self._transport.get_write_buffer_size() if self._transport else 0

    def kill(self) -> None:
        """Kill the process and close the socket."""
        self._killed = True
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
        if self._transport is not None:
            self._transport.abort()

    async def buried(self) -> int:
        """Kill the process, wait until it and the socket are gone, and return its exit status."""
        self.kill()
        if self._transport is not None:
            await self.gone.wait()
        if self._process is None:
            return 0
        return await asyncio.shield(asyncio.to_thread(self._process.wait))


def _started(descriptor: int) -> "subprocess.Popen[bytes]":
    environment = only(LEAST)
    return start_worker(
        _WORKER, descriptor, os.getpid(), environment=environment, sockets=(descriptor,)
    )
