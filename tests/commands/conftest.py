"""The board that the commands ask."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.commands.program import Program
from tests.service.servers import Server, Servers, started_servers


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests that use models of their own."""
    with started_servers(tmp_path_factory.mktemp("commands")) as made:
        yield made.start()


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[Servers]:
    """Servers of one test alone."""
    with started_servers(tmp_path) as made:
        yield made


@pytest.fixture
def program(server: Server) -> Program:
    """The program, told where the board is by its environment."""
    return Program(server.url)
