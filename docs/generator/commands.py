"""The page of commands: the text of each `--help`, as tables.

The commands are those of `pyproject.toml`, not those installed. The tables are made from the
parsers, not from their printed help, whose form depends on the terminal and on Python.
"""

import argparse
import os
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Final

from docs.generator.markdown import code, table
from kb_server.program import GROUP

__all__ = ["page"]

_PROJECT: Final = Path(__file__).resolve().parents[2] / "pyproject.toml"
_HEAD: Final = ("option", "meaning")
_INTRODUCTION: Final = """\
`mindboard COMMAND --help` prints the same. The exit status is 0 if the command succeeded, 1 if it
failed, 2 for a usage error. [commands.md](../commands.md) has examples.
"""


def page() -> str:
    """All commands with all their options."""
    parser = argparse.ArgumentParser(prog="mindboard")
    subparsers = parser.add_subparsers()
    with _nobodys_environment():
        for command in _entry_points():
            add_to: Callable[..., None] = command.load()
            add_to(subparsers)
    return "\n".join([_INTRODUCTION, *_described(subparsers)])


@contextmanager
def _nobodys_environment() -> Iterator[None]:
    """Unsets the variables MINDBOARD_… during the block, since some defaults come from them."""
    ours = {name: value for name, value in os.environ.items() if name.startswith("MINDBOARD_")}
    for name in ours:
        del os.environ[name]
    try:
        yield
    finally:
        os.environ.update(ours)


def _entry_points() -> list[EntryPoint]:
    rows = tomllib.loads(_PROJECT.read_text("utf-8"))["project"]["entry-points"][GROUP]
    return [EntryPoint(name, value, GROUP) for name, value in sorted(rows.items())]


def _described(action: "argparse.Action") -> Iterator[str]:
    """The sections of all commands of a parser."""
    assert isinstance(action.choices, dict)
    for parser in action.choices.values():
        yield f"## {parser.prog}\n"
        yield f"{parser.description}\n" if parser.description else ""
        yield table(_HEAD, [_row(parser, each) for each in parser._actions if _is_shown(each)])
        yield f"{parser.epilog}\n" if parser.epilog else ""
        for each in parser._actions:
            if isinstance(each, argparse._SubParsersAction):
                yield from _described(each)


def _is_shown(action: argparse.Action) -> bool:
    hidden = (argparse._HelpAction, argparse._SubParsersAction)
    return action.help is not argparse.SUPPRESS and not isinstance(action, hidden)


def _row(parser: argparse.ArgumentParser, action: argparse.Action) -> tuple[str, str]:
    said = {**vars(action), "prog": parser.prog, "default": _plain(action.default)}
    named = ", ".join(code(option) for option in action.option_strings)
    value = _value(action)
    return " ".join(filter(None, (named, code(value)))), (action.help or "") % said


def _plain(default: object) -> object:
    return ", ".join(map(str, default)) if isinstance(default, list | tuple) else default


def _value(action: argparse.Action) -> str:
    """The value that an option takes: `MODEL`, `a|b`, `PATTERN …`."""
    if action.nargs == 0:
        return ""
    if action.metavar is not None:
        names = action.metavar if isinstance(action.metavar, tuple) else (action.metavar,)
        one = " ".join(names)
    elif action.choices is not None:
        one = "|".join(map(str, action.choices))
    else:
        one = action.dest.upper() if action.option_strings else action.dest
    many = {"*": f"[{one} …]", "+": f"{one} …", "?": f"[{one}]"}
    return many.get(str(action.nargs), one)
