"""The examples that people read are run as they stand."""

import doctest
import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import demos
import kb_server
import ontology
import spatial_reasoner
from benchmarks import figures_page
from spatial_reasoner.tolerances.settings import tolerance_rows, written

_ROOT = Path(__file__).resolve().parents[2]
_MODULES = sorted(
    info.name
    for package in (demos, kb_server, ontology, spatial_reasoner)
    for info in pkgutil.walk_packages(package.__path__, package.__name__ + ".")
)


@pytest.mark.parametrize("page", ["README.md", "docs/journal.md", "docs/physics.md"])
def test_blocks_of_a_page_run_in_order(page: str) -> None:
    """Every Python block of the page runs after those above it, and its assertions hold."""
    blocks = re.findall(r"```python\n(.*?)```", (_ROOT / page).read_text(), re.DOTALL)
    assert blocks
    exec(compile("\n".join(blocks), page, "exec"), {"__name__": "page"})


@pytest.mark.parametrize("name", _MODULES)
def test_examples_in_docstrings_give_what_they_show(name: str) -> None:
    """The examples of every docstring give what stands below them."""
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_the_page_of_figures_is_the_last_benchmark() -> None:
    """docs/figures.md has each row that `make bench` wrote last, with its reading help."""
    rows = figures_page.rows_of(figures_page.RESULTS.read_text("utf-8"))
    assert figures_page.PAGE.read_text("utf-8") == figures_page.page(rows)


def test_the_readme_quotes_the_figures_of_the_benchmarks() -> None:
    """The sentence of figures in the README is made from the last `make bench`."""
    rows = figures_page.rows_of(figures_page.RESULTS.read_text("utf-8"))
    readme = figures_page.README.read_text("utf-8")
    assert readme == figures_page.quoted(readme, rows)


def test_a_figure_without_reading_help_is_refused() -> None:
    """A measure that nobody has explained does not get onto the page."""
    with pytest.raises(KeyError, match="a new measure"):
        figures_page.page([("a new measure", "1 ms", "2 ms", "2.00", "≥ 1× faster", "yes")])


def test_the_page_of_tolerances_tells_what_the_code_says() -> None:
    """The tables have each tolerance with its default, unit, range and reason, in order."""
    page = (_ROOT / "docs" / "tolerances.md").read_text()
    lines: list[str] = []
    for row in tolerance_rows().values():
        if f"## {row.table}" not in lines:
            lines.append(f"## {row.table}")
        unit = f"{row.unit.name} | {row.unit.range}"
        lines.append(f"| `{row.name}` | {written(row.default)} | {unit} | {row.meaning} |")
    assert re.findall(r"^(?:## |\| `).*", page, re.MULTILINE) == lines
