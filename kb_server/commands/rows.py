"""Printing rows: as a table for people, as CSV for spreadsheets, as JSON for programs."""

import csv
import json
import sys
from collections.abc import Mapping, Sequence
from typing import NoReturn

from rich.console import Console
from rich.table import Table
from rich.text import Text

__all__ = ["Printer", "plain", "print_csv", "print_json", "print_table"]

PrintedRow = Mapping[str, str]


class Printer(Console):
    """The standard output, with tables, and colours on a terminal."""

    def on_broken_pipe(self) -> NoReturn:
        """Raise BrokenPipeError for `program.main`; the library would exit with status 1."""
        raise BrokenPipeError


def plain(text: str) -> str:
    r"""Escape unprintable characters, so that texts on the board can't control the terminal.

    >>> plain("a\x1b[2Jb")
    'a\\x1b[2Jb'
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def print_table(columns: Sequence[str], rows: Sequence[PrintedRow]) -> None:
    """Print a table, as wide as the terminal allows; in a pipe, as wide as its content."""
    console = Printer()
    table = Table(*columns)
    for row in rows:
        table.add_row(*(Text(plain(row.get(name, ""))) for name in columns))
    if not console.is_terminal:
        console = Printer(width=max(80, console.measure(table).maximum))
    console.print(table)
    print("1 row" if len(rows) == 1 else f"{len(rows)} rows")


def print_csv(columns: Sequence[str], rows: Sequence[PrintedRow]) -> None:
    """Print comma-separated values under the names of the columns."""
    out = csv.writer(sys.stdout)
    out.writerow(columns)
    out.writerows([row.get(name, "") for name in columns] for row in rows)


def print_json(value: object) -> None:
    """Prints a line of JSON at once, so that a program which reads a pipe has it in time."""
    print(json.dumps(value, ensure_ascii=False), flush=True)
