"""The servers that the sockets' stories talk to."""

from collections.abc import Iterator

import pytest

from tests.service.servers import Server, Servers, started_servers


@pytest.fixture
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    """Servers of one test alone."""
    with started_servers(tmp_path_factory.mktemp("servers")) as made:
        yield made


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests that use models of their own."""
    with started_servers(tmp_path_factory.mktemp("shared-sockets")) as made:
        yield made.start("--no-dl")
