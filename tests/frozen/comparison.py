"""The comparison of two folders of recordings."""

import fnmatch
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Final

from tests.frozen.index import file_of, read_index

__all__ = ["differences"]

_SHOWN: Final = 400
"""Characters of a line that are shown."""


def differences(one: Path, other: Path, pattern: str = "*") -> Iterator[str]:
    """A text for each recording that differs: its name, and the first line that does.

    Only recordings whose names match the pattern are compared.
    """
    here, there = read_index(one), read_index(other)
    for name in fnmatch.filter(sorted({*here, *there}), pattern):
        if name not in there or name not in here:
            yield f"{name}: only in {one if name in here else other}"
        elif here[name].digest != there[name].digest:
            yield f"{name}: {_first(file_of(one, name), file_of(other, name))}"


def _first(one: Path, other: Path) -> str:
    """The number of the first line that differs, and the line in both files."""
    pairs = zip_longest(
        one.read_text("utf-8").splitlines(), other.read_text("utf-8").splitlines(), fillvalue=""
    )
    for number, (here, there) in enumerate(pairs, 1):
        if here != there:
            return f"line {number}\n  - {here[:_SHOWN]}\n  + {there[:_SHOWN]}"
    return "only the ends of lines differ"
