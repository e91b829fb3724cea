"""The sources: a recording, stdin, a gripper, a simulated camera, and how they are found."""

import asyncio
import json
import os
import tomllib
from collections.abc import Iterator, Sequence
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from spatial_reasoner.errors import FrameError, SceneError
from spatial_reasoner.percepts.feed import Feed
from spatial_reasoner.percepts.feed_socket import FrameSocket
from spatial_reasoner.percepts.frame_file import read_frame
from spatial_reasoner.percepts.recording import frame_line
from spatial_reasoner.scene.scene import Scene
from spatial_reasoner.scene.shape_fields import written_shape
from spatial_reasoner.sight.renderers import chosen_sight
from spatial_reasoner.sources.camera import Camera, Jitter
from spatial_reasoner.sources.gripper import Gripper
from spatial_reasoner.sources.protocol import GROUP, PerceptSource, Surroundings, source_of
from spatial_reasoner.sources.recorded import Pace, Recorded
from spatial_reasoner.sources.stdin import Stdin
from spatial_reasoner.values.frames import Frame
from spatial_reasoner.values.rendering import Sight
from tests.live.rooms import frame, line, said

_ROOT = Path(__file__).parents[2]
_PROJECT = tomllib.loads((_ROOT / "pyproject.toml").read_text("utf-8"))["project"]
KNOWN = EntryPoints(
    EntryPoint(name, value, GROUP) for name, value in _PROJECT["entry-points"][GROUP].items()
)


@pytest.fixture(scope="module")
def sight() -> Iterator[Sight]:
    """The renderer that can always be had."""
    made = chosen_sight("tiny", lambda _: None)
    yield made
    made.close()


@pytest.fixture
def around(scene: Scene, sight: Sight) -> Surroundings:
    return Surroundings(scene, lambda: sight)


def given_by(source: PerceptSource, scene: Scene, most: int = 16) -> list[Frame]:
    """All frames that a source gives, each taken as soon as it is there."""
    found: list[Frame] = []

    async def take(feed: Feed) -> None:
        while True:
            waiting = await feed.take()
            found.append(waiting.frame)
            waiting.report()

    async def main() -> None:
        feed = Feed(scene, most)
        taking = asyncio.create_task(take(feed))
        await source.run(feed)
        taking.cancel()

    asyncio.run(main())
    return found


def written_to(file: Path, times: Sequence[float]) -> Path:
    file.write_text("".join(line(t, "ball") + "\n" for t in times))
    return file


def test_a_recording_is_given_whole_and_in_order(scene: Scene, tmp_path: Path) -> None:
    """None of the frames of a recording is dropped, however few may wait."""
    times = [0.04 * number for number in range(50)]
    file = written_to(tmp_path / "frames.jsonl", times)
    assert [each.t for each in given_by(Recorded(file, "max"), scene, most=1)] == times


def test_a_recording_keeps_its_pace() -> None:
    """A frame is due as long after the first one as its time says, and a late one at once."""

    async def main() -> None:
        loop, pace = asyncio.get_running_loop(), Pace()
        begin = loop.time()
        for t, due in ((100.0, 0.0), (100.05, 0.05), (100.02, 0.05), (100.1, 0.1)):
            await pace.due(t)
            assert loop.time() - begin >= due - 1e-3
        assert loop.time() - begin < 0.1 + 5.0

    asyncio.run(main())


def test_a_recording_that_is_wrong_ends_the_source(scene: Scene, tmp_path: Path) -> None:
    """A line that is wrong ends a recording, after what came before it."""
    file = written_to(tmp_path / "frames.jsonl", [0.0])
    with file.open("a") as more:
        more.write("{}\n")
    with pytest.raises(FrameError, match="line 2: t: is missing"):
        given_by(Recorded(file, "max"), scene)


def test_stdin_gives_lines_from_a_pipe_and_from_a_file(scene: Scene, tmp_path: Path) -> None:
    """Lines come as they are written, in whatever pieces; the last one may lack its end."""
    text = line(0.0, "ball") + "\n\n" + line(1.0, "mug") + "\n" + line(2.0)
    reading, writing = os.pipe()
    os.write(writing, text.encode())
    os.close(writing)
    assert [each.t for each in given_by(Stdin(reading), scene)] == [0.0, 1.0, 2.0]
    os.close(reading)
    file = tmp_path / "frames.jsonl"
    file.write_text(text)
    descriptor = os.open(file, os.O_RDONLY)
    assert [each.t for each in given_by(Stdin(descriptor), scene)] == [0.0, 1.0, 2.0]
    os.close(descriptor)


def test_a_wrong_line_of_stdin_is_told_and_passed_over(
    scene: Scene, caplog: pytest.LogCaptureFixture
) -> None:
    """What is wrong on stdin is logged with its line, and the next frame is taken."""
    reading, writing = os.pipe()
    os.write(writing, b'{"t": 1}\n\xff\n' + line(2.0).encode())
    os.close(writing)
    assert [each.t for each in given_by(Stdin(reading), scene)] == [2.0]
    os.close(reading)
    assert [record.getMessage().split(":")[0] for record in caplog.records] == [
        "stdin, line 1",
        "stdin, line 2",
    ]


HAND = [0.2, 0.1, 0.9, 0.0, 0.0, 0.0, 1.0]


def test_a_gripper_has_something_while_it_presses(scene: Scene) -> None:
    """A gripper that presses with its fingers apart has a thing as wide between them."""
    gripper = Gripper(scene)
    found = gripper.read(2.0, {"opening": 0.06, "effort": -4, "hand": HAND})
    assert (found.t, found.source) == (2.0, "gripper")
    [held] = found.unnamed
    assert written_shape(held.shape) == {"cylinder": [0.03, 0.06]}
    assert held.pose.tolist() == HAND
    assert found.agents["myself"]["right_hand"].tolist() == HAND
    for opening, effort in ((0.06, 0.2), (0.0, 9.0)):
        none = gripper.read(2.1, {"opening": opening, "effort": effort})
        assert not none.unnamed
        assert none.empty == {"myself": ("right_hand",)}


def test_a_gripper_goes_on_where_its_hand_was_last_perceived(scene: Scene) -> None:
    """What is held is where others perceived the hand, at the grip; before that it is an error."""
    gripper = Gripper(scene, grip=np.array([0.1, 0, 0, 0, 0, 0, 1.0]))
    feed = Feed(scene)
    asyncio.run(gripper.run(feed))
    reading = {"t": 1.0, "source": "gripper", "reading": {"opening": 0.05, "effort": 3}}
    with pytest.raises(FrameError, match=r"reading\.hand: is missing"):
        feed.read(reading)

    async def perceive() -> None:
        hand = {"agents": {"myself": {"right_hand": HAND}}}
        feed.put(read_frame({"t": 0.5, "source": "camera", **hand}, scene))

    asyncio.run(perceive())
    [held] = feed.read(reading).unnamed
    assert held.pose[:3].tolist() == pytest.approx([0.3, 0.1, 0.9])


@pytest.mark.parametrize(
    ("reading", "field"),
    [
        ({"effort": 1}, "reading.opening"),
        ({"opening": 0.1}, "reading.effort"),
        ({"opening": 9, "effort": 1}, "reading.opening"),
        ({"opening": 0.1, "effort": 1, "hand": [0]}, "reading.hand"),
        ({"opening": 0.1, "effort": 1, "fingers": 2}, "reading"),
    ],
)
def test_a_reading_that_is_wrong_names_its_field(
    scene: Scene, reading: dict[str, Any], field: str
) -> None:
    """What is wrong with a reading is told by its field."""
    with pytest.raises(FrameError) as raised:
        Gripper(scene).read(0.0, reading)
    assert raised.value.detail["where"] == field


EYE = np.array([-1.0, 0, 0.85, 0, 0, 0, 1.0])
WIDE = (1.2, 0.9)


def truth(scene: Scene, t: float, **places: list[float]) -> Frame:
    return read_frame({"t": t, "source": "truth", "objects": places}, scene)


def test_a_camera_gives_what_shows_and_no_more(scene: Scene, sight: Sight) -> None:
    """What is hidden by something, or is behind the camera, is in no frame of it."""
    camera = Camera(scene, sight, eye=EYE, fov=WIDE, jitter=Jitter(0.0, 0.0))
    found = camera.observe(
        truth(scene, 0.0, ball=[0.2, 0, 0.85], box=[0, 0, 0.9], mug=[-2.0, 0, 0.85])
    )
    assert set(found.objects) == {"table", "box"}
    assert found.objects["box"].pose.tolist() == [0, 0, 0.9, 0, 0, 0, 1]
    found = camera.observe(truth(scene, 0.04, ball=[-0.3, 0, 0.85]))
    assert set(found.objects) == {"table", "box", "ball"}
    assert found.t == 0.04


def test_a_camera_jitters_the_same_way_each_time(scene: Scene, sight: Sight) -> None:
    """What it tells is a little wrong, as much as is set, and the same seed tells the same."""
    runs = []
    for _ in range(2):
        camera = Camera(scene, sight, eye=EYE, fov=WIDE, jitter=Jitter(0.002, 0.03), seed=7)
        frames = [camera.observe(truth(scene, t, ball=[0.0, 0, 0.85])) for t in np.arange(100) / 25]
        runs.append([frame_line(each) for each in frames])
    assert runs[0] == runs[1]
    away = np.array([each.objects["ball"].pose[:3] - [0, 0, 0.85] for each in frames])
    assert 0.0015 < away.std() < 0.0025
    assert abs(away.mean()) < 0.0005


def test_a_camera_on_an_agent_feels_that_body_and_sees_others(scene: Scene, sight: Sight) -> None:
    """On an agent's head it tells that agent's parts as they are, and of others what shows."""
    camera = Camera(scene, sight, on="sally", fov=(1.745, 1.309))
    found = camera.observe(
        read_frame(
            {
                "t": 0,
                "source": "truth",
                "agents": {
                    "sally": {"head": [1, 0, 1.2, 0, 0, 1, 0], "right_hand": [1, 0, 0.5]},
                    "anne": {"head": [-1, 0, 1.2], "right_hand": [2, 0, 1.2]},
                },
            },
            scene,
        )
    )
    assert found.agents["sally"]["right_hand"].tolist() == [1, 0, 0.5, 0, 0, 0, 1]
    assert set(found.agents["anne"]) == {"head"}
    assert set(found.agents) == {"sally", "anne", "myself"}


def test_a_camera_without_a_place_gives_nothing(scene: Scene, sight: Sight) -> None:
    """A camera on a head that nobody has told the place of gives frames of nothing."""
    found = Camera(scene, sight, on="anne").observe(truth(scene, 0.0, ball=[0, 0, 0.85]))
    assert not found.objects
    assert not found.agents


def test_a_camera_at_a_recorded_truth_is_a_source(around: Surroundings, tmp_path: Path) -> None:
    """As a plugin it walks through the frames of the truth, in their order."""
    file = tmp_path / "truth.jsonl"
    file.write_text("".join(json.dumps(said(t, "ball")) + "\n" for t in (0.0, 0.04)))
    settings = {"truth": str(file), "pose": EYE.tolist(), "name": "eye", "speed": "max"}
    source = source_of("camera", settings, around, KNOWN)
    found = given_by(source, around.scene)
    assert [(each.t, each.source) for each in found] == [(0.0, "eye"), (0.04, "eye")]


def test_sources_are_found_by_their_names(around: Surroundings, tmp_path: Path) -> None:
    """Each kind of source is made from its settings, as often as is wished."""
    settings: dict[str, dict[str, object]] = {
        "recorded": {"file": str(tmp_path / "x"), "speed": "max"},
        "stdin": {},
        "websocket": {"port": 0},
        "gripper": {"name": "left", "hand": "left_hand", "shape": {"box": [0.1, 0.05, 0.05]}},
        "camera": {"truth": "x", "fov": [1.0, 0.8], "noise": 0.001, "turn_noise": 0.01, "seed": 3},
    }
    assert settings.keys() == KNOWN.names
    made = {name: source_of(name, said, around, KNOWN) for name, said in settings.items()}
    assert [each.name for each in made.values()] == ["x", "stdin", "websocket", "left", "camera"]
    assert isinstance(made["websocket"], FrameSocket)
    made["websocket"].close()


@pytest.mark.parametrize(
    ("name", "settings", "where"),
    [
        ("griper", {}, "percepts"),
        ("gripper", {"hand": "head"}, "gripper.hand"),
        ("gripper", {"agent": "bob"}, "gripper.agent"),
        ("gripper", {"colour": 1}, "gripper"),
        ("gripper", {"shape": {"box": [1]}}, "gripper.shape.box"),
        ("camera", {}, "camera.truth"),
        ("camera", {"truth": "x", "fov": [1]}, "camera.fov"),
        ("recorded", {"file": 3}, "recorded.file"),
        ("recorded", {"file": "x", "speed": "slow"}, "recorded.speed"),
        ("stdin", {"x": 1}, "stdin"),
        ("websocket", {"port": "a"}, "websocket.port"),
        ("websocket", {"port": 0, "host": "0.0.0.0"}, "websocket.tokens"),
    ],
)
def test_settings_that_mean_nothing_are_named(
    around: Surroundings, name: str, settings: dict[str, object], where: str
) -> None:
    """What is wrong with the settings of a source is told by its field."""
    with pytest.raises(SceneError) as raised:
        source_of(name, settings, around, KNOWN)
    assert raised.value.detail["where"] == where


def test_a_frame_is_the_same_by_hand(scene: Scene) -> None:
    """The frames of these tests read as those that are sent."""
    assert frame_line(frame(scene, 1.0, "mug")) == frame_line(read_frame(said(1.0, "mug"), scene))
