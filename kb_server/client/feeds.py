"""One subscription on its way: what it asks for, how far it has come, and where its events go."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar

from kb_server.client.calls import Text, texts
from kb_server.client.errors import EventsLost, TooOld, refusal
from kb_server.client.events import DivergenceEvent, Event, PosesEvent
from kb_server.client.progress import Progress
from kb_server.client.streams import Sink

__all__ = ["MOST_WAITING", "Feed", "divergence_feed", "event_feed", "lost", "poses_feed"]

E = TypeVar("E")
MOST_WAITING = 10_000
"""So many events wait for a slow holder; beyond, the board is asked again when they are taken."""


@dataclass(eq=False)
class Feed(Generic[E]):
    """A wish as the socket says it, with a sink for what it brings; `id` is its newest name."""

    op: Literal["subscribe", "subscribe_divergence", "listen"]
    fields: Mapping[str, Any]
    read: Callable[[Any], E]
    sink: Sink[E]
    progress: Progress = field(default_factory=Progress)
    id: str = ""
    is_over: bool = False

    @property
    def model(self) -> str:
        return str(self.fields["model"])

    @property
    def once(self) -> bool:
        return bool(self.fields.get("once"))

    def says(self) -> dict[str, Any]:
        """The command that begins it, or goes on with it."""
        place = {} if self.op == "listen" else self.progress.asked()
        return {"op": self.op, **self.fields, **place}

    def take(self, frame: Mapping[str, Any]) -> None:
        """Passes on what is new in a frame."""
        if self.is_over:
            return
        if frame["event"] == "error":
            self.end(refusal(frame))
            return
        if self.op == "listen":
            self.sink.put([self.read(frame)])
            return
        new = self.progress.told(frame)
        self.sink.put([self.read(each) for each in new])
        if self.once and any(is_live(each) for each in new):
            self.end()

    def end(self, error: Exception | None = None) -> None:
        self.is_over = True
        self.sink.end(error)


def lost(reason: TooOld, after: int | None) -> EventsLost:
    """What a subscription ends with that was told all until a delta, and can't go on from there."""
    error = EventsLost(f"events are lost for good; take a new snapshot: {reason.message}")
    error.detail = {**reason.detail, "after": after}
    return error


def is_live(frame: Mapping[str, Any]) -> bool:
    return not frame.get("snapshot") and frame["event"] != "snapshot_end"


def event_feed(
    sink: Sink[Event],
    model: str,
    patterns: tuple[Text, ...],
    on: str,
    once: bool,
    snapshot: bool,
    after: int | None,
) -> Feed[Event]:
    """A subscription to the bindings of some patterns."""
    fields = {"model": model, "patterns": texts(patterns), "on": on, "once": once}
    return Feed("subscribe", fields, Event.read, sink, Progress(snapshot, after))


def divergence_feed(
    sink: Sink[DivergenceEvent], model: str, other: str, patterns: tuple[Text, ...]
) -> Feed[DivergenceEvent]:
    """A subscription to where two models differ."""
    fields = {"model": model, "from": other, "patterns": texts(patterns)}
    return Feed("subscribe_divergence", fields, DivergenceEvent.read, sink)


def poses_feed(sink: Sink[PosesEvent], model: str) -> Feed[PosesEvent]:
    """Where things are in a model, as it is published."""
    return Feed("listen", {"topic": "poses", "model": model}, PosesEvent.read, sink)
