"""A session: frames from several sources in, facts on the board out, until it is told to end.

Everything runs in one event loop and one thread: the reasoner's pictures belong to the thread that
made them, and its physics would keep another one waiting anyway. A tick holds the loop up for as
long as it takes; between two ticks everybody else has a turn.
"""

import asyncio
import logging
from collections.abc import Sequence
from typing import Any, Final

from kb_server import AsyncBlackboard, BoardError, ConnectionFailed
from spatial_reasoner.board.presence import watch
from spatial_reasoner.board.telling import Telling
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
"""Seconds to finish what is being told, and as many again to withdraw it all."""


class Session:
    """One reasoner at work on one board, whose presence is looked at every `glance` seconds."""

    def __init__(
        self,
        kb: AsyncBlackboard,
        reasons: Reasons,
        feed: Feed,
        telling: Telling,
        recorder: Recorder | None = None,
        glance: float = 2.0,
        clocks: Clocks | None = None,
    ) -> None:
        self._kb: Final = kb
        self._reasons: Final = reasons
        self._feed: Final = feed
        self._telling: Final = telling
        self._recorder = recorder
        self._glance: Final = glance
        self._clocks: Final = clocks or Clocks()
        self._failures: Final[list[str]] = []

    async def live(self, sources: Sequence[PerceptSource], stop: asyncio.Event) -> bool:
        """Lives until `stop` is set or no source has more to give; then takes all facts back.

        Answers whether all sources ended well. What goes wrong in the reasoner itself is raised,
        after the facts are taken back.
        """
        telling = asyncio.create_task(self._telling.run())
        watching = asyncio.create_task(watch(self._kb, self._telling.doubt, self._glance))
        ticking = asyncio.create_task(self._tick_on())
        giving = asyncio.gather(*(self._give(source) for source in sources))
        stopping = asyncio.create_task(stop.wait())
        try:
            await asyncio.wait(
                (telling, ticking, giving, stopping), return_when=asyncio.FIRST_COMPLETED
            )
        finally:
            await _ended(giving, ticking, watching, stopping)
            await self._leave(telling)
        for task in (ticking, telling):
            if not task.cancelled() and (failure := task.exception()) is not None:
                raise failure
        return not self._failures

    async def _tick_on(self) -> None:
        while True:
            waiting = await self._feed.take()
            self._record(waiting)
            late = self._late(waiting.frame)
            self._telling.take(self._reasons.tick(waiting.frame))
            waiting.tell(late=late)
            await asyncio.sleep(0)  # who was told, and who waits for the board, goes on

    def _late(self, frame: Frame) -> float | None:
        """By how many seconds a frame is late; who is so for the first time is logged."""
        timing = self._clocks.timing(frame)
        if timing.warning is not None:
            _log.warning("%s", timing.warning)
        return timing.late

    def _record(self, waiting: Waiting) -> None:
        """Records a frame; a disk that is full ends the recording, not the session."""
        if self._recorder is None:
            return
        try:
            self._recorder.record(waiting.frame)
        except OSError as reason:
            _log.error("the recording ends here, it can't be written: %s", reason)
            self._recorder = None

    async def _give(self, source: PerceptSource) -> None:
        try:
            await source.run(self._feed)
        except (SpatialError, OSError) as reason:
            _log.error("%s gives no more: %s", source.name, reason)
            self._failures.append(source.name)

    async def _leave(self, telling: "asyncio.Task[None]") -> None:
        """Lets what is being told be told, then takes it all back, neither of it for long."""
        self._telling.stop()
        await asyncio.wait((telling,), timeout=_GOODBYE)
        await _ended(telling)
        try:
            async with asyncio.timeout(_GOODBYE):
                await self._telling.withdraw()
        except (BoardError, ConnectionFailed, TimeoutError) as reason:
            why = str(reason) or "it does not answer in time"
            _log.warning("the facts can't be withdrawn; the board does so by our will: %s", why)


async def _ended(*tasks: "asyncio.Future[Any]") -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
