"""The errors of a board in this process, equal to those of a remote board."""

from collections.abc import Iterator
from contextlib import contextmanager

from kb_server.client.calls.errors import EventsLost, refusal
from kb_server.errors import BoardError
from kb_server.wire.errors import error_body

__all__ = ["as_remote_errors"]


@contextmanager
def as_remote_errors() -> Iterator[None]:
    """Replaces the errors of the core by those that the network client raises."""
    try:
        yield
    except EventsLost:
        raise
    except BoardError as error:
        raise refusal(error_body(error.code, error.message, error.detail)) from error
