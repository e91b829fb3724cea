"""What a board may refuse, by the code it says, and what may happen on the way to it.

BoardError                  the board has answered, and refuses; `code` and `detail` say what
├── BadStatement, BadRequest, BadModelName, UnknownMemory, UnknownModel, DoesNotHold,
│   Inconsistent, TooCostly                 what the board itself refuses
├── SparqlError             BadQuery, QueryTooLarge, Refused, NotAcceptable, Busy
├── BadGraph, UnknownGraph  a graph that can't be read, or is not there
├── TooOld                  what retention has dropped
│   └── EventsLost          a subscription can't go on without a gap: take a new snapshot
├── Unauthorized, Forbidden the token is unknown, or does not reach that far
├── NoDLEngine, DLTimeout, DLFailed         full OWL DL
├── JournalFailed, ReadOnly the journal can't be written
├── Damaged, Locked         a folder can't be used: it is damaged, or another board has it
├── ProviderTimeout         who computes a predicate did not answer
├── TooLarge, TooSlow, NotFound, MethodNotAllowed, Unsupported, UpgradeRequired, Stopping, Internal
ConnectionFailed            no answer has come
├── Unreachable             nothing was sent: nothing has happened
├── TimedOut                a question was not answered in time
├── OutcomeUnknown          a change was sent and its answer was lost: it may have happened
└── Closed                  this board or subscription is closed
"""

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from kb_server.core.errors import (
    BadModelName,
    BadRequest,
    BadStatement,
    BoardError,
    DoesNotHold,
    Inconsistent,
    TooCostly,
    UnknownMemory,
    UnknownModel,
)
from kb_server.sparql.errors import (
    BadQuery,
    Busy,
    NotAcceptable,
    QueryTooLarge,
    Refused,
    SparqlError,
)

__all__ = [
    "BadGraph",
    "BadModelName",
    "BadQuery",
    "BadRequest",
    "BadStatement",
    "BoardError",
    "Busy",
    "Closed",
    "ConnectionFailed",
    "DLFailed",
    "DLTimeout",
    "Damaged",
    "DoesNotHold",
    "EventsLost",
    "Forbidden",
    "Inconsistent",
    "Internal",
    "JournalFailed",
    "Locked",
    "MethodNotAllowed",
    "NoDLEngine",
    "NotAcceptable",
    "NotFound",
    "OutcomeUnknown",
    "ProviderTimeout",
    "QueryTooLarge",
    "ReadOnly",
    "Refused",
    "SparqlError",
    "Stopping",
    "TimedOut",
    "TooCostly",
    "TooLarge",
    "TooOld",
    "TooSlow",
    "Unauthorized",
    "UnknownGraph",
    "UnknownMemory",
    "UnknownModel",
    "Unreachable",
    "Unsupported",
    "UpgradeRequired",
]


class TooOld(BoardError):
    code: ClassVar[str] = "too_old"


class EventsLost(TooOld):
    """Events after `detail["after"]` are gone for good; what holds now only a snapshot tells."""


class BadGraph(BoardError):
    code: ClassVar[str] = "bad_graph"


class UnknownGraph(BoardError):
    code: ClassVar[str] = "unknown_graph"


class Unauthorized(BoardError):
    code: ClassVar[str] = "unauthorized"


class Forbidden(BoardError):
    code: ClassVar[str] = "forbidden"


class NoDLEngine(BoardError):
    code: ClassVar[str] = "no_dl_engine"


class DLTimeout(BoardError):
    code: ClassVar[str] = "dl_timeout"


class DLFailed(BoardError):
    code: ClassVar[str] = "dl_failed"


class JournalFailed(BoardError):
    code: ClassVar[str] = "journal_failed"


class Damaged(BoardError):
    code: ClassVar[str] = "damaged"


class Locked(BoardError):
    code: ClassVar[str] = "locked"


class ReadOnly(BoardError):
    code: ClassVar[str] = "read_only"


class ProviderTimeout(BoardError):
    code: ClassVar[str] = "provider_timeout"


class TooLarge(BoardError):
    code: ClassVar[str] = "too_large"


class TooSlow(BoardError):
    code: ClassVar[str] = "too_slow"


class NotFound(BoardError):
    code: ClassVar[str] = "not_found"


class MethodNotAllowed(BoardError):
    code: ClassVar[str] = "method_not_allowed"


class Unsupported(BoardError):
    code: ClassVar[str] = "unsupported_media_type"


class UpgradeRequired(BoardError):
    code: ClassVar[str] = "upgrade_required"


class Stopping(BoardError):
    code: ClassVar[str] = "stopping"


class Internal(BoardError):
    code: ClassVar[str] = "internal"


class ConnectionFailed(Exception):
    """No answer has come; `message` says why."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message: Final = message


class Unreachable(ConnectionFailed):
    """Nobody answers there, and nothing was sent."""


class TimedOut(ConnectionFailed):
    """A question was not answered in time; it may be asked again."""


class OutcomeUnknown(ConnectionFailed):
    """A change was sent and its answer lost: whether it was made, only the board can tell."""


class Closed(ConnectionFailed):
    """What was used is closed."""


KINDS: Final[Mapping[str, type[BoardError]]] = {
    kind.code: kind
    for kind in map(globals().__getitem__, __all__)
    if issubclass(kind, BoardError) and "code" in vars(kind)
}
"""Each error by the code that it is told with; EventsLost has none of its own."""


def refusal(body: Any) -> BoardError:
    """The error that the one error body tells of.

    >>> refusal({"error": {"code": "unknown_model", "message": "none", "detail": {}}})
    UnknownModel('none')
    """
    told = body.get("error") if isinstance(body, Mapping) else None
    if not isinstance(told, Mapping):
        return Internal(f"the answer is no error of a board: {str(body)[:200]}")
    code, detail = str(told.get("code")), told.get("detail")
    error = KINDS.get(code, BoardError)(str(told.get("message")))
    error.detail = detail if isinstance(detail, Mapping) else {}
    return error
