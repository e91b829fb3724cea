"""The outbox of one socket: a queue of frames, bounded in number and bytes.

| frame | when there is no room |
|---|---|
| event | refused; a slow reader loses its subscription and can resume it from the journal |
| answer | always queued; commands are read only while there is room, which bounds their number |
| poses, stage values | one frame a topic waits; it is written with the newest values |

If nothing waits and a `door` is set, a frame is sent at once through it. All outboxes together
are bounded too (`queues`), so queued events can be dropped before they are sent. Bytes are counted
as in memory: a text that is not Latin takes two or four bytes for each character.
"""

import asyncio
import sys
from collections import deque
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, Protocol

from kb_server.service.delivery.queues import Queues

__all__ = ["ENDED", "Again", "Outbox", "Owner"]

Late = Callable[[], str]
"""A function that writes a frame when its turn comes."""
ENDED: Final = 2**63
"""In place of a delta's `seq`: marks the frame that ends a subscription."""


class Owner(Protocol):
    """The subscription that an event belongs to."""

    is_over: bool
    sent: int
    """The `seq` of the newest event that was sent."""

    def pass_over(self, seq: int) -> str:
        """Ends it, since its events from `seq` on were dropped; returns its last frame."""


class Again(NamedTuple):
    """An event, which a client that lost it can read again from the journal."""

    text: str
    owner: Owner
    seq: int


class Outbox:
    """A queue of frames; one task takes what others put.

    `sending_since` is the time at which the task began to send its present frame. `door` sends a
    frame at once, or returns False if it can't. `cut` disconnects the socket.
    """

    def __init__(self, most: int, most_bytes: int, queues: Queues | None = None) -> None:
        self.sending_since: float | None = None
        self.door: Callable[[str], bool] | None = None
        self.bytes = 0
        self.spilled: Callable[[Owner], None] | None = None
        self.cut: Callable[[], None] | None = None
        self._most: Final = most
        self._most_bytes: Final = most_bytes
        self._queues: Final = Queues(sys.maxsize) if queues is None else queues
        self._frames: deque[str | Late | Again] = deque()
        self._events = 0
        self._closed = False
        self._taker: asyncio.Future[None] | None = None
        self._roomy: Final = asyncio.Event()
        self._roomy.set()

    def __len__(self) -> int:
        return len(self._frames)

    @property
    def is_closed(self) -> bool:
        return self._closed

    @property
    def has_events(self) -> bool:
        """Whether it holds events, which can be dropped."""
        return self._events > 0

    def put(self, frame: str | Again) -> None:
        """Queues a frame that can't be refused: an answer, or the end of a subscription."""
        if not self._closed:
            self._add(frame)
            self._queues.settle()

    def put_late(self, late: Late) -> None:
        """Queues a frame that is written when its turn comes."""
        if not self._closed:
            self._frames.append(late)
            self._wake()

    def offer(self, frames: Sequence[Again]) -> bool:
        """Queues all of these events, or returns False if there is no room for them."""
        size = sum(map(_size, frames))
        if self._closed:
            return True
        if len(self._frames) + len(frames) > self._most or self.bytes + size > self._most_bytes:
            return False
        if not self._queues.make_room(size):
            return False
        if any(frame.owner.is_over for frame in frames):
            return True  # making room dropped its own events, and ended it
        for frame in frames:
            self._add(frame)
        return True

    @property
    def is_roomy(self) -> bool:
        """Whether it is no more than half full."""
        return self._roomy.is_set()

    async def room(self) -> None:
        """Waits until it is at most half full; until it is empty, if all outboxes exceed half."""
        await self._roomy.wait()

    async def take(self) -> str | None:
        """The next frame; None if it is closed and empty."""
        while not self._frames:
            if self._closed:
                return None
            self._taker = asyncio.get_running_loop().create_future()
            await self._taker
        frame = self._frames.popleft()
        self._count(frame, -1)
        if not self._roomy.is_set() and self._is_roomy():
            self._roomy.set()
        if isinstance(frame, Again):
            frame.owner.sent = frame.seq
            return frame.text
        return frame if isinstance(frame, str) else frame()

    def peek(self) -> str | None:
        """The next frame without taking it; None if there is none or it is not written yet."""
        first = self._frames[0] if self._frames else None
        if isinstance(first, Again):
            return first.text
        return first if isinstance(first, str) else None

    def overflow(self) -> None:
        """Drops all queued events and calls `spilled` with each of their subscriptions.

        An `overflow` frame takes their place. If a delta was sent in part, the rest of it stays.
        """
        frames, self._frames = self._frames, deque()
        lost: dict[Owner, None] = {}
        for frame in frames:
            if isinstance(frame, Again) and _may_go(frame, lost):
                self._count(frame, -1)
                if frame.owner in lost:
                    continue
                lost[frame.owner] = None
                again = Again(frame.owner.pass_over(frame.seq), frame.owner, ENDED)
                self._frames.append(again)
                self._count(again, 1)
            else:
                self._frames.append(frame)
        if self._is_roomy():
            self._roomy.set()
        for owner in lost:
            if self.spilled is not None:
                self.spilled(owner)

    def close(self) -> None:
        """Accepts no more frames; queued ones can still be taken."""
        self._closed = True
        self._roomy.set()
        self._wake()

    def clear(self) -> None:
        """Drops all queued frames."""
        for frame in self._frames:
            self._count(frame, -1)
        self._frames.clear()
        self._roomy.set()

    def give_up(self) -> None:
        """Drops all queued frames and disconnects the socket."""
        self.close()
        self.clear()
        if self.cut is not None:
            self.cut()

    def _add(self, frame: str | Again) -> None:
        if self._is_clear() and self.door is not None and self._goes_out(frame, self.door):
            return
        self._frames.append(frame)
        self._count(frame, 1)
        if not self._is_roomy():
            self._roomy.clear()
        self._wake()

    def _goes_out(self, frame: str | Again, door: Callable[[str], bool]) -> bool:
        """Sends a frame through the door; False if it must be queued."""
        if not isinstance(frame, Again):
            return door(frame)
        if not door(frame.text):
            return False
        frame.owner.sent = frame.seq
        return True

    def _is_clear(self) -> bool:
        """Whether no frame waits or is being sent."""
        return not self._frames and self.sending_since is None

    def _count(self, frame: str | Late | Again, sign: int) -> None:
        size = sign * _size(frame)
        self.bytes += size
        if isinstance(frame, Again) and frame.seq < ENDED:
            self._events += sign
        if size:
            self._queues.changed(self, size)

    def _is_roomy(self) -> bool:
        if self._queues.is_tight:
            return not self._frames
        return 2 * len(self._frames) <= self._most and 2 * self.bytes <= self._most_bytes

    def _wake(self) -> None:
        if self._taker is not None and not self._taker.done():
            self._taker.set_result(None)


def _size(frame: str | Late | Again) -> int:
    """The bytes of a frame in memory."""
    if isinstance(frame, Again):
        return sys.getsizeof(frame.text) + _AGAIN
    return sys.getsizeof(frame) if isinstance(frame, str) else 0


def _may_go(event: Again, lost: dict[Owner, None]) -> bool:
    """Whether an event can be dropped: its delta was not sent in part, or an earlier one went."""
    return event.owner in lost or event.owner.sent < event.seq < ENDED


_AGAIN: Final = sys.getsizeof(("", None, 0))
