"""The tree of errors that the board can answer with; each carries a code and its data.

BoardError
├── BadStatement        the text is not a statement, pattern or term
├── UnknownModel        no model of that name
├── BadModelName        not a name that a model can have, or no parent for it
├── UnknownMemory       no memory of that name
├── BadRequest          a field with a value that it cannot have
├── DoesNotHold         asked to explain what is not true
├── Inconsistent        `if_consistent` was asked, and the change contradicts
└── TooCostly           the work allowed for one request is used up
"""

from collections.abc import Mapping
from typing import ClassVar

__all__ = [
    "BadModelName",
    "BadRequest",
    "BadStatement",
    "BoardError",
    "DoesNotHold",
    "Inconsistent",
    "TooCostly",
    "UnknownMemory",
    "UnknownModel",
]


class BoardError(Exception):
    """Whatever the board refuses; `code` names the kind, `detail` carries the data."""

    code: ClassVar[str] = "board_error"

    def __init__(self, message: str, **detail: object) -> None:
        super().__init__(message)
        self.message = message
        self.detail: Mapping[str, object] = detail


class BadStatement(BoardError):
    code = "bad_statement"


class UnknownModel(BoardError):
    code = "unknown_model"


class BadModelName(BoardError):
    code = "bad_model_name"


class UnknownMemory(BoardError):
    code = "unknown_memory"


class BadRequest(BoardError):
    code = "bad_request"


class DoesNotHold(BoardError):
    code = "does_not_hold"


class Inconsistent(BoardError):
    code = "inconsistent"


class TooCostly(BoardError):
    code = "too_costly"
