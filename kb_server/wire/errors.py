"""The one error body, over HTTP and over the websocket."""

from collections.abc import Mapping

from kb_server.core.models.proofs import Contradiction
from kb_server.wire.answers import JSON, conflict_in

__all__ = ["error_body"]


def error_body(code: str, message: str, detail: Mapping[str, object]) -> JSON:
    """Return the body of an error: its code, its message and its data."""
    plain = {key: _plain(value) for key, value in detail.items()}
    return {"error": {"code": code, "message": message, "detail": plain}}


def _plain(value: object) -> object:
    if isinstance(value, Contradiction):
        return conflict_in(value)
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(each) for each in value]
    return value if isinstance(value, str | int | float | bool) or value is None else str(value)
