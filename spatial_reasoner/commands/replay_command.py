"""The arguments of `mindboard replay`; `replay_run` executes it."""

from pathlib import Path

from kb_server.program import Subparsers
from spatial_reasoner.commands.command_options import (
    add_board,
    add_percepts,
    add_render,
    add_sight,
    add_tolerances,
)

__all__ = ["add_to"]


def add_to(subparsers: Subparsers) -> None:
    """Add `replay` to the program."""
    parser = subparsers.add_parser(
        "replay",
        help="turn recorded percepts into facts",
        description="Turn a recording of percepts into facts: a line of JSON for each delta, "
        '{"t", "model", "add", "retract"}. It needs no server; with --kb a board is told as well, '
        "and nothing is withdrawn at the end.",
        epilog="example: mindboard replay room.yaml morning.jsonl --out facts.jsonl",
    )
    add = parser.add_argument
    scene = add("scene", metavar="SCENE", type=Path, help="what may exist: YAML or JSON")
    frames = add("frames", metavar="FRAMES", help="the percepts, a frame a line; - reads stdin")
    add("--out", metavar="FILE", type=Path, help="where the lines go, in place of stdout")
    add("--json", action="store_true", help="print the lines, also where they go to a file")
    add(
        "--speed",
        choices=("max", "real"),
        default="max",
        help="as fast as it goes, or at the pace of the frames' times (%(default)s)",
    )
    add(
        "--ontology",
        action="append",
        default=[],
        metavar="FILE",
        type=Path,
        help="classes of one's own, beside the common sense; may be repeated. A board has its own",
    )
    add(
        "--likely",
        action="append",
        default=[],
        metavar="FACT",
        help='say at the end how likely a fact is, such as "ball isIn box": isOn, isIn or isNextTo;'
        " may be repeated",
    )
    add("--model", metavar="M", default="myself", help="in whose mind that is (%(default)s)")
    add_sight(parser)
    add_percepts(parser)
    add_tolerances(parser, scene, frames)
    add_render(parser)
    add_board(parser, None, "tell the board at this address, too")
    parser.set_defaults(run="spatial_reasoner.commands.replay_run:run")
