"""The desk: what all routes and sockets of one server share (writer, workers, settings)."""

import logging
from collections import Counter
from typing import Final

from kb_server.dl.engine import DLEngine
from kb_server.errors import JournalError, ReadOnly
from kb_server.host import Host
from kb_server.journal.graphs import PlainGraphs
from kb_server.service.delivery.hub import Hub
from kb_server.service.settings import ServiceSettings
from kb_server.service.writing.writer import BoardWriter
from kb_server.sparql.pool import SparqlPool
from kb_server.sparql.replica_frames import BoardContents, holdings_of
from kb_server.sparql.settings import SparqlSettings

__all__ = ["Desk"]

_log: Final = logging.getLogger(__name__)


class Desk:
    """One running server; it is started and stopped in its event loop."""

    def __init__(
        self,
        host: Host,
        settings: ServiceSettings | None = None,
        sparql: SparqlSettings | None = None,
        dl: DLEngine | None = None,
    ) -> None:
        self.host: Final = host
        self.settings: Final = settings or ServiceSettings()
        self.dl: Final = dl
        self.graphs: Final = PlainGraphs(host.folder, host.names, host.journal.last_seq)
        self.writer: Final = BoardWriter(host, self.settings.large)
        self.hub: Final = Hub(host, self.writer, self.settings)
        self.pool: Final = SparqlPool(host.common, self._holdings, sparql)
        self.answered: Final[Counter[int]] = Counter()
        """The number of requests answered with each HTTP status."""
        self._listen()
        self.running = False
        self.lost = 0
        """The number of changes that were made and could not be stored, once it is stopped."""

    @property
    def waiting_for(self) -> str | None:
        """Why the server is not ready; None if it is."""
        if not self.running:
            return "the board is starting or shutting down"
        if self.writer.failure is not None:
            why = self.writer.failure.message
            return f"the journal can't be written, so no fact changes or expires: {why}"
        return None if self.pool.ready else "no SPARQL worker is ready"

    @property
    def quick_steps(self) -> int:
        """Steps that a question may take on the board itself."""
        return min(self.settings.quick_steps, self.host.board.settings.steps)

    async def start(self) -> None:
        """Begins to serve; the SPARQL workers start in the background."""
        await self.pool.start()
        self.hub.start()
        self.writer.start()
        self.running = True

    async def take_leave(self) -> None:
        """Closes all sockets in order; accepted commands are finished."""
        self.running = False
        await self.hub.goodbye()

    async def stop(self) -> None:
        """Finishes accepted changes, then stops the writer, the workers and the journal."""
        self.running = False
        await self.hub.stop()
        if self.dl is not None:
            self.dl.close()
        await self.writer.stop()
        await self.pool.stop()
        self.graphs.close()
        try:
            self.host.close()
        except JournalError as failure:
            self.lost, why = len(self.host.unkept), failure.message
            if self.lost:
                _log.error("%d changes are lost, none of which was answered: %s", self.lost, why)
            self.host.journal.close()

    def _listen(self) -> None:
        """Registers the listeners of the board, in the order in which they are notified."""
        notifications = self.writer.notifications
        notifications.on_change.extend((self.pool.feed, self.hub.subscribing.passed))
        notifications.on_stored.extend((self.hub.subscribing.release, self.hub.name_models))

    async def _holdings(self) -> BoardContents:
        """All facts of the board, for a new worker; also while the journal can't be written."""

        def read() -> BoardContents:
            return holdings_of(self.host.board, list(self.graphs.held.items()))

        try:
            return await self.writer.read(read)
        except ReadOnly:
            return await self.writer.between(read)
