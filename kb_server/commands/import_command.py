"""The arguments of `mindboard import`; `import_run` executes it."""

import argparse

from kb_server.commands.arguments import RDF_FORMATS, add_model, asks_board
from kb_server.program import Subparsers, loaded

__all__ = ["add_to"]


def add_to(subparsers: Subparsers) -> None:
    """Add `import` to the program."""
    parser = subparsers.add_parser(
        "import",
        help="read RDF into models",
        description="Assert what RDF files say. Graphs named model:ID go into those models, which "
        "are made; all else goes into --model.",
        epilog="example: mindboard import home.ttl --memory long_term --source home",
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="an RDF file; - reads stdin")
    parser.add_argument("--format", choices=RDF_FORMATS, help="else by the file's name")
    parser.add_argument(
        "--base", type=_iri, metavar="IRI", help="what relative IRIs stand on, if no file says it"
    )
    add_model(parser, "into which (%(default)s)")
    parser.add_argument("--memory", default="long_term", help="how long it lasts (%(default)s)")
    parser.add_argument("--source", metavar="NAME", help="who says so")
    parser.add_argument(
        "--atomic", action="store_true", help="each model in one change, or nothing of it"
    )
    parser.add_argument(
        "--batch", type=int, default=1_000, metavar="N", help="statements a change (%(default)s)"
    )
    asks_board(parser, "kb_server.commands.import_run:run")


def _iri(text: str) -> str:
    try:
        return str(loaded("pyoxigraph:NamedNode")(text).value)
    except ValueError:
        raise argparse.ArgumentTypeError(f"an IRI with its scheme, not {text!r}") from None
