"""What came of draws, kept, and shared by all who ask the same.

Equal questions are those that come to trying the same things, with the same beliefs about them,
whoever asks and in whichever mind. Who asks what is tried already waits for that; who asks it again
later is told at once, until a belief changes. Each draw comes out the same whenever it is tried, so
what there was no time for is added when somebody asks again.
"""

import asyncio
import math
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Final

from spatial_reasoner.likelihood.falls import Job, jobs
from spatial_reasoner.likelihood.likelihood import Doubt, Tally, tallied
from spatial_reasoner.likelihood.workers import Workers

__all__ = ["Trials"]

_KEPT: Final = 256
"""Of so many things, each among others, it is remembered what came of them."""
_MOST: Final = 200
"""No more are tried at once: who comes next would wait in vain."""


@dataclass(slots=True)
class _Trial:
    """What came of the draws of one thing so far, by their numbers, and who works on more."""

    found: dict[tuple[int, int], Tally] = field(default_factory=dict)
    work: "asyncio.Task[None] | None" = None

    @property
    def is_worked_on(self) -> bool:
        return self.work is not None and not self.work.done()


@dataclass(frozen=True, slots=True)
class _Question:
    """What somebody asks, and until when he waits."""

    trial: _Trial
    about: Doubt
    wanted: Sequence[Job]
    end: float

    @property
    def lacking(self) -> list[Job]:
        """What was not done yet."""
        return [job for job in self.wanted if (job.begin, job.end) not in self.trial.found]

    @property
    def left(self) -> float:
        return max(self.end - time.monotonic(), 0.0)

    @property
    def is_late(self) -> bool:
        return not self.left

    @property
    def tally(self) -> Tally:
        """What came of all that is done of it."""
        found = [self.trial.found.get((job.begin, job.end)) for job in self.wanted]
        none = Tally.none(len(self.about.shapes))
        return Tally.sum([none, *(each for each in found if each is not None)])


class Trials:
    """Has draws tried by some workers; it is asked in one event loop at a time."""

    def __init__(self, workers: Workers) -> None:
        self._workers: Final = workers
        self._trials: Final[OrderedDict[tuple[object, ...], _Trial]] = OrderedDict()
        self._working: Final[set[asyncio.Task[None]]] = set()

    def __len__(self) -> int:
        """Of how many it is remembered what came of them."""
        return len(self._trials)

    async def tallies(self, asked: Sequence[tuple[Doubt, int]], seconds: float) -> list[Tally]:
        """What came of so many draws of each; of fewer where time ran out.

        TimeoutError when too much is worked on to begin.
        """
        end = time.monotonic() + seconds
        questions = [
            _Question(self._trial(about), about, list(jobs(about.bodies, draws)), end)
            for about, draws in asked
        ]
        new = sum(bool(each.lacking) and not each.trial.is_worked_on for each in questions)
        if new and new + len(self._working) > _MOST:
            raise TimeoutError(f"{len(self._working)} things are tried already")
        ours = [self._begins(each) for each in questions]
        return await asyncio.gather(*map(self._tally, questions, ours))

    def close(self) -> None:
        """Gives up what is worked on; who waits for it hears so."""
        for task in tuple(self._working):
            task.cancel()

    def _trial(self, about: Doubt) -> _Trial:
        key = _key(about)
        trial = self._trials.setdefault(key, _Trial())
        self._trials.move_to_end(key)
        if len(self._trials) > _KEPT:
            self._trials.popitem(last=False)  # who waits for it still has it
        return trial

    async def _tally(self, question: _Question, is_ours: bool) -> Tally:
        """What came of some draws, when they are all done or it is too late.

        What does not come of work that is `ours` is lost; after that of others there may be time
        for more.
        """
        await _heard(question)
        while question.lacking and not is_ours and not question.is_late:
            is_ours = self._begins(question)
            await _heard(question)
        return question.tally

    def _begins(self, question: _Question) -> bool:
        """Begins with what nobody works on, if there is such; whether that is so."""
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
                await asyncio.sleep(0)  # whoever else waits has a turn


async def _heard(question: _Question) -> None:
    """Waits for what is worked on, and leaves it to others when it is late."""
    work, left = question.trial.work, question.left
    if work is None or work.done():
        return
    await asyncio.wait([work], timeout=None if left == math.inf else left)
    if work.done() and work.cancelled():
        raise TimeoutError("what was worked on is given up")
    if work.done():
        work.result()


def _key(about: Doubt) -> tuple[object, ...]:
    """What all that is tried depends on: the same for equal questions."""
    bodies = about.bodies
    numbers = (bodies.poses, bodies.roots, about.is_support, about.is_container, about.is_held)
    digest = blake2b(b"".join(each.tobytes() for each in numbers), digest_size=16).digest()
    solids = tuple(solid.key for solid in bodies.solids)
    within = tuple(each and each.container for each in bodies.confines)
    of = bodies.names, bodies.rows, bodies.rests, within, bodies.loose
    return *of, solids, about.tolerances, digest
