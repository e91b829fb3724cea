"""What waits for a worker, or for a delta, and whose turn it is.

Clients take turns, and one client leaves a worker to the others: however many costly questions it
sends, the rest are answered.
"""

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kb_server.sparql.errors import Busy
from kb_server.sparql.protocol import Frame

__all__ = ["FairQueue", "Job", "Progress"]


@dataclass(eq=False)
class Job:
    """One question on its way; `before` are frames that its worker needs first."""

    client: Hashable
    says: Mapping[str, Any]
    answer: "asyncio.Future[Frame]"
    before: Sequence[bytes] = ()
    attempts: int = field(default=0)
    patience: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """It has a worker now."""
        self.attempts += 1
        if self.patience is not None:
            self.patience.cancel()

    def succeed(self, frame: Frame) -> None:
        if not self.answer.done():
            self.answer.set_result(frame)

    def fail(self, reason: Exception) -> None:
        if not self.answer.done():
            self.answer.set_exception(reason)


class FairQueue:
    """Jobs in order for each client, the clients in turn."""

    def __init__(self) -> None:
        self._lines: OrderedDict[Hashable, deque[Job]] = OrderedDict()
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def lengths(self) -> Counter[Hashable]:
        """How many wait for each client."""
        return Counter({client: len(line) for client, line in self._lines.items()})

    def push(self, job: Job, first: bool = False) -> None:
        """Lets a job wait; one that comes back is the first again."""
        line = self._lines.setdefault(job.client, deque())
        (line.appendleft if first else line.append)(job)
        self._size += 1
        if first:
            self._lines.move_to_end(job.client, last=False)

    def take(self, may: Callable[[Hashable], bool]) -> Job | None:
        """The next job of a client that may have a worker now."""
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

    def discard(self, job: Job) -> bool:
        """Forgets a job that nobody waits for any more; False when it does not wait here."""
        line = self._lines.get(job.client, deque())
        if job not in line:
            return False
        line.remove(job)
        self._size -= 1
        if not line:
            del self._lines[job.client]
        return True

    def drain(self) -> list[Job]:
        """All that wait, who then wait no more."""
        jobs = [job for line in self._lines.values() for job in line]
        self._lines.clear()
        self._size = 0
        return jobs


class Progress:
    """How far the deltas have been fed, and who waits for more of them."""

    def __init__(self) -> None:
        self.seq = 0
        self._early: list[tuple[int, asyncio.Future[None]]] = []

    def reach(self, seq: int) -> None:
        """From now on all questions see that delta."""
        self.seq = max(self.seq, seq)
        for wanted, reached in self._early:
            if wanted <= self.seq and not reached.done():
                reached.set_result(None)

    async def reached(self, seq: int, seconds: float) -> None:
        """Waits for a delta to be fed; Busy when it is not in that time."""
        if seq <= self.seq:
            return
        early = (seq, asyncio.get_running_loop().create_future())
        self._early.append(early)
        try:
            await asyncio.wait_for(early[1], seconds)
        except TimeoutError:
            message = f"this is to be answered after the delta {seq}, which is not here yet"
            raise Busy(message, reason="behind", seq=self.seq) from None
        finally:
            self._early.remove(early)
