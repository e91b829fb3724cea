"""A live session: frames from several sources in, facts on the board out, until it is stopped.

All of it runs in one event loop and one thread: renderers are bound to the thread that created
them, and Bullet never releases the GIL. A tick blocks the loop while it runs; other tasks run
between two ticks.
"""

import asyncio
import logging
from collections.abc import Sequence
from typing import Any, Final

from kb_server import AsyncBlackboard, BoardError, ConnectionFailed
from spatial_reasoner.board.model_watch import watch
from spatial_reasoner.board.publisher import Publisher
from spatial_reasoner.errors import SpatialError
from spatial_reasoner.percepts.clocks import Clocks
from spatial_reasoner.percepts.feed import Feed, Waiting
from spatial_reasoner.percepts.recording import Recorder
from spatial_reasoner.sources.protocol import PerceptSource
from spatial_reasoner.values.delta import Reasons
from spatial_reasoner.values.frames import Frame

__all__ = ["Session"]

_log: Final = logging.getLogger(__name__)
_GOODBYE: Final = 3.0
"""Seconds to finish the present update, and again to retract all facts."""


class Session:
    """One reasoner on one board, whose models are checked every `glance` seconds."""

    def __init__(
        self,
        kb: AsyncBlackboard,
        reasons: Reasons,
        feed: Feed,
        publisher: Publisher,
        clocks: Clocks,
        recorder: Recorder | None = None,
        glance: float = 2.0,
    ) -> None:
        self._kb: Final = kb
        self._reasons: Final = reasons
        self._feed: Final = feed
        self._publisher: Final = publisher
        self._recorder = recorder
        self._glance: Final = glance
        self._clocks: Final = clocks
        self._failures: Final[list[str]] = []

    async def live(self, sources: Sequence[PerceptSource], stop: asyncio.Event) -> bool:
        """Runs until `stop` is set or all sources have ended, and then retracts all facts.

        Returns whether all sources ended without an error. Errors of the reasoner itself are raised
        after the facts are retracted.
        """
        publisher = asyncio.create_task(self._publisher.run())
        watching = asyncio.create_task(watch(self._kb, self._publisher.doubt, self._glance))
        ticking = asyncio.create_task(self._tick_on())
        giving = asyncio.gather(*(self._give(source) for source in sources))
        stopping = asyncio.create_task(stop.wait())
        try:
            await asyncio.wait(
                (publisher, ticking, giving, stopping), return_when=asyncio.FIRST_COMPLETED
            )
        finally:
            await _ended(giving, ticking, watching, stopping)
            await self._leave(publisher)
        for task in (ticking, publisher):
            if not task.cancelled() and (failure := task.exception()) is not None:
                raise failure
        return not self._failures

    async def _tick_on(self) -> None:
        while True:
            waiting = await self._feed.take()
            self._record(waiting)
            late = self._late(waiting.frame)
            self._publisher.take(self._reasons.tick(waiting.frame))
            waiting.report(late=late)
            await asyncio.sleep(0)  # let tasks run that wait for a frame or for the board

    def _late(self, frame: Frame) -> float | None:
        """Returns how many seconds a frame is late; logs the first time of each source."""
        timing = self._clocks.timing(frame)
        if timing.warning is not None:
            _log.warning("%s", timing.warning)
        return timing.late

    def _record(self, waiting: Waiting) -> None:
        """Records a frame; if the disk is full, only the recording ends."""
        if self._recorder is None:
            return
        try:
            self._recorder.record(waiting.frame)
        except OSError as reason:
            _log.error("the recording stops, because it can't be written: %s", reason)
            self._recorder = None

    async def _give(self, source: PerceptSource) -> None:
        try:
            await source.run(self._feed)
        except (SpatialError, OSError) as reason:
            _log.error("%s stopped: %s", source.name, reason)
            self._failures.append(source.name)

    async def _leave(self, publisher: "asyncio.Task[None]") -> None:
        """Finishes the present update and retracts all facts, each within a time limit."""
        self._publisher.stop()
        await asyncio.wait((publisher,), timeout=_GOODBYE)
        await _ended(publisher)
        try:
            async with asyncio.timeout(_GOODBYE):
                await self._publisher.withdraw()
        except (BoardError, ConnectionFailed, TimeoutError) as reason:
            why = str(reason) or "it does not answer in time"
            _log.warning("the facts can't be retracted; the board does so by the will: %s", why)


async def _ended(*tasks: "asyncio.Future[Any]") -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
