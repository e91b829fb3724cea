"""Wills: the facts of a source are withdrawn when its client is lost and does not reconnect.

A will lasts no longer than the server runs. When the server shuts down nothing is withdrawn,
since the client is not lost. A client that reconnects declares its will again.
"""

import asyncio
import logging
from typing import Final

from kb_server.core.models.revision import Revision
from kb_server.errors import BoardError, ReadOnly
from kb_server.host import Host
from kb_server.service.access import Access
from kb_server.service.delivery.presence import Presence
from kb_server.service.writing.writer import BoardWriter

__all__ = ["Wills"]

_log: Final = logging.getLogger(__name__)
_RETRY: Final = 1.0


class Wills:
    """The wills of all sockets; a lost client has `seconds` to come back."""

    def __init__(self, host: Host, writer: BoardWriter, seconds: float) -> None:
        self._host: Final = host
        self._writer: Final = writer
        self._present: Final = Presence(seconds)
        self._tasks: Final[set[asyncio.Task[None]]] = set()

    def declare(self, source: str) -> None:
        """Counts a client of a source; a source that was lost is present again."""
        self._present.declare(source)

    def lose(self, source: str, access: Access) -> None:
        """A client of a source is lost; without another one its will is carried out soon."""
        self._present.lose(source, lambda: self._begin(source, access))

    def stop(self) -> None:
        """Carries out no more wills."""
        self._present.stop()

    def _begin(self, source: str, access: Access) -> None:
        task = asyncio.create_task(self._do(source, access))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _do(self, source: str, access: Access) -> None:
        """Withdraws the facts of a source, by one delta for each model."""
        models = await self._writer.between(lambda: [m.id for m in self._host.board.models()])
        for model in filter(access.reaches, models):
            try:
                await self._withdraw_in_time(model, source)
            except BoardError as error:
                _log.warning("the will of %r failed in %s: %s", source, model, error.message)

    async def _withdraw_in_time(self, model: str, source: str) -> None:
        """Withdraws the facts as soon as the journal can be written."""
        while source not in self._present:
            try:
                await self._withdraw(model, source)
            except ReadOnly:
                await asyncio.sleep(_RETRY)
            else:
                break

    async def _withdraw(self, model: str, source: str) -> None:
        board = self._host.board
        size = await self._writer.between(lambda: len(board.model(model).assertions))

        def act() -> None:
            if source in self._present:  # the client came back while the change waited
                return
            said = board.model(model).assertions.items()
            facts = tuple(fact for fact, assertion in said if assertion.source == source)
            if facts:
                self._host.revise(model, Revision(retract=facts, source=source))

        await self._writer.change(act, size)
