"""Turns on the board: one holder at a time; a long read gets a turn only if nothing short waits.

The road not taken: `asyncio.Lock` is first come, first served. A hundred clients that list all
facts would keep a robot's next percept waiting behind all of them. Here it waits for at most one.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

__all__ = ["BoardLock"]

_IN_A_ROW: Final = 100
"""Number of short turns that may precede a waiting long one."""


class BoardLock:
    """The turns of one board, in one event loop."""

    def __init__(self) -> None:
        self.taken = False
        self.is_reading = False
        """Whether the holder of the turn only reads; then other short reads need not wait."""
        self._short: Final[deque[asyncio.Future[None]]] = deque()
        self._long: Final[deque[asyncio.Future[None]]] = deque()
        self._in_a_row = 0

    @property
    def waiting(self) -> int:
        """The number of those who wait for their turn."""
        return len(self._short) + len(self._long)

    @asynccontextmanager
    async def short(self) -> AsyncIterator[None]:
        """A turn for a change or a short read."""
        await self._take(self._short)
        try:
            yield
        finally:
            self._pass_on()

    @asynccontextmanager
    async def long(self) -> AsyncIterator[None]:
        """A turn for a long read."""
        await self._take(self._long)
        self.is_reading = True
        try:
            yield
        finally:
            self.is_reading = False
            self._pass_on()

    async def _take(self, queue: deque[asyncio.Future[None]]) -> None:
        if not self.taken:
            self.taken = True
            return
        turn = asyncio.get_running_loop().create_future()
        queue.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.cancelled():
                if turn in queue:
                    queue.remove(turn)
            else:  # the turn was given to it just before
                self._pass_on()
            raise

    def _pass_on(self) -> None:
        """Passes the turn directly to the next one, so that no other can take it."""
        for queue in (self._short, self._long):
            while queue and queue[0].done():
                queue.popleft()
        if not self._short and not self._long:
            self.taken = False
            return
        is_long = not self._short or (bool(self._long) and self._in_a_row >= _IN_A_ROW)
        self._in_a_row = 0 if is_long else self._in_a_row + 1
        (self._long if is_long else self._short).popleft().set_result(None)
