"""Errors as answers: which status each has, in one table, and the one body they all share.

ServiceError
├── NotFound            no such address here
├── MethodNotAllowed    the address knows other methods
├── TooLarge            a body, a frame or a list beyond its bound
├── TooSlow             a body that does not come in time
├── Unsupported         a media type that is not read here
├── UpgradeRequired     a websocket, asked for as if it were a page
├── Unauthorized        no token, or none that is known
├── Forbidden           the token's role or models do not reach that far
├── ReadOnly            the journal can't be written, so nothing may change
├── ProviderTimeout     who computes a predicate did not answer in time
├── Stopping            the board is going down
└── Internal            a mistake of ours, told without its details
"""

from collections.abc import Mapping
from typing import ClassVar, Final

from kb_server.core.errors import BoardError

__all__ = [
    "STATUS",
    "Forbidden",
    "Internal",
    "MethodNotAllowed",
    "NotFound",
    "ProviderTimeout",
    "ReadOnly",
    "ServiceError",
    "Stopping",
    "TooLarge",
    "TooSlow",
    "Unauthorized",
    "Unsupported",
    "UpgradeRequired",
]


class ServiceError(BoardError):
    code: ClassVar[str] = "service_error"


class NotFound(ServiceError):
    code = "not_found"


class MethodNotAllowed(ServiceError):
    code = "method_not_allowed"


class TooLarge(ServiceError):
    code = "too_large"


class TooSlow(ServiceError):
    code = "too_slow"


class Unsupported(ServiceError):
    code = "unsupported_media_type"


class UpgradeRequired(ServiceError):
    code = "upgrade_required"


class Unauthorized(ServiceError):
    code = "unauthorized"


class Forbidden(ServiceError):
    code = "forbidden"


class ReadOnly(ServiceError):
    code = "read_only"


class ProviderTimeout(ServiceError):
    code = "provider_timeout"


class Stopping(ServiceError):
    code = "stopping"


class Internal(ServiceError):
    code = "internal"


STATUS: Final[Mapping[str, int]] = {
    "bad_statement": 400,
    "bad_request": 400,
    "bad_model_name": 400,
    "unknown_memory": 400,
    "unknown_model": 404,
    "does_not_hold": 404,
    "inconsistent": 409,
    "too_costly": 503,
    "too_old": 410,
    "journal_failed": 503,
    "damaged": 500,
    "locked": 500,
    "bad_query": 400,
    "bad_graph": 400,
    "unknown_graph": 404,
    "query_too_large": 400,
    "refused": 400,
    "not_acceptable": 406,
    "busy": 503,
    "no_dl_engine": 503,
    "dl_timeout": 503,
    "dl_failed": 500,
    "not_found": 404,
    "method_not_allowed": 405,
    "too_large": 413,
    "too_slow": 408,
    "unsupported_media_type": 415,
    "upgrade_required": 426,
    "unauthorized": 401,
    "forbidden": 403,
    "read_only": 503,
    "provider_timeout": 504,
    "stopping": 503,
    "internal": 500,
    "sparql_error": 500,
}
"""The HTTP status of each code; a test holds it equal to the codes there are."""
