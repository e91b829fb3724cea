"""Rows as people, spreadsheets and programs read them."""

import csv
import json
import sys
from collections.abc import Mapping, Sequence
from typing import NoReturn

from rich.console import Console
from rich.table import Table
from rich.text import Text

__all__ = ["Printer", "plain", "print_csv", "print_json", "print_table"]

Row = Mapping[str, str]


class Printer(Console):
    """The output, with tables and colours where it is a terminal."""

    def on_broken_pipe(self) -> NoReturn:
        """Tells the program, where the library would end it as having failed."""
        raise BrokenPipeError


def plain(text: str) -> str:
    r"""A text for a terminal, which must not obey what somebody wrote on the board.

    >>> plain("a\x1b[2Jb")
    'a\\x1b[2Jb'
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def print_table(columns: Sequence[str], rows: Sequence[Row]) -> None:
    """A table, as wide as the terminal allows; in a pipe, as wide as it needs to be."""
    console = Printer()
    table = Table(*columns)
    for row in rows:
        table.add_row(*(Text(plain(row.get(name, ""))) for name in columns))
    if not console.is_terminal:
        console = Printer(width=max(80, console.measure(table).maximum))
    console.print(table)
    print("1 row" if len(rows) == 1 else f"{len(rows)} rows")


def print_csv(columns: Sequence[str], rows: Sequence[Row]) -> None:
    """Comma-separated values under the names of the columns."""
    out = csv.writer(sys.stdout)
    out.writerow(columns)
    out.writerows([row.get(name, "") for name in columns] for row in rows)


def print_json(value: object) -> None:
    print(json.dumps(value, ensure_ascii=False))
