"""The answers of a board, as frozen values."""

import json
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final, Literal, NamedTuple, TypeVar

from kb_server.core.questions.query import Row
from kb_server.core.terms.terms import Names
from kb_server.wire.results import term_of

__all__ = [
    "Answer",
    "Clarification",
    "Comparison",
    "Conflict",
    "Consistency",
    "Delta",
    "Difference",
    "Discriminant",
    "Divergence",
    "Fact",
    "History",
    "HistoryLine",
    "Match",
    "ModelInfo",
    "Portrait",
    "Pose",
    "Poses",
    "Proof",
    "Row",
    "Way",
]

_T = TypeVar("_T")
_NAMES: Final = Names()
_Texts = tuple[str, ...]


class Reply(NamedTuple):
    """The answer to a request: `says` is its JSON, if it has any; `body` its bytes otherwise."""

    status: int
    says: Any
    media: str = "application/json"
    body: bytes = b""


@dataclass(frozen=True, slots=True)
class Delta:
    """The effect of a change: the facts that became true and ceased, net, inferences included."""

    seq: int
    became_true: _Texts = ()
    ceased: _Texts = ()

    @classmethod
    def read(cls, says: Any) -> "Delta":
        return cls(says["seq"], tuple(says["became_true"]), tuple(says["ceased"]))


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """A model: how many facts are asserted and inferred, and the `seq` of its newest delta."""

    id: str
    parent: str | None
    asserted: int
    inferred: int
    seq: int


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact of a model; an inferred fact has no memory, expiry or source of its own."""

    fact: str
    kind: Literal["asserted", "inferred"]
    memory: str | None
    expires: datetime | None
    since: datetime | None
    source: str | None

    def __str__(self) -> str:
        return self.fact

    @classmethod
    def read(cls, says: Any) -> "Fact":
        times = {key: _moment(says[key]) for key in ("expires", "since")}
        return cls(**{**says, **times})


@dataclass(frozen=True, slots=True)
class Page:
    """A page of facts in order; `next` is the cursor of the next page, or None."""

    facts: tuple[Fact, ...]
    next: str | None

    @classmethod
    def read(cls, says: Any) -> "Page":
        return cls(_each(says["facts"], Fact.read), says["next"])


@dataclass(frozen=True, slots=True)
class Portrait:
    """The label, the types and all facts of one entity in a model."""

    id: str
    label: str | None
    direct_types: _Texts
    types: _Texts
    as_subject: _Texts
    as_object: _Texts

    @classmethod
    def read(cls, says: Any) -> "Portrait":
        lists = ("direct_types", "types", "as_subject", "as_object")
        return cls(says["id"], says["label"], *(tuple(says[key]) for key in lists))


@dataclass(frozen=True, slots=True)
class Match:
    """An entity whose name or label matches."""

    id: str
    kind: Literal["class", "property", "individual"]
    label: str | None


@dataclass(frozen=True, slots=True)
class Proof:
    """A fact that holds, with its derivations; a fact that is only asserted has none."""

    fact: str
    kind: str
    because: tuple["Way", ...] = ()

    @classmethod
    def read(cls, says: Any) -> "Proof":
        return cls(says["fact"], says["kind"], _each(says["because"], Way.read))


@dataclass(frozen=True, slots=True)
class Way:
    """One derivation of a fact: the rule and its premises."""

    rule: str
    premises: tuple[Proof, ...]

    @classmethod
    def read(cls, says: Any) -> "Way":
        return cls(says["rule"], _each(says["premises"], Proof.read))


@dataclass(frozen=True, slots=True)
class Conflict:
    """A contradiction: the rule that finds it, and the asserted facts that cause it."""

    rule: str
    facts: _Texts
    message: str

    @classmethod
    def read(cls, says: Any) -> "Conflict":
        return cls(says["rule"], tuple(says["facts"]), says["message"])


@dataclass(frozen=True, slots=True)
class Consistency:
    """Whether a model is consistent, and its conflicts; true as a condition if consistent."""

    consistent: bool
    conflicts: tuple[Conflict, ...] = ()
    warnings: _Texts = ()

    def __bool__(self) -> bool:
        return self.consistent

    @classmethod
    def read(cls, says: Any) -> "Consistency":
        found = _each(says["conflicts"], Conflict.read)
        return cls(says["consistent"], found, tuple(says.get("warnings", ())))


@dataclass(frozen=True, slots=True)
class Difference:
    """The values of two individuals for one property."""

    property: str
    a: _Texts
    b: _Texts


@dataclass(frozen=True, slots=True)
class Comparison:
    """The classes and values that two individuals share, and those in which they differ.

    `first_different_ancestors` holds those of each; `similarities` are (property, value) pairs.
    """

    common_ancestors: _Texts
    first_different_ancestors: tuple[_Texts, _Texts]
    similarities: tuple[tuple[str, str], ...]
    differences: tuple[Difference, ...]

    @classmethod
    def read(cls, says: Any) -> "Comparison":
        first = says["first_different_ancestors"]
        return cls(
            tuple(says["common_ancestors"]),
            (tuple(first["a"]), tuple(first["b"])),
            tuple((each["property"], each["value"]) for each in says["similarities"]),
            tuple(
                Difference(each["property"], tuple(each["a"]), tuple(each["b"]))
                for each in says["differences"]
            ),
        )


@dataclass(frozen=True, slots=True)
class Discriminant:
    """The property that best distinguishes individuals, and their values; None if none does."""

    property: str | None
    values: Mapping[str, _Texts] = field(default_factory=dict)
    complete: bool = False

    @classmethod
    def read(cls, says: Any) -> "Discriminant":
        values = {each: tuple(found) for each, found in says.get("values", {}).items()}
        return cls(says["property"], values, says.get("complete", False))


@dataclass(frozen=True, slots=True)
class Clarification:
    """The individuals that fit a partial description, and the property to ask for next."""

    candidates: _Texts
    discriminant: Discriminant

    @classmethod
    def read(cls, says: Any) -> "Clarification":
        return cls(tuple(says["candidates"]), Discriminant.read(says["discriminant"]))


@dataclass(frozen=True, slots=True)
class Divergence:
    """The facts on which two models differ."""

    only_here: _Texts
    only_there: _Texts

    @classmethod
    def read(cls, says: Any) -> "Divergence":
        return cls(tuple(says["only_here"]), tuple(says["only_there"]))


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """One line of history: a fact became true or ceased."""

    seq: int
    t: datetime
    source_t: float | None
    op: Literal["became_true", "ceased"]
    fact: str
    source: str | None

    @classmethod
    def read(cls, says: Any) -> "HistoryLine":
        return cls(**{**says, "t": read_moment(says["t"])})


class History(list[HistoryLine]):
    """The lines of a history, oldest first.

    `complete` is false if older lines were dropped by retention or lost to damage.
    """

    complete: bool = True

    @classmethod
    def read(cls, says: Any) -> "History":
        found = cls(HistoryLine.read(each) for each in says["history"])
        found.complete = says["complete"]
        return found


@dataclass(frozen=True, slots=True)
class Pose:
    """An object's believed pose, its last perceived pose, and the time of that percept."""

    pose: tuple[float, ...] | None
    perceived_pose: tuple[float, ...] | None = None
    seen: float | str | None = None
    sigma: tuple[float, ...] | None = None
    """Standard deviations of x, y, z (m) and of the rotations about them (rad), if known."""

    @property
    def difference(self) -> tuple[float, float] | None:
        """Distance (m) and angle (rad) between the believed and the last perceived pose.

        >>> Pose((0, 0, 0.8), (0, 0, 0.79, 0, 0, 0, 1)).difference
        (0.01, 0.0)
        """
        if self.pose is None or self.perceived_pose is None:
            return None
        one, other = ((*pose, 0, 0, 0, 1)[:7] for pose in (self.pose, self.perceived_pose))
        dot = sum(a * b for a, b in zip(one[3:], other[3:], strict=True))
        shift = math.dist(one[:3], other[:3])
        return round(shift, 6), round(2 * math.acos(min(abs(dot), 1.0)), 6)

    @classmethod
    def read(cls, says: Any) -> "Pose":
        if not isinstance(says, Mapping):
            return cls(_numbers(says))
        pose, perceived = _numbers(says.get("pose")), _numbers(says.get("perceived_pose"))
        return cls(pose, perceived, says.get("seen"), _numbers(says.get("sigma")))


@dataclass(frozen=True, slots=True)
class Poses:
    """The poses of the objects in a model, as published."""

    t: float | str | None
    poses: Mapping[str, Pose]

    @classmethod
    def read(cls, says: Any) -> "Poses":
        return cls(says.get("t"), {n: Pose.read(each) for n, each in says["poses"].items()})


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a SPARQL query: `rows` of a SELECT, `holds` of an ASK, `text` of all else.

    Iteration yields the rows. Their values are terms in the board's normal form.
    """

    rows: tuple[Row, ...] = ()
    holds: bool | None = None
    text: str | None = None
    media: str = ""

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __bool__(self) -> bool:
        return bool(self.rows or self.text) if self.holds is None else self.holds

    @classmethod
    def read(cls, reply: Reply, plain: bool) -> "Answer":
        """Reads a reply; with `plain` its text stays as it is."""
        media = reply.media.partition(";")[0].strip()
        text = reply.body.decode("utf-8")
        if plain or media != "application/sparql-results+json":
            return cls(text=text, media=media)
        found = json.loads(text)
        if "boolean" in found:
            return cls(holds=found["boolean"], media=media)
        rows = found["results"]["bindings"]
        return cls(
            tuple({n: term_of(v, _NAMES) for n, v in row.items()} for row in rows), media=media
        )


def read_moment(text: str) -> datetime:
    """Reads a time in the board's notation.

    >>> read_moment("2026-01-01T12:00:00.120000Z").isoformat()
    '2026-01-01T12:00:00.120000+00:00'
    """
    return datetime.fromisoformat(text).astimezone(UTC)


def _moment(text: str | None) -> datetime | None:
    return None if text is None else read_moment(text)


def _each(says: Any, read: Callable[[Any], _T]) -> tuple[_T, ...]:
    return tuple(read(each) for each in says)


def _numbers(says: Any) -> tuple[float, ...] | None:
    return None if says is None else tuple(says)
