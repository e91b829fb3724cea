"""The parts of pages: tables, code, and prose from docstrings."""

import inspect
from collections.abc import Iterable, Sequence

__all__ = ["cell", "code", "fenced", "prose", "table"]


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; empty if it has no rows.

    >>> print(table(["a", "b"], [["1", "2|3"]]))
    | a | b |
    |---|---|
    | 1 | 2\\|3 |
    <BLANKLINE>
    """
    lines = [f"| {' | '.join(map(cell, row))} |" for row in rows]
    rule = "|" + "---|" * len(head)
    return "\n".join([f"| {' | '.join(head)} |", rule, *lines, ""]) if lines else ""


def cell(text: str) -> str:
    """A text in one line, with its bars escaped."""
    return " ".join(text.split()).replace("|", "\\|")


def code(text: object) -> str:
    """A text in code style; empty for an empty text."""
    return f"`{text}`" if str(text) else ""


def fenced(text: str, kind: str = "") -> str:
    """A block of code."""
    return f"```{kind}\n{text.strip()}\n```\n"


def prose(docstring: str | None) -> str:
    """A docstring without its examples, which are for readers of the code."""
    paragraphs = inspect.cleandoc(docstring or "").split("\n\n")
    return "\n\n".join(each for each in paragraphs if not each.startswith((">>> ", "    ")))
