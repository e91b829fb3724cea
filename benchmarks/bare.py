"""A bare FastAPI route on the board's server: `python -m benchmarks.bare` prints its address.

It reads a posted text and answers with a text of the requested size.
"""

import uvicorn
from fastapi import FastAPI, Request, Response

from kb_server.service.server.listening import bound_socket, config_of
from kb_server.service.settings import ServiceSettings

__all__ = ["main"]

app = FastAPI()


@app.post("/{size}")
async def bare(request: Request, size: int) -> Response:
    """Returns the requested number of bytes, once the body is read."""
    await request.body()
    return Response(b"x" * size, media_type="application/sparql-results+json")


def main() -> None:
    """Serves until it is ended."""
    place = bound_socket("127.0.0.1", 0)
    place.listen()
    print(f"ready at http://127.0.0.1:{place.getsockname()[1]}", flush=True)
    uvicorn.Server(config_of(app, ServiceSettings())).run(sockets=[place])


if __name__ == "__main__":
    main()
