"""What all these commands share: where the board is, and how they fail."""

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from kb_server import Blackboard, BoardError, ConnectionFailed
from kb_server.program import FAILED, USAGE

__all__ = ["Misused", "add_board", "asking", "opened"]

_URL: Final = "MINDBOARD_URL"
_TOKEN_FILE: Final = "MINDBOARD_TOKEN_FILE"
_DEFAULT: Final = "http://127.0.0.1:8765"
_WRONG_WORDS: Final = frozenset(("bad_statement", "bad_request", "bad_query", "unknown_memory"))
Run = Callable[[argparse.Namespace], int]


class Misused(Exception):
    """The command line asks for what can't be done; its text says what could."""


def add_board(parser: argparse.ArgumentParser) -> None:
    """Adds where the board is, and what lets one in."""
    parser.add_argument(
        "--kb",
        metavar="URL",
        default=os.environ.get(_URL, _DEFAULT),
        help=f"the board's address ({_URL}; %(default)s)",
    )
    parser.add_argument(
        "--token-file",
        metavar="FILE",
        type=Path,
        default=os.environ.get(_TOKEN_FILE),
        help=f"a file with the token to show ({_TOKEN_FILE})",
    )


def opened(args: argparse.Namespace) -> Blackboard:
    """The board that the line names."""
    token = None
    if args.token_file is not None:
        try:
            token = Path(args.token_file).read_text("utf-8").strip()
        except (OSError, UnicodeDecodeError) as reason:
            raise Misused(f"the token file can't be read: {reason}") from None
    return Blackboard(args.kb, token=token)


def asking(run: Run) -> Run:
    """A command whose failures are one line each, with the exit status that they have."""

    def bounded(args: argparse.Namespace) -> int:
        try:
            return run(args)
        except Misused as reason:
            return _said(args, str(reason), USAGE)
        except BoardError as reason:
            return _said(args, reason.message, FAILED if reason.code not in _WRONG_WORDS else USAGE)
        except ConnectionFailed as reason:
            return _said(args, f"{args.kb}: {reason.message}", FAILED)
        except BrokenPipeError:
            # Who reads our lines has read enough, as `head` does.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0
        except KeyboardInterrupt:
            return _said(args, "interrupted", FAILED)

    return bounded


def _said(args: argparse.Namespace, message: str, status: int) -> int:
    line = " ".join(message.split())
    print(f"mindboard {args.command}: {line}", file=sys.stderr)
    return status
