"""The errors of a board in-process, as a board elsewhere tells them."""

from collections.abc import Iterator
from contextlib import contextmanager

from kb_server.client.calls.errors import EventsLost, refusal
from kb_server.errors import BoardError
from kb_server.wire.errors import error_body

__all__ = ["told_alike"]


@contextmanager
def told_alike() -> Iterator[None]:
    """Raises what a board in-process refuses as one elsewhere would tell it."""
    try:
        yield
    except EventsLost:
        raise
    except BoardError as error:
        raise refusal(error_body(error.code, error.message, error.detail)) from error
