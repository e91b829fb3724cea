"""A stand-in for rclpy: one node, whose topics are lists, in the process of the test.

It has just what the bridge uses, under ROS's own names; no robot has heard of it.
"""

import sys
import threading
from collections.abc import Callable
from queue import Queue
from types import ModuleType, SimpleNamespace
from typing import Any, Final

import pytest

__all__ = ["Ros", "transform"]


class Message:
    """Any message: its fields are what it is made with."""

    def __init__(self, **fields: Any) -> None:
        self.__dict__.update(fields)


class Ros:
    """The node's surroundings: what it published, what it logged, and messages for it."""

    def __init__(self) -> None:
        self.published: Final[Queue[tuple[str, Any]]] = Queue()
        self.logged: Final[Queue[str]] = Queue()
        self.spinning: Final = threading.Event()
        self._over: Final = threading.Event()
        self._subscribed: Final[dict[str, Callable[[Any], None]]] = {}

    def install(self, patch: pytest.MonkeyPatch) -> None:
        """Puts itself where the modules of ROS would be."""
        for name in ("std_msgs", "std_msgs.msg", "tf2_msgs", "tf2_msgs.msg"):
            module = ModuleType(name)
            vars(module).update(String=Message, TFMessage=Message)
            patch.setitem(sys.modules, name, module)
        rclpy = ModuleType("rclpy")
        vars(rclpy).update(
            init=lambda: None,
            create_node=lambda _name: self,
            spin=self._spin,
            try_shutdown=lambda: None,
        )
        patch.setitem(sys.modules, "rclpy", rclpy)

    def send(self, topic: str, message: Any) -> None:
        """Has the node's callback called, as its executor would."""
        self._subscribed[topic](message)

    def shut_down(self) -> None:
        self._over.set()

    def create_publisher(self, _kind: object, topic: str, _depth: int) -> SimpleNamespace:
        return SimpleNamespace(publish=lambda message: self.published.put((topic, message)))

    def create_subscription(
        self, _kind: object, topic: str, callback: Callable[[Any], None], _depth: int
    ) -> None:
        self._subscribed[topic] = callback

    def get_logger(self) -> SimpleNamespace:
        return SimpleNamespace(warning=self.logged.put)

    def destroy_node(self) -> None:
        self._subscribed.clear()

    def _spin(self, node: object) -> None:
        assert node is self
        self.spinning.set()
        self._over.wait()


def transform(child: str, place: tuple[float, float, float], parent: str = "map") -> Message:
    """A `geometry_msgs/TransformStamped`, not turned, at 3.25 s."""
    x, y, z = place
    return Message(
        header=Message(frame_id=parent, stamp=Message(sec=3, nanosec=250_000_000)),
        child_frame_id=child,
        transform=Message(
            translation=Message(x=x, y=y, z=z), rotation=Message(x=0.0, y=0.0, z=0.0, w=1.0)
        ),
    )
