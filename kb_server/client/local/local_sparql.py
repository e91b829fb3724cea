"""SPARQL on a board in this process: one worker process, started by the first query.

Oxigraph has no time-out in Python, and some queries crash it. It therefore runs in a worker
process here too, with the limits that a server has.
"""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from contextlib import AbstractContextManager
from typing import Any, Final, TypeVar

from kb_server.client.calls.calls import Call
from kb_server.client.calls.values import Reply
from kb_server.client.local.local_providers import LocalProviders
from kb_server.client.transport.background import Background
from kb_server.core.models.delta import ModelDelta
from kb_server.core.models.revision import Revision
from kb_server.errors import Busy, Refused
from kb_server.host import Host
from kb_server.sparql.pool import SparqlPool
from kb_server.sparql.protocol import SparqlQuery, SparqlUpdate, Update
from kb_server.sparql.replica_frames import BoardContents, holdings_of
from kb_server.sparql.settings import SparqlSettings
from kb_server.wire.answers import delta_in

__all__ = ["LocalSparql"]

T = TypeVar("T")
_Held = Callable[[], AbstractContextManager[object]]
_TRIES: Final = 10
_SETTINGS: Final = SparqlSettings(workers=1)


class LocalSparql:
    """A worker that replicates the board; `reading` and `changing` take the board's lock."""

    def __init__(
        self,
        host: Host,
        background: Background,
        providers: LocalProviders,
        reading: _Held,
        changing: _Held,
    ) -> None:
        self._providers: Final = providers
        self._host: Final = host
        self._background: Final = background
        self._reading: Final = reading
        self._changing: Final = changing
        self._beginning: Final = threading.Lock()
        self._pool: SparqlPool | None = None

    def query(self, call: Call[Any]) -> Reply:
        """Answers a query on a replica that has every earlier change."""
        says, text = call.query, call.text or ""
        with self._reading():
            self._host.board.model(call.model)
            past = holdings_of(self._host.at(says["at"])) if "at" in says else None
            seq = self._host.board.seq
        computed = {} if past else self._providers.asked_in_sparql(call.model, text)
        pool = self._begun()
        found = self._run(
            pool.query(
                SparqlQuery(text, call.model, says["inferred"] == "true"),
                accept=call.accept,
                computed=computed or None,
                past=past,
                at_least=0 if past else seq,
            )
        )
        return Reply(200, None, found.content_type, found.body)

    def update(self, call: Call[Any]) -> Reply:
        """Makes an update, computed again if the board has changed meanwhile; at most 10 times."""
        pool = self._begun()
        for _ in range(_TRIES):
            with self._reading():
                self._host.board.model(call.model)
                seq = self._host.board.seq
                start = self._host.names.prefixes["model"]
                there = [start + model.id for model in self._host.board.models()]
            wanted = SparqlUpdate(call.text or "", call.model, there=there)
            found = self._run(pool.update(wanted, at_least=seq))
            with self._changing():
                if found.seq == self._host.board.seq:
                    return self._made(found)
        raise Busy("the board changes too often for this update; try again", reason="changing")

    def close(self) -> None:
        with self._beginning:
            pool, self._pool = self._pool, None
            if pool is not None:
                self._background.run(pool.stop())

    def _made(self, found: Update) -> Reply:
        for graph in found.graphs:
            raise Refused(f"<{graph}> is plain storage, which needs a server", graph=graph)
        for model in found.models:
            self._host.board.model(model)
        revisions = {m: Revision(retract=c.remove, add=c.add) for m, c in found.models.items()}
        deltas = self._host.revise_all(revisions)
        says = [{"model": delta.model, **delta_in(delta, delta.seq)} for delta in deltas]
        return Reply(200, {"seq": self._host.board.seq, "deltas": says})

    def _begun(self) -> SparqlPool:
        with self._beginning:
            if self._pool is None:
                self._pool = self._run(self._begin())
            return self._pool

    async def _begin(self) -> SparqlPool:
        pool = SparqlPool(self._host.common, self._holdings, _SETTINGS)
        loop = asyncio.get_running_loop()

        def follow(delta: ModelDelta) -> None:
            loop.call_soon_threadsafe(pool.feed, delta)

        with self._reading():
            self._host.board.on_delta.append(follow)
        await pool.start()
        return pool

    async def _holdings(self) -> BoardContents:
        return await asyncio.to_thread(self._held)

    def _held(self) -> BoardContents:
        with self._reading():
            return holdings_of(self._host.board)

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return self._background.run(work)
