"""The arguments of `mindboard replay`; `replay_run` executes it."""

import argparse
from pathlib import Path

from kb_server.program import Subparsers, loaded
from spatial_reasoner.commands.command_options import (
    add_board,
    add_percepts,
    add_render,
    add_sight,
    add_tolerances,
)

__all__ = ["add_to", "run"]


def add_to(subparsers: Subparsers) -> None:
    """Add `replay` to the program."""
    parser = subparsers.add_parser(
        "replay",
        help="turn recorded percepts into facts",
        description="Turn a recording of percepts into facts: a line of JSON for each delta, "
        '{"t", "model", "add", "retract"}. It needs no server. With --kb it also asserts the facts '
        "on a board, and does not retract them at the end.",
        epilog="example: mindboard replay room.yaml morning.jsonl --out facts.jsonl",
    )
    add = parser.add_argument
    scene = add("scene", metavar="SCENE", type=Path, help="the scene: YAML or JSON")
    frames = add("frames", metavar="FRAMES", help="the recording, a frame a line; - reads stdin")
    add("--out", metavar="FILE", type=Path, help="write the lines to a file instead of stdout")
    add("--json", action="store_true", help="print the lines even if they go to a file")
    add(
        "--speed",
        choices=("max", "real"),
        default="max",
        help="as fast as possible, or in the real time of the frames (%(default)s)",
    )
    add(
        "--ontology",
        action="append",
        default=[],
        metavar="FILE",
        type=Path,
        help="an ontology file in addition to common sense; may be repeated; not with --kb",
    )
    add(
        "--likely",
        action="append",
        default=[],
        metavar="FACT",
        help='print how likely a fact is at the end, such as "ball isIn box"; for isOn, isIn '
        "and isNextTo; may be repeated",
    )
    add("--model", metavar="ID", default="myself", help="the mind for --likely (%(default)s)")
    add_sight(parser)
    add_percepts(parser)
    add_tolerances(parser, scene, frames)
    add_render(parser)
    add_board(parser, None, "also assert the facts on the board at this address")
    parser.set_defaults(run=f"{__name__}:run")


def run(args: argparse.Namespace) -> int:
    """Runs the command, if its tolerances fit each other."""
    checked = loaded("spatial_reasoner.commands.tolerance_options:run_with_tolerances")
    return int(checked("replay", "spatial_reasoner.commands.replay_run:run", args))
