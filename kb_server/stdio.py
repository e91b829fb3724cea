"""Standard input, output and error streams that may be closed or without a reader.

A closed output (`>&-`) is replaced by a pipe without a reader, as after `| head`: writing to it
raises BrokenPipeError, which ends a command quietly. A server, which goes on without a reader,
prints by `announce`.
"""

import os
import select
import stat
import sys
import threading
from collections.abc import Callable
from typing import Final

__all__ = ["Lifeline", "announce", "mute", "reopen", "wait_until_unread"]

_CHUNK: Final = 65_536
"""Bytes read at once from the standard input, which are ignored."""
_NAMES: Final = ("stdin", "stdout", "stderr")


def reopen() -> None:
    """Reopen closed standard streams, before another file or socket gets their numbers."""
    for number, name in enumerate(_NAMES):
        if getattr(sys, name) is None:
            made = _unread() if name == "stdout" else os.open(os.devnull, os.O_RDWR)
            if made != number:
                os.dup2(made, number)
                os.close(made)
            setattr(sys, name, os.fdopen(number, "w" if number else "r", closefd=False))


def announce(line: str) -> None:
    """Print a line at once; if the output has no reader, mute it instead of raising."""
    try:
        print(line, flush=True)
    except OSError:
        mute()


class Lifeline:
    """Calls a function once, in a thread, when the process that holds the standard input ends.

    The operating system closes that end of the pipe however the process ended, so the process
    need not send anything.
    """

    def __init__(self, act: Callable[[], object]) -> None:
        self._lock: Final = threading.Lock()
        self._act: Callable[[], object] = act
        self._has_ended = False
        threading.Thread(target=self._hold, name="lifeline", daemon=True).start()

    def pass_to(self, act: Callable[[], object]) -> None:
        """Replace the function; call it at once if the input has already ended."""
        with self._lock:
            self._act = act
            if not self._has_ended:
                return
        act()

    def _hold(self) -> None:
        number = sys.stdin.fileno()
        try:
            while os.read(number, _CHUNK):
                pass
        except OSError:
            pass  # a closed input counts as ended
        with self._lock:
            self._has_ended = True
            act = self._act
        act()


def mute() -> None:
    """Redirect the output to the null device, so that Python's flush at exit can't fail."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, sys.stdout.fileno())
    os.close(nothing)


def wait_until_unread() -> None:
    """Wait until the reader of the output is gone; for ever if the output is no pipe or socket."""
    number = sys.stdout.fileno()
    mode = os.fstat(number).st_mode
    gone = select.poll()
    if stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode):
        gone.register(number, 0)
    gone.poll()


def _unread() -> int:
    """Return the writing end of a pipe without a reader."""
    read, write = os.pipe()
    os.close(read)
    return write
