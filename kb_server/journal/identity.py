"""Which board a folder keeps: a name drawn by lot at its beginning, as long as its deltas go on.

Two boards number their deltas alike, so who comes back with a `seq` can't tell them apart by that.
Where a journal is cut back, and numbers will be given anew, the name goes and another is drawn.
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
    """The board that a folder keeps, or one of this process; to be asked while nobody else may."""
    if folder is None:
        return uuid.uuid4().hex
    try:
        known = (folder / _FILE).read_text("ascii").strip() if (folder / _FILE).exists() else ""
        return known or _drawn(folder)
    except (OSError, UnicodeDecodeError) as reason:
        _log.warning("what board this is can't be kept, so it counts as a new one: %s", reason)
        return uuid.uuid4().hex


def forget_identity(folder: Path) -> None:
    """What a folder keeps from now on is another board."""
    (folder / _FILE).unlink(missing_ok=True)


def _drawn(folder: Path) -> str:
    drawn = uuid.uuid4().hex
    with (folder / _NEW).open("w", encoding="ascii") as file:
        file.write(f"{drawn}\n")
        file.flush()
        os.fsync(file.fileno())
    (folder / _NEW).rename(folder / _FILE)
    return drawn
