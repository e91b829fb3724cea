"""The errors of the board, one tree; each carries a code and its data.

BoardError
├── BadStatement        the text is not a statement, pattern or term
├── UnknownModel        no model of that name
├── BadModelName        not a valid name of a model, or a model that can't be deleted
├── UnknownMemory       no memory of that name
├── BadRequest          a field has a value that is not allowed
├── DoesNotHold         a fact to be explained does not hold
├── Inconsistent        `if_consistent` was set, and the change would cause a contradiction
└── TooCostly           the request exceeds the work allowed for one request
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
    """The base of all refusals of the board; `code` names the kind, `detail` carries the data."""

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
