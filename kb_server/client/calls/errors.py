"""The errors of the client itself: no answer came, or events are lost.

The refusals of a board are in `kb_server/errors.py`.

TooOld
└── EventsLost              a subscription can't resume without a gap: take a new snapshot
ConnectionFailed            no answer came
├── Unreachable             the request was not sent: nothing has happened
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
    """Events after delta `detail["after"]` are lost; subscribe again with `snapshot`."""


class ConnectionFailed(Exception):
    """No answer came; `message` gives the reason."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message: Final = message


class Unreachable(ConnectionFailed):
    """No board answers at this address, and the request was not sent."""


class TimedOut(ConnectionFailed):
    """A question was not answered in time; it can be asked again."""


class OutcomeUnknown(ConnectionFailed):
    """A change was sent and its answer lost; ask the board whether it was made."""


class Closed(ConnectionFailed):
    """The board or the subscription is closed."""


def refusal(body: Any) -> BoardError:
    """The exception for an error body.

    >>> refusal({"error": {"code": "unknown_model", "message": "none", "detail": {}}})
    UnknownModel('none')
    """
    reported = body.get("error") if isinstance(body, Mapping) else None
    if not isinstance(reported, Mapping):
        return Internal(f"the answer is not an error body of a board: {str(body)[:200]}")
    code, detail = str(reported.get("code")), reported.get("detail")
    error = ERRORS.get(code, BoardError)(str(reported.get("message")))
    error.detail = detail if isinstance(detail, Mapping) else {}
    return error
