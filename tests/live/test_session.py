"""A session on a real board: facts come and go with what is perceived, whatever happens to it."""

import asyncio
import io
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final

import pytest

from kb_server import (
    AsyncBlackboard,
    BoardError,
    ConnectionFailed,
    ReadOnly,
    TooCostly,
    Unauthorized,
    UnknownModel,
)
from spatial_reasoner.board.backoff import Backoff
from spatial_reasoner.board.model_watch import watch
from spatial_reasoner.board.publisher import Publisher
from spatial_reasoner.board.session import Session
from spatial_reasoner.errors import FrameError
from spatial_reasoner.percepts.clocks import Clocks
from spatial_reasoner.percepts.feed import Feed
from spatial_reasoner.percepts.recording import Recorder, delta_line, frames_in
from spatial_reasoner.scene.scene import Scene
from tests.live.rooms import frame
from tests.live.watcher import Watcher
from tests.service.servers import Server, Servers

SALLY: Final = [1.2, 0.0, 1.4]
HASTY: Final = Backoff(first=0.02, longest=0.1, grace=60.0)


@dataclass
class Script:
    """A source that puts in what it is told to, until it has no more."""

    scene: Scene
    frames: "asyncio.Queue[Any]" = field(default_factory=asyncio.Queue)
    name: str = "script"
    late: float | None = None

    async def run(self, feed: Feed) -> None:
        while (given := await self.frames.get()) is not None:
            done, what = given
            self.late = await feed.put(what)
            done.set()

    async def show(self, t: float, *things: str, **agents: list[float]) -> float | None:
        """Has a frame taken; answers how late that was."""
        done = asyncio.Event()
        self.frames.put_nowait((done, frame(self.scene, t, *things, **agents)))
        await done.wait()
        return self.late


@dataclass
class Stage:
    """A session that is going on, its board, and what it has recorded."""

    kb: AsyncBlackboard
    script: Script
    watcher: Watcher
    stop: asyncio.Event
    recorded: io.StringIO

    async def facts(self, model: str = "myself", source: str = "spatial") -> set[str]:
        return {f.fact async for f in self.kb.facts(model, source=source, kind="asserted")}


@asynccontextmanager
async def session(url: str, scene: Scene, backoff: Backoff = HASTY) -> AsyncIterator[Stage]:
    """A session with a board; it ends with the block, and must end well."""
    async with AsyncBlackboard(url) as kb, AsyncBlackboard(url) as own:
        watcher, feed, recorded = Watcher(scene), Feed(scene), io.StringIO()
        stage = Stage(kb, Script(scene), watcher, asyncio.Event(), recorded)
        publisher = Publisher(own, watcher, backoff=backoff)
        clocks, recorder = Clocks(missing=1.0), Recorder(recorded)
        live = Session(own, watcher, feed, publisher, clocks, recorder, glance=0.05)
        task = asyncio.create_task(live.live([stage.script], stage.stop))
        try:
            yield stage
        finally:
            stage.stop.set()
            assert await asyncio.wait_for(task, 20)


async def until(kb: AsyncBlackboard, *patterns: str, model: str = "myself") -> None:
    """Waits until the patterns hold."""
    async with asyncio.timeout(20), kb.subscribe(model, *patterns, snapshot=True) as events:
        async for event in events:
            if event.kind == "appear":
                return


async def until_not(kb: AsyncBlackboard, *patterns: str, model: str = "myself") -> None:
    """Waits until the patterns do not hold."""
    async with asyncio.timeout(20), kb.subscribe(model, *patterns, on="disappear") as events:
        if await kb.check(model, *patterns):
            async for _ in events:
                return


async def known(kb: AsyncBlackboard, model: str) -> None:
    """Waits until there is a model; who asks gives way, so that the others go on."""
    while model not in {info.id for info in await kb.models()}:
        await asyncio.sleep(0)


def acted(main: Callable[[], Awaitable[None]]) -> None:
    """Plays a scene to its end, in half a minute at most."""

    async def bounded() -> None:
        async with asyncio.timeout(30):
            await main()

    asyncio.run(bounded())


def test_facts_come_and_go_in_every_mind(server: Server, scene: Scene) -> None:
    """What a tick changes is in each model, nested ones included, and is withdrawn when it ends."""

    async def main() -> None:
        async with session(server.url, scene) as stage:
            await stage.script.show(0.5, "ball", sally=SALLY, anne=SALLY)
            for model in ("myself", "sally", "anne", "sally.anne", "anne.sally"):
                await known(stage.kb, model)
                await until(stage.kb, "ball isPerceived true", model=model)
            await until(stage.kb, "sally a Human")
            await stage.script.show(1.0, "mug", sally=SALLY)
            await until(stage.kb, "mug isPerceived true", "mug a ActiveConcept")
            assert await stage.facts() == {
                *("mug isPerceived true", "ball a Ball", "mug a Mug", "sally a Human"),
                *("ball a ActiveConcept", "mug a ActiveConcept"),
            }
        async with AsyncBlackboard(server.url) as kb:
            for model in ("myself", "sally", "anne", "sally.anne", "anne.sally"):
                assert [f async for f in kb.facts(model, source="spatial")] == []
            assert (await kb.poses("myself")).poses == {}

    acted(main)


def test_facts_bear_the_time_of_the_percept_and_their_memory(server: Server, scene: Scene) -> None:
    """A fact keeps the time of its percept; what is new is active for a short time only."""

    async def main() -> None:
        async with session(server.url, scene) as stage:
            await stage.script.show(2.5, "ball")
            await until(stage.kb, "ball a ActiveConcept")
            memory = {f.fact: f.memory async for f in stage.kb.facts("myself", source="spatial")}
            assert memory == {
                "ball a Ball": "long_term",
                "ball isPerceived true": "long_term",
                "ball a ActiveConcept": "short_term",
            }
            lines = await stage.kb.history("myself", s="ball", p="isPerceived")
            assert lines[-1].source_t == 2.5

    acted(main)


def test_one_revision_for_a_tick_and_none_for_a_still_one(server: Server, scene: Scene) -> None:
    """A tick that changes something is one delta of a model, one that changes nothing is none."""

    async def main() -> None:
        async with session(server.url, scene) as stage:
            await stage.script.show(0.0, "ball")
            await until(stage.kb, "ball a ActiveConcept")
            [before] = [m.seq for m in await stage.kb.models() if m.id == "myself"]
            for number in range(1, 6):
                await stage.script.show(number / 25, "ball")
            await stage.script.show(0.3)
            await until_not(stage.kb, "ball isPerceived true")
            [after] = [m.seq for m in await stage.kb.models() if m.id == "myself"]
            assert after == before + 1

    acted(main)


def test_a_clock_that_starts_again_is_told_to_its_source_and_logged_once(
    server: Server, scene: Scene, caplog: pytest.LogCaptureFixture
) -> None:
    """Each late frame is answered by how much it is, and one warning stands for all of them."""

    async def main() -> None:
        async with session(server.url, scene) as stage:
            assert await stage.script.show(50.0, "ball") is None
            assert [await stage.script.show(t, "mug") for t in (0.0, 0.5)] == [50.0, 49.5]
            assert await stage.script.show(50.5, "mug") is None

    acted(main)
    assert caplog.text.count("frames of camera are late: 50.0 s behind") == 1


def test_poses_go_beside_the_facts(server: Server, scene: Scene) -> None:
    """Where things are is published with what moved, and read back from the board."""

    async def main() -> None:
        async with session(server.url, scene) as stage, stage.kb.listen("myself") as heard:
            await stage.script.show(0.25, "ball")
            event = await anext(aiter(heard))
            found = event.poses["ball"]
            assert found is not None
            assert found.pose == pytest.approx((0.4, 0.1, 0.8, 0, 0, 0, 1))
            assert (event.t, found.seen) == (0.25, 0.25)

    acted(main)


def test_relations_on_demand_are_computed_here(server: Server, scene: Scene) -> None:
    """A question that mentions a relation between objects is answered by who perceives."""

    async def main() -> None:
        async with session(server.url, scene) as stage:
            await stage.script.show(0.25, "ball", "mug", sally=SALLY)
            await until(stage.kb, "ball isPerceived true", "sally a Human")
            assert await stage.kb.find("myself", "?x atLeftSideOf ball") == [{"x": "mug"}]
            assert not await stage.kb.check("myself", "ball isAtLeftOf mug")
            await until(stage.kb, "ball isPerceived true", model="sally")
            assert await stage.kb.check("sally", "mug isAtLeftOf ball")
            await stage.kb.create("stranger")
            assert await stage.kb.find("stranger", "?x isBehind ?y") == []
            await stage.kb.delete("stranger")

    acted(main)


def test_an_earlier_life_is_taken_over(server: Server, scene: Scene) -> None:
    """What an earlier life left is kept where it still holds, and withdrawn where it doesn't."""

    async def main() -> None:
        async with AsyncBlackboard(server.url) as kb:
            left = ["ball a Ball", "ball isPerceived true", "mug isPerceived true"]
            await kb.revise("myself", add=left, source="spatial")
            await kb.revise("myself", add=["mug isOn table"], source="somebody")
            await kb.create("bob")
            await kb.revise("bob", add=["mug isPerceived true"], source="spatial")
            async with session(server.url, scene) as stage:
                await stage.script.show(0.0, "ball")
                await until(kb, "ball a ActiveConcept")
                since = {f.fact: f.since async for f in kb.facts("myself", source="spatial")}
                assert "mug isPerceived true" not in since
                history = await kb.history("myself", s="ball", p="isPerceived")
                assert [each.op for each in history][-1] == "became_true"
                assert await stage.facts("bob") == set()
                assert await stage.facts(source="somebody") == {"mug isOn table"}
            assert await kb.check("myself", "mug isOn table")
            assert not await kb.check("myself", "ball isPerceived true")
            await kb.retract("myself", "mug isOn table")
            await kb.delete("bob")

    acted(main)


def test_an_earlier_life_is_left_alone_until_there_is_something_to_say(
    server: Server, scene: Scene
) -> None:
    """Frames of which nothing follows yet take nothing over."""

    async def main() -> None:
        async with AsyncBlackboard(server.url) as kb:
            await kb.revise("myself", add=["mug isPerceived true"], source="spatial")
            async with session(server.url, scene) as stage:
                await stage.script.show(0.0)
                await stage.script.show(0.04)
                assert await kb.check("myself", "mug isPerceived true")
                await stage.script.show(0.08, "ball")
                await until_not(kb, "mug isPerceived true")

    acted(main)


def test_what_an_earlier_life_left_ends_though_nothing_is_perceived(
    server: Server, scene: Scene
) -> None:
    """When no frame comes for a while, what an earlier life left is withdrawn all the same."""

    async def main() -> None:
        async with AsyncBlackboard(server.url) as kb:
            await kb.revise("myself", add=["mug isPerceived true"], source="spatial")
            async with session(server.url, scene, Backoff(grace=0.05)):
                await until_not(kb, "mug isPerceived true")

    acted(main)


def test_a_model_that_is_deleted_is_told_again(server: Server, scene: Scene) -> None:
    """Somebody deletes a mind: it is made again and told all that it should hold."""

    async def main() -> None:
        async with session(server.url, scene) as stage:
            await stage.script.show(0.0, "ball", sally=SALLY, anne=SALLY)
            await known(stage.kb, "sally.anne")
            await until(stage.kb, "ball isPerceived true", model="sally.anne")
            await stage.kb.delete("sally")
            await stage.script.show(0.1, "ball", "mug", sally=SALLY, anne=SALLY)
            await until(stage.kb, "mug isPerceived true")
            await known(stage.kb, "sally.anne")
            for model in ("sally", "sally.anne"):
                await until(stage.kb, "ball a Ball", "mug isPerceived true", model=model)

    acted(main)


def test_a_board_that_forgot_is_told_again_while_nothing_moves(
    servers: Servers, scene: Scene
) -> None:
    """A board in memory is killed and started again: it soon holds all it did, without a frame."""
    server = servers.start("--no-dl", keeps=False)

    async def main() -> None:
        async with session(server.url, scene) as stage:
            await stage.script.show(0.0, "ball", sally=SALLY)
            await until(stage.kb, "sally a Human", "ball isPerceived true")
            await asyncio.to_thread(server.kill)
            await asyncio.to_thread(server.start)
            async with AsyncBlackboard(server.url) as kb:
                await until(kb, "sally a Human", "ball isPerceived true")
                await known(kb, "sally")
                await until(kb, "ball isPerceived true", model="sally")

    acted(main)


def test_a_board_that_is_away_is_told_what_holds_when_it_is_back(
    servers: Servers, scene: Scene
) -> None:
    """Frames are reasoned on while the board is away, and it is told the outcome, not the past."""
    server = servers.start("--no-dl")

    async def main() -> None:
        async with session(server.url, scene) as stage:
            await stage.script.show(0.0, "ball")
            await until(stage.kb, "ball isPerceived true")
            await asyncio.to_thread(server.kill)
            for number in range(1, 20):
                await stage.script.show(number / 25, *(["mug"] if number % 2 else ["box"]))
            assert len(stage.watcher.ticked) == 20
            await asyncio.to_thread(server.start)
            async with AsyncBlackboard(server.url) as kb:
                await until(kb, "mug isPerceived true")
                await until_not(kb, "ball isPerceived true")
                assert await kb.history("myself", s="box", p="isPerceived") == []

    acted(main)


def test_the_record_gives_the_same_facts(server: Server, scene: Scene) -> None:
    """What a session recorded gives the deltas, byte for byte, that the session made."""

    async def main() -> None:
        async with session(server.url, scene) as stage:
            for number in range(12):
                await stage.script.show(number / 25, *["ball", "mug", "box"][: number % 4])
            lines = stage.recorded.getvalue().encode().splitlines()
            live = facts_of(scene, stage.watcher.ticked)
            assert facts_of(scene, frames_in(lines, scene)) == live
            assert len(live) > 4

    acted(main)


def facts_of(scene: Scene, frames: Iterable[Any]) -> Sequence[str]:
    watcher = Watcher(scene)
    return [delta_line(each, watcher.now) for one in frames for each in watcher.tick(one)]


def test_a_session_ends_when_its_sources_do(server: Server, scene: Scene) -> None:
    """With its last source a session ends; what that gave last was told before it is withdrawn."""

    async def main() -> None:
        async with AsyncBlackboard(server.url) as kb, AsyncBlackboard(server.url) as own:
            script, watcher = Script(scene), Watcher(scene)
            live = Session(own, watcher, Feed(scene), Publisher(own, watcher), Clocks(missing=1.0))
            task = asyncio.create_task(live.live([script], asyncio.Event()))
            async with kb.subscribe("myself", "box isPerceived true", on="both") as events:
                await script.show(0.0, "box")
                script.frames.put_nowait(None)
                assert await asyncio.wait_for(task, 20)
                kinds = [(await anext(aiter(events))).kind for _ in range(2)]
                assert kinds == ["appear", "disappear"]

    acted(main)


class Choosy(AsyncBlackboard):
    """A board that refuses changes of some models, for so many times."""

    def __init__(self, url: str, refusals: dict[str, list[BoardError]]) -> None:
        super().__init__(url)
        self._refusals: Final = refusals

    def ask(self, call: Any, /) -> Any:
        if call.op == "revise" and (left := self._refusals.get(call.model)):
            return refused(left.pop())
        return super().ask(call)


async def refused(error: BoardError) -> None:
    raise error


def test_a_model_that_refuses_is_tried_again_while_the_others_are_told(
    server: Server, scene: Scene, caplog: pytest.LogCaptureFixture
) -> None:
    """What one model refuses keeps no other waiting, is told once, and is tried again."""
    refusals: dict[str, list[BoardError]] = {
        "sally": [ReadOnly("the disk is full")] * 3,
        "anne": [TooCostly("too many derivations")] * 2,
    }

    async def main() -> None:
        async with AsyncBlackboard(server.url) as kb, Choosy(server.url, refusals) as own:
            script, watcher, stop = Script(scene), Watcher(scene), asyncio.Event()
            publisher = Publisher(own, watcher, backoff=HASTY)
            live = Session(own, watcher, Feed(scene), publisher, Clocks(missing=1.0))
            task = asyncio.create_task(live.live([script], stop))
            await script.show(0.0, "ball", sally=SALLY, anne=SALLY)
            await until(kb, "ball isPerceived true")
            for model in ("anne", "sally", "sally.anne"):
                await until(kb, "ball isPerceived true", model=model)
            stop.set()
            assert await task

    acted(main)
    assert refusals == {"sally": [], "anne": []}
    assert caplog.text.count("sally can't be updated now: the disk is full") == 1
    assert caplog.text.count("anne can't be updated now: too many derivations") == 1


class Broken:
    """A source that has no more to give, for a bad reason."""

    name: Final = "broken"

    async def run(self, _: Feed) -> None:
        raise FrameError("line 3", "is wrong")


def test_a_source_that_breaks_leaves_the_others_alone(
    server: Server, scene: Scene, caplog: pytest.LogCaptureFixture
) -> None:
    """What breaks a source is logged; the others give on, and the end says that it was not well."""

    async def main() -> None:
        async with AsyncBlackboard(server.url) as kb, AsyncBlackboard(server.url) as own:
            script, watcher = Script(scene), Watcher(scene)
            live = Session(own, watcher, Feed(scene), Publisher(own, watcher), Clocks(missing=1.0))
            task = asyncio.create_task(live.live([Broken(), script], asyncio.Event()))
            await script.show(0.0, "ball")
            await until(kb, "ball isPerceived true")
            script.frames.put_nowait(None)
            assert not await task
            assert await kb.check("myself", "ball isPerceived true") is False

    acted(main)
    assert "broken stopped: line 3: is wrong" in caplog.text


class Confused(Watcher):
    """A reasoner with a mistake in it."""

    def tick(self, frame: Any) -> Any:
        if frame.t > 0:
            raise ZeroDivisionError("of its own")
        return super().tick(frame)


def test_a_mistake_of_the_reasoner_ends_the_session_and_withdraws(
    server: Server, scene: Scene
) -> None:
    """What goes wrong in the reasoner itself is raised, after its facts are taken back."""

    async def main() -> None:
        async with AsyncBlackboard(server.url) as kb, AsyncBlackboard(server.url) as own:
            script, watcher = Script(scene), Confused(scene)
            live = Session(own, watcher, Feed(scene), Publisher(own, watcher), Clocks(missing=1.0))
            task = asyncio.create_task(live.live([script], asyncio.Event()))
            await script.show(0.0, "ball")
            await until(kb, "ball isPerceived true")
            script.frames.put_nowait((asyncio.Event(), frame(scene, 1.0)))
            with pytest.raises(ZeroDivisionError, match="of its own"):
                await task
            assert not await kb.check("myself", "ball isPerceived true")

    acted(main)


def test_a_board_that_is_not_there_or_refuses_is_told_at_the_start(servers: Servers) -> None:
    """Who begins is told at once that there is no board, or that its token is not known."""

    async def main() -> None:
        async with AsyncBlackboard("http://127.0.0.1:9") as kb:
            with pytest.raises(ConnectionFailed):
                await Publisher(kb, watcher).begin()
        async with AsyncBlackboard(guarded.url) as kb:
            with pytest.raises(Unauthorized):
                await Publisher(kb, watcher).begin()

    guarded = servers.made("--no-dl", keeps=False)
    tokens = guarded.folder.with_suffix(".toml")
    tokens.write_text('[[tokens]]\nname="a"\ntoken="0123456789abcdef"\nrole="admin"\n')
    guarded.start("--tokens", str(tokens))
    watcher = Watcher(Scene("empty", {}, {}, {}))
    acted(main)


def test_watching_tells_of_a_model_that_is_gone(servers: Servers) -> None:
    """A model that somebody deletes is told of; one that comes is not."""
    server = servers.start("--no-dl", keeps=False)

    async def main() -> None:
        changed = asyncio.Event()
        async with AsyncBlackboard(server.url) as kb:
            await kb.add("myself", "sally a Human")
            watching = asyncio.create_task(watch(kb, changed.set, 0.02))
            await kb.add("myself", "anne a Human")
            await asyncio.wait((watching,), timeout=0.2)
            assert not changed.is_set()
            await kb.delete("sally")
            await changed.wait()
            watching.cancel()

    acted(main)


def test_withdrawing_takes_only_what_is_ours(server: Server, scene: Scene) -> None:
    """Facts of others stay, and a model that is not there is passed over."""

    async def main() -> None:
        async with AsyncBlackboard(server.url) as kb:
            await kb.add("myself", "mug isIn box", source="cook")
            await kb.add("myself", "mug isOn table", source="spatial")
            await Publisher(kb, Watcher(scene)).withdraw()
            assert await kb.check("myself", "mug isIn box")
            assert not await kb.check("myself", "mug isOn table")
            await kb.retract("myself", "mug isIn box")
            with pytest.raises(UnknownModel):
                await kb.check("nobody", "mug isIn box")

    acted(main)
