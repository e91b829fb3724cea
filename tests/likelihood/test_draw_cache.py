"""Equal questions share one answer, and it is kept for as long as nothing changes."""

import asyncio
import math
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import replace

import numpy as np
import pytest

from spatial_reasoner.belief.mind import Mind
from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.likelihood.draw_cache import DrawCache
from spatial_reasoner.likelihood.falls import FallJob
from spatial_reasoner.likelihood.likelihood import Doubt, Tally, doubt
from spatial_reasoner.likelihood.likelihoods import Likelihoods
from spatial_reasoner.likelihood.workers import Workers
from tests.likelihood.rooms import TOP, Believe, Thing, doubted

DRAWS = 100
JOBS = 10
BALL = Thing((0.13, 0.0, TOP + 0.4), (0.05, 0.01, 0.01, 0.0))
BOX = Thing((0.0, 0.0, TOP + 0.15))


class Counting(Workers):
    """Workers whose jobs are counted; things stay where they are drawn, and some are not drawn."""

    def __init__(self) -> None:
        super().__init__()
        self.jobs = 0
        self.most = JOBS
        """So many jobs of a question there is time for."""
        self.may_go_on = asyncio.Event()
        self.may_go_on.set()

    async def each(
        self, jobs: Sequence[FallJob], seconds: float
    ) -> AsyncIterator[tuple[int, Floats | None]]:
        self.jobs += len(jobs)
        waiting = asyncio.ensure_future(self.may_go_on.wait())
        await asyncio.wait([waiting], timeout=None if seconds == math.inf else seconds)
        for number, job in enumerate(jobs[: self.most]):
            yield number, np.repeat(job.bodies.poses[None], job.end - job.begin, axis=0)


@pytest.fixture
def workers() -> Iterator[Counting]:
    """Who does the work."""
    with closing(Counting()) as made:
        yield made


@pytest.fixture
def mind(believe: Believe) -> Mind:
    """A ball over the wall of a box."""
    return believe(ball=BALL, box=BOX)


def about(mind: Mind, name: str = "ball") -> Doubt:
    """What there is to try for a thing."""
    found = doubt(mind, mind.roster.row[name])
    assert found is not None
    return found


def others(one: Doubt, count: int) -> list[Doubt]:
    """As many doubts that differ a little."""
    poses = [one.bodies.poses + np.array([k / 1000, 0, 0, 0, 0, 0, 0]) for k in range(count)]
    return [replace(one, bodies=replace(one.bodies, poses=each)) for each in poses]


async def drawn(
    trials: DrawCache, one: Doubt, draws: int = DRAWS, seconds: float = math.inf
) -> int:
    """How many draws are behind an answer."""
    [tally] = await trials.tallies([(one, draws)], seconds)
    return tally.draws


def test_equal_questions_at_once(mind: Mind, workers: Counting) -> None:
    """What many ask at once is worked on once, and all of them are told the same."""

    async def main() -> list[int]:
        trials = DrawCache(workers)
        return await asyncio.gather(*(drawn(trials, about(mind)) for _ in range(20)))

    assert asyncio.run(main()) == [DRAWS] * 20
    assert workers.jobs == JOBS


def test_kept_until_a_belief_changes(mind: Mind, workers: Counting) -> None:
    """What was found out is told again without any work, until something is believed otherwise."""
    trials = DrawCache(workers)
    for _ in range(3):
        assert asyncio.run(drawn(trials, about(mind))) == DRAWS
        assert asyncio.run(drawn(trials, about(mind), 20)) == 20
    assert workers.jobs == JOBS
    doubted(mind, "ball", (0.06, 0.01, 0.01, 0.0))
    assert asyncio.run(drawn(trials, about(mind))) == DRAWS
    assert workers.jobs == 2 * JOBS


@pytest.mark.parametrize("what", ["poses", "roots", "loose", "names", "is_held", "is_support"])
def test_what_differs_is_no_equal_question(mind: Mind, workers: Counting, what: str) -> None:
    """Whatever an answer depends on makes another question of it."""
    one, trials = about(mind), DrawCache(workers)
    of = one.bodies if hasattr(one.bodies, what) else one
    changed = replace(of, **{what: _another(getattr(of, what))})  # type: ignore[arg-type]
    other = changed if isinstance(changed, Doubt) else replace(one, bodies=changed)
    asyncio.run(drawn(trials, one))
    asyncio.run(drawn(trials, other))
    assert workers.jobs == 2 * JOBS


def _another(value: object) -> object:
    """Something of the same kind."""
    if isinstance(value, tuple):
        return (*value[:-1], "other")
    numbers = np.asarray(value)
    return numbers + 0.001 if numbers.dtype == np.float64 else np.logical_not(numbers)


def test_what_there_was_no_time_for_is_added(mind: Mind, workers: Counting) -> None:
    """An answer of fewer draws is made of more when it is asked for again."""
    trials = DrawCache(workers)
    workers.most = 3
    found = [asyncio.run(drawn(trials, about(mind))) for _ in range(4)]
    assert found == [30, 60, 90, 100]
    assert workers.jobs == 10 + 7 + 4 + 1


def test_who_has_less_time_is_told_what_there_is(mind: Mind, workers: Counting) -> None:
    """Who can't wait any longer has his answer, and the others' work goes on."""

    async def main() -> None:
        trials = DrawCache(workers)
        workers.most = 3
        assert await drawn(trials, about(mind)) == 30
        workers.may_go_on.clear()
        workers.most = JOBS
        patient = asyncio.ensure_future(drawn(trials, about(mind)))
        await asyncio.sleep(0)
        assert await drawn(trials, about(mind), seconds=0.05) == 30
        gone = asyncio.ensure_future(drawn(trials, about(mind)))
        await asyncio.sleep(0)
        gone.cancel()
        with suppress(asyncio.CancelledError):
            await gone
        workers.may_go_on.set()
        assert await patient == DRAWS
        assert workers.jobs == 10 + 7

    asyncio.run(main())


def test_what_fails_is_heard_by_all(mind: Mind, workers: Counting) -> None:
    """When work is given up all who wait for it hear so, and it can be asked for again."""

    async def main() -> None:
        trials = DrawCache(workers)
        workers.may_go_on.clear()
        asked = [asyncio.ensure_future(drawn(trials, about(mind))) for _ in range(3)]
        for _ in range(3):
            await asyncio.sleep(0)
        trials.close()
        for each in asked:
            with pytest.raises(TimeoutError, match="cancelled"):
                await each
        workers.may_go_on.set()
        assert await drawn(trials, about(mind)) == DRAWS

    asyncio.run(main())


def test_only_so_much_is_kept(mind: Mind, workers: Counting) -> None:
    """Of ever new questions the oldest ones are forgotten."""

    async def main() -> None:
        trials, all_of_them = DrawCache(workers), others(about(mind), 300)
        for each in all_of_them:
            await drawn(trials, each, 10)
        assert len(trials) == 256
        before = workers.jobs
        await drawn(trials, all_of_them[-1], 10)
        assert workers.jobs == before
        await drawn(trials, all_of_them[0], 10)
        assert workers.jobs == before + 1

    asyncio.run(main())


def test_only_so_much_is_tried_at_once(mind: Mind, workers: Counting) -> None:
    """Beyond two hundred different things who asks for more is refused at once, and says why."""

    async def main() -> None:
        trials, all_of_them = DrawCache(workers), others(about(mind), 201)
        workers.may_go_on.clear()
        asked = [asyncio.ensure_future(drawn(trials, each, 10)) for each in all_of_them[:-1]]
        await asyncio.sleep(0)
        with pytest.raises(TimeoutError, match="200 inputs are in work already"):
            await drawn(trials, all_of_them[-1], 10)
        workers.may_go_on.set()
        assert await asyncio.gather(*asked) == [10] * 200
        assert await drawn(trials, all_of_them[-1], 10) == 10

    asyncio.run(main())


_PATIENCE = 30.0
"""Seconds: enough on a machine that does other work beside."""


def test_twenty_askers(believe: Believe, answers: Likelihoods) -> None:
    """Twenty who ask the same and twenty who ask differently are all answered, and nothing stands
    still meanwhile."""
    things = {"ball": BALL, "box": BOX, "mug": Thing((-0.3, 0.5, TOP + 0.05))}
    facts = [("ball", "isIn", "box"), ("ball", "isOn", "table"), ("mug", "isOn", "table")]

    async def main() -> None:
        mind = believe(**things)
        await answers.likely(mind, facts[0], math.inf)
        minds = [believe(**{**things, "ball": _beside(k)}) for k in range(20)]
        same = [answers.likely(mind, facts[k % 3], _PATIENCE) for k in range(20)]
        differ = [answers.likely(each, facts[0], _PATIENCE) for each in minds]
        turns = asyncio.ensure_future(_turns())
        found = await asyncio.gather(*same, *differ)
        turns.cancel()
        assert all(each is not None and each.draws >= 10 for each in found)
        assert len({each.share for each in found[:20:3] if each is not None}) == 1

    asyncio.run(main())


def _beside(k: int) -> Thing:
    return Thing((0.1 + k / 1000, 0.0, TOP + 0.4), BALL.deviations)


async def _turns() -> None:
    """Somebody who wants a turn ten times a second, as the reasoner's ticks do."""
    loop = asyncio.get_running_loop()
    while True:
        before = loop.time()
        await asyncio.sleep(0.02)
        assert loop.time() - before < 1.0


def test_a_sum_of_nothing(mind: Mind) -> None:
    """Of no draws nothing is said, and no number is made up."""
    assert Tally.sum([Tally.none(len(about(mind).shapes))]).draws == 0
