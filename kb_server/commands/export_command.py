"""The arguments of `mindboard export`; `export_run` executes it."""

from pathlib import Path

from kb_server.commands.arguments import RDF_FORMATS, add_at, add_models, asks_board
from kb_server.program import Subparsers

__all__ = ["add_to"]


def add_to(subparsers: Subparsers) -> None:
    """Add `export` to the program."""
    parser = subparsers.add_parser(
        "export",
        help="write models as RDF",
        description="Write the facts of models as RDF, without the common sense. Several models "
        "need a format with graphs: trig, nquads or jsonld.",
        epilog="example: mindboard export --all -o minds.trig",
    )
    which = parser.add_mutually_exclusive_group()
    add_models(which)
    which.add_argument("--all", action="store_true", help="all models")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="write here, not stdout")
    parser.add_argument(
        "--format",
        choices=RDF_FORMATS,
        help="RDF format (by the file's name; else turtle, or trig for several models)",
    )
    parser.add_argument("--inferred", action="store_true", help="include inferred facts")
    add_at(parser)
    asks_board(parser, "kb_server.commands.export_run:run")
