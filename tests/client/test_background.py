"""The loop beside: what runs in it is waited for, and ends with it."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from kb_server.client.calls.errors import Closed
from kb_server.client.transport.background import Background

_PATIENCE = 20.0


def test_who_waits_when_it_is_closed_is_told_so() -> None:
    """What is under way when it is closed ends with Closed, as does what comes later."""
    background = Background("test")
    is_waiting = threading.Event()

    async def endless() -> None:
        is_waiting.set()
        await asyncio.Event().wait()

    with ThreadPoolExecutor() as threads:
        waiting = threads.submit(lambda: background.run(endless()))
        assert is_waiting.wait(_PATIENCE)
        background.close()
        with pytest.raises(Closed):
            waiting.result(_PATIENCE)
    with pytest.raises(Closed):
        background.run(endless())


def test_what_is_begun_while_it_is_closed_has_an_end() -> None:
    """However close to its end something is begun, it is done or told Closed, and never waits."""
    for _ in range(50):
        background = Background("test")
        background.run(asyncio.sleep(0))
        with ThreadPoolExecutor() as threads:
            begun = [threads.submit(_tried, background) for _ in range(4)]
            background.close()
            assert {each.result(_PATIENCE) for each in begun} <= {"done", "closed"}


def _tried(background: Background) -> str:
    try:
        background.run(asyncio.sleep(0))
    except Closed:
        return "closed"
    return "done"
