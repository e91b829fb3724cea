"""Measures everything, prints the table, and writes it to RESULTS.md and into the README."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks import (
    eyes,
    eyes_live,
    eyes_parts,
    journal,
    measures,
    page,
    physics,
    service,
    sockets,
    sparql,
    uncertainty,
)
from benchmarks.measures import Figure

_ROOMS = (
    *(measures, journal, service, sockets, sparql),
    *(eyes, eyes_parts, eyes_live, physics, uncertainty, page),
)
_MEASURES = tuple(measure for room in _ROOMS for measure in room.MEASURES)
_RESULTS = Path(__file__).with_name("RESULTS.md")
_README = Path(__file__).parents[1] / "README.md"
_HEAD = ("measure", "here", "against", "ratio", "target", "met")


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status 0 when every target is met, else 1."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", help="measure only these (by name)")
    options = parser.parse_args(arguments)
    known = {measure.__name__: measure for measure in _MEASURES}
    unknown = [name for name in options.names if name not in known]
    if unknown:
        parser.error(f"no measure named {unknown[0]!r}; there are: {', '.join(known)}")
    figures = [f for name in options.names or known for f in known[name]()]
    table = _table(figures)
    print(table)
    if not options.names:
        _RESULTS.write_text(f"# Figures of the last run of `make bench`\n\n{table}\n")
        _quote(table)
    return 0 if all(figure.met for figure in figures) else 1


def _quote(table: str) -> None:
    """Puts the table into the README, between its two marks."""
    before, begin, rest = _README.read_text().partition("<!-- figures -->")
    _, end, after = rest.partition("<!-- /figures -->")
    _README.write_text(f"{before}{begin}\n{table}\n{end}{after}")


def _table(figures: Sequence[Figure]) -> str:
    rows = [_HEAD, *map(_row, figures)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(_HEAD))]
    lines = [
        "| " + " | ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)) + " |"
        for row in rows
    ]
    return "\n".join([lines[0], "|" + "|".join("-" * (w + 2) for w in widths) + "|", *lines[1:]])


def _row(figure: Figure) -> tuple[str, ...]:
    ratio = f"{figure.ratio:,.0f}" if figure.ratio >= 10 else f"{figure.ratio:.2f}"
    return (
        figure.name,
        figure.ours,
        figure.against,
        ratio.replace(",", " "),
        figure.target,
        "yes" if figure.met else "no",
    )


if __name__ == "__main__":
    sys.exit(main())
