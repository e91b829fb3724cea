"""The errors of the client are those of the board."""

import kb_server
from kb_server.client.calls.errors import KINDS
from kb_server.service.errors import STATUS


def test_every_code_has_an_error() -> None:
    """Whatever a board may refuse with, there is a public error of that code."""
    assert STATUS.keys() <= KINDS.keys()
    assert {kind.__name__ for kind in KINDS.values()} <= set(dir(kb_server))
