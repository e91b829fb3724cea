"""Prints all tolerances, for people and for programs."""

import json
import sys
from itertools import groupby
from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from spatial_reasoner.tolerances.settings import tolerance_rows, written

__all__ = ["print_tolerances"]

_UNBROKEN: Final = 1000
"""Width of the list in a pipe: each tolerance on one line."""
_COLUMNS: Final = ("tolerance", "default", "unit", "range", "what it is for")


def print_tolerances(as_json: bool = False) -> None:
    """Prints all tolerances, as a table or as JSON."""
    rows = tolerance_rows().values()
    if as_json:
        listed = [
            {"name": each.name, "table": each.table, "default": each.default,
             "unit": each.unit.name, "least": each.unit.least, "most": each.unit.most,
             "meaning": each.meaning}
            for each in rows
        ]  # fmt: skip
        print(json.dumps({"tolerances": listed}, ensure_ascii=False))
        return
    table = Table(*_COLUMNS)
    for _, those in groupby(rows, lambda row: row.table):
        for each in those:
            cells = each.name, written(each.default), each.unit.name, each.unit.range
            table.add_row(*map(Text, (*cells, each.meaning)))
        table.add_section()
    console = Console() if sys.stdout.isatty() else Console(width=_UNBROKEN)
    with console.capture() as captured:
        console.print(table)
    print(captured.get(), end="")
