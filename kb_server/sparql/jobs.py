"""The queue of questions that wait for a worker, and the wait for a delta.

Clients take turns, and the pool keeps one worker free of any single client. So one client's costly
questions can't stop those of the others.
"""

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kb_server.errors import Busy
from kb_server.sparql.protocol import WorkerFrame

__all__ = ["FairQueue", "QuestionJob", "ReplicaProgress"]


@dataclass(eq=False)
class QuestionJob:
    """One question; `before` are frames that its worker must get first."""

    client: Hashable
    says: Mapping[str, Any]
    answer: "asyncio.Future[WorkerFrame]"
    before: Sequence[bytes] = ()
    attempts: int = field(default=0)
    patience: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Count an attempt, and stop the timer of waiting."""
        self.attempts += 1
        if self.patience is not None:
            self.patience.cancel()

    def succeed(self, frame: WorkerFrame) -> None:
        if not self.answer.done():
            self.answer.set_result(frame)

    def fail(self, reason: Exception) -> None:
        if not self.answer.done():
            self.answer.set_exception(reason)


class FairQueue:
    """A queue that serves clients round-robin, each client's jobs in order."""

    def __init__(self) -> None:
        self._lines: OrderedDict[Hashable, deque[QuestionJob]] = OrderedDict()
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def lengths(self) -> Counter[Hashable]:
        """Return the number of waiting jobs by client."""
        return Counter({client: len(line) for client, line in self._lines.items()})

    def push(self, job: QuestionJob, first: bool = False) -> None:
        """Append a job; with `first`, put it and its client at the front."""
        line = self._lines.setdefault(job.client, deque())
        (line.appendleft if first else line.append)(job)
        self._size += 1
        if first:
            self._lines.move_to_end(job.client, last=False)

    def take(self, may: Callable[[Hashable], bool]) -> QuestionJob | None:
        """Remove and return the next job of a client that `may` have a worker; None if none."""
        for client in self._lines:
            if may(client):
                line = self._lines[client]
                job = line.popleft()
                self._size -= 1
                self._lines.move_to_end(client)
                if not line:
                    del self._lines[client]
                return job
        return None

    def discard(self, job: QuestionJob) -> bool:
        """Remove a job whose answer is no longer wanted; return False if it is not waiting."""
        line = self._lines.get(job.client, deque())
        if job not in line:
            return False
        line.remove(job)
        self._size -= 1
        if not line:
            del self._lines[job.client]
        return True

    def drain(self) -> list[QuestionJob]:
        """Remove and return all waiting jobs."""
        jobs = [job for line in self._lines.values() for job in line]
        self._lines.clear()
        self._size = 0
        return jobs


class ReplicaProgress:
    """The newest delta that was fed, and the questions that wait for a later one."""

    def __init__(self) -> None:
        self.seq = 0
        self._early: list[tuple[int, asyncio.Future[None]]] = []

    def reach(self, seq: int) -> None:
        """Set the newest fed delta, and release the questions that waited for it."""
        self.seq = max(self.seq, seq)
        for wanted, reached in self._early:
            if wanted <= self.seq and not reached.done():
                reached.set_result(None)

    async def reached(self, seq: int, seconds: float) -> None:
        """Wait until a delta is fed; Busy if it is not within `seconds`."""
        if seq <= self.seq:
            return
        early = (seq, asyncio.get_running_loop().create_future())
        self._early.append(early)
        try:
            await asyncio.wait_for(early[1], seconds)
        except TimeoutError:
            message = f"the answer must include delta {seq}, which has not arrived yet"
            raise Busy(message, reason="behind", seq=self.seq) from None
        finally:
            self._early.remove(early)
