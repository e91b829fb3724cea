"""Presence: which sources somebody speaks for, and what follows when nobody does any more."""

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Final

__all__ = ["Presence"]


class Presence:
    """The sources that are spoken for; one that is lost may take so many `seconds` to come back."""

    def __init__(self, seconds: float) -> None:
        self._seconds: Final = seconds
        self._present: Final[Counter[str]] = Counter()
        self._lost: Final[dict[str, asyncio.TimerHandle]] = {}

    def __contains__(self, source: str) -> bool:
        return source in self._present

    def declare(self, source: str) -> None:
        """Somebody speaks for a source; one that was lost is back."""
        self._present[source] += 1
        timer = self._lost.pop(source, None)
        if timer is not None:
            timer.cancel()

    def lose(self, source: str, follows: Callable[[], object]) -> None:
        """One who spoke for a source is gone; unless somebody does, what follows is done soon."""
        self._present[source] -= 1
        if self._present[source] > 0:
            return
        del self._present[source]
        loop = asyncio.get_running_loop()
        self._lost[source] = loop.call_later(self._seconds, self._end, source, follows)

    def stop(self) -> None:
        """Nothing is lost any more."""
        for timer in self._lost.values():
            timer.cancel()
        self._lost.clear()

    def _end(self, source: str, follows: Callable[[], object]) -> None:
        self._lost.pop(source, None)
        follows()
