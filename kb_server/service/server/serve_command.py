"""The arguments of `mindboard serve`; `serve_run` executes it."""

import argparse
from pathlib import Path
from typing import Final, get_args

from kb_server.journal.protocol import Durability
from kb_server.program import Subparsers, add_listener
from kb_server.service.server.logs import LogStyle

__all__ = ["add_to"]

_HOST: Final = "127.0.0.1"
_PORT: Final = 8765
_AFTER_DAMAGE: Final = ("cut", "forget", "export")


def add_to(subparsers: Subparsers) -> None:
    """Adds `serve` to the program."""
    parser = subparsers.add_parser(
        "serve",
        help="serve the board over HTTP and websockets",
        description="Serve the board. No option is required: it listens on this machine only and "
        "stores its journal in your data folder.",
        epilog="example: mindboard serve --scene room.yaml --keep-days 30",
    )
    add = parser.add_argument
    add_listener(parser, _HOST, _PORT)
    add("--data", metavar="DIR", help="the journal's folder; :memory: stores nothing")
    add("--settings", type=Path, metavar="FILE", help="a TOML file of limits and other settings")
    add(
        "--durability",
        choices=get_args(Durability),
        help="the changes that a power cut may lose (default: as in --settings, else full)",
    )
    add("--keep-days", type=_days, metavar="N", help="drop history older than N days")
    add(
        "--after-damage",
        choices=_AFTER_DAMAGE,
        help="what to do with a journal damaged in the middle (default: refuse to start)",
    )
    add("--scene", type=Path, metavar="SCENE", help="also run `perceive` on it, on the next port")
    add(
        "--ontology",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="RDF to add to the common sense: Turtle, RDF/XML, …; may be repeated",
    )
    add("--tokens", type=Path, metavar="FILE", help="a TOML file of tokens and their rights")
    add("--unsafe-no-tokens", action="store_true", help="give everybody in the network all rights")
    add("--no-dl", action="store_true", help="start no Java, so that full OWL DL is not available")
    add("--log", choices=get_args(LogStyle), default="text", help="how to log (%(default)s)")
    add("--verbose", action="store_true", help="log a line for every request")
    parser.set_defaults(host=_HOST, port=_PORT, run="kb_server.service.server.serve_run:run")


def _days(text: str) -> float:
    """A number of days, in seconds."""
    try:
        days = float(text)
    except ValueError:
        days = 0.0
    if not 0 < days < float("inf"):
        raise argparse.ArgumentTypeError(f"must be a number of days above 0, not {text!r}")
    return days * 86_400
