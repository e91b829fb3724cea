"""A recording as a source of percepts: its frames in real time, or as fast as they are taken."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal

from spatial_reasoner.errors import shown
from spatial_reasoner.percepts.feed import Feed
from spatial_reasoner.percepts.recording import frames_in, lines_of
from spatial_reasoner.scene.fields import choice, fields
from spatial_reasoner.sources.protocol import Surroundings, spot

__all__ = ["Pace", "Recorded", "make"]

_FIELDS: Final = ("file", "speed")
_SPEEDS: Final = ("max", "real")


class Pace:
    """Waits until a frame is due, by its time after the first frame. Late frames are due at
    once."""

    def __init__(self) -> None:
        self._first: tuple[float, float] | None = None

    async def due(self, t: float) -> None:
        """Waits until a frame of the time `t` is due."""
        now = asyncio.get_running_loop().time()
        began, at = self._first = self._first or (t, now)
        if (wait := at + t - began - now) > 0:
            await asyncio.sleep(wait)


class Recorded:
    """The frames of a file; the speed `real` keeps their intervals."""

    def __init__(self, file: Path, speed: Literal["max", "real"] = "real") -> None:
        self.name: Final = file.name
        self._file: Final = file
        self._speed: Final = speed

    async def run(self, feed: Feed) -> None:
        pace = Pace()
        with self._file.open("rb") as file:
            for frame in frames_in(lines_of(file), feed.scene):
                if self._speed == "real":
                    await pace.due(frame.t)
                await feed.put(frame)


def make(settings: Mapping[str, object], _: Surroundings) -> Recorded:
    """Makes a recording from its settings: `file`, and `speed`, max or real (real)."""
    here = spot("recorded")
    given = fields(here, settings, _FIELDS)
    file = given.get("file")
    if not isinstance(file, str) or not file:
        raise (here / "file").wrong(f"must be the name of a file, not {shown(file)}")
    speed = choice(here / "speed", given.get("speed", "real"), _SPEEDS, "speed")
    return Recorded(Path(file), "max" if speed == "max" else "real")
