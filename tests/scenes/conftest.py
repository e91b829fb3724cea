"""Fixtures of the tests of scenes: one board, and short readers."""

from collections.abc import Iterator

import pytest

from kb_server import Blackboard
from spatial_reasoner.scene.knowledge import BoardKnowledge, Knowledge


@pytest.fixture(scope="session")
def knowledge() -> Iterator[Knowledge]:
    """The knowledge of the ontology."""
    with Blackboard.local() as kb:
        yield BoardKnowledge(kb)
