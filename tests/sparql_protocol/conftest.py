"""A client of the SPARQL protocol for the shared server."""

from collections.abc import Iterator

import httpx
import pytest

from tests.service.servers import Server


@pytest.fixture
def web(server: Server) -> Iterator[httpx.Client]:
    """A client of the shared server."""
    with httpx.Client(base_url=server.url, timeout=60) as client:
        yield client
