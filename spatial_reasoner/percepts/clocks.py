"""The clocks of the sources: whose frames are late, and who moves the time far on.

Now is the newest time of a percept, whoever tells it. So a source whose clock starts again, or is
another one, tells of the past as long as it is behind, and one wrong time in the future makes all
others late. Nothing of that is an error; but it is said, once for each source until it is in time.
"""

from dataclasses import dataclass
from typing import Final

from spatial_reasoner.values.frames import Frame
from spatial_reasoner.values.tolerances import Tolerances

__all__ = ["Clocks", "Timing"]

_MISSING: Final = Tolerances().missing
_LEAP: Final = 60.0
"""Seconds: who moves the time on by more has another clock, or nobody perceived for so long."""
_MOST: Final = 256
"""Sources that are remembered to be late; what more there are is not said."""
_DIGITS: Final = 3


@dataclass(frozen=True, slots=True)
class Timing:
    """How a frame stands in time: by how many seconds it is late, and what is to be said of it."""

    late: float | None = None
    warning: str | None = None


_IN_TIME: Final = Timing()


class Clocks:
    """The newest time, whose it is, and whose frames are behind it by more than `missing` seconds.

    >>> from spatial_reasoner.values.frames import Frame
    >>> clocks = Clocks(missing=1.0)
    >>> [clocks.timing(Frame(t, "kinect")).late for t in (100.0, 99.5, 0.0)]
    [None, None, 100.0]
    """

    def __init__(self, missing: float = _MISSING) -> None:
        self._missing: Final = missing
        self._newest: Frame | None = None
        self._late: Final[set[str]] = set()
        self._leaping: Final[set[str]] = set()
        """Whose frame before was a leap, too: somebody who comes once in some minutes."""

    def timing(self, frame: Frame) -> Timing:
        """How a frame stands to those before; it is taken in."""
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
        """Whether a source is to be spoken of: it comes to those who were."""
        if source in those or len(those) >= _MOST:
            return False
        those.add(source)
        return True


def _behind(frame: Frame, late: float, newest: Frame) -> str:
    whose = "the same source" if newest.source == frame.source else newest.source
    return (
        f"what {frame.source} perceives is late: {late} s behind the newest frame, of {whose} at "
        f"t = {_time(newest)}; all sources must go by one clock, and a program that starts anew "
        "must go on with it"
    )


def _leap(frame: Frame, newest: Frame) -> str:
    return (
        f"a frame of {frame.source} moves the time on from {_time(newest)} to {_time(frame)} s; "
        "what is older is late from now on, and if that time is wrong only a new start without "
        "the frame helps"
    )


def _time(frame: Frame) -> float:
    return round(frame.t, _DIGITS)
