"""How a demonstration ends: when it is told to, and with a board that is as it was before."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from demos.player import Player
from kb_server import AsyncBlackboard, BoardError, ConnectionFailed, UnknownModel
from spatial_reasoner.command_line import Failed

__all__ = ["left_as_found", "until_told"]

_GOODBYE = 5.0
"""Seconds to take all back; what is left then, the board withdraws by our will."""


@asynccontextmanager
async def left_as_found(kb: AsyncBlackboard, player: Player, source: str) -> AsyncIterator[None]:
    """Takes back at the end what was told, and the models that were made and are empty then.

    Failed when somebody else tells the board something under this name.
    """
    before = {each.id for each in await kb.models()}
    await _must_be_unused(kb, source)
    try:
        yield
    finally:
        with suppress(TimeoutError, BoardError, ConnectionFailed):
            async with asyncio.timeout(_GOODBYE):
                await player.withdraw()
                await _delete_empty(kb, before)


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


async def _must_be_unused(kb: AsyncBlackboard, source: str) -> None:
    for info in await kb.models():
        async for fact in kb.facts(info.id, source=source, kind="asserted"):
            raise Failed(
                f"{source} tells this board already, as `{fact}` in {info.id}; "
                "--source gives the demonstration another name"
            )


async def _delete_empty(kb: AsyncBlackboard, before: set[str]) -> None:
    """Deletes the models that came since, the inner ones first, where nobody told them anything."""
    made = [each.id for each in await kb.models() if each.id not in before]
    for model in sorted(made, key=lambda each: each.count("."), reverse=True):
        there = {each.id: each.asserted for each in await kb.models()}
        has_inner = any(each.startswith(f"{model}.") for each in there)
        if there.get(model) == 0 and not has_inner:
            with suppress(UnknownModel):
                await kb.delete(model)
