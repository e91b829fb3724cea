"""The program `mindboard`; `python -m kb_server` without a command runs `serve`."""

import sys
from collections.abc import Sequence
from typing import Final

from kb_server.program import main

__all__ = ["main", "words_of"]

_ABOUT_ITSELF: Final = frozenset(("-h", "--help", "--version"))


def words_of(line: Sequence[str]) -> list[str]:
    """Return the complete command line: `serve` is put before a line that names no command.

    >>> words_of(["--port", "9000"])
    ['serve', '--port', '9000']
    >>> words_of(["--version"])
    ['--version']
    """
    is_serve = not line or (line[0].startswith("-") and line[0] not in _ABOUT_ITSELF)
    return ["serve", *line] if is_serve else [*line]


if __name__ == "__main__":
    sys.exit(main(words_of(sys.argv[1:])))
