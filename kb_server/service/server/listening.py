"""The listening socket and the server loop, which reports when the board is ready.

Measured with `benchmarks/service.py`, a revise of one fact over HTTP, stored in the journal:
uvloop takes between 0 and a third less time than asyncio's loop; httptools takes an eighth less
than h11 (`request_heads` adds the missing limits). Answers are encoded by Python's json: orjson
would save some 5 µs of about 1 000, of which 200 are the board's and 250 the journal's.
"""

import asyncio
import contextlib
import logging
import signal
import socket
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Final

import uvicorn
from fastapi import FastAPI

from kb_server.service.desk.desk import Desk
from kb_server.service.server.request_heads import bounded_http
from kb_server.service.settings import ServiceSettings
from kb_server.service.sockets.socket_protocol import SocketProtocol

__all__ = ["BoardServer", "bound_socket", "config_of"]

_log: Final = logging.getLogger(__name__)
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)
_BACKLOG: Final = 2_048
_WORKERS_SECONDS: Final = 30.0
_TICK: Final = 0.1
"""Seconds between two checks for a signal, as in uvicorn."""


def bound_socket(host: str, port: int) -> socket.socket:
    """A socket bound to the address, not listening yet; OSError if that fails."""
    family, kind, proto, _, address = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    found = socket.socket(family, kind, proto)
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind(address)
    except BaseException:
        found.close()
        raise
    return found


def config_of(app: FastAPI, settings: ServiceSettings) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        loop="uvloop",
        http=bounded_http(settings),
        ws=SocketProtocol,
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        backlog=_BACKLOG,
        ws_max_size=settings.frame_bytes,
        ws_per_message_deflate=False,
        ws_ping_interval=settings.ping_seconds,
        ws_ping_timeout=settings.ping_seconds,
        timeout_keep_alive=max(1, round(settings.idle_seconds)),
        timeout_graceful_shutdown=max(1, round(settings.goodbye_seconds)),
    )


class BoardServer(uvicorn.Server):
    """A uvicorn server that reports when the board is ready and shuts down in order."""

    def __init__(self, config: uvicorn.Config, desk: Desk) -> None:
        super().__init__(config)
        self.when_ready: Final[list[Callable[[], None]]] = []
        self._desk: Final = desk

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Opens the port, waits for the SPARQL workers, then calls `when_ready`."""
        await super().startup(sockets)
        if not await self._are_workers_ready() and not self.should_exit:
            _log.error("no SPARQL worker is ready after %g s; see /health", _WORKERS_SECONDS)
        if not self.should_exit:
            for tell in self.when_ready:
                tell()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for server in self.servers:
            server.close()  # no new connections during the shutdown
        try:
            await self._desk.take_leave()
        finally:
            await super().shutdown(sockets)  # which stores all changes
            if self.force_exit:  # then uvicorn skips the lifespan
                await self.lifespan.shutdown()

    async def _are_workers_ready(self) -> bool:
        """Waits for all workers, unless the server is asked to end meanwhile."""
        loop = asyncio.get_running_loop()
        end = loop.time() + _WORKERS_SECONDS
        healing = asyncio.ensure_future(self._desk.pool.healed())
        while not healing.done() and not self.should_exit and loop.time() < end:
            await asyncio.wait((healing,), timeout=_TICK)
        return not healing.cancel()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """As in uvicorn, except that a handled signal is not raised again: the exit status is 0."""
        before = {number: signal.signal(number, self.handle_exit) for number in _SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def leave(self) -> None:
        """Shuts the server down in order, as a first signal does; any thread may call it."""
        self.should_exit = True

    def handle_exit(self, _sig: int, _frame: FrameType | None) -> None:
        """Shuts down: in order at the first signal, at once at the second."""
        self.force_exit = self.should_exit
        self.should_exit = True
