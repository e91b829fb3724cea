"""Capture of output that C code prints directly, past Python's streams.

Bullet prints a greeting on standard error and warnings on standard output, where the programs write
facts.
"""

import ctypes
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["captured_output"]


class _Said:
    """The captured output; available after the context ends."""

    text = ""


@contextmanager
def captured_output() -> Iterator[_Said]:
    """Captures all output printed inside the context; afterwards it is in `text`.

    The danger: file descriptors belong to the process, so the output of other threads is captured,
    too.
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
