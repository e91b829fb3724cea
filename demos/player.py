"""The player: sends a case of a story, frame by frame, through the reasoner to the board.

The board is updated after each frame, before the next one. So at the end of a step it holds the
beliefs of that time, at any speed.
"""

import asyncio
import math
from collections.abc import Sequence
from typing import Final

from demos.asking import Asking, StepResult, latest
from demos.choreography import Choreography
from demos.programme import Programme
from demos.story import Case, Step, Story
from kb_server import AsyncBlackboard
from spatial_reasoner.board.publisher import Publisher
from spatial_reasoner.percepts.recording import Recorder
from spatial_reasoner.scene.scene import Scene
from spatial_reasoner.sources.recorded import Pace
from spatial_reasoner.values.delta import BeliefDelta, Reasons
from spatial_reasoner.values.frames import Frame

__all__ = ["Listener", "Player"]


class Listener:
    """Is notified of the steps of a story; this base class does nothing."""

    def begins(self, n: int, step: Step) -> None:
        """A step begins."""

    def ended(self, result: StepResult) -> None:
        """A step has ended; `told` are its results."""


class Player:
    """Plays one case on one board; `speed` is a factor of real time."""

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
        self._publisher: Final = Publisher(kb, reasons, source)
        self._programme: Final = Programme(kb, story)
        self._stage: Final = Choreography()
        self._ends: Final[list[float]] = []

    async def opens(self) -> None:
        """Shows on the page which story it is."""
        await self._programme.opens()

    async def play(self, listener: Listener) -> list[StepResult]:
        """Plays the case to its end; returns the results of each step."""
        await self._publisher.begin()
        asking = Asking(
            self._kb, self._story, self._things, self._source, await latest(self._kb), self._ends
        )
        results: list[StepResult] = []
        for n, step in enumerate(self._case.steps, 1):
            listener.begins(n, step)
            await self._programme.begins(n, step)
            await self._act(step, is_last=n == len(self._case.steps))
            results.append(await asking.result(n, step, self._reasons.now))
            await self._programme.ended(results[-1], is_over=n == len(self._case.steps))
            listener.ended(results[-1])
        return results

    async def withdraw(self) -> None:
        """Retracts all facts and appearances."""
        await self._programme.withdraw()
        await self._publisher.withdraw()

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

    async def _tell(self, deltas: Sequence[BeliefDelta]) -> None:
        self._publisher.take(deltas)
        await self._publisher.settle()
        await asyncio.sleep(0)  # so that queries of the board are answered in between
