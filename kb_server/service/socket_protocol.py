"""A websocket on the wire: uvicorn's, which can also be cut.

Flow control is uvicorn's own: `send` waits while more than 64 KB are not yet with the kernel, so
what is not read waits in the outbox, which is bounded. But its `close` waits for the peer to read
what is written; one that never reads would stay for ever. So a socket that is stuck, or that did
not answer a ping, is cut.

What need not wait is written at once by `send_now`, past the layers of the application and without
waking a task.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from uvicorn._types import ASGISendEvent
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request
from websockets.protocol import State

__all__ = ["Line", "SocketProtocol", "line_of"]

_LINE: Final = "mindboard.line"


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
        super().handle_connect(event)
        if hasattr(self, "scope"):
            self.scope["extensions"][_LINE] = {_LINE: Line(self.transport.abort, self.send_now)}

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
