"""Whose turn it is on the board: one at a time, and a long read only when nothing short waits.

`asyncio.Lock` is first come, first served: a hundred clients that list all facts would keep a
robot's next percept waiting behind all of them. Here it waits for the one that is at it.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

__all__ = ["Turns"]

_IN_A_ROW: Final = 100
"""So many short turns may pass a long one that waits; then it is its turn."""


class Turns:
    """The turns of one board, in one event loop."""

    def __init__(self) -> None:
        self.taken = False
        self.is_reading = False
        """Whether who has the turn only reads: others who do so need not wait for it."""
        self._short: Final[deque[asyncio.Future[None]]] = deque()
        self._long: Final[deque[asyncio.Future[None]]] = deque()
        self._in_a_row = 0

    @property
    def waiting(self) -> int:
        """How many wait for their turn."""
        return len(self._short) + len(self._long)

    @asynccontextmanager
    async def short(self) -> AsyncIterator[None]:
        """A turn of who changes something, or reads for a moment."""
        await self._take(self._short)
        try:
            yield
        finally:
            self._pass_on()

    @asynccontextmanager
    async def long(self) -> AsyncIterator[None]:
        """A turn of who reads for a while."""
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
            else:  # it had just been given its turn
                self._pass_on()
            raise

    def _pass_on(self) -> None:
        """Gives the turn to the next one, directly: nobody can come between."""
        for queue in (self._short, self._long):
            while queue and queue[0].done():
                queue.popleft()
        if not self._short and not self._long:
            self.taken = False
            return
        is_long = not self._short or (bool(self._long) and self._in_a_row >= _IN_A_ROW)
        self._in_a_row = 0 if is_long else self._in_a_row + 1
        (self._long if is_long else self._short).popleft().set_result(None)
