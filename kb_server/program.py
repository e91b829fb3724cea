"""The program `mindboard`: one parser, to which every room contributes its commands.

To add a command `NAME`, as two modules, so that `--help`, a usage error and a completion import no
heavy library:

1. `NAME_command.py`, in the folder of commands of its room: `add_to(subparsers)`, which adds one
   sub-parser. It imports the standard library and light modules only.
2. `NAME_run.py` beside it: a function that takes the parsed arguments and returns the exit status.
   It may import anything. The sub-parser's default `run` names it as `module:function`; the
   program imports it after the line has been parsed.
3. `pyproject.toml`: a row `NAME = "….NAME_command:add_to"` of the entry points
   `mindboard.commands`. Then install again.
4. `tests/program/test_startup.py`: a row of `_COMMANDS`; and tests of the command itself.
5. `make reference` for `docs/reference/commands.md`; an example in `docs/commands.md`; a line in
   `CHANGELOG.md`.

If the check of one argument needs a heavy module, the check imports it by `loaded`. Shells complete
a line by argcomplete, which asks the program itself, in bash, zsh and fish.
"""

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from importlib.metadata import EntryPoints, entry_points, version
from typing import Any, TypeAlias

import argcomplete

from kb_server.stdio import mute, reopen

__all__ = [
    "FAILED",
    "GROUP",
    "INTERRUPTED",
    "USAGE",
    "CommandFailed",
    "Run",
    "Subparsers",
    "UsageError",
    "add_listener",
    "add_port",
    "completed_by",
    "loaded",
    "main",
    "port",
    "whole_number",
]

Subparsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
Run = Callable[[argparse.Namespace], int]
"""Executes a parsed command line and returns the exit status."""

GROUP = "mindboard.commands"
FAILED = 1
USAGE = 2
INTERRUPTED = 130
"""The exit status that shells use for a program ended by Ctrl-C: 128 + SIGINT."""
_LAST_PORT = 65_535
_MOST_DIGITS = 18
"""Digits of a whole number on the command line: what 64 bits can hold."""


class UsageError(Exception):
    """Bad usage: the command line can't be executed; the message names what would be right."""


class CommandFailed(Exception):
    """The command failed; the message gives the reason.

    A missing or unreadable file is a failure and not bad usage.
    """


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit status: 0 done, 1 failed, 2 bad usage.

    As with every `argparse` program, `--help`, `--version` and a line that can't be parsed raise
    `SystemExit` with that status. Two ends print nothing:

    - Ctrl-C that the command does not handle itself, for example while it is imported: 130.
    - A reader of the output that has closed it, as `head` does: 0.
    """
    reopen()
    try:
        try:
            return _carried_out(argv)
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        mute()
        return 0
    except KeyboardInterrupt:
        return INTERRUPTED


def add_listener(parser: argparse.ArgumentParser, host: str, number: int) -> None:
    """Add the options of a command that listens; `--host` and `--port` are None unless given.

    The help states the default `host` and port `number`.
    """
    add = parser.add_argument
    add("--host", metavar="H", help=f"the address to listen on ({host})")
    add_port(parser, number)
    add(
        "--allow-host",
        action="append",
        default=[],
        metavar="NAME",
        help="accept requests for this host name too; may be repeated",
    )
    add("--lifeline", action="store_true", help="end when stdin closes, for a parent process")


def add_port(parser: argparse.ArgumentParser, default: int) -> None:
    """Add `--port`, which is None unless given; `default` is the port that the help states."""
    says = f"the port, 0 for a free one ({default})"
    parser.add_argument("--port", type=port, metavar="P", help=says)


def completed_by(action: argparse.Action, completer: Callable[..., Iterable[str]]) -> None:
    """Set the function that completes the values of an argument.

    `argcomplete` calls it with the keywords `prefix`, `action`, `parser` and `parsed_args`. It
    returns whole values.
    """
    vars(action)["completer"] = completer


def loaded(path: str) -> Any:
    """Import the module of `module:name` and return the object of that name.

    >>> loaded("math:hypot")(3, 4)
    5.0
    """
    module, _, name = path.partition(":")
    return getattr(import_module(module), name)


def port(text: str) -> int:
    """Read a port number from the command line; 0 stands for any free port.

    >>> port("8765")
    8765
    """
    is_number = text.isascii() and text.isdigit() and len(text) <= len(str(_LAST_PORT))
    if not is_number or int(text) > _LAST_PORT:
        raise argparse.ArgumentTypeError(
            f"a port is a number from 0 to {_LAST_PORT}, not {text[:20]!r}"
        )
    return int(text)


def whole_number(least: int, most: int | None = None) -> Callable[[str], int]:
    """Return the type of an argument: a whole number from `least` to `most`.

    >>> whole_number(1)("20")
    20
    """
    upper = "" if most is None else f" to {most}"

    def whole_number(text: str) -> int:
        is_number = text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS
        if not is_number or int(text) < least or (most is not None and int(text) > most):
            message = f"must be a whole number from {least}{upper}, not {text[:20]!r}"
            raise argparse.ArgumentTypeError(message)
        return int(text)

    return whole_number


def _carried_out(argv: Sequence[str] | None) -> int:
    words = sys.argv[1:] if argv is None else argv
    parser, commands = _parser(_asked_for(words or _completed()))
    argcomplete.autocomplete(parser)
    args, unknown = parser.parse_known_args(words)
    if unknown:
        named = commands.choices.get(words[0], parser)
        named.error(f"unrecognized arguments: {' '.join(unknown)}")
    if args.run is None:
        parser.print_help(sys.stderr)
        return USAGE
    return int(loaded(args.run)(args))


def _asked_for(words: Sequence[str]) -> EntryPoints:
    """Return only the command that the line names, so that no other is imported; else all."""
    commands = entry_points(group=GROUP)
    return commands.select(name=words[0]) if words and words[0] in commands.names else commands


def _completed() -> list[str]:
    """Return the words of the line being completed, without the program and the last word."""
    return os.environ.get("COMP_LINE", "").split(" ")[1:-1]


def _parser(commands: EntryPoints) -> tuple[argparse.ArgumentParser, Subparsers]:
    parser = argparse.ArgumentParser(
        prog="mindboard",
        description="A blackboard for robots: what they know, and what they think others believe.",
    )
    parser.add_argument("--version", action="version", version=f"mindboard {version('mindboard')}")
    parser.set_defaults(run=None)
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND")
    for command in sorted(commands, key=lambda command: command.name):
        add_to: Callable[[Subparsers], None] = command.load()
        add_to(subparsers)
    return parser, subparsers
