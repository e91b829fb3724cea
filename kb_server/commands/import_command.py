"""The arguments of `mindboard import`; `import_run` executes it."""

import argparse

from kb_server.commands.arguments import RDF_FORMATS, add_model, asks_board
from kb_server.program import Subparsers, loaded, whole_number

__all__ = ["add_to"]


def add_to(subparsers: Subparsers) -> None:
    """Add `import` to the program."""
    parser = subparsers.add_parser(
        "import",
        help="read RDF into models",
        description="Assert the statements of RDF files. Graphs named model:ID go into those "
        "models, which are created if missing; other statements go into --model.",
        epilog="example: mindboard import home.ttl --memory long_term --source home",
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="an RDF file; - reads stdin")
    parser.add_argument("--format", choices=RDF_FORMATS, help="RDF format (by the file's name)")
    parser.add_argument(
        "--base", type=_iri, metavar="IRI", help="the base of relative IRIs in files without one"
    )
    add_model(parser, "the model of statements outside model graphs (%(default)s)")
    parser.add_argument("--memory", default="long_term", help="how long facts last (%(default)s)")
    parser.add_argument("--source", metavar="NAME", help="the source of the facts")
    parser.add_argument(
        "--atomic", action="store_true", help="change each model in one delta, wholly or not at all"
    )
    parser.add_argument(
        "--batch",
        type=whole_number(1),
        default=1_000,
        metavar="N",
        help="statements a delta (%(default)s)",
    )
    asks_board(parser, "kb_server.commands.import_run:run")


def _iri(text: str) -> str:
    try:
        return str(loaded("pyoxigraph:NamedNode")(text).value)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be an IRI with a scheme, not {text!r}") from None
