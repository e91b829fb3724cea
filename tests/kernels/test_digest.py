"""What the digest of a compiled loop depends on."""

import logging
import math
from collections.abc import Iterator
from enum import Enum
from types import FunctionType, ModuleType
from typing import Any, Final

import numpy as np
import pytest

from spatial_reasoner.kernels.compiled import compiled
from spatial_reasoner.kernels.digest import digest

TEXT: Final = """
def twice(number):
    return FACTOR * number

def area(radius):
    return math.pi * radius ** 2

def one_of(number):
    return sum([number + FACTOR for _ in range(2)])

def of_a_module(number):
    return number * shapes.SIDE
"""
CALLER: Final = "def twice_a_sum(one, other):\n    return twice(one + other)"


class Shape(Enum):
    """A global that is a member of a family."""

    BALL = 1
    BOX = 2


def functions(text: str = TEXT, **read: Any) -> dict[str, FunctionType]:
    """The functions of a text, as those of a module of its own that has these globals."""
    names: dict[str, Any] = {"__name__": "somewhere", "FACTOR": 2.0, "math": math, **read}
    exec(text, names)
    return {name: each for name, each in names.items() if isinstance(each, FunctionType)}


def caller(callee: FunctionType) -> FunctionType:
    """A loop that calls a compiled one."""
    return functions(CALLER, twice=compiled("f8(f8)")(callee))["twice_a_sum"]


@pytest.fixture(autouse=True)
def _prepared_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is made here is not compiled with the loops of the program."""
    monkeypatch.setattr("spatial_reasoner.kernels.compiled._UNPREPARED", [])


def values() -> Iterator[Any]:
    """Globals that differ, if only by type, sign, shape or order."""
    yield from (0, 0.0, -0.0, False, None, "0", b"0", 1j, np.float32(0), np.float64(0), np.int8(0))
    yield from ((), (0,), (0.0,), ((0,),), Shape.BALL, Shape.BOX, math.sin, np.sin, np.cos, math)
    yield from (np.zeros(2), np.zeros(3), np.zeros((1, 2)), np.ones(2), np.zeros(2, "f4"))
    yield from (np.zeros((2, 2)), np.zeros((2, 2), order="F"))


def test_each_value_of_a_global_has_a_digest_of_its_own() -> None:
    """Loops that differ in the value of one global have different digests; else they have one."""
    made = [digest(functions(FACTOR=value)["twice"]) for value in values()]
    assert len(set(made)) == len(made)
    assert made == [digest(functions(FACTOR=value)["twice"]) for value in values()]


def test_globals_that_it_does_not_read_do_not_count() -> None:
    """A loop that does not read a constant keeps its digest when that changes."""
    assert digest(functions(FACTOR=2)["area"]) == digest(functions(FACTOR=3)["area"])


def test_a_loop_within_a_loop_counts() -> None:
    """A global that only a function within reads counts."""
    assert digest(functions(FACTOR=2)["one_of"]) != digest(functions(FACTOR=3)["one_of"])


def test_defaults_count() -> None:
    """The digest of a loop changes with the default of any parameter, keyword-only or not."""
    parameters = ("low=1", "low=2", "*, low=1", "*, low=2", "*, low=1, high=1", "*, high=1")
    texts = [f"def rise({each}):\n    return 1" for each in parameters]
    assert len({digest(functions(text)["rise"]) for text in texts}) == len(texts)


def test_a_constant_of_a_module_counts() -> None:
    """A global that is read as an attribute of a module counts."""
    shapes, others = ModuleType("shapes"), ModuleType("shapes")
    shapes.SIDE, others.SIDE = 1.0, 2.0  # type: ignore[attr-defined]
    one, other = (functions(shapes=each)["of_a_module"] for each in (shapes, others))
    assert digest(one) != digest(other)


def test_the_globals_of_callees_count() -> None:
    """The digest of a loop changes with a global of a compiled function that it calls."""
    two, again, three = (caller(functions(FACTOR=each)["twice"]) for each in (2.0, 2.0, 3.0))
    assert digest(two) == digest(again)
    assert digest(two) != digest(three)


def test_the_code_of_callees_counts() -> None:
    """The digest of a loop changes with the code of a compiled function that it calls."""
    changed = functions(TEXT.replace("FACTOR * number", "FACTOR + number"))["twice"]
    assert digest(caller(changed)) != digest(caller(functions()["twice"]))


def test_a_loop_that_calls_itself_has_a_digest() -> None:
    """Recursion ends."""
    text = "def down(n):\n    return n if n < FACTOR else down(n - 1)"
    assert digest(functions(text)["down"]) == digest(functions(text)["down"])


def test_lines_and_paths_do_not_count() -> None:
    """A function that is moved down in its file, or read from another one, has the same digest."""
    assert digest(functions("\n\n\n" + TEXT)["twice"]) == digest(functions()["twice"])


def test_a_global_without_a_description_is_an_error() -> None:
    """A loop that reads something of which nothing is known has no digest."""
    odd = functions(FACTOR=logging.getLogger("somewhere").handlers)["twice"]
    with pytest.raises(TypeError, match="no digest"):
        digest(odd)
