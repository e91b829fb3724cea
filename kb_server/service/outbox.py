"""The outbox of one socket: what it has still to be sent, bounded by number and size.

Events are offered, and refused when there is no room, so that a reader who is slow loses a
subscription and not the board its memory. Answers always fit: no further command is read until
there is room again, so there are never more of them than commands in hand. What is only worth
knowing at its newest, poses, waits in one place a topic, and grows no queue.

Where there is a `door`, what nothing waits before goes out by it at once, if it can.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from typing import Final

__all__ = ["Outbox"]

Late = Callable[[], str]
"""A frame that is written when its turn comes."""


class Outbox:
    """Frames in order; one task takes what others put.

    `sending_since` is when the task began with the frame it is at; `door` sends a frame, or says
    that it can't now.
    """

    def __init__(self, most: int, most_bytes: int) -> None:
        self.sending_since: float | None = None
        self.door: Callable[[str], bool] | None = None
        self._most: Final = most
        self._most_bytes: Final = most_bytes
        self._frames: Final[deque[str | Late]] = deque()
        self._bytes = 0
        self._closed = False
        self._taker: asyncio.Future[None] | None = None
        self._roomy: Final = asyncio.Event()
        self._roomy.set()

    def __len__(self) -> int:
        return len(self._frames)

    @property
    def is_closed(self) -> bool:
        return self._closed

    def put(self, frame: str) -> None:
        """Takes what can't be refused: answers, and that something ended."""
        if not self._closed:
            self._add(frame)

    def put_late(self, late: Late) -> None:
        """Takes what will be written when its turn comes."""
        if not self._closed:
            self._frames.append(late)
            self._wake()

    def offer(self, frames: Sequence[str]) -> bool:
        """Takes all of some frames, or none when there is no room for them."""
        size = sum(map(len, frames))
        if self._closed:
            return True
        if len(self._frames) + len(frames) > self._most or self._bytes + size > self._most_bytes:
            return False
        for frame in frames:
            self._add(frame)
        return True

    @property
    def is_roomy(self) -> bool:
        """Whether it is no more than half full."""
        return self._roomy.is_set()

    async def room(self) -> None:
        """Waits until it is no more than half full."""
        await self._roomy.wait()

    async def take(self) -> str | None:
        """The next frame; None when it is closed and all is taken."""
        while not self._frames:
            if self._closed:
                return None
            self._taker = asyncio.get_running_loop().create_future()
            await self._taker
        frame = self._frames.popleft()
        if isinstance(frame, str):
            self._bytes -= len(frame)
        else:
            frame = frame()
        if not self._roomy.is_set() and self._is_half_empty():
            self._roomy.set()
        return frame

    def peek(self) -> str | None:
        """The frame after those that are taken, if it is there and written."""
        first = self._frames[0] if self._frames else None
        return first if isinstance(first, str) else None

    def close(self) -> None:
        """Takes no more; what is in it is still given."""
        self._closed = True
        self._roomy.set()
        self._wake()

    def clear(self) -> None:
        """Forgets what is not taken yet."""
        self._frames.clear()
        self._bytes = 0
        self._roomy.set()

    def _add(self, frame: str) -> None:
        if self._is_clear() and self.door is not None and self.door(frame):
            return
        self._frames.append(frame)
        self._bytes += len(frame)
        if not self._is_half_empty():
            self._roomy.clear()
        self._wake()

    def _is_clear(self) -> bool:
        """Whether nothing waits, here or in the hands of the task."""
        return not self._frames and self.sending_since is None

    def _is_half_empty(self) -> bool:
        return 2 * len(self._frames) <= self._most and 2 * self._bytes <= self._most_bytes

    def _wake(self) -> None:
        if self._taker is not None and not self._taker.done():
            self._taker.set_result(None)
