"""What a board answers, as values."""

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
    """What came back: `says` is its JSON, if it is any; `body` its bytes otherwise."""

    status: int
    says: Any
    media: str = "application/json"
    body: bytes = b""


@dataclass(frozen=True, slots=True)
class Delta:
    """What a change did: what became true and what ceased, net, with all that follows."""

    seq: int
    became_true: _Texts = ()
    ceased: _Texts = ()

    @classmethod
    def read(cls, says: Any) -> "Delta":
        return cls(says["seq"], tuple(says["became_true"]), tuple(says["ceased"]))


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """One model, how much it holds, and the `seq` of its newest delta."""

    id: str
    parent: str | None
    asserted: int
    inferred: int
    seq: int


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact of a model; an inferred one has no memory, end or source of its own."""

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
    """Some facts in order; `next` is the cursor of the page after, if there is one."""

    facts: tuple[Fact, ...]
    next: str | None

    @classmethod
    def read(cls, says: Any) -> "Page":
        return cls(_each(says["facts"], Fact.read), says["next"])


@dataclass(frozen=True, slots=True)
class Portrait:
    """All that a model holds about one thing."""

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
    """Something that people call so."""

    id: str
    kind: Literal["class", "property", "individual"]
    label: str | None


@dataclass(frozen=True, slots=True)
class Proof:
    """A fact that holds, and the ways in which it follows (none for a plain assertion)."""

    fact: str
    kind: str
    because: tuple["Way", ...] = ()

    @classmethod
    def read(cls, says: Any) -> "Proof":
        return cls(says["fact"], says["kind"], _each(says["because"], Way.read))


@dataclass(frozen=True, slots=True)
class Way:
    """One way in which a fact follows: a rule, and what it rests on."""

    rule: str
    premises: tuple[Proof, ...]

    @classmethod
    def read(cls, says: Any) -> "Way":
        return cls(says["rule"], _each(says["premises"], Proof.read))


@dataclass(frozen=True, slots=True)
class Conflict:
    """A contradiction: the rule that finds it, and the assertions to blame."""

    rule: str
    facts: _Texts
    message: str

    @classmethod
    def read(cls, says: Any) -> "Conflict":
        return cls(says["rule"], tuple(says["facts"]), says["message"])


@dataclass(frozen=True, slots=True)
class Consistency:
    """Whether a model agrees with itself; as a condition it is just that."""

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
    """The values that two things have for one property."""

    property: str
    a: _Texts
    b: _Texts


@dataclass(frozen=True, slots=True)
class Comparison:
    """What two things have in common, and what tells them apart.

    `first_different_ancestors` are those of each; `similarities` are pairs of property and value.
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
    """The property that best tells things apart (None when none does), and their values of it."""

    property: str | None
    values: Mapping[str, _Texts] = field(default_factory=dict)
    complete: bool = False

    @classmethod
    def read(cls, says: Any) -> "Discriminant":
        values = {each: tuple(found) for each, found in says.get("values", {}).items()}
        return cls(says["property"], values, says.get("complete", False))


@dataclass(frozen=True, slots=True)
class Clarification:
    """What a partial description may mean, and what to ask next."""

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
    """That a fact became true or ceased."""

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

    `complete` is false when something before the first one is dropped, or was lost to damage.
    """

    complete: bool = True

    @classmethod
    def read(cls, says: Any) -> "History":
        found = cls(HistoryLine.read(each) for each in says["history"])
        found.complete = says["complete"]
        return found


@dataclass(frozen=True, slots=True)
class Pose:
    """Where a thing is held to be, where it was last perceived, and when."""

    pose: tuple[float, ...] | None
    perceived_pose: tuple[float, ...] | None = None
    seen: float | str | None = None
    sigma: tuple[float, ...] | None = None
    """The standard deviations of x, y, z and of the rotation about them, where they are known."""

    @property
    def difference(self) -> tuple[float, float] | None:
        """How far from where it was perceived a thing is held to be, and how far turned; in metres
        and radians.

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
    """The geometry behind the facts of a model, as published."""

    t: float | str | None
    poses: Mapping[str, Pose]

    @classmethod
    def read(cls, says: Any) -> "Poses":
        return cls(says.get("t"), {n: Pose.read(each) for n, each in says["poses"].items()})


@dataclass(frozen=True, slots=True)
class Answer:
    """What SPARQL answers: `rows` of a SELECT, `holds` of an ASK, `text` of all else.

    It can be walked through, row by row. The values are terms as the board writes them.
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
        """From what came back; with `plain` it is left as the text that it is."""
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
    """A time as the board writes it.

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
