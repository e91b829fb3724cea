"""Presence: which sources have a connected client, and what happens when the last one is lost."""

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Final

__all__ = ["Presence"]


class Presence:
    """The sources with a connected client; a lost one has `seconds` to come back."""

    def __init__(self, seconds: float) -> None:
        self._seconds: Final = seconds
        self._present: Final[Counter[str]] = Counter()
        self._lost: Final[dict[str, asyncio.TimerHandle]] = {}

    def __contains__(self, source: str) -> bool:
        return source in self._present

    def declare(self, source: str) -> None:
        """Counts a client of a source; a source that was lost is present again."""
        self._present[source] += 1
        timer = self._lost.pop(source, None)
        if timer is not None:
            timer.cancel()

    def lose(self, source: str, follows: Callable[[], object]) -> None:
        """A client of a source is lost; without another one `follows` is called after `seconds`."""
        self._present[source] -= 1
        if self._present[source] > 0:
            return
        del self._present[source]
        loop = asyncio.get_running_loop()
        self._lost[source] = loop.call_later(self._seconds, self._end, source, follows)

    def stop(self) -> None:
        """Cancels all that would follow."""
        for timer in self._lost.values():
            timer.cancel()
        self._lost.clear()

    def _end(self, source: str, follows: Callable[[], object]) -> None:
        self._lost.pop(source, None)
        follows()
