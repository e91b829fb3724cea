"""Every refusal of a board: its class, its code, its HTTP status and its meaning, once each.

A class here is one row of the table: it is raised where a board refuses, its `code` goes into the
one error body, its `status` into the HTTP answer, and the client raises the same class again from
the code in the body. `docs/reference/errors.md` is made from `ERRORS`. A class without a code of
its own groups others and is never raised.

BoardError
├── BadStatement … TooCostly        reasoning and questions
├── TooLarge … Internal             the service
├── DLError                         full OWL DL
├── JournalError                    the journal
├── SparqlError                     SPARQL
└── BadGraph, UnknownGraph          graphs

`message` is a sentence for people and `detail` holds the data. To add a refusal, add a class and
its name: `__all__` are public names of `kb_server`.
"""

from collections.abc import Mapping
from typing import ClassVar, Final

__all__ = [
    "BadGraph",
    "BadModelName",
    "BadQuery",
    "BadRequest",
    "BadStatement",
    "BoardError",
    "Busy",
    "DLFailed",
    "DLTimeout",
    "Damaged",
    "DoesNotHold",
    "Forbidden",
    "Inconsistent",
    "Internal",
    "JournalFailed",
    "Locked",
    "MethodNotAllowed",
    "NoDLEngine",
    "NotAcceptable",
    "NotFound",
    "ProviderTimeout",
    "QueryTooLarge",
    "ReadOnly",
    "Refused",
    "SparqlError",
    "Stopping",
    "TooCostly",
    "TooLarge",
    "TooOld",
    "TooSlow",
    "Unauthorized",
    "UnknownGraph",
    "UnknownMemory",
    "UnknownModel",
    "Unsupported",
    "UpgradeRequired",
]


class BoardError(Exception):
    """The base of all refusals; `code` names the kind, `detail` carries the data."""

    code: ClassVar[str] = "board_error"
    status: ClassVar[int] = 500

    def __init__(self, message: str, **detail: object) -> None:
        super().__init__(message)
        self.message = message
        self.detail: Mapping[str, object] = detail


class BadStatement(BoardError):
    """The text is not a statement, pattern or term."""

    code = "bad_statement"
    status = 400


class BadRequest(BoardError):
    """A field has a value that is not allowed."""

    code = "bad_request"
    status = 400


class BadModelName(BoardError):
    """The name is not valid for a model, or the model can't be deleted."""

    code = "bad_model_name"
    status = 400


class UnknownMemory(BoardError):
    """No memory has this name."""

    code = "unknown_memory"
    status = 400


class UnknownModel(BoardError):
    """No model has this name."""

    code = "unknown_model"
    status = 404


class DoesNotHold(BoardError):
    """The fact to explain does not hold."""

    code = "does_not_hold"
    status = 404


class Inconsistent(BoardError):
    """`if_consistent` was set, and the change would cause a contradiction."""

    code = "inconsistent"
    status = 409


class TooCostly(BoardError):
    """The request exceeds the work allowed for one request."""

    code = "too_costly"
    status = 503


class NotFound(BoardError):
    """Nothing has this address."""

    code = "not_found"
    status = 404


class MethodNotAllowed(BoardError):
    """The address has other methods than this one."""

    code = "method_not_allowed"
    status = 405


class TooLarge(BoardError):
    """A body, a frame or a list exceeds its bound."""

    code = "too_large"
    status = 413


class TooSlow(BoardError):
    """The body does not arrive in time."""

    code = "too_slow"
    status = 408


class Unsupported(BoardError):
    """The media type of the body is not supported."""

    code = "unsupported_media_type"
    status = 415


class UpgradeRequired(BoardError):
    """The address is a websocket, and was requested as a page."""

    code = "upgrade_required"
    status = 426


class Unauthorized(BoardError):
    """The token is missing or unknown."""

    code = "unauthorized"
    status = 401


class Forbidden(BoardError):
    """The role or the models of the token do not permit this."""

    code = "forbidden"
    status = 403


class ReadOnly(BoardError):
    """The journal can't be written, so nothing may change."""

    code = "read_only"
    status = 503


class ProviderTimeout(BoardError):
    """The provider of a computed predicate did not answer in time."""

    code = "provider_timeout"
    status = 504


class Stopping(BoardError):
    """The board is shutting down."""

    code = "stopping"
    status = 503


class Internal(BoardError):
    """The board has a bug; its log has the details."""

    code = "internal"
    status = 500


class DLError(BoardError):
    """The base of the errors of full OWL DL."""


class NoDLEngine(DLError):
    """No suitable Java, or no Pellet; everything except full OWL DL works."""

    code = "no_dl_engine"
    status = 503


class DLTimeout(DLError):
    """Pellet was not done in time; every process that it started has ended."""

    code = "dl_timeout"
    status = 503


class DLFailed(DLError):
    """The input is bad, memory is too small, or Pellet gave up."""

    code = "dl_failed"
    status = 500


class JournalError(BoardError):
    """The base of the errors of the journal."""


class JournalFailed(JournalError):
    """A change could not be written; no part of it is stored."""

    code = "journal_failed"
    status = 503


class TooOld(JournalError):
    """The requested moment lies before the oldest that retention has kept."""

    code = "too_old"
    status = 410


class Damaged(JournalError):
    """The stored data can't be trusted; nothing is answered from it."""

    code = "damaged"
    status = 500


class Locked(JournalError):
    """Another server uses the folder."""

    code = "locked"
    status = 500


class SparqlError(BoardError):
    """A SPARQL worker failed: a bug of the board."""

    code = "sparql_error"
    status = 500


class BadQuery(SparqlError):
    """The text is not SPARQL, or the engine can't compute it."""

    code = "bad_query"
    status = 400


class QueryTooLarge(SparqlError):
    """The query exceeds a bound that is checked before parsing."""

    code = "query_too_large"
    status = 400


class Refused(SparqlError):
    """The request reaches outside the store, or changes a graph that can't be changed."""

    code = "refused"
    status = 400


class NotAcceptable(SparqlError):
    """None of the accepted media types is available."""

    code = "not_acceptable"
    status = 406


class Busy(SparqlError):
    """Too many requests wait, or no worker can answer yet."""

    code = "busy"
    status = 503


class BadGraph(BoardError):
    """The data are not RDF in the declared format, or more statements than allowed."""

    code = "bad_graph"
    status = 400


class UnknownGraph(BoardError):
    """No graph has this name."""

    code = "unknown_graph"
    status = 404


ERRORS: Final[Mapping[str, type[BoardError]]] = {
    kind.code: kind for kind in map(globals().__getitem__, __all__) if kind is not BoardError
}
"""Each class by its code; a test holds that no code stands twice."""
