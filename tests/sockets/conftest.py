"""The server that the sockets' stories talk to, a line to it, and a model on it."""

from collections.abc import Iterator
from itertools import count

import httpx
import pytest

from tests.service.servers import Server, started_servers
from tests.sockets.lines import Line, line_to

_numbers = count(1)


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests that use models of their own."""
    with started_servers(tmp_path_factory.mktemp("shared-sockets")) as made:
        yield made.start("--no-dl")


@pytest.fixture
def line(shared: Server) -> Iterator[Line]:
    """A socket of the shared server."""
    with line_to(shared.events_url) as line:
        yield line


@pytest.fixture
def mind(shared: Server) -> str:
    """A model of the test's own."""
    name = f"m{next(_numbers)}"
    httpx.put(f"{shared.url}/models/{name}").raise_for_status()
    return name
