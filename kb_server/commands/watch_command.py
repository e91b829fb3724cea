"""The arguments of `mindboard watch`; `watch_run` executes it."""

from kb_server.commands.arguments import add_models, add_patterns, asks_board
from kb_server.program import Subparsers, whole_number

__all__ = ["add_to"]


def add_to(subparsers: Subparsers) -> None:
    """Add `watch` to the program."""
    parser = subparsers.add_parser(
        "watch",
        help="show events as they happen",
        description="Show bindings as all patterns together become true or cease to be true, until "
        "Ctrl-C.",
        epilog="example: mindboard watch '?who desires ?what' --model sally --on both",
    )
    add_patterns(parser)
    add_models(parser)
    parser.add_argument(
        "--on",
        choices=("appear", "disappear", "both"),
        default="appear",
        help="the events to show (%(default)s)",
    )
    parser.add_argument("--once", action="store_true", help="end after one event of each model")
    parser.add_argument("--snapshot", action="store_true", help="begin with the present bindings")
    parser.add_argument(
        "--after", type=whole_number(0), metavar="SEQ", help="begin with the events after SEQ"
    )
    parser.add_argument("--json", action="store_true", help="print a line of JSON for each event")
    asks_board(parser, "kb_server.commands.watch_run:run")
