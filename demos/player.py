"""The player: a case of a story, frame by frame, to the reasoner and from it to the board.

Each frame is told before the next one, so that the board holds at the end of a step what was
believed then, at whatever speed.
"""

import asyncio
import math
from collections.abc import Sequence
from typing import Final

from demos.asking import Asking, Told, latest
from demos.choreography import Choreography
from demos.programme import Programme
from demos.story import Case, Step, Story
from kb_server import AsyncBlackboard
from spatial_reasoner.board.telling import Telling
from spatial_reasoner.percepts.recording import Recorder
from spatial_reasoner.scene.scene import Scene
from spatial_reasoner.sources.recorded import Pace
from spatial_reasoner.values.delta import Delta, Reasons
from spatial_reasoner.values.frames import Frame

__all__ = ["Listener", "Player"]


class Listener:
    """Who is told of a story as it goes on; this one takes no notice."""

    def begins(self, n: int, step: Step) -> None:
        """A step begins."""

    def ended(self, told: Told) -> None:
        """A step is over, and the board was asked about it."""


class Player:
    """Plays one case on one board; `speed` is how many times as fast as it happens."""

    def __init__(
        self,
        kb: AsyncBlackboard,
        reasons: Reasons,
        story: Story,
        case: Case,
        scene: Scene,
        source: str,
        speed: float = math.inf,
        recorder: Recorder | None = None,
    ) -> None:
        self._kb: Final = kb
        self._reasons: Final = reasons
        self._story: Final = story
        self._case: Final = case
        self._things: Final = story.things or tuple(
            name for name, each in scene.entities.items() if not each.static
        )
        self._source: Final = source
        self._speed: Final = speed
        self._pace: Final = Pace()
        self._recorder: Final = recorder
        self._telling: Final = Telling(kb, reasons, source)
        self._programme: Final = Programme(kb, story)
        self._stage: Final = Choreography()
        self._ends: Final[list[float]] = []

    async def opens(self) -> None:
        """Has the page say which story it is."""
        await self._programme.opens()

    async def play(self, listener: Listener) -> list[Told]:
        """Plays it to its end, and tells what came out of each step."""
        await self._telling.begin()
        asking = Asking(
            self._kb, self._story, self._things, self._source, await latest(self._kb), self._ends
        )
        told: list[Told] = []
        for n, step in enumerate(self._case.steps, 1):
            listener.begins(n, step)
            await self._programme.begins(n, step)
            await self._act(step, is_last=n == len(self._case.steps))
            told.append(await asking.told(n, step, self._reasons.now))
            await self._programme.ended(told[-1], is_over=n == len(self._case.steps))
            listener.ended(told[-1])
        return told

    async def withdraw(self) -> None:
        """Takes back all that was told and shown."""
        await self._programme.withdraw()
        await self._telling.withdraw()

    async def _act(self, step: Step, *, is_last: bool) -> None:
        first = len(self._stage.frames)
        step.act(self._stage)
        for frame in self._stage.frames[first:]:
            await self._due(frame)
            if self._recorder is not None:
                self._recorder.record(frame)
            await self._tell(self._reasons.tick(frame))
        if is_last:
            await self._tell(self._reasons.finish())
        self._ends.append(self._reasons.now)

    async def _due(self, frame: Frame) -> None:
        if math.isfinite(self._speed):
            await self._pace.due(frame.t / self._speed)

    async def _tell(self, deltas: Sequence[Delta]) -> None:
        self._telling.take(deltas)
        await self._telling.settle()
        await asyncio.sleep(0)  # what the board asks is answered in between
