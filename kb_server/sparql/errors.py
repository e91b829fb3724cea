"""The errors of the SPARQL engine, as refusals of the board."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from kb_server.errors import BadQuery

__all__ = ["bad_query", "engine_asked"]

_PLACE: Final = re.compile(r"error at (\d+):(\d+): ")
_SHOWN: Final = 500


@contextmanager
def engine_asked() -> Iterator[None]:
    """Raise BadQuery for errors of the engine, such as a syntax error or an unknown function."""
    try:
        yield
    except SyntaxError as reason:
        raise bad_query(reason) from None
    except (RuntimeError, OSError, ValueError) as reason:
        raise BadQuery(f"the engine can't compute this: {reason}"[:_SHOWN]) from None


def bad_query(reason: Exception) -> BadQuery:
    """Return the parser's error with the line and column where it stopped."""
    place = _PLACE.match(str(reason))
    if place is None:
        return BadQuery(f"syntax error: {reason}"[:_SHOWN], line=None, column=None)
    line, column = map(int, place.groups())
    what = str(reason)[place.end() :]
    message = f"syntax error in line {line}, column {column}: {what}"
    return BadQuery(message[:_SHOWN], line=line, column=column)
