"""The limit on the bytes that wait on all sockets together.

Each outbox has its own limit, but thousands of stuck sockets would add up. Past the common limit
the fullest outboxes overflow first: their events are dropped, and the clients are asked to resume.
If that does not suffice, only answers are left, and the fullest sockets are disconnected.
"""

from typing import Final, Protocol

__all__ = ["Queue", "Queues"]


class Queue(Protocol):
    """The frames that one socket has still to send."""

    bytes: int

    @property
    def has_events(self) -> bool: ...

    def overflow(self) -> None:
        """Drops its events."""

    def give_up(self) -> None:
        """Drops all frames and disconnects."""


class Queues:
    """The queues that are not empty; they may hold `most` bytes together."""

    def __init__(self, most: int) -> None:
        self.bytes = 0
        self._most: Final = most
        self._filled: Final[dict[Queue, None]] = {}

    @property
    def is_tight(self) -> bool:
        """Whether more than half of the limit is in use."""
        return 2 * self.bytes > self._most

    def changed(self, queue: Queue, size: int) -> None:
        """Records that a queue grew by `size` bytes, or shrank if `size` is negative."""
        self.bytes += size
        if queue.bytes:
            self._filled[queue] = None
        else:
            self._filled.pop(queue, None)

    def make_room(self, size: int) -> bool:
        """Whether `size` more bytes fit, after the fullest queues have overflowed if necessary.

        They overflow until a quarter is free, since finding the fullest takes time.
        """
        if self.bytes + size <= self._most:
            return True
        for queue in self._fullest_first():
            if 4 * (self.bytes + size) <= 3 * self._most:
                break
            if queue.has_events:
                queue.overflow()
        return self.bytes + size <= self._most

    def settle(self) -> None:
        """Returns to the limit after a frame that could not be refused."""
        if self.make_room(0):
            return
        for queue in self._fullest_first():
            queue.give_up()
            if self.bytes <= self._most:
                break

    def _fullest_first(self) -> list[Queue]:
        return sorted(self._filled, key=lambda queue: queue.bytes, reverse=True)
