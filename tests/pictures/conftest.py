"""Fixtures of the tests of pictures: one renderer."""

from collections.abc import Iterator

import pytest

from spatial_reasoner.sight.close_ups import CloseUpSight
from spatial_reasoner.sight.tiny_sight import TinySight
from tests.pictures.rooms import Room


@pytest.fixture(scope="session")
def sight() -> Iterator[CloseUpSight]:
    """The renderer that is to be had everywhere."""
    made = TinySight()
    yield made
    made.close()


@pytest.fixture
def room(sight: CloseUpSight) -> Iterator[Room]:
    """The room at its beginning."""
    made = Room(sight)
    yield made
    made.reasons.close()
