"""What may be said on the websocket: the shape of each command, in one table.

The commands that the contract writes without an `id` may come without one; they are answered with
`"id": null`. The others need it: a subscription is named by it.
"""

import math
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Final, Literal

from pydantic import AfterValidator, ConfigDict, Field, ValidationError, ValidationInfo
from pydantic_core import from_json

from kb_server.core.errors import BadRequest
from kb_server.core.terms import shown
from kb_server.wire.requests import CheckRequest, FindRequest, Request, ReviseRequest, Text

__all__ = [
    "COMMANDS",
    "BadFrame",
    "Check",
    "Command",
    "Find",
    "Id",
    "Listen",
    "Ping",
    "Pose",
    "Provide",
    "Publish",
    "Revise",
    "Subscribe",
    "SubscribeDivergence",
    "Told",
    "Unlisten",
    "Unsubscribe",
    "Will",
    "read_command",
]

Id = str | int
_LONGEST: Final = 200
_LARGEST: Final = 2**53
_SHORT: Final = 500


class BadFrame(BadRequest):
    """A frame that is no command; `id` is what it is answered under."""

    def __init__(self, message: str, id: Id | None = None, **detail: object) -> None:
        super().__init__(message, **detail)
        self.id: Final = id


def _pose(numbers: list[float]) -> list[float]:
    if len(numbers) not in (3, 7) or not all(map(math.isfinite, numbers)):
        raise ValueError("a pose is [x,y,z] or [x,y,z,qx,qy,qz,qw], of finite numbers")
    return numbers


def _checked_id(value: Id, info: ValidationInfo) -> Id:
    if not is_id(value):
        raise ValueError(f"{info.field_name} is a text of 1 to {_LONGEST} characters, or a number")
    return value


def is_id(value: object) -> bool:
    """Whether something can name a command or a subscription."""
    if isinstance(value, str):
        return 0 < len(value) <= _LONGEST
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= _LARGEST


Numbers = Annotated[list[float], AfterValidator(_pose)]
_Named = Annotated[Id, AfterValidator(_checked_id)]
_Source = Annotated[str, Field(min_length=1, max_length=_LONGEST)]
_Topic = Literal["poses"]


class Command(Request):
    """Any command; `needs_id` says whether it can go without one."""

    needs_id: ClassVar[bool] = True


class Revise(Command, ReviseRequest):
    model_config: ClassVar[ConfigDict] = ReviseRequest.model_config

    model: str


class Find(Command, FindRequest):
    model_config: ClassVar[ConfigDict] = FindRequest.model_config

    model: str
    at: int | str | None = None


class Check(Command, CheckRequest):
    model_config: ClassVar[ConfigDict] = CheckRequest.model_config

    model: str
    at: int | str | None = None


class Subscribe(Command):
    """Tells of the bindings of some patterns as they come and go."""

    model: str
    patterns: list[Text]
    on: Literal["appear", "disappear", "both"] = "appear"
    once: bool = False
    snapshot: bool = False
    after: Annotated[int, Field(ge=0, le=2**62)] | None = None


class SubscribeDivergence(Command):
    """Tells where two models begin and cease to differ."""

    model: str
    other: str = Field("myself", alias="from")
    patterns: list[Text]
    after: Annotated[int, Field(ge=0, le=2**62)] | None = None


class Unsubscribe(Command):
    needs_id: ClassVar[bool] = False

    sub: _Named


class Will(Command):
    """What is withdrawn when this socket is lost and nobody takes over."""

    needs_id: ClassVar[bool] = False

    source: _Source


class Pose(Request):
    """Where one thing is, in the mind of the model's agent."""

    pose: Numbers | None = None
    perceived_pose: Numbers | None = None
    seen: bool | float | int | str | None = None


class Publish(Command):
    """The geometry behind the facts of a model; `null` takes a thing away."""

    needs_id: ClassVar[bool] = False

    topic: _Topic
    model: str
    t: float | int | str | None = None
    poses: dict[Annotated[str, Field(min_length=1, max_length=_LONGEST)], Pose | None]


class Listen(Command):
    needs_id: ClassVar[bool] = False

    topic: _Topic
    model: str


class Unlisten(Command):
    needs_id: ClassVar[bool] = False

    topic: _Topic
    model: str


class Provide(Command):
    """Offers to compute the facts of some predicates, in place of those offered before."""

    needs_id: ClassVar[bool] = False

    predicates: Annotated[list[str], Field(max_length=1_000)]


class Told(Command):
    """The facts that were asked for."""

    needs_id: ClassVar[bool] = False

    ask: int
    facts: list[Text]


class Ping(Command):
    pass


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
    "provide": Provide,
    "told": Told,
    "ping": Ping,
}


def read_command(text: str) -> tuple[Id | None, Command]:
    """The command that a frame is, and its id; BadFrame when it is none."""
    frame = _object(text)
    id = frame.pop("id", None)
    if id is not None and not is_id(id):
        raise BadFrame(f"id is a text of 1 to {_LONGEST} characters, or a whole number", field="id")
    op = frame.pop("op", None)
    kind = COMMANDS.get(op) if isinstance(op, str) else None
    if kind is None:
        known = ", ".join(COMMANDS)
        raise BadFrame(f"op is {shown(repr(op))}; one of {known} is expected", id, field="op")
    if id is None and kind.needs_id:
        raise BadFrame(f"{op} needs an id, which its answer bears", field="id")
    try:
        return id, kind.model_validate(frame)
    except ValidationError as error:
        raise _misshapen(id, error) from None


def _object(text: str) -> dict[str, Any]:
    try:
        frame = from_json(text, allow_inf_nan=False)
    except ValueError as reason:
        raise BadFrame(f"a frame is JSON: {str(reason)[:_SHORT]}") from None
    if not isinstance(frame, dict):
        raise BadFrame("a frame is a JSON object with an id and an op")
    return frame


def _misshapen(id: Id | None, error: ValidationError) -> BadFrame:
    """What the types of a command refuse, said as any other bad request is."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    field = ".".join(str(part) for part in first["loc"])[:100]
    message = f"{field}: {first['msg']}" if field else first["msg"]
    return BadFrame(message[:_SHORT], id, field=field)
