"""The list of one-line faults, and a fault made in a copy of the tree."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import yaml

__all__ = ["FILE", "NOTHING", "ROOT", "Fault", "StaleFault", "make", "read_faults", "record"]

ROOT: Final = Path(__file__).resolve().parents[2]
FILE: Final = Path(__file__).with_name("faults.yaml")
NOTHING: Final = "nothing"
"""In place of a test, for a fault that no test catches."""


class StaleFault(Exception):
    """The line of a fault is not once in its file."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One line of a file, what takes its place, and which tests are likely to notice.

    `tests` are run before the test folders of the room, `folders`. `caught_by` is the test that
    failed when that was last recorded.
    """

    id: str
    room: str
    file: str
    line: str
    instead: str
    breaks: str
    tests: Sequence[str]
    folders: Sequence[str]
    caught_by: str | None = None


def read_faults() -> list[Fault]:
    """All faults of the list, in its order."""
    said = yaml.safe_load(FILE.read_text("utf-8"))
    return [Fault(**each, folders=said["rooms"][each["room"]]) for each in said["faults"]]


def make(fault: Fault, root: Path) -> str:
    """The text of the fault's file below a root with the fault in it; StaleFault if it has none."""
    lines = (root / fault.file).read_text("utf-8").splitlines(keepends=True)
    places = [n for n, line in enumerate(lines) if line.strip() == fault.line]
    if len(places) != 1:
        raise StaleFault(
            f"{fault.id}: {fault.file} has this line {len(places)} times: {fault.line}"
        )
    [place] = places
    lines[place] = lines[place].replace(fault.line, fault.instead)
    return "".join(lines)


def record(caught: Mapping[str, str]) -> None:
    """Writes down what each fault was caught by, as the last line of its row."""
    rows = FILE.read_text("utf-8").split("\n- id: ")
    for n, row in enumerate(rows[1:], 1):
        name = row.partition("\n")[0]
        if name not in caught:
            continue
        lines = [line for line in row.split("\n") if not line.startswith("  caught_by:")]
        last = max(n for n, line in enumerate(lines) if line.startswith("  tests:"))
        while last + 1 < len(lines) and lines[last + 1].startswith("    "):
            last += 1
        lines.insert(last + 1, f"  caught_by: {json.dumps(caught[name])}")
        rows[n] = "\n".join(lines)
    FILE.write_text("\n- id: ".join(rows), "utf-8")
