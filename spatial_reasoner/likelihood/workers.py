"""Two worker processes that simulate falls, so that the reasoner can tick meanwhile.

The first question starts them and `close` ends them. Each has a thread here that waits for it, and
that starts another process if it dies or hangs.

| state | where a job runs |
|---|---|
| a process is ready | in a process |
| no process is ready | in this event loop, one job of some ten milliseconds at a time |
| the process of a job was lost | once more in another process, never in this loop |

Jobs that are not done in time are left out. Jobs with the first draws of each object come first.
"""

import asyncio
import logging
import socket
import threading
import time
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import Future
from contextlib import closing
from dataclasses import dataclass, field, replace
from itertools import count
from multiprocessing.connection import Connection
from queue import Empty, PriorityQueue
from typing import Final

from kb_server.workers import LEAST, only, start_worker
from spatial_reasoner.dynamics.bullet_dynamics import Dynamics
from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.likelihood.falls import FallJob
from spatial_reasoner.tolerances.units import Wait

__all__ = ["Workers"]

_log: Final = logging.getLogger(__name__)
_START: Final[Wait] = 30.0
_STUCK: Final[Wait] = 3.0
"""Seconds that a process may take to start, and for one job."""
_PAUSE: Final[Wait] = 1.0
"""Least seconds between the start of a lost process and the start of its replacement."""
_GLANCE: Final[Wait] = 0.05
"""Seconds between two checks for whether all processes are lost."""
_FIRST: Final = -1
"""Priority of the message that ends a thread: before all jobs."""
_WORKER: Final = "spatial_reasoner.likelihood.worker"
_KEPT: Final = (*LEAST, "HOME", "TMPDIR", "NUMBA_CACHE_DIR", "XDG_CACHE_HOME")
"""The environment that a worker needs; no secret of the reasoner's is in it."""


@dataclass(order=True, slots=True)
class _Wanted:
    """A job and its future result, None if there is none. No job means: end the thread."""

    has_lost: bool
    """Whether a process was lost during this job; such jobs come last."""
    begin: int
    number: int
    job: FallJob | None = field(default=None, compare=False)
    done: "Future[Floats | None]" = field(default_factory=Future, compare=False)


class Workers:
    """A pool of processes; `done` is used in one event loop at a time."""

    def __init__(self, size: int = 2) -> None:
        self._size: Final = size
        self._waiting: Final[PriorityQueue[_Wanted]] = PriorityQueue()
        self._numbers: Final = count()
        self._threads: Final[list[threading.Thread]] = []
        self._processes: Final[set[_Process]] = set()
        self._ready: Final[set[_Process]] = set()
        self._is_over: Final = threading.Event()
        self._own: Dynamics | None = None
        self._is_at_work = False
        """Whether a job has just run in this loop, so that other tasks run before the next."""

    @property
    def pids(self) -> list[int]:
        """The ids of the running processes."""
        return sorted(process.pid for process in tuple(self._processes))

    @property
    def is_up(self) -> bool:
        """Whether a process is ready; while none is, jobs run in this loop."""
        return bool(self._ready)

    @property
    def waiting(self) -> int:
        """The number of jobs that are not begun."""
        return self._waiting.qsize()

    async def done(self, jobs: Sequence[FallJob], seconds: float) -> list[Floats | None]:
        """The result of each job; None for a job that was not done in time."""
        found: list[Floats | None] = [None] * len(jobs)
        async for number, poses in self.each(jobs, seconds):
            found[number] = poses
        return found

    async def each(
        self, jobs: Sequence[FallJob], seconds: float
    ) -> AsyncIterator[tuple[int, Floats | None]]:
        """Yields the number and the result of each job that is done in time."""
        end = time.monotonic() + seconds
        self._start()
        waiting = {asyncio.wrap_future(self._put(job)): k for k, job in enumerate(jobs)}
        try:
            while waiting and (left := end - time.monotonic()) > 0:
                if not await self._has_done_one():
                    await asyncio.wait(waiting, timeout=min(left, _GLANCE))
                for future in [each for each in waiting if each.done()]:
                    yield waiting.pop(future), future.result()
        finally:
            for future in waiting:
                future.cancel()  # nobody waits for the rest

    async def _has_done_one(self) -> bool:
        """Runs a job in this loop, if no process is ready and no other task runs one; then
        yields."""
        if self.is_up or self._is_at_work or not self._do_one():
            return False
        self._is_at_work = True
        try:
            await asyncio.sleep(0)  # let other tasks run
        finally:
            self._is_at_work = False
        return True

    def close(self) -> None:
        """Ends all processes; may be called twice."""
        self._is_over.set()
        for _ in self._threads:
            self._waiting.put(_Wanted(False, _FIRST, next(self._numbers)))
        for process in tuple(self._processes):
            process.kill()
        for thread in self._threads:
            thread.join(_STUCK)
        self._threads.clear()
        if self._own is not None:
            self._own.close()
            self._own = None

    def _start(self) -> None:
        while len(self._threads) < self._size and not self._is_over.is_set():
            thread = threading.Thread(target=self._work, name="likelihood", daemon=True)
            self._threads.append(thread)
            thread.start()

    def _put(self, job: FallJob) -> "Future[Floats | None]":
        wanted = _Wanted(False, job.begin, next(self._numbers), job)
        self._waiting.put(wanted)
        return wanted.done

    def _do_one(self) -> bool:
        """Runs a job in this process; returns False if there is none that may run here."""
        try:
            wanted = self._waiting.get_nowait()
        except Empty:
            return False
        if wanted.has_lost:
            self._waiting.put(wanted)
            return False
        if wanted.job is not None and wanted.done.set_running_or_notify_cancel():
            self._own = self._own or Dynamics()
            wanted.done.set_result(wanted.job.done(self._own))
        return True

    def _work(self) -> None:
        """The loop of a thread: starts a process, gives it jobs, and replaces it if it is lost."""
        while not self._is_over.is_set():
            began = time.monotonic()
            try:
                with closing(_Process()) as process:
                    self._keep(process)
            except (OSError, EOFError) as reason:
                if not self._is_over.is_set():
                    _log.warning("a process that simulates falls was lost: %r", reason)
                self._is_over.wait(max(began + _PAUSE - time.monotonic(), 0.0))

    def _keep(self, process: "_Process") -> None:
        self._processes.add(process)
        try:
            if not self._is_over.is_set():
                self._serve(process)
        finally:
            self._ready.discard(process)
            self._processes.discard(process)

    def _serve(self, process: "_Process") -> None:
        process.begin()
        self._ready.add(process)
        while (wanted := self._waiting.get()).job is not None:
            if wanted.has_lost or wanted.done.set_running_or_notify_cancel():
                self._try(process, wanted, wanted.job)

    def _try(self, process: "_Process", wanted: _Wanted, job: FallJob) -> None:
        """Runs a job in a process. If the process is lost, the job is queued once more."""
        try:
            wanted.done.set_result(process.done(job))
        except (OSError, EOFError):
            self._ready.discard(process)
            if wanted.has_lost or self._is_over.is_set():
                wanted.done.set_result(None)
            else:
                self._waiting.put(replace(wanted, has_lost=True))
            raise


class _Process:
    """One worker process and its connection; raises OSError or EOFError when it is lost."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            self._line: Final = Connection(ours.detach())
            self._process: Final = start_worker(
                _WORKER,
                theirs.fileno(),
                environment=only(_KEPT),
                sockets=(theirs.fileno(),),
            )

    @property
    def pid(self) -> int:
        return self._process.pid

    def begin(self) -> None:
        """Waits until it is ready."""
        self._heard(_START)

    def done(self, job: FallJob) -> Floats:
        self._line.send(job)
        found: Floats = self._heard(_STUCK)
        return found

    def _heard(self, seconds: float) -> Floats:
        if not self._line.poll(seconds):
            raise TimeoutError(f"it sent nothing for {seconds:g} s")
        heard: Floats = self._line.recv()
        return heard

    def kill(self) -> None:
        """Kills the process; a thread that waits for it gets an error."""
        self._process.kill()

    def close(self) -> None:
        """Kills the process and releases its resources."""
        self.kill()
        self._process.wait()
        self._line.close()
