"""`mindboard find PATTERN…`: print the bindings under which all patterns hold."""

import argparse
import re
from typing import Final

from kb_server import BoardError
from kb_server.commands.connection import bounded, opened
from kb_server.commands.rows import print_csv, print_json, print_table
from kb_server.core.terms.statements import named_variables, read_pattern
from kb_server.core.terms.terms import Names

__all__ = ["run"]

_NAME: Final = re.compile(r"\w+")


@bounded
def run(args: argparse.Namespace) -> int:
    """Execute `find`; return the exit status."""
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
    """Return the variables of the patterns, in order; none if the patterns can't be read here."""
    try:
        read = [read_pattern(text, Names()) for text in patterns]
    except BoardError:  # for example a prefix that only the board's ontology files declare
        return []
    return [name[1:] for name in named_variables(read)]
