"""The options shared by commands. Only light modules are imported: see `kb_server.program`."""

import argparse
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, Final

from kb_server.program import completed_by, loaded
from spatial_reasoner.errors import SettingError
from spatial_reasoner.tolerances.tolerances import REGIONS, Tolerances

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
"""Metres a second: bound of the limits on speeds."""
_NARROWEST, _WIDEST = 480, 3840


class _Listed(argparse.Action):
    """The action of an option that lists something; none of the other arguments are then
    required."""

    def __init__(self, needless: Sequence[argparse.Action], **more: Any) -> None:
        super().__init__(nargs=0, default=False, **more)
        self._needless: Final = needless

    def __call__(self, _: object, namespace: argparse.Namespace, *__: object) -> None:
        setattr(namespace, self.dest, True)
        for each in self._needless:
            each.required = False


def add_board(parser: argparse.ArgumentParser, default: str | None, says: str) -> None:
    """Adds the options of the board: its address, the token, and the source of the facts."""
    add = parser.add_argument
    add("--kb", metavar="URL", default=default, help=says)
    tokens = parser.add_mutually_exclusive_group()
    tokens.add_argument(
        "--token-file",
        metavar="FILE",
        type=Path,
        help=f"a file with the token for the board (or set {TOKEN_FILE}, or {TOKEN} itself)",
    )
    tokens.add_argument(
        "--token", metavar="T", help="the token itself; visible to all users of this machine"
    )
    add(
        "--source",
        metavar="NAME",
        type=_source,
        default="spatial",
        help="the source of the facts (%(default)s); give each reasoner on a board its own, which "
        "then prefixes the names of its actions",
    )


def add_sight(parser: argparse.ArgumentParser) -> None:
    """Adds the choice of a renderer."""
    parser.add_argument(
        "--sight",
        choices=("auto", "gl", "tiny", "rays"),
        default="auto",
        help="the renderer for what agents see (%(default)s: gl if available, else tiny)",
    )


def add_percepts(parser: argparse.ArgumentParser) -> None:
    """Adds the limits beyond which percepts are ignored."""
    for name, meant in (
        ("outlier", "if an object appears to move faster, wait for a second percept to confirm it"),
        ("still-sensor", "ignore percepts of a sensor that moves faster; a radian counts as 1 m"),
    ):
        parser.add_argument(f"--{name}", type=_speed, metavar="M/S", help=meant)


def add_render(parser: argparse.ArgumentParser) -> None:
    """Adds the options of pictures."""
    add = parser.add_argument_group("pictures").add_argument
    says = "write pictures of what each mind believes and sees to DIR"
    add("--render", metavar="DIR", type=Path, help=says)
    add("--gif", action="store_true", help="also write them as an animation, DIR/replay.gif")
    add(
        "--render-minds",
        metavar="MODELS",
        help="the minds to draw, such as myself,sally or all (default: one per agent)",
    )
    add(
        "--render-every",
        metavar="N",
        type=_count,
        help="write every Nth tick (default: whenever a fact of one of these minds changes)",
    )
    add(
        "--render-size",
        metavar="WIDTH",
        type=_width,
        default=1280,
        help="the width of a picture in pixels (%(default)s)",
    )


def add_tolerances(parser: argparse.ArgumentParser, *needless: argparse.Action) -> None:
    """Adds the options that set and list tolerances; the list does not require `needless`."""
    add = parser.add_argument_group("tolerances").add_argument
    one = add(
        "--tolerance",
        action="append",
        default=[],
        type=_tolerance,
        metavar="NAME=VALUE[,ENDS]",
        help="set a tolerance; may be repeated",
    )
    completed_by(one, _tolerance_names)
    add("--tolerances", action=_Listed, needless=needless, help="list all tolerances and exit")
    add(
        "--regions",
        type=int,
        choices=sorted(REGIONS),
        help="regions around an agent: 8, with two directions on diagonals (default), or 4",
    )


def _speed(text: str) -> float:
    try:
        speed = float(text)
    except ValueError:
        speed = 0.0
    if not 0.0 < speed < _FASTEST:
        raise argparse.ArgumentTypeError(f"must be a speed in metres a second, not {text!r}")
    return speed


def _source(text: str) -> str:
    if not 0 < len(text) <= 100 or not text.isprintable():
        raise argparse.ArgumentTypeError("must have 1 to 100 printable characters")
    return text


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError("must be a whole number from 1")
    return int(text)


def _width(text: str) -> int:
    if not text.isdecimal() or not _NARROWEST <= int(text) <= _WIDEST:
        raise argparse.ArgumentTypeError(f"must be a whole number from {_NARROWEST} to {_WIDEST}")
    return int(text)


def _tolerance_names(**_: object) -> list[str]:
    """The beginnings `NAME=` of all settings."""
    return [f"{field.name}=" for field in fields(Tolerances)]


def _tolerance(text: str) -> object:
    try:
        return loaded("spatial_reasoner.tolerances.settings:read_tolerance")(text)
    except SettingError as reason:
        raise argparse.ArgumentTypeError(reason.message) from None
