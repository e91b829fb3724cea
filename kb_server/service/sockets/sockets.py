"""One websocket: commands are read, carried out and answered, while events are sent.

Three tasks share it:

1. One reads frames while the inbox has room.
2. One carries out commands, in order.
3. One sends the frames of the outbox.

The command `told` bypasses the inbox, since an earlier command may wait for this answer of a
provider. Waking a task takes as long as a small revision. Therefore, if the inbox is empty, the
reader carries out a small `revise` itself, one in each pass of the loop, so that other sockets get
their turn; and a frame for an empty outbox is sent at once.
"""

import asyncio
import logging
import re
from typing import Final

from fastapi import APIRouter, Response, WebSocket
from starlette.websockets import WebSocketDisconnect, WebSocketState

from kb_server.errors import BadRequest, BoardError, Internal, NotFound, TooLarge, UpgradeRequired
from kb_server.service.delivery.outbox import Outbox
from kb_server.service.http.gate import ACCESS, PROTOCOL, TICKET, answer_of
from kb_server.service.sockets.commands import carry_out
from kb_server.service.sockets.socket_client import SocketClient
from kb_server.service.sockets.socket_protocol import line_of
from kb_server.wire.commands import BadFrame, Command, Id, Revise, StageCommand, Told, read_command
from kb_server.wire.events import refusal_frame

__all__ = ["router"]

router: Final = APIRouter()

_log: Final = logging.getLogger(__name__)
_GOING_AWAY: Final = 1001
_TOLD: Final = '"told"'
_REVISE: Final = '"revise"'
_STAGE: Final = re.compile(r'"op"\s*:\s*"stage"')
"""Matches every frame that stages values, except one that writes `stage` with escapes."""
_ID_AHEAD: Final = re.compile(r'\s*\{\s*"id"\s*:\s*(?:"([^"\\]{1,200})"|(-?\d{1,15}))\s*[,}]')


@router.websocket("/events")
async def events(websocket: WebSocket) -> None:
    """Commands and events; see `docs/events.md`."""
    state = websocket.app.state
    client = SocketClient(state.desk, state.reading, websocket.scope[ACCESS])
    socket = SocketSession(websocket, client)
    try:
        _check_parameters(websocket)
        client.hub.admit(socket)
    except BoardError as refusal:
        await _deny(websocket, refusal)
        return
    try:
        await websocket.accept(PROTOCOL if PROTOCOL in websocket.scope["subprotocols"] else None)
        await socket.live()
    finally:
        client.hub.dismiss(socket)


@router.websocket("/{path:path}")
async def elsewhere(websocket: WebSocket, path: str) -> None:
    """All other paths, which have no websocket."""
    await _deny(websocket, NotFound(f"there is no websocket at /{path[:200]}, but at /events"))


@router.get("/events", include_in_schema=False)
async def not_upgraded() -> Response:
    """The answer to a plain GET of the websocket's address."""
    status, body = answer_of(UpgradeRequired("this is a websocket; connect to ws://…/events"))
    headers = {"upgrade": "websocket", "connection": "upgrade"}
    return Response(body, status, headers, media_type="application/json")


def _check_parameters(websocket: WebSocket) -> None:
    for name in websocket.query_params:
        if name != TICKET:
            raise BadRequest(f"unknown parameter {name[:80]!r}; known: none", field=name[:80])


async def _deny(websocket: WebSocket, refusal: BoardError) -> None:
    """Answers an upgrade with an error, as for a request."""
    status, body = answer_of(refusal)
    await websocket.send_denial_response(Response(body, status, media_type="application/json"))


class SocketSession:
    """One connection, from its acceptance to its end."""

    def __init__(self, websocket: WebSocket, client: SocketClient) -> None:
        settings = client.desk.settings
        self.outbox: Final = client.outbox
        self._websocket: Final = websocket
        self._line: Final = line_of(websocket.scope)
        self._client: Final = client
        self._most: Final = settings.frame_bytes
        self._most_staged: Final = settings.stage_frame_bytes
        self._inbox: Final = Outbox(
            settings.commands_waiting, 2 * settings.frame_bytes, client.hub.queues
        )
        self.outbox.cut = self._inbox.cut = self.cut
        self._working: asyncio.Task[None] | None = None
        self._sending: asyncio.Task[None] | None = None
        self._is_busy = False
        self._may_now = True

    async def live(self) -> None:
        """Serves until the client or the board closes the connection."""
        self._working = asyncio.create_task(self._work_on())
        self._sending = asyncio.create_task(self._send_on())
        if self._line is not None:
            self.outbox.door = self._line.send
        try:
            await self._read_on()
        finally:
            self._inbox.close()
            self._inbox.clear()
            self._client.depart()
            self._sending.cancel()
            await asyncio.gather(self._working, self._sending, return_exceptions=True)

    async def leave(self) -> None:
        """Finishes accepted commands, sends all queued frames, then closes."""
        self._inbox.close()
        if self._working is not None and self._sending is not None:
            await asyncio.wait([self._working])
            if self._client.unkept is not None:
                await asyncio.wait([self._client.unkept])
                await asyncio.sleep(0)  # its answer is queued by then
            self.outbox.close()
            await asyncio.wait([self._sending])
        if self._websocket.application_state is WebSocketState.CONNECTED:
            await self._websocket.close(_GOING_AWAY, "the board is shutting down")

    def cut(self) -> None:
        """Disconnects a client that reads nothing."""
        if self._line is not None:
            self._line.cut()

    async def _read_on(self) -> None:
        while True:
            await self._inbox.room()
            message = await self._websocket.receive()
            if message["type"] == "websocket.disconnect":
                return
            await self._take(message.get("text"))

    async def _take(self, text: str | None) -> None:
        """Queues a command; `told` and a small `revise` may be carried out at once."""
        if text is None:
            self._refuse(None, BadFrame("a frame must be text, not binary"))
        elif len(text) > self._most:
            self._refuse(None, TooLarge(f"a frame has at most {self._most} characters"))
        elif len(text) > self._most_staged and _STAGE.search(text):
            self._refuse(_id_ahead(text), self._too_much())  # reading it would delay all clients
        elif not self._may_be_now(text) or not await self._done_now(text):
            self._inbox.put(text)

    def _may_be_now(self, text: str) -> bool:
        """Whether a frame may be one that need not be queued."""
        return _TOLD in text or (_REVISE in text and self._is_idle())

    def _is_idle(self) -> bool:
        """Whether a queued command would be carried out at once."""
        waits = self._is_busy or len(self._inbox) > 0 or self._inbox.is_closed
        return (
            self._may_now
            and not waits
            and self.outbox.is_roomy
            and not self._client.desk.writer.board_lock.taken
        )

    async def _done_now(self, text: str) -> bool:
        """Carries out a frame if it is `told` or a small `revise`; returns whether it did.

        The danger: no `told` is read while this waits. A revision that would wait for its turn
        or for a thread is therefore queued.
        """
        try:
            id, command = read_command(text)
        except BadFrame:
            return False
        if not isinstance(command, Told) and not (self._is_small(command) and self._is_idle()):
            return False
        self._rest()
        await self._carry_out(id, command)
        return True

    def _rest(self) -> None:
        """Queues further commands until other sockets have had their turn."""
        self._may_now = False
        asyncio.get_running_loop().call_soon(self._go_on)

    def _go_on(self) -> None:
        self._may_now = True

    def _is_small(self, command: Command) -> bool:
        return isinstance(command, Revise) and command.size <= self._client.desk.settings.large

    async def _work_on(self) -> None:
        while (text := await self._inbox.take()) is not None:
            self._is_busy = True
            await self.outbox.room()
            try:
                id, command = read_command(text)
            except BadFrame as refusal:
                self._refuse(refusal.id, refusal)
            else:
                if isinstance(command, StageCommand) and len(text) > self._most_staged:
                    self._refuse(id, self._too_much())
                else:
                    await self._carry_out(id, command)
            self._is_busy = False

    async def _carry_out(self, id: Id | None, command: Command) -> None:
        try:
            await carry_out(self._client, id, command)
        except BoardError as refusal:
            self._refuse(id, refusal)
        except Exception:
            _log.exception("a command failed")
            self._refuse(id, Internal("this is a bug of the board; its log has the details"))

    def _too_much(self) -> TooLarge:
        allowed = self._most_staged
        return TooLarge(f"a frame for the stage has at most {allowed} characters", allowed=allowed)

    def _refuse(self, id: Id | None, refusal: BoardError) -> None:
        self.outbox.put(refusal_frame(id, refusal))

    async def _send_on(self) -> None:
        """Sends the frames of the outbox; `sending_since` is set while one is being sent."""
        loop, outbox = asyncio.get_running_loop(), self.outbox
        try:
            while (frame := await outbox.take()) is not None:
                outbox.sending_since = loop.time()
                await self._websocket.send_text(frame)
                outbox.sending_since = None
        except (WebSocketDisconnect, RuntimeError):
            outbox.close()  # the reader receives the disconnect too


def _id_ahead(text: str) -> Id | None:
    """The id of an unread frame, if it is the first member."""
    found = _ID_AHEAD.match(text)
    if found is None:
        return None
    name, number = found.groups()
    return int(number) if name is None else name
