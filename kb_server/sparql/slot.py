"""A slot of the pool: it keeps one worker process running, and replaces it when it ends.

A new process gets the common sense, then all facts of one moment, then the deltas since. Deltas
that are fed meanwhile are queued behind those facts, so the order of the board is kept.
"""

import asyncio
import logging
import signal
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from kb_server.errors import Busy, TooCostly
from kb_server.sparql.jobs import QuestionJob
from kb_server.sparql.process import WorkerProcess
from kb_server.sparql.protocol import WorkerFrame, packed
from kb_server.sparql.replica_frames import BoardContents, filling_frames
from kb_server.sparql.settings import Counters, SparqlSettings

__all__ = ["Slot"]

_log: Final = logging.getLogger(__name__)
_ABANDONED: Final = 0.25
"""Seconds after which an abandoned question is ended by a kill; most end by themselves."""
_FIRST_PAUSE: Final = 0.05
"""Seconds before the next attempt after a failed start; doubled after each further failure."""
_LONGEST_PAUSE: Final = 5.0
"""Seconds between attempts at most."""
_MOST_SAID: Final = 134_217_728
"""Bytes that a worker's frame may have in addition to the bytes of an answer."""
_DEATHS: Final = {
    signal.SIGABRT: ("memory", "this request needs more memory than allowed"),
    signal.SIGSEGV: ("nesting", "this request is nested too deeply"),
    signal.SIGALRM: ("time", "this request takes longer than allowed"),
}


class Slot:
    """A slot for one worker; `returned` gets the job that a killed process had not answered."""

    def __init__(
        self,
        settings: SparqlSettings,
        counters: Counters,
        opening: Callable[[], Sequence[bytes]],
        holdings: Callable[[], Awaitable[BoardContents]],
        idle: Callable[[], None],
        returned: Callable[[QuestionJob], None],
    ) -> None:
        self._settings: Final = settings
        self._counters: Final = counters
        self._opening: Final = opening
        self._holdings: Final = holdings
        self._idle: Final = idle
        self._returned: Final = returned
        self._worker: WorkerProcess | None = None
        self._ready = asyncio.Event()
        self._seq: int | None = None
        self._waiting: list[tuple[int | None, bytes]] | None = None
        self._held = 0
        self._timer: asyncio.TimerHandle | None = None
        self.job: QuestionJob | None = None

    @property
    def ready(self) -> bool:
        """Whether there is a process that can answer."""
        return self._ready.is_set()

    @property
    def free(self) -> bool:
        return self.ready and self.job is None

    @property
    def pid(self) -> int:
        return self._worker.pid if self._worker else 0

    @property
    def behind(self) -> int:
        """The number of bytes that the process has not read yet."""
        return self._worker.backlog() if self._worker else 0

    async def healed(self) -> None:
        """Wait until there is a process that can answer."""
        await self._ready.wait()

    async def live(self) -> None:
        """Run one process after the other until cancelled; pause longer after each failed start."""
        pause = 0.0
        while True:
            try:
                await self._open()
                pause = 0.0
                await self._gone()
            except Exception:  # the next process may start in spite of any error
                _log.exception("a SPARQL worker can't be started or filled")
            finally:
                was_ready = self.ready
                await self._bury()
            self._counters.restarts += 1
            if not was_ready:
                pause = min(_LONGEST_PAUSE, max(_FIRST_PAUSE, 2 * pause))
                await asyncio.sleep(pause)

    async def _open(self) -> None:
        most = self._settings.answer_bytes + _MOST_SAID
        worker = self._worker = WorkerProcess(self._heard, most)
        await worker.start()
        for frame in self._opening():
            worker.send(frame)
        self._seq, self._waiting, self._held = -1, [], 0
        held = await self._holdings()
        self._seq = held.seq
        for frame in filling_frames(held):
            worker.send(frame)
            await worker.written()
            await asyncio.sleep(0)
        fed, self._waiting = self._waiting or [], None
        for seq, frame in fed:
            if seq is None or seq > held.seq:
                worker.send(frame)
        worker.send(packed({"do": "ready"}))
        ready = asyncio.ensure_future(self._ready.wait())
        gone = asyncio.ensure_future(worker.gone.wait())
        try:
            await asyncio.wait((ready, gone), return_when=asyncio.FIRST_COMPLETED)
        finally:
            ready.cancel()
            gone.cancel()

    async def _gone(self) -> None:
        if self._worker is not None:
            await self._worker.gone.wait()

    async def _bury(self) -> None:
        """End the process, and settle the question that it had.

        If this is cancelled, the process remains for `end`.
        """
        self._ready.clear()
        self._seq = self._waiting = None
        status = await self._worker.buried() if self._worker else 0
        self._worker = None
        job = self._release()
        if job is not None:
            self._settle(job, status)

    def _settle(self, job: QuestionJob, status: int) -> None:
        if -status in _DEATHS:
            self._counters.crashes += 1
            reason, message = _DEATHS[signal.Signals(-status)]
            job.fail(TooCostly(message, reason=reason))
        elif job.attempts <= self._settings.workers:  # all may have been killed at once
            self._returned(job)
        else:
            job.fail(Busy("every worker that tried to answer this was killed", reason="killed"))

    async def end(self) -> None:
        """End the process after `live` was cancelled."""
        if self._worker is not None:
            await self._worker.buried()

    def feed(self, frames: Sequence[tuple[int | None, bytes]]) -> None:
        """Send changes to the process, except those that its initial facts include.

        While the initial facts are being sent, the changes are queued. A process with too many
        unread bytes is killed and replaced.
        """
        if self._worker is None or self._seq is None:
            return
        after = self._seq
        new = [(seq, frame) for seq, frame in frames if seq is None or seq > after]
        if self._waiting is not None:
            self._waiting += new
            self._held += sum(len(frame) for _, frame in new)
        elif new:
            self._held = 0
            self._worker.send(b"".join(frame for _, frame in new))
        if self._held + self._worker.backlog() > self._settings.backlog_bytes:
            self._counters.behind += 1
            _log.warning("SPARQL worker %d fell behind and is replaced", self.pid)
            self._end()

    def run(self, job: QuestionJob) -> None:
        """Send a question to the process, and start its timer."""
        assert self._worker is not None
        job.start()
        self.job = job
        for frame in job.before:
            self._worker.send(frame)
        self._worker.send(packed(job.says))
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(job.says["seconds"], self._overrun)

    def abandon(self, job: QuestionJob) -> None:
        """Give up a question: it may end by itself within a short time, else it is killed."""
        if self.job is job:
            self._counters.cancelled += 1
            asyncio.get_running_loop().call_later(_ABANDONED, self._end_if, job)

    def _heard(self, frame: WorkerFrame) -> None:
        if "ready" in frame.says:
            self._ready.set()
        elif self.job is not None and frame.says["id"] == self.job.says["id"]:
            job = self._release()
            if job is not None:
                job.succeed(frame)
        self._idle()

    def _release(self) -> QuestionJob | None:
        if self._timer is not None:
            self._timer.cancel()
        job, self.job, self._timer = self.job, None, None
        return job

    def _overrun(self) -> None:
        job = self._release()
        if job is not None:
            self._counters.timeouts += 1
            seconds = self._settings.time_limit  # earlier attempts may have used some of it
            job.fail(TooCostly(f"this takes longer than {seconds:g} s", reason="time"))
        self._end()

    def _end_if(self, job: QuestionJob) -> None:
        if self.job is job:
            self._release()
            self._end()

    def _end(self) -> None:
        self._ready.clear()
        if self._worker is not None:
            self._worker.kill()
