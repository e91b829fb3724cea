"""Standard input, output and errors, which a shell may have closed and whose reader may be gone.

An output that is closed (`>&-`) is taken for one whose reader has gone (`| head`): to write there
is a BrokenPipeError, which ends a command quietly. Who goes on without a reader, as a server does,
says what it has to say by `announce`.
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


class Lifeline:
    """Does something once, in a thread, when the standard input ends: who held it has gone.

    However the other process ended, its end of the pipe is closed; nothing need be sent by it.
    """

    def __init__(self, act: Callable[[], object]) -> None:
        self._lock: Final = threading.Lock()
        self._act: Callable[[], object] = act
        self._has_ended = False
        threading.Thread(target=self._hold, name="lifeline", daemon=True).start()

    def pass_to(self, act: Callable[[], object]) -> None:
        """Has something else done instead; at once, if the end has come meanwhile."""
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
            pass  # it is closed, which is an end as well
        with self._lock:
            self._has_ended = True
            act = self._act
        act()


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
