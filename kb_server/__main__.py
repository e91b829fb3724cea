"""The program `mindboard`; as `python -m kb_server` it serves unless told to do something else."""

import sys
from collections.abc import Sequence
from typing import Final

from kb_server.program import main

__all__ = ["main", "words_of"]

_ABOUT_ITSELF: Final = frozenset(("-h", "--help", "--version"))


def words_of(line: Sequence[str]) -> list[str]:
    """The command line that a line means: one without a command is one of `serve`.

    >>> words_of(["--port", "9000"])
    ['serve', '--port', '9000']
    >>> words_of(["--version"])
    ['--version']
    """
    is_serve = not line or (line[0].startswith("-") and line[0] not in _ABOUT_ITSELF)
    return ["serve", *line] if is_serve else [*line]


if __name__ == "__main__":
    sys.exit(main(words_of(sys.argv[1:])))
