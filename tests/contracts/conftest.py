"""The boards that every contract is tried on."""

import threading
from collections.abc import Iterator

import pytest

from kb_server import Blackboard
from tests.contracts.boards import WAYS, fresh_name, opened


@pytest.fixture(params=WAYS)
def kb(request: pytest.FixtureRequest) -> Iterator[Blackboard]:
    """A board, in each way that there is; none of them leaves a thread behind."""
    before = set(threading.enumerate())
    with opened(request.param, lambda: str(request.getfixturevalue("server").url)) as board:
        yield board
    assert set(threading.enumerate()) <= before


@pytest.fixture
def mind(kb: Blackboard) -> str:
    """A model that is there for one test."""
    name = fresh_name()
    kb.create(name)
    return name
