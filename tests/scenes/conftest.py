"""What the tests of scenes share: one board that is asked, and short ways to read."""

from collections.abc import Iterator

import pytest

from kb_server import Blackboard
from spatial_reasoner.scene.knowledge import BoardKnowledge, Knowledge


@pytest.fixture(scope="session")
def knowledge() -> Iterator[Knowledge]:
    """What the ontology knows."""
    with Blackboard.local() as kb:
        yield BoardKnowledge(kb)
