"""The pool of SPARQL workers: each question goes to one worker, each delta to all of them.

    async def holdings() -> Holdings:
        return holdings_of(board)  # between two changes

    pool = SparqlPool(board.common, holdings)
    await pool.start()
    board.on_delta.append(pool.feed)
    answer = await pool.query(SparqlQuery("SELECT ?x { ?x oro:isIn ?y }", "myself"))

A question sees every delta fed before it; with `at_least` it waits for a delta that is not fed yet.
All of this runs in the thread of one event loop and never blocks it for long: `feed` only appends
to a list, `start` only starts processes, and large amounts (the facts of a board for a new worker,
or of a past board) are packed a slice at a time.

Deltas are packed and sent after 10 ms, before the next question, or once 500 facts have come. The
road not taken is to send each at once: packing would delay the events of that change, and the
workers, woken each time, would compete with the subscribers for the processor.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from itertools import count
from typing import Any, Final

from kb_server.core.models.delta import ModelDelta
from kb_server.core.reasoning.commonsense import CommonSense
from kb_server.core.terms.statements import Statement
from kb_server.errors import Busy, QueryTooLarge, SparqlError, TooCostly
from kb_server.sparql.jobs import FairQueue, QuestionJob, ReplicaProgress
from kb_server.sparql.protocol import (
    SparqlQuery,
    SparqlUpdate,
    Update,
    WorkerAnswer,
    WorkerFrame,
    answer_in,
    error_in,
    facts_in,
    fields_of,
    packed,
    update_in,
)
from kb_server.sparql.replica import check_plain
from kb_server.sparql.replica_frames import (
    BoardContents,
    common_frames,
    delta_frame,
    filling_frames,
    graph_frame,
)
from kb_server.sparql.settings import Counters, SparqlSettings
from kb_server.sparql.slot import Slot

__all__ = ["SparqlPool"]

_log: Final = logging.getLogger(__name__)
_LATER: Final = 0.01
"""Seconds after which deltas are sent if there is no question."""
_MUCH: Final = 500
"""Facts (plus one a delta) that are sent without further delay: a few milliseconds' work."""


class SparqlPool:
    """Worker processes with replicas of the board; `holdings` copies the board's present facts."""

    def __init__(
        self,
        common: CommonSense,
        holdings: Callable[[], Awaitable[BoardContents]],
        settings: SparqlSettings | None = None,
    ) -> None:
        self.settings: Final = settings or SparqlSettings()
        self.counters: Final = Counters()
        self._common: Final = common
        self._holdings: Final = holdings
        self._opening: Final[list[bytes]] = []
        self._queue: Final = FairQueue()
        self._slots: Final[list[Slot]] = []
        self._lives: Final[list[asyncio.Task[None]]] = []
        self._numbers: Final = count(1)
        self._progress: Final = ReplicaProgress()
        self._unsent: Final[list[ModelDelta]] = []
        self._unsent_facts = 0
        self._past_facts = 0
        self._sending: asyncio.TimerHandle | None = None

    @property
    def ready(self) -> int:
        """The number of workers that can answer."""
        return sum(slot.ready for slot in self._slots)

    @property
    def waiting(self) -> int:
        """The number of questions that wait for a worker."""
        return len(self._queue)

    @property
    def pids(self) -> list[int]:
        return [slot.pid for slot in self._slots if slot.pid]

    async def start(self) -> None:
        """Start the workers and return at once; questions wait for the first worker."""
        says = {
            "prefixes": dict(self._common.names.prefixes),
            "memory_mb": self.settings.memory_mb,
            "limits": asdict(self.settings.limits),
        }
        self._progress.reach((await self._holdings()).seq)
        self._opening[:] = [packed(says), *common_frames(self._common)]
        for _ in range(self.settings.workers):
            slot = Slot(
                self.settings,
                self.counters,
                lambda: self._opening,
                self._holdings,
                self._dispatch,
                self._come_back,
            )
            self._slots.append(slot)
            self._lives.append(asyncio.create_task(slot.live()))

    async def healed(self) -> None:
        """Waits until all workers can answer."""
        await asyncio.gather(*(slot.healed() for slot in self._slots))

    async def stop(self) -> None:
        """End the workers and wait for their exit; waiting questions fail with Busy."""
        for job in [*self._queue.drain(), *(slot.job for slot in self._slots if slot.job)]:
            job.fail(_stopped())
        if self._sending is not None:
            self._sending.cancel()
        for life in self._lives:
            life.cancel()
        await asyncio.gather(*self._lives, return_exceptions=True)
        await asyncio.gather(*(slot.end() for slot in self._slots))
        self._slots.clear()
        self._lives.clear()

    def feed(self, delta: ModelDelta) -> None:
        """Queue a delta for all workers; later questions see it. Never waits."""
        self.counters.deltas += 1
        self._unsent.append(delta)
        self._unsent_facts += 1 + len(delta.became_true) + len(delta.ceased)
        if self._unsent_facts >= _MUCH:
            self._send()
        elif self._sending is None:
            self._sending = asyncio.get_running_loop().call_later(_LATER, self._send)
        self._progress.reach(delta.seq)

    def feed_graph(
        self, graph: str, add: Iterable[Statement], remove: Iterable[Statement] = ()
    ) -> None:
        """Send a change of a plain graph to all workers; `holdings` must include it already.

        Refused for the graph of a model or of the common sense, and for a hidden graph.
        """
        check_plain(graph, self._common.names)
        self._send()
        frame = graph_frame(graph, add, remove)
        for slot in self._slots:
            slot.feed([(None, frame)])

    def _send(self) -> None:
        """Send the queued deltas."""
        if self._sending is not None:
            self._sending.cancel()
            self._sending = None
        deltas, self._unsent_facts = self._unsent[:], 0
        self._unsent.clear()
        frames = [(delta.seq, delta_frame(delta)) for delta in deltas]
        for slot in self._slots:
            slot.feed(frames)

    async def query(
        self,
        asked: SparqlQuery,
        *,
        accept: str = "",
        client: Hashable = None,
        computed: Mapping[str, Sequence[Statement]] | None = None,
        past: BoardContents | None = None,
        at_least: int = 0,
    ) -> WorkerAnswer:
        """Answer a query; it fails with BadQuery, TooCostly or another error listed in `errors`.

        - `computed` are additional facts of models, for this question only.
        - With `past` the query reads those facts instead of the present ones.
        - One `client` never has all workers at once; without a name each question counts as a
          client.
        """
        self._check_size(asked.text, self.settings.limits.query_bytes)
        says = {
            "do": "query",
            "asked": fields_of(asked),
            "accept": accept,
            "computed": {m: list(facts) for m, facts in (computed or {}).items()},
            "max_bytes": self.settings.answer_bytes,
        }
        with self._room_for(past):
            before = await self._past(past) if past is not None else []
            self.counters.queries += 1
            await self._progress.reached(at_least, self.settings.time_limit)
            return answer_in(await self._asked(says, client, before, None))

    async def update(
        self,
        asked: SparqlUpdate,
        *,
        client: Hashable = None,
        at_least: int = 0,
        seconds: float | None = None,
    ) -> Update:
        """Compute the changes of an update without making them; only the writer changes the board.

        The update sees the deltas fed so far. The writer either keeps other changes waiting
        meanwhile, or compares `seq` with the newest and repeats the call. The danger: `oro:a` as
        a predicate becomes the term `a`, so the caller must make a `Revision` of the terms as they
        are, and never parse them again.
        """
        self._check_size(asked.text, self.settings.limits.update_bytes)
        says = {"do": "update", "asked": fields_of(asked)}
        self.counters.updates += 1
        await self._progress.reached(at_least, self.settings.time_limit)
        frame = await self._asked(says, client, [], seconds)
        return update_in(frame, self._common.names)

    async def read_graph(
        self, data: bytes, media: str, base: str, most: int, *, client: Hashable = None
    ) -> list[Statement]:
        """Return the statements of a client's RDF in one of the media types of graphs.

        A worker reads it, because a hostile text can crash or stall the parser.
        """
        says = {"do": "read", "type": media, "base": base, "most": most}
        frame = await self._asked(says, client, [packed({"do": "body"}, data)], None)
        return await asyncio.to_thread(facts_in, frame, self._common.names)

    @contextmanager
    def _room_for(self, past: BoardContents | None) -> Iterator[None]:
        """Count the facts of a past board during the block; TooCostly or Busy beyond the limits.

        A single past board within `past_facts` is always admitted.
        """
        size, allowed = (0 if past is None else past.size), self.settings.past_facts
        if size > allowed:
            message = f"the past board had {size} facts; at most {allowed} are allowed"
            raise TooCostly(message, reason="past", found=size, allowed=allowed)
        if size and self._past_facts and self._past_facts + size > self.settings.past_facts_all:
            raise Busy("too many questions about the past at once; try again", reason="past")
        self._past_facts += size
        try:
            yield
        finally:
            self._past_facts -= size

    async def _past(self, past: BoardContents) -> list[bytes]:
        """Return the frames of a past board, packed a slice at a time."""
        frames = [packed({"do": "past"})]
        for frame in filling_frames(past):
            frames.append(frame)
            await asyncio.sleep(0)
        return frames

    def _check_size(self, text: str, allowed: int) -> None:
        if len(text) > allowed:
            self.counters.refused += 1
            message = f"{len(text)} characters; at most {allowed} are allowed"
            raise QueryTooLarge(message, what="characters", found=len(text), allowed=allowed)

    async def _asked(
        self,
        says: Mapping[str, Any],
        client: Hashable,
        before: Sequence[bytes],
        seconds: float | None,
    ) -> WorkerFrame:
        loop = asyncio.get_running_loop()
        limit = self.settings.time_limit
        number, time = next(self._numbers), min(seconds or limit, limit)
        named = client if client is not None else number
        self._check_room(named)
        says = {**says, "id": number, "seconds": time}
        job = QuestionJob(("client", named), says, loop.create_future(), before)
        self._wait(job)
        try:
            frame = await job.answer
        finally:
            self._let_go(job)
        if "error" in frame.says:
            self.counters.refused += 1
            reason = error_in(frame)
            if type(reason) is SparqlError:
                _log.error("%s", reason.message)
            raise reason
        return frame

    def _check_room(self, client: Hashable) -> None:
        if not self._slots:
            raise _stopped()
        each = self._queue.lengths()[("client", client)]
        if len(self._queue) >= self.settings.waiting or each >= self.settings.waiting_each:
            raise Busy("too many questions wait", reason="waiting", waiting=len(self._queue))

    def _wait(self, job: QuestionJob, first: bool = False) -> None:
        """Queue a job; it fails with Busy if no worker is free within the time limit."""
        loop = asyncio.get_running_loop()
        job.patience = loop.call_later(self.settings.time_limit, self._give_up, job)
        self._queue.push(job, first)
        self._dispatch()

    def _dispatch(self) -> None:
        """Send the queued deltas, then give the next jobs to the free workers."""
        if not self._queue:
            return
        if self._unsent:
            self._send()
        for slot in sorted(self._slots, key=lambda slot: slot.behind):
            if not self._queue:
                return
            if slot.free:
                job = self._queue.take(self._may_run)
                if job is not None:
                    slot.run(job)

    def _may_run(self, client: Hashable) -> bool:
        """Whether a client may have one more worker: one is always left to the others."""
        running = Counter(slot.job.client for slot in self._slots if slot.job)
        return running[client] < max(1, len(self._slots) - 1)

    def _come_back(self, job: QuestionJob) -> None:
        """Queue a job again whose worker was killed for another reason than this job."""
        if not job.answer.done():
            self._wait(job, first=True)

    def _give_up(self, job: QuestionJob) -> None:
        if self._queue.discard(job):
            job.fail(Busy("no worker was free in time", reason="waiting"))

    def _let_go(self, job: QuestionJob) -> None:
        """Release a job whose answer has come or is no longer wanted."""
        if job.patience is not None:
            job.patience.cancel()
        self._queue.discard(job)
        for slot in self._slots:
            slot.abandon(job)


def _stopped() -> Busy:
    return Busy("the SPARQL workers are not running", reason="stopped")
