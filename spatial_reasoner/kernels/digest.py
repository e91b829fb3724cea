"""The digest of a compiled loop (a kernel), of all that its machine code depends on.

Machine code contains the values of the globals that a kernel reads, and the code of the kernels
that it calls, in any file. So the digest covers the byte code, which the compiler reads, the
globals, and recursively the same of all callees.

The danger is a value that the digest misses: stale machine code would be loaded silently. A global
that cannot be described is therefore an error. Functions and values of libraries are described by
their names; their versions must be added by the caller.

The road not taken: the date or the content of the source file, which ignores other files. Paths and
line numbers are left out, so that checkouts share machine code. As a consequence, a traceback from
a kernel may name the file of another checkout.
"""

import hashlib
import sys
from enum import Enum
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any, Final, Protocol, TypeGuard

import numpy as np

__all__ = ["Kernel", "digest"]

_LIBRARIES: Final = {"numba", "numpy", *sys.stdlib_module_names} - {"__main__"}
"""Modules whose contents are described by name, because one version is always the same."""


class Kernel(Protocol):
    """A compiled function of Numba."""

    py_func: FunctionType
    targetoptions: dict[str, Any]
    signatures: list[tuple[Any, ...]]
    _can_compile: bool


def digest(function: FunctionType, *beside: object) -> str:
    """The digest of a function to be compiled, together with additional plain values.

    TypeError if the function reads a global that cannot be described.

    >>> def half(number: float) -> float:
    ...     return number / 2
    >>> digest(half, "version 1") == digest(half, "version 1")
    True
    >>> digest(half, "version 1") == digest(half, "version 2")
    False
    """
    return hashlib.sha256(repr((_function(function, ()), beside)).encode()).hexdigest()


def _function(function: FunctionType, callers: tuple[FunctionType, ...]) -> object:
    """A function's code, defaults, cells and globals; only its name in a recursive call.

    The default of a keyword-only parameter is listed under the parameter's name and "=".
    """
    name = (function.__module__, function.__qualname__)
    if function in callers:
        return name
    within = (*callers, function)
    names = _names(function.__code__)
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    read = {each: function.__globals__[each] for each in names if each in function.__globals__}
    read |= {cell_name: cell.cell_contents for cell_name, cell in cells}
    read |= {f"{each}=": value for each, value in (function.__kwdefaults__ or {}).items()}
    return (
        name,
        _code(function.__code__),
        _value(function.__defaults__, names, within),
        [(each, _value(value, names, within)) for each, value in sorted(read.items())],
    )


def _code(code: CodeType) -> object:
    """A code object without its file and line numbers."""
    signature = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)
    names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    constants = [_constant(each) for each in code.co_consts]
    return (code.co_code, code.co_exceptiontable, signature, names, constants)


def _constant(value: object) -> object:
    if isinstance(value, CodeType):
        return _code(value)
    if isinstance(value, frozenset):  # its order differs from process to process
        return ("frozenset", sorted(map(repr, value)))
    return value


def _names(code: CodeType) -> tuple[str, ...]:
    """The names of globals and attributes, with those of inner functions."""
    within = (each for each in code.co_consts if isinstance(each, CodeType))
    return (*code.co_names, *(name for each in within for name in _names(each)))


def _value(value: object, names: tuple[str, ...], callers: tuple[FunctionType, ...]) -> object:
    """A global's value in terms with an exact `repr`; `names` are the attributes that are used."""
    match value:
        case None | bool() | int() | float() | complex() | str() | bytes() if not _has_class(value):
            return value
        case np.generic() | np.ndarray():
            array = np.asarray(value)
            order = (array.flags.c_contiguous, array.flags.f_contiguous)
            return (type(value).__name__, array.dtype.str, array.shape, order, array.tobytes())
        case Enum():
            return (type(value).__qualname__, value.name, _value(value.value, names, callers))
        case tuple():
            return (type(value).__qualname__, [_value(each, names, callers) for each in value])
    return _kernel(value, callers) if _is_kernel(value) else _named(value, names, callers)


def _is_kernel(value: object) -> TypeGuard[Kernel]:
    return hasattr(value, "py_func")


def _kernel(kernel: Kernel, callers: tuple[FunctionType, ...]) -> object:
    # If a kernel no longer compiles, its callers convert arguments to its existing signatures.
    made = None if kernel._can_compile else sorted(map(str, kernel.signatures))
    return (repr(sorted(kernel.targetoptions.items())), made, _function(kernel.py_func, callers))


def _has_class(value: object) -> bool:
    """Whether a number or text is an instance of a subclass, such as a member of an `IntEnum`."""
    return isinstance(value, Enum | np.generic)


def _named(value: object, names: tuple[str, ...], callers: tuple[FunctionType, ...]) -> object:
    """A module, class or function: those of libraries by name, our own by content."""
    module = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
    if str(module).partition(".")[0] in _LIBRARIES:
        return (module, getattr(value, "__qualname__", getattr(value, "__name__", repr(value))))
    match value:
        case ModuleType():
            asked = sorted(set(names) & vars(value).keys())
            return (module, [(each, _value(vars(value)[each], names, callers)) for each in asked])
        case type() if issubclass(value, Enum):
            return (value.__qualname__, [_value(each, names, callers) for each in value])
        case FunctionType():
            return _function(value, callers)
        case BuiltinFunctionType() | type():
            return (module, value.__qualname__)
    raise TypeError(f"a compiled loop reads {value!r}, for which no digest can be computed")
