"""How things look, on a real board: shown with the facts, once, and gone with them."""

import asyncio
from collections.abc import Mapping
from typing import Any, Final

import pytest

from kb_server import AsyncBlackboard, NotFound
from spatial_reasoner.board.publisher import Publisher
from spatial_reasoner.board.session import Session
from spatial_reasoner.percepts.clocks import Clocks
from spatial_reasoner.percepts.feed import Feed
from spatial_reasoner.scene.scene import Scene
from tests.live.rooms import frame
from tests.live.test_session import HASTY, SALLY, Script, acted, session, until
from tests.live.watcher import Watcher
from tests.service.servers import Server, Servers

GREEN: Final = {"kind": "thing", "class": "Ball", "shape": {"sphere": 0.1}, "color": [0, 1, 0]}


async def shown(kb: AsyncBlackboard, looks: Mapping[str, Any], source: str = "spatial") -> None:
    """Waits until just that is shown; who asks gives way, so that the others go on."""
    while (await kb.staged(source)).get(source, {}) != looks:
        await asyncio.sleep(0)


def test_looks_come_with_the_first_facts_and_go_with_the_last(
    servers: Servers, scene: Scene
) -> None:
    """All of the scene is shown once there are facts, what changes then, and nothing at the end."""
    server = servers.start("--no-dl", keeps=False)

    async def main() -> None:
        async with AsyncBlackboard(server.url) as kb:
            async with session(server.url, scene) as stage:
                assert await kb.staged("spatial") == {}
                await stage.script.show(0.0, "ball", sally=SALLY)
                await until(kb, "ball isPerceived true")
                looks = dict(stage.watcher.looks())
                assert {"ball", "table", "sally", "myself"} <= looks.keys()
                await shown(kb, looks)
                stage.watcher.repainted.update({"ball": GREEN, "mug": None, "unnamed_1": GREEN})
                await stage.script.show(0.1, "ball")
                del looks["mug"]
                await shown(kb, {**looks, "ball": GREEN, "unnamed_1": GREEN})
            assert await kb.staged("spatial") == {}

    acted(main)


def test_a_board_that_forgot_is_shown_all_again(servers: Servers, scene: Scene) -> None:
    """A board in memory that is started again soon shows what it did, without a frame."""
    server = servers.start("--no-dl", keeps=False)

    async def main() -> None:
        async with session(server.url, scene) as stage:
            await stage.script.show(0.0, "ball")
            await shown(stage.kb, stage.watcher.looks())
            await asyncio.to_thread(server.kill)
            await asyncio.to_thread(server.start)
            async with AsyncBlackboard(server.url) as kb:
                await shown(kb, stage.watcher.looks())

    acted(main)


def test_what_an_earlier_life_showed_is_taken_away(server: Server, scene: Scene) -> None:
    """What somebody showed under our name, and we do not, is shown no more; others keep theirs."""

    async def main() -> None:
        async with AsyncBlackboard(server.url) as kb:
            await kb.stage({"ghost": GREEN, "ball": GREEN}, source="spatial")
            await kb.stage({"ghost": GREEN}, source="demo")
            async with session(server.url, scene) as stage:
                await stage.script.show(0.0, "ball")
                await shown(kb, stage.watcher.looks())
            assert await kb.staged("spatial") == {}
            assert await kb.staged("demo") == {"demo": {"ghost": GREEN}}
            await kb.stage({"ghost": None}, source="demo")

    acted(main)


class Counting(AsyncBlackboard):
    """A board that remembers what it was told beside the facts; one that is older may be played."""

    def __init__(self, url: str, is_older: bool = False) -> None:
        super().__init__(url)
        self.staged_so_far: Final[list[Mapping[str, Any]]] = []
        self.speakers: Final[set[str | None]] = set()
        self.wills: Final[set[bool]] = set()
        self._is_older: Final = is_older

    def ask(self, call: Any, /) -> Any:
        if call.op == "staged" and self._is_older:
            return refused()
        return super().ask(call)

    async def stage(self, shows: Mapping[str, Any], source: str, *, will: bool = True) -> None:
        self.staged_so_far.append(shows)
        self.wills.add(will)
        await super().stage(shows, source, will=will)

    async def publish(
        self, model: str, poses: Mapping[str, Any], t: Any = None, source: str | None = None
    ) -> None:
        self.speakers.add(source)
        await super().publish(model, poses, t, source)


async def refused() -> None:
    raise NotFound("there is no /stage")


async def settled(kb: Counting, scene: Scene, will: bool, doubts: int = 0) -> None:
    """Tells a board twenty ticks of a still scene, and doubts it now and then."""
    watcher = Watcher(scene)
    publisher = Publisher(kb, watcher)
    await publisher.begin(will)
    for number in range(20):
        if number < doubts:
            publisher.doubt()
        publisher.take(watcher.tick(frame(scene, number / 25, "ball")))
        await publisher.settle()
    await publisher.withdraw()


def test_a_still_scene_shows_nothing_anew(server: Server, scene: Scene) -> None:
    """Looks are sent once, however long nothing changes, and not again to a board that has them."""

    async def main() -> None:
        async with Counting(server.url) as kb:
            await settled(kb, scene, will=True, doubts=3)
            first, last = kb.staged_so_far
            assert first == Watcher(scene).looks()
            assert last == dict.fromkeys(sorted(first))

    acted(main)


@pytest.mark.parametrize(("will", "speaker"), [(True, "spatial"), (False, None)])
def test_poses_and_looks_go_with_who_tells_of_them(
    server: Server, scene: Scene, will: bool, speaker: str | None
) -> None:
    """Who lives speaks for the poses and looks, too; those of a replay stay when it has ended."""

    async def main() -> None:
        async with Counting(server.url) as kb:
            await settled(kb, scene, will)
            assert kb.speakers == {speaker}
            assert kb.wills == {will}

    acted(main)


def test_an_older_board_is_told_all_the_same(
    server: Server, scene: Scene, caplog: pytest.LogCaptureFixture
) -> None:
    """A board without a stage has the facts and the poses; that it lacks one is said once."""

    async def main() -> None:
        async with AsyncBlackboard(server.url) as kb, Counting(server.url, is_older=True) as own:
            script, watcher, stop = Script(scene), Watcher(scene), asyncio.Event()
            publisher = Publisher(own, watcher, backoff=HASTY)
            clocks = Clocks(missing=1.0)
            live = Session(own, watcher, Feed(scene), publisher, clocks, glance=0.05)
            task = asyncio.create_task(live.live([script], stop))
            async with kb.listen("myself") as heard:
                await script.show(0.0, "ball")
                await until(kb, "ball isPerceived true")
                publisher.doubt()
                await script.show(0.1, "ball", "mug")
                await until(kb, "mug isPerceived true")
                assert (await anext(aiter(heard))).poses["ball"] is not None
            stop.set()
            assert await task
            assert own.staged_so_far == []
            assert own.speakers == {None}

    acted(main)
    assert caplog.text.count("the board can't show how objects look: there is no /stage") == 1
