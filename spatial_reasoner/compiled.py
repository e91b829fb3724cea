"""Loops that are compiled to machine code, for what a tick asks of every pair of things.

numpy costs a microsecond or more a call, and what is told of a pair takes dozens of them; a loop
that is compiled says it once, plainly, and takes nanoseconds a pair.

The road not taken: an extension in C or Cython, which wants a compiler wherever Mindboard is to be
installed. Numba comes ready-made, and keeps what it compiled beside the source, or in a folder of
the user's where that can't be written to; only the first import ever takes seconds.
"""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

__all__ = ["compiled"]

F = TypeVar("F", bound=Callable[..., Any])


def compiled(*signatures: str) -> Callable[[F], F]:
    """Compiles a function, as it is imported, for arguments of the given types alone.

    It must call no compiled function of another file: what is kept of it would outlive that file's
    changes. Indices are not checked against the bounds of arrays.

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
        try:
            return cast(F, numba.njit([*signatures], cache=True)(function))
        except RuntimeError as error:
            if "no locator" not in str(error):
                raise
            return cast(F, numba.njit([*signatures])(function))  # nowhere to keep it

    return made
