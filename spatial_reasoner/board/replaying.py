"""Replays a recording through the reasoner: its deltas as lines, and optionally on a board.

Without a pace it runs as fast as it can. The facts are those of the live run all the same, because
the present is the newest time of a percept. The board is updated after each tick, before the next
one.
"""

import asyncio
import logging
from collections.abc import Iterable
from typing import Final, TextIO

from kb_server import AsyncBlackboard
from spatial_reasoner.actions.action_names import SOURCE, prefix_of
from spatial_reasoner.board.publisher import Publisher
from spatial_reasoner.percepts.clocks import Clocks
from spatial_reasoner.percepts.recording import delta_line
from spatial_reasoner.sources.recorded import Pace
from spatial_reasoner.values.delta import BeliefDelta, Reasons
from spatial_reasoner.values.frames import Frame

__all__ = ["RecordingReplay"]

_log: Final = logging.getLogger(__name__)


class RecordingReplay:
    """One recording and one reasoner: each of `outs` gets a line per delta.

    `frames` and `deltas` count what was processed.
    """

    def __init__(
        self,
        reasons: Reasons,
        clocks: Clocks,
        outs: Iterable[TextIO] = (),
        pace: Pace | None = None,
    ) -> None:
        self._reasons: Final = reasons
        self._outs: Final = tuple(outs)
        self._pace: Final = pace
        self._clocks: Final = clocks
        self._publisher: Publisher | None = None
        self.frames = self.deltas = 0

    async def run(
        self, frames: Iterable[Frame], kb: AsyncBlackboard | None = None, source: str = SOURCE
    ) -> None:
        """Replays all frames, and updates a board if there is one; retracts nothing at the end.

        The names of actions start with that of the source. They are counted from 1, or after those
        on the board. An invalid frame raises its error after the facts of the frames before it.
        """
        self._reasons.name_actions(prefix_of(source), {})
        if kb is not None:
            self._publisher = Publisher(kb, self._reasons, source)
            await self._publisher.begin(will=False)
        for frame in frames:
            if self._pace is not None:
                await self._pace.due(frame.t)
            self.frames += 1
            if (warning := self._clocks.timing(frame).warning) is not None:
                _log.warning("%s", warning)
            await self._write(self._reasons.tick(frame))
        await self._write(self._reasons.finish())

    async def _write(self, deltas: Iterable[BeliefDelta]) -> None:
        taken = list(deltas)
        self.deltas += len(taken)
        for out in self._outs:
            for delta in taken:
                out.write(delta_line(delta, self._reasons.now) + "\n")
            if self._pace is not None:
                out.flush()
        if self._publisher is not None:
            self._publisher.take(taken)
            await self._publisher.settle()
        await asyncio.sleep(0)  # so that queries of the board are answered in between
