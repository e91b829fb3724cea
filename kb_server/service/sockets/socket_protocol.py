"""A websocket on the wire: uvicorn's, which can also be cut.

Flow control is uvicorn's own: `send` waits while more than 64 KB are not yet with the kernel, so
what is not read waits in the outbox, which is bounded. But its `close` waits for the peer to read
what is written; one that never reads would stay for ever. So a socket that is stuck, or that did
not answer a ping, is cut.

A handshake that is none never comes to the gate; it is answered and logged as other requests.

What need not wait is written at once by `send_now`, past the layers of the application and without
waking a task.
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

__all__ = ["Line", "SocketProtocol", "line_of"]

_LINE: Final = "mindboard.line"
_BY_STATUS: Final[dict[int, type[BoardError]]] = {405: MethodNotAllowed, 426: UpgradeRequired}


class Line(NamedTuple):
    """How to `cut` a connection, and to `send` a frame now if it need not wait: see `send_now`."""

    cut: Callable[[], None]
    send: Callable[[str], bool]


def line_of(scope: Mapping[str, Any]) -> Line | None:
    """The connection of a socket, which lies in the extensions of its scope."""
    found: Line | None = scope.get("extensions", {}).get(_LINE, {}).get(_LINE)
    return found


class SocketProtocol(WebSocketsSansIOProtocol):
    """One connection."""

    def handle_connect(self, event: Request) -> None:
        found = self.conn.accept(event)
        if found.status_code != 101:
            self._refuse(event, found)
            return
        super().handle_connect(event)
        self.scope["extensions"][_LINE] = {_LINE: Line(self.transport.abort, self.send_now)}

    def _refuse(self, event: Request, found: Response) -> None:
        """Answers a handshake that is none as the library does, but in the one error body."""
        said = f"this is no handshake of a websocket: {self.conn.handshake_exc}"
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
        """Sends a frame of text; False when it must wait, or nobody hears it any more."""
        is_open = self.handshake_complete and not self.close_sent and not self.disconnected
        if not is_open or not self.writable.is_set() or self.conn.state is not State.OPEN:
            return False
        self.conn.send_text(text.encode())
        self.transport.write(b"".join(self.conn.data_to_send()))
        return True

    async def send(self, message: ASGISendEvent) -> None:
        """As uvicorn's, which takes a handshake that was refused for one that was forgotten."""
        await super().send(message)
        if message["type"] == "websocket.http.response.body" and not message.get("more_body"):
            self.handshake_complete = True

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.transport.abort()
