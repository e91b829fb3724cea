"""The outbox of one socket: what it has still to be sent, bounded by number and size.

Events are offered, and refused when there is no room, so that a reader who is slow loses a
subscription and not the board its memory. Answers always fit: no further command is read until
there is room again, so there are never more of them than commands in hand. What is only worth
knowing at its newest, poses, waits in one place a topic, and grows no queue.

Where there is a `door`, what nothing waits before goes out by it at once, if it can.

All outboxes together are bounded too (`queues`): what can be had again from the journal, events,
may be taken out once more before it is sent. Bytes are counted as they lie in memory: a text that
is not Latin takes two or four for each character.
"""

import asyncio
import sys
from collections import deque
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, Protocol

from kb_server.service.delivery.queues import Queues

__all__ = ["ENDED", "Again", "Outbox", "Owner"]

Late = Callable[[], str]
"""A frame that is written when its turn comes."""
ENDED: Final = 2**63
"""In place of the number of a delta: a frame that tells the end of a subscription."""


class Owner(Protocol):
    """The subscription that an event is told to."""

    is_over: bool
    sent: int
    """The delta of which the newest event was sent."""

    def pass_over(self, seq: int) -> str:
        """It is over, for from a delta on it was not told; what says so."""


class Again(NamedTuple):
    """An event, which who has lost it can be told again."""

    text: str
    owner: Owner
    seq: int


class Outbox:
    """Frames in order; one task takes what others put.

    `sending_since` is when the task began with the frame it is at; `door` sends a frame, or says
    that it can't now; `cut` ends the line that it is for.
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
        """Whether there is something in it that can be had again."""
        return self._events > 0

    def put(self, frame: str | Again) -> None:
        """Takes what can't be refused: answers, and that something ended."""
        if not self._closed:
            self._add(frame)
            self._queues.settle()

    def put_late(self, late: Late) -> None:
        """Takes what will be written when its turn comes."""
        if not self._closed:
            self._frames.append(late)
            self._wake()

    def offer(self, frames: Sequence[Again]) -> bool:
        """Takes all of some frames, or none when there is no room for them."""
        size = sum(map(_size, frames))
        if self._closed:
            return True
        if len(self._frames) + len(frames) > self._most or self.bytes + size > self._most_bytes:
            return False
        if not self._queues.make_room(size):
            return False
        if any(frame.owner.is_over for frame in frames):
            return True  # it had to overflow itself, and was told so
        for frame in frames:
            self._add(frame)
        return True

    @property
    def is_roomy(self) -> bool:
        """Whether it is no more than half full."""
        return self._roomy.is_set()

    async def room(self) -> None:
        """Waits until it is no more than half full; empty, when all are more than that together."""
        await self._roomy.wait()

    async def take(self) -> str | None:
        """The next frame; None when it is closed and all is taken."""
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
        """The frame after those that are taken, if it is there and written."""
        first = self._frames[0] if self._frames else None
        if isinstance(first, Again):
            return first.text
        return first if isinstance(first, str) else None

    def overflow(self) -> None:
        """Takes all events out that can be had again; `spilled` is told whose they were.

        In their place stands that they overflowed. Of a delta that was sent in part the rest stays.
        """
        frames, self._frames = self._frames, deque()
        lost: dict[Owner, None] = {}
        for frame in frames:
            if isinstance(frame, Again) and _may_go(frame, lost):
                self._count(frame, -1)
                if frame.owner in lost:
                    continue
                lost[frame.owner] = None
                told = Again(frame.owner.pass_over(frame.seq), frame.owner, ENDED)
                self._frames.append(told)
                self._count(told, 1)
            else:
                self._frames.append(frame)
        if self._is_roomy():
            self._roomy.set()
        for owner in lost:
            if self.spilled is not None:
                self.spilled(owner)

    def close(self) -> None:
        """Takes no more; what is in it is still given."""
        self._closed = True
        self._roomy.set()
        self._wake()

    def clear(self) -> None:
        """Forgets what is not taken yet."""
        for frame in self._frames:
            self._count(frame, -1)
        self._frames.clear()
        self._roomy.set()

    def give_up(self) -> None:
        """Forgets all, and cuts the line."""
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
        """Whether a frame can be sent at once."""
        if not isinstance(frame, Again):
            return door(frame)
        if not door(frame.text):
            return False
        frame.owner.sent = frame.seq
        return True

    def _is_clear(self) -> bool:
        """Whether nothing waits, here or in the hands of the task."""
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
    """Whether an event can be had again: none of its delta was sent, or one before it goes too."""
    return event.owner in lost or event.owner.sent < event.seq < ENDED


_AGAIN: Final = sys.getsizeof(("", None, 0))
