"""The servers that tests of several folders talk to."""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from spatial_reasoner.kernels.compiled import prepare
from tests.service.servers import Server, Servers, started_servers


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart() -> None:
    """Compiles all loops before the first test, and once for all processes that share the tests.

    Each of these takes the machine code from the cache: a loop that is called before it is prepared
    would be compiled for the arguments of that call alone.
    """
    for module in ("spatial_reasoner.tick.reasoner", "spatial_reasoner.sight.gl_sight"):
        import_module(module)
    prepare()


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[Servers]:
    """Servers of one test alone."""
    with started_servers(tmp_path) as made:
        yield made


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for the tests of one file, whatever files ran before in this process."""
    with started_servers(tmp_path_factory.mktemp("shared")) as made:
        yield made.start()
