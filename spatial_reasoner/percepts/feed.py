"""The feed: frames from all sources on their way to the reasoner, in the order they came.

As long as the reasoner keeps up, every frame is taken. When more frames wait than it can follow,
only the newest of each source is kept: what is old by then would make it see the past. Who wants
to know gets a future for each frame, and may so wait until it is taken before the next is sent.
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
from spatial_reasoner.values.frames import Frame

__all__ = ["Feed", "Superseded", "Translate", "Waiting", "message"]

Translate = Callable[[float, Mapping[str, object]], Frame]
"""Makes a frame of the time and the reading of a device that does not speak in frames."""

_log: Final = logging.getLogger(__name__)
_MOST: Final = 16
_FARTHEST: Final = 1e12


def message(text: str | bytes) -> object:
    """What a message of JSON says; FrameError for what is none, or is too long."""
    if len(text) > LARGEST:
        raise FrameError("", f"is longer than {LARGEST} bytes")
    try:
        return read_json(text if isinstance(text, str) else text.decode())
    except ValueError as error:
        raise FrameError("", f"can't be read as JSON: {error}"[:300]) from None


class Superseded(SpatialError):
    """A frame was not taken: the reasoner is too slow, and a newer one of its source is there."""

    code = "busy"


@dataclass(frozen=True, slots=True, eq=False)
class Waiting:
    """A frame that waits, and what to tell when it is taken."""

    frame: Frame
    taken: "asyncio.Future[float | None]"

    def tell(self, error: Exception | None = None, late: float | None = None) -> None:
        """Tells who waits that the frame was taken, and how late it was by the others, or why not.

        Who does not wait is not told.
        """
        if self.taken.done():
            return
        if error is None:
            self.taken.set_result(late)
        else:
            self.taken.set_exception(error)
            self.taken.exception()


class Feed:
    """What the sources give and the session takes; `most` frames may wait.

    All of it runs in one event loop. `heard` is told of every frame that is put in.
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
        """The frame that a message says, as it is or through a translator; FrameError if none.

        `message` reads the JSON of one.
        """
        if isinstance(said, Mapping) and "reading" in said:
            return self._translated(said)
        return read_frame(said, self.scene)

    def translate(self, source: str, function: Translate) -> None:
        """Has the readings of a source made into frames: `{"t", "source", "reading": {…}}`."""
        self._translators[source] = function

    def put(self, frame: Frame) -> "asyncio.Future[float | None]":
        """Puts a frame in line. The future is done when it is taken, or Superseded.

        It says by how many seconds the frame is older than others may be; None of one in time.
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
        """The next frame, when there is one."""
        while not self._waiting:
            self._some.clear()
            await self._some.wait()
        return self._waiting.pop(0)

    def _translated(self, said: Mapping[object, object]) -> Frame:
        spot = Spot("", FrameError)
        given = fields(spot, said, ("t", "source", "reading"))
        source = text(spot / "source", given.get("source"))
        if source not in self._translators:
            raise (spot / "source").wrong(f"nobody here reads what {source} tells")
        t = number(spot / "t", given.get("t"), -_FARTHEST, _FARTHEST)
        return self._translators[source](t, mapping(spot / "reading", given["reading"]))

    def _thin_out(self) -> None:
        """Keeps the newest frame of each source; with more sources than room, the last ones."""
        newest: dict[str, Waiting] = {}
        for each in self._waiting:
            before = newest.get(each.frame.source)
            if before is None or each.frame.t >= before.frame.t:
                newest[each.frame.source] = each
        kept = [each for each in self._waiting if newest[each.frame.source] is each][-self._most :]
        for each in self._waiting:
            if each not in kept:
                each.tell(Superseded("a newer frame of this source came before it was taken"))
        if not self.dropped:
            _log.warning("frames come faster than they are reasoned on: the newest are kept")
        self.dropped += len(self._waiting) - len(kept)
        self._waiting = kept
