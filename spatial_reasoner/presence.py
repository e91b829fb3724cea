"""Whether the board is still the one that was told: it may have been restarted, and be empty.

While nothing moves nothing is said, so no failing call would tell. The models are looked at now
and then: a board that was away, that counts from the start again, or on which a model is missing
is one whose facts must be looked at.
"""

import asyncio
from collections.abc import Callable, Mapping

from kb_server import AsyncBlackboard, BoardError, ConnectionFailed

__all__ = ["is_other", "watch"]


def is_other(before: Mapping[str, int], now: Mapping[str, int]) -> bool:
    """Whether a board with these newest deltas is not the one it was.

    >>> is_other({"myself": 7, "sally": 5}, {"myself": 9, "sally": 5, "anne": 0})
    False
    >>> is_other({"myself": 7}, {"myself": 0})
    True
    """
    return any(model not in now or now[model] < seq for model, seq in before.items())


async def watch(kb: AsyncBlackboard, changed: Callable[[], None], seconds: float) -> None:
    """Calls `changed` when the board is back, or is another one; until it is cancelled."""
    before: Mapping[str, int] = {}
    was_away = False
    while True:
        try:
            now = {info.id: info.seq for info in await kb.models()}
        except (BoardError, ConnectionFailed):
            was_away = True
        else:
            if was_away or is_other(before, now):
                changed()
            before, was_away = now, False
        await asyncio.sleep(seconds)
