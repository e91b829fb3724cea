"""Loops compiled to machine code by Numba, for computations on every pair of objects in each tick.

A call of numpy costs a microsecond or more, and a relation of a pair takes dozens of them. A
compiled loop takes nanoseconds for each pair, and states the computation plainly.

The machine code of a loop is stored under a digest of all that it depends on (`digest.py`), and
loaded by later processes (`cache.py`). A loop may therefore read constants and call compiled loops
of any file: if one of them changes, its callers are compiled again. An import compiles nothing, so
`mindboard --help` starts at once.

The roads not taken: an extension in C or Cython, which needs a compiler wherever Mindboard is
installed; and Numba's own cache, which depends on the source file of the loop alone.
"""

import hashlib
import logging
import pickle
import sys
from collections.abc import Callable
from types import FunctionType
from typing import Any, Final, TypeVar

import llvmlite
import numba
import numpy as np
from numba.core import compiler, config, serialize

from spatial_reasoner.kernels import cache as kernel_cache
from spatial_reasoner.kernels.digest import digest

__all__ = ["GIVEN_LINE", "GIVEN_TABLE", "compiled", "prepare"]

GIVEN_LINE: Final = "Array(f8, 1, 'A', readonly=True)"
GIVEN_TABLE: Final = "Array(f8, 2, 'A', readonly=True)"
"""The types of arrays that a loop only reads, so callers may pass read-only arrays."""

F = TypeVar("F", bound=Callable[..., Any])

_LOG: Final = logging.getLogger(__name__)
_UNPREPARED: Final[list[tuple[Any, tuple[str, ...]]]] = []
"""The loops that `prepare` has not compiled yet, with the types of their arguments."""

_SETTINGS: Final = ("OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE", "BOUNDSCHECK", "DEBUGINFO_DEFAULT")
_COMPILER: Final = (
    *(numba.__version__, llvmlite.__version__, np.__version__),
    *(sys.implementation.cache_tag, sys.version_info[:3]),
    *(str(vars(config)[each]) for each in _SETTINGS),
)
"""All that decides on the machine code, apart from the loop and the processor."""

_RESULT: Final[Any] = compiler.CompileResult
_pickled: Final[Callable[[Any], bytes]] = serialize.dumps


def compiled(*signatures: str) -> Callable[[F], F]:
    """A decorator: `prepare` compiles the function for arguments of exactly the given types.

    The function may call other compiled functions, and read globals that are numbers, texts, arrays
    or tuples of these; their values at compile time become part of the machine code. The danger:
    indices are not checked against the bounds of arrays. A call before `prepare` compiles the
    function for the types of its arguments.

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
        loop = numba.njit(function)
        loop._cache = _Cache(loop)
        _UNPREPARED.append((loop, signatures))
        compiled_function: F = loop
        return compiled_function

    return made


def prepare() -> None:
    """Compiles all imported loops, or loads their machine code from the cache.

    This takes half a minute the first time, which is logged, and half a second later.
    """
    is_said = False
    while _UNPREPARED:
        loop, signatures = _UNPREPARED.pop(0)
        for signature in signatures:
            loop.compile(signature)
        loop.disable_compile()
        if loop.stats.cache_misses and not is_said:
            _LOG.warning("compiling the loops of the spatial reasoner: half a minute, only once")
            is_said = True
    if is_said:
        kernel_cache.prune()


class _Cache:
    """The cache of one loop: Numba loads machine code from it and stores new code in it."""

    def __init__(self, loop: Any) -> None:
        self._loop: Final = loop
        self._digests: Final[dict[str, str]] = {}
        """The digests of requested machine code, by kernel and signature."""

    @property
    def cache_path(self) -> str:
        """The folder that Numba reports for the machine code."""
        return str(kernel_cache.folders()[0])

    def load_overload(self, signature: object, target: Any) -> Any:
        """The stored machine code for a signature; None if there is no usable one."""
        target.refresh()
        kernel = self._kernel(signature)
        key = digest(
            self._loop.py_func,
            str(signature),
            repr(sorted(self._loop.targetoptions.items())),
            target.codegen().magic_tuple(),
            _COMPILER,
        )
        self._digests[kernel] = key
        code = kernel_cache.load(kernel, key)
        if code is None:
            return None
        try:
            return _RESULT._rebuild(target, *pickle.loads(code))
        except Exception as error:  # compiling again solves any of them
            _LOG.info("compiling %s anew: %r", kernel, error)
            return None

    def save_overload(self, signature: object, result: Any) -> None:
        """Stores machine code, unless it contains addresses of this process."""
        kernel = self._kernel(signature)
        if not result.library.has_dynamic_globals:
            kernel_cache.save(kernel, self._digests[kernel], _pickled(result._reduce()))

    def flush(self) -> None:
        """Does nothing, because another digest is another file."""

    def _kernel(self, signature: object) -> str:
        function: FunctionType = self._loop.py_func
        types = hashlib.sha256(str(signature).encode()).hexdigest()[:8]
        return f"{function.__module__}.{function.__name__}-{types}"
