"""The end of a demonstration: waits for the user, and retracts all facts."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from demos.player import Player
from kb_server import Blackboard, BoardError, ConnectionFailed
from kb_server.program import CommandFailed

__all__ = ["must_be_unused", "taken_back", "until_stopped"]

_GOODBYE = 5.0
"""Seconds to retract all facts; the board retracts the rest by the will."""


@asynccontextmanager
async def taken_back(player: Player) -> AsyncIterator[None]:
    """Retracts all facts and appearances at the end.

    The models stay, because deleting one would delete its history, which shows the false beliefs.
    """
    try:
        yield
    finally:
        with suppress(TimeoutError, BoardError, ConnectionFailed):
            async with asyncio.timeout(_GOODBYE):
                await player.withdraw()


def must_be_unused(kb: Blackboard, source: str) -> None:
    """Raises CommandFailed if another program asserts facts on the board under this name."""
    for info in kb.models():
        for fact in kb.facts(info.id, source=source, kind="asserted"):
            raise CommandFailed(
                f"another program asserts facts as {source} on this board, such as `{fact}` in "
                f"{info.id}; choose another name with --source"
            )


async def until_stopped() -> None:
    """Waits for Enter or Ctrl-C; Ctrl-C is a normal end here."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    is_stopped = asyncio.Event()
    loop.add_reader(sys.stdin.fileno(), is_stopped.set)
    try:
        await is_stopped.wait()
        sys.stdin.readline()
    except asyncio.CancelledError:
        if task is not None:
            task.uncancel()
    finally:
        loop.remove_reader(sys.stdin.fileno())
