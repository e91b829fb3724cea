"""What these commands share when they run: the board that they ask, and errors as lines."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from kb_server import BadRequest, Blackboard, BoardError, ConnectionFailed
from kb_server.program import FAILED, USAGE
from kb_server.stdio import mute

__all__ = ["Failed", "Misused", "bounded", "opened"]

_WRONG_WORDS: Final = frozenset(
    ("bad_statement", "bad_request", "bad_model_name", "bad_query", "unknown_memory")
)
"""What the board says of a line that makes no sense."""
Run = Callable[[argparse.Namespace], int]


class Misused(Exception):
    """The command line asks for what can't be done; its text says what could."""


class Failed(Exception):
    """What the command line asks for could not be done; its text says why.

    A file that is not there, or can't be read, is a failure: the line itself made sense.
    """


def opened(args: argparse.Namespace) -> Blackboard:
    """The board that the line names."""
    token = None
    if args.token_file is not None:
        try:
            token = Path(args.token_file).read_text("utf-8").strip()
        except (OSError, UnicodeDecodeError) as reason:
            raise Failed(f"the token file can't be read: {reason}") from None
    try:
        return Blackboard(args.kb, token=token)
    except BadRequest as reason:
        if reason.detail.get("field") == "token":
            raise Failed(f"{args.token_file}: {reason.message}") from None
        raise


def bounded(run: Run) -> Run:
    """A command whose failures are one line each, with the exit status that they have."""

    def bounded(args: argparse.Namespace) -> int:
        try:
            status = run(args)
            sys.stdout.flush()
            return status
        except Misused as reason:
            return _said(args, str(reason), USAGE)
        except Failed as reason:
            return _said(args, str(reason), FAILED)
        except BoardError as reason:
            return _said(args, reason.message, FAILED if reason.code not in _WRONG_WORDS else USAGE)
        except ConnectionFailed as reason:
            return _said(args, f"{args.kb}: {reason.message}", FAILED)
        except BrokenPipeError:  # the program knows what to do
            raise
        except OSError as reason:
            mute()
            return _said(args, f"the output can't be written: {reason.strerror}", FAILED)
        except KeyboardInterrupt:
            return _said(args, "interrupted", FAILED)

    return bounded


def _said(args: argparse.Namespace, message: str, status: int) -> int:
    line = " ".join(message.split())
    print(f"{args.program}: {line}", file=sys.stderr)
    return status
