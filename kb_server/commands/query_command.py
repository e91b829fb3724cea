"""The arguments of `mindboard query`; `query_run` executes it."""

import argparse
from pathlib import Path

from kb_server.commands.arguments import ANSWER_FORMATS, add_at, add_model, asks_board
from kb_server.commands.completion import classes_in_sparql
from kb_server.program import Subparsers, completed_by

__all__ = ["add_to"]


def add_to(subparsers: Subparsers) -> None:
    """Add `query` to the program."""
    parser = subparsers.add_parser(
        "query",
        help="ask in SPARQL",
        description="Ask in SPARQL. The prefixes oro:, model:, rdf:, rdfs:, owl:, xsd:, swrl: and "
        "cyc: are predeclared.",
        epilog="example: mindboard query 'SELECT ?o { ?o a oro:Book }' --csv",
    )
    text = parser.add_argument(
        "text", nargs="?", metavar="SPARQL", help="the query; - reads it from stdin"
    )
    completed_by(text, classes_in_sparql)
    parser.add_argument("-f", "--file", type=Path, metavar="FILE", help="a file with the query")
    parser.add_argument("--update", action="store_true", help="execute the text as an update")
    add_model(parser, "whose default graph (%(default)s)")
    add_at(parser)
    parser.add_argument(
        "--inferred",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="include inferred facts, or leave them out",
    )
    shape = parser.add_mutually_exclusive_group()
    shape.add_argument("--json", action="store_true", help="print JSON")
    shape.add_argument("--csv", action="store_true", help="print comma-separated values")
    shape.add_argument("--format", choices=ANSWER_FORMATS, help="print the answer in this format")
    asks_board(parser, "kb_server.commands.query_run:run")
