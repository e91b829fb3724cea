"""All that waits to be sent, on all sockets together, and its bound.

Each socket's queue has a bound of its own, but thousands that are stuck would add up. Past the
bound of all, the fullest overflow first: their events are taken out, and who had them is told to
resume. Where that is not enough, for what is left are answers, the fullest are cut off.
"""

from typing import Final, Protocol

__all__ = ["Queue", "Queues"]


class Queue(Protocol):
    """What one socket has still to be sent."""

    bytes: int

    @property
    def has_events(self) -> bool: ...

    def overflow(self) -> None:
        """Lets its events go."""

    def give_up(self) -> None:
        """Lets all go."""


class Queues:
    """The queues that hold something; `most` bytes in all of them."""

    def __init__(self, most: int) -> None:
        self.bytes = 0
        self._most: Final = most
        self._filled: Final[dict[Queue, None]] = {}

    @property
    def is_tight(self) -> bool:
        """Whether it is more than half of what there may be."""
        return 2 * self.bytes > self._most

    def changed(self, queue: Queue, size: int) -> None:
        """A queue has so many bytes more, or less."""
        self.bytes += size
        if queue.bytes:
            self._filled[queue] = None
        else:
            self._filled.pop(queue, None)

    def make_room(self, size: int) -> bool:
        """Whether so many bytes more find room, for which the fullest may have to overflow.

        They do so until a quarter is free, for looking for the fullest takes a while.
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
        """Gets back to the bound, after what can't be refused."""
        if self.make_room(0):
            return
        for queue in self._fullest_first():
            queue.give_up()
            if self.bytes <= self._most:
                break

    def _fullest_first(self) -> list[Queue]:
        return sorted(self._filled, key=lambda queue: queue.bytes, reverse=True)
