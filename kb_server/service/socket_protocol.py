"""A websocket on the wire: uvicorn's, which can also be cut.

Flow control is uvicorn's own: `send` waits while more than 64 KB are not yet with the kernel, so
what is not read waits in the outbox, which is bounded. But its `close` waits for the peer to read
what is written; one that never reads would stay for ever. So a socket that is stuck, or that did
not answer a ping, is cut.

What need not wait is written at once by `send_now`, past the layers of the application and without
waking a task.
"""

from typing import Final, cast

from uvicorn._types import ASGISendEvent
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request
from websockets.protocol import State

__all__ = ["ABORT", "SEND", "SocketProtocol"]

ABORT: Final = "mindboard.abort"
"""Under this name in the extensions of its scope a socket finds how to cut the line."""
SEND: Final = "mindboard.send"
"""And under this one, how to send a frame now if it need not wait: see `send_now`."""


class SocketProtocol(WebSocketsSansIOProtocol):
    """One connection."""

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if hasattr(self, "scope"):
            extensions = cast(dict[str, object], self.scope["extensions"])
            extensions[ABORT] = self.transport.abort
            extensions[SEND] = self.send_now

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
