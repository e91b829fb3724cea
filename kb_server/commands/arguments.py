"""The command-line arguments that several commands share."""

import argparse
import os
from pathlib import Path
from typing import Final

from kb_server.client.calls.address import DEFAULT_URL
from kb_server.commands.completion import classes_in_patterns, models
from kb_server.program import completed_by

__all__ = [
    "ANSWER_FORMATS",
    "RDF_FORMATS",
    "add_at",
    "add_model",
    "add_models",
    "add_patterns",
    "asks_board",
]

RDF_FORMATS: Final = {
    "turtle": "text/turtle",
    "ntriples": "application/n-triples",
    "jsonld": "application/ld+json",
    "rdfxml": "application/rdf+xml",
    "trig": "application/trig",
    "nquads": "application/n-quads",
    "n3": "text/n3",
}
"""The media types of RDF files, by the names of `--format`."""
ANSWER_FORMATS: Final = {
    "json": "application/sparql-results+json",
    "xml": "application/sparql-results+xml",
    "csv": "text/csv",
    "tsv": "text/tab-separated-values",
    **{name: RDF_FORMATS[name] for name in ("turtle", "ntriples", "jsonld", "rdfxml")},
}
"""The media types of answers in SPARQL, by the names of `--format`."""
_ROBOT: Final = "myself"
_URL: Final = "MINDBOARD_URL"
_TOKEN_FILE: Final = "MINDBOARD_TOKEN_FILE"


def asks_board(parser: argparse.ArgumentParser, run: str) -> None:
    """Add `--kb` and `--token-file`; `run` names the command's function as `module:function`."""
    parser.add_argument(
        "--kb",
        metavar="URL",
        default=os.environ.get(_URL, DEFAULT_URL),
        help=f"the board's address ({_URL}; %(default)s)",
    )
    parser.add_argument(
        "--token-file",
        metavar="FILE",
        type=Path,
        default=os.environ.get(_TOKEN_FILE),
        help=f"a file with the token to send ({_TOKEN_FILE})",
    )
    parser.set_defaults(run=run, program=parser.prog)


def add_patterns(parser: argparse.ArgumentParser) -> None:
    patterns = parser.add_argument(
        "patterns", nargs="+", metavar="PATTERN", help="three terms, quoted as one argument"
    )
    completed_by(patterns, classes_in_patterns)


def add_model(parser: argparse.ArgumentParser, says: str) -> None:
    """Add `--model` for one model; the default is the robot's own."""
    model = parser.add_argument("--model", default=_ROBOT, metavar="ID", help=says)
    completed_by(model, models)


def add_models(parser: "argparse._ActionsContainer") -> None:
    """Add `--model` for one or several models; without it the run uses the robot's own."""
    model = parser.add_argument(
        "--model", action="append", metavar="ID", help="whose beliefs (myself); may be repeated"
    )
    completed_by(model, models)


def add_at(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--at", metavar="WHEN", help="a moment of the past: a seq or an ISO time")
