"""What a subscription tells, as values, and what a provider is asked."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from kb_server.client.calls.values import Pose, Row, read_moment

__all__ = ["Ask", "DivergenceEvent", "Event", "PosesEvent"]


@dataclass(frozen=True, slots=True)
class Event:
    """A binding that appears or disappears; those that held at the start come as `snapshot`.

    After these comes one of the kind `snapshot_end`, which binds nothing.
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
    """Bindings on which two models begin or cease to differ.

    After a broken line what has changed meanwhile comes as one, net, without a time.
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
    """Where things are in a model, as published; None for one that is taken away."""

    model: str
    t: float | str | None
    poses: Mapping[str, Pose | None]

    @classmethod
    def read(cls, says: Any) -> "PosesEvent":
        read = {n: None if each is None else Pose.read(each) for n, each in says["poses"].items()}
        return cls(says["model"], says.get("t"), read)


@dataclass(frozen=True, slots=True)
class Ask:
    """What a provider is to compute: the facts of a predicate, as far as its ends are known.

    Where there is an `about`, the subjects are statements, and those need be told of whose subject,
    predicate and object are these; None stands for any.
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
