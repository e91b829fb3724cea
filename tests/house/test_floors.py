"""The floors of the large rooms: what each may import, how many modules it has, what it says."""

import ast
from collections import Counter
from collections.abc import Sequence

import pytest

from tests.house.floors import FLOORS
from tests.house.test_house import imports, modules, sources

_MOST: int = 30
"""Modules in one folder."""


def floor(package: str, module: str) -> str:
    """The floor of a module in a room; the room itself for its own package; "" outside the room."""
    if module == package:
        return package
    inside, _, rest = module.partition(f"{package}.")
    return "" if inside else rest.partition(".")[0]


@pytest.mark.parametrize("package", FLOORS)
def test_a_floor_imports_only_what_its_row_allows(package: str) -> None:
    """A module imports its own floor and the floors in its row, and not the room's own package."""
    wrong = [
        f"{module} imports {other}"
        for module, file in modules().items()
        if (mine := floor(package, module)) in FLOORS[package]
        for other in imports(file)
        if (theirs := floor(package, other))
        if theirs not in [mine, *FLOORS[package][mine].split()]
    ]
    assert not wrong


@pytest.mark.parametrize("package", FLOORS)
def test_rows_grant_what_stands_above_them_and_is_used(package: str) -> None:
    """A row names only floors above it, and each of them is imported."""
    rows = list(FLOORS[package])
    used = {
        (mine, theirs)
        for module, file in modules().items()
        if (mine := floor(package, module))
        for other in imports(file)
        if (theirs := floor(package, other))
    }
    for row, granted in FLOORS[package].items():
        assert set(granted.split()) <= set(rows[: rows.index(row)]), row
        assert {each for each in granted.split() if (row, each) not in used} == set(), row


@pytest.mark.parametrize("package", FLOORS)
def test_every_floor_is_there(package: str) -> None:
    """The rows of a room are its packages and the modules beside them, none more, none less."""
    found = {floor(package, module) for module in modules()}
    assert found - {"", package} == set(FLOORS[package])


def test_no_folder_is_crowded() -> None:
    """A folder outside the tests holds at most 30 modules."""
    folders = Counter(f.rpartition("/")[0] for f in sources() if not f.startswith("tests/"))
    assert {folder: n for folder, n in folders.items() if n - 1 > _MOST} == {}


@pytest.mark.parametrize("package", FLOORS)
def test_a_floor_says_what_it_is_for(package: str) -> None:
    """A floor's docstring is three sentences: its purpose, its row, where to start reading."""
    for name, row in FLOORS[package].items():
        path = f"{package.replace('.', '/')}/{name}"
        if f"{path}.py" not in sources():
            said = ast.get_docstring(sources()[f"{path}/__init__.py"]) or ""
            purpose, blank, rest = f"{said}\n\n".split("\n", 2)
            assert purpose.endswith("."), path
            assert not blank, path
            expected = f"{imports_sentence(row.split())} Start with `"
            assert rest.replace("\n", " ").startswith(expected), path


def imports_sentence(floors: Sequence[str]) -> str:
    """What the docstring of a floor says that it imports.

    >>> imports_sentence(["errors", "kernels", "scene"])
    'Imports `errors`, `kernels` and `scene`.'
    """
    *most, last = [f"`{each}`" for each in floors] or ["no other floor"]
    return f"Imports {', '.join(most)} and {last}." if most else f"Imports {last}."
