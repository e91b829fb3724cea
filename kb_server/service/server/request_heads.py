"""uvicorn's HTTP protocol with limits on the head of a request, in bytes and seconds.

The parser itself has no limits: a client that sends headers for ever would fill the memory, and a
thousand silent clients would take all connections. Refusals here, and past the maximum number of
connections, have the one error body.
"""

import asyncio
import json
import logging
from typing import Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from kb_server.errors import BadRequest, Busy
from kb_server.service.http.gate import log_line, new_id, refusing
from kb_server.service.settings import ServiceSettings
from kb_server.wire.errors import error_body

__all__ = ["bounded_http"]

_SPARE: Final = 64
"""Connections past the maximum, on which the gate still answers with Busy."""
_errors: Final = logging.getLogger("uvicorn.error.heads")
_errors.setLevel(logging.ERROR)
"""Silences uvicorn's warning about invalid HTTP, which is logged here like every request."""


class _Bounded(HttpToolsProtocol):
    settings: ServiceSettings
    _head: int = 0
    _is_head: bool = True
    _patience: asyncio.TimerHandle | None = None

    def connection_made(
        self,
        transport: asyncio.Transport,  # type: ignore[override]  # narrowed as uvicorn's own is
    ) -> None:
        super().connection_made(transport)
        self.logger = _errors
        self._expect_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._be_patient()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._head += len(data)
        super().data_received(data)
        if self._is_head and self._head > self.settings.head_bytes:
            self.send_400_response(f"a head has at most {self.settings.head_bytes} bytes")

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._expect_head()

    def on_headers_complete(self) -> None:
        self._be_patient()
        self._is_head = False
        self.app = self.config.loaded_app
        most = self.settings.connections
        if len(self.connections) > most + _SPARE:
            self.app = refusing(Busy(f"{most} connections are open", reason="connections"))
        super().on_headers_complete()

    def send_400_response(self, msg: str) -> None:
        """Answers with the one error body, unless the connection is closed."""
        if self.transport.is_closing():
            return
        self._be_patient()
        body, id = json.dumps(error_body(BadRequest.code, msg, {})).encode(), new_id()
        head = (
            b"HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\nx-request-id: %s\r\n"
            b"connection: close\r\ncontent-length: %d\r\n\r\n" % (id.encode(), len(body))
        )
        log_line("?", "(no HTTP)", 400, 0.0, id)
        self.transport.write(head + body)
        self.transport.close()

    def _expect_head(self) -> None:
        self._be_patient()
        self._head, self._is_head = 0, True
        self._patience = self.loop.call_later(self.settings.head_seconds, self._give_up)

    def _be_patient(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def _give_up(self) -> None:
        self.transport.abort()


def bounded_http(bounds: ServiceSettings) -> type[HttpToolsProtocol]:
    """The protocol of a server with these settings."""

    class Bounded(_Bounded):
        settings = bounds

    return Bounded
