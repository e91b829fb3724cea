"""One socket's life: a command is read, carried out and answered once, while events go out.

Three tasks share it. One reads frames, as long as few enough wait; one carries commands out, in
order; one sends what the outbox has. `told` alone is not put in line: it answers a question that a
command before it may be waiting for.
"""

import asyncio
import logging
from typing import Final

from fastapi import APIRouter, Response, WebSocket
from starlette.websockets import WebSocketDisconnect, WebSocketState

from kb_server.core.errors import BoardError
from kb_server.journal.errors import JournalError
from kb_server.service.commands import carry_out
from kb_server.service.errors import Internal, TooLarge
from kb_server.service.gate import ACCESS, PROTOCOL, answer_of
from kb_server.service.outbox import Outbox
from kb_server.service.socket_protocol import ABORT
from kb_server.service.visitor import Visitor
from kb_server.wire.commands import BadFrame, Command, Id, Told, read_command
from kb_server.wire.errors import Refusal
from kb_server.wire.events import refusal_frame

__all__ = ["router"]

router: Final = APIRouter()

_log: Final = logging.getLogger(__name__)
_GOING_AWAY: Final = 1001
_TOLD: Final = '"told"'


@router.websocket("/events")
async def events(websocket: WebSocket) -> None:
    """Commands and events, as `docs/events.md` tells them."""
    state = websocket.app.state
    visitor = Visitor(state.desk, state.reading, websocket.scope[ACCESS])
    socket = Socket(websocket, visitor)
    try:
        visitor.hub.admit(socket)
    except BoardError as refusal:
        status, body = answer_of(refusal)
        await websocket.send_denial_response(Response(body, status, media_type="application/json"))
        return
    try:
        await websocket.accept(PROTOCOL if PROTOCOL in websocket.scope["subprotocols"] else None)
        await socket.live()
    finally:
        visitor.hub.dismiss(socket)


class Socket:
    """One connection, from its acceptance to its end."""

    def __init__(self, websocket: WebSocket, visitor: Visitor) -> None:
        settings = visitor.desk.settings
        self.outbox: Final = visitor.outbox
        self._websocket: Final = websocket
        self._visitor: Final = visitor
        self._most: Final = settings.frame_bytes
        self._inbox: Final = Outbox(settings.commands_waiting, 2 * settings.frame_bytes)
        self._working: asyncio.Task[None] | None = None
        self._sending: asyncio.Task[None] | None = None

    async def live(self) -> None:
        """Serves until the peer or the board goes."""
        self._working = asyncio.create_task(self._work_on())
        self._sending = asyncio.create_task(self._send_on())
        try:
            await self._read_on()
        finally:
            self._inbox.close()
            self._inbox.clear()
            self._visitor.depart()
            self._sending.cancel()
            await asyncio.gather(self._working, self._sending, return_exceptions=True)

    async def leave(self) -> None:
        """Finishes what was accepted, sends what is queued, and says goodbye."""
        self._inbox.close()
        if self._working is not None and self._sending is not None:
            await asyncio.wait([self._working])
            if self._visitor.unkept is not None:
                await asyncio.wait([self._visitor.unkept])
                await asyncio.sleep(0)  # its answer is queued by then
            self.outbox.close()
            await asyncio.wait([self._sending])
        if self._websocket.application_state is WebSocketState.CONNECTED:
            await self._websocket.close(_GOING_AWAY, "the board is going down")

    def cut(self) -> None:
        """Ends a connection that does not move."""
        abort = self._websocket.scope.get("extensions", {}).get(ABORT)
        if abort is not None:
            abort()

    async def _read_on(self) -> None:
        while True:
            await self._inbox.room()
            message = await self._websocket.receive()
            if message["type"] == "websocket.disconnect":
                return
            await self._take(message.get("text"))

    async def _take(self, text: str | None) -> None:
        """Puts a command in line; an answer to a question is heard at once."""
        if text is None:
            self._refuse(None, BadFrame("a frame is text, not binary"))
        elif len(text) > self._most:
            self._refuse(None, TooLarge(f"a frame has at most {self._most} characters"))
        elif _TOLD not in text or not await self._heard(text):
            self._inbox.put(text)

    async def _heard(self, text: str) -> bool:
        """Carries a frame out, if it is an answer to a question."""
        try:
            id, command = read_command(text)
        except BadFrame:
            return False
        if not isinstance(command, Told):
            return False
        await self._carry_out(id, command)
        return True

    async def _work_on(self) -> None:
        while (text := await self._inbox.take()) is not None:
            await self.outbox.room()
            try:
                id, command = read_command(text)
            except BadFrame as refusal:
                self._refuse(refusal.id, refusal)
            else:
                await self._carry_out(id, command)

    async def _carry_out(self, id: Id | None, command: Command) -> None:
        try:
            await carry_out(self._visitor, id, command)
        except (BoardError, JournalError) as refusal:
            self._refuse(id, refusal)
        except Exception:
            _log.exception("a command failed")
            self._refuse(id, Internal("this is a mistake of the board's; its log says more"))

    def _refuse(self, id: Id | None, refusal: Refusal) -> None:
        self.outbox.put(refusal_frame(id, refusal))

    async def _send_on(self) -> None:
        """Sends what the outbox has; while one frame is under way, the time it began is known."""
        loop, outbox = asyncio.get_running_loop(), self.outbox
        try:
            while (frame := await outbox.take()) is not None:
                outbox.sending_since = loop.time()
                await self._websocket.send_text(frame)
                outbox.sending_since = None
        except (WebSocketDisconnect, RuntimeError):
            outbox.close()  # the reader hears of it too
