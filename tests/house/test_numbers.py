"""Numbers that decide facts: each is a tolerance, and every other constant states its kind.

A number that decides a fact is a field of a table in `spatial_reasoner/tolerances`. A constant that
decides none is annotated with a kind of `tolerances/units.py`. Within functions only neutral
numbers stand.
"""

import ast
import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Final

import pytest

from spatial_reasoner.tolerances.tolerances import Tolerances
from tests.house.belief_numbers import BELIEF_NUMBERS
from tests.house.test_house import sources

_ROOM: Final = "spatial_reasoner/"
_TABLES: Final = f"{_ROOM}tolerances/"
_BELIEF: Final = f"{_ROOM}belief/"
_DECIDES_NOTHING: Final = (
    *(f"{_ROOM}errors.py", f"{_ROOM}kernels/", f"{_ROOM}board/"),
    *(f"{_ROOM}pictures/", f"{_ROOM}commands/"),
)
_KINDS: Final = frozenset({"Numeric", "Limit", "Wait", "Measure"})
_NEUTRAL: Final = frozenset({0.0, 0.5, 1.0, 2.0})
_TINY: Final = 1e-9
"""A smaller number within a function is a tolerance for rounding, or against division by zero."""


def deciding() -> Mapping[str, ast.Module]:
    """The files of the floors that decide facts; the floor of beliefs is replaced later."""
    skipped = (*_DECIDES_NOTHING, _TABLES, _BELIEF)
    return {f: t for f, t in sources().items() if f.startswith(_ROOM) and not f.startswith(skipped)}


def numbers(tree: ast.AST) -> Mapping[ast.Constant, float]:
    """The floating-point numbers that are written in a part of a file, and where."""
    return {
        node: node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, float)
    }


def has_kind(statement: ast.stmt) -> bool:
    """Whether a statement declares constants of one of the kinds."""
    return isinstance(statement, ast.AnnAssign) and bool(
        _KINDS & {each.id for each in ast.walk(statement.annotation) if isinstance(each, ast.Name)}
    )


def declared(tree: ast.Module) -> Iterator[ast.stmt]:
    """The statements of a module and of its classes that declare constants and fields."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef):
            yield from (s for s in node.body if isinstance(s, ast.Assign | ast.AnnAssign))


def quotients(statements: list[ast.stmt], tree: ast.AST) -> Iterator[ast.expr]:
    """The constants and the sides of comparisons that are written as a quotient: `3 / 10`."""
    written = [s.value for s in statements if isinstance(s, ast.Assign | ast.AnnAssign)]
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            written += [node.left, *node.comparators]
    for value in written:
        match value:
            case ast.BinOp(ast.Constant(), ast.Div(), ast.Constant()):
                yield value


def texts(tree: ast.AST) -> Iterator[ast.Call]:
    """The finite numbers that are written as a text, such as `float("0.3")`."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name("float"), args=[ast.Constant(value=str(text))]):
                if math.isfinite(float(text)):
                    yield node


def secret(file: str, tree: ast.Module) -> Iterator[str]:
    """The numbers of a file that are neither neutral nor of a kind."""
    statements = list(declared(tree))
    outside = {node for statement in statements for node in numbers(statement)}
    for statement in statements:
        if not has_kind(statement):
            for node, value in numbers(statement).items():
                if value != 0.0:
                    yield f"{file}:{node.lineno} {value}"
    for node, value in numbers(tree).items():
        if node not in outside and abs(value) not in _NEUTRAL and abs(value) > _TINY:
            yield f"{file}:{node.lineno} {value}"
    plain = [statement for statement in statements if not has_kind(statement)]
    for found in (*quotients(plain, tree), *texts(tree)):
        yield f"{file}:{found.lineno} {ast.unparse(found)}"


def test_no_number_decides_in_secret() -> None:
    """A number of a deciding floor is a tolerance, or a constant of a kind, or neutral."""
    assert [each for file, tree in deciding().items() for each in secret(file, tree)] == []


@pytest.mark.parametrize(
    "line",
    [
        *("_NEAR: Final = 0.3", "_HALF = 0.5", "_ONE = 1.0", "_DOWN: Final = -1.0"),
        *("class A:\n    limit: float = 1.0", "def f(x: float = 0.3) -> None: ...", "f(0.3)"),
        *("_NEAR: Final = 3 / 10", "near = d < 3 / 10", 'near = float("0.3")'),
    ],
)
def test_a_secret_number_is_found(line: str) -> None:
    """A constant without a kind and a number in a call or a quotient are found."""
    assert list(secret("file", ast.parse(line)))


def test_constants_of_a_kind_and_neutral_numbers_are_free() -> None:
    """Constants of each kind, halves within functions and guards against zero pass."""
    lines = [f"A{kind}: Final[tuple[{kind}, {kind}]] = (0.3, 7.0)" for kind in sorted(_KINDS)]
    lines += ["def f(x: float) -> float:", "    return 0.5 * x / max(x, 1e-9) if x > 0.0 else 1.0"]
    lines += ["_STEP: Final[Numeric] = 1 / 240", 'y = float("inf")']
    assert list(secret("file", ast.parse("\n".join(lines)))) == []


def test_the_numbers_of_beliefs_are_listed() -> None:
    """The floor of beliefs, which is replaced later, gets no constant that is not in the list."""
    found = {
        f"{file.removeprefix(_BELIEF)}: {ast.unparse(target)}"
        for file, tree in sources().items()
        if file.startswith(_BELIEF)
        for statement in tree.body
        if isinstance(statement, ast.Assign | ast.AnnAssign) and numbers(statement)
        for target in _targets(statement)
    }
    assert found == set(BELIEF_NUMBERS)


def _targets(statement: ast.Assign | ast.AnnAssign) -> list[ast.expr]:
    return [statement.target] if isinstance(statement, ast.AnnAssign) else statement.targets


def test_a_tolerance_stands_in_one_table() -> None:
    """No two tables have a tolerance of the same name, and every field of a table is listed."""
    names = [field.name for table in Tolerances.__bases__ for field in fields(table)]
    assert [name for name, count in Counter(names).items() if count > 1] == []
    assert set(names) == {field.name for field in fields(Tolerances)}


def test_a_tolerance_reaches_what_it_decides() -> None:
    """Each tolerance is read by a floor, from a table of tolerances."""
    assert {field.name for field in fields(Tolerances)} - _read() == set()


def _read() -> set[str]:
    """The attributes that floors read from tables of tolerances."""
    found = set()
    for file, tree in sources().items():
        if file.startswith(_ROOM) and not file.startswith(_TABLES):
            for node in ast.walk(tree):
                if isinstance(node, ast.Attribute) and _is_table(node.value):
                    found.add(node.attr)
    return found


def _is_table(node: ast.expr) -> bool:
    name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
    return bool(name.endswith("tolerances"))
