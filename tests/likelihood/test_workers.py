"""Processes beside: they answer as one would, are replaced when they are lost, and end."""

import asyncio
import math
import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from itertools import pairwise
from typing import Final

import numpy as np
import pytest

from spatial_reasoner.dynamics.bullet_dynamics import Dynamics
from spatial_reasoner.dynamics.rigid_bodies import Solid
from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.likelihood.falls import FallJob, FallScene, jobs
from spatial_reasoner.likelihood.likelihood import doubt
from spatial_reasoner.likelihood.workers import Workers
from tests.likelihood.rooms import TOP, Believe, Thing

DRAWS: Final = 60
BALL: Final = Thing((0.1, 0.0, TOP + 0.4), (0.1, 0.1, 0.01, 0.1))
BOX: Final = Thing((0.0, 0.0, TOP + 0.15))


@pytest.fixture(scope="module")
def bodies(believe: Believe) -> FallScene:
    """A ball over a box, somewhere about its wall."""
    mind = believe(ball=BALL, box=BOX)
    about = doubt(mind, mind.roster.row["ball"])
    assert about is not None
    return about.bodies


@pytest.fixture
def workers() -> Iterator[Workers]:
    """Two processes, once they are asked."""
    with closing(Workers()) as made:
        yield made


def done(workers: Workers, wanted: list[FallJob], seconds: float = math.inf) -> list[Floats | None]:
    """What comes of jobs."""
    return asyncio.run(workers.done(wanted, seconds))


async def up(workers: Workers, job: FallJob) -> None:
    """Has jobs done until processes do them."""
    async with asyncio.timeout(30):
        while not workers.is_up:
            await workers.done([job], math.inf)


@pytest.mark.parametrize("draws", [1, 10, 25])
def test_jobs_have_as_many_draws_as_asked(bodies: FallScene, draws: int) -> None:
    """The jobs of a number of draws contain each of them once, and no other."""
    made = [draw for job in jobs(bodies, draws) for draw in range(job.begin, job.end)]
    assert made == [*range(draws)]


def test_it_does_not_matter_who_does_it(bodies: FallScene, workers: Workers) -> None:
    """Draws come to rest at the same places here, in one process and in two, in any order."""
    wanted = list(jobs(bodies, DRAWS))
    with Dynamics() as here, closing(Workers(1)) as alone:
        expected = [job.done(here) for job in wanted]
        for other in (workers, alone):
            asyncio.run(up(other, wanted[0]))
            for order in (wanted, wanted[::-1]):
                found = dict(zip([job.begin for job in order], done(other, order), strict=True))
                for job, poses in zip(wanted, expected, strict=True):
                    again = found[job.begin]
                    assert again is not None
                    assert np.array_equal(again, poses)


def test_the_first_question_is_answered_before_there_are_processes(
    bodies: FallScene, workers: Workers
) -> None:
    """What is asked while the processes start is done here meanwhile."""
    assert workers.pids == []
    found = done(workers, list(jobs(bodies, DRAWS)))
    assert all(poses is not None for poses in found)


def test_many_questions_hold_nobody_up(bodies: FallScene) -> None:
    """While there are no processes, one job is done between two turns, however many ask."""
    wanted = list(jobs(bodies, 20))

    async def most(alone: Workers) -> int:
        asked = [asyncio.ensure_future(alone.done(wanted, math.inf)) for _ in range(10)]
        left = [0]
        while not all(each.done() for each in asked):
            await asyncio.sleep(0)
            left.append(alone.waiting)
        return max(before - after for before, after in pairwise(left))

    with closing(Workers(0)) as alone:
        assert asyncio.run(most(alone)) == 1


def test_a_process_that_is_lost_is_replaced(bodies: FallScene, workers: Workers) -> None:
    """When both are killed a question is answered all the same, by new ones."""
    wanted = list(jobs(bodies, DRAWS))

    async def main() -> None:
        await up(workers, wanted[0])
        before = workers.pids
        for pid in before:
            os.kill(pid, signal.SIGKILL)
        async with asyncio.timeout(30):
            while any(each is None for each in await workers.done(wanted, math.inf)):
                pass
        assert not set(before) & set(workers.pids)

    asyncio.run(main())


def test_a_question_outlives_a_process(bodies: FallScene, workers: Workers) -> None:
    """When one is killed at work, or both while nobody asks, nothing of an answer is missing."""
    wanted = list(jobs(bodies, 20 * DRAWS))

    async def main() -> None:
        await up(workers, wanted[0])
        asked = asyncio.ensure_future(workers.done(wanted, math.inf))
        await asyncio.sleep(0)
        os.kill(workers.pids[0], signal.SIGKILL)
        async with asyncio.timeout(30):
            assert all(each is not None for each in await asked)
        for pid in workers.pids:
            os.kill(pid, signal.SIGKILL)
        async with asyncio.timeout(30):
            assert all(each is not None for each in await workers.done(wanted[:6], math.inf))

    asyncio.run(main())


def test_what_fails_in_a_process_is_left_out(bodies: FallScene, workers: Workers) -> None:
    """A job that can't be done costs its process, and no other job."""
    good = FallJob(bodies, 0, 5)
    bad = FallJob(replace(bodies, poses=np.full_like(bodies.poses, np.nan)), 5, 10)

    async def main() -> None:
        await up(workers, good)
        async with asyncio.timeout(30):
            first, lost, second = await workers.done([good, bad, good], math.inf)
        assert first is not None
        assert second is not None
        assert lost is None

    asyncio.run(main())


def test_what_is_not_done_in_time_is_left_out(bodies: FallScene, workers: Workers) -> None:
    """Of too much, the first draws are there in time and the last ones are none."""
    wanted = list(jobs(bodies, 40_000))
    asyncio.run(up(workers, wanted[0]))
    found = done(workers, wanted, 4.0)
    is_there = [poses is not None for poses in found]
    assert 0 < sum(is_there) < len(wanted)
    assert all(is_there[:2])
    assert not is_there[-1]


def test_no_process_is_left(bodies: FallScene) -> None:
    """When it is closed its processes have ended; closing twice does no harm."""
    workers = Workers()
    asyncio.run(up(workers, next(jobs(bodies, 5))))
    pids = workers.pids
    assert len(pids) == 2
    workers.close()
    workers.close()
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_nothing_is_left_of_who_is_killed() -> None:
    """When a reasoner is killed, its processes end by themselves."""
    program = (
        "import asyncio, sys, time\n"
        "from spatial_reasoner.likelihood.workers import Workers\n"
        "workers = Workers()\n"
        "asyncio.run(workers.done([], 0))\n"
        "while len(workers.pids) < 2: time.sleep(0)\n"
        "print(*workers.pids, flush=True)\n"
        "sys.stdin.read()\n"
    )
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as killed:
        assert killed.stdout is not None
        ends = [os.pidfd_open(int(pid)) for pid in killed.stdout.readline().split()]
        killed.kill()
        for end in ends:
            assert select.select([end], [], [], 30)[0]
            os.close(end)


def test_heavy_things_fall_as_light_ones(bodies: FallScene) -> None:
    """What falls alone comes to rest at the same place whatever it weighs."""
    heavy = replace(bodies, solids=tuple(replace(each, mass=50.0) for each in bodies.solids))
    assert all(isinstance(each, Solid) for each in heavy.solids)
    with Dynamics() as one, Dynamics() as other:
        light = FallJob(bodies, 0, 10).done(one)
        assert np.abs(FallJob(heavy, 0, 10).done(other) - light).max() < 2e-3
