"""Fixtures of the tests of the edges: a scene and a board."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from spatial_reasoner.scene.scene import Scene
from tests.live.rooms import room
from tests.service.servers import Server, Servers, started_servers


@pytest.fixture(scope="session")
def scene() -> Scene:
    """The room."""
    return room()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One board for all tests that withdraw their facts."""
    with started_servers(tmp_path_factory.mktemp("live")) as made:
        yield made.start("--no-dl", keeps=False)


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[Servers]:
    """Boards of one test alone."""
    with started_servers(tmp_path) as made:
        yield made
