"""The commands of the websocket: the fields of each, in one table.

A command with `needs_id` False may omit `id`; it is answered with `"id": null`. The others need an
`id`; the `id` of a `subscribe` also names the subscription.
"""

import math
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Final, Literal, Self

from pydantic import (
    AfterValidator,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    model_validator,
)
from pydantic_core import from_json

from kb_server.core.terms.terms import shown
from kb_server.errors import BadRequest
from kb_server.wire.mistakes import Expected, mistake_of
from kb_server.wire.requests import (
    CheckRequest,
    FindRequest,
    RequestBody,
    ReviseRequest,
    TripleTexts,
)

__all__ = [
    "COMMANDS",
    "Attend",
    "BadFrame",
    "Check",
    "Command",
    "Find",
    "Id",
    "Listen",
    "Ping",
    "PoseField",
    "Provide",
    "Publish",
    "Revise",
    "StageCommand",
    "Subscribe",
    "SubscribeDivergence",
    "Told",
    "Unattend",
    "Unlisten",
    "Unsubscribe",
    "Will",
    "read_command",
]

Id = str | int
_LONGEST: Final = 200
"""Characters of an id, a name or a source."""
_LARGEST: Final = 2**53
"""The largest number that can be an id: every JSON reader keeps integers up to it exactly."""
_SHORT: Final = 500
"""Characters of the JSON parser's message that an error repeats."""
_SLOPPY: Final = 0.05
"""The tolerance of a quaternion's length: clients round the numbers and accumulate errors."""
_A_POSE: Final = "[x,y,z] or [x,y,z,qx,qy,qz,qw], finite, the quaternion of length 1, or null"


_A_SIGMA: Final = (
    "six standard deviations, of x, y, z and of the rotation about them, finite, none less than 0, "
    "or null"
)


class BadFrame(BadRequest):
    """The frame is no valid command; `id` is that of its answer."""

    def __init__(self, message: str, id: Id | None = None, **detail: object) -> None:
        super().__init__(message, **detail)
        self.id: Final = id


def _pose(numbers: list[float]) -> list[float]:
    is_one = len(numbers) in (3, 7) and all(map(math.isfinite, numbers))
    if not is_one or (len(numbers) == 7 and abs(math.hypot(*numbers[3:]) - 1) > _SLOPPY):
        raise ValueError(_A_POSE)
    return numbers


def _sigma(numbers: list[float]) -> list[float]:
    if len(numbers) != 6 or not all(0 <= number < math.inf for number in numbers):
        raise ValueError(_A_SIGMA)
    return numbers


def _checked_id(value: Id, info: ValidationInfo) -> Id:
    if not is_id(value):
        raise ValueError(f"{info.field_name} must be 1 to {_LONGEST} characters, or a number")
    return value


def is_id(value: object) -> bool:
    """Whether a value can be the id of a command or a subscription."""
    if isinstance(value, str):
        return 0 < len(value) <= _LONGEST
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= _LARGEST


PoseNumbers = Annotated[list[float], AfterValidator(_pose)]
_Pose = Annotated[PoseNumbers | None, Expected(_A_POSE)]
_Named = Annotated[
    Id,
    AfterValidator(_checked_id),
    Expected("the id of a command: 1 to 200 characters, or a number"),
]
_Source = Annotated[
    str, Field(min_length=1, max_length=_LONGEST), Expected("text of 1 to 200 characters")
]
_Name = Annotated[str, Field(min_length=1, max_length=_LONGEST)]
_Topic = Annotated[Literal["poses"], Expected('"poses"')]
_Model = Annotated[str, Expected("text, the id of a model")]
_At = Annotated[int | str | None, Expected("a seq, an ISO time, or null")]
_After = Annotated[
    Annotated[int, Field(ge=0, le=2**62)] | None, Expected("a seq, from 0 on, or null")
]
_Board = Annotated[
    Annotated[str, Field(max_length=_LONGEST)] | None,
    Expected("the name of the board to which `after` belongs, text, or null"),
]
_Truth = Annotated[bool, Expected("true or false")]


_BEGINS: Final[Mapping[str, str]] = {
    "seq": "the delta after which events are sent",
    "board": "the name of the board, to resume with",
}


class Command(RequestBody):
    """The base of all commands; `needs_id` is False for those that may omit `id`.

    `answers` describes the fields of the answer, beside `id` and `ok`.
    """

    needs_id: ClassVar[bool] = True
    answers: ClassVar[Mapping[str, str]] = {}


class Revise(Command, ReviseRequest):
    model_config: ClassVar[ConfigDict] = ReviseRequest.model_config
    answers: ClassVar[Mapping[str, str]] = {
        "seq": "the delta that was made, or the newest if nothing changed",
        "became_true": "the facts that became true, a list, inferred ones included",
        "ceased": "the facts that ceased to be true, a list",
    }

    model: _Model


class Find(Command, FindRequest):
    model_config: ClassVar[ConfigDict] = FindRequest.model_config
    answers: ClassVar[Mapping[str, str]] = {
        "bindings": "a list of objects, each with the values of the variables by name, without ?",
    }

    model: _Model
    at: _At = None


class Check(Command, CheckRequest):
    model_config: ClassVar[ConfigDict] = CheckRequest.model_config
    answers: ClassVar[Mapping[str, str]] = {"holds": "true or false"}

    model: _Model
    at: _At = None


class Subscribe(Command):
    """Subscribes to the bindings of some patterns as they appear and disappear."""

    answers: ClassVar[Mapping[str, str]] = _BEGINS

    model: _Model
    patterns: TripleTexts
    on: Annotated[
        Literal["appear", "disappear", "both"], Expected('"appear", "disappear" or "both"')
    ] = "appear"
    once: _Truth = False
    snapshot: _Truth = False
    after: _After = None
    board: _Board = None


class SubscribeDivergence(Command):
    """Subscribes to the bindings on which two models begin or cease to differ."""

    answers: ClassVar[Mapping[str, str]] = _BEGINS

    model: _Model
    other: _Model = Field("myself", alias="from")
    patterns: TripleTexts
    after: _After = None
    board: _Board = None


class Unsubscribe(Command):
    """Ends a subscription."""

    needs_id: ClassVar[bool] = False

    sub: _Named


class Will(Command):
    """Names a source whose facts are withdrawn when this socket is lost and no other takes over."""

    needs_id: ClassVar[bool] = False

    source: _Source


class PoseField(RequestBody):
    """The pose of one thing, as the model's agent believes it."""

    pose: _Pose = None
    perceived_pose: _Pose = None
    seen: Annotated[
        bool | float | int | str | None,
        Expected("true or false, a number, an ISO time, or null"),
    ] = None
    sigma: Annotated[Annotated[list[float], AfterValidator(_sigma)] | None, Expected(_A_SIGMA)] = (
        None
    )

    def said(self) -> dict[str, Any]:
        """Return the fields as JSON values; `sigma` only if it is given."""
        return self.model_dump(exclude={"sigma"} if self.sigma is None else None)


class Publish(Command):
    """Publishes the geometry behind the facts of a model; `null` removes a thing.

    Poses with a `source` are withdrawn when the socket that speaks for that source is lost.
    """

    needs_id: ClassVar[bool] = False

    topic: _Topic
    model: _Model
    t: Annotated[
        float | int | str | None, Expected("a number of seconds, an ISO time, or null")
    ] = None
    source: Annotated[_Source | None, Expected("text of 1 to 200 characters, or null")] = None
    poses: Annotated[
        dict[_Name, PoseField | None],
        Expected(
            "an object of poses by the names of things, of 1 to 200 characters each",
            "an object with pose, perceived_pose, seen, sigma, or null",
            PoseField,
        ),
    ]


class StageCommand(Command):
    """Publishes the appearance of things, or captions, under some names; `null` removes one.

    With `will` they are withdrawn when the socket that speaks for the source is lost; without
    `will` they stay.
    """

    needs_id: ClassVar[bool] = False

    source: _Source
    will: _Truth = True
    shows: Annotated[
        dict[_Name, dict[str, Any] | None],
        Expected("an object of values by names of 1 to 200 characters", "a JSON object, or null"),
    ]

    @model_validator(mode="after")
    def _writable(self) -> Self:
        """Skip the check of texts: frames are parsed strictly, and a mesh is slow to walk."""
        return self


class Attend(Command):
    """Subscribes to the staged values and to the list of models."""

    needs_id: ClassVar[bool] = False


class Unattend(Command):
    """Ends `attend`."""

    needs_id: ClassVar[bool] = False


class Listen(Command):
    """Subscribes to the published poses of a model."""

    needs_id: ClassVar[bool] = False

    topic: _Topic
    model: _Model


class Unlisten(Command):
    """Ends `listen`."""

    needs_id: ClassVar[bool] = False

    topic: _Topic
    model: _Model


class Provide(Command):
    """Offers to compute the facts of some predicates; replaces the previous offer."""

    needs_id: ClassVar[bool] = False

    predicates: Annotated[
        list[str],
        Field(max_length=1_000),
        Expected("a list of at most 1000 predicates", "text, the name of a predicate"),
    ]


class Told(Command):
    """Answers a question to a provider with the requested facts."""

    needs_id: ClassVar[bool] = False

    ask: Annotated[int, Expected("the number of the question, a whole number")]
    facts: TripleTexts


class Ping(Command):
    """Asks for the newest delta and for the board's name."""

    answers: ClassVar[Mapping[str, str]] = {
        "seq": "the delta up to which all events of this socket have been sent",
        "board": "the name of the board",
    }


COMMANDS: Final[Mapping[str, type[Command]]] = {
    "revise": Revise,
    "find": Find,
    "check": Check,
    "subscribe": Subscribe,
    "subscribe_divergence": SubscribeDivergence,
    "unsubscribe": Unsubscribe,
    "will": Will,
    "publish": Publish,
    "listen": Listen,
    "unlisten": Unlisten,
    "stage": StageCommand,
    "attend": Attend,
    "unattend": Unattend,
    "provide": Provide,
    "told": Told,
    "ping": Ping,
}


def read_command(text: str) -> tuple[Id | None, Command]:
    """Return the id and the command of a frame; BadFrame if it is not valid."""
    frame = _object(text)
    id = frame.pop("id", None)
    if id is not None and not is_id(id):
        message = f"id must be text of 1 to {_LONGEST} characters, or a whole number"
        raise BadFrame(message, field="id")
    op = frame.pop("op", None)
    kind = COMMANDS.get(op) if isinstance(op, str) else None
    if kind is None:
        known = ", ".join(COMMANDS)
        given = "missing" if op is None else shown(op) if isinstance(op, str) else "no text"
        raise BadFrame(f"op is {given}: it must be one of {known}", id, field="op")
    if id is None and kind.needs_id:
        raise BadFrame(f"{op} needs an id, which its answer repeats", field="id")
    try:
        return id, kind.model_validate(frame)
    except ValidationError as error:
        message, field = mistake_of(kind, frame, error)
        raise BadFrame(message, id, field=field) from None


def _object(text: str) -> dict[str, Any]:
    try:
        frame = from_json(text, allow_inf_nan=False)
    except ValueError as reason:
        raise BadFrame(f"the frame is not JSON: {str(reason)[:_SHORT]}") from None
    if not isinstance(frame, dict):
        raise BadFrame("a frame must be a JSON object with an id and an op")
    return frame
