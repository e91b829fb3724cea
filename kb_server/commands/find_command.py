"""`mindboard find PATTERN…`: the bindings under which all patterns hold."""

import argparse
import re
from typing import Final

from kb_server import BoardError
from kb_server.commands.arguments import add_at, add_patterns
from kb_server.commands.asking import asks_board, opened
from kb_server.commands.rows import print_csv, print_json, print_table
from kb_server.core.statements import named_variables, read_pattern
from kb_server.core.terms import Names
from kb_server.program import Subparsers

__all__ = ["add_to"]

_NAME: Final = re.compile(r"\w+")


def add_to(subparsers: Subparsers) -> None:
    """Add `find` to the program."""
    parser = subparsers.add_parser(
        "find",
        help="ask by patterns",
        description="Find the bindings under which all patterns hold.",
        epilog="example: mindboard find '?o a Book' '?o isOn table' --model sally",
    )
    add_patterns(parser)
    parser.add_argument(
        "--model", default="myself", metavar="ID", help="whose beliefs (%(default)s)"
    )
    parser.add_argument(
        "--select", action="append", default=[], metavar="?VAR", help="only this; may be repeated"
    )
    parser.add_argument("--limit", type=int, metavar="N", help="at most so many rows")
    add_at(parser)
    shape = parser.add_mutually_exclusive_group()
    shape.add_argument("--json", action="store_true", help="print JSON")
    shape.add_argument("--csv", action="store_true", help="print comma-separated values")
    asks_board(parser, _run)


def _run(args: argparse.Namespace) -> int:
    select = [name for names in args.select for name in _NAME.findall(names)] or None
    with opened(args) as kb:
        rows = kb.find(args.model, *args.patterns, select=select, limit=args.limit, at=args.at)
    columns = select or _variables(args.patterns) or list(rows[0] if rows else ())
    if args.json:
        print_json({"bindings": rows})
    elif not columns:
        print("yes" if rows else "no")
    elif args.csv:
        print_csv(columns, rows)
    else:
        print_table(columns, rows)
    return 0


def _variables(patterns: list[str]) -> list[str]:
    """The variables of patterns, in the order of the line; none where only the board can tell."""
    try:
        read = [read_pattern(text, Names()) for text in patterns]
    except BoardError:  # a prefix that an ontology file declares
        return []
    return [name[1:] for name in named_variables(read)]
