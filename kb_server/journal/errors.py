"""The errors of the journal, one tree; each carries a code and its data.

JournalError
├── JournalFailed       a change could not be written; no part of it is stored
├── TooOld              the requested moment lies before the oldest that retention has kept
├── JournalDamaged      the stored data can't be trusted; nothing is answered from it
└── JournalLocked       another server uses the folder
"""

from collections.abc import Mapping
from typing import ClassVar

__all__ = ["JournalDamaged", "JournalError", "JournalFailed", "JournalLocked", "TooOld"]


class JournalError(Exception):
    """The base of all errors of the journal; `code` names the kind, `detail` carries the data."""

    code: ClassVar[str] = "journal_error"

    def __init__(self, message: str, **detail: object) -> None:
        super().__init__(message)
        self.message = message
        self.detail: Mapping[str, object] = detail


class JournalFailed(JournalError):
    code = "journal_failed"


class TooOld(JournalError):
    code = "too_old"


class JournalDamaged(JournalError):
    code = "damaged"


class JournalLocked(JournalError):
    code = "locked"
