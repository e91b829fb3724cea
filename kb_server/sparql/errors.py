"""The errors of SPARQL requests, beside the core's BadStatement and TooCostly.

BoardError
├── TooCostly               the core's: beyond the limit of time, memory or size of an answer
├── UnknownModel            the core's: an update names the graph of a missing model
└── SparqlError             a worker failed: a bug of the board
    ├── BadQuery            not SPARQL, with the position, or something the engine can't compute
    ├── QueryTooLarge       more of something than is allowed, found before parsing
    ├── UnknownGraph        no graph of that name
    ├── BadGraph            not RDF in the declared format, or more statements than allowed
    ├── OutOfReach          it reads or writes a model that the client has no rights on
    ├── Refused             it reaches outside the store, or changes a graph that can't be changed
    ├── NotAcceptable       none of the accepted media types is available
    └── Busy                too many requests wait, or no worker can answer yet
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
"""The classes of errors that a worker sends, by code."""


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
    line, column = map(int, place.groups()) if place else (None, None)
    return BadQuery(f"this is not SPARQL: {reason}"[:_SHOWN], line=line, column=column)
