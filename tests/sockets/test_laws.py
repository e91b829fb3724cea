"""The law of subscriptions: a snapshot and the events after it are always what a question answers.

Whatever is told, withdrawn, expires or is deleted, and however often the line is lost.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import cycle
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from kb_server.errors import BadRequest, UnknownModel
from kb_server.service.desk.desk import Desk
from tests.events.worlds import Change, Wish, World, happens, worlds
from tests.sockets.desks import Clock, Row, Visit, desk_of, rows_of
from tests.trials import law

Step = Change | str
STEPS = st.sampled_from(("lose", "return", "return", "listen", "listen", "delete", "create"))


@dataclass
class Follower:
    """A client that folds what it hears, and comes back after what it has heard whole."""

    desk: Desk
    wish: Wish
    visit: Visit
    rows: set[Row]
    whole: int = 0
    is_lost: bool = False

    async def subscribe(self, **more: Any) -> None:
        """Subscribes, reading meanwhile."""
        patterns = list(self.wish.patterns)
        asked = {"model": self.wish.model, "patterns": patterns, "on": "both", **more}
        await self._read(asyncio.create_task(self.visit.say("subscribe", "s", **asked)))

    def lose(self) -> None:
        if not self.is_lost:
            self.is_lost = True
            self.visit.socket_client.depart()

    async def come_back(self) -> None:
        if self.is_lost:
            self.visit = Visit(self.desk)
            try:
                await self.subscribe(after=self.whole)
            except UnknownModel:  # never a fact was in it, and it is gone
                return
            self.is_lost = False

    async def listen(self) -> None:
        """Takes in all that is queued."""
        if not self.is_lost:
            await self._read()

    async def _read(self, until: "asyncio.Task[str] | None" = None) -> None:
        """Takes what comes; told of an overflow, it resumes as it was told to."""
        resume: int | None = None
        while True:
            done = until is None or until.done()
            frames = await self.visit.heard()
            for frame in frames:
                if frame.get("event") == "overflow":
                    resume = frame["resume_after"]
                else:
                    self._take(frame)
            if done and not frames:
                break
            await asyncio.sleep(0)
        if until is not None:
            await until
        if resume is not None:
            await self.subscribe(after=resume)

    def _take(self, frame: dict[str, Any]) -> None:
        assert "error" not in frame
        if frame.get("event") in ("appear", "disappear"):
            row = frozenset(frame["bindings"].items())
            has = frame["event"] == "disappear"
            assert (row in self.rows) == has
            (self.rows.remove if has else self.rows.add)(row)
        if "event" in frame:  # of one delta all is queued, or nothing
            self.whole = max(self.whole, frame["seq"])

    def check(self) -> None:
        there = {model.id for model in self.desk.host.board.models()}
        if not self.is_lost and self.wish.model in there:
            assert self.rows == rows_of(self.desk, self.wish.model, self.wish.patterns)


async def lived(world: World, steps: list[Step], room: int) -> None:
    clock = Clock()
    async with desk_of(world.ontology, clock, queue_events=room) as desk:
        await desk.writer.change(lambda: desk.host.create("sally"))
        followers = [Follower(desk, wish, Visit(desk), set()) for wish in world.wishes]
        changes = cycle(world.changes)
        for follower in followers:
            async with change_under_way(desk, clock, next(changes)):
                await follower.subscribe(snapshot=True)
        for step in [*steps, "create", "return", "listen"]:
            if step == "return":
                async with change_under_way(desk, clock, next(changes)):
                    await all_do(followers, Follower.come_back)
            elif step == "lose":
                for follower in followers:
                    follower.lose()
            elif step == "listen":
                await all_do(followers, Follower.listen)
                for follower in followers:
                    follower.check()
            else:
                await happen(desk, clock, step)


async def all_do(
    followers: list[Follower], act: Callable[[Follower], Coroutine[Any, Any, None]]
) -> None:
    for follower in followers:
        await asyncio.wait_for(act(follower), 20)


@asynccontextmanager
async def change_under_way(desk: Desk, clock: Clock, change: Change) -> AsyncIterator[None]:
    """A change that is made, but that the journal may not have yet."""
    making = asyncio.create_task(happen(desk, clock, change))
    await asyncio.sleep(0)
    yield
    await making


async def happen(desk: Desk, clock: Clock, step: Step) -> None:
    """One thing that happens to the board."""
    host = desk.host
    try:
        if isinstance(step, Change):
            clock.now += step.wait
            await desk.writer.change(lambda: happens(host.board, step, host.now()))
        elif step == "delete":
            await desk.writer.change(lambda: host.delete("sally"))
        else:
            await desk.writer.change(lambda: host.create("sally"))
    except (BadRequest, UnknownModel):
        return


@st.composite
def lives(draw: st.DrawFn) -> tuple[World, list[Step], int]:
    """A world, what happens in it with lines that break, and the room that a slow reader has."""
    world = draw(worlds(most=12, least=4))
    steps: list[Step] = []
    for change in world.changes:
        steps += [change, *draw(st.lists(STEPS, max_size=3))]
    return world, steps, draw(st.sampled_from((1_000, 3, 1)))


@law(100)
@given(lives())
def test_folding_the_events_is_asking_anew(life: tuple[World, list[Step], int]) -> None:
    """A client that folds what it hears, over losses, overflows and deletions, knows what holds."""
    asyncio.run(lived(*life))
