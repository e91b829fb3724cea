"""Shared by the commands: logging, files, the token for the board, and errors as one line."""

import argparse
import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TextIO

from kb_server import BoardError, ConnectionFailed
from kb_server.program import FAILED, USAGE, CommandFailed, Run, UsageError
from spatial_reasoner.commands.command_options import TOKEN, TOKEN_FILE
from spatial_reasoner.errors import SpatialError
from spatial_reasoner.percepts.percepts import PerceptSettings

__all__ = [
    "bounded",
    "settings_of",
    "start_logging",
    "there",
    "token_of",
    "written_to",
]

_LOUD: Final = ("httpx", "httpcore", "websockets", "asyncio")


def settings_of(args: argparse.Namespace) -> PerceptSettings:
    """The limits beyond which percepts are ignored; by default there are none."""
    return PerceptSettings(args.outlier, args.still_sensor)


def token_of(args: argparse.Namespace) -> str | None:
    """The token to authenticate with at the board, if there is one."""
    if args.token is not None:
        return str(args.token)
    file = args.token_file or os.environ.get(TOKEN_FILE)
    if file is None:
        return os.environ.get(TOKEN)
    try:
        return Path(file).read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as reason:
        why = getattr(reason, "strerror", reason)
        raise CommandFailed(f"the token file {file} can't be read: {why}") from None


def start_logging() -> None:
    """Logs to stderr: this program from level INFO, libraries from level WARNING."""
    form = "%(asctime)s %(levelname)s %(message)s"
    logging.basicConfig(level=logging.INFO, format=form, stream=sys.stderr)
    for name in _LOUD:
        logging.getLogger(name).setLevel(logging.WARNING)


def there(file: Path) -> Path:
    """Returns a file that must exist; raises CommandFailed otherwise."""
    try:
        file.stat()
    except OSError as reason:
        raise CommandFailed(f"{file} can't be read: {reason.strerror}") from None
    return file


@contextmanager
def written_to(file: Path) -> Iterator[TextIO]:
    """Opens a new file for writing."""
    try:
        out = file.open("w", encoding="utf-8", newline="\n")
    except OSError as reason:
        raise CommandFailed(f"{file} can't be written: {reason.strerror}") from None
    with out:
        yield out


def bounded(name: str, run: Run) -> Run:
    """Wraps a command, so that each failure is one line on stderr and an exit status."""

    def answer(args: argparse.Namespace) -> int:
        try:
            return run(args)
        except UsageError as reason:
            return _said(name, str(reason), USAGE)
        except CommandFailed as reason:
            return _said(name, str(reason), FAILED)
        except (SpatialError, BoardError) as reason:
            return _said(name, reason.message, FAILED)
        except ConnectionFailed as reason:
            return _said(name, f"{args.kb}: {reason.message}", FAILED)
        except BrokenPipeError:  # handled by the program
            raise
        except OSError as reason:
            return _said(name, str(reason), FAILED)
        except KeyboardInterrupt:
            return _said(name, "interrupted", FAILED)

    return answer


def _said(name: str, message: str, status: int) -> int:
    print(f"mindboard {name}: {' '.join(message.split())}", file=sys.stderr)
    return status
