"""Subscriptions: what each asks for, and on its way, how far it has come and where its events go.

As the calls are for the verbs that ask, the functions here are what the verbs that subscribe are
made from.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic, Literal, TypeVar

from kb_server.client.calls.calls import Text, texts
from kb_server.client.calls.errors import EventsLost, refusal
from kb_server.client.calls.events import DivergenceEvent, Event, PosesEvent
from kb_server.client.streams.progress import Progress
from kb_server.client.streams.streams import Sink
from kb_server.errors import BadRequest, TooOld

__all__ = [
    "MOST_WAITING",
    "Feed",
    "Interest",
    "listen",
    "lost",
    "subscribe",
    "subscribe_divergence",
]

E = TypeVar("E")
MOST_WAITING = 10_000
"""So many events wait for a slow holder; beyond, the board is asked again when they are taken."""


@dataclass(frozen=True, slots=True)
class Interest(Generic[E]):
    """What to hear of: as the socket says it, and how to read what comes."""

    op: Literal["subscribe", "subscribe_divergence", "listen"]
    fields: Mapping[str, Any]
    read: Callable[[Any], E]
    snapshot: bool = False
    after: int | None = None


class Feed(Generic[E]):
    """An interest on its way, with a sink for what it brings; `id` is its newest name."""

    def __init__(self, interest: Interest[E], sink: Sink[E]) -> None:
        self.op: Final = interest.op
        self.fields: Final = interest.fields
        self.sink: Final = sink
        self.progress: Final = Progress(interest.snapshot, interest.after)
        self.id = ""
        self.board: str | None = None
        """Which board its progress is of, if that is known."""
        self.is_over = False
        self._read: Final = interest.read

    @property
    def model(self) -> str:
        return str(self.fields["model"])

    @property
    def once(self) -> bool:
        return bool(self.fields.get("once"))

    def says(self) -> dict[str, Any]:
        """The command that begins it, or goes on with it."""
        place = {} if self.op == "listen" else self.progress.asked()
        if "after" in place and self.board is not None:
            place["board"] = self.board
        return {"op": self.op, **self.fields, **place}

    def take(self, frame: Mapping[str, Any]) -> None:
        """Passes on what is new in a frame."""
        if self.is_over:
            return
        if frame["event"] == "error":
            self.end(refusal(frame))
            return
        if self.op == "listen":
            self.sink.put([self._read(frame)])
            return
        new = self.progress.told(frame)
        self.sink.put([self._read(each) for each in new])
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


def subscribe(
    model: str,
    *patterns: Text,
    on: Literal["appear", "disappear", "both"] = "appear",
    once: bool = False,
    snapshot: bool = False,
    after: int | None = None,
) -> Interest[Event]:
    """The bindings of the patterns as they come and go.

    What happens after this has returned is heard; of an asynchronous board, after it has been
    awaited or entered. With `snapshot` those that hold now come first; with `after`, what has
    happened since that delta. `once` ends it with one event.
    """
    if after is not None and (isinstance(after, bool) or not isinstance(after, int)):
        raise BadRequest(f"after is a seq, a whole number, not {after!r:.80}", field="after")
    fields = {"model": model, "patterns": texts(patterns), "on": on, "once": once}
    return Interest("subscribe", fields, Event.read, snapshot, after)


def subscribe_divergence(
    model: str, *patterns: Text, other: str = "myself"
) -> Interest[DivergenceEvent]:
    """Where two models begin and cease to differ on the patterns."""
    fields = {"model": model, "from": other, "patterns": texts(patterns)}
    return Interest("subscribe_divergence", fields, DivergenceEvent.read)


def listen(model: str) -> Interest[PosesEvent]:
    """Where things are in a model, as it is published."""
    return Interest("listen", {"topic": "poses", "model": model}, PosesEvent.read)
