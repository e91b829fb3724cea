"""The ontology and the renderer that a worker process uses for all its recordings."""

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from kb_server import Blackboard
from spatial_reasoner.scene.folder import Folder
from spatial_reasoner.scene.knowledge import BoardKnowledge
from spatial_reasoner.scene.scene import Scene
from spatial_reasoner.scene.scene_file import read_scene, scene_of
from spatial_reasoner.sight.close_ups import CloseUpSight
from spatial_reasoner.sight.renderers import chosen_sight

__all__ = ["Stage"]

_FILES: Final = Path(__file__).parent.parent / "scenes" / "files"


class Stage:
    """Makes scenes, and draws for all reasoners with one renderer."""

    def __init__(self, sight: str) -> None:
        self._opened: Final = ExitStack()
        self.sight: Final[CloseUpSight] = chosen_sight(sight, lambda _: None)
        self._opened.callback(self.sight.close)
        self._knowledge: Final = BoardKnowledge(self._opened.enter_context(Blackboard.local()))

    def scene(self, document: dict[str, object]) -> Scene:
        """The scene of a document, by the common sense."""
        return scene_of(document, Folder(_FILES), self._knowledge)

    def read(self, file: Path, ontology: Sequence[Path]) -> Scene:
        """The scene of a file, by the common sense and some more files."""
        with Blackboard.local(ontology=ontology) as kb:
            return read_scene(file, BoardKnowledge(kb))

    def close(self) -> None:
        """Closes what it has opened."""
        self._opened.close()
