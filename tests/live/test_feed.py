"""The feed: in order while the reasoner keeps up, the newest of each source when it does not."""

import asyncio
from collections.abc import Mapping

import pytest

from spatial_reasoner.errors import FrameError
from spatial_reasoner.percepts.feed import Feed, Superseded, message
from spatial_reasoner.percepts.frame_file import read_frame
from spatial_reasoner.scene.scene import Scene
from spatial_reasoner.values.frames import Frame
from tests.live.rooms import frame, said


def test_frames_are_taken_in_the_order_they_came(scene: Scene) -> None:
    """While there is room, every frame is taken, in order, and who waits is told."""

    async def main() -> None:
        feed = Feed(scene, most=4)
        futures = [feed.put(frame(scene, t)) for t in (0.0, 0.2, 0.1)]
        for t, future in zip((0.0, 0.2, 0.1), futures, strict=True):
            waiting = await feed.take()
            assert waiting.frame.t == t
            assert not future.done()
            waiting.report()
            await future
        assert feed.dropped == 0

    asyncio.run(main())


def test_who_takes_waits_for_a_frame(scene: Scene) -> None:
    """Taking from an empty feed waits until a frame is put in."""

    async def main() -> None:
        feed = Feed(scene)
        taking = asyncio.create_task(feed.take())
        await asyncio.wait((taking,), timeout=0)
        assert not taking.done()
        feed.put(frame(scene, 3.0))
        assert (await taking).frame.t == 3.0

    asyncio.run(main())


def test_too_many_frames_leave_the_newest_of_each_source(scene: Scene) -> None:
    """Past the bound only the newest frame of each source is kept, and the others are told so."""

    async def main() -> None:
        feed = Feed(scene, most=3)
        first = feed.put(frame(scene, 0.0, source="a"))
        kept = feed.put(frame(scene, 0.1, source="b"))
        late = feed.put(frame(scene, -1.0, source="a"))
        newest = feed.put(frame(scene, 0.2, source="a"))
        for gone in (first, late):
            with pytest.raises(Superseded, match="newer frame"):
                await gone
        assert [(await feed.take()).frame.t for _ in range(2)] == [0.1, 0.2]
        assert not kept.done()
        assert not newest.done()
        assert feed.dropped == 2

    asyncio.run(main())


def test_more_sources_than_room_leave_the_last_ones(scene: Scene) -> None:
    """However many sources there are, no more frames wait than may."""

    async def main() -> None:
        feed = Feed(scene, most=3)
        for number in range(10):
            feed.put(frame(scene, float(number), source=f"s{number}"))
        assert [(await feed.take()).frame.t for _ in range(3)] == [7.0, 8.0, 9.0]

    asyncio.run(main())


def test_readings_are_made_into_frames(scene: Scene) -> None:
    """A message with a reading goes through the translator of its source; there must be one."""

    def halved(t: float, reading: Mapping[str, object]) -> Frame:
        return read_frame({**said(t, *reading), "source": "finger"}, scene)

    async def main() -> None:
        feed = Feed(scene)
        feed.translate("finger", halved)
        found = feed.read({"t": 2, "source": "finger", "reading": {"ball": 1}})
        assert (found.t, list(found.objects)) == (2.0, ["ball"])
        with pytest.raises(FrameError, match="no translator is registered for readings of thumb"):
            feed.read({"t": 2, "source": "thumb", "reading": {}})
        with pytest.raises(FrameError, match="reading"):
            feed.read({"t": 2, "source": "finger", "reading": 3})
        with pytest.raises(FrameError, match="objects"):
            feed.read({"t": 2, "source": "finger", "reading": {}, "objects": {}})

    asyncio.run(main())


@pytest.mark.parametrize("text", ["{", "[" * 100_000, '{"t": NaN}', '{"t": 1, "t": 2}'])
def test_a_message_that_is_no_json_is_an_error_of_the_frame(text: str) -> None:
    """What can't be read, or says a field twice, is told as an error and is none of ours."""
    with pytest.raises(FrameError, match="JSON"):
        message(text)
