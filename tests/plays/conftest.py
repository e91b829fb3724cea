"""Fixtures of the plays: the ontology, one renderer, and a stage."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest

from kb_server import Blackboard
from spatial_reasoner.scene.folder import Folder
from spatial_reasoner.scene.knowledge import BoardKnowledge
from spatial_reasoner.scene.scene import Scene
from spatial_reasoner.scene.scene_file import scene_of
from spatial_reasoner.sight.close_ups import CloseUpSight
from spatial_reasoner.sight.renderers import chosen_sight
from tests.plays.play import Play

_FILES: Final = Path(__file__).parent.parent / "scenes" / "files"
MakeScene = Callable[[dict[str, object]], Scene]
Staged = Callable[[dict[str, object]], Play]


@pytest.fixture(scope="session")
def made() -> Iterator[MakeScene]:
    """Scenes of documents, by what the ontology knows."""
    with Blackboard.local() as kb:
        knowledge = BoardKnowledge(kb)
        yield lambda document: scene_of(document, Folder(_FILES), knowledge)


@pytest.fixture(scope="session")
def sight() -> Iterator[CloseUpSight]:
    """The way to draw that the product would take here."""
    sight = chosen_sight("auto", lambda _: None)
    yield sight
    sight.close()


@pytest.fixture
def staged(made: MakeScene, sight: CloseUpSight) -> Iterator[Staged]:
    """Plays in rooms; what they opened is closed at the end."""
    plays: list[Play] = []

    def begin(document: dict[str, object]) -> Play:
        plays.append(Play(made(document), sight))
        return plays[-1]

    yield begin
    for play in plays:
        play.close()
