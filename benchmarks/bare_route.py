"""The floor of the service: FastAPI with one route that makes one SQLite commit.

Event loop, parser, body and durability are those of the board's server.
"""

import socket
import sqlite3
import sys
from pathlib import Path

import uvicorn
from fastapi import FastAPI
from pydantic import BaseModel

__all__ = ["serve"]


class Told(BaseModel):
    retract: list[str] = []
    add: list[str] = []


def application(file: Path) -> FastAPI:
    """An application whose one route stores the posted body."""
    app = FastAPI()
    kept = sqlite3.connect(file, isolation_level=None)
    kept.execute("PRAGMA journal_mode = WAL")
    kept.execute("PRAGMA synchronous = FULL")
    kept.execute("CREATE TABLE told (id INTEGER PRIMARY KEY, body TEXT)")

    @app.post("/revise")
    async def revise(body: Told) -> dict[str, int | None]:
        row = kept.execute("INSERT INTO told (body) VALUES (?)", (body.model_dump_json(),))
        return {"seq": row.lastrowid}

    return app


def serve(folder: Path) -> None:
    """Serves on a free port, which it prints."""
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    config = uvicorn.Config(
        application(folder / "told.sqlite"), loop="uvloop", http="httptools", log_config=None
    )
    uvicorn.Server(config).run([listener])


if __name__ == "__main__":
    serve(Path(sys.argv[1]))
