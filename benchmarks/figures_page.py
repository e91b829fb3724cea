"""Writes the figures into `docs/figures.md`, and three of them into the README.

Both are made from the rows of `benchmarks/RESULTS.md`, so they can be made without measuring.
"""

from collections.abc import Sequence
from pathlib import Path
from textwrap import fill
from typing import Final

from benchmarks.reading_help import HELP

__all__ = ["HEAD", "PAGE", "README", "RESULTS", "Row", "page", "quoted", "rows_of", "table"]

Row = Sequence[str]

RESULTS: Final = Path(__file__).with_name("RESULTS.md")
README: Final = Path(__file__).parents[1] / "README.md"
PAGE: Final = README.parent / "docs" / "figures.md"
HEAD: Final[Row] = ("measure", "here", "against", "ratio", "target", "met")
_BEGIN: Final = "<!-- figures -->"
_END: Final = "<!-- /figures -->"
_ADDED: Final = "one fact added or retracted, 20 000 facts"
_EVENT: Final = "inferred event at another client, median"
_TICK: Final = "tick of three minds, median"
_INTRODUCTION: Final = """\
# Figures

`make bench` measures everything on this page and writes the page. Each figure is measured beside a
peer or a lower bound, in the same run and on the same machine. A peer is another program that
answers the same question. {met} of the {all} targets are met.

| column | meaning |
|---|---|
| here | what Mindboard needs |
| against | what the peer needs, an absolute limit, or the shares of the stages |
| ratio | depends on the target: see the next table |
| target | what the ratio or the figure must reach |

| target | ratio |
|---|---|
| *× faster* | peer ÷ Mindboard |
| at most a multiple (≤ N×) | Mindboard ÷ peer, or Mindboard ÷ limit; for rates, peer ÷ Mindboard |
| at most a time or a size | Mindboard ÷ limit |
| at least a rate | Mindboard ÷ wanted rate |

A few rows have another ratio. The text below their table names it.

Three words recur:

- A **delta** is one change of one model: what became true and what ceased, inferences included.
- A **tick** is the work of the spatial reasoner for one frame of percepts: worlds, relations,
  visibility and facts of every mind. Frames come 25 times a second, so a tick may take 40 ms.
- A **hidden object** is one that nobody perceives, such as a ball in a closed hand or a bin.
  *1 of 1 in its bin* says how many of them are believed where they really are.

The figures of a tick list its stages:

| stage | what it does |
|---|---|
| visibility | draws what each agent sees |
| plausibility | simulates objects that are perceived in the air or inside each other |
| hidden objects | simulates the objects that nobody perceives |
| relations, reach, predicates | compute the facts |
| debounce | waits until a fact has lasted for the debounce time (0.12 s) |
| board | writes the facts to the board |
| rest | all other work; stages under 2 % of the tick are left out |
"""


def rows_of(results: str) -> list[Row]:
    """Reads the rows of a table that `table` has written.

    >>> rows_of(table([("a view", "1 ms", "2 ms", "2.00", "≥ 1× faster", "yes")]))
    [('a view', '1 ms', '2 ms', '2.00', '≥ 1× faster', 'yes')]
    """
    lines = [line for line in results.splitlines() if line.startswith("| ")][1:]
    return [tuple(cell.strip() for cell in line.strip("|").split(" | ")) for line in lines]


def table(rows: Sequence[Row]) -> str:
    """A table of the rows, its columns aligned."""
    every = [HEAD, *rows]
    widths = [max(len(row[i]) for row in every) for i in range(len(HEAD))]
    lines = [
        "| " + " | ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)) + " |"
        for row in every
    ]
    return "\n".join([lines[0], "|" + "|".join("-" * (w + 2) for w in widths) + "|", *lines[1:]])


def page(rows: Sequence[Row]) -> str:
    """The page of the figures: sections of rows, each with its reading help.

    Raises `KeyError` for a row that `HELP` does not explain, or that is missing.
    """
    found = {row[0]: row for row in rows}
    unexplained = found.keys() - {name for section in HELP.values() for name in section}
    if unexplained:
        raise KeyError(f"no reading help for {sorted(unexplained)}")
    met = sum(row[-1] == "yes" for row in rows)
    parts = [_INTRODUCTION.format(met=met, all=len(rows))]
    for title, helps in HELP.items():
        lines = "\n".join(f"- **{name}**: {text}" for name, text in helps.items())
        parts.append(f"## {title}\n\n{table([found[name] for name in helps])}\n\n{lines}\n")
    return "\n".join(parts)


def quoted(readme: str, rows: Sequence[Row]) -> str:
    """The README with the sentence of three figures inserted between its two marks."""
    here = {row[0]: row[1] for row in rows}
    sentence = (
        f"On a board of 20 000 facts, one fact in or out takes {here[_ADDED]}, inferences "
        f"included. The event of an inferred fact reaches another client after {here[_EVENT]}. "
        f"One frame of percepts takes {here[_TICK]} for three minds and 50 objects. "
        "[All figures](docs/figures.md)."
    )
    before, begin, rest = readme.partition(_BEGIN)
    _, end, after = rest.partition(_END)
    return f"{before}{begin}\n{fill(sentence, 100)}\n{end}{after}"
