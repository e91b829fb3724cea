"""The server that the stories talk to, and a client of its."""

from collections.abc import Iterator
from itertools import count

import httpx
import pytest

from tests.service.servers import Server, started_servers

_numbers = count(1)


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests that leave it as it was, or use models of their own."""
    with started_servers(tmp_path_factory.mktemp("shared")) as made:
        yield made.start()


@pytest.fixture(scope="session")
def board(shared: Server) -> Iterator[httpx.Client]:
    """A client of the shared server; each test has models of its own."""
    with httpx.Client(base_url=shared.url, timeout=30) as client:
        yield client


@pytest.fixture
def sally(board: httpx.Client) -> Iterator[str]:
    """The address of a model that is this test's alone."""
    model = f"m{next(_numbers)}"
    assert board.put(f"/models/{model}").status_code == 201
    yield f"/models/{model}"
    board.delete(f"/models/{model}")
