"""Records what the reasoner asserts for every kept recording, and compares two such records."""

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.frozen.comparison import differences
from tests.frozen.recorder import record
from tests.frozen.recordings import ROWS
from tests.frozen.revision import record_revision


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status 0 when nothing differs, else 1."""
    args = _parser().parse_args(arguments)
    status: int = args.run(args)
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.frozen", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    recording = commands.add_parser("record", help="record this tree into a folder")
    recording.add_argument("folder", metavar="FOLDER", type=Path)
    recording.set_defaults(run=_record)
    comparing = commands.add_parser("compare", help="compare two folders; exit status 1: differ")
    comparing.add_argument("one", metavar="A", type=Path)
    comparing.add_argument("other", metavar="B", type=Path)
    comparing.set_defaults(run=_compare)
    against = commands.add_parser(
        "against", help="record a revision and this tree, and compare the two"
    )
    against.add_argument("revision", metavar="REVISION", help="with its own copy of this tool")
    against.set_defaults(run=_against)
    for each in (recording, comparing, against):
        each.add_argument(
            "--only",
            default="*",
            metavar="PATTERN",
            help="the recordings of these names: '*/played' is quick (%(default)s)",
        )
    for each in (recording, against):
        each.add_argument("--sight", default="auto", help="the renderer (%(default)s)")
    return parser


def _record(args: argparse.Namespace) -> int:
    began = time.monotonic()
    done: list[str] = []

    def say(name: str) -> None:
        done.append(name)
        print(f"{len(done)}/{len(ROWS)} {name}", file=sys.stderr, flush=True)

    entries = record(args.folder, args.only, args.sight, say)
    lines, seconds = sum(entry.lines for entry in entries), time.monotonic() - began
    print(f"{len(entries)} recordings, {lines} lines, {seconds:.0f} s: {args.folder}")
    return 0


def _compare(args: argparse.Namespace) -> int:
    found = [*differences(args.one, args.other, args.only)]
    for each in found:
        print(each)
    print(f"{len(found)} recordings differ" if found else "no recording differs")
    return 1 if found else 0


def _against(args: argparse.Namespace) -> int:
    with tempfile.TemporaryDirectory() as scratch:
        args.one, args.other = Path(scratch) / "before", Path(scratch) / "after"
        options = ("--only", args.only, "--sight", args.sight)
        record_revision(args.revision, args.one, options)
        args.folder = args.other
        _record(args)
        return _compare(args)


if __name__ == "__main__":
    sys.exit(main())
