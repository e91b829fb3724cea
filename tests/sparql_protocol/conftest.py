"""The servers that the protocol is spoken to, and a client of theirs."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.service.servers import Server, Servers, started_servers


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests that use models and graphs of their own."""
    with started_servers(tmp_path_factory.mktemp("sparql")) as made:
        yield made.start()


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[Servers]:
    """Servers of one test alone."""
    with started_servers(tmp_path) as made:
        yield made


@pytest.fixture
def web(server: Server) -> Iterator[httpx.Client]:
    """A client of the shared server."""
    with httpx.Client(base_url=server.url, timeout=60) as client:
        yield client
