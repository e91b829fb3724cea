"""A table of what several minds believe about the same patterns: filled from a board, and drawn.

>>> table = Table("Where is it?", {"myself": "The robot", "sally": "Sally"}, ("ball isIn ?where",))
>>> held = {"myself": [{"where": "box"}], "sally": [{"where": "basket"}]}
>>> for line in drawn(table, filled(table, lambda model, pattern: held[model])):
...     print(line)
Where is it?
┌───────────────┬──────────────────┐
│ The robot     │ Sally            │
├───────────────┼──────────────────┤
│ ball isIn box │ ball isIn basket │ ≠
└───────────────┴──────────────────┘
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from demos.story import Table, filled_in

__all__ = ["Cells", "drawn", "filled", "tabled"]

Cells = tuple[tuple[str, ...], ...]
Ask = Callable[[str, str], Sequence[Mapping[str, str]]]
"""Returns the bindings of a pattern in a model."""


def filled(table: Table, ask: Ask) -> Cells:
    """The content of each row, column by column: a fact, several, or nothing."""
    return tuple(
        tuple(_cell(pattern, ask(model, pattern)) for model in table.columns)
        for pattern in table.rows
    )


def drawn(table: Table, cells: Cells) -> Iterator[str]:
    """The lines of a table; a mark ends each row in which the minds differ."""
    rows = (tuple(table.columns.values()), *cells)
    widths = [max(len(row[k]) for row in rows) for k in range(len(table.columns))]
    yield table.title
    yield _rule("┌┬┐", widths)
    yield _row(rows[0], widths)
    yield _rule("├┼┤", widths)
    for row in cells:
        yield _row(row, widths) + (" ≠" if len(set(row)) > 1 else "")
    yield _rule("└┴┘", widths)


def tabled(table: Table | None, cells: Cells) -> dict[str, Any] | None:
    """A table for programs: the headings and the cells by model."""
    if table is None:
        return None
    columns = {model: [row[k] for row in cells] for k, model in enumerate(table.columns)}
    return {"title": table.title, "headings": dict(table.columns), "columns": columns}


def _cell(pattern: str, bindings: Sequence[Mapping[str, str]]) -> str:
    return ", ".join(sorted(filled_in(pattern, each) for each in bindings)) or "—"


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "│ " + " │ ".join(f"{c:<{w}}" for c, w in zip(cells, widths, strict=True)) + " │"


def _rule(corners: str, widths: Sequence[int]) -> str:
    lines = ("─" * (width + 2) for width in widths)
    return corners[0] + corners[1].join(lines) + corners[2]
