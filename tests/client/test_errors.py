"""The errors of the client are those of the board."""

import kb_server
from kb_server.client.calls.errors import refusal
from kb_server.errors import ERRORS, BoardError


def test_every_refusal_is_public() -> None:
    """Whatever a board may refuse with, there is a public error of that name."""
    assert {kind.__name__ for kind in ERRORS.values()} <= set(dir(kb_server))


def test_the_client_raises_the_class_of_the_code() -> None:
    """An error body becomes the board's own class, with its code, message and detail."""
    for code, kind in ERRORS.items():
        body = {"error": {"code": code, "message": "no", "detail": {"field": "at"}}}
        error = refusal(body)
        assert type(error) is kind
        assert (error.code, error.message, error.detail) == (code, "no", {"field": "at"})


def test_a_code_that_nobody_knows_is_a_board_error() -> None:
    """A code that a newer board may send becomes a plain BoardError."""
    assert type(refusal({"error": {"code": "of_tomorrow", "message": "no"}})) is BoardError
