"""A desk in the test's own process, without workers or network, and one who visits it."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

from kb_server.core.questions.query import find
from kb_server.core.reasoning.commonsense import CommonSense
from kb_server.core.terms.statements import read_pattern
from kb_server.errors import BoardError
from kb_server.host import Host
from kb_server.service.access import ANYBODY
from kb_server.service.desk.desk import Desk
from kb_server.service.desk.reading import Reading
from kb_server.service.settings import ServiceSettings
from kb_server.service.sockets.commands import carry_out
from kb_server.service.sockets.socket_client import SocketClient
from kb_server.wire.commands import read_command

__all__ = ["Clock", "Row", "Visit", "desk_of", "rows_of"]

Row = frozenset[tuple[str, str]]


class Clock:
    """A clock that is advanced by the test."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


@lru_cache(maxsize=256)
def _common(ontology: str) -> CommonSense:
    return CommonSense([ontology])


@asynccontextmanager
async def desk_of(ontology: str, clock: Clock, **settings: Any) -> AsyncIterator[Desk]:
    """A desk with an empty board over an ontology."""
    desk = Desk(Host(_common(ontology), clock=clock), replace(ServiceSettings(), **settings))
    desk.hub.start()
    desk.writer.start()
    try:
        yield desk
    finally:
        await desk.hub.stop()
        await desk.writer.stop()
        desk.host.close()


def rows_of(desk: Desk, model: str, patterns: tuple[str, ...]) -> set[Row]:
    """The rows of a query made now; the model must exist."""
    board = desk.host.board
    read = [read_pattern(text, board.names) for text in patterns]
    return {frozenset(r.items()) for r in find(read, board.model(model).view, board.budget())}


class Visit:
    """One client, whose frames are heard when it chooses to read them."""

    def __init__(self, desk: Desk) -> None:
        self.socket_client: Final = SocketClient(desk, Reading(desk), ANYBODY)
        self._numbers = 0

    async def say(self, op: str, id: str | None = None, **fields: Any) -> str:
        """Gives a command and waits until it is carried out; BoardError when it is refused."""
        self._numbers += 1
        name = id or f"c{self._numbers}"
        read, command = read_command(json.dumps({"id": name, "op": op, **fields}))
        await carry_out(self.socket_client, read, command)
        return name

    async def heard(self) -> list[dict[str, Any]]:
        """All frames that wait, in order."""
        frames = []
        while len(self.socket_client.outbox):
            frames.append(json.loads(await self.socket_client.outbox.take() or ""))
        return frames

    async def hears(self, count: int) -> list[dict[str, Any]]:
        """So many frames, waited for."""
        frames = []
        for _ in range(count):
            async with asyncio.timeout(10):
                frames.append(json.loads(await self.socket_client.outbox.take() or ""))
        return frames

    async def refused(self, op: str, **fields: Any) -> BoardError:
        """The error that a command is answered with."""
        try:
            await self.say(op, **fields)
        except BoardError as error:
            return error
        raise AssertionError(f"{op} was not refused")
