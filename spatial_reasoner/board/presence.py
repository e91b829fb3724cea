"""Whether the models that were told are still there: somebody may delete one.

While nothing moves nothing is said, so no failing call would tell; so they are looked at now and
then. That the board itself is another one, the line to it tells.
"""

import asyncio
from collections.abc import Callable

from kb_server import AsyncBlackboard, BoardError, ConnectionFailed

__all__ = ["watch"]


async def watch(kb: AsyncBlackboard, changed: Callable[[], None], seconds: float) -> None:
    """Calls `changed` when a model is not there any more; until it is cancelled."""
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
