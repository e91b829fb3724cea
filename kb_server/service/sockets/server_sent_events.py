"""A subscription as Server-Sent Events, for clients that use HTTP alone.

Each event has the same JSON as on the websocket. The last event of a delta has an id: the delta's
`seq` and the identity of the board, `42@5ac7…`. A browser that reconnects returns it in
`Last-Event-ID`, which tells where to resume, and of which board.
"""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Annotated, Final, Literal

from fastapi import APIRouter, Depends, Header, Query, Response
from fastapi.responses import StreamingResponse

from kb_server.errors import BadRequest
from kb_server.service.delivery.outbox import Outbox
from kb_server.service.http.calls import Calling, documented, only_known_parameters
from kb_server.service.http.routes import ModelPath
from kb_server.service.sockets.socket_client import SocketClient
from kb_server.service.sockets.subscriptions import begin_subscription
from kb_server.wire.commands import Subscribe

__all__ = ["router"]

router: Final = APIRouter(tags=["events"], dependencies=[Depends(only_known_parameters)])

_SUB: Final = "stream"
_LONGEST: Final = 200
_SEQ: Final = '"seq":'
_RESUME: Final = '"resume_after":'
_ROW: Final = ',"snapshot":true}'
_ENDS: Final = ('{"event":"overflow"', '{"event":"error"')
_ALIVE: Final = ": still here\n\n"
_NOT_KEPT: Final = {"cache-control": "no-store", "x-accel-buffering": "no"}


@dataclass(frozen=True, slots=True)
class _StreamQuery:
    """The query parameters and the header of a stream."""

    pattern: Annotated[list[str], Query(description="a pattern of the conjunction; repeatable")]
    on: Literal["appear", "disappear", "both"] = "appear"
    once: bool = False
    snapshot: bool = False
    after: Annotated[int | None, Query(ge=0, le=2**62, description="resume after this seq")] = None
    board: Annotated[
        str | None, Query(max_length=_LONGEST, description="the board that `after` is of")
    ] = None
    last_event_id: Annotated[
        str | None, Header(description="as `after`, from a browser: the last `id:`")
    ] = None

    def command(self, model: str, identity: str) -> Subscribe:
        """The command that subscribes; `identity` is that of this board."""
        resumed, name = _place(self.last_event_id) if self.last_event_id else (None, None)
        is_other = name not in (None, identity)
        return Subscribe(
            model=model,
            patterns=list(self.pattern),
            on=self.on,
            once=self.once,
            snapshot=self.snapshot and resumed is None,
            after=self.after if resumed is None else resumed,
            board=name if self.board is None or is_other else self.board,
        )


@router.get(
    "/models/{model}/events",
    response_class=StreamingResponse,
    responses=documented({"event": "appear", "sub": _SUB, "seq": 42, "bindings": {"h": "sally"}}),
)
async def stream(
    call: Calling, model: ModelPath, asked: Annotated[_StreamQuery, Depends()]
) -> Response:
    """A subscription as Server-Sent Events; a browser that is disconnected resumes by itself."""
    command = asked.command(model, call.desk.host.identity)
    events = _Stream(SocketClient(call.desk, call.reading, call.access), command)
    await events.begin()
    return StreamingResponse(events.texts(), media_type="text/event-stream", headers=_NOT_KEPT)


class _Stream:
    """One stream, from its subscription to its end."""

    def __init__(self, client: SocketClient, asks: Subscribe) -> None:
        self.outbox: Final[Outbox] = client.outbox
        self.outbox.cut = self.cut
        self._client: Final = client
        self._asks: Final = asks
        self._filling: asyncio.Task[None] | None = None
        self._sending: asyncio.Task[object] | None = None
        self._first = ""
        self._at: Final = f"@{client.desk.host.identity}"
        self._ended: Final = asyncio.Event()

    async def begin(self) -> None:
        """Subscribes; an invalid subscription raises before anything is sent."""
        self._client.hub.admit(self)
        filling = asyncio.create_task(begin_subscription(self._client, _SUB, self._asks))
        first = asyncio.create_task(self.outbox.take())
        try:
            await asyncio.wait((filling, first), return_when=asyncio.FIRST_COMPLETED)
            if filling.done():
                filling.result()
            self._first = await first or ""
        except BaseException:
            filling.cancel()
            first.cancel()
            self._end()
            raise
        self._filling = filling

    async def texts(self) -> AsyncIterator[str]:
        """The text of the stream: every event, and a comment after `ping_seconds` without one."""
        loop, every = asyncio.get_running_loop(), self._client.desk.settings.ping_seconds
        self._sending = asyncio.current_task()
        try:
            if not self._asks.snapshot:
                yield f"id: {self._begun_after()}{self._at}\n\n"
            while (text := await self._next(every)) is not None:
                self.outbox.sending_since = loop.time()
                yield text
                self.outbox.sending_since = None
                if self._is_over():
                    return
        finally:
            self._end()

    async def leave(self) -> None:
        """Ends the stream once all queued frames are sent."""
        self.outbox.close()
        await self._ended.wait()

    def cut(self) -> None:
        """Ends a stream whose client reads nothing."""
        if self._sending is not None:
            self._sending.cancel()

    def _begun_after(self) -> str:
        """The `seq` to resume after until the first event is sent."""
        after = self._asks.after
        return _after(self._first, _SEQ) if after is None else str(after)

    async def _next(self, every: float) -> str | None:
        try:
            async with asyncio.timeout(every):
                frame = await self.outbox.take()
        except TimeoutError:
            return _ALIVE
        if frame is None:
            return None
        if not len(self.outbox):
            await asyncio.sleep(0)  # more events of the same delta may be on their way
        return _text(frame, self.outbox.peek(), self._at)

    def _is_over(self) -> bool:
        """Whether the subscription has ended and all of its frames are sent."""
        begun = self._filling is not None and self._filling.done()
        return begun and not self._client.subscribers and not len(self.outbox)

    def _end(self) -> None:
        self._client.depart()
        self._client.hub.dismiss(self)
        self._ended.set()


def _text(frame: str, following: str | None, at: str) -> str:
    """An event as text; the last one of a delta has the delta's `seq` and the board as its id."""
    if frame.startswith(_ENDS):
        number = _after(frame, _RESUME)
    else:
        number = _after(frame, _SEQ)
        goes_on = following is not None and _after(following, _SEQ) == number
        if goes_on or frame.endswith(_ROW):
            number = ""
    return f"id: {number}{at}\ndata: {frame}\n\n" if number else f"data: {frame}\n\n"


def _after(frame: str, mark: str) -> str:
    """The number after a mark; no subscription's name can contain the mark."""
    rest = frame.partition(mark)[2]
    return rest[: len(rest) - len(rest.lstrip("0123456789"))]


def _place(text: str) -> tuple[int, str | None]:
    """The `seq` to resume after, and the identity of its board, if given.

    >>> _place("42@5ac7a3b2"), _place("42")
    ((42, '5ac7a3b2'), (42, None))
    """
    seq, _, board = text.partition("@")
    if not (seq.isascii() and seq.isdigit() and len(seq) < 19 and len(board) <= _LONGEST):
        message = f"Last-Event-ID must be a seq or seq@board, not {text[:80]!r}"
        raise BadRequest(message, field="last-event-id")
    return int(seq), board or None
