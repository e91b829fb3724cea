"""A folder of recordings: a file of lines for each, and an index with their digests.

A line of the index is the SHA-256 of a file, its number of lines and the recording's name.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

__all__ = ["Entry", "file_of", "read_index", "write_index", "written"]

_INDEX: Final = "index.txt"


@dataclass(frozen=True, slots=True, order=True)
class Entry:
    """One recording in a folder."""

    name: str
    digest: str
    lines: int


def file_of(folder: Path, name: str) -> Path:
    """The file with the lines of a recording."""
    return folder / f"{name}.txt"


def written(folder: Path, name: str, lines: list[str]) -> Entry:
    """Writes the lines of a recording, and returns its entry."""
    text = "".join(f"{line}\n" for line in lines).encode()
    file = file_of(folder, name)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text)
    return Entry(name, hashlib.sha256(text).hexdigest(), len(lines))


def write_index(folder: Path, entries: Iterable[Entry]) -> None:
    """Writes the index of a folder, sorted by name."""
    rows = (f"{entry.digest} {entry.lines:6} {entry.name}\n" for entry in sorted(entries))
    (folder / _INDEX).write_text("".join(rows), "utf-8")


def read_index(folder: Path) -> Mapping[str, Entry]:
    """The entries of a folder, by name."""
    rows = (row.split(maxsplit=2) for row in (folder / _INDEX).read_text("utf-8").splitlines())
    return {name: Entry(name, digest, int(lines)) for digest, lines, name in rows}
