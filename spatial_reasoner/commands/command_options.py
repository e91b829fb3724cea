"""The options that the commands share. Only light modules are imported: see `kb_server.program`."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from kb_server.program import loaded
from spatial_reasoner.values.tolerances import REGIONS

__all__ = [
    "TOKEN",
    "TOKEN_FILE",
    "add_board",
    "add_percepts",
    "add_render",
    "add_sight",
    "add_tolerances",
]

TOKEN: Final = "MINDBOARD_TOKEN"
TOKEN_FILE: Final = "MINDBOARD_TOKEN_FILE"
_FASTEST: Final = 1e3
_NARROWEST, _WIDEST = 480, 3840


class _Listed(argparse.Action):
    """Asks for the list, for which none of the other arguments are needed."""

    def __init__(self, needless: Sequence[argparse.Action], **more: Any) -> None:
        super().__init__(nargs=0, default=False, **more)
        self._needless: Final = needless

    def __call__(self, _: object, namespace: argparse.Namespace, *__: object) -> None:
        setattr(namespace, self.dest, True)
        for each in self._needless:
            each.required = False


def add_board(parser: argparse.ArgumentParser, default: str | None, says: str) -> None:
    """Adds where the board is, what lets one in there, and who speaks."""
    add = parser.add_argument
    add("--kb", metavar="URL", default=default, help=says)
    tokens = parser.add_mutually_exclusive_group()
    tokens.add_argument(
        "--token-file",
        metavar="FILE",
        type=Path,
        help=f"a file with the token to show the board ({TOKEN_FILE}, or {TOKEN} itself)",
    )
    tokens.add_argument("--token", metavar="T", help="the token itself; all on this machine see it")
    add(
        "--source",
        metavar="NAME",
        type=_source,
        default="spatial",
        help="who says the facts (%(default)s); two reasoners on one board have two names, "
        "and so have the actions that they tell",
    )


def add_sight(parser: argparse.ArgumentParser) -> None:
    """Adds how to find out who sees what."""
    parser.add_argument(
        "--sight",
        choices=("auto", "gl", "tiny", "rays"),
        default="auto",
        help="how to draw what agents see (%(default)s: gl where it can be had, else tiny)",
    )


def add_percepts(parser: argparse.ArgumentParser) -> None:
    """Adds which percepts are passed over."""
    for name, meant in (
        ("outlier", "a thing that seems to move faster is believed when a second percept says so"),
        ("still-sensor", "nothing is taken from a sensor that moves faster; a radian is a metre"),
    ):
        parser.add_argument(f"--{name}", type=_speed, metavar="M/S", help=meant)


def add_render(parser: argparse.ArgumentParser) -> None:
    """Adds where pictures go, and of what."""
    add = parser.add_argument_group("pictures").add_argument
    add("--render", metavar="DIR", type=Path, help="draw what each mind believes and sees, there")
    add("--gif", action="store_true", help="also as one animation, DIR/replay.gif")
    add(
        "--render-minds",
        metavar="MODELS",
        help="whose: such as myself,sally or all; without it, those that nest no deeper than one",
    )
    add(
        "--render-every",
        metavar="N",
        type=_count,
        help="each so-manyth moment; without it, whenever a fact of one of them changes",
    )
    add(
        "--render-size",
        metavar="WIDTH",
        type=_width,
        default=1280,
        help="how wide a picture is, in points (%(default)s)",
    )


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


def _speed(text: str) -> float:
    try:
        speed = float(text)
    except ValueError:
        speed = 0.0
    if not 0.0 < speed < _FASTEST:
        raise argparse.ArgumentTypeError(f"a speed is a number of metres a second, not {text!r}")
    return speed


def _source(text: str) -> str:
    if not 0 < len(text) <= 100 or not text.isprintable():
        raise argparse.ArgumentTypeError("a name has 1 to 100 printable characters")
    return text


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError("a whole number from 1")
    return int(text)


def _width(text: str) -> int:
    if not text.isdecimal() or not _NARROWEST <= int(text) <= _WIDEST:
        raise argparse.ArgumentTypeError(f"a whole number from {_NARROWEST} to {_WIDEST}")
    return int(text)


def _tolerance(text: str) -> object:
    return loaded("spatial_reasoner.commands.tolerance_options:tolerance")(text)
