"""Results of draws, cached and shared by equal questions.

Two questions are equal if they are about the same objects with equal beliefs about them, in
whichever mind. A client that asks a question in progress waits for the same work. A later client
gets the cached result, until a belief changes. Each draw gives the same result at any time, so
draws that were left out for lack of time are added when the question is asked again.
"""

import asyncio
import math
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Final

from spatial_reasoner.likelihood.falls import FallJob, jobs
from spatial_reasoner.likelihood.likelihood import Doubt, Tally, tallied
from spatial_reasoner.likelihood.workers import Workers

__all__ = ["DrawCache"]

_KEPT: Final = 256
"""Number of inputs with cached results."""
_MOST: Final = 200
"""Inputs in work at once. Beyond this, a new question would time out and is refused."""


@dataclass(slots=True)
class _Trial:
    """The results of one input so far, by the numbers of the draws, and the task that adds more."""

    found: dict[tuple[int, int], Tally] = field(default_factory=dict)
    work: "asyncio.Task[None] | None" = None

    @property
    def is_worked_on(self) -> bool:
        return self.work is not None and not self.work.done()


@dataclass(frozen=True, slots=True)
class _Question:
    """A question of a client, and the end of its time on the monotonic clock."""

    trial: _Trial
    about: Doubt
    wanted: Sequence[FallJob]
    end: float

    @property
    def lacking(self) -> list[FallJob]:
        """The jobs that are not done yet."""
        return [job for job in self.wanted if (job.begin, job.end) not in self.trial.found]

    @property
    def left(self) -> float:
        return max(self.end - time.monotonic(), 0.0)

    @property
    def is_late(self) -> bool:
        return not self.left

    @property
    def tally(self) -> Tally:
        """The sum of the results that are done."""
        found = [self.trial.found.get((job.begin, job.end)) for job in self.wanted]
        none = Tally.none(len(self.about.shapes))
        return Tally.sum([none, *(each for each in found if each is not None)])


class DrawCache:
    """Runs draws on worker processes; used in one event loop at a time."""

    def __init__(self, workers: Workers) -> None:
        self._workers: Final = workers
        self._draw_cache: Final[OrderedDict[tuple[object, ...], _Trial]] = OrderedDict()
        self._working: Final[set[asyncio.Task[None]]] = set()

    def __len__(self) -> int:
        """The number of inputs with cached results."""
        return len(self._draw_cache)

    async def tallies(self, asked: Sequence[tuple[Doubt, int]], seconds: float) -> list[Tally]:
        """The results of the draws of each input; fewer draws if time runs out.

        Raises TimeoutError if too many inputs are in work already.
        """
        end = time.monotonic() + seconds
        questions = [
            _Question(self._trial(about), about, list(jobs(about.bodies, draws)), end)
            for about, draws in asked
        ]
        new = sum(bool(each.lacking) and not each.trial.is_worked_on for each in questions)
        if new and new + len(self._working) > _MOST:
            raise TimeoutError(f"{len(self._working)} inputs are in work already")
        ours = [self._begins(each) for each in questions]
        return await asyncio.gather(*map(self._tally, questions, ours))

    def close(self) -> None:
        """Cancels all work; a client that waits for it gets a TimeoutError."""
        for task in tuple(self._working):
            task.cancel()

    def _trial(self, about: Doubt) -> _Trial:
        key = _key(about)
        trial = self._draw_cache.setdefault(key, _Trial())
        self._draw_cache.move_to_end(key)
        if len(self._draw_cache) > _KEPT:
            self._draw_cache.popitem(last=False)  # clients that wait for it still hold it
        return trial

    async def _tally(self, question: _Question, is_ours: bool) -> Tally:
        """The results of a question, when all its draws are done or its time is over.

        Work that is `ours` is not repeated if it gives no result. After the work of another client,
        the rest of this question may still be started.
        """
        await _heard(question)
        while question.lacking and not is_ours and not question.is_late:
            is_ours = self._begins(question)
            await _heard(question)
        return question.tally

    def _begins(self, question: _Question) -> bool:
        """Starts the open work of a question, if nobody works on it; returns whether it did."""
        if question.trial.is_worked_on or not question.lacking:
            return False
        question.trial.work = work = asyncio.create_task(self._try(question))
        work.add_done_callback(self._working.discard)
        self._working.add(work)
        return True

    async def _try(self, question: _Question) -> None:
        about, lacking = question.about, question.lacking
        async for number, poses in self._workers.each(lacking, question.left):
            if poses is not None:
                job = lacking[number]
                question.trial.found[job.begin, job.end] = tallied(about, poses)
                await asyncio.sleep(0)  # let other tasks run


async def _heard(question: _Question) -> None:
    """Waits for the work of a question, until its time is over; then the work goes on without
    it."""
    work, left = question.trial.work, question.left
    if work is None or work.done():
        return
    await asyncio.wait([work], timeout=None if left == math.inf else left)
    if work.done() and work.cancelled():
        raise TimeoutError("the work on this question was cancelled")
    if work.done():
        work.result()


def _key(about: Doubt) -> tuple[object, ...]:
    """A key of everything that the results depend on: the same for equal questions."""
    bodies = about.bodies
    numbers = (bodies.poses, bodies.roots, about.is_support, about.is_container, about.is_held)
    digest = blake2b(b"".join(each.tobytes() for each in numbers), digest_size=16).digest()
    solids = tuple(solid.key for solid in bodies.solids)
    within = tuple(each and each.container for each in bodies.confines)
    of = bodies.names, bodies.rows, bodies.rests, within, bodies.loose
    return *of, solids, about.tolerances, digest
