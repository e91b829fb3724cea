"""The arguments of `mindboard find`; `find_run` executes it."""

from typing import Final

from kb_server.commands.arguments import add_at, add_model, add_patterns, asks_board
from kb_server.program import Subparsers, whole_number

__all__ = ["add_to"]

_MOST_ROWS: Final = 1_000_000_000
"""The largest `limit` that the board accepts."""


def add_to(subparsers: Subparsers) -> None:
    """Add `find` to the program."""
    parser = subparsers.add_parser(
        "find",
        help="ask by patterns",
        description="Find the bindings under which all patterns hold.",
        epilog="example: mindboard find '?o a Book' '?o isOn table' --model sally",
    )
    add_patterns(parser)
    add_model(parser, "whose beliefs (%(default)s)")
    parser.add_argument(
        "--select",
        action="append",
        default=[],
        metavar="?VAR",
        help="show only this variable; may be repeated",
    )
    parser.add_argument(
        "--limit", type=whole_number(1, _MOST_ROWS), metavar="N", help="show at most N rows"
    )
    add_at(parser)
    shape = parser.add_mutually_exclusive_group()
    shape.add_argument("--json", action="store_true", help="print JSON")
    shape.add_argument("--csv", action="store_true", help="print comma-separated values")
    asks_board(parser, "kb_server.commands.find_run:run")
