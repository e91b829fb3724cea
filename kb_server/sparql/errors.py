"""What a SPARQL request is refused with, beside the core's BadStatement and TooCostly.

BoardError
├── TooCostly               the core's: past its time, its memory or the size of an answer
├── UnknownModel            the core's: an update names the graph of a model that is not there
└── SparqlError             a worker failed: a mistake of the board's
    ├── BadQuery            not SPARQL, with the place, or nothing that the engine can do
    ├── QueryTooLarge       more of something than is allowed, found before parsing
    ├── UnknownGraph        no graph of that name
    ├── BadGraph            not RDF in the format that it is said to be, or more than may be
    ├── OutOfReach          it reads a model that the asker may not
    ├── Refused             it reaches outside the store, or would change what is not its to change
    ├── NotAcceptable       no media type that is asked for can be given
    └── Busy                too many wait, or no worker can answer yet
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from kb_server.core.errors import BadStatement, BoardError, TooCostly, UnknownModel

__all__ = [
    "ERRORS",
    "BadGraph",
    "BadQuery",
    "Busy",
    "NotAcceptable",
    "OutOfReach",
    "QueryTooLarge",
    "Refused",
    "SparqlError",
    "UnknownGraph",
    "bad_query",
    "engine_asked",
]

_PLACE: Final = re.compile(r"error at (\d+):(\d+): ")
_SHOWN: Final = 500


class SparqlError(BoardError):
    code = "sparql_error"


class BadQuery(SparqlError):
    code = "bad_query"


class UnknownGraph(SparqlError):
    code = "unknown_graph"


class BadGraph(SparqlError):
    code = "bad_graph"


class OutOfReach(SparqlError):
    code = "forbidden"


class QueryTooLarge(SparqlError):
    code = "query_too_large"


class Refused(SparqlError):
    code = "refused"


class NotAcceptable(SparqlError):
    code = "not_acceptable"


class Busy(SparqlError):
    code = "busy"


_KINDS: Final[tuple[type[BoardError], ...]] = (
    *(BadGraph, BadQuery, BadStatement, Busy, NotAcceptable, OutOfReach),
    *(QueryTooLarge, Refused, SparqlError, TooCostly, UnknownGraph, UnknownModel),
)
ERRORS: Final[Mapping[str, type[BoardError]]] = {kind.code: kind for kind in _KINDS}
"""By their code, as a worker sends them."""


@contextmanager
def engine_asked() -> Iterator[None]:
    """BadQuery for what the engine refuses: a text that is not SPARQL, a function of no name."""
    try:
        yield
    except SyntaxError as reason:
        raise bad_query(reason) from None
    except (RuntimeError, OSError, ValueError) as reason:
        raise BadQuery(f"this can't be done: {reason}"[:_SHOWN]) from None


def bad_query(reason: Exception) -> BadQuery:
    """What the parser says, with the place where it stopped."""
    place = _PLACE.match(str(reason))
    line, column = map(int, place.groups()) if place else (None, None)
    return BadQuery(f"this is not SPARQL: {reason}"[:_SHOWN], line=line, column=column)
