"""The events of subscriptions, and the question that a provider receives."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from kb_server.client.calls.values import Pose, Row, read_moment

__all__ = ["Ask", "DivergenceEvent", "Event", "PosesEvent"]


@dataclass(frozen=True, slots=True)
class Event:
    """A binding that appeared or disappeared; `snapshot` marks those that held at the start.

    An event of the kind `snapshot_end`, without bindings, follows the last of them.
    """

    kind: Literal["appear", "disappear", "snapshot_end"]
    seq: int
    t: datetime | None = None
    bindings: Mapping[str, str] = field(default_factory=dict)
    snapshot: bool = False

    @classmethod
    def read(cls, says: Any) -> "Event":
        return cls(
            says["event"],
            says["seq"],
            read_moment(says["t"]) if says.get("t") else None,
            says.get("bindings", {}),
            says.get("snapshot", False),
        )


@dataclass(frozen=True, slots=True)
class DivergenceEvent:
    """Bindings on which two models began or ceased to differ.

    After a reconnection, one event without a time holds the net difference since the last one.
    """

    kind: Literal["diverge", "converge"]
    seq: int
    t: datetime | None
    only_here: tuple[Row, ...]
    only_there: tuple[Row, ...]

    @classmethod
    def read(cls, says: Any) -> "DivergenceEvent":
        return cls(
            says["event"],
            says["seq"],
            read_moment(says["t"]) if says.get("t") else None,
            tuple(says["only_here"]),
            tuple(says["only_there"]),
        )


@dataclass(frozen=True, slots=True)
class PosesEvent:
    """The published poses of a model; None for an object that was removed."""

    model: str
    t: float | str | None
    poses: Mapping[str, Pose | None]

    @classmethod
    def read(cls, says: Any) -> "PosesEvent":
        read = {n: None if each is None else Pose.read(each) for n, each in says["poses"].items()}
        return cls(says["model"], says.get("t"), read)


@dataclass(frozen=True, slots=True)
class Ask:
    """A question to a provider: the facts of a predicate; None as subject or object means any.

    If `about` is set, the subjects are reified statements. Only statements with this subject,
    predicate and object are needed; None stands for any.
    """

    model: str
    predicate: str
    subject: str | None
    object: str | None
    about: tuple[str | None, str | None, str | None] | None = None

    @classmethod
    def read(cls, says: Any) -> "Ask":
        subject, value, about = (says.get(each) for each in ("subject", "object", "about"))
        meant = None if about is None else (about[0], about[1], about[2])
        return cls(says["model"], says["predicate"], subject, value, meant)
