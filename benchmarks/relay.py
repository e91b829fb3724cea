"""The floor of the websocket: a server that only passes each frame on to all other clients.

It has the same server, event loop and protocol as the board: `python -m benchmarks.relay PORT`.
"""

import sys

import uvicorn
from fastapi import FastAPI, WebSocket, WebSocketDisconnect

from kb_server.service.server.listening import config_of
from kb_server.service.settings import ServiceSettings

__all__ = ["main"]


def relay() -> FastAPI:
    """An application with one route."""
    app = FastAPI()
    sockets: dict[WebSocket, None] = {}

    @app.websocket("/events")
    async def events(socket: WebSocket) -> None:
        await socket.accept()
        sockets[socket] = None
        try:
            while True:
                text = await socket.receive_text()
                for other in sockets:
                    if other is not socket:
                        await other.send_text(text)
        except WebSocketDisconnect:
            del sockets[socket]

    return app


def main(port: int) -> None:
    config = config_of(relay(), ServiceSettings())
    config.port = port
    uvicorn.Server(config).run()


if __name__ == "__main__":
    main(int(sys.argv[1]))
