"""The floors of the large rooms: what each may import, how many modules it has, what it says."""

import ast
from collections import Counter

import pytest

from tests.house.floors import FLOORS
from tests.house.test_house import imports, modules, sources

_MOST: int = 30
"""Modules in one folder."""


def floor(package: str, module: str) -> str:
    """The floor of a module in a room, or "" outside the room and for the room's own package."""
    inside, _, rest = module.partition(f"{package}.")
    return "" if inside else rest.partition(".")[0]


@pytest.mark.parametrize("package", FLOORS)
def test_a_floor_imports_only_what_its_row_allows(package: str) -> None:
    """A module imports its own floor and the floors in its row."""
    wrong = [
        f"{module} imports {other}"
        for module, file in modules().items()
        if (mine := floor(package, module))
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
    assert {floor(package, module) for module in modules()} - {""} == set(FLOORS[package])


def test_no_folder_is_crowded() -> None:
    """A folder outside the tests holds at most 30 modules."""
    folders = Counter(f.rpartition("/")[0] for f in sources() if not f.startswith("tests/"))
    assert {folder: n for folder, n in folders.items() if n - 1 > _MOST} == {}


@pytest.mark.parametrize("package", FLOORS)
def test_a_floor_says_what_it_is_for(package: str) -> None:
    """A floor's docstring is three sentences: its purpose, its imports, where to start reading."""
    inits = [f for m, f in modules().items() if floor(package, m) and f.endswith("__init__.py")]
    assert inits
    for file in inits:
        lines = (ast.get_docstring(sources()[file]) or "").split("\n")
        purpose, blank, allowed, start = lines if len(lines) == 4 else ("", "", "", "")
        assert purpose.endswith("."), file
        assert not blank, file
        assert "mport" in allowed, file
        assert start.startswith("Start with `"), file
