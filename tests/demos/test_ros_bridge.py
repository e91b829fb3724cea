"""The bridge to ROS 2 passes on what it should, with a stand-in for ROS and a real board."""

import json
import threading
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from queue import Queue
from types import SimpleNamespace
from typing import Any, Final

import pytest
from websockets.sync.server import ServerConnection, serve

from demos import ros_bridge
from kb_server import Blackboard
from spatial_reasoner.percepts.frame_file import read_frame
from tests.demos.ros import Ros, transform
from tests.live.rooms import room
from tests.service.servers import Servers

_SECONDS: Final = 30.0


@contextmanager
def bridged(ros: Ros, *words: str) -> Iterator[Ros]:
    """The node at work."""
    running = threading.Thread(target=ros_bridge.main, args=[words])
    running.start()
    try:
        assert ros.spinning.wait(_SECONDS)
        yield ros
    finally:
        ros.shut_down()
        running.join(_SECONDS)
        assert not running.is_alive()


@pytest.fixture
def ros(monkeypatch: pytest.MonkeyPatch) -> Ros:
    """A stand-in in place of ROS."""
    made = Ros()
    made.install(monkeypatch)
    return made


@contextmanager
def frames_taken() -> Iterator[tuple[str, "Queue[Any]"]]:
    """The address of somebody who takes frames, and those that came."""
    came: Queue[Any] = Queue()

    def take(line: ServerConnection) -> None:
        for text in line:
            came.put(json.loads(text))

    with serve(take, "127.0.0.1", 0) as door:
        running = threading.Thread(target=door.serve_forever)
        running.start()
        try:
            yield f"ws://127.0.0.1:{door.socket.getsockname()[1]}/frames", came
        finally:
            door.shutdown()
            running.join(_SECONDS)


def told(ros: Ros) -> Any:
    """What the node publishes next."""
    topic, message = ros.published.get(timeout=_SECONDS)
    assert topic == "mindboard/events"
    return json.loads(message.data)


def test_events_come_out_and_changes_go_in(ros: Ros, servers: Servers) -> None:
    """A change that comes in by a topic makes the event that goes out, also after a restart."""
    server = servers.start("--no-dl")
    with bridged(ros, "?who desires ?what", "--kb", server.url), Blackboard(server.url) as kb:
        assert told(ros)["event"] == "snapshot_end"
        said = {"model": "myself", "add": ["sally desires give_1"]}
        ros.send("mindboard/revise", SimpleNamespace(data=json.dumps(said)))
        event = told(ros)
        assert (event["event"], event["bindings"]) == ("appear", {"who": "sally", "what": "give_1"})
        kb.retract("myself", "sally desires *")
        assert told(ros)["event"] == "disappear"
        server.kill()
        server.start()
        ros.send("mindboard/revise", SimpleNamespace(data=json.dumps(said)))
        assert told(ros)["event"] == "appear"


@pytest.mark.parametrize(
    "data", ["{", "[]", "7", '{"add": ["ball"]}', '{"model": "nobody"}', '{"ad": []}', '{"add": 7}']
)
def test_a_wrong_message_is_logged(ros: Ros, data: str) -> None:
    """What is no change is a line of the log, and the node lives on."""
    with Blackboard.local() as kb:
        args = Namespace(frames="ws://127.0.0.1:9/frames")
        bridge = ros_bridge.Bridge(kb, args, ros.published.put, ros.logged.put)
        bridge.revise(SimpleNamespace(data=data))
        assert ros.logged.get_nowait().startswith("mindboard/revise: ")


def test_a_refused_pattern_is_logged(ros: Ros, servers: Servers) -> None:
    """Patterns that the board can't read are a line of the log."""
    url = servers.start("--no-dl", keeps=False).url
    with bridged(ros, "?who desires", "--kb", url):
        assert ros.logged.get(timeout=_SECONDS).startswith("refused: ")


def test_transforms_become_percepts(ros: Ros) -> None:
    """Transforms from the world to the listed frames are one frame, as `perceive` reads it."""
    with frames_taken() as (address, came):
        words = ("?a isIn ?b", "--kb", "http://127.0.0.1:9", "--frames", address)
        with bridged(ros, *words, "--tf", "ball,sally/head"):
            shown = [transform("ball", (0.1, 0, 0.8)), transform("sally/head", (1.2, 0, 1.4))]
            others = [transform("gripper", (0, 0, 0)), transform("ball", (9, 9, 9), "camera")]
            ros.send("tf", SimpleNamespace(transforms=others))
            ros.send("tf", SimpleNamespace(transforms=shown + others))
            frame = read_frame(came.get(timeout=_SECONDS), room())
    assert (frame.t, frame.source) == (3.25, "tf")
    assert list(frame.objects) == ["ball"]
    assert list(frame.agents) == ["sally"]


def test_percepts_that_nobody_takes_are_logged(ros: Ros) -> None:
    """Where no `perceive` listens each lost frame is a line of the log."""
    words = ("?a isIn ?b", "--kb", "http://127.0.0.1:9", "--frames", "ws://127.0.0.1:9/frames")
    with bridged(ros, *words, "--tf", "ball"):
        ros.send("tf", SimpleNamespace(transforms=[transform("ball", (0, 0, 1))]))
        lines = [ros.logged.get(timeout=_SECONDS) for _ in range(2)]
    assert any(line.startswith("ws://127.0.0.1:9/frames: ") for line in lines)


def test_without_ros_it_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    """Where there is no ROS the node ends with 1, and a line that says what to do."""
    assert ros_bridge.main(["?a isIn ?b"]) == 1
    assert "source its setup.bash" in capsys.readouterr().err
