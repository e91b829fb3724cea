"""The page about percepts says what happens."""

import asyncio
import json
import re
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from websockets.asyncio.client import connect

from spatial_reasoner.percepts.access import FrameAccess
from spatial_reasoner.percepts.clocks import Clocks
from spatial_reasoner.percepts.feed import Feed
from spatial_reasoner.percepts.feed_socket import FrameSocket
from spatial_reasoner.scene.scene import Scene
from tests.sockets.test_page import is_like

PAGE: Final = (Path(__file__).resolve().parents[2] / "docs" / "percepts.md").read_text("utf-8")


def test_the_conversation_of_the_page_happens(scene: Scene) -> None:
    """Every message of the page is sent to a socket, or told by it, in the order it stands."""
    [block] = re.findall(r"```conversation\n(.*?)```", PAGE, re.DOTALL)

    async def take(feed: Feed) -> None:
        clocks = Clocks(missing=1.0)
        while True:
            waiting = await feed.take()
            waiting.report(late=clocks.timing(waiting.frame).late)

    async def main() -> None:
        feed, door = Feed(scene), FrameSocket("127.0.0.1", 0, FrameAccess())
        tasks = [asyncio.create_task(door.run(feed)), asyncio.create_task(take(feed))]
        async with asyncio.timeout(20), connect(door.url, proxy=None) as camera:
            for said in block.splitlines():
                if said.startswith("> "):
                    await camera.send(said[2:])
                else:
                    found = json.loads(await camera.recv())
                    assert is_like(json.loads(said[2:]), found), (said, found)
        for task in tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    asyncio.run(main())


def test_the_source_of_the_page_gives_its_frame(scene: Scene) -> None:
    """The source that the page makes puts in the frame that it says."""
    [block] = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    names: dict[str, Any] = {}
    exec(compile(block, "percepts.md", "exec"), names)

    async def main() -> None:
        feed = Feed(scene)
        giving = asyncio.create_task(names["make"]({}, None).run(feed))
        waiting = await feed.take()
        assert list(waiting.frame.objects) == ["ball"]
        waiting.report()
        await giving

    asyncio.run(main())
