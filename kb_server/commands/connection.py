"""Shared by the commands that ask a board: opening the connection, and errors as single lines."""

import argparse
import sys
from pathlib import Path
from typing import Final

from kb_server import BadRequest, Blackboard, BoardError, ConnectionFailed
from kb_server.program import FAILED, USAGE, CommandFailed, Run, UsageError
from kb_server.stdio import mute

__all__ = ["bounded", "opened"]

_WRONG_WORDS: Final = frozenset(
    ("bad_statement", "bad_request", "bad_model_name", "bad_query", "unknown_memory")
)
"""The error codes that mean bad usage: the command line itself is wrong."""


def opened(args: argparse.Namespace) -> Blackboard:
    """Return a client of the board that the command line names."""
    token = None
    if args.token_file is not None:
        try:
            token = Path(args.token_file).read_text("utf-8").strip()
        except (OSError, UnicodeDecodeError) as reason:
            why = getattr(reason, "strerror", reason)
            raise CommandFailed(f"the token file {args.token_file} can't be read: {why}") from None
    try:
        return Blackboard(args.kb, token=token)
    except BadRequest as reason:
        if reason.detail.get("field") == "token":
            raise CommandFailed(f"{args.token_file}: {reason.message}") from None
        raise


def bounded(run: Run) -> Run:
    """Wrap a command: each failure prints one line and becomes an exit status."""

    def bounded(args: argparse.Namespace) -> int:
        try:
            status = run(args)
            sys.stdout.flush()
            return status
        except UsageError as reason:
            return _said(args, str(reason), USAGE)
        except CommandFailed as reason:
            return _said(args, str(reason), FAILED)
        except BoardError as reason:
            return _said(args, reason.message, FAILED if reason.code not in _WRONG_WORDS else USAGE)
        except ConnectionFailed as reason:
            return _said(args, f"{args.kb}: {reason.message}", FAILED)
        except BrokenPipeError:  # handled by `program.main`
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
