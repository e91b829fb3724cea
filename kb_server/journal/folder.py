"""The lock on a journal's folder, which only one server may use at a time.

The lock belongs to the process (`lockf`). The road not taken is a lock of the open file (`flock`):
a forked worker that outlives a killed server would hold it, and the next server could not start. A
lock of the process does not exclude the process itself, so a set holds the folders in use here.
"""

import fcntl
import os
import threading
from contextlib import suppress
from pathlib import Path
from typing import Final

from kb_server.errors import JournalFailed, Locked

__all__ = ["FILE", "FolderLock"]

FILE: Final = "journal.sqlite"
_LOCK: Final = "lock"
_here: Final[set[Path]] = set()
_guard: Final = threading.Lock()


class FolderLock:
    """Locks a folder, creating it if missing, until `release`; Locked if it is in use."""

    def __init__(self, folder: Path) -> None:
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.folder: Final = folder.resolve()
            self._descriptor: Final = self._take()
            self._is_held = True
        except Locked:
            raise
        except OSError as reason:
            raise JournalFailed(
                f"the folder {folder} can't be used: {reason.strerror}", folder=str(folder)
            ) from reason

    def release(self) -> None:
        with _guard:
            if self._is_held:
                self._is_held = False
                _here.discard(self.folder)
                os.close(self._descriptor)

    def _take(self) -> int:
        with _guard:
            if self.folder in _here:
                raise self._taken(os.getpid())
            descriptor = os.open(self.folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o600)
            try:
                fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                owner = os.read(descriptor, 20).decode("ascii", "replace").strip()
                os.close(descriptor)
                raise self._taken(owner) from None
            with suppress(OSError):  # on a full disk the owner's process id can't be written
                os.truncate(descriptor, 0)
                os.write(descriptor, str(os.getpid()).encode())
            _here.add(self.folder)
            return descriptor

    def _taken(self, owner: object) -> Locked:
        return Locked(
            f"another server (process {owner}) has the folder {self.folder}; stop it first, or "
            f"choose another folder",
            folder=str(self.folder),
        )
