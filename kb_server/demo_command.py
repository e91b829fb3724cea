"""`mindboard demo NAME`: play a demonstration.

A demonstration is an entry point of the group `mindboard.demos`, under its own name. It loads to
a function from the parsed arguments (`json` among them) to the exit status.
"""

import argparse
import json
import sys
from importlib.metadata import entry_points

from kb_server.program import USAGE, Subparsers

__all__ = ["GROUP", "add_to"]

GROUP = "mindboard.demos"


def add_to(subparsers: Subparsers) -> None:
    """Add `demo` to the program."""
    parser = subparsers.add_parser(
        "demo",
        help="play a demonstration",
        description="Play a demonstration; without a name, list them.",
    )
    parser.add_argument("name", nargs="?", metavar="NAME", help="the demonstration to play")
    parser.add_argument("--list", action="store_true", help="list the demonstrations")
    parser.add_argument("--json", action="store_true", help="print data, not prose")
    parser.set_defaults(run=_run)


def _run(args: argparse.Namespace) -> int:
    demos = entry_points(group=GROUP)
    if args.list or args.name is None:
        return _list(sorted(demos.names), as_json=args.json)
    if args.name not in demos.names:
        return _unknown(args.name, sorted(demos.names))
    return int(demos[args.name].load()(args))


def _list(names: list[str], *, as_json: bool) -> int:
    print(json.dumps({"demos": names}) if as_json else "\n".join(names))
    return 0


def _unknown(name: str, known: list[str]) -> int:
    print(f"mindboard demo: no demo named {name!r}; there are: {', '.join(known)}", file=sys.stderr)
    return USAGE
