"""`mindboard query SPARQL`: a SPARQL query, or with `--update` a change."""

import argparse
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Final

from kb_server import Answer, BadQuery, Blackboard
from kb_server.commands.arguments import add_at
from kb_server.commands.asking import Failed, Misused, asks_board, opened
from kb_server.commands.rows import print_json, print_table
from kb_server.program import Subparsers

__all__ = ["add_to"]

_FORMATS: Final = {
    "json": "application/sparql-results+json",
    "xml": "application/sparql-results+xml",
    "csv": "text/csv",
    "tsv": "text/tab-separated-values",
    "turtle": "text/turtle",
    "ntriples": "application/n-triples",
    "jsonld": "application/ld+json",
    "rdfxml": "application/rdf+xml",
}
_ANY_JSON: Final = f"{_FORMATS['json']}, {_FORMATS['jsonld']};q=0.9"


def add_to(subparsers: Subparsers) -> None:
    """Add `query` to the program."""
    parser = subparsers.add_parser(
        "query",
        help="ask in SPARQL",
        description="Ask in SPARQL; what the prefixes oro:, model: and rdfs: stand for is known.",
        epilog="example: mindboard query 'SELECT ?o { ?o a oro:Book }' --csv",
    )
    parser.add_argument("text", nargs="?", metavar="SPARQL", help="the query; - reads it")
    parser.add_argument("-f", "--file", type=Path, metavar="FILE", help="a file with the query")
    parser.add_argument("--update", action="store_true", help="it is an update, and is carried out")
    parser.add_argument(
        "--model", default="myself", metavar="ID", help="whose default graph (%(default)s)"
    )
    add_at(parser)
    parser.add_argument(
        "--inferred",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="with what is inferred, or without",
    )
    shape = parser.add_mutually_exclusive_group()
    shape.add_argument("--json", action="store_true", help="print JSON")
    shape.add_argument("--csv", action="store_true", help="print comma-separated values")
    shape.add_argument("--format", choices=_FORMATS, help="print the answer in this format")
    asks_board(parser, _run)


def _run(args: argparse.Namespace) -> int:
    text = _text(args)
    try:
        with opened(args) as kb:
            return _update(kb, text, args) if args.update else _query(kb, text, args)
    except BadQuery as reason:
        if args.text not in (None, "-"):
            raise
        raise Failed(f"{args.file or 'stdin'}: {reason.message}") from None


def _query(kb: Blackboard, text: str, args: argparse.Namespace) -> int:
    accept = _accept(args)
    _print(kb.query(text, model=args.model, accept=accept, inferred=args.inferred, at=args.at))
    return 0


def _text(args: argparse.Namespace) -> str:
    if (args.text is None) == (args.file is None):
        raise Misused("one query is expected: in the line, by - or in a --file")
    try:
        if args.file is not None:
            return str(args.file.read_text("utf-8"))
        return sys.stdin.read() if args.text == "-" else str(args.text)
    except (OSError, UnicodeDecodeError) as reason:
        raise Failed(f"the query can't be read: {reason}") from None


def _accept(args: argparse.Namespace) -> str | None:
    if args.json:
        return _ANY_JSON
    return "text/csv" if args.csv else _FORMATS.get(args.format)


def _print(found: Answer) -> None:
    if found.text is not None:
        sys.stdout.write(found.text if found.text.endswith("\n") else found.text + "\n")
    elif found.holds is not None:
        print("yes" if found.holds else "no")
    else:
        columns = dict.fromkeys(name for row in found for name in row)
        print_table(list(columns), list(found))


def _update(kb: Blackboard, text: str, args: argparse.Namespace) -> int:
    if args.at is not None or args.csv or args.format:
        raise Misused("an update has no --at, --csv or --format")
    made = kb.update_sparql(text, model=args.model)
    if args.json:
        print_json({"deltas": [{"model": model, **asdict(d)} for model, d in made.items()]})
        return 0
    for model, delta in made.items():
        came, gone = len(delta.became_true), len(delta.ceased)
        print(f"{model}: {came} became true, {gone} ceased (seq {delta.seq})")
    if not made:
        print("nothing has changed in a model")
    return 0
