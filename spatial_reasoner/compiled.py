"""Loops that are compiled to machine code, for what a tick asks of every pair of things.

numpy costs a microsecond or more a call, and what is told of a pair takes dozens of them; a loop
that is compiled says it once, plainly, and takes nanoseconds a pair.

The road not taken: an extension in C or Cython, which wants a compiler wherever Mindboard is to be
installed. Numba comes ready-made, and keeps what it compiled beside the source, or in a folder of
the user's where that can't be written to. Nor is anything compiled by being imported: who only asks
for `--help` has nothing to wait for.
"""

import logging
from collections.abc import Callable
from typing import Any, Final, TypeVar

import numba

__all__ = ["GIVEN_LINE", "GIVEN_TABLE", "compiled", "prepare"]

GIVEN_LINE: Final = "Array(f8, 1, 'A', readonly=True)"
GIVEN_TABLE: Final = "Array(f8, 2, 'A', readonly=True)"
"""Numbers that a loop only reads; whoever calls it may have them for reading alone, too."""

F = TypeVar("F", bound=Callable[..., Any])

_LOG: Final = logging.getLogger(__name__)
_UNPREPARED: Final[list[tuple[Any, tuple[str, ...]]]] = []
"""The loops, and the types of their arguments, that `prepare` has still to compile."""


def compiled(*signatures: str) -> Callable[[F], F]:
    """Has a function compiled for arguments of the given types alone, once loops are prepared.

    It must call no compiled function of another file: what is kept of it would outlive that file's
    changes. So would a constant of another file: whoever changes one says `make clean`. Indices are
    not checked against the bounds of arrays. Called before `prepare` it is compiled for the
    arguments that it is called with.

    >>> @compiled("f8(f8[:])")
    ... def total(numbers: Any) -> float:
    ...     sum = 0.0
    ...     for number in numbers:
    ...         sum += number
    ...     return sum
    >>> import numpy as np
    >>> total(np.array([1.0, 2.5]))
    3.5
    """

    def made(function: F) -> F:
        loop = _kept(function)
        _UNPREPARED.append((loop, signatures))
        compiled_function: F = loop
        return compiled_function

    return made


def prepare() -> None:
    """Compiles all loops that are imported, or takes them from where they are kept.

    That takes half a minute the first time, which is said, and half a second later on.
    """
    is_said = False
    while _UNPREPARED:
        loop, signatures = _UNPREPARED.pop(0)
        for signature in signatures:
            loop.compile(signature)
        loop.disable_compile()
        if loop.stats.cache_misses and not is_said:
            _LOG.warning("compiling the loops of the spatial reasoner: this once, half a minute")
            is_said = True


def _kept(function: Callable[..., Any]) -> Any:
    try:
        return numba.njit(cache=True)(function)
    except RuntimeError as error:
        if "no locator" not in str(error):
            raise
        return numba.njit(function)  # there is nowhere to keep it
