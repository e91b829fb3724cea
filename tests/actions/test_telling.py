"""Actions on a board: how long they are kept, and what becomes of them in another life."""

import asyncio
from typing import Any

import pytest

from kb_server import AsyncBlackboard, ConnectionFailed
from spatial_reasoner.glances import GlancingSight
from spatial_reasoner.telling import Telling
from spatial_reasoner.tick import SpatialReasoner
from tests.actions.test_plays import UP, at_cup
from tests.minds.conftest import Staged
from tests.minds.play import Recording
from tests.minds.rooms import desk
from tests.service.servers import Servers

PICKED = ["?a a Pick", "?a performedBy sally", "?a actsOnObject cup", "?a fromLocation table"]


async def tell(kb: AsyncBlackboard, recording: Recording, sight: GlancingSight) -> Telling:
    """Has a new reasoner tell a board of a recording."""
    reasoner = SpatialReasoner(recording.scene, sight)
    telling = Telling(kb, reasoner)
    for frame in recording.frames:
        telling.take(reasoner.tick(frame))
        await telling.settle()
    reasoner.close()
    return telling


def test_an_action_is_kept_in_the_episodic_memory(
    staged: Staged, sight: GlancingSight, servers: Servers
) -> None:
    """A Pick is found in both models, lasts for five minutes, and goes when it is withdrawn."""
    play = at_cup(staged(desk())).reach("sally", 0.6, UP, carries="cup").wait(0.6)

    server = servers.start("--no-dl", keeps=False)

    async def life() -> None:
        async with AsyncBlackboard(server.url) as kb:
            telling = await tell(kb, play.recording, sight)
            for model in ("myself", "sally"):
                assert await kb.find(model, *PICKED) == [{"a": "pick_1"}]
                told = [fact async for fact in kb.facts(model, s="pick_1", kind="asserted")]
                assert {fact.memory for fact in told} == {"episodic"}
                assert len(told) == 6
            assert (await kb.consistency("myself")).consistent
            await telling.withdraw()
            assert [fact async for fact in kb.facts("myself", kind="asserted")] == []

    asyncio.run(life())


def test_another_life_does_not_mix_its_actions_up(
    staged: Staged, sight: GlancingSight, servers: Servers
) -> None:
    """Who tells again under the same name begins with no actions, and has pick_1 again."""
    first = at_cup(staged(desk())).reach("sally", 0.6, UP, carries="cup").wait(0.6).recording
    second = staged(desk()).wait(0.4)
    at_cup(second).reach("sally", 0.6, UP, carries="cup").wait(0.6)

    server = servers.start("--no-dl", keeps=False)

    async def lives() -> None:
        async with AsyncBlackboard(server.url) as kb:
            await tell(kb, first, sight)
            before = [fact.fact async for fact in kb.facts("myself", s="pick_1", p="startTime")]
            await tell(kb, second.recording, sight)
            after = [fact.fact async for fact in kb.facts("myself", s="pick_1", p="startTime")]
            assert len(before) == len(after) == 1
            assert before != after
            assert (await kb.consistency("myself")).consistent

    asyncio.run(lives())


@pytest.mark.parametrize("memory", ["long_term", "episodic"])
def test_an_action_is_told_though_the_line_was_lost(
    staged: Staged, sight: GlancingSight, servers: Servers, memory: str
) -> None:
    """Actions are said once, and again if the line is lost before the board has heard of them."""
    recording = at_cup(staged(desk())).reach("sally", 0.6, UP, carries="cup").wait(0.6).recording
    server = servers.start("--no-dl", keeps=False)

    async def life() -> None:
        async with AsyncBlackboard(server.url) as kb:
            reasoner, lost = SpatialReasoner(recording.scene, sight), _Lost(kb, memory)
            telling = Telling(lost, reasoner)  # type: ignore[arg-type]  # it is a board but for that it gets lost
            for frame in recording.frames:
                telling.take(reasoner.tick(frame))
            with pytest.raises(ConnectionFailed):
                await telling.settle()
            await telling.settle()
            reasoner.close()
            assert await kb.find("myself", *PICKED) == [{"a": "pick_1"}]

    asyncio.run(life())


class _Lost:
    """A board of which the line is lost once, when it is first told of some memory."""

    def __init__(self, kb: AsyncBlackboard, memory: str) -> None:
        self._kb = kb
        self._memory = memory

    def __getattr__(self, name: str) -> Any:
        return getattr(self._kb, name)

    async def revise(self, *said: Any, memory: str, **more: Any) -> None:
        if memory == self._memory:
            self._memory = ""
            raise ConnectionFailed("the line is lost")
        await self._kb.revise(*said, memory=memory, **more)
