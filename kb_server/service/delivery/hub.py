"""The hub: the state that all sockets and streams of one server share, and their shutdown."""

import asyncio
import logging
from typing import Final, Protocol

from kb_server.errors import Busy, Stopping
from kb_server.host import Host
from kb_server.service.delivery.outbox import Outbox
from kb_server.service.delivery.poses import PoseListeners
from kb_server.service.delivery.presence import Presence
from kb_server.service.delivery.providers import Providers
from kb_server.service.delivery.queues import Queues
from kb_server.service.delivery.resuming import Resuming
from kb_server.service.delivery.stage import LiveStage
from kb_server.service.delivery.subscribing import Subscribing
from kb_server.service.delivery.wills import Wills
from kb_server.service.settings import ServiceSettings
from kb_server.service.writing.writer import BoardWriter

__all__ = ["EventConnection", "Hub"]

_log: Final = logging.getLogger(__name__)
_LOOK: Final = 1.0


class EventConnection(Protocol):
    """A websocket or an event stream."""

    @property
    def outbox(self) -> Outbox:
        """The frames that are still to be sent."""

    async def leave(self) -> None:
        """Finishes accepted commands, sends all queued frames, then closes."""

    def cut(self) -> None:
        """Disconnects at once."""


class Hub:
    """The state that all sockets and streams share; `connections` holds those that are open."""

    def __init__(self, host: Host, writer: BoardWriter, settings: ServiceSettings) -> None:
        self.settings: Final = settings
        self.connections: Final[dict[EventConnection, None]] = {}
        self.queues: Final = Queues(settings.queue_bytes_total)
        self.subscribing: Final = Subscribing(host.board, settings.subscriptions, writer.soon)
        self.resuming: Final = Resuming(
            host, writer, self.subscribing, settings.resume_facts, settings.resume_facts_all
        )
        self.poses: Final = PoseListeners(host, settings.poses_each, settings.poses_kept)
        self.providers: Final = Providers(settings.provider_seconds, settings.told_facts)
        self.wills: Final = Wills(host, writer, settings.will_seconds)
        self.stage: Final = LiveStage(host.board, settings.stage_bytes, settings.stage_names)
        self.shows: Final = Presence(settings.will_seconds)
        self._writer: Final = writer
        self._watch: asyncio.Task[None] | None = None
        self._leaving = False

    def start(self) -> None:
        """Starts the task that disconnects stuck sockets."""
        self._watch = asyncio.create_task(self._look_after())

    async def goodbye(self) -> None:
        """Closes all sockets and streams in order; those that take too long are disconnected."""
        self._leaving = True
        self.wills.stop()
        self.shows.stop()
        going = {asyncio.create_task(each.leave()): each for each in self.connections}
        if going:
            gone, staying = await asyncio.wait(going, timeout=self.settings.goodbye_seconds)
            for each in staying:
                _log.warning("a socket did not close in time and is cut")
                each.cancel()
                going[each].cut()
            for each in gone:
                if (failure := each.exception()) is not None:
                    _log.error("a socket could not be closed in order", exc_info=failure)
        for connection in list(self.connections):
            connection.outbox.close()

    async def stop(self) -> None:
        """Closes all that is still connected and stops the task."""
        if not self._leaving:
            await self.goodbye()
        if self._watch is not None:
            self._watch.cancel()

    def admit(self, connection: EventConnection) -> None:
        """Adds a connection; Stopping during shutdown, Busy past the maximum number."""
        if self._leaving:
            raise Stopping("the board is shutting down")
        if len(self.connections) >= self.settings.connections:
            raise Busy(
                f"{self.settings.connections} sockets and streams are open; no more fit",
                reason="connections",
            )
        self.connections[connection] = None

    def dismiss(self, connection: EventConnection) -> None:
        """Removes a connection that has ended."""
        self.connections.pop(connection, None)

    def name_models(self, _seq: int) -> None:
        """Schedules the stage's check for created and deleted models between two changes."""
        self._writer.soon(self.stage.look_at_models)

    def lose(self, source: str) -> None:
        """A client of a source is lost; without another one its poses and values end soon."""
        self.shows.lose(source, lambda: self._withdraw(source))

    def _withdraw(self, source: str) -> None:
        self.stage.withdraw(source)
        self._writer.soon(lambda: self.poses.withdraw(source))

    async def _look_after(self) -> None:
        """Disconnects each socket that has read nothing for `stuck_seconds`."""
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(_LOOK)
            oldest = loop.time() - self.settings.stuck_seconds
            for connection in list(self.connections):
                since = connection.outbox.sending_since
                if since is not None and since < oldest:
                    _log.info("a socket that reads nothing is disconnected")
                    connection.cut()
