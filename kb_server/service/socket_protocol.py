"""A websocket on the wire: uvicorn's, which can also be cut.

Flow control is uvicorn's own: `send` waits while more than 64 KB are not yet with the kernel, so
what is not read waits in the outbox, which is bounded. But its `close` waits for the peer to read
what is written; one that never reads would stay for ever. So a socket that is stuck, or that did
not answer a ping, is cut.
"""

from typing import Final, cast

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

__all__ = ["ABORT", "SocketProtocol"]

ABORT: Final = "mindboard.abort"
"""Under this name in the extensions of its scope a socket finds how to cut the line."""


class SocketProtocol(WebSocketsSansIOProtocol):
    """One connection."""

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if hasattr(self, "scope"):
            cast(dict[str, object], self.scope["extensions"])[ABORT] = self.transport.abort

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.transport.abort()
