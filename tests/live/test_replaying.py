"""Replays: the same facts at any speed, on a board or without one, and nothing withdrawn."""

import asyncio
import io
import json
from collections.abc import Sequence
from typing import Any

import pytest

from kb_server import AsyncBlackboard, Blackboard
from spatial_reasoner.board.replaying import RecordingReplay
from spatial_reasoner.errors import FrameError
from spatial_reasoner.percepts.clocks import Clocks
from spatial_reasoner.percepts.recording import frames_in
from spatial_reasoner.scene.scene import Scene
from spatial_reasoner.sources.recorded import Pace
from spatial_reasoner.values.frames import Frame
from tests.live.rooms import line
from tests.live.watcher import Watcher
from tests.service.servers import Server

SALLY = [1.2, 0.0, 1.4]
LINES = [
    line(0.0, "ball"),
    line(0.02, "ball", "mug", sally=SALLY),
    line(0.04, "ball", "mug", sally=SALLY),
    line(0.06, "mug", sally=SALLY),
]


def frames(scene: Scene, lines: Sequence[str] = LINES) -> list[Frame]:
    return [*frames_in([each.encode() for each in lines], scene)]


def facts(scene: Scene, **more: Any) -> str:
    """What a replay of the lines writes."""
    out = io.StringIO()
    replay = RecordingReplay(Watcher(scene), Clocks(missing=1.0), [out], **more)
    asyncio.run(replay.run(frames(scene)))
    return out.getvalue()


def test_a_replay_writes_a_line_for_each_delta_in_order(scene: Scene) -> None:
    """Each delta of each tick is a line, with the newest time of a percept."""
    told = [json.loads(each) for each in facts(scene).splitlines()]
    assert [(each["t"], each["model"]) for each in told] == [
        (0.0, "myself"),
        (0.0, "myself"),
        (0.02, "myself"),
        (0.02, "sally"),
        (0.02, "myself"),
        (0.06, "myself"),
        (0.06, "sally"),
    ]
    assert told[0]["add"] == ["ball a Ball", "ball isPerceived true"]
    assert told[1]["add"] == ["ball a ActiveConcept"]
    assert told[-1] == {
        "t": 0.06,
        "model": "sally",
        "add": [],
        "retract": ["ball isPerceived true"],
    }


def test_a_replay_is_the_same_at_any_speed(scene: Scene) -> None:
    """The pace changes nothing of the facts."""
    assert facts(scene, pace=Pace()) == facts(scene)


def test_a_replay_says_what_is_late_and_goes_on(
    scene: Scene, caplog: pytest.LogCaptureFixture
) -> None:
    """A recording whose clock starts again, or leaps, is told of once each, and told to its end."""
    replay = RecordingReplay(Watcher(scene), Clocks(missing=1.0))
    lines = [line(t, "ball") for t in (100.0, 0.0, 0.04, 1000.0)]
    asyncio.run(replay.run(frames(scene, lines)))
    assert replay.frames == 4
    assert caplog.text.count("frames of camera are late: 100.0 s behind") == 1
    assert caplog.text.count("camera advances the time from 100.0 to 1000.0 s") == 1


def test_what_came_before_a_wrong_line_is_written(scene: Scene) -> None:
    """A line that is wrong ends the replay; the facts before it are there."""
    out = io.StringIO()
    found = frames_in([LINES[0].encode(), b"{}"], scene)
    with pytest.raises(FrameError, match="line 2"):
        asyncio.run(RecordingReplay(Watcher(scene), Clocks(missing=1.0), [out]).run(found))
    assert len(out.getvalue().splitlines()) == 2


def test_a_board_is_told_in_order_and_nothing_is_withdrawn(server: Server, scene: Scene) -> None:
    """With a board its models hold the facts at the end, each delta in its turn, and the poses."""
    replayed(server, scene, "film")
    with Blackboard(server.url) as kb:
        assert held(kb, "myself", "film") == {
            *("ball a Ball", "mug a Mug", "sally a Human", "mug isPerceived true"),
            *("ball a ActiveConcept", "mug a ActiveConcept"),
        }
        assert held(kb, "sally", "film") == {"ball a Ball", "mug a Mug", "mug isPerceived true"}
        history = kb.history("myself", s="ball", p="isPerceived")
        assert [(each.op, each.source_t) for each in history][-2:] == [
            ("became_true", 0.0),
            ("ceased", 0.06),
        ]
        assert kb.poses("myself").poses["ball"].seen == 0.04
        forget(kb, "film")


def test_a_second_replay_takes_the_first_one_over(server: Server, scene: Scene) -> None:
    """Who replays again doubles nothing, and what no longer holds at the end is gone."""
    replayed(server, scene, "film", LINES[:2])
    replayed(server, scene, "film", LINES)
    with Blackboard(server.url) as kb:
        assert "mug isPerceived true" in held(kb, "sally", "film")
        assert "ball isPerceived true" not in held(kb, "sally", "film")
        forget(kb, "film")


def replayed(server: Server, scene: Scene, source: str, lines: Sequence[str] = LINES) -> None:
    """Replays the lines on the board."""

    async def main() -> None:
        async with AsyncBlackboard(server.url) as kb:
            replay = RecordingReplay(Watcher(scene), Clocks(missing=1.0))
            await replay.run(frames(scene, lines), kb, source)

    asyncio.run(main())


def held(kb: Blackboard, model: str, source: str) -> set[str]:
    return {fact.fact for fact in kb.facts(model, source=source, kind="asserted")}


def forget(kb: Blackboard, source: str) -> None:
    """Leaves the board as it was found."""
    for info in kb.models():
        facts = held(kb, info.id, source)
        if facts:
            kb.retract(info.id, *facts)
