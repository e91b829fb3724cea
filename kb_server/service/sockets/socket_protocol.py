"""uvicorn's websocket protocol, extended by a disconnect and an immediate send.

Flow control is uvicorn's: `send` waits while more than 64 KB are not yet with the kernel. Unsent
frames therefore wait in the outbox, which is bounded. uvicorn's `close` waits for the peer to read
all that is written, and would wait for ever for one that never reads. A stuck socket, or one that
does not answer a ping, is therefore aborted.

An invalid handshake never reaches the gate; it is answered and logged here. `send_now` writes a
frame without waking a task, past the layers of the application.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from uvicorn._types import ASGISendEvent
from uvicorn.protocols.websockets.websockets_sansio_impl import (
    STATUS_PHRASES,
    WebSocketsSansIOProtocol,
)
from websockets.datastructures import Headers
from websockets.http11 import Request, Response
from websockets.protocol import State

from kb_server.errors import BadRequest, BoardError, MethodNotAllowed, UpgradeRequired
from kb_server.service.http.gate import answer_of, log_line, new_id

__all__ = ["SocketProtocol", "WireControl", "line_of"]

_LINE: Final = "mindboard.line"
_BY_STATUS: Final[dict[int, type[BoardError]]] = {405: MethodNotAllowed, 426: UpgradeRequired}


class WireControl(NamedTuple):
    """Two functions of a connection: `cut` disconnects it, `send` is `send_now`."""

    cut: Callable[[], None]
    send: Callable[[str], bool]


def line_of(scope: Mapping[str, Any]) -> WireControl | None:
    """The connection of a socket, from the extensions of its scope."""
    found: WireControl | None = scope.get("extensions", {}).get(_LINE, {}).get(_LINE)
    return found


class SocketProtocol(WebSocketsSansIOProtocol):
    """One connection."""

    def handle_connect(self, event: Request) -> None:
        found = self.conn.accept(event)
        if found.status_code != 101:
            self._refuse(event, found)
            return
        super().handle_connect(event)
        self.scope["extensions"][_LINE] = {_LINE: WireControl(self.transport.abort, self.send_now)}

    def _refuse(self, event: Request, found: Response) -> None:
        """Answers an invalid handshake as the library does, with the one error body."""
        said = f"this is not a websocket handshake: {self.conn.handshake_exc}"
        status, body = answer_of(_BY_STATUS.get(found.status_code, BadRequest)(said))
        id = new_id()
        own = {"Content-Type": "application/json", "Content-Length": str(len(body))}
        headers = Headers({**dict(found.headers.raw_items()), **own, "X-Request-Id": id})
        self.conn.send_response(Response(status, STATUS_PHRASES[status], headers, body))
        self.handshake_complete = self.close_sent = True
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.transport.close()
        path = event.path.partition("?")[0][:200].encode("unicode_escape").decode()
        log_line("SOCKET", path, status, 0.0, id)

    def send_now(self, text: str) -> bool:
        """Sends a text frame; False if it must wait or the connection is closed."""
        is_open = self.handshake_complete and not self.close_sent and not self.disconnected
        if not is_open or not self.writable.is_set() or self.conn.state is not State.OPEN:
            return False
        self.conn.send_text(text.encode())
        self.transport.write(b"".join(self.conn.data_to_send()))
        return True

    async def send(self, message: ASGISendEvent) -> None:
        """As in uvicorn, which would take a refused handshake for an unanswered one."""
        await super().send(message)
        if message["type"] == "websocket.http.response.body" and not message.get("more_body"):
            self.handshake_complete = True

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.transport.abort()
