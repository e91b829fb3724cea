"""How long to wait before what failed is tried again. The time is handed in."""

from dataclasses import dataclass
from typing import Final

__all__ = ["Patience", "Refusals"]


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds: from the first wait after a failure to the longest, each twice the one before.

    `grace` is how long an earlier life's facts are left alone while no frame has come: the first
    frame will want most of them.
    """

    first: float = 0.2
    longest: float = 5.0
    grace: float = 5.0

    def after(self, delay: float | None) -> float:
        """The wait after one of so long; None before the first."""
        return self.first if delay is None else min(2 * delay, self.longest)


@dataclass(frozen=True, slots=True)
class _Refusal:
    """Why something was refused, until when it is left alone, and for how long that is."""

    message: str
    delay: float
    until: float


class Refusals:
    """What was refused by name, and until when each is left alone."""

    def __init__(self, patience: Patience) -> None:
        self._patience: Final = patience
        self._by_name: Final[dict[str, _Refusal]] = {}

    def refuse(self, name: str, message: str, now: float) -> bool:
        """Leaves it alone for a while; whether the reason is another one than the last time."""
        before = self._by_name.get(name)
        delay = self._patience.after(None if before is None else before.delay)
        self._by_name[name] = _Refusal(message, delay, now + delay)
        return before is None or before.message != message

    def forget(self, name: str) -> None:
        """It went well."""
        self._by_name.pop(name, None)

    def is_due(self, name: str, now: float) -> bool:
        """Whether it may be tried."""
        return name not in self._by_name or self._by_name[name].until <= now

    def next_due(self, now: float) -> float | None:
        """In how many seconds something may be tried again; None when nothing was refused."""
        soonest = min((each.until for each in self._by_name.values()), default=None)
        return None if soonest is None else max(0.0, soonest - now)
