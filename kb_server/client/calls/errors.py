"""What a client raises beside the refusals of `kb_server/errors.py`, when no answer comes.

TooOld
└── EventsLost              a subscription can't go on without a gap: take a new snapshot
ConnectionFailed            no answer has come
├── Unreachable             nothing was sent: nothing has happened
├── TimedOut                a question was not answered in time
├── OutcomeUnknown          a change was sent and its answer was lost: it may have happened
└── Closed                  this board or subscription is closed
"""

from collections.abc import Mapping
from typing import Any, Final

from kb_server.errors import ERRORS, BoardError, Internal, TooOld

__all__ = [
    "Closed",
    "ConnectionFailed",
    "EventsLost",
    "OutcomeUnknown",
    "TimedOut",
    "Unreachable",
]


class EventsLost(TooOld):
    """Events after `detail["after"]` are gone for good; what holds now only a snapshot tells."""


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


def refusal(body: Any) -> BoardError:
    """The error that the one error body tells of.

    >>> refusal({"error": {"code": "unknown_model", "message": "none", "detail": {}}})
    UnknownModel('none')
    """
    told = body.get("error") if isinstance(body, Mapping) else None
    if not isinstance(told, Mapping):
        return Internal(f"the answer is no error of a board: {str(body)[:200]}")
    code, detail = str(told.get("code")), told.get("detail")
    error = ERRORS.get(code, BoardError)(str(told.get("message")))
    error.detail = detail if isinstance(detail, Mapping) else {}
    return error
