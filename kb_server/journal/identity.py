"""The identity of a board: a random name, stored in its folder.

Every board numbers its deltas from 1, so a returning client can't recognise a board by a `seq`.
If a journal is cut back, later deltas reuse numbers, so the board gets a new name.
"""

import logging
import os
import uuid
from pathlib import Path
from typing import Final

__all__ = ["forget_identity", "identity_of"]

_log: Final = logging.getLogger(__name__)
_FILE: Final = "board"
_NEW: Final = "board.new"


def identity_of(folder: Path | None) -> str:
    """Return the identity of a folder's board, drawn if there is none; a new one without a folder.

    Call it only while the folder is locked.
    """
    if folder is None:
        return uuid.uuid4().hex
    try:
        known = (folder / _FILE).read_text("ascii").strip() if (folder / _FILE).exists() else ""
        return known or _drawn(folder)
    except (OSError, UnicodeDecodeError) as reason:
        _log.warning("the board's identity can't be stored, so it counts as new: %s", reason)
        return uuid.uuid4().hex


def forget_identity(folder: Path) -> None:
    """Remove the identity of a folder, so that its board counts as a new one."""
    (folder / _FILE).unlink(missing_ok=True)


def _drawn(folder: Path) -> str:
    drawn = uuid.uuid4().hex
    with (folder / _NEW).open("w", encoding="ascii") as file:
        file.write(f"{drawn}\n")
        file.flush()
        os.fsync(file.fileno())
    (folder / _NEW).rename(folder / _FILE)
    return drawn
