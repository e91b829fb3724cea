"""The program that the commands are of."""

import pytest

from tests.commands.program import Program
from tests.service.servers import Server


@pytest.fixture
def program(server: Server) -> Program:
    """The program, with the board's address in its environment."""
    return Program(server.url)
