"""The floor for sockets: a server that passes each frame on to all others, and nothing else.

It runs on the same server, loop and protocol as the board: `python -m benchmarks.relay PORT`. With
a FOLDER after it, it passes a frame on only after a commit of one row there, fully synced and in
the loop: no service that keeps what it tells can be quicker on the same disk.
"""

import sqlite3
import sys
from pathlib import Path

import uvicorn
from fastapi import FastAPI, WebSocket, WebSocketDisconnect

from kb_server.service.listening import config_of
from kb_server.service.settings import ServiceSettings

__all__ = ["main"]


def relay(folder: Path | None = None) -> FastAPI:
    """An application of one route."""
    app = FastAPI()
    journal = None if folder is None else _journal(folder)
    sockets: dict[WebSocket, None] = {}

    @app.websocket("/events")
    async def events(socket: WebSocket) -> None:
        await socket.accept()
        sockets[socket] = None
        try:
            while True:
                text = await socket.receive_text()
                if journal is not None:
                    journal.execute("INSERT INTO kept (frame) VALUES (?)", (text,))
                for other in sockets:
                    if other is not socket:
                        await other.send_text(text)
        except WebSocketDisconnect:
            del sockets[socket]

    return app


def _journal(folder: Path) -> sqlite3.Connection:
    """A table in which each insert is a commit, as durable as the board's by default."""
    connection = sqlite3.connect(folder / "relay.db", isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE kept (id INTEGER PRIMARY KEY, frame TEXT NOT NULL)")
    return connection


def main(port: int, folder: Path | None = None) -> None:
    config = config_of(relay(folder), ServiceSettings())
    config.port = port
    uvicorn.Server(config).run()


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else None)
