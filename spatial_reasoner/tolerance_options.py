"""What the command line says about tolerances: which are other than usual, and what there is."""

import argparse
import json
import logging
import sys
from collections.abc import Sequence
from typing import Any, Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from spatial_reasoner.command_line import Misused
from spatial_reasoner.errors import SettingError
from spatial_reasoner.tolerance_settings import (
    PROMISED,
    Value,
    latest,
    read_tolerance,
    set_tolerances,
    tolerance_rows,
    written,
)
from spatial_reasoner.tolerances import REGIONS, Tolerances

__all__ = ["add_tolerances", "print_tolerances", "tolerances_of"]

_log: Final = logging.getLogger(__name__)
_UNBROKEN: Final = 1000
"""A pipe is given a line for each, however long."""
_COLUMNS: Final = ("tolerance", "default", "unit", "what it is for")


class _Listed(argparse.Action):
    """Asks for the list, for which none of the other arguments are needed."""

    def __init__(self, needless: Sequence[argparse.Action], **more: Any) -> None:
        super().__init__(nargs=0, default=False, **more)
        self._needless: Final = needless

    def __call__(self, _: object, namespace: argparse.Namespace, *__: object) -> None:
        setattr(namespace, self.dest, True)
        for each in self._needless:
            each.required = False


def add_tolerances(parser: argparse.ArgumentParser, *needless: argparse.Action) -> None:
    """Adds what sets tolerances, and lists them; for the list some arguments are needless."""
    add = parser.add_argument_group("thresholds").add_argument
    add(
        "--tolerance",
        action="append",
        default=[],
        type=_tolerance,
        metavar="NAME=VALUE[,LETS_GO]",
        help="decide by another number than usual; may be repeated",
    )
    add("--tolerances", action=_Listed, needless=needless, help="list them, and do nothing else")
    add(
        "--regions",
        type=int,
        choices=sorted(REGIONS),
        help="regions around an agent: 8, where diagonals have two directions (default), or 4",
    )


def tolerances_of(args: argparse.Namespace) -> Tolerances:
    """What relations are decided by; Misused where that can't work together.

    Settings that make facts later than is promised are taken, and it is logged.
    """
    settings: dict[str, Value] = dict(args.tolerance)
    if args.regions is not None:
        if "direction" in settings:
            raise Misused("--regions and --tolerance direction both say how wide directions are")
        settings["direction"] = REGIONS[args.regions]
    try:
        made = set_tolerances(settings)
    except SettingError as reason:
        raise Misused(f"--tolerance {reason.message}") from None
    if latest(made) > PROMISED:
        said = "facts may come after %.2g s, not within %g s: smoothing is %g, debounce %g"
        _log.warning(said, latest(made), PROMISED, made.smoothing, made.debounce)
    return made


def print_tolerances(as_json: bool = False) -> None:
    """All tolerances, as people or programs read them."""
    rows = tolerance_rows().values()
    if as_json:
        told = [
            {"name": each.name, "default": each.default, "unit": each.unit.name,
             "least": each.unit.least, "most": each.unit.most, "meaning": each.meaning}
            for each in rows
        ]  # fmt: skip
        print(json.dumps({"tolerances": told}, ensure_ascii=False))
        return
    table = Table(*_COLUMNS)
    for each in rows:
        cells = each.name, written(each.default), each.unit.name, each.meaning
        table.add_row(*map(Text, cells))
    console = Console() if sys.stdout.isatty() else Console(width=_UNBROKEN)
    with console.capture() as captured:
        console.print(table)
    print(captured.get(), end="")


def _tolerance(text: str) -> tuple[str, Value]:
    try:
        return read_tolerance(text)
    except SettingError as reason:
        raise argparse.ArgumentTypeError(reason.message) from None
