"""Changes by RDF: SPARQL updates, and whole graphs.

The graph of a model is its assertions; they change through the one writer, each model by one
delta. All other graphs are plain storage. A request that touches several is atomic.

1. A SPARQL worker computes the update beside the writer.
2. The update is made if the board has not changed since; otherwise step 1 is repeated.
3. After `update_tries` attempts it is computed once more while other changes wait, for a
   bounded time.

The road not taken: to hold the writer from the start. One costly update would then stop all
changes for as long as a query may take.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from kb_server.core.models.delta import ModelDelta
from kb_server.core.models.revision import Revision
from kb_server.core.terms.statements import Statement
from kb_server.errors import BadRequest, TooCostly
from kb_server.journal.graphs import GraphChange
from kb_server.service.access import Access
from kb_server.service.desk.desk import Desk
from kb_server.sparql.protocol import GraphUpdate, SparqlUpdate, Update

__all__ = ["RequestedUpdate", "Updating"]

_LEAST: Final = 0.1
_ALL: Final = (("?s", "?p", "?o"),)


@dataclass(frozen=True, slots=True)
class RequestedUpdate:
    """A requested update, and the client that requests it."""

    text: str
    model: str
    base: str
    using: list[str]
    using_named: list[str]
    access: Access
    client: str


class Updating:
    """Changes of models and plain graphs, for one desk."""

    def __init__(self, desk: Desk) -> None:
        self._desk: Final = desk
        self._graphs: Final = desk.graphs

    async def update(self, wanted: RequestedUpdate) -> list[ModelDelta]:
        """Makes a SPARQL update; returns its deltas once the journal has stored them."""
        limit = self._desk.pool.settings.time_limit
        end = asyncio.get_running_loop().time() + limit
        for _ in range(self._desk.settings.update_tries):
            version = self._graphs.version
            found = await self._worked_out(wanted, end)
            self._check(found, wanted)
            made = await self._changed(partial(self._if_still, found, version))
            if made is not None:
                return made
        return await self._changed(partial(self._held, wanted, end)) or []

    async def put(self, graph: str, facts: list[Statement], replaces: bool) -> bool:
        """Adds facts to a plain graph, or replaces its facts; returns whether the graph is new."""
        is_new = graph not in self._graphs.held

        async def act() -> list[ModelDelta]:
            gone = list(self._graphs.held.get(graph, ())) if replaces else []
            return await self._make({}, {graph: self._graphs.made(graph, facts, gone)})

        await self._changed(act)
        return is_new

    async def drop(self, graph: str) -> bool:
        """Deletes a plain graph; returns whether it existed."""
        is_there = graph in self._graphs.held

        async def act() -> list[ModelDelta]:
            gone = tuple(self._graphs.held.get(graph, ()))
            return await self._make({}, {graph: GraphChange(remove=gone, ends=True)})

        if is_there:
            await self._changed(act)
        return is_there

    async def put_model(self, model: str, facts: list[Statement], replaces: bool) -> bool:
        """Asserts facts in a model, or replaces its assertions; returns whether the model is new.

        A missing model is created when it is replaced, unless its facts are refused.
        """
        host = self._desk.host
        revision = Revision(retract=_ALL if replaces else (), add=tuple(facts))

        def act() -> bool:
            is_new = replaces and host.create(model)
            try:
                host.revise(model, revision)
            except BaseException:
                if is_new:
                    host.delete(model)
                raise
            return is_new

        return await self._desk.writer.change(act, len(facts))

    async def _worked_out(self, wanted: RequestedUpdate, end: float) -> Update:
        asked = SparqlUpdate(
            wanted.text,
            wanted.model,
            wanted.base,
            wanted.using or None,
            wanted.using_named or None,
            None if wanted.access.models is None else sorted(wanted.access.models),
            self._there(),
        )
        return await self._desk.pool.update(
            asked,
            client=wanted.client,
            at_least=self._desk.host.board.seq,
            seconds=max(_LEAST, end - asyncio.get_running_loop().time()),
        )

    def _there(self) -> list[str]:
        """The IRIs of all graphs."""
        start = self._desk.host.names.prefixes["model"]
        return [*(start + model.id for model in self._desk.host.board.models()), *self._graphs.held]

    def _check(self, found: Update, wanted: RequestedUpdate) -> None:
        """Forbidden for graphs that the client may not change, UnknownModel for missing models."""
        wanted.access.require("write", *found.models)
        if found.graphs:
            wanted.access.require_plain()
        for model in found.models:
            self._desk.host.board.model(model)

    async def _changed(
        self, act: Callable[[], Awaitable[list[ModelDelta] | None]]
    ) -> list[ModelDelta] | None:
        made = await self._desk.writer.change_with(act)
        if self._graphs.waits:
            await asyncio.to_thread(self._graphs.settle, self._desk.host.journal.last_seq)
        return made

    async def _if_still(self, found: Update, version: int) -> list[ModelDelta] | None:
        """Makes an update if the board has not changed since it was computed; else returns None."""
        if (found.seq, version) != (self._desk.host.board.seq, self._graphs.version):
            return None
        return await self._make_update(found)

    async def _held(self, wanted: RequestedUpdate, end: float) -> list[ModelDelta]:
        """Computes and makes an update while all other changes wait."""
        limit = self._desk.settings.update_hold_seconds
        try:
            async with asyncio.timeout(limit):
                found = await self._worked_out(wanted, end)
        except TimeoutError:
            message = f"the board changes too often for an update of more than {limit:g} s"
            raise TooCostly(message, reason="changing", seconds=limit) from None
        self._check(found, wanted)
        return await self._make_update(found)

    async def _make_update(self, found: Update) -> list[ModelDelta]:
        graphs = {g: self._plain(g, change) for g, change in found.graphs.items()}
        revisions = {m: Revision(retract=c.remove, add=c.add) for m, c in found.models.items()}
        return await self._make(revisions, {g: c for g, c in graphs.items() if c is not None})

    def _plain(self, graph: str, change: GraphUpdate) -> GraphChange | None:
        """A change of a plain graph; None if it has no effect."""
        made = self._graphs.made(graph, change.add, change.remove)
        is_one = made.add or made.remove or change.comes or change.goes
        return GraphChange(made.add, made.remove, change.goes) if is_one else None

    async def _make(
        self, revisions: Mapping[str, Revision], graphs: Mapping[str, GraphChange]
    ) -> list[ModelDelta]:
        """Makes changes of models and plain graphs; other changes wait meanwhile."""
        host = self._desk.host
        self._check_room(graphs)
        first = host.board.seq + bool(revisions)
        if graphs:
            kept = host.journal.last_seq
            await asyncio.to_thread(self._graphs.store, graphs, first, kept)
        try:
            deltas = await self._revised(revisions)
        except BaseException:
            await asyncio.to_thread(self._graphs.forget, first)
            raise
        if graphs and not deltas:
            await asyncio.to_thread(self._graphs.settle, first)
        self._show(graphs)
        return deltas

    async def _revised(self, revisions: Mapping[str, Revision]) -> list[ModelDelta]:
        host = self._desk.host
        size = sum(len(r.retract) + len(r.add) for r in revisions.values())
        if size <= self._desk.settings.large:
            return host.revise_all(revisions)
        return await self._desk.writer.in_thread(lambda: host.revise_all(revisions))

    def _show(self, graphs: Mapping[str, GraphChange]) -> None:
        if graphs:
            self._graphs.take_over(graphs)
        for graph, change in graphs.items():
            self._desk.pool.feed_graph(graph, change.add, change.remove)

    def _check_room(self, graphs: Mapping[str, GraphChange]) -> None:
        settings, held = self._desk.settings, self._graphs.held
        number = len(held.keys() | graphs.keys())
        facts = self._graphs.size + sum(len(c.add) - len(c.remove) for c in graphs.values())
        grows = any(change.add for change in graphs.values()) or number > len(held)
        if grows and (number > settings.graphs or facts > settings.graph_facts):
            raise BadRequest(
                f"plain storage has room for {settings.graphs} graphs "
                f"and {settings.graph_facts} facts",
                graphs=settings.graphs,
                facts=settings.graph_facts,
            )
