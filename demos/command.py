"""The arguments of `mindboard demo`; `run` executes it."""

import argparse
import math
from pathlib import Path
from typing import Final

from kb_server.program import Subparsers, add_port, completed_by
from spatial_reasoner.commands.command_options import add_board, add_render, add_sight

__all__ = ["NAMES", "add_to"]

NAMES: Final = ("sally-anne", "ice-cream", "smarties", "director", "table")
"""The names of the stories, for completion: the stories themselves would import numpy."""
_FASTEST: Final = 100.0
"""Highest factor of real time besides `max`."""


def add_to(subparsers: Subparsers) -> None:
    """Add `demo` to the program."""
    parser = subparsers.add_parser(
        "demo",
        help="play a demonstration",
        description="Play a story on a real board. The input is percepts. What each mind believes "
        "is shown step by step, here and on the page of the board. Without NAME, list the "
        "stories. Exit status 1: an expected belief does not hold.",
        epilog="example: mindboard demo sally-anne --case watching --speed max",
    )
    add = parser.add_argument
    name = add("name", nargs="?", metavar="NAME", help="the story to play")
    completed_by(name, lambda **_: NAMES)
    add("--list", action="store_true", help="list the stories and their cases")
    add("--case", metavar="CASE", help="the variant of the story (default: the main one)")
    add("--json", action="store_true", help="print one JSON document instead of prose")
    add(
        "--speed",
        type=_speed,
        metavar="N",
        help="a factor of real time; real is 1, max is as fast as possible "
        "(default: 1 in a terminal, else max)",
    )
    add("--headless", action="store_true", help="exit at the end of the story without a prompt")
    add("--record", metavar="FILE", type=Path, help="record the percepts, for `replay`")
    add_port(parser, 0)
    add_sight(parser)
    add_render(parser)
    add_board(parser, None, "play on this board instead of a new one; retract the facts at the end")
    parser.set_defaults(run="demos.run:run")


def _speed(text: str) -> float:
    known = {"max": math.inf, "real": 1.0}
    if text in known:
        return known[text]
    try:
        speed = float(text)
    except ValueError:
        speed = 0.0
    if not 0 < speed <= _FASTEST:
        raise argparse.ArgumentTypeError(
            f"must be max, real or a number up to {_FASTEST:g}, not {text!r}"
        )
    return speed
