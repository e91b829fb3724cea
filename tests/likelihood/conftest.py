"""Fixtures of the tests of likelihood: the ontology and a simulated world."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from kb_server import Blackboard
from spatial_reasoner.dynamics.bullet_dynamics import Dynamics
from spatial_reasoner.kernels.compiled import prepare
from spatial_reasoner.likelihood.likelihoods import Likelihoods
from spatial_reasoner.scene.knowledge import BoardKnowledge
from tests.likelihood.rooms import Believe, believing


@pytest.fixture(scope="session")
def believe() -> Iterator[Believe]:
    """Makes minds that believe things to be somewhere, more or less surely."""
    prepare()
    with Blackboard.local() as kb:
        knowledge = BoardKnowledge(kb)
        yield lambda **things: believing(knowledge, things)


@pytest.fixture(scope="session")
def dynamics() -> Iterator[Dynamics]:
    """One place for all tests."""
    with Dynamics() as made:
        yield made


@pytest.fixture(scope="session")
def answers() -> Iterator[Likelihoods]:
    """Somebody who answers, with processes of his own."""
    with closing(Likelihoods()) as made:
        yield made
