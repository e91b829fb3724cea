"""Silence: what C code prints goes past Python, and would end up between our own lines.

Bullet greets on standard error and warns on standard output, where facts are written.
"""

import ctypes
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["quiet"]


class _Said:
    """What was printed meanwhile; known once the silence is over."""

    text = ""


@contextmanager
def quiet() -> Iterator[_Said]:
    """Nothing that is printed inside comes out; it is in `text` afterwards.

    The silence is the whole process's: what another thread prints meanwhile is swallowed too.
    """
    said = _Said()
    kept = [os.dup(number) for number in (1, 2)]
    _flush()
    with tempfile.TemporaryFile() as file:
        for number in (1, 2):
            os.dup2(file.fileno(), number)
        try:
            yield said
        finally:
            _flush()
            for number, old in zip((1, 2), kept, strict=True):
                os.dup2(old, number)
                os.close(old)
            file.seek(0)
            said.text = file.read().decode(errors="replace").strip()


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and not stream.closed:
            stream.flush()
    ctypes.CDLL(None).fflush(None)
