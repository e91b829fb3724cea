"""Measures everything, prints the table, and writes RESULTS.md, docs/figures.md and the README."""

import argparse
import sys
from collections.abc import Sequence

from benchmarks import (
    eyes,
    eyes_live,
    eyes_parts,
    figures_page,
    journal,
    measures,
    page,
    physics,
    service,
    sockets,
    sparql,
    startup,
    uncertainty,
)
from benchmarks.measures import Figure

_ROOMS = (
    *(measures, journal, service, sockets, sparql),
    *(eyes, eyes_parts, eyes_live, physics, uncertainty, page, startup),
)
_RESULTS = figures_page.RESULTS
_MEASURES = tuple(measure for room in _ROOMS for measure in room.MEASURES)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures and reports; returns 0 if every target is met, else 1."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", help="measure only these (by name)")
    parser.add_argument(
        "--page", action="store_true", help="only write docs/figures.md anew, from RESULTS.md"
    )
    options = parser.parse_args(arguments)
    if options.page:
        _write()
        return 0
    known = {measure.__name__: measure for measure in _MEASURES}
    unknown = [name for name in options.names if name not in known]
    if unknown:
        parser.error(f"no measure named {unknown[0]!r}; there are: {', '.join(known)}")
    figures = [f for name in options.names or known for f in known[name]()]
    measured = figures_page.table([_row(figure) for figure in figures])
    print(measured)
    if not options.names:
        title = "# Figures of the last run of `make bench`"
        _RESULTS.write_text(f"{title}\n\n{measured}\n", "utf-8")
        _write()
    return 0 if all(figure.met for figure in figures) else 1


def _write() -> None:
    """Writes the page and the README's sentence from RESULTS.md."""
    rows = figures_page.rows_of(_RESULTS.read_text("utf-8"))
    figures_page.PAGE.write_text(figures_page.page(rows), "utf-8")
    readme = figures_page.README.read_text("utf-8")
    figures_page.README.write_text(figures_page.quoted(readme, rows), "utf-8")


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
