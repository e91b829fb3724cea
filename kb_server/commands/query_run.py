"""`mindboard query SPARQL`: execute a SPARQL query, or with `--update` a SPARQL Update."""

import argparse
import sys
from dataclasses import asdict
from typing import Final

from kb_server import Answer, BadQuery, Blackboard
from kb_server.commands.arguments import ANSWER_FORMATS
from kb_server.commands.connection import bounded, opened
from kb_server.commands.rows import print_json, print_table
from kb_server.program import CommandFailed, UsageError

__all__ = ["run"]

_ANY_JSON: Final = f"{ANSWER_FORMATS['json']}, {ANSWER_FORMATS['jsonld']};q=0.9"


@bounded
def run(args: argparse.Namespace) -> int:
    """Execute `query`; return the exit status."""
    text = _text(args)
    try:
        with opened(args) as kb:
            return _update(kb, text, args) if args.update else _query(kb, text, args)
    except BadQuery as reason:
        if args.text not in (None, "-"):
            raise
        raise CommandFailed(f"{args.file or 'stdin'}: {reason.message}") from None


def _query(kb: Blackboard, text: str, args: argparse.Namespace) -> int:
    accept = _accept(args)
    _print(kb.query(text, model=args.model, accept=accept, inferred=args.inferred, at=args.at))
    return 0


def _text(args: argparse.Namespace) -> str:
    if (args.text is None) == (args.file is None):
        raise UsageError("give exactly one query: as an argument, as - for stdin, or by --file")
    try:
        if args.file is not None:
            return str(args.file.read_text("utf-8"))
        return sys.stdin.read() if args.text == "-" else str(args.text)
    except (OSError, UnicodeDecodeError) as reason:
        why = getattr(reason, "strerror", reason)
        raise CommandFailed(f"{args.file or 'stdin'} can't be read: {why}") from None


def _accept(args: argparse.Namespace) -> str | None:
    if args.json:
        return _ANY_JSON
    return "text/csv" if args.csv else ANSWER_FORMATS.get(args.format)


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
        raise UsageError("--update can't be combined with --at, --csv or --format")
    made = kb.update_sparql(text, model=args.model)
    if args.json:
        print_json({"deltas": [{"model": model, **asdict(d)} for model, d in made.items()]})
        return 0
    for model, delta in made.items():
        came, gone = len(delta.became_true), len(delta.ceased)
        print(f"{model}: {came} became true, {gone} ceased (seq {delta.seq})")
    if not made:
        print("no model has changed")
    return 0
