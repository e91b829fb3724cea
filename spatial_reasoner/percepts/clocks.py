"""Checks the times of the sources: which frames are late, and which frames jump ahead.

The present is the newest time of any percept, whatever its source. If the clock of a source
restarts, or differs from the others, all its frames are late. One wrong time in the future makes
the frames of all other sources late. Neither is an error: each is logged once for each source, and
again only after that source has been in time.
"""

from dataclasses import dataclass
from typing import Final

from spatial_reasoner.tolerances.units import Limit
from spatial_reasoner.values.frames import Frame

__all__ = ["Clocks", "Timing"]

_LEAP: Final[Limit] = 60.0
"""Seconds. A longer jump means a wrong clock, or a long pause without any percept."""
_MOST: Final = 256
"""Sources that are remembered as late. Beyond this number nothing is logged."""
_DIGITS: Final = 3
"""Decimals of times in messages: milliseconds."""


@dataclass(frozen=True, slots=True)
class Timing:
    """How many seconds a frame is late, if it is, and the warning to log, if there is one."""

    late: float | None = None
    warning: str | None = None


_IN_TIME: Final = Timing()


class Clocks:
    """Stores the newest frame, and the sources that are more than `missing` seconds behind it.

    >>> from spatial_reasoner.values.frames import Frame
    >>> clocks = Clocks(missing=1.0)
    >>> [clocks.timing(Frame(t, "kinect")).late for t in (100.0, 99.5, 0.0)]
    [None, None, 100.0]
    """

    def __init__(self, missing: float) -> None:
        self._missing: Final = missing
        self._newest: Frame | None = None
        self._late: Final[set[str]] = set()
        self._leaping: Final[set[str]] = set()
        """Sources whose last frame jumped ahead, such as one with a frame every few minutes."""

    def timing(self, frame: Frame) -> Timing:
        """Compares the time of a frame with the frames before it, and stores it."""
        newest = self._newest
        if newest is None or frame.t > newest.t:
            self._newest = frame
        behind = 0.0 if newest is None else newest.t - frame.t
        if behind > self._missing:
            said = self._once(self._late, frame.source)
            late = round(behind, _DIGITS)
            return Timing(late, _behind(frame, late, newest) if said and newest else None)
        self._late.discard(frame.source)
        if newest is not None and -behind > _LEAP:
            said = self._once(self._leaping, frame.source)
            return Timing(None, _leap(frame, newest) if said else None)
        self._leaping.discard(frame.source)
        return _IN_TIME

    def _once(self, those: set[str], source: str) -> bool:
        """Adds a source to a set; returns whether it is new there and is to be logged."""
        if source in those or len(those) >= _MOST:
            return False
        those.add(source)
        return True


def _behind(frame: Frame, late: float, newest: Frame) -> str:
    whose = "the same source" if newest.source == frame.source else newest.source
    return (
        f"frames of {frame.source} are late: {late} s behind the newest frame, of {whose} at "
        f"t = {_time(newest)}; all sources must share one clock, and a restarted program "
        "must continue with that clock"
    )


def _leap(frame: Frame, newest: Frame) -> str:
    return (
        f"a frame of {frame.source} advances the time from {_time(newest)} to {_time(frame)} s; "
        "older frames are late from now on; if that time is wrong, restart without "
        "this frame"
    )


def _time(frame: Frame) -> float:
    return round(frame.t, _DIGITS)
