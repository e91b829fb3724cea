"""Files of machine code for later processes: one file for each kernel and digest.

The folder is the first one of these that can be written: `$NUMBA_CACHE_DIR`, `mindboard/kernels` in
the user's cache folder (`$XDG_CACHE_HOME`, else `~/.cache`), `__pycache__` beside the program. If
none can be written, nothing is stored and every process compiles.

Processes share the folder without locks. A file is written under a temporary name and renamed, so
readers see the whole file or none. It begins with a checksum, so a damaged file is not loaded. If a
file is deleted, its readers compile.
"""

import contextlib
import hashlib
import os
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

__all__ = ["folders", "load", "prune", "save"]

_MOST: Final = 4
"""The stored versions of a kernel: so many checkouts can take turns without compiling."""
_UNUSED_S: Final = 30 * 86400.0
"""Seconds after which an unused file is removed: its kernel was renamed, or the program removed."""
_CHECKSUM: Final = hashlib.sha256().digest_size


def folders() -> tuple[Path, ...]:
    """The folders that are searched, in this order; the first writable one is written to."""
    names = ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "HOME")
    return _folders(*(os.environ.get(name) for name in names))


@cache  # finding the home takes 0.1 ms, for each of a hundred kernels
def _folders(numba: str | None, base: str | None, home: str | None) -> tuple[Path, ...]:
    """The folders, given environment variables; without HOME the user database is read."""
    found = [Path(numba)] if numba else []
    with contextlib.suppress(RuntimeError):  # the user has no home
        above = Path(base) if base else (Path(home) if home else Path.home()) / ".cache"
        found.append(above / "mindboard" / "kernels")
    return (*found, Path(__file__).parent / "__pycache__")


def load(kernel: str, digest: str) -> bytes | None:
    """The machine code of a kernel; None if none is stored, or if the file is damaged."""
    for folder in folders():
        file = _file(folder, kernel, digest)
        with contextlib.suppress(OSError):
            stored = file.read_bytes()
            checksum, code = stored[:_CHECKSUM], stored[_CHECKSUM:]
            if hashlib.sha256(code).digest() == checksum:
                with contextlib.suppress(OSError):
                    os.utime(file)
                return code
    return None


def save(kernel: str, digest: str, code: bytes) -> None:
    """Stores the machine code of a kernel in the first folder that can be written, if any."""
    for folder in folders():
        with contextlib.suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            _write(_file(folder, kernel, digest), hashlib.sha256(code).digest() + code)
            return


def prune() -> None:
    """Removes old versions of kernels, long unused files, and files left by killed processes."""
    for folder in folders():
        with contextlib.suppress(OSError):
            for file in _old(folder, time.time()):
                file.unlink(missing_ok=True)


def _old(folder: Path, now: float) -> Iterator[Path]:
    """The files to remove, by when each was last used."""
    used = {file: _last_used(file) for file in folder.glob("*.kernel*")}
    versions = Counter[str]()
    for file in sorted(used, key=used.__getitem__, reverse=True):
        kernel = file.name.rpartition("-")[0]
        versions[kernel] += 1
        if versions[kernel] > _MOST or now - used[file] > _UNUSED_S:
            yield file


def _file(folder: Path, kernel: str, digest: str) -> Path:
    return folder / f"{kernel}-{digest}.kernel"


def _last_used(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except OSError:  # another process has removed it
        return 0.0


def _write(file: Path, stored: bytes) -> None:
    handle, temporary = tempfile.mkstemp(dir=file.parent, prefix=f"{file.name}.", suffix="-new")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(stored)
        Path(temporary).replace(file)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
