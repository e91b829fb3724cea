"""The request bodies of the calls, the same over HTTP and over the websocket.

An unknown field is an error, because a misspelt `ttl` would otherwise make a fact that never ends.
A value of a wrong type is an error too.
"""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Final, Self, TypeVar

from pydantic import (
    BaseModel,
    ConfigDict,
    FailFast,
    Field,
    JsonValue,
    ValidationError,
    model_validator,
)
from pydantic_core import PydanticCustomError

from kb_server.core.models.lifespans import LONG_TERM
from kb_server.core.models.revision import Revision, read_revision
from kb_server.core.terms.terms import Names
from kb_server.errors import BadRequest
from kb_server.wire.mistakes import Expected, mistake_of
from kb_server.wire.times import read_time

__all__ = [
    "REQUESTS",
    "CheckRequest",
    "ClarifyRequest",
    "CompareRequest",
    "DiscriminateRequest",
    "ExplainRequest",
    "FindRequest",
    "RequestBody",
    "ReviseRequest",
    "TripleText",
    "TripleTexts",
    "read_request",
]

_Triple = str | Annotated[list[str], Field(min_length=3, max_length=3)]
_THREE: Final = "text of three terms, or a list of three strings"
TripleText = Annotated[_Triple, Expected(_THREE)]
"""A statement or a pattern: a text of three terms, or a list of three texts."""
TripleTexts = Annotated[
    list[_Triple], FailFast(), Expected("a list of statements or patterns", _THREE)
]
"""A list of them; only the first mistake is reported, because there may be a million."""
Name = Annotated[str, Field(max_length=200)]
_Thing = Annotated[str, Expected("text, the name of a thing")]
_LARGEST: Final = 1e15
_BOUNDS: Final = Field(ge=-_LARGEST, le=_LARGEST)
LifetimeSeconds = Annotated[float, _BOUNDS] | Annotated[int, _BOUNDS]


class RequestBody(BaseModel):
    model_config: ClassVar[ConfigDict] = ConfigDict(
        extra="forbid", strict=True, frozen=True, allow_inf_nan=False
    )

    @model_validator(mode="before")
    @classmethod
    def _known(cls, said: Any) -> Any:
        """Refuse unknown fields."""
        if isinstance(said, dict):
            known = [field.alias or name for name, field in cls.model_fields.items()]
            unknown = next((name for name in said if name not in known), None)
            if unknown is not None:
                field = str(unknown)[:80].encode("utf-8", "backslashreplace").decode()
                context = {"field": field, "known": ", ".join(known)}
                raise PydanticCustomError(
                    "unknown_field", "unknown field '{field}'; known: {known}", context
                )
        return said

    @model_validator(mode="after")
    def _writable(self) -> Self:
        """Refuse texts that can't be encoded: JSON can escape half of a surrogate pair."""
        wrong = next((name for name, value in self if not _is_text(value)), None)
        if wrong is not None:
            context = {"field": type(self).model_fields[wrong].alias or wrong}
            raise PydanticCustomError(
                "no_text", "{field}: a text holds half a character, as \\ud800", context
            )
        return self


def _is_text(said: object) -> bool:
    """Whether all texts in a value can be encoded."""
    if isinstance(said, str):
        return said.isascii() or not any("\ud800" <= c <= "\udfff" for c in said)
    if isinstance(said, dict):
        return all(_is_text(name) and _is_text(value) for name, value in said.items())
    return not isinstance(said, list) or all(map(_is_text, said))


def _example(**fields: JsonValue) -> ConfigDict:
    return ConfigDict(json_schema_extra={"examples": [fields]})


class ReviseRequest(RequestBody):
    """One atomic change of one model: first `retract`, then `update`, then `add`."""

    model_config = _example(add=["ball isIn box"], retract=["ball isIn *"], source="spatial")

    retract: TripleTexts = []
    add: TripleTexts = []
    update: TripleTexts = []
    memory: Annotated[Name, Expected("the name of a memory, text of at most 200 characters")] = (
        LONG_TERM
    )
    ttl: Annotated[
        LifetimeSeconds | None, Expected("a number of seconds above 0, at most 1e12, or null")
    ] = None
    if_consistent: Annotated[bool, Expected("true or false")] = False
    source: Annotated[Name | None, Expected("text of at most 200 characters, or null")] = None
    t: Annotated[
        LifetimeSeconds | str | None,
        Expected("a number of seconds, at most 1e15, an ISO time, or null"),
    ] = Field(None, description="the source's time of the change: seconds, or an ISO time")

    @property
    def size(self) -> int:
        """The number of statements and patterns."""
        return len(self.retract) + len(self.add) + len(self.update)

    def revision(self, names: Names) -> Revision:
        """Return the requested change with its statements parsed; BadStatement if one is wrong."""
        return read_revision(
            names,
            retract=self.retract,
            update=self.update,
            add=self.add,
            memory=self.memory,
            ttl=self.ttl,
            if_consistent=self.if_consistent,
            source=self.source,
            t=read_time(self.t, "t") if isinstance(self.t, str) else self.t,
        )


class FindRequest(RequestBody):
    """The bindings under which all patterns hold, each once."""

    model_config = _example(patterns=["?o a Book", "?o isOn table"], select=["?o"], limit=100)

    patterns: TripleTexts
    select: Annotated[
        Annotated[list[str], Field(max_length=1_000)] | None,
        Expected("a list of at most 1000 variables, or null", "text, a variable as ?x"),
    ] = None
    limit: Annotated[int | None, Expected("a whole number from 1 to 1000000000, or null")] = Field(
        None, ge=1, le=1_000_000_000
    )


class CheckRequest(RequestBody):
    """Whether all patterns hold together."""

    model_config = _example(patterns=["ball isIn box"])

    patterns: TripleTexts


class ExplainRequest(RequestBody):
    """The derivations of a fact."""

    model_config = _example(fact="ball isAt box")

    fact: TripleText


class CompareRequest(RequestBody):
    """The similarities and differences of two things."""

    model_config = _example(a="cup1", b="cup2")

    a: _Thing
    b: _Thing


class DiscriminateRequest(RequestBody):
    """The property that best tells some things apart."""

    model_config = _example(candidates=["cup1", "cup2"])

    candidates: Annotated[
        list[str], FailFast(), Expected("a list of things", "text, the name of a thing")
    ]


class ClarifyRequest(RequestBody):
    """The candidates that a partial description may mean, and the property to ask for next."""

    model_config = _example(patterns=["?o a Cup"], variable="?o")

    patterns: TripleTexts
    variable: Annotated[str, Expected("text, a variable as ?x")]


REQUESTS: Final[Mapping[str, type[RequestBody]]] = {
    "check": CheckRequest,
    "clarify": ClarifyRequest,
    "compare": CompareRequest,
    "discriminate": DiscriminateRequest,
    "explain": ExplainRequest,
    "find": FindRequest,
    "revise": ReviseRequest,
}
"""The bodies of those calls that have one."""
_R = TypeVar("_R", bound=RequestBody)


def read_request(kind: type[_R], body: object) -> _R:
    """Check the body of a call as the HTTP service does; BadRequest names the wrong field."""
    try:
        return kind.model_validate(body)
    except ValidationError as error:
        message, field = mistake_of(kind, body, error)
        raise BadRequest(message, field=field) from None
