"""Sets tolerances as the options say, and lists them."""

import argparse
import json
import logging
import sys
from itertools import groupby
from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from kb_server.program import UsageError
from spatial_reasoner.errors import SettingError
from spatial_reasoner.tolerances.settings import (
    PROMISED,
    ToleranceValue,
    latest,
    set_tolerances,
    tolerance_rows,
    written,
)
from spatial_reasoner.tolerances.tolerances import REGIONS, Tolerances

__all__ = ["print_tolerances", "tolerances_of"]

_log: Final = logging.getLogger(__name__)
_UNBROKEN: Final = 1000
"""Width of the list in a pipe: each tolerance on one line."""
_COLUMNS: Final = ("tolerance", "default", "unit", "what it is for")


def tolerances_of(args: argparse.Namespace) -> Tolerances:
    """The tolerances with the given settings; raises UsageError if they contradict each other.

    Settings that delay facts beyond the promised time are accepted and logged.
    """
    settings: dict[str, ToleranceValue] = dict(args.tolerance)
    if args.regions is not None:
        if "direction" in settings:
            raise UsageError("--regions and --tolerance direction both set the width of directions")
        settings["direction"] = REGIONS[args.regions]
    try:
        made = set_tolerances(settings)
    except SettingError as reason:
        raise UsageError(f"--tolerance {reason.message}") from None
    if latest(made) > PROMISED:
        said = "facts may come after %.2g s instead of %g s: smoothing is %g, debounce %g"
        _log.warning(said, latest(made), PROMISED, made.smoothing, made.debounce)
    return made


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
            cells = each.name, written(each.default), each.unit.name, each.meaning
            table.add_row(*map(Text, cells))
        table.add_section()
    console = Console() if sys.stdout.isatty() else Console(width=_UNBROKEN)
    with console.capture() as captured:
        console.print(table)
    print(captured.get(), end="")
