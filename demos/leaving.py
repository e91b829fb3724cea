"""How a demonstration ends: when it is told to, and with nothing that it still says."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from demos.player import Player
from kb_server import Blackboard, BoardError, ConnectionFailed
from spatial_reasoner.commands.command_line import Failed

__all__ = ["must_be_unused", "taken_back", "until_told"]

_GOODBYE = 5.0
"""Seconds to take all back; what is left then, the board withdraws by our will."""


@asynccontextmanager
async def taken_back(player: Player) -> AsyncIterator[None]:
    """Takes back at the end what was told and shown.

    The models stay: with one that is deleted goes its past, and whoever looks back would see
    nobody be wrong.
    """
    try:
        yield
    finally:
        with suppress(TimeoutError, BoardError, ConnectionFailed):
            async with asyncio.timeout(_GOODBYE):
                await player.withdraw()


def must_be_unused(kb: Blackboard, source: str) -> None:
    """Failed when somebody tells the board something under this name."""
    for info in kb.models():
        for fact in kb.facts(info.id, source=source, kind="asserted"):
            raise Failed(
                f"{source} tells this board already, as `{fact}` in {info.id}; "
                "--source gives the demonstration another name"
            )


async def until_told() -> None:
    """Waits for Enter, or for Ctrl-C, which here is an end like any other."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    is_told = asyncio.Event()
    loop.add_reader(sys.stdin.fileno(), is_told.set)
    try:
        await is_told.wait()
        sys.stdin.readline()
    except asyncio.CancelledError:
        if task is not None:
            task.uncancel()
    finally:
        loop.remove_reader(sys.stdin.fileno())
