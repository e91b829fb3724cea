"""A ROS 2 node between a robot and a board, over the websockets of the board.

    python -m demos.ros_bridge '?h desires ?a' '?a a Give' --tf ball,sally/head --world map

- Events of the patterns are published on the topic `mindboard/events`, each a `std_msgs/String` of
  JSON: `{"event": "appear", "seq": 42, "bindings": {"h": "sally", "a": "give_1"}}`.
- Messages on `mindboard/revise` are JSON bodies of `revise` with a `model`; they change the board.
- Transforms on `tf` from the world to the listed frames are percepts, sent to `mindboard perceive`:
  `ball` is an object of the scene, `sally/head` a part of an agent.

An invalid message is logged, and the next one is processed. ROS is imported only when the node
runs, so the module can be imported without it.
"""

import argparse
import json
import sys
import threading
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from importlib import import_module
from typing import Any, Final

from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect

from kb_server import Blackboard, BoardError, ConnectionFailed, Event, EventsLost

__all__ = ["Bridge", "Percepts", "frame_of", "main", "said"]

SOURCE: Final = "tf"
_DEPTH: Final = 100
"""Queue depth of the ROS topics, in messages."""


def frame_of(transforms: Iterable[Any], world: str, names: Sequence[str]) -> Mapping[str, Any]:
    """The percept frame of some transforms; empty if none of them is from the world to a listed
    name."""
    seen = [each for each in transforms if _is_of(each, world, names)]
    if not seen:
        return {}
    objects: dict[str, Any] = {}
    agents: dict[str, dict[str, Any]] = {}
    for each in seen:
        owner, _, part = each.child_frame_id.partition("/")
        if part:
            agents.setdefault(owner, {})[part] = pose_of(each.transform)
        else:
            objects[owner] = pose_of(each.transform)
    t = max(seconds_of(each.header.stamp) for each in seen)
    return {"t": t, "source": SOURCE, "objects": objects, "agents": agents}


def _is_of(each: Any, world: str, names: Sequence[str]) -> bool:
    return each.header.frame_id == world and each.child_frame_id in names


def pose_of(transform: Any) -> list[float]:
    """Position and quaternion, in the order of percepts."""
    place, turn = transform.translation, transform.rotation
    return [place.x, place.y, place.z, turn.x, turn.y, turn.z, turn.w]


def seconds_of(stamp: Any) -> float:
    return float(stamp.sec) + float(stamp.nanosec) * 1e-9


def said(event: Event) -> str:
    """An event as a message of the topic."""
    message = {"event": event.kind, "seq": event.seq, "bindings": dict(event.bindings)}
    return json.dumps(message, ensure_ascii=False)


class Percepts:
    """The connection to `mindboard perceive`; it is reopened after a failure."""

    def __init__(self, url: str) -> None:
        self._url: Final = url
        self._line: ClientConnection | None = None
        self._open: Final = ExitStack()

    def send(self, frame: Mapping[str, Any]) -> None:
        """Sends a frame; raises OSError or WebSocketException if that fails, and the frame is
        lost."""
        try:
            if self._line is None:
                self._line = self._open.enter_context(connect(self._url, proxy=None))
            self._line.send(json.dumps(frame))
        except (OSError, WebSocketException):
            self.close()
            raise

    def close(self) -> None:
        self._line = None
        self._open.close()


class Bridge:
    """The work of the node, given a board, a publisher and a logger."""

    def __init__(self, kb: Blackboard, args: argparse.Namespace, publish: Any, warn: Any) -> None:
        self._kb: Final = kb
        self._args: Final = args
        self._publish: Final = publish
        self._warn: Final = warn
        self._percepts: Final = Percepts(args.frames)
        self._is_over: Final = threading.Event()

    def hear(self) -> None:
        """Publishes events until it is closed, starting with the bindings that hold now."""
        while not self._is_over.is_set():
            try:
                with self._kb.subscribe(
                    self._args.model, *self._args.patterns, on="both", snapshot=True
                ) as events:
                    for event in events:
                        self._publish(said(event))
            except (ConnectionFailed, EventsLost) as lost:
                self._warn(f"the board: {lost}")
                self._is_over.wait(1.0)
            except BoardError as refusal:
                self._warn(f"refused: {refusal}")
                return

    def revise(self, message: Any) -> None:
        """Changes the board as a message asks."""
        try:
            body = json.loads(message.data)
            self._kb.revise(body.pop("model", "myself"), **body)
        except (ValueError, TypeError, AttributeError, BoardError, ConnectionFailed) as reason:
            self._warn(f"mindboard/revise: {reason}")

    def perceive(self, message: Any) -> None:
        """Sends the transforms of a message as a percept frame."""
        frame = frame_of(message.transforms, self._args.world, self._args.tf)
        try:
            if frame:
                self._percepts.send(frame)
        except (OSError, WebSocketException) as reason:
            self._warn(f"{self._args.frames}: {reason}")

    def close(self) -> None:
        self._is_over.set()
        self._percepts.close()
        self._kb.close()


def _parsed(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser("demos.ros_bridge", description="A board as a node of ROS 2.")
    parser.add_argument("patterns", nargs="+", metavar="PATTERN", help="patterns of the events")
    parser.add_argument("--model", default="myself", help="the model of the events (%(default)s)")
    parser.add_argument("--kb", default="http://127.0.0.1:8765", help="the board (%(default)s)")
    parser.add_argument(
        "--frames", default="ws://127.0.0.1:8766/frames", help="address for percepts (%(default)s)"
    )
    parser.add_argument("--world", default="map", help="the frame of the world (%(default)s)")
    parser.add_argument("--tf", default=[], type=lambda names: names.split(","), help="a,b/head,…")
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the node until ROS shuts down."""
    args = _parsed(argv)
    try:
        rclpy = import_module("rclpy")
        String = import_module("std_msgs.msg").String
        TFMessage = import_module("tf2_msgs.msg").TFMessage
    except ImportError as missing:
        print(f"ROS 2 is not here: {missing}; source its setup.bash first", file=sys.stderr)
        return 1
    rclpy.init()
    node = rclpy.create_node("mindboard")
    events = node.create_publisher(String, "mindboard/events", _DEPTH)
    warn = node.get_logger().warning
    bridge = Bridge(Blackboard(args.kb), args, lambda text: events.publish(String(data=text)), warn)
    node.create_subscription(String, "mindboard/revise", bridge.revise, _DEPTH)
    node.create_subscription(TFMessage, "tf", bridge.perceive, _DEPTH)
    hearing = threading.Thread(target=bridge.hear, daemon=True)
    hearing.start()
    try:
        rclpy.spin(node)
    except KeyboardInterrupt:
        return 0
    finally:
        bridge.close()
        hearing.join()
        node.destroy_node()
        rclpy.try_shutdown()
    return 0


if __name__ == "__main__":
    sys.exit(main())
