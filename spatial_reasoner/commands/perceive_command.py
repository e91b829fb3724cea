"""The arguments of `mindboard perceive`; `perceive_run` executes it."""

import argparse
import os
from pathlib import Path
from typing import Final

from kb_server.program import Subparsers, add_listener, loaded
from spatial_reasoner.commands.command_options import (
    add_board,
    add_percepts,
    add_sight,
    add_tolerances,
)

__all__ = ["HOST", "PORT", "add_to", "run"]

HOST: Final = "127.0.0.1"
PORT: Final = 8766
_URL: Final = "MINDBOARD_URL"
_BOARD: Final = "http://127.0.0.1:8765"


def add_to(subparsers: Subparsers) -> None:
    """Add `perceive` to the program."""
    parser = subparsers.add_parser(
        "perceive",
        help="turn percepts into facts as they come",
        description="Receive percepts, and assert on a board what follows from them: where objects "
        "are, and who sees and can reach them, in the mind of each agent. It listens for frames "
        "on a websocket, unless only other sources are given. It retracts its facts when it ends.",
        epilog="example: mindboard perceive room.yaml --record morning.jsonl",
    )
    add = parser.add_argument
    scene = add("scene", metavar="SCENE", type=Path, help="the scene: YAML or JSON")
    add_listener(parser, HOST, PORT)
    add("--stdin", action="store_true", help="read frames from stdin, one a line, until it ends")
    add(
        "--percepts",
        action="append",
        default=[],
        metavar="NAME[:SETTINGS]",
        help="an additional source, with settings as JSON; may be repeated",
    )
    add("--record", type=Path, metavar="FILE", help="record the accepted frames, for replay")
    add("--tokens", type=Path, metavar="FILE", help="tokens that may send frames, as in `serve`")
    add("--unsafe-no-tokens", action="store_true", help="accept frames from the whole network")
    add_sight(parser)
    add_percepts(parser)
    add_tolerances(parser, scene)
    add_board(
        parser,
        os.environ.get(_URL, _BOARD),
        f"the address of the board (or set {_URL}; %(default)s)",
    )
    parser.set_defaults(run=f"{__name__}:run")


def run(args: argparse.Namespace) -> int:
    """Runs the command, if its tolerances fit each other."""
    checked = loaded("spatial_reasoner.commands.tolerance_options:run_with_tolerances")
    return int(checked("perceive", "spatial_reasoner.commands.perceive_run:run", args))
