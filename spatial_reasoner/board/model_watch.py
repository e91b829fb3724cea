"""Watches whether the models on the board still exist; a client may delete one.

While nothing moves, nothing is asserted, so no call would fail and reveal the deletion. So the list
of models is polled. A change of the board itself is reported by the connection.
"""

import asyncio
from collections.abc import Callable

from kb_server import AsyncBlackboard, BoardError, ConnectionFailed

__all__ = ["watch"]


async def watch(kb: AsyncBlackboard, changed: Callable[[], None], seconds: float) -> None:
    """Calls `changed` whenever a model disappears; runs until it is cancelled."""
    before: set[str] = set()
    while True:
        try:
            now = {info.id for info in await kb.models()}
        except (BoardError, ConnectionFailed):
            pass
        else:
            if not before <= now:
                changed()
            before = now
        await asyncio.sleep(seconds)
