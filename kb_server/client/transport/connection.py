"""The websocket to a board, reconnected with exponential back-off when it breaks."""

import asyncio
import json
import logging
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from itertools import count
from typing import Any, Final

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus, InvalidURI, WebSocketException

from kb_server.client.calls.errors import Closed, ConnectionFailed, TimedOut, Unreachable, refusal
from kb_server.client.calls.frames import encoded
from kb_server.client.transport.http import authorization
from kb_server.errors import BoardError, Busy, ReadOnly, Stopping

__all__ = ["PASSING", "Connection", "ConnectionLost", "in_time"]

PASSING: Final = (Busy, ReadOnly, Stopping)
"""Temporary refusals: the same command can be repeated later."""
_log: Final = logging.getLogger(__name__)
_FIRST_DELAY: Final = 0.05
_LONGEST_DELAY: Final = 5.0
_FRAME_BYTES: Final = 64 * 2**20
_CONNECT_SECONDS: Final = 5.0
_CONNECT_PART: Final = 0.8
"""Share of the timeout that connecting may take, so that Unreachable comes before TimedOut."""
_PING_SECONDS: Final = 20.0
_BEAT_SECONDS: Final = 20.0
_BROKEN: Final = (OSError, TimeoutError, WebSocketException)


class ConnectionLost(ConnectionFailed):
    """The connection broke before the answer came."""


class Connection:
    """Commands and their answers over one websocket; all event frames go to `hear`.

    After each connection, `resume` renews the subscriptions and the like before any other command
    is sent. From then on `keep_up` is called every 20 s to learn the board's newest delta. `fail`
    is called when reconnecting stops: after a permanent refusal, or if the first attempt failed.
    """

    def __init__(
        self,
        url: str,
        token: str | None,
        timeout: float,
        hear: Callable[[Mapping[str, Any]], None],
        resume: Callable[[], Awaitable[None]],
        keep_up: Callable[[], Awaitable[None]],
        fail: Callable[[Exception], None],
    ) -> None:
        self._url: Final = f"ws{url.removeprefix('http').rstrip('/')}/events"
        self._headers: Final = authorization(token)
        self._timeout: Final = timeout
        self._hear: Final = hear
        self._resume: Final = resume
        self._keep_up: Final = keep_up
        self._fail: Final = fail
        self._socket: ClientConnection | None = None
        self._up: asyncio.Future[None] | None = None
        self._life: asyncio.Task[None] | None = None
        self._has_been_up = False
        self._delay = _FIRST_DELAY
        self.is_closed = False
        self._answers: Final[dict[str, asyncio.Future[Any]]] = {}
        self._numbers: Final = count(1)

    async def ready(self) -> None:
        """Waits until commands can be sent; Unreachable if the first attempt fails."""
        if self.is_closed:
            raise Closed("this board is closed")
        if self._up is None:
            self._up = asyncio.get_running_loop().create_future()
            if self._socket is not None:
                self._up.set_result(None)
        if self._life is None or self._life.done():
            self._has_been_up = False
            self._life = asyncio.create_task(self._live())
        await asyncio.shield(self._up)

    async def command(self, says: Mapping[str, Any], id: str = "") -> Any:
        """Sends a command and returns its answer; ConnectionLost if the answer is lost."""
        socket = self._socket
        if socket is None:
            raise ConnectionLost("there is no connection to the board")
        name = id or f"c{next(self._numbers)}"
        text = encoded({"id": name, **says})
        answer = self._answers[name] = asyncio.get_running_loop().create_future()
        try:
            async with in_time(self._timeout):
                await socket.send(text)
                return await answer
        except _BROKEN as reason:
            raise ConnectionLost(f"the connection broke: {reason}") from reason
        finally:
            self._answers.pop(name, None)

    async def close(self) -> None:
        """Closes the connection and reconnects no more."""
        self.is_closed = True
        life = self._life
        if life is not None:
            life.cancel()
            await asyncio.gather(life, return_exceptions=True)
        self._give_up(Closed("this board is closed"))

    async def _live(self) -> None:
        while True:
            failure = await self._once()
            if isinstance(failure, BoardError) or not self._has_been_up:
                self._give_up(failure)
                return
            await asyncio.sleep(self._delay * random.uniform(0.5, 1.0))
            self._delay = min(2 * self._delay, _LONGEST_DELAY)

    async def _once(self) -> Exception:
        """Runs one connection until it ends, and returns the reason."""
        try:
            async with connect(
                self._url,
                additional_headers=self._headers,
                compression=None,
                max_size=_FRAME_BYTES,
                ping_interval=_PING_SECONDS,
                ping_timeout=_PING_SECONDS,
                open_timeout=min(_CONNECT_SECONDS, _CONNECT_PART * self._timeout),
                close_timeout=1,
                proxy=None,
            ) as socket:
                return await self._serve(socket)
        except InvalidStatus as refused:
            return _refused(refused)
        except (*_BROKEN, InvalidURI) as reason:
            return Unreachable(f"no board answers at this address: {reason}")

    async def _serve(self, socket: ClientConnection) -> Exception:
        """Reads frames until the connection breaks."""
        self._socket, self._has_been_up = socket, True
        failures: list[Exception] = []
        resuming = asyncio.create_task(self._begin(socket, failures))
        try:
            async for text in socket:
                said = json.loads(text)
                if "event" in said:
                    self._hear(said)
                else:
                    self._answered(said)
        finally:
            self._socket = None
            resuming.cancel()
            await asyncio.gather(resuming, return_exceptions=True)
            if self._up is not None and self._up.done():
                self._up = None
            self._settle(ConnectionLost("the connection broke before the answer came"))
        return failures[0] if failures else Unreachable("the board has closed the connection")

    async def _begin(self, socket: ClientConnection, failures: list[Exception]) -> None:
        try:
            await self._resume()
        except (*PASSING, ConnectionFailed) as reason:
            _log.info("not resumed yet: %s", reason)
            await socket.close()
        except BoardError as reason:
            failures.append(reason)
            await socket.close()
        else:
            self._delay = _FIRST_DELAY
            if self._up is not None and not self._up.done():
                self._up.set_result(None)
            await self._beat()

    async def _beat(self) -> None:
        """Calls `keep_up` every 20 s while connected; a failed call is made good by the next."""
        while True:
            await asyncio.sleep(_BEAT_SECONDS)
            try:
                await self._keep_up()
            except (BoardError, ConnectionFailed) as reason:
                _log.debug("not kept up: %s", reason)

    def _answered(self, said: Mapping[str, Any]) -> None:
        answer = self._answers.get(str(said.get("id")))
        if answer is None or answer.done():
            return
        if "error" in said:
            answer.set_exception(refusal(said))
        else:
            answer.set_result(said)

    def _give_up(self, reason: Exception) -> None:
        self._fail(reason)
        self._settle(reason)
        if self._up is not None and not self._up.done():
            self._up.set_exception(reason)
            self._up.exception()
        self._up = None

    def _settle(self, reason: Exception) -> None:
        for answer in self._answers.values():
            if not answer.done():
                answer.set_exception(reason)


@asynccontextmanager
async def in_time(seconds: float) -> AsyncIterator[None]:
    """Limits the time of a block; TimedOut if it takes longer."""
    try:
        async with asyncio.timeout(seconds) as bound:
            yield
    except TimeoutError:
        if bound.expired():
            raise TimedOut(f"no answer came within {seconds} s") from None
        raise


def _refused(refused: InvalidStatus) -> Exception:
    """The error of a refused handshake: Unreachable for a 5xx status, else the board's refusal."""
    response = refused.response
    if response.status_code >= 500:
        return Unreachable(f"the board is not ready: {response.status_code}")
    try:
        return refusal(json.loads(response.body or b""))
    except ValueError:
        return refusal({"status": response.status_code})
