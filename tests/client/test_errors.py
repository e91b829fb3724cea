"""The errors of the client are those of the board."""

import kb_server
from kb_server.client.errors import KINDS
from kb_server.service.errors import STATUS


def test_every_code_has_an_error() -> None:
    """Whatever a board may refuse with, there is a public error of that code."""
    assert STATUS.keys() <= KINDS.keys()
    assert {kind.__name__ for kind in KINDS.values()} <= set(kb_server.__all__)


def test_the_names_are_the_same_for_type_checkers() -> None:
    """What the stub promises is what there is."""
    stub = {line.strip().rstrip(",").partition(" as ")[0] for line in _stub() if " as " in line}
    assert stub == set(kb_server.__all__)
    assert all(getattr(kb_server, name) for name in kb_server.__all__)


def _stub() -> list[str]:
    folder = kb_server.__path__[0]
    with open(f"{folder}/__init__.pyi", encoding="utf-8") as stub:
        return stub.readlines()
