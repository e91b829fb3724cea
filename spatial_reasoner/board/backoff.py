"""How long to wait before a failed call is retried. Time is an argument."""

from dataclasses import dataclass
from typing import Final

__all__ = ["Backoff", "Refusals"]


@dataclass(frozen=True, slots=True)
class Backoff:
    """Seconds of the first wait after a failure and of the longest; each is twice the last.

    `grace` is how long the facts of an earlier run stay untouched while no frame has arrived: the
    first frame will assert most of them again.
    """

    first: float = 0.2
    longest: float = 5.0
    grace: float = 5.0

    def after(self, delay: float | None) -> float:
        """The wait that follows a wait of `delay` seconds; the first one if `delay` is None."""
        return self.first if delay is None else min(2 * delay, self.longest)


@dataclass(frozen=True, slots=True)
class _Refusal:
    """Why a name was refused, the length of its wait, and when that ends."""

    message: str
    delay: float
    until: float


class Refusals:
    """Refused names, each with the end of its wait."""

    def __init__(self, backoff: Backoff) -> None:
        self._backoff: Final = backoff
        self._by_name: Final[dict[str, _Refusal]] = {}

    def refuse(self, name: str, message: str, now: float) -> bool:
        """Starts or extends the wait of a name; returns whether the reason differs from the last
        one."""
        before = self._by_name.get(name)
        delay = self._backoff.after(None if before is None else before.delay)
        self._by_name[name] = _Refusal(message, delay, now + delay)
        return before is None or before.message != message

    def forget(self, name: str) -> None:
        """Ends the wait of a name after a success."""
        self._by_name.pop(name, None)

    def is_due(self, name: str, now: float) -> bool:
        """Whether a name may be tried."""
        return name not in self._by_name or self._by_name[name].until <= now

    def next_due(self, now: float) -> float | None:
        """Seconds until a name may be tried again; None if nothing was refused."""
        soonest = min((each.until for each in self._by_name.values()), default=None)
        return None if soonest is None else max(0.0, soonest - now)
