"""Receives frames over a websocket, `ws://…/frames`: each text message is one frame.

| message | answer |
|---|---|
| frame without `id` | none |
| frame with `id` | `{"id": 7, "ok": true}` once the reasoner has processed the frame |
| late frame with `id` | the same with `"late": 12.3`: seconds behind the newest frame |
| frame with `id`, superseded | the error body with code `busy`: a newer frame replaced it |
| invalid message | the error body, under `null` if no id can be read; the socket stays open |

A client that waits for each answer before it sends the next frame loses no frame.
"""

import asyncio
import json
import socket
from collections.abc import Mapping, Sequence
from contextlib import suppress
from http import HTTPStatus
from typing import Any, Final

from websockets.asyncio.server import ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from spatial_reasoner.errors import FrameError, SpatialError
from spatial_reasoner.percepts.access import PROTOCOL, AccessRefused, FrameAccess
from spatial_reasoner.percepts.feed import Feed, message
from spatial_reasoner.scene.scene_text import LARGEST
from spatial_reasoner.tolerances.units import Wait

__all__ = ["PATH", "FrameSocket"]

PATH: Final = "/frames"
_MOST: Final = 64
"""Connections at once, including those in the opening handshake."""
_HELLO: Final[Wait] = 10.0
"""Seconds for the opening handshake."""
_PING: Final[Wait] = 20.0
"""Seconds between pings, and to wait for each answer."""
_GOODBYE: Final[Wait] = 1.0
"""Seconds for the closing handshake."""
_LONGEST_ID: Final = 200
"""Characters of an `id`."""
_MOST_ANSWERS: Final = 64
"""Answers to one client that wait to be sent; beyond this its frames are not read."""


class FrameSocket:
    """A source of percepts that listens on an address. Raises OSError if the address is in use."""

    def __init__(self, host: str, port: int, gate: FrameAccess) -> None:
        self.name: Final = "websocket"
        self._host: Final = host
        self._socket: Final = _bound(host, port)
        self._gate: Final = gate

    @property
    def url(self) -> str:
        """Its address. Clients that connect before `run` starts have to wait."""
        host = f"[{self._host}]" if ":" in self._host else self._host
        return f"ws://{host}:{self._socket.getsockname()[1]}{PATH}"

    async def run(self, feed: Feed) -> None:
        """Listens until it is cancelled, and then closes all connections."""

        async def speak(connection: ServerConnection) -> None:
            await _Talk(connection, feed).listen()

        server = serve(
            speak,
            sock=self._socket,
            process_request=self._let_in,
            subprotocols=[Subprotocol(PROTOCOL)],
            select_subprotocol=_known,
            create_connection=_Connection,
            compression=None,
            server_header=None,
            max_size=LARGEST,
            open_timeout=_HELLO,
            ping_interval=_PING,
            ping_timeout=_PING,
            close_timeout=_GOODBYE,
        )
        async with server:
            await server.wait_closed()

    def close(self) -> None:
        """Releases the address, if `run` was never called."""
        self._socket.close()

    def _let_in(self, connection: ServerConnection, request: Request) -> Response | None:
        headers: dict[str, list[str]] = {}
        for name, value in request.headers.raw_items():
            headers.setdefault(name.lower(), []).append(value)
        try:
            if request.path.partition("?")[0] != PATH:
                raise AccessRefused(404, "not_found", f"the only path here is {PATH}")
            self._gate.check(headers)
            if "upgrade" not in headers:
                raise AccessRefused(426, "bad_request", "frames must be sent over a websocket")
            if len(connection.server.handler_tasks) > _MOST:
                raise AccessRefused(503, "busy", f"{_MOST} are connected already")
        except AccessRefused as refusal:
            return _response(refusal)
        return None


class _Connection(ServerConnection):
    """One connection. Far above the limit of connections it is aborted without an answer."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        if len(self.server.handler_tasks) > 2 * _MOST:
            self.transport.abort()


class _Talk:
    """Frames and answers of one client. Reading stops while too many answers wait to be sent."""

    def __init__(self, connection: ServerConnection, feed: Feed) -> None:
        self._connection: Final = connection
        self._feed: Final = feed
        self._answers: Final[set[asyncio.Task[None]]] = set()

    async def listen(self) -> None:
        try:
            async for text in self._connection:
                await self._receive(text)
                while len(self._answers) > _MOST_ANSWERS:
                    await asyncio.wait(self._answers, return_when=asyncio.FIRST_COMPLETED)
        except ConnectionClosed:
            pass
        finally:
            for answer in self._answers:
                answer.cancel()
            await asyncio.gather(*self._answers, return_exceptions=True)

    async def _receive(self, text: str | bytes) -> None:
        id: str | int | None = None
        try:
            if isinstance(text, bytes):
                raise FrameError("", "must be a text message, not binary")
            said = message(text)
            id = _id_of(said)
            frame = self._feed.read(_without_id(said))
        except FrameError as error:
            self._answer(_refusal(id, error))
            return
        taken = self._feed.put(frame)
        if id is not None:
            self._answer_when(taken, id)

    def _answer_when(self, taken: "asyncio.Future[float | None]", id: str | int) -> None:
        def answer(done: "asyncio.Future[float | None]") -> None:
            error = None if done.cancelled() else done.exception()
            if isinstance(error, SpatialError):
                self._answer(_refusal(id, error))
            elif not done.cancelled():
                self._answer({"id": id, "ok": True, **_lateness(done.result())})

        taken.add_done_callback(answer)

    def _answer(self, says: Mapping[str, Any]) -> None:
        task = asyncio.create_task(self._send(json.dumps(says, ensure_ascii=False)))
        self._answers.add(task)
        task.add_done_callback(self._answers.discard)

    async def _send(self, text: str) -> None:
        with suppress(ConnectionClosed):
            await self._connection.send(text)


def _bound(host: str, port: int) -> socket.socket:
    """Returns a socket bound to the address; raises OSError if the address is in use."""
    family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    return socket.create_server(address[:2], family=family)


def _known(_: ServerConnection, offered: Sequence[Subprotocol]) -> Subprotocol | None:
    """Returns the subprotocol of Mindboard if the client offers it; it is optional."""
    return Subprotocol(PROTOCOL) if PROTOCOL in offered else None


def _id_of(said: object) -> str | int | None:
    id = said.get("id") if isinstance(said, Mapping) else None
    if id is None or (isinstance(id, int) and not isinstance(id, bool)):
        return id
    if isinstance(id, str) and len(id) <= _LONGEST_ID:
        return id
    raise FrameError("id", f"must be a whole number or a text of at most {_LONGEST_ID} characters")


def _without_id(said: object) -> object:
    if isinstance(said, Mapping):
        return {key: value for key, value in said.items() if key != "id"}
    return said


def _lateness(late: float | None) -> Mapping[str, Any]:
    return {} if late is None else {"late": late}


def _refusal(id: str | int | None, error: SpatialError) -> Mapping[str, Any]:
    return {"id": id, **_body(error)}


def _body(error: SpatialError) -> Mapping[str, Any]:
    """The error body, in the same format as the board's."""
    return {"error": {"code": error.code, "message": error.message, "detail": error.detail}}


def _response(refusal: AccessRefused) -> Response:
    body = json.dumps(_body(refusal), ensure_ascii=False).encode()
    headers = Headers(
        [
            ("Content-Type", "application/json"),
            ("Content-Length", str(len(body))),
            ("Connection", "close"),
        ]
    )
    if refusal.status == HTTPStatus.UNAUTHORIZED:
        headers["WWW-Authenticate"] = "Bearer"
    return Response(refusal.status, HTTPStatus(refusal.status).phrase, headers, body)
