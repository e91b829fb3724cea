"""Stories that stay on a board: played to their end, and held there for pages to look at."""

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path

from demos.player import Listener, Player
from demos.repertoire import STORIES
from demos.story import SCENES
from kb_server import AsyncBlackboard
from spatial_reasoner.commands.opening import opened_reasons, opened_scene
from spatial_reasoner.percepts.percepts import PerceptSettings
from spatial_reasoner.tolerances.tolerances import Tolerances
from tests.service.servers import Server, started_servers

__all__ = ["played"]


@contextmanager
def played(folder: Path, name: str, case: str | None = None) -> Iterator[Server]:
    """A board on which a story is over, with its narrator still connected.

    It runs in its own thread, since a browser's loop may run in this one.
    """
    story = STORIES[name]
    files = [word for file in story.files() for word in ("--ontology", str(file))]
    with started_servers(folder) as servers:
        server = servers.start("--no-dl", *files, keeps=False)
        over: Future[None] = Future()
        leave = threading.Event()
        teller = threading.Thread(target=_tell, args=(server.url, name, case, over, leave))
        teller.start()
        try:
            over.result(100)
            yield server
        finally:
            leave.set()
            teller.join()


def _tell(
    url: str, name: str, case: str | None, over: "Future[None]", leave: threading.Event
) -> None:
    try:
        asyncio.run(_play(url, name, case, over, leave))
    except BaseException as reason:
        if not over.done():
            over.set_exception(reason)
        else:
            raise


async def _play(
    url: str, name: str, case: str | None, over: "Future[None]", leave: threading.Event
) -> None:
    story = STORIES[name]
    file, tolerances = SCENES / story.scene, Tolerances()
    scene = await asyncio.to_thread(opened_scene, file, url, None, tolerances)
    with opened_reasons(scene, "auto", tolerances, PerceptSettings()) as reasons:
        async with AsyncBlackboard(url) as kb:
            player = Player(kb, reasons, story, story.case(case), scene, "spatial")
            told = await player.play(Listener())
            assert all(each.is_right for each in told)
            over.set_result(None)
            await asyncio.to_thread(leave.wait)
