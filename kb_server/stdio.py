"""Standard input, output and errors, which a shell may have closed and whose reader may be gone.

An output that is closed (`>&-`) is taken for one whose reader has gone (`| head`): to write there
is a BrokenPipeError, which ends a command quietly. Who goes on without a reader, as a server does,
says what it has to say by `announce`.
"""

import os
import select
import stat
import sys
from typing import Final

__all__ = ["announce", "mute", "reopen", "wait_until_unread"]

_NAMES: Final = ("stdin", "stdout", "stderr")


def reopen() -> None:
    """Opens what is closed, before another file or socket gets its number."""
    for number, name in enumerate(_NAMES):
        if getattr(sys, name) is None:
            made = _unread() if name == "stdout" else os.open(os.devnull, os.O_RDWR)
            if made != number:
                os.dup2(made, number)
                os.close(made)
            setattr(sys, name, os.fdopen(number, "w" if number else "r", closefd=False))


def announce(line: str) -> None:
    """Prints a line at once, for whoever reads it; nobody need."""
    try:
        print(line, flush=True)
    except OSError:
        mute()


def mute() -> None:
    """Leaves what is not written yet: at the end Python would try, and fail, again."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, sys.stdout.fileno())
    os.close(nothing)


def wait_until_unread() -> None:
    """Waits until nobody reads the output any more; for ever where there is no such reader."""
    number = sys.stdout.fileno()
    mode = os.fstat(number).st_mode
    gone = select.poll()
    if stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode):
        gone.register(number, 0)
    gone.poll()


def _unread() -> int:
    """A pipe that nobody reads."""
    read, write = os.pipe()
    os.close(read)
    return write
