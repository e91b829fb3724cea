"""Subscriptions: what each one asks for, how far it has come, and where its events go.

The client's methods that subscribe are made from the functions of this module.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic, Literal, TypeVar

from kb_server.client.calls.calls import Text, texts
from kb_server.client.calls.errors import EventsLost, refusal
from kb_server.client.calls.events import DivergenceEvent, Event, PosesEvent
from kb_server.client.streams.progress import ResumePoint
from kb_server.client.streams.streams import Sink
from kb_server.errors import BadRequest, TooOld

__all__ = [
    "MOST_WAITING",
    "EventStream",
    "Interest",
    "listen",
    "lost",
    "subscribe",
    "subscribe_divergence",
]

E = TypeVar("E")
MOST_WAITING = 10_000
"""Events that wait for a slow subscriber. Past this number the subscription is paused, and resumed
from the board's journal once the subscriber has taken all of them."""


@dataclass(frozen=True, slots=True)
class Interest(Generic[E]):
    """A request for events: its fields on the websocket, and the function that reads each event."""

    op: Literal["subscribe", "subscribe_divergence", "listen"]
    fields: Mapping[str, Any]
    read: Callable[[Any], E]
    snapshot: bool = False
    after: int | None = None


class EventStream(Generic[E]):
    """A running subscription and the sink of its events; `id` is its newest name on the socket."""

    def __init__(self, interest: Interest[E], sink: Sink[E]) -> None:
        self.op: Final = interest.op
        self.fields: Final = interest.fields
        self.sink: Final = sink
        self.progress: Final = ResumePoint(interest.snapshot, interest.after)
        self.id = ""
        self.board: str | None = None
        """The identity of the board that its progress refers to, if known."""
        self.is_over = False
        self._read: Final = interest.read

    @property
    def model(self) -> str:
        return str(self.fields["model"])

    @property
    def once(self) -> bool:
        return bool(self.fields.get("once"))

    def says(self) -> dict[str, Any]:
        """The command that begins or resumes it."""
        place = {} if self.op == "listen" else self.progress.asked()
        if "after" in place and self.board is not None:
            place["board"] = self.board
        return {"op": self.op, **self.fields, **place}

    def take(self, frame: Mapping[str, Any]) -> None:
        """Passes the new events of a frame to the sink."""
        if self.is_over:
            return
        if frame["event"] == "error":
            self.end(refusal(frame))
            return
        if self.op == "listen":
            self.sink.put([self._read(frame)])
            return
        new = self.progress.new_frames(frame)
        self.sink.put([self._read(each) for each in new])
        if self.once and any(is_live(each) for each in new):
            self.end()

    def end(self, error: Exception | None = None) -> None:
        self.is_over = True
        self.sink.end(error)


def lost(reason: TooOld, after: int | None) -> EventsLost:
    """The error that ends a subscription which can't resume after the delta `after`."""
    error = EventsLost(f"events are lost; subscribe again with snapshot: {reason.message}")
    error.detail = {**reason.detail, "after": after}
    return error


def is_live(frame: Mapping[str, Any]) -> bool:
    return not frame.get("snapshot") and frame["event"] != "snapshot_end"


def subscribe(
    model: str,
    *patterns: Text,
    on: Literal["appear", "disappear", "both"] = "appear",
    once: bool = False,
    snapshot: bool = False,
    after: int | None = None,
) -> Interest[Event]:
    """Subscribes to the bindings of the patterns: each that appears or disappears is an event.

    Events are delivered from the moment this returns; in an asynchronous client, from the moment
    the subscription is awaited or entered. With `snapshot`, the bindings that hold now come first.
    With `after`, the events since that delta come first. `once` ends it after one event.
    """
    if after is not None and (isinstance(after, bool) or not isinstance(after, int)):
        raise BadRequest(f"after must be a seq, a whole number, not {after!r:.80}", field="after")
    fields = {"model": model, "patterns": texts(patterns), "on": on, "once": once}
    return Interest("subscribe", fields, Event.read, snapshot, after)


def subscribe_divergence(
    model: str, *patterns: Text, other: str = "myself"
) -> Interest[DivergenceEvent]:
    """Subscribes to the bindings on which `model` and `other` begin and cease to differ.

    After a reconnection, one event without a time holds the net difference since the last one.
    """
    fields = {"model": model, "from": other, "patterns": texts(patterns)}
    return Interest("subscribe_divergence", fields, DivergenceEvent.read)


def listen(model: str) -> Interest[PosesEvent]:
    """Subscribes to the poses that are published in a model."""
    return Interest("listen", {"topic": "poses", "model": model}, PosesEvent.read)
