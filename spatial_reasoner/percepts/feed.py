"""The feed: a queue of frames from all sources to the reasoner, in order of arrival.

While the reasoner keeps up, it takes every frame. If more frames wait than the limit, the feed
keeps only the newest frame of each source, because older frames would show the reasoner the past. A
source gets a future for each frame. A source that awaits this future before it sends the next frame
loses none.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from spatial_reasoner.errors import FrameError, SpatialError
from spatial_reasoner.percepts.frame_file import read_frame
from spatial_reasoner.scene.fields import Spot, fields, mapping, number, text
from spatial_reasoner.scene.scene import Scene
from spatial_reasoner.scene.scene_text import LARGEST, read_json
from spatial_reasoner.tolerances.units import Limit
from spatial_reasoner.values.frames import Frame

__all__ = ["Feed", "Superseded", "Translate", "Waiting", "message"]

Translate = Callable[[float, Mapping[str, object]], Frame]
"""Makes a frame from the time and the reading of a device that does not send frames."""

_log: Final = logging.getLogger(__name__)
_MOST: Final = 16
"""Frames that may wait: 0.6 s of one source at 25 Hz."""
_LATEST: Final[Limit] = 1e12
"""Seconds: bound of times in readings."""


def message(text: str | bytes) -> object:
    """Parses a JSON message. Raises FrameError if it is too long or not valid JSON."""
    if len(text) > LARGEST:
        raise FrameError("", f"is longer than {LARGEST} bytes")
    try:
        return read_json(text if isinstance(text, str) else text.decode())
    except ValueError as error:
        raise FrameError("", f"can't be read as JSON: {error}"[:300]) from None


class Superseded(SpatialError):
    """A frame was dropped: the reasoner is too slow, and a newer frame of its source arrived."""

    code = "busy"


@dataclass(frozen=True, slots=True, eq=False)
class Waiting:
    """A queued frame, and the future to resolve when the reasoner takes it."""

    frame: Frame
    taken: "asyncio.Future[float | None]"

    def report(self, error: Exception | None = None, late: float | None = None) -> None:
        """Resolves the future: with the lateness in seconds (None if in time), or with an error.

        Does nothing if the future was resolved or cancelled before.
        """
        if self.taken.done():
            return
        if error is None:
            self.taken.set_result(late)
        else:
            self.taken.set_exception(error)
            self.taken.exception()


class Feed:
    """The queue between the sources and the session; at most `most` frames wait.

    All methods run in one event loop. Each function in `heard` is called with every frame that is
    put in.
    """

    def __init__(self, scene: Scene, most: int = _MOST) -> None:
        self.scene: Final = scene
        self._most: Final = most
        self._waiting: list[Waiting] = []
        self._some: Final = asyncio.Event()
        self._translators: Final[dict[str, Translate]] = {}
        self.heard: Final[list[Callable[[Frame], None]]] = []
        self.dropped = 0

    def read(self, said: object) -> Frame:
        """Makes a frame from a parsed message, through a translator if it holds a reading.

        Raises FrameError for an invalid message. `message` parses the JSON.
        """
        if isinstance(said, Mapping) and "reading" in said:
            return self._translated(said)
        return read_frame(said, self.scene)

    def translate(self, source: str, function: Translate) -> None:
        """Registers a function that makes frames from the readings of a source.

        A reading arrives as `{"t", "source", "reading": {…}}`.
        """
        self._translators[source] = function

    def put(self, frame: Frame) -> "asyncio.Future[float | None]":
        """Adds a frame to the queue.

        Its future resolves when the frame is taken, or raises Superseded. The result is the
        lateness of the frame in seconds, or None if it is in time.
        """
        for hear in self.heard:
            hear(frame)
        waiting = Waiting(frame, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        if len(self._waiting) > self._most:
            self._thin_out()
        self._some.set()
        return waiting.taken

    async def take(self) -> Waiting:
        """Returns the next frame; waits until there is one."""
        while not self._waiting:
            self._some.clear()
            await self._some.wait()
        return self._waiting.pop(0)

    def _translated(self, said: Mapping[object, object]) -> Frame:
        spot = Spot("", FrameError)
        given = fields(spot, said, ("t", "source", "reading"))
        source = text(spot / "source", given.get("source"))
        if source not in self._translators:
            raise (spot / "source").wrong(f"no translator is registered for readings of {source}")
        t = number(spot / "t", given.get("t"), -_LATEST, _LATEST)
        return self._translators[source](t, mapping(spot / "reading", given["reading"]))

    def _thin_out(self) -> None:
        """Keeps the newest frame of each source; if still too many, the last to arrive."""
        newest: dict[str, Waiting] = {}
        for each in self._waiting:
            before = newest.get(each.frame.source)
            if before is None or each.frame.t >= before.frame.t:
                newest[each.frame.source] = each
        kept = [each for each in self._waiting if newest[each.frame.source] is each][-self._most :]
        for each in self._waiting:
            if each not in kept:
                each.report(Superseded("a newer frame of this source came before it was taken"))
        if not self.dropped:
            _log.warning("frames arrive faster than they are processed: only the newest are kept")
        self.dropped += len(self._waiting) - len(kept)
        self._waiting = kept
