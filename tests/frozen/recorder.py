"""Records rows of the table into a folder, with two worker processes.

The workers are processes of their own with fixed hashes of strings, so that no order of a set
depends on the run.
"""

import multiprocessing
import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Final

from spatial_reasoner.kernels.compiled import prepare
from tests.frozen.index import Entry, write_index, written
from tests.frozen.recordings import ROWS
from tests.frozen.stage import Stage

__all__ = ["record"]

_WORKERS: Final = 2
_STAGES: Final[list[Stage]] = []
"""The stage of this worker process."""


def record(folder: Path, pattern: str, sight: str, say: Callable[[str], object]) -> list[Entry]:
    """Records the rows that match a pattern and writes the index; `say` gets each row's name."""
    prepare()
    folder.mkdir(parents=True, exist_ok=True)
    os.environ["PYTHONHASHSEED"] = "0"
    entries: list[Entry] = []
    with ProcessPoolExecutor(
        _WORKERS, multiprocessing.get_context("spawn"), initializer=_opens, initargs=(sight,)
    ) as workers:
        recorded = {workers.submit(_recorded, folder, name, pattern): name for name in ROWS}
        for each in as_completed(recorded):
            entries += each.result()
            say(recorded[each])
    write_index(folder, entries)
    return entries


def _opens(sight: str) -> None:
    _STAGES.append(Stage(sight))


def _recorded(folder: Path, name: str, pattern: str) -> list[Entry]:
    """Records one row in this worker."""
    found = ROWS[name].lines(_STAGES[0], pattern)
    return [written(folder, each, lines) for each, lines in found.items()]
