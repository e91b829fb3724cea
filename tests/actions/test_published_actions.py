"""Actions on a board: how long they are kept, and what becomes of them in another life."""

import asyncio
import io
import json
from collections.abc import AsyncIterator
from contextlib import closing
from datetime import UTC, datetime
from typing import Any

import pytest

from kb_server import (
    AsyncBlackboard,
    ConnectionFailed,
    HistoryLine,
    ModelInfo,
    TooLarge,
    TooOld,
)
from spatial_reasoner.actions.action_names import SOURCE
from spatial_reasoner.board.publisher import Publisher
from spatial_reasoner.board.replaying import RecordingReplay
from spatial_reasoner.board.used_action_names import used_numbers
from spatial_reasoner.percepts.clocks import Clocks
from spatial_reasoner.sight.close_ups import CloseUpSight
from spatial_reasoner.tick.reasoner import SpatialReasoner
from tests.actions.staging import SALLY, STAGE, UP, at_cup
from tests.plays.conftest import Staged
from tests.plays.play import Recording
from tests.plays.rooms import desk
from tests.service.servers import Servers

PICKED = ["?a a Pick", "?a performedBy sally", "?a actsOnObject cup", "?a fromLocation table"]


async def tell(
    kb: AsyncBlackboard, recording: Recording, sight: CloseUpSight, source: str = SOURCE
) -> Publisher:
    """Has a new reasoner tell a board of a recording."""
    reasoner = SpatialReasoner(recording.scene, sight)
    publisher = Publisher(kb, reasoner, source)
    await publisher.begin(will=False)
    for frame in recording.frames:
        publisher.take(reasoner.tick(frame))
        await publisher.settle()
    reasoner.close()
    return publisher


def test_an_action_is_kept_in_the_episodic_memory(
    staged: Staged, sight: CloseUpSight, servers: Servers
) -> None:
    """A Pick is found in both models, lasts for five minutes, and goes when it is withdrawn."""
    play = at_cup(staged(desk())).reach("sally", 0.6, UP, carries="cup").wait(0.6)

    server = servers.start("--no-dl", keeps=False)

    async def life() -> None:
        async with AsyncBlackboard(server.url) as kb:
            publisher = await tell(kb, play.recording, sight)
            for model in ("myself", "sally"):
                assert await kb.find(model, *PICKED) == [{"a": "pick_1"}]
                told = [fact async for fact in kb.facts(model, s="pick_1", kind="asserted")]
                assert {fact.memory for fact in told} == {"episodic"}
                assert len(told) == 6
            assert (await kb.consistency("myself")).consistent
            await publisher.withdraw()
            assert [fact async for fact in kb.facts("myself", kind="asserted")] == []

    asyncio.run(life())


def test_another_life_does_not_mix_its_actions_up(
    staged: Staged, sight: CloseUpSight, servers: Servers
) -> None:
    """Who tells again under the same name takes the actions back, and goes on with pick_2."""
    first = at_cup(staged(desk())).reach("sally", 0.6, UP, carries="cup").wait(0.6).recording
    second = staged(desk()).wait(0.4)
    at_cup(second).reach("sally", 0.6, UP, carries="cup").wait(0.6)

    server = servers.start("--no-dl", keeps=False)

    async def lives() -> None:
        async with AsyncBlackboard(server.url) as kb:
            await tell(kb, first, sight)
            assert await kb.find("myself", *PICKED) == [{"a": "pick_1"}]
            await tell(kb, second.recording, sight)
            for model in ("myself", "sally"):
                assert await kb.find(model, *PICKED) == [{"a": "pick_2"}]
            assert (await kb.consistency("myself")).consistent

    asyncio.run(lives())


def test_another_life_does_not_know_what_is_hidden_when_it_begins(
    staged: Staged, sight: CloseUpSight, servers: Servers
) -> None:
    """What nobody perceives any more, and what was done to it, go when somebody begins anew."""
    first = at_cup(staged(desk())).reach("sally", 0.6, UP, carries="cup").wait(0.6).recording
    second = staged(desk()).stand("sally", SALLY, STAGE).wait(0.4).recording
    server = servers.start("--no-dl", keeps=False)

    async def lives() -> None:
        async with AsyncBlackboard(server.url) as kb:
            await tell(kb, first, sight)
            assert await kb.check("myself", "cup isInHand sally_right_hand")
            await tell(kb, second, sight)
            for model in ("myself", "sally"):
                assert await kb.check(model, "table a Table")
                left = {fact.fact async for fact in kb.facts(model, s="cup")}
                assert left <= {"cup a ActiveConcept"}  # which ends by itself
                assert await kb.find(model, "?a a Pick") == []

    asyncio.run(lives())


def test_what_the_board_remembers_only_keeps_its_name(
    staged: Staged, sight: CloseUpSight, servers: Servers
) -> None:
    """After its facts were withdrawn, too, no action gets the name of one that was."""
    recording = at_cup(staged(desk())).reach("sally", 0.6, UP, carries="cup").wait(0.6).recording
    server = servers.start("--no-dl", keeps=False)

    async def lives() -> None:
        async with AsyncBlackboard(server.url) as kb:
            for number in (1, 2, 3):
                publisher = await tell(kb, recording, sight)
                assert await kb.find("myself", "?a a Pick") == [{"a": f"pick_{number}"}]
                await publisher.withdraw()
            past = [line.fact for line in await kb.history("myself", p="a", o="Pick")]
            assert past == [f"pick_{number} a Pick" for number in (1, 1, 2, 2, 3, 3)]

    asyncio.run(lives())


def test_two_reasoners_on_one_board_have_actions_of_their_own(
    staged: Staged, sight: CloseUpSight, servers: Servers
) -> None:
    """The actions of a reasoner that has a name bear it, and no two are one individual."""
    recording = at_cup(staged(desk())).reach("sally", 0.6, UP, carries="cup").wait(0.6).recording
    server = servers.start("--no-dl", keeps=False)

    async def lives() -> None:
        async with AsyncBlackboard(server.url) as kb:
            for source in ("spatial", "kitchen", "2. Flügel"):
                await tell(kb, recording, sight, source)
            named = {"pick_1", "kitchen_pick_1", "_x0032__x002e__x0020_Fl_x00fc_gel_pick_1"}
            for model in ("myself", "sally"):
                assert {row["a"] for row in await kb.find(model, *PICKED)} == named
            for name in named:
                told = [fact async for fact in kb.facts("myself", s=name, kind="asserted")]
                assert len(told) == 6

    asyncio.run(lives())


def test_recordings_name_actions_alike_on_every_run(staged: Staged, sight: CloseUpSight) -> None:
    """Without a board actions are counted from 1, with the name of the source in front."""
    recording = at_cup(staged(desk())).reach("sally", 0.6, UP, carries="cup").wait(0.6).recording

    def picks(source: str) -> list[str]:
        out = io.StringIO()
        with closing(SpatialReasoner(recording.scene, sight)) as reasoner:
            replay = RecordingReplay(reasoner, Clocks(missing=1.0), [out])
            asyncio.run(replay.run(recording.frames, source=source))
        told = [each for line in out.getvalue().splitlines() for each in json.loads(line)["add"]]
        return [each for each in told if each.endswith(" a Pick")]

    assert picks("spatial") == picks("spatial") == ["pick_1 a Pick"] * 2
    assert picks("hall") == ["hall_pick_1 a Pick"] * 2


class _Remembering:
    """A board of which the history is as long as it is said to be, and is asked for from there."""

    def __init__(self, seq: int, picks: dict[int, str], oldest: int = 1, most: int = 10**9) -> None:
        self._seq, self._picks = seq, picks
        self._oldest, self._most = oldest, most
        self.asked: list[int | None] = []

    async def models(self) -> list[ModelInfo]:
        return [ModelInfo("myself", None, 0, 0, self._seq)]

    async def facts(self, *_: str, **__: str) -> AsyncIterator[Any]:
        nothing: tuple[Any, ...] = ()
        for each in nothing:
            yield each

    async def history(self, _: str, *, p: str, o: str, since: int | None) -> list[Any]:
        if (p, o) != ("a", "Pick"):
            return []
        self.asked.append(since)
        if since is not None and since < self._oldest:
            raise TooOld("dropped")
        if self._seq - (since or 0) > self._most:
            raise TooLarge("more than may be")
        return [
            HistoryLine(seq, datetime.now(UTC), None, "became_true", f"{name} a Pick", None)
            for seq, name in self._picks.items()
            if seq >= (since or 0)
        ]


@pytest.mark.parametrize(
    ("board", "known", "looks"),
    [
        (_Remembering(0, {}), 0, 1),
        (_Remembering(2_000_000, {3: "pick_8", 1_999_999: "pick_9"}), 9, 1),
        (_Remembering(2_000_000, {3: "pick_8", 1_999_999: "hall_pick_9"}), 8, 4),
        (_Remembering(2_000_000, {1_950_000: "pick_8"}, oldest=1_900_001), 8, 4),
        (_Remembering(2_000_000, {1_950_000: "pick_8"}, most=20_000), 0, 2),
    ],
)
def test_the_past_is_looked_through_from_its_end(
    board: _Remembering, known: int, looks: int
) -> None:
    """The newest names that are found count, and what is dropped or too long is left."""
    found = asyncio.run(used_numbers(board, ""))  # type: ignore[arg-type]  # as much of one as is asked
    assert found == {"Pick": known, "Place": 0, "Put": 0, "Release": 0, "Handover": 0}
    assert len(board.asked) == looks


@pytest.mark.parametrize("memory", ["long_term", "episodic"])
def test_an_action_is_told_though_the_line_was_lost(
    staged: Staged, sight: CloseUpSight, servers: Servers, memory: str
) -> None:
    """Actions are said once, and again if the line is lost before the board has heard of them."""
    recording = at_cup(staged(desk())).reach("sally", 0.6, UP, carries="cup").wait(0.6).recording
    server = servers.start("--no-dl", keeps=False)

    async def life() -> None:
        async with AsyncBlackboard(server.url) as kb:
            reasoner, lost = SpatialReasoner(recording.scene, sight), _Lost(kb, memory)
            publisher = Publisher(lost, reasoner)  # type: ignore[arg-type]  # it is a board but for that it gets lost
            await publisher.begin(will=False)
            for frame in recording.frames:
                publisher.take(reasoner.tick(frame))
            with pytest.raises(ConnectionFailed):
                await publisher.settle()
            await publisher.settle()
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
